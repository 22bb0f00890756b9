package backup

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// document opens a document of the memory, or another file of the project.
func (p project) document(path string) *DocumentFile {
	p.t.Helper()
	f, err := OpenDocument(path)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestPut: a document is put back whole, comes back and goes, where it is what it was; else it stays.
func TestPut(t *testing.T) {
	t.Parallel()
	const file = "session-2026-11-21-1405Z.md"
	for _, dir := range []string{".claude/memory/", ".claude/memory/sessions/", "notes/"} {
		p := newProject(t)
		path := p.path(dir + file)
		p.mkdir(dir)
		f := p.document(path)
		steps := []struct {
			was, text []byte
			want      error
		}{
			{nil, nil, nil},
			{[]byte("x"), []byte("y"), ErrChanged},
			{nil, []byte("first"), nil},
			{nil, []byte("second"), ErrChanged},
			{nil, nil, ErrChanged},
			{[]byte("first"), []byte{}, nil},
			{nil, []byte("third"), ErrChanged},
			{[]byte{}, []byte("third"), nil},
			{[]byte("first"), nil, ErrChanged},
			{[]byte("third"), nil, nil},
		}
		var now []byte
		for i, s := range steps {
			if err := f.Put(t.Context(), s.was, s.text, 0o640); !errors.Is(err, s.want) {
				t.Errorf("%s %d: %v", dir, i, err)
			}
			if s.want == nil {
				now = s.text
			}
			text, mode, err := f.Read()
			if err != nil || string(text) != string(now) || (text == nil) != (now == nil) {
				t.Errorf("%s %d: %q, %v", dir, i, text, err)
			}
			if now != nil && runtime.GOOS != "windows" && mode != 0o640 {
				t.Errorf("%s %d: mode %v", dir, i, mode)
			}
		}
		if entries, err := os.ReadDir(p.path(dir)); err != nil || strings.Contains(dir, "notes") && len(entries) > 0 {
			t.Errorf("%s: %v, %v", dir, entries, err)
		}
	}
}

func TestOpenDocument(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if _, err := OpenDocument(p.path("none/a.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := OpenDocument(p.path("none/.claude/memory/a.md")); !errors.Is(err, ErrNoMemory) {
		t.Error(err)
	}
	p.write("file", "x")
	if _, err := OpenDocument(p.path("file/a.md")); err == nil {
		t.Error("a file is a directory")
	}
	p.write("notes/large.md", strings.Repeat("x", maxContext+1))
	if _, _, err := p.document(p.path("notes/large.md")).Read(); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
	if _, _, err := p.document(p.path("notes")).Read(); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	if runtime.GOOS == "windows" {
		return // links take a privilege
	}
	if err := os.Symlink(p.path("notes"), p.path("link")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDocument(p.path("link/a.md")); !errors.Is(err, errLink) {
		t.Error(err)
	}
}

// TestPutLocked: nothing is written as long as a hook holds the memory, and what it wrote is not lost.
func TestPutLocked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/active-context.md", "second\n")
	m := p.open()
	unlock, err := m.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, done := p.document(p.memory("active-context.md")), make(chan error)
	go func() { done <- f.Put(t.Context(), []byte("second\n"), []byte("first\n"), fileMode) }()
	select {
	case err := <-done:
		t.Errorf("written without the lock, %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	p.write(".claude/memory/active-context.md", "second\n- a line of a hook\n")
	unlock()
	if err := <-done; !errors.Is(err, ErrChanged) || p.read("active-context.md") != "second\n- a line of a hook\n" {
		t.Errorf("%v, %q", err, p.read("active-context.md"))
	}
	p.hasNoTemps()
}

// TestPutBesideHooks: hooks back up and write their lines while a document is put back and forth: no line is lost.
func TestPutBesideHooks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "# Now\n")
	m := p.open()
	const hooks = 20
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range hooks {
			r := Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z").Add(time.Duration(i) * time.Second)}
			saved, err := m.Save(t.Context(), r)
			if err != nil || len(saved.Problems) > 0 {
				t.Errorf("%v, %v", err, saved.Problems)
				return
			}
			if text := p.read("active-context.md"); !strings.Contains(text, saved.Path) {
				t.Errorf("the line of %s is lost: %q", saved.Name, text)
			}
		}
	})
	f := p.document(p.memory("active-context.md"))
	put, changed := 0, 0
	stop := make(chan struct{})
	go func() { wg.Wait(); close(stop) }()
	for more := true; more; {
		select {
		case <-stop:
			more = false
		default:
		}
		was, mode, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		// As a step back does: what was there stays, another line comes or goes.
		text := []byte("# Now\n")
		if !strings.Contains(string(was), "<!-- put -->") {
			text = []byte("# Now\n<!-- put -->\n")
		}
		_, lines, _ := strings.Cut(string(was), "## Session Exit")
		if lines != "" {
			text = append(text, "\n## Session Exit"+lines...)
		}
		switch err := f.Put(t.Context(), was, text, mode); {
		case err == nil:
			put++
		case errors.Is(err, ErrChanged):
			changed++
		default:
			t.Fatal(err)
		}
	}
	t.Logf("%d were put, %d had changed", put, changed)
	p.hasNoTemps()
}
