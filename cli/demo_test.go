package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// demoDeps replaces the temporary directory of the process. So its tests can't be parallel.
func demoDeps(t *testing.T, browse place.Browser) (d *deps, temp string, stderr *bytes.Buffer) {
	t.Helper()
	temp, stderr = t.TempDir(), &bytes.Buffer{}
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // for Windows
	d = newDeps(Program{
		Env: []string{"HOME=" + t.TempDir(), "CLAUDE_CONFIG_DIR=/real"}, Dir: t.TempDir(), Now: now,
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: stderr,
	})
	d.Browse = browse
	d.Out.Terminal, d.Typing = true, true
	return d, temp, stderr
}

func isEmpty(t *testing.T, dir string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

func TestDemoOpensTheBrowser(t *testing.T) {
	var seen int
	d, temp, stderr := demoDeps(t, nil)
	d.Browse = func(ctx context.Context, world tui.World, opts tui.Options) error {
		root := opts.Home
		if filepath.Dir(root) != place.RealPath(temp) || opts.Project != "" || len(opts.Dirs) != 1 || opts.Dirs[0] != filepath.Join(root, ".claude") || opts.Looked != nil {
			t.Errorf("options %+v, temporary files in %s", opts, temp)
		}
		for batch := range world.Source.Rows(ctx) {
			if batch.Err != nil {
				t.Error(batch.Err)
			}
			for i := range batch.Rows {
				r := &batch.Rows[i]
				seen++
				if !place.Within(r.Path, root) || r.Workdir != "" && !place.Within(r.Workdir, root) {
					t.Errorf("%s in %s is outside of %s", r.Path, r.Workdir, root)
				}
				if got, _ := world.Actions.Resume(ctx, *r, resume.Ask{}); got.Run != nil || got.Leave || got.Said != "" && !strings.HasPrefix(got.Said, "Demo: would ") {
					t.Errorf("resume %s: %+v", r.Path, got)
				}
			}
		}
		return nil
	}
	if code := execute(t.Context(), d.Env, d.Output, []string{"demo"}); code != out.ExitDone || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if seen < 25+6+7 {
		t.Errorf("%d rows", seen)
	}
	if !isEmpty(t, temp) {
		t.Error("the tree is still there")
	}
}

// TestDemoGoes: only --keep keeps the files when the browser ends.
func TestDemoGoes(t *testing.T) {
	broken := errors.New("the terminal broke")
	for _, tt := range []struct {
		name   string
		args   []string
		browse place.Browser
		code   int
		stays  bool
	}{
		{"quit", nil, func(context.Context, tui.World, tui.Options) error { return nil }, out.ExitDone, false},
		{"error", nil, func(context.Context, tui.World, tui.Options) error { return broken }, out.ExitFailed, false},
		{"panic of the browser", nil, func(context.Context, tui.World, tui.Options) error {
			return &tui.PanicError{Value: "a bug"}
		}, out.ExitBug, false},
		{"kept", []string{"--keep"}, func(context.Context, tui.World, tui.Options) error { return nil }, out.ExitDone, true},
		{"kept after an error", []string{"--keep"}, func(context.Context, tui.World, tui.Options) error { return broken }, out.ExitFailed, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, temp, stderr := demoDeps(t, tt.browse)
			if code := execute(t.Context(), d.Env, d.Output, append([]string{"demo"}, tt.args...)); code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, stderr)
			}
			if isEmpty(t, temp) == tt.stays {
				t.Errorf("the tree stays: %v, want %v", !tt.stays, tt.stays)
			}
			if kept := strings.Contains(stderr.String(), "The demo is kept in "); kept != tt.stays {
				t.Errorf("stderr is %q", stderr)
			}
		})
	}
}

func TestDemoGoesWithAPanic(t *testing.T) {
	d, temp, _ := demoDeps(t, func(context.Context, tui.World, tui.Options) error { panic("a bug") })
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		execute(t.Context(), d.Env, d.Output, []string{"demo"})
	}()
	if !isEmpty(t, temp) {
		t.Error("the tree is still there")
	}
}

