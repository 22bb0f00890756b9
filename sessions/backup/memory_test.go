package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

func TestOpenMemory(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	if m.Project() != p.dir || m.path != p.path(".claude/memory") {
		t.Errorf("%s, %s", m.Project(), m.path)
	}
	p.write("other/.claude/memory", "a file")
	for dir, want := range map[string]error{
		p.path("none"):      ErrNoMemory,
		p.path("raw/../.."): ErrNoMemory,
		p.path("other"):     errNotDirectory,
		"relative":          nil,
		"":                  nil,
	} {
		if m, err := OpenMemory(dir); m != nil || err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", dir, err, want)
		}
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	unlock, err := p.open().lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := p.open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := other.lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	unlock()
	// A caller that gave up doesn't get the lock later.
	unlock, err = other.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestLockGoesOn: other processes take the lock in turn.
func TestLockGoesOn(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	unlock, err := m.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for i := range int64(10) { // a slow disk may delay this
			time.Sleep(disk.LockLimit / 8)
			_ = m.root.SetTime(lockName, time.Unix(1+i, 0))
		}
		unlock()
	}()
	next, err := p.open().lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next()
}

func TestLockOfARemovedFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	first, err := m.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() { // waits for the lock of the removed file
		second, err := m.lock(t.Context())
		if err == nil {
			_, err = m.root.Lstat(lockName)
			second()
		}
		got <- err
	}()
	if err := m.root.Remove(lockName); err != nil && !errors.Is(err, fs.ErrPermission) { // an open file on Windows
		t.Fatal(err)
	}
	first()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestPublish(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	for label, give := range map[string]func(temp *disk.Temp, name string) error{"publish": m.publish, "link": m.link} {
		temp, err := m.draft("raw/x", []byte("new"), fileMode)
		if err != nil {
			t.Fatal(err)
		}
		p.write(".claude/memory/raw/taken", "old")
		if err := give(temp, "raw/taken"); !errors.Is(err, fs.ErrExist) || p.read("raw/taken") != "old" || p.read(temp.Name()) != "new" {
			t.Errorf("%s: taken: %v, %q", label, err, p.read("raw/taken"))
		}
		if err := give(temp, "raw/"+label); err != nil || p.read("raw/"+label) != "new" {
			t.Errorf("%s: %v", label, err)
		}
	}
	if got := p.names("raw"); !slices.Equal(got, []string{"link", "publish", "taken"}) {
		t.Errorf("raw %q", got)
	}
}

func TestMemoryIsARoot(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("precious", "old")
	m := p.open()
	out := filepath.Join("..", "..", "precious")
	temp, err := m.draft("x", nil, fileMode)
	if err != nil {
		t.Fatal(err)
	}
	before := slices.DeleteFunc(p.names(""), disk.IsTemp)
	for label, do := range map[string]func() error{
		"replace": func() error { return m.replace(out, nil, fileMode) },
		"line":    func() error { return m.appendLine(out, "x") },
		"publish": func() error { return m.publish(temp, out) },
		"link":    func() error { return m.link(temp, out) },
		"rename":  func() error { return temp.Replace(out) },
		"mkdir":   func() error { return m.mkdir(filepath.Join("..", "x")) },
		"read":    func() error { _, _, err := m.read(out, 100); return err },
	} {
		if err := do(); err == nil {
			t.Errorf("%s leads out", label)
		}
	}
	temp.Drop()
	text, err := os.ReadFile(p.path("precious"))
	if err != nil || string(text) != "old" || !slices.Equal(p.names(""), before) {
		t.Errorf("%q, %v; memory %q", text, err, p.names(""))
	}
}
