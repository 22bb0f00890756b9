package beads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
)

const (
	maxLine     = 8 << 20 // maximum size of a bead in bytes; the largest known one has 60 KB
	maxProblems = 100     // maximum number of reported problems
)

var (
	errNotRegular   = errors.New("not a regular file")
	errNotDirectory = errors.New("not a directory")
)

// Read reads the beads in a .beads directory: issues.jsonl (or beads.jsonl of an older bd), and the YAML beads of
// spec 002. If a database is newer than the file, Read asks the program. program may be nil. If it can't answer,
// Graph.Note has the reason.
//
// A bead in issues.jsonl and in YAML has the status of issues.jsonl, and the lists of both. A missing directory is an
// empty Graph. A bad line or YAML file becomes a Problem. The error is ledger.ErrTooLong, ledger.ErrOutside, or
// another error about issues.jsonl.
func Read(ctx context.Context, dir string, program Program) (*Graph, error) {
	g := &Graph{}
	fi, err := os.Stat(dir) // opening a pipe would wait for a writer
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return g, nil
	case err == nil && !fi.IsDir():
		err = errNotDirectory
	}
	if err != nil {
		return nil, fmt.Errorf("beads %s: %w", dir, disk.Cause(err))
	}
	root, err := disk.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("beads %s: %w", dir, disk.Cause(err))
	}
	defer root.Close()
	r := &reader{g: g}
	file, data, err := readIssues(root, dir)
	if err != nil {
		return nil, err
	}
	if program != nil && isOlder(root, file) {
		if file, data, err = g.ask(ctx, program, file, data, dir); err != nil {
			return nil, err
		}
	}
	if err := r.lines(ctx, file, data); err != nil {
		return nil, err
	}
	if err := r.yamls(ctx, root, dir); err != nil {
		return nil, err
	}
	r.finish()
	return g, nil
}

// readIssues reads issues.jsonl or beads.jsonl. file is "" if both are missing.
func readIssues(root *disk.Root, dir string) (file string, data []byte, err error) {
	for _, name := range []string{"issues.jsonl", "beads.jsonl"} {
		data, err := readFile(root, name, MaxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file := filepath.Join(dir, name)
		if err != nil {
			err = fmt.Errorf("beads %s: %w", file, disk.Cause(err))
		}
		return file, data, err
	}
	return "", nil, nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(root *disk.Root, name string, limit int64) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		// The error for a link that leads out of the root isn't a PathError.
		if _, real := errors.AsType[*fs.PathError](err); real && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			if fi, e := root.Lstat(name); e == nil && fi.Mode()&fs.ModeSymlink != 0 {
				return nil, ledger.ErrOutside
			}
		}
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, errNotRegular
	case fi.Size() > limit:
		return nil, ledger.ErrTooLong
	}
	data := bytes.NewBuffer(make([]byte, 0, fi.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit { // the file grew after Stat
		return nil, ledger.ErrTooLong
	}
	return data.Bytes(), nil
}

// reader reads files into a graph.
type reader struct {
	g       *Graph
	entries []entry
	at      map[string]int // ID → index of the current entry
	more    int            // number of problems that aren't reported
}

// entry is a decoded bead, or a closed bead that isn't decoded yet.
type entry struct {
	id   string
	line int
	raw  []byte // the line of a closed bead that isn't decoded yet
	dead bool   // the bead is a tombstone
	bead *Bead
	gone bool // a later line has a bead with the same ID
}

// shut is the line of a closed bead or a tombstone.
type shut struct {
	id   string
	line int
	raw  []byte
	bead *Bead // set if a YAML file has more data than the line
}

func (r *reader) problem(file string, line int, what string) {
	if len(r.g.Problems) == maxProblems {
		r.more++
		return
	}
	r.g.Problems = append(r.g.Problems, Problem{File: file, Line: line, What: what})
}

// lines reads the lines of issues.jsonl.
func (r *reader) lines(ctx context.Context, file string, data []byte) error {
	r.g.file, r.at = file, map[string]int{}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	count := 0
	for line := range bytes.Lines(data) {
		if count++; count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		no := count
		if r.g.Database { // the lines are in no file
			no = 0
		}
		whole := line[len(line)-1] == '\n'
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
			continue
		case len(line) > maxLine:
			r.problem(file, no, "The line is longer than 8 MB and was left out.")
			continue
		}
		if m, ok := memory(line); ok {
			if m.File, m.Line = file, no; strings.TrimSpace(m.Text) != "" {
				r.g.Memories = append(r.g.Memories, m)
			}
			continue
		}
		if r.g.Shape == "" {
			r.g.Shape = shapeOf(line)
		}
		e := entry{line: no}
		if id, dead, ok := glance(line); ok && whole {
			e.id, e.raw, e.dead = id, line, dead
		} else {
			r.g.decoded++
			b, bad := decode(line, file, no)
			if b == nil && !whole {
				bad = "The last line is incomplete. A program may be writing it, or was stopped."
			}
			if bad != "" {
				r.problem(file, no, bad)
			}
			if b == nil {
				continue
			}
			if e.id = b.ID; isShut(b.Status) {
				e.raw, e.dead = line, b.Status == tombstone
			} else {
				e.bead = b
			}
		}
		r.add(file, e)
	}
	return nil
}

