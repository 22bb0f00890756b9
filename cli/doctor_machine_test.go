//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
)

func TestDoctorClaude(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		script string // the claude program; "" means not installed
		config string
		put    string // path of another executable; "" for none
		want   doctor.Check
	}{
		{name: "there", script: "echo '2.1.329 (Claude Code)'", want: doctor.Check{State: doctor.VerdictOK, Text: "2.1.329, from ~/bin/claude"}},
		{
			name: "it gets an argument, and the environment of the run",
			// This version has an escape sequence.
			script: `[ "$*" = --version ] && [ "$TERM" = xterm-256color ] && [ -z "$GOROOT$GOPATH$GOCACHE" ] && printf '3.0.0-rc.1\033[31m'`,
			want:   doctor.Check{State: doctor.VerdictOK, Text: "3.0.0-rc.1, from ~/bin/claude"},
		},
		{name: "missing", want: doctor.Check{State: doctor.VerdictFinding, Text: "claude is not on the PATH", Fix: "npm install -g @anthropic-ai/claude-code"}},
		{
			name: "not on the PATH", put: ".local/bin/claude",
			want: doctor.Check{State: doctor.VerdictFinding, Text: "claude is not on the PATH", Fix: `export PATH=~/.local/bin:"$PATH"`},
		},
		{
			name: "another name", config: "[claude]\ncommand = 'clyde'", want: doctor.Check{
				State: doctor.VerdictFinding, Text: "clyde is not on the PATH", Note: "line 2 of the config file", See: []string{"continuo config"},
			},
		},
		{
			name: "a path", config: "claude.command = '~/my claude'", put: "my claude",
			want: doctor.Check{State: doctor.VerdictOK, Text: "1.0.0, from ~/my claude", Note: "line 1 of the config file"},
		},
		{
			name: "no such path", config: "claude.command = '~/my claude'", want: doctor.Check{
				State: doctor.VerdictFinding, Text: "~/my claude cannot be started: file not found", Note: "line 1 of the config file", See: []string{"ls -l ~/'my claude'"},
			},
		},
		{
			name: "it fails", script: "exit 3",
			want: doctor.Check{State: doctor.VerdictFinding, Text: "does not print its version: exit code 3, from ~/bin/claude", See: []string{"~/bin/claude --version"}},
		},
		{
			name: "it says something else", script: "echo hello",
			want: doctor.Check{State: doctor.VerdictWarning, Text: "prints something other than a version, from ~/bin/claude", See: []string{"~/bin/claude --version"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t)
			p.config = tt.config
			if delete(p.programs, "claude"); tt.script != "" {
				p.programs["claude"] = tt.script
			}
			if tt.put != "" {
				path := filepath.Join(p.home, tt.put)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("#!/bin/sh\necho 1.0.0\n"), 0o700)); err != nil {
					t.Fatal(err)
				}
			}
			checkIs(t, p.check(t, "claude"), tt.want)
		})
	}
}

