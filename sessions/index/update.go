package index

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"slices"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// workers is the number of goroutines for reading or searching.
const workers = 2

// Update reads the new parts of the given files, newest first, and sets the files for later searches. Unreadable
// files have no texts. The error is ctx.Err(); files read so far can be searched. If a goroutine panics, Update
// panics with a *sessions.PanicError.
func (x *Index) Update(ctx context.Context, files []File) error {
	if err := ctx.Err(); err != nil {
		return err // files may be incomplete
	}
	fewer := x.SetFiles(files)
	x.mu.Lock()
	x.lock()
	if fewer {
		x.prune()
	}
	x.mu.Unlock()
	defer x.Flush()

	var todo []File
	for i := range files {
		if !x.row(files[i].Path).unchanged(files[i].Info) {
			todo = append(todo, files[i])
		}
	}
	slices.SortStableFunc(todo, func(a, b File) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	free := make(chan *sessions.Scanner, workers)
	for range min(workers, len(todo)) {
		free <- sessions.NewScanner(x, x.now())
	}
	sessions.Parallel(ctx, len(todo), workers, func(i int) {
		scanner := <-free
		x.read(ctx, &todo[i], scanner)
		free <- scanner
	})
	return ctx.Err()
}

// read reads the new bytes of one file.
func (x *Index) read(ctx context.Context, f *File, scanner *sessions.Scanner) {
	was := x.row(f.Path)
	switch {
	case !f.Kind.transcript():
		x.readText(f)
	case was != nil && was.size < f.Info.Size() && x.extend(ctx, f.Path, false):
	default:
		scanner.Read(ctx, f.Path)
	}
}

// maxDocument is the limit of a document or ledger in bytes.
const maxDocument = 8 << 20

// readText reads a document, ledger or checkpoint. Each section, or the whole checkpoint, is one text.
func (x *Index) readText(f *File) {
	src, info, err := transcript.OpenFile(f.Path)
	if err != nil {
		return
	}
	defer src.Close()
	text, err := io.ReadAll(io.LimitReader(src, maxDocument))
	if err != nil {
		return
	}
	x.begin(f.Path)
	s := &scan{x: x, row: newRow(f.Path, info, x.now()), b: x.builder()}
	s.row.id = x.id()
	split := Sections
	if f.Kind == Checkpoint {
		split = values
	}
	for at, section := range split(text) {
		if !s.b.room(len(section)) {
			x.flush(s.b)
		}
		start := s.b.open()
		s.b.text = append(s.b.text, section...)
		s.close(Text, int64(at), info.ModTime().UnixMilli(), start)
	}
	s.End(nil, info.Size(), nil)
}

// values yields the string values of a JSON file as one text, one per line, without field names.
func values(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		var all []byte
		for at := bytes.IndexByte(text, '"'); at >= 0; {
			end, _ := jsonlex.SkipQuoted(text, at+1)
			if end == jsonlex.Invalid {
				break // damaged
			}
			var value string
			if next := jsonlex.SkipSpace(text, end); next == len(text) || text[next] != ':' {
				_ = json.Unmarshal(text[at:end], &value) // "" if it is damaged
				all = append(append(all, value...), '\n')
			}
			next := bytes.IndexByte(text[end:], '"')
			if at = end + next; next < 0 {
				break
			}
		}
		if len(all) > 0 {
			yield(0, all)
		}
	}
}

// Sections yields the sections of a document with their offsets. The first one is the text before the first heading.
// Each other one is a heading with its text.
func Sections(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		var lines mark.Reader
		start, at := 0, 0
		for line := range bytes.Lines(text) {
			if lines.Next(string(line)).Level > 0 && at > start {
				if !yield(start, text[start:at]) {
					return
				}
				start = at
			}
			at += len(line)
		}
		if at > start {
			yield(start, text[start:at])
		}
	}
}