// TestDemoStops: the demo is cancelled while it writes its files.
func TestDemoStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, temp, stderr := demoDeps(t, nil)
	there := t.TempDir()
	for _, args := range [][]string{{"demo", "--keep"}, {"demo", "--dir", there}, {"demo", "--dir", filepath.Join(there, "new")}} {
		if code := execute(ctx, d.Env, d.Output, args); code != out.ExitFailed {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
	if !isEmpty(t, temp) || !isEmpty(t, there) {
		t.Error("something is left")
	}
	if strings.Contains(stderr.String(), "kept") {
		t.Errorf("stderr is %q", stderr)
	}
}

// TestLooked checks the remarks about the searched directories.
func TestLooked(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file, bare, empty, agents, full := filepath.Join(root, "file"), filepath.Join(root, "bare"), filepath.Join(root, "empty"), filepath.Join(root, "agents"), filepath.Join(root, "full")
	for _, dir := range []string{file, bare, filepath.Join(empty, "projects", "x"), filepath.Join(agents, "projects", "x"), filepath.Join(full, "projects", "x"), filepath.Join(root, "kept", ".claude", "memory", "raw")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	kept := filepath.Join(root, "kept", ".claude", "memory")
	for _, path := range []string{
		filepath.Join(kept, "raw", "20261120_110000Z_exit.jsonl"), filepath.Join(kept, "session-2026-11-20-1100.md"), filepath.Join(kept, "active-context.md"),
		filepath.Join(file, "projects"), filepath.Join(agents, "projects", "x", "agent-1.jsonl"), filepath.Join(full, "projects", "x", "y.jsonl"),
	} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	place := func(dir, note string, missing bool) tui.Place {
		return tui.Place{Path: filepath.Join(dir, "projects"), Note: note, Missing: missing}
	}
	unset := tui.Place{Path: "CLAUDE_CONFIG_DIR", Note: "is not set"}
	memory := tui.Place{Path: filepath.Join(root, "code", ".claude", "memory"), Note: "no backups, no documents"}
	tests := []struct {
		name string
		dirs []string
		cwd  string
		env  string
		flag []string
		want []tui.Place
	}{
		{"nothing there", []string{bare}, filepath.Join(root, "code"), "", nil, []tui.Place{place(bare, "does not exist", true), unset, memory}},
		{"documents and a backup", []string{bare}, filepath.Join(root, "kept"), "", nil, []tui.Place{place(bare, "does not exist", true), unset, {
			Path: filepath.Join(root, "kept", ".claude", "memory"), Note: "1 backup, 2 documents",
		}}},
		{"the session is empty", []string{empty}, "", "", nil, []tui.Place{place(empty, "has no sessions", false), unset}},
		{"only sub-agents", []string{agents}, "", "", nil, []tui.Place{place(agents, "has no sessions", false), unset}},
		{"no directory", []string{file}, "", "", nil, []tui.Place{place(file, "cannot be read: not a directory", true), unset}},
		{"the variable", []string{bare}, "", bare, nil, []tui.Place{place(bare, "does not exist", true), {Path: "CLAUDE_CONFIG_DIR", Note: "is ~/bare"}}},
		{"the flag", []string{bare, empty}, "", empty, []string{bare, empty}, []tui.Place{
			place(bare, "does not exist", true), place(empty, "has no sessions", false),
			{Path: "CLAUDE_CONFIG_DIR", Note: "is ignored with --claude-dir"},
		}},
		{"a transcript", []string{bare, full}, "", "", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDeps(Program{Env: []string{"HOME=" + root, "CLAUDE_CONFIG_DIR=" + tt.env}, Now: now, Dir: root})
			d.ClaudeDirs = tt.flag
			got := find.LookedPlaces(t.Context(), d.Env, catalog.Options{Dirs: tt.dirs, Cwd: tt.cwd})
			if len(got) != len(tt.want) {
				t.Fatalf("got %+v, want %+v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("got %+v, want %+v", got[i], tt.want[i])
				}
			}
		})
	}
}

// TestASCIIGlyphs: without CONTINUO_GLYPHS, the locale decides.
func TestASCIIGlyphs(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]bool{
		"":                                     false,
		"LANG=C":                               true,
		"LANG=POSIX":                           true,
		"LANG=C.UTF-8":                         false,
		"LANG=en_US.utf8":                      false,
		"LANG=de_DE.UTF-8@euro":                false,
		"LANG=de_DE@euro":                      false,
		"LANG=en_US":                           false,
		"LC_CTYPE=UTF-8":                       false,
		"LANG=en_US.ISO-8859-1":                true,
		"LANG=ja_JP.eucJP":                     true,
		"LC_ALL=C LANG=en_US.UTF-8":            true,
		"LC_CTYPE=en_US.UTF-8 LANG=C":          false,
		"LC_ALL=C CONTINUO_GLYPHS=unicode":     false,
		"LANG=C.UTF-8 CONTINUO_GLYPHS=ascii":   true,
		"LC_ALL= LC_CTYPE= LANG=en_US.latin-1": true,
	} {
		d := newDeps(Program{Env: strings.Fields(env), Now: now})
		if got := out.ASCIIGlyphs(d.Host.Getenv); got != want {
			t.Errorf("%s: %v, want %v", env, got, want)
		}
	}
}

func TestASCIIFlag(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse()}
	_, glyphs, _ := testRun{src: src, terminal: true, width: 100, args: []string{"list", "--all"}}.do(t)
	_, ascii, _ := testRun{src: src, terminal: true, width: 100, args: []string{"list", "--all", "--ascii"}}.do(t)
	if !strings.Contains(glyphs, "●") || strings.ContainsFunc(ascii, func(r rune) bool { return r > 127 }) || len([]rune(glyphs)) != len(ascii) {
		t.Errorf("with glyphs\n%s\nwithout\n%s", glyphs, ascii)
	}
	if _, again, _ := (testRun{src: src, terminal: true, width: 100, args: []string{"list", "--all", "--ascii", "--ascii=false"}}).do(t); again != glyphs {
		t.Errorf("--ascii=false\n%s", again)
	}
	odd := fakeSource{rows: []sessions.Row{row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "● … and more")}}
	for _, args := range []string{"list --all --json", "path 3f9", "list --all"} {
		terminal := !strings.HasSuffix(args, "--all")
		_, with, _ := testRun{src: odd, terminal: terminal, args: strings.Fields(args + " --ascii")}.do(t)
		_, without, _ := testRun{src: odd, terminal: terminal, args: strings.Fields(args)}.do(t)
		if with == "" || with != without {
			t.Errorf("%s: %q with --ascii, %q without", args, with, without)
		}
	}
	if code, _, stderr := (testRun{args: []string{"list", "--ascii=perhaps"}}).do(t); code != out.ExitFailed || !strings.Contains(stderr, "--ascii takes true or false, not perhaps.") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func insideDemo(d *deps, root string) *deps { return &deps{browse.Inside(d.Env, root), d.Output} }