// checkIs compares all fields except Section and Name.
func checkIs(t *testing.T, got, want doctor.Check) {
	t.Helper()
	want.Section, want.Name, want.See = got.Section, got.Name, out.OrEmpty(want.See)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestDoctorWaits: a program hangs, or leaves a child process behind.
func TestDoctorWaits(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.programs = map[string]string{"claude": "exec sleep 60", "tmux": "exec sleep 60", "child": "sleep 5 & echo 2.0.0"}
	p.env = []string{"PATH=" + filepath.Join(p.home, "bin") + ":/usr/bin:/bin", "TMUX=/tmp/x,1,0"}
	var out bytes.Buffer
	d := p.deps(t, &out, &out)
	conf, err := place.LoadConfig(d.Env)
	if err != nil {
		t.Fatal(err)
	}
	x := &doctor.Exam{Env: d.Env, O: d.Output, Limit: 200 * time.Millisecond, Conf: conf}
	checkIs(t, orEmptySee(x.Claude(t.Context())), doctor.Check{
		State: doctor.VerdictWarning, Text: "does not print its version within 0.2 s, from ~/bin/claude", See: []string{"~/bin/claude --version"},
	})
	checkIs(t, orEmptySee(x.Tmux(t.Context())[0]), doctor.Check{
		State: doctor.VerdictWarning, Text: "tmux does not answer: no answer in time", See: []string{"tmux ls"},
	})
	x.Conf.ClaudeCommand, x.Limit = "child", doctor.TimeLimit
	checkIs(t, orEmptySee(x.Claude(t.Context())), doctor.Check{State: doctor.VerdictOK, Text: "2.0.0, from ~/bin/child"})
}

func orEmptySee(c doctor.Check) doctor.Check {
	c.See = out.OrEmpty(c.See)
	return c
}

func TestDoctorConfigDirs(t *testing.T) {
	t.Parallel()
	chmod := func(t *testing.T, path string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("modes", func(t *testing.T) {
		t.Parallel()
		p := newPatient(t)
		for mode, want := range map[os.FileMode]doctor.Check{
			0o700: {State: doctor.VerdictOK, Text: "~/.claude", Note: "0700, 0 sessions, 0 B"},
			0o500: {State: doctor.VerdictOK, Text: "~/.claude", Note: "0500, 0 sessions, 0 B"},
			0o755: {State: doctor.VerdictWarning, Text: "~/.claude, which others can read", Note: "0755, 0 sessions, 0 B", Fix: "chmod 700 ~/.claude"},
			0o770: {State: doctor.VerdictWarning, Text: "~/.claude, which others can change", Note: "0770, 0 sessions, 0 B", Fix: "chmod 700 ~/.claude"},
		} {
			chmod(t, filepath.Join(p.home, ".claude"), mode)
			checkIs(t, p.check(t, "config directory"), want)
		}
		chmod(t, filepath.Join(p.home, ".claude"), 0o700) // else the directory can't be removed
	})
	t.Run("default is missing", func(t *testing.T) {
		t.Parallel()
		p := newPatient(t)
		if err := os.RemoveAll(filepath.Join(p.home, ".claude")); err != nil {
			t.Fatal(err)
		}
		checkIs(t, p.check(t, "config directory"), doctor.Check{State: doctor.VerdictNote, Text: "~/.claude", Note: "does not exist yet: claude creates it"})
		checkIs(t, p.check(t, "permissions"), doctor.Check{State: doctor.VerdictNote, Text: "there are no projects/ yet"})
	})
	t.Run("named one is missing", func(t *testing.T) {
		t.Parallel()
		p := newPatient(t)
		p.config = "roots = ['/a', '/b']"
		p.env = []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(p.home, "gone")}
		checkIs(t, p.check(t, "config directory"), doctor.Check{State: doctor.VerdictFinding, Text: "~/gone, from $CLAUDE_CONFIG_DIR", Note: "file not found"})
		checkIs(t, p.check(t, "config file"), doctor.Check{
			State: doctor.VerdictOK, Text: "~/.config/continuo/config.toml", Note: "roots are ignored because of $CLAUDE_CONFIG_DIR",
		})
	})
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() == 0 {
			t.Skip("root may read everything")
		}
		p := newPatient(t)
		chmod(t, filepath.Join(p.home, ".claude", "projects"), 0)
		checkIs(t, p.check(t, "permissions"), doctor.Check{
			State: doctor.VerdictFinding, Text: "~/.claude/projects cannot be read: permission denied", Fix: "chmod u+rwx ~/.claude/projects",
		})
		chmod(t, filepath.Join(p.home, ".claude", "projects"), 0o700)
	})
	t.Run("no directory", func(t *testing.T) {
		t.Parallel()
		p := newPatient(t)
		path := filepath.Join(p.home, ".claude", "sessions")
		if err := errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if c := p.check(t, "permissions"); c.State != doctor.VerdictFinding || !strings.HasPrefix(c.Text, "~/.claude/sessions cannot be read: ") {
			t.Errorf("%+v", c)
		}
	})
}

