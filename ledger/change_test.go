package ledger_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/act"
)

type project struct {
	t     *testing.T
	dir   string
	store *act.Store
}

func newProject(t *testing.T) project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return project{t, dir, &act.Store{Journal: filepath.Join(t.TempDir(), "journal"), Now: time.Now}}
}

func (p project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p project) mkdir(name string) {
	p.t.Helper()
	if err := os.MkdirAll(p.path(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(name))
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) link(target, name string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(name))
	if err := os.Symlink(target, p.path(name)); err != nil {
		p.t.Skipf("no links here: %v", err)
	}
}

func (p project) has(name, text string) {
	p.t.Helper()
	if got, err := os.ReadFile(p.path(name)); err != nil || string(got) != text {
		p.t.Errorf("%s has %.60q, %v", name, got, err)
	}
	if left := p.temps(filepath.Dir(name)); len(left) > 0 {
		p.t.Errorf("files left: %q", left)
	}
}

func (p project) temps(dir string) []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".continuo-") {
			names = append(names, e.Name())
		}
	}
	return names
}

// do plans one op and carries it out. Its text is nil if the file doesn't exist.
func (p project) do(ctx context.Context, name string, op func(was []byte) (change.Op, error)) error {
	plan := func(ctx context.Context) (change.Change, error) {
		c := change.Change{Kind: "note", What: "Noted it", Where: []string{p.dir}}
		was, _, err := ledger.ReadText(ctx, p.dir, p.path(name), ledger.MaxNotes)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		o, err := op(was)
		o.Loose = true
		c.Ops = []change.Op{o}
		return c, err
	}
	shown, err := plan(ctx)
	if err == nil {
		_, err = p.store.Do(ctx, &shown, plan)
	}
	return err
}

func (p project) carry(o change.Op) error {
	c := change.Change{Kind: "note", What: "Noted it", Where: []string{p.dir}, Ops: []change.Op{o}}
	_, err := p.store.Do(p.t.Context(), &c, func(context.Context) (change.Change, error) { return c, nil })
	return err
}

func (p project) replace(name, text string) error {
	return p.do(p.t.Context(), name, func(was []byte) (change.Op, error) {
		return ledger.ReplaceOp(p.dir, p.path(name), was, []byte(text))
	})
}

func (p project) add(name, text string) error {
	return p.do(p.t.Context(), name, func(was []byte) (change.Op, error) {
		return ledger.InsertOp(p.dir, p.path(name), was, len(was), []byte(text))
	})
}

func TestOps(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, step := range []struct {
		write      func(name, text string) error
		text, want string
	}{
		{p.add, "one\n", "one\n"},
		{p.add, "two\r\n", "one\ntwo\r\n"},
		{p.add, "three", "one\ntwo\r\nthree"},
		{p.replace, "größe\r\n", "größe\r\n"},
		{p.replace, "", ""},
		{p.add, "x", "x"},
	} {
		if err := step.write("docs/loa/NOTES.md", step.text); err != nil {
			t.Fatal(err)
		}
		p.has("docs/loa/NOTES.md", step.want)
	}
	if err := p.replace("other/NOTES.md", "made"); err != nil {
		t.Fatal(err)
	}
	p.has("other/NOTES.md", "made")
}

