package gate

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// ReadSession returns the tool output since the start or the last compaction of a session. It doesn't set the ID. The
// error comes from the transcript or from ctx.
func ReadSession(ctx context.Context, path string, p *ledger.Project) (Session, error) {
	t, err := transcript.Open(ctx, path)
	if err != nil {
		return Session{}, err
	}
	defer func() { _ = t.Close() }()
	o := t.Outline()
	main := o.Threads[0].Messages
	for i := len(main) - 1; i >= 0; i-- {
		if o.Messages[main[i]].Kind == transcript.Boundary {
			main = main[i+1:]
			break
		}
	}
	real, err := filepath.EvalSymlinks(p.Root)
	if err != nil {
		real = p.Root
	}
	b := bodies{root: p.Root, real: real, apart: []string{p.Notes, p.Beads, p.Trajectory, p.Grimoire}, files: map[string]*Body{}}
	for n, i := range main {
		if n%64 == 0 && ctx.Err() != nil {
			return Session{}, ctx.Err()
		}
		if o.Messages[i].Kind == transcript.Answer {
			m := t.Message(i)
			b.message(&m)
		}
	}
	return b.session(), ctx.Err()
}

// bodies adds up the sizes of tool output for each file.
type bodies struct {
	root, real string
	apart      []string // paths of the ledger, which need no identifiers
	files      map[string]*Body
	output     int64
}

// message adds the tool calls of an answer and their results.
func (b *bodies) message(m *transcript.Message) {
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockToolUse {
			continue
		}
		call := m.Call(i)
		file, _ := call.File()
		var size int64
		last := 0
		if r := call.Result; r != nil {
			size, last = int64(len(r.Text))+r.Bytes, lastRead(r.Text)
		}
		switch call.Kind {
		case transcript.ToolRead:
		case transcript.ToolEdit:
			size, last = size+int64(len(call.Input)), 0
		case transcript.ToolWrite:
			size, last = size+int64(len(call.Input)), strings.Count(strings.TrimSuffix(call.Written(), "\n"), "\n")+1
		default:
			file = ""
		}
		b.add(file, size, last)
	}
}

// lastRead returns the number of the last line in the output of the tool Read; 0 if there is none. Claude Code may
// add a note below that line.
func lastRead(text string) int {
	const below = 64 // maximum number of lines in a note
	for range below {
		head, line := "", text
		if i := strings.LastIndexByte(text, '\n'); i >= 0 {
			head, line = text[:i], text[i+1:]
		}
		if i := strings.IndexAny(line, "→\t"); i > 0 {
			if n, err := strconv.Atoi(strings.TrimSpace(line[:i])); err == nil && n > 0 {
				return n
			}
		}
		if head == "" {
			break
		}
		text = head
	}
	return 0
}

// add adds the size of a call and its result to a file. last is the highest line number. The sizes of all other calls
// are in output.
func (b *bodies) add(file string, size int64, last int) {
	rel := b.below(file)
	if rel == "" {
		b.output += size
		return
	}
	if rel == "." {
		return
	}
	f := b.files[rel]
	if f == nil {
		f = &Body{Path: rel}
		b.files[rel] = f
	}
	f.Bytes += size
	f.Lines = max(f.Lines, last)
}

// below returns a path relative to the root, with slashes; "" for a path outside the root, "." for a file of the
// ledger.
func (b *bodies) below(file string) string {
	if file == "" {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(b.root, file)
	}
	file = filepath.Clean(file)
	for _, dir := range b.apart {
		if rel, err := filepath.Rel(dir, file); dir != "" && err == nil && filepath.IsLocal(rel) {
			return "."
		}
	}
	for _, root := range []string{b.root, b.real} {
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) && rel != "." {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// session returns the files with at least BigBody bytes, largest first, and the size of all other output.
func (b *bodies) session() Session {
	s := Session{Output: b.output}
	for _, f := range b.files {
		if f.Bytes >= BigBody {
			s.Bodies = append(s.Bodies, *f)
		}
	}
	slices.SortFunc(s.Bodies, func(x, y Body) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Path, y.Path))
	})
	return s
}