func TestDoctorTmux(t *testing.T) {
	t.Parallel()
	inside := []string{"TMUX=/tmp/x,1,0"}
	for _, tt := range []struct {
		name                string
		env                 []string
		version, clipboard  string
		program             string
		check               string
		want                doctor.Check
		noTmux, noClipboard bool
	}{
		{name: "outside", check: "tmux", want: doctor.Check{State: doctor.VerdictNote, Text: "not inside tmux"}},
		{
			name: "outside", check: "clipboard",
			want: doctor.Check{State: doctor.VerdictNote, Text: "y copies through the terminal (OSC 52)", Note: "unknown whether the terminal allows this"},
		},
		{name: "new", env: inside, version: "3.2", clipboard: "on", check: "tmux", want: doctor.Check{State: doctor.VerdictOK, Text: "3.2: window, split and popup"}},
		{
			name: "old", env: inside, version: "3.1c", clipboard: "on", check: "tmux",
			want: doctor.Check{State: doctor.VerdictNote, Text: "3.1c: window, split, but no popup", Note: "a popup needs 3.2"},
		},
		{name: "master", env: inside, version: "master", clipboard: "on", check: "tmux", want: doctor.Check{State: doctor.VerdictOK, Text: "master: window, split and popup"}},
		{
			name: "on", env: inside, version: "3.5", clipboard: "on", check: "tmux clipboard",
			want: doctor.Check{State: doctor.VerdictOK, Text: "set-clipboard is on", Note: "the terminal must allow it too"},
		},
		{
			name: "external", env: inside, version: "3.5", clipboard: "external", check: "tmux clipboard",
			want: doctor.Check{State: doctor.VerdictOK, Text: "set-clipboard is external: y works, other programs in tmux cannot copy", Note: "the terminal must allow it too"},
		},
		{
			name: "external in an old one", env: inside, version: "3.1", clipboard: "external", check: "tmux clipboard",
			want: doctor.Check{State: doctor.VerdictWarning, Text: "set-clipboard is external, so y stays inside tmux", Fix: "tmux set -s set-clipboard on"},
		},
		{
			name: "off", env: inside, version: "3.5", clipboard: "off", check: "tmux clipboard",
			want: doctor.Check{State: doctor.VerdictWarning, Text: "set-clipboard is off, so y stays inside tmux", Fix: "tmux set -s set-clipboard on"},
		},
		{
			name: "silent", env: inside, program: "echo \"error connecting to /tmp/x$(printf '\\033[31m')\" >&2; exit 1", check: "tmux",
			want: doctor.Check{State: doctor.VerdictWarning, Text: "tmux does not answer: error connecting to /tmp/x", See: []string{"tmux ls"}},
		},
		{
			name: "not on the PATH", env: inside, program: "-", check: "tmux",
			want: doctor.Check{State: doctor.VerdictWarning, Text: "this is in tmux, but tmux is not on the PATH: no window, split or popup"},
		},
	} {
		t.Run(tt.name+" "+tt.check, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t)
			p.env = append([]string{"FAKE_VERSION=" + tt.version, "FAKE_CLIPBOARD=" + tt.clipboard}, tt.env...)
			switch tt.program {
			case "":
				p.programs["tmux"] = fakeTmux
			case "-":
			default:
				p.programs["tmux"] = tt.program
			}
			checkIs(t, p.check(t, tt.check), tt.want)
		})
	}
}

