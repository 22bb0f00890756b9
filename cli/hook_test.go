package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// hookPlace is a home, a project with .claude/memory, and a transcript.
type hookPlace struct {
	t                        *testing.T
	root, home, code, script string
}

func newHookPlace(t *testing.T) *hookPlace {
	t.Helper()
	root := t.TempDir()
	p := &hookPlace{t: t, root: root, home: filepath.Join(root, "home"), code: filepath.Join(root, "code"), script: filepath.Join(root, "s-1.jsonl")}
	for _, dir := range []string{p.home, filepath.Join(p.code, ".claude", "memory")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(p.script, []byte(`{"sessionId":"s-1"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *hookPlace) payload() string {
	return `{"session_id":"s-1","transcript_path":"` + filepath.ToSlash(p.script) + `","reason":"clear","trigger":"auto"}`
}

func (p *hookPlace) program(stdin string, args ...string) (run Program, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return Program{
		Args: args, Env: []string{"HOME=" + p.home}, Dir: p.code, Now: now,
		Stdin: strings.NewReader(stdin), Stdout: out, Stderr: errs,
	}, out, errs
}

func (p *hookPlace) files(dir string) []string {
	p.t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return names
}

func TestHookNeverFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		adapt func(*Program)
	}{
		{name: "no event"},
		{name: "an unknown event", args: []string{"stop"}},
		{name: "the client's name of an event", args: []string{"SessionEnd"}},
		{name: "a flag", args: []string{"--json"}},
		{name: "empty", args: []string{""}},
		{name: "binary", args: []string{"\x00\xff"}},
		{name: "behind --", args: []string{"--", "stop"}},
		{name: "an empty payload", args: []string{"session-end"}},
		{name: "a payload that is none", args: []string{"pre-compact"}, stdin: "x"},
		{name: "a gate without a ledger", args: []string{"gate"}, stdin: `{"hook_event_name":"PreCompact","trigger":"manual"}`},
		{name: "a gate that is asked nothing", args: []string{"gate"}, stdin: "x"},
		{name: "a gate with a clock that is broken", args: []string{"gate"}, adapt: func(p *Program) { p.Now = func() time.Time { panic("bug") } }},
		{name: "no stdin", args: []string{"session-end"}, adapt: func(p *Program) { p.Stdin = nil }},
		{name: "a clock that is broken", args: []string{"session-end"}, adapt: func(p *Program) { p.Now = func() time.Time { panic("bug") } }},
		{name: "no environment and no directory", args: []string{"session-start"}, adapt: func(p *Program) { p.Env = nil; p.Dir = "." }},
		{name: "nobody reads", args: []string{"discard-backup"}, adapt: func(p *Program) { p.Stdout = brokenWriter{syscall.EPIPE} }},
		{name: "interrupted before", args: []string{"session-end"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, printed, errs := newHookPlace(t).program(tt.stdin, append([]string{"hook"}, tt.args...)...)
			if tt.adapt != nil {
				tt.adapt(&p)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if strings.HasPrefix(tt.name, "interrupted") {
				cancel()
			}
			if code := Run(ctx, p); code != out.ExitDone || printed.Len()+errs.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, printed, errs)
			}
		})
	}
}

func TestHookClean(t *testing.T) {
	t.Parallel()
	h := newHookPlace(t)
	memory := filepath.Join(h.code, ".claude", "memory")
	raw := filepath.Join(memory, "raw", "20261121_110213Z_\u200b\x1b[201~\n.jsonl")
	staged := backup.Staged{At: now(), Text: "a\x1b[201~b\x1b]52;c;eA==\a\u202ec\u200bd\u009b2J\r\n"}
	if err := errors.Join(os.MkdirAll(filepath.Dir(raw), 0o700), os.WriteFile(raw, []byte("{}\n"), 0o600),
		os.WriteFile(filepath.Join(memory, ".pending-backup"), []byte(raw+"\n"), 0o600),
		os.WriteFile(backup.StagedPath(h.code), staged.Encode(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for event, want := range map[string]string{"session-start": "\nabcd\n", "discard-backup": ""} {
		p, printed, errs := h.program("", "hook", event)
		if code := Run(t.Context(), p); code != out.ExitDone || errs.Len() > 0 || !strings.Contains(printed.String(), want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", event, code, printed, errs)
		}
		checkNoEscape(t, event, printed.String())
	}
	var printed bytes.Buffer
	if hooks.Print(&out.Stream{W: &printed}, staged.Text); printed.String() != "abcd\n" {
		t.Errorf("printHook wrote %q", printed.String())
	}
}

// TestHookTypes: a hook on a terminal prints help.
func TestHookTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"hook", out.ExitDone, "continuo hook EVENT"},
		{"hook session-end", out.ExitDone, "continuo hook EVENT"},
		{"hook pre-compact", out.ExitDone, "continuo hook EVENT"},
		{"hook gate", out.ExitDone, "continuo hook EVENT"},
		{"hook session-start", out.ExitDone, ""},
		{"hook discard-backup", out.ExitDone, "No pending backup to discard.\n"},
		{"hook --help", out.ExitDone, "continuo hook EVENT"},
		{"hook session-end -h", out.ExitDone, "continuo hook EVENT"},
		{"hook sesion-end", out.ExitFailed, "There is no hook sesion-end."},
		{"hook --no", out.ExitFailed, "There is no flag --no here."},
	} {
		p, out, errs := newHookPlace(t).program("", strings.Fields(tt.args)...)
		d := newDeps(p)
		d.Typing = true
		code, done := hooks.Run(t.Context(), d.Env, d.Output, p.Args)
		if !done {
			code = execute(t.Context(), d.Env, d.Output, p.Args)
		}
		if output := out.String() + errs.String(); code != tt.code || !strings.Contains(output, tt.want) || tt.want == "" && output != "" {
			t.Errorf("%s: exit code %d, printed %q", tt.args, code, output)
		}
	}
}

// TestHookGateAlone: only the gate hook may fail, because that blocks a compaction.
func TestHookGateAlone(t *testing.T) {
	t.Parallel()
	h := newHookPlace(t)
	notes := filepath.Join(h.code, "grimoires", "loa", "NOTES.md")
	if err := errors.Join(os.MkdirAll(filepath.Dir(notes), 0o700), os.WriteFile(notes, []byte("# Notes\n"), 0o600),
		os.WriteFile(filepath.Join(h.code, ".loa.config.yaml"), []byte("grounding: {enforcement: strict, zero_claim_passes: false}\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	const asked = `{"session_id":"s-1","hook_event_name":"PreCompact","trigger":"manual"}`
	for _, name := range append(hook.Events(), hooks.HookDiscard, hook.EventGate) {
		want := out.ExitDone
		if name == hook.EventGate {
			want = out.ExitFailed
		}
		p, printed, errs := h.program(asked, "hook", name)
		if code := Run(t.Context(), p); code != want || (errs.Len() > 0) != (want != out.ExitDone) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", name, code, printed, errs)
		}
	}
	if held := h.files(filepath.Join(h.home, ".local", "state", "continuo")); !slices.Equal(held, []string{"hooks.jsonl"}) {
		t.Errorf("written: %q", held)
	}
}

// TestHookPlaces: outside .claude/memory, a hook writes only hooks.jsonl.
func TestHookPlaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  string
		want []string // without .claude/memory
	}{
		{"HOME=$R/home", []string{"home/.local/state/continuo/hooks.jsonl"}},
		{"HOME=$R/home XDG_STATE_HOME=$R/state", []string{"state/continuo/hooks.jsonl"}},
		{"HOME=$R/home XDG_STATE_HOME=state", []string{"home/.local/state/continuo/hooks.jsonl"}},
		{"", nil},
	} {
		t.Run(tt.env, func(t *testing.T) {
			t.Parallel()
			h := newHookPlace(t)
			for _, event := range []string{"session-start", "pre-compact", "session-end", "session-start"} {
				p, printed, errs := h.program(h.payload(), "hook", event)
				p.Env = strings.Fields(strings.ReplaceAll(tt.env, "$R", h.root))
				if code := Run(t.Context(), p); code != out.ExitDone || errs.Len() > 0 || printed.Len() > 0 && event != "session-start" {
					t.Errorf("%s: exit code %d, stdout %q, stderr %q", event, code, printed, errs)
				}
			}
			if err := os.Remove(h.script); err != nil {
				t.Fatal(err)
			}
			memory := h.files(filepath.Join(h.code, ".claude", "memory"))
			if !slices.Contains(memory, "raw/20261121_155200Z_clear.jsonl") || !slices.Contains(memory, "raw/20261121_155200Z_compact.jsonl") {
				t.Errorf("the memory holds %q", memory)
			}
			if err := os.RemoveAll(filepath.Join(h.code, ".claude", "memory")); err != nil {
				t.Fatal(err)
			}
			if got := h.files(h.root); !slices.Equal(got, tt.want) {
				t.Errorf("written: %q, want %q", got, tt.want)
			}
		})
	}
}

// TestHookHeadless: hooks.headless decides whether a backup of claude -p is pending.
func TestHookHeadless(t *testing.T) {
	t.Parallel()
	for config, pending := range map[string]bool{"": false, "hooks.headless = 'pending'\n": true, "hooks.headless = 'copy'\n": false, "theme = 1\nhooks.headless = 'pending'\n": false} {
		p := newHookPlace(t)
		putFile(t, filepath.Join(p.home, ".config", "continuo", "config.toml"), config)
		run, printed, errs := p.program(p.payload(), "hook", "session-end")
		run.Env = append(run.Env, "CLAUDE_CODE_ENTRYPOINT=sdk-cli")
		if code := Run(t.Context(), run); code != out.ExitDone || printed.Len()+errs.Len() > 0 {
			t.Errorf("%q: %d, %s%s", config, code, printed, errs)
		}
		files := strings.Join(p.files(filepath.Join(p.code, ".claude", "memory")), " ")
		if !strings.Contains(files, "_clear.jsonl") || strings.Contains(files, ".pending-backup") != pending {
			t.Errorf("%q: %s", config, files)
		}
	}
}
