package cli

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// gateReads is how long the session of a gate may take to be read: one of 80 MB takes 1 s.
const gateReads = 10 * time.Second

// gateSession finds the session whose context is to be wiped, and what is in that.
func gateSession(ctx context.Context, env *Env, p *ledger.Project, ask *gateAsk) (gate.Session, error) {
	row, err := sessionOf(ctx, env, p.Root, ask.session)
	if row == nil || err != nil {
		return gate.Session{}, err
	}
	type answer struct {
		s   gate.Session
		err error
	}
	a, ok := sessions.InTime(ctx, gateReads, func(ctx context.Context) answer {
		s, err := bodiesOf(ctx, row.Path, p)
		return answer{s, err}
	})
	switch {
	case ctx.Err() != nil:
		return gate.Session{}, ctx.Err()
	case !ok:
		a.s.Trouble = "The session " + shortID(row.ID) + " was not read in time."
	case a.err != nil:
		a.s.Trouble = "The session " + env.tilde(row.Path) + " cannot be read: " + reason(a.err) + "."
	}
	a.s.ID = row.ID
	return a.s, nil
}

// bodiesOf is what tools gave to a session since its context began: at its start, or behind its last compaction.
func bodiesOf(ctx context.Context, path string, p *ledger.Project) (gate.Session, error) {
	t, err := transcript.Open(ctx, path)
	if err != nil {
		return gate.Session{}, err
	}
	defer func() { _ = t.Close() }() // it was only read
	o := t.Outline()
	main := o.Threads[0].Messages
	for i := len(main) - 1; i >= 0; i-- {
		if o.Messages[main[i]].Kind == transcript.Boundary {
			main = main[i+1:]
			break
		}
	}
	b := bodies{root: p.Root, real: realPath(p.Root), apart: []string{p.Notes, p.Beads, p.Trajectory, p.Grimoire}, files: map[string]*gate.Body{}}
	for n, i := range main {
		if n%64 == 0 && ctx.Err() != nil {
			return gate.Session{}, ctx.Err()
		}
		if o.Messages[i].Kind == transcript.Answer {
			m := t.Message(i)
			b.message(&m)
		}
	}
	return b.session(), ctx.Err()
}

// bodies sums up what tools gave to a context, file by file.
type bodies struct {
	root, real string
	apart      []string // of the ledger: they outlive the context by themselves
	files      map[string]*gate.Body
	output     int64
}

// message takes the calls of an answer and what came back.
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

// lastRead is the number of the last line in what Read gives: each begins with its number, and notes of the client may stand
// below. 0: there is none.
func lastRead(text string) int {
	const below = 64 // lines of a note
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

// add sums up a body.
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
		f = &gate.Body{Path: rel}
		b.files[rel] = f
	}
	f.Bytes += size
	f.Lines = max(f.Lines, last)
}

// below is a path below the root, with slashes; "" it is not below, "." it is of the ledger.
func (b *bodies) below(file string) string {
	if file == "" {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(b.root, file)
	}
	file = filepath.Clean(file)
	for _, dir := range b.apart {
		if within(file, dir) {
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

// session is the sum: the large files, the largest first.
func (b *bodies) session() gate.Session {
	s := gate.Session{Output: b.output}
	for _, f := range b.files {
		if f.Bytes >= gate.BigBody {
			s.Bodies = append(s.Bodies, *f)
		}
	}
	slices.SortFunc(s.Bodies, func(x, y gate.Body) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Path, y.Path))
	})
	return s
}