// shapeOf returns the program that wrote a line. Only br writes compaction_level into each line.
func shapeOf(line []byte) string {
	if bytes.Contains(line, []byte(`"compaction_level":`)) || bytes.Contains(line, []byte(`"source_repo":`)) {
		return "br"
	}
	return "bd"
}

// add adds a bead of issues.jsonl. The last line of an ID counts, as in br and bd.
func (r *reader) add(file string, e entry) {
	if before, twice := r.at[e.id]; twice {
		r.entries[before].gone = true
		r.problem(file, e.line, "The ID is already in line "+strconv.Itoa(r.entries[before].line)+". The later line is used.")
	}
	r.at[e.id] = len(r.entries)
	r.entries = append(r.entries, e)
}

// finish copies the entries into the graph.
func (r *reader) finish() {
	g := r.g
	open := 0
	for i := range r.entries {
		if e := &r.entries[i]; !e.gone && e.raw == nil {
			open++
		}
	}
	g.Beads = make([]Bead, 0, open)
	g.shut = make([]shut, 0, len(r.entries)-open)
	g.at = make(map[string]int, len(r.entries))
	for i := range r.entries {
		switch e := &r.entries[i]; {
		case e.gone:
		case e.raw == nil && !isShut(e.bead.Status):
			g.at[e.id] = len(g.Beads)
			g.Beads = append(g.Beads, *e.bead)
		default:
			g.at[e.id] = ^len(g.shut)
			g.shut = append(g.shut, shut{id: e.id, line: e.line, raw: e.raw, bead: e.bead})
			if !e.dead {
				g.closed++
			}
		}
	}
	if r.more > 0 {
		g.Problems = append(g.Problems, Problem{File: g.file, What: strconv.Itoa(r.more) + " more lines or files could not be read."})
	}
}

// isShut reports whether a status means closed or deleted.
func isShut(status string) bool { return status == "closed" || status == tombstone }

// tombstone is the status of a bead that was deleted.
const tombstone = "tombstone"

// glance returns the ID of a closed bead or a tombstone without decoding its line, ten times as fast. ok is false for
// all other lines.
func glance(line []byte) (id string, dead, ok bool) {
	const begin, status = `{"id":"`, `"status":"`
	if !bytes.HasPrefix(line, []byte(begin)) || line[len(line)-1] != '}' {
		return "", false, false
	}
	rest := line[len(begin):]
	end := bytes.IndexByte(rest, '"')
	if end <= 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return "", false, false
	}
	// Quotes inside a string are escaped, so text with plain quotes is a key.
	at := bytes.Index(rest, []byte(status))
	if at < 0 {
		return "", false, false
	}
	value := rest[at+len(status):]
	dead = bytes.HasPrefix(value, []byte(tombstone+`"`))
	if !dead && !bytes.HasPrefix(value, []byte(`closed"`)) {
		return "", false, false
	}
	return string(rest[:end]), dead, outermost(rest[:at])
}

// outermost reports whether the end of part isn't in a nested object. part starts inside the first string of the
// line.
func outermost(part []byte) bool {
	if bytes.IndexByte(part, '{') < 0 { // no nested object
		return true
	}
	depth, text := 0, true
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return depth == 0
}