func TestDoctorTerminalAndEditor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, check string
		change      func(p *patient)
		want        doctor.Check
	}{
		{name: "pipe", check: "terminal", want: doctor.Check{State: doctor.VerdictNote, Text: "the output is not a terminal", Note: "xterm-256color"}},
		{
			name: "dumb", check: "terminal", change: func(p *patient) { p.env = []string{"TERM=dumb"} },
			want: doctor.Check{State: doctor.VerdictNote, Text: "TERM is dumb: no browser, only lines", Note: "dumb"},
		},
		{
			name: "full colour", check: "terminal", change: func(p *patient) { p.terminal, p.env = true, []string{"COLORTERM=truecolor"} },
			want: doctor.Check{State: doctor.VerdictOK, Text: "24-bit colour, UTF-8", Note: "xterm-256color"},
		},
		{
			name: "NO_COLOR", check: "terminal", change: func(p *patient) { p.terminal, p.env = true, []string{"NO_COLOR=1"} },
			want: doctor.Check{State: doctor.VerdictOK, Text: "no colour because of NO_COLOR, UTF-8", Note: "xterm-256color"},
		},
		{
			name: "locale", check: "terminal", change: func(p *patient) { p.terminal, p.env = true, []string{"LANG=C"} },
			want: doctor.Check{State: doctor.VerdictWarning, Text: "256 colours, ASCII glyphs, because the locale is not UTF-8", Note: "xterm-256color", Fix: "LOCALE"},
		},
		{
			name: "chosen", check: "terminal", change: func(p *patient) { p.terminal, p.env = true, []string{"LANG=C", "CONTINUO_GLYPHS=ascii"} },
			want: doctor.Check{State: doctor.VerdictOK, Text: "256 colours, ASCII glyphs", Note: "xterm-256color"},
		},
		{name: "none", check: "editor", want: doctor.Check{State: doctor.VerdictNote, Text: "~/bin/vi", Note: "$EDITOR is not set"}},
		{
			name: "none at all", check: "editor", change: func(p *patient) { delete(p.programs, "vi") },
			want: doctor.Check{State: doctor.VerdictWarning, Text: "$EDITOR is not set, and there is no vi", Fix: "export EDITOR=nano"},
		},
		{
			name: "missing", check: "editor", change: func(p *patient) { p.env = []string{"VISUAL=", "EDITOR=hx --tutor\x1b[31m"} },
			want: doctor.Check{State: doctor.VerdictWarning, Text: `$EDITOR is "hx --tutor", which cannot be started`, Fix: "export EDITOR=vi"},
		},
		{
			name: "the visual one", check: "editor", change: func(p *patient) { p.env = []string{"VISUAL='vi' -R", "EDITOR=hx"} },
			want: doctor.Check{State: doctor.VerdictOK, Text: "~/bin/vi, from $VISUAL"},
		},
		{
			name: "a quote", check: "editor", change: func(p *patient) { p.env = []string{"EDITOR=vi '"} },
			want: doctor.Check{State: doctor.VerdictWarning, Text: `$EDITOR is "vi '", which cannot be started`, Fix: "export EDITOR=vi"},
		},
	} {
		t.Run(tt.check+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t)
			if tt.change != nil {
				tt.change(p)
			}
			got := p.check(t, tt.check)
			if tt.want.Fix == "LOCALE" && strings.HasPrefix(got.Fix, "export LC_ALL=") {
				tt.want.Fix = got.Fix
			}
			checkIs(t, got, tt.want)
		})
	}
}

// TestDoctorLeftovers: temporary files of running processes aren't leftovers.
func TestDoctorLeftovers(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	project := filepath.Join(p.home, "tea")
	p.dir = project
	const name = ".continuo-0123456789abcdef.tmp"
	size := 0
	for _, dir := range []string{
		".claude/projects/-tea", ".local/state/continuo/journal", "tea/.claude/memory/raw", "tea/.claude/memory/trash/20261121_110213Z-discard",
		"tea/grimoires/loa/" + name,
	} {
		path := filepath.Join(p.home, filepath.FromSlash(dir))
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		size += 1000
		file := filepath.Join(path, name)
		if filepath.Base(dir) == name {
			file = filepath.Join(path, "draft")
		}
		if err := os.WriteFile(file, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := disk.Open(filepath.Join(project, ".claude", "memory"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	alive, err := root.Create(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Drop()
	p.args = []string{"--json"}
	_, out, _ := p.run(t)
	var list []doctor.Check
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		if strings.HasPrefix(c.Name, "temporary") {
			got = append(got, c.Text+", "+c.Note+": "+c.Fix)
		}
	}
	want := []string{
		"~/tea/grimoires/loa/" + name + " is left over from a killed process, 5.0 kB: rm -r ~/tea/grimoires/loa/" + name,
		"~/tea/.claude/memory/trash/20261121_110213Z-discard/" + name + " is left over from a killed process, 4.0 kB: rm -r ~/tea/.claude/memory/trash/20261121_110213Z-discard/" + name,
		"~/tea/.claude/memory/raw/" + name + " is left over from a killed process, 3.0 kB: rm -r ~/tea/.claude/memory/raw/" + name,
		"2 more are left over, 3.0 kB: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
