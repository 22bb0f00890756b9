package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (p place) append(name, line string) error {
	return AppendLine(p.t.Context(), p.dir, p.path(name), []byte(line))
}

func TestAppendLine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("torn.jsonl", "one\ntw")
	p.write("real/empty.jsonl", "")
	p.link("real", "linked")
	for _, line := range []string{`{"a":1}`, `{"ä":2}`} {
		for _, name := range []string{"x/y/new.jsonl", "torn.jsonl", "linked/empty.jsonl"} {
			if err := p.append(name, line); err != nil {
				t.Error(err)
			}
		}
	}
	const lines = "{\"a\":1}\n{\"ä\":2}\n"
	p.has("x/y/new.jsonl", lines)
	p.has("torn.jsonl", "one\ntw\n"+lines)
	p.has("real/empty.jsonl", lines)
	if fi, err := os.Stat(p.path("x/y/new.jsonl")); err != nil || fi.Mode().Perm()&^newFile != 0 {
		t.Errorf("a new file is %v, %v", fi.Mode(), err)
	}
}

func TestAppendLineRefused(t *testing.T) {
	t.Parallel()
	p, out := newPlace(t), newPlace(t)
	out.write("out.jsonl", "out")
	p.write("good.jsonl", "good")
	p.mkdir("dir.jsonl")
	p.link(out.path("out.jsonl"), "link.jsonl")
	p.link(out.dir, "linked")
	p.link("nowhere.jsonl", "dangling.jsonl")
	p.write(".git/config", "[core]\n")
	p.write("sub/.Claude/settings.json", "{}")
	p.link(".git/config", "config.jsonl")
	p.link("good.jsonl", "in.jsonl")
	p.link(".git", "dir")
	p.link("sub/.Claude", "client")
	for _, tt := range []struct {
		name, line string
		want       error // nil: any
	}{
		{"dir.jsonl", "x", nil},
		{"link.jsonl", "x", errLink},
		{"in.jsonl", "x", errLink},
		{"config.jsonl", "x", errLink},
		{"dir/config", "x", ErrReserved},
		{"dir/hooks/post-commit", "x", ErrReserved},
		{"client/new.jsonl", "x", ErrReserved},
		{".git/x.jsonl", "x", ErrReserved},
		{"sub/.claude/x.jsonl", "x", ErrReserved},
		{".CLAUDE", "x", ErrReserved},
		{"linked/out.jsonl", "x", ErrOutside},
		{"linked/new/a.jsonl", "x", ErrOutside},
		{"../up.jsonl", "x", ErrOutside},
		{"dangling.jsonl", "x", errLink},
		{"good.jsonl/a.jsonl", "x", nil},
		{"good.jsonl", "", errLines},
		{"good.jsonl", "a\nb", errLines},
		{"good.jsonl", "a\r", errLines},
		{"good.jsonl", "\xff", errLines},
		{"good.jsonl", "a\x00", errLines},
	} {
		err := p.append(tt.name, tt.line)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), filepath.Base(tt.name)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	p.has(".git/config", "[core]\n")
	p.has("sub/.Claude/settings.json", "{}")
	for _, name := range []string{"nowhere.jsonl", ".git/hooks", ".git/x.jsonl", ".CLAUDE"} {
		if _, err := os.Lstat(p.path(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := AppendLine(ctx, p.dir, "good.jsonl", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.has("good.jsonl", "good")
	out.has("out.jsonl", "out")
	if entries, err := os.ReadDir(out.dir); err != nil || len(entries) != 1 {
		t.Errorf("files outside the root: %v, %v", entries, err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	p, out := newPlace(t), newPlace(t)
	out.write("o", "out")
	p.write("a", "text")
	p.link("a", "in")
	p.link(out.path("o"), "out")
	for name, want := range map[string]error{"a": nil, "in": nil, "out": ErrOutside, "../x": ErrOutside, "none": fs.ErrNotExist} {
		f, err := Open(p.dir, p.path(name))
		if !errors.Is(err, want) || (err == nil) != (f != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if f != nil {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Open(p.dir, "."); err == nil {
		t.Error("Open opened a directory")
	}
}