func TestOpsRefused(t *testing.T) {
	t.Parallel()
	p, out := newProject(t), newProject(t)
	out.write("out.md", "out")
	p.write("good.md", "good")
	p.write("binary.md", "a\x00b")
	p.write("latin.md", "gr\xfc\xdfe")
	p.mkdir("dir.md")
	p.link(out.path("out.md"), "link.md")
	p.link(out.dir, "linked")
	p.link("nowhere.md", "dangling.md")
	p.link("loop.md", "loop.md")
	p.write(".claude/CLAUDE.md", "kept")
	p.link(".claude/CLAUDE.md", "client.md")
	p.write(".git/info/exclude", "kept")
	p.link("../.git/info", "docs/info")
	long := strings.Repeat("a", ledger.MaxNotes+1)
	for _, tt := range []struct {
		name, text string
		want       error // nil: any
	}{
		{"binary.md", "x", ledger.ErrNotText},
		{"latin.md", "x", ledger.ErrNotText},
		{"dir.md", "x", nil},
		{"link.md", "x", ledger.ErrOutside},
		{"linked/out.md", "x", ledger.ErrOutside},
		{"linked/new/a.md", "x", ledger.ErrOutside},
		{"../up.md", "x", ledger.ErrOutside},
		{"client.md", "x", ledger.ErrReserved},
		{".claude/new.md", "x", ledger.ErrReserved},
		{"docs/info/exclude", "x", ledger.ErrReserved},
		{"dangling.md", "x", fs.ErrNotExist},
		{"loop.md", "x", nil},
		{"good.md/a.md", "x", nil},
		{"good.md", long, ledger.ErrTooLong},
		{"good.md", "\xff", ledger.ErrNotText},
	} {
		for _, write := range []func(name, text string) error{p.add, p.replace} {
			err := write(tt.name, tt.text)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), filepath.Base(tt.name)) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
	if _, err := ledger.ReplaceOp(p.path("no root"), p.path("no root/a.md"), nil, []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if o, err := ledger.ReplaceOp(p.dir, p.path("good.md/a.md"), nil, []byte("x")); err != nil || ledger.CheckOp(&o) == nil {
		t.Errorf("no error for a file in place of a folder: %v", err)
	}
	p.has("good.md", "good")
	p.has(".claude/CLAUDE.md", "kept")
	p.has(".git/info/exclude", "kept")
	out.has("out.md", "out")
	if _, err := os.Lstat(p.path("nowhere.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(out.dir); err != nil || len(entries) != 1 {
		t.Errorf("files outside the project: %v, %v", entries, err)
	}
}

func TestOpsLink(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("real/N.md", "old")
	p.link("../real/N.md", "docs/NOTES.md")
	p.link(p.path("real"), "abs")
	for _, name := range []string{"docs/NOTES.md", "abs/N.md"} {
		if err := p.add(name, name); err != nil {
			t.Error(err)
		}
	}
	p.has("real/N.md", "olddocs/NOTES.mdabs/N.md")
	if err := p.replace("docs/NOTES.md", "whole"); err != nil {
		t.Error(err)
	}
	p.has("real/N.md", "whole")
	if fi, err := os.Lstat(p.path("docs/NOTES.md")); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", fi.Mode(), err)
	}
	if err := p.replace("abs/new.md", "new"); err != nil {
		t.Error(err)
	}
	p.has("real/new.md", "new")
}

// TestOpsMeanwhile: another program changes the file between the plan and the write.
func TestOpsMeanwhile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	times, theirs := 0, func() {}
	p.store.Step = func(step, name string) error { // called between reading the file and the last check
		if step == "sync" && strings.Contains(name, ".continuo-") && times > 0 {
			times--
			theirs()
		}
		return nil
	}
	plus := func() {
		text, _ := os.ReadFile(p.path("a.md"))
		p.write("a.md", string(text)+"+")
	}
	p.write("a.md", "0")
	times, theirs = 2, plus
	if err := p.add("a.md", "mine"); err != nil {
		t.Error(err)
	}
	p.has("a.md", "0++mine")

	times = 100
	if err := p.add("a.md", "mine"); !errors.Is(err, change.ErrChanged) {
		t.Error(err)
	}
	p.has("a.md", "0++mine+++")

	times, theirs = 1, func() { p.write("new.md", "theirs") }
	if err := p.add("new.md", "mine"); err != nil {
		t.Error(err)
	}
	p.has("new.md", "theirsmine")

	times, theirs = 1, func() { _ = os.Remove(p.path("new.md")) }
	if err := p.add("new.md", "mine"); err != nil {
		t.Error(err)
	}
	p.has("new.md", "mine")
}

func TestOpsTogether(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if err := p.add("a/b.md", "x"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	p.has("a/b.md", strings.Repeat("x", 40))
}

func TestOpsCancelled(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("a.md", "old")
	ctx, cancel := context.WithCancel(t.Context())
	err := p.do(ctx, "a.md", func(was []byte) (change.Op, error) {
		cancel()
		return ledger.ReplaceOp(p.dir, p.path("a.md"), was, []byte("new"))
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.has("a.md", "old")
}

// TestOpsSweep: the next run deletes the temporary files of a killed run.
func TestOpsSweep(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const dead, hidden = ".continuo-0123456789abcdef.tmp", ".continuo-0123456789abcdee.tmp"
	for _, name := range []string{dead, hidden + "/.gitignore", hidden + "/draft", ".continuo-mine.tmp", "a.tmp"} {
		p.write(name, "*\n")
	}
	r, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	alive, err := r.CreateHidden(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Drop()
	if err := p.replace("a.md", "x"); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Dir(alive.Name()), ".continuo-mine.tmp"}
	slices.Sort(want)
	if left := p.temps("."); !slices.Equal(left, want) && runtime.GOOS != "windows" { // Windows checks the age
		t.Errorf("left %q, not %q", left, want)
	}
}
