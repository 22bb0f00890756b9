package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/out"
)

// initPlace is a home with a project, and a terminal.
type initPlace struct {
	t             *testing.T
	home, project string
	width         int
	path          string
}

func newInitPlace(t *testing.T) *initPlace {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &initPlace{t, home, filepath.Join(home, "code", "tea"), 100, ""}
	if err := os.MkdirAll(filepath.Join(p.project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *initPlace) run(typed string, args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	var out, errs bytes.Buffer
	d := newDeps(Program{
		Env: []string{"HOME=" + p.home, "PATH=" + p.path}, Dir: p.project, Now: now,
		Stdin: strings.NewReader(typed), Stdout: &out, Stderr: &errs,
	})
	d.Out.Terminal, d.Err.Terminal, d.Typing = true, true, true
	d.Out.Width, d.Err.Width = p.width, p.width
	code = execute(p.t.Context(), d.Env, d.Output, args)
	return code, out.String(), errs.String()
}

func TestInitAsks(t *testing.T) {
	t.Parallel()
	p := newInitPlace(t)
	settings := filepath.Join(p.project, ".claude", "settings.json")
	for _, typed := range []string{"", "\n", "n\n", "yess\n", "\x1b\n"} {
		code, printed, errs := p.run(typed, "init")
		if code != out.ExitNo || !strings.HasSuffix(printed, "\nNothing has changed yet.\n") || !strings.HasSuffix(errs, "Do this? [y/N] Nothing was done.\n") {
			t.Errorf("%q: exit code %d, %q %q", typed, code, printed, errs)
		}
		if _, err := os.Stat(settings); err == nil {
			t.Fatalf("%q: it was done", typed)
		}
	}
	const next = "Running claude sessions don't use the hooks: restart them. In a terminal claude asks once whether\n" +
		"you trust the folder. Until you do, claude runs no hooks.\n" +
		"  hint  continuo doctor hooks   shows whether the hooks have run\n"
	code, printed, _ := p.run("Y\n", "init")
	if code != out.ExitDone || !strings.HasSuffix(printed, "\n\nDone. The hooks in ~/code/tea/.claude/settings.json do nothing until continuo is on the PATH.\n"+next) {
		t.Errorf("exit code %d, %q", code, printed)
	}
	for _, want := range []string{
		"Touched    17 files new, 7 directories made, in ~/code/tea\n", ".claude/hooks/on-session-end.sh", "new, 3 lines\n",
		"But        △ continuo is not on the PATH, so the hook scripts do nothing", "Stays      every transcript: not read, not written.\n", "Undo       continuo uninstall",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is missing:\n%s", want, printed)
		}
	}
	if strings.Contains(printed, "+++ ") || strings.Contains(printed, "# Project Memory") {
		t.Errorf("the lines of new files are in it:\n%s", printed)
	}
	if _, out, _ := p.run("", "init"); !strings.HasPrefix(out, "Nothing to write. ") {
		t.Errorf("the second time: %q", out)
	}
	if _, out, _ := p.run("y\n", "init", "--gate"); !strings.Contains(out, "gate there blocks nothing until then.") {
		t.Errorf("with the gate: %q", out)
	}
	if code, printed, _ := p.run("y\n", "uninstall"); code != out.ExitDone || !strings.Contains(printed, "\n-          \"command\"") && !strings.Contains(printed, "removed") {
		t.Errorf("exit code %d, %q", code, printed)
	}
}

// TestInitWidth: only paths may be wider than the terminal.
func TestInitWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 60, 80, 200} {
		p := newInitPlace(t)
		p.width = width
		_, out, _ := p.run("", "init", "--dry-run")
		_, plan, _ := strings.Cut(out, "\nTouched")
		for line := range strings.Lines(plan) {
			if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w > max(width, 0) && !strings.Contains(line, "/") {
				t.Errorf("%d cells in %d: %q", w, width, line)
			}
		}
	}
}

func TestInitHostile(t *testing.T) {
	t.Parallel()
	p := newInitPlace(t)
	p.project = filepath.Join(p.home, "code", "a\x1b[2Jb")
	dir := filepath.Join(p.project, ".claude")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	rules, settings := filepath.Join(dir, "CLAUDE.md"), filepath.Join(dir, "settings.json")
	for path, text := range map[string]string{
		rules:    "# Rules \x1b]0;owned\x07\u202e\n\r\x1b[31mred",
		settings: "{\n  \"\x7f\u009b31m\": \"\u202e\",\n  \"enabledPlugins\": {\"a\": 1}\n}",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "--dry-run"}, {"init"}, {"init", "--dry-run", "--json"}, {"init", "--yes"}, {"uninstall", "--dry-run"}, {"uninstall"}} {
		_, out, errs := p.run("n\n", args...)
		if output := out + errs; strings.ContainsAny(output, "\x1b\x07\r\u202e\u009b\x7f") || output == "" {
			t.Errorf("%q: %q", args, output)
		}
	}
	if err := os.WriteFile(settings, []byte("{\"\x1b[31m\":\x1b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, printed, errs := p.run("", "init"); code != out.ExitFailed || strings.Contains(printed+errs, "\x1b") {
		t.Errorf("exit code %d: %q", code, printed+errs)
	}
}

// TestOwnProgram: the path on the PATH stays the same after an update.
func TestOwnProgram(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, other := t.TempDir(), t.TempDir()
	name := "continuo" + strings.TrimSuffix(filepath.Ext(self), ".test")
	if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(other, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{bin: filepath.Join(bin, name), other: self, t.TempDir(): self} {
		if strings.Contains(self, "go-build") && want == self {
			want = "" // go test removes a binary in a go-build directory
		}
		d := newDeps(Program{Env: []string{"PATH=" + dir}, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
		path, onPath := hooks.OwnProgram(d.Env)
		if _, err := os.Stat(filepath.Join(dir, name)); path != want || onPath != (err == nil) {
			t.Errorf("%s: %q, on the PATH: %v", dir, path, onPath)
		}
	}
}
