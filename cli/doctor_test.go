//go:build unix

package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// patient is a machine for tests: a home with a config directory, and some programs.
type patient struct {
	home     string
	programs map[string]string // shell scripts by name
	config   string            // content of the config file; "" for no file
	env      []string
	rows     []sessions.Row
	problem  error
	terminal bool
	width    int
	args     []string
	dir      string // current directory; "" for the home
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	p := &patient{home: t.TempDir(), programs: map[string]string{"claude": "echo '2.1.329 (Claude Code)'", "vi": ""}, width: 100}
	for _, dir := range []string{"projects", "sessions"} {
		if err := os.MkdirAll(filepath.Join(p.home, ".claude", dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *patient) deps(t *testing.T, stdout, stderr *bytes.Buffer) *deps {
	t.Helper()
	bin := filepath.Join(p.home, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, script := range p.programs {
		putProgram(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
	}
	if p.config != "" {
		path := filepath.Join(p.home, ".config", "continuo", "config.toml")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(p.config), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	d := newDeps(Program{
		Env: append([]string{"HOME=" + p.home, "PATH=relative:" + bin, "TERM=xterm-256color"}, p.env...), Dir: cmp.Or(p.dir, p.home), Now: now,
		Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Version: "1.2.3",
	})
	for i := range p.rows {
		p.rows[i].Dir = filepath.Join(p.home, ".claude")
	}
	d.Open = func(catalog.Options) place.Source { return fakeSource{rows: p.rows, err: p.problem} }
	d.Out.Terminal, d.Out.Width, d.Out.ASCII = p.terminal, p.width, p.terminal && out.ASCIIGlyphs(d.Host.Getenv)
	return d
}

// run runs doctor. In its output, the free disk space is a fixed number.
func (p *patient) run(t *testing.T) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	d := p.deps(t, &out, &errs)
	code = execute(t.Context(), d.Env, d.Output, append([]string{"doctor"}, p.args...))
	free := regexp.MustCompile(`[0-9.]+ [kMG]B free( *)`)
	stdout = free.ReplaceAllStringFunc(out.String(), func(s string) string {
		return (strings.Repeat("9", strings.IndexByte(s, ' ')) + " GB free" + s)[:len(s)]
	})
	return code, stdout, errs.String()
}

func (p *patient) check(t *testing.T, name string) doctor.Check {
	t.Helper()
	p.args = append(p.args, "--json")
	_, out, _ := p.run(t)
	p.args = p.args[:len(p.args)-1]
	var list []doctor.Check
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %s in %s", name, out)
	return doctor.Check{}
}

func ill() []sessions.Row {
	damaged := row("147b753d-0000-4000-8000-000000000001", "brew", state(sessions.StateDamaged), func(r *sessions.Row) { r.Reason = "1 line of 612 is no JSON." })
	damaged.Bytes = 1_400_000_000
	gone := row("8e424e03-0000-4000-8000-000000000002", "steep", flags(sessions.FlagPurgeSoon), purge(now().Add(2*day)))
	return []sessions.Row{
		damaged, gone,
		row("32b41ec9-0000-4000-8000-000000000003", "pour", flags(sessions.FlagHiddenBranch)),
		row("32b41ec9-0000-4000-8000-000000000004", "again", flags(sessions.FlagHiddenBranch, sessions.FlagPurgeSoon), purge(now().Add(9*day))),
		row("20261121_101500Z_x", "copy", kind(sessions.KindBackup)),
	}
}

func TestDoctorReport(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.terminal, p.rows, p.config = true, ill(), "them = 'dark'"
	p.env = []string{
		"TMUX=/tmp/x,1,0", "TMUX_PANE=%1", "LC_ALL=C.UTF-8", "EDITOR=vi -R", "FAKE_CLIPBOARD=off", "FAKE_VERSION=3.5a",
	}
	p.programs["tmux"] = fakeTmux
	code, printed, errs := p.run(t)
	const want = `Machine
✓ claude                     2.1.329, from ~/bin/claude
✓ config directory           ~/.claude                                      0700, 4 sessions, 1.4 GB
✓ permissions                projects/ and sessions/ can be read
✓ disk                       DISK
✓ terminal                   256 colours or more, UTF-8                               xterm-256color
✓ tmux                       3.5a: window, split and popup
△ tmux clipboard             set-clipboard is off, so y stays inside tmux
  fix                        tmux set -s set-clipboard on
✓ editor                     ~/bin/vi, from $EDITOR
✗ config file                Line 1 of ~/.config/continuo/config.toml: there is no key them. Did you
                             mean theme?
  fix                        "${EDITOR:-vi}" ~/.config/continuo/config.toml

Safeguards
· hooks                      are not installed, so no backup is made when a session ends
  fix                        continuo init

Sessions
✓ readable                   4 of 4
✗ damaged                    147b753d: 1 line of 612 is no JSON
  see                        continuo show 147b753d
◇ hidden branches            2 sessions hold messages that resume would not show
  see                        continuo show 32b41ec9-0000-4000-8000-000000000003
  see                        continuo show 32b41ec9-0000-4000-8000-000000000004
△ retention                  claude deletes 2 sessions within 10 days, 8e424e03 in 2 d
  see                        continuo show 8e424e03

`
	printed = regexp.MustCompile(`(?m)^✓ disk( +).*$`).ReplaceAllString(printed, "✓ disk${1}DISK")
	if printed != want {
		t.Errorf("got\n%s\nwant\n%s", printed, want)
	}
	if code != out.ExitNo || errs != "✗ 2 findings, 2 warnings. Nothing was changed.\n" {
		t.Errorf("exit code %d, %q", code, errs)
	}
}

// fakeTmux answers with $FAKE_VERSION and $FAKE_CLIPBOARD.
const fakeTmux = `case "$*" in
*display-message*) echo "$FAKE_VERSION" ;;
"-u show-options -sv set-clipboard") echo "$FAKE_CLIPBOARD" ;;
*) echo "unknown command: $*" >&2; exit 1 ;;
esac`

// TestDoctorWidths: only commands may be wider than the terminal.
func TestDoctorWidths(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.terminal, p.rows, p.config = true, ill(), "roots = ['"+strings.Repeat("x", 200)+"']"
	p.env = []string{"LC_ALL=POSIX"}
	for _, p.width = range []int{1, 10, 30, 43, 44, 60, 79, 80, 100, 119, 200} {
		_, printed, _ := p.run(t)
		commands := 0
		for line := range strings.Lines(ansi.Strip(printed)) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(line, "  fix ") || strings.HasPrefix(line, "  see ") {
				commands++
				continue
			}
			if w := ansi.StringWidth(line); w > min(p.width, out.ListMax) && line != doctor.SectionMachine && line != doctor.SectionSafeguards && line != doctor.SectionSessions {
				t.Errorf("width %d: %d cells: %s", p.width, w, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				t.Errorf("width %d: not ASCII: %s", p.width, line)
			}
		}
		for _, command := range []string{`"${EDITOR:-vi}" ~/.config/continuo/config.toml`, "continuo show 32b41ec9-0000-4000-8000-000000000004"} {
			if !strings.Contains(printed, " "+command+"\n") {
				t.Errorf("width %d: no %s in\n%s", p.width, command, printed)
			}
		}
		if commands != 7 {
			t.Errorf("width %d: %d commands in\n%s", p.width, commands, printed)
		}
	}
}

// TestDoctorPiped: a pipe gets six columns, and stderr gets the summary.
func TestDoctorPiped(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.rows = []sessions.Row{row("147b753d-0000-4000-8000-000000000001", "brew")}
	code, printed, errs := p.run(t)
	if code != out.ExitDone || errs != "No findings. Nothing was changed.\n" {
		t.Errorf("exit code %d, %q", code, errs)
	}
	for line := range strings.Lines(printed) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) != 6 || columns[0] != doctor.SectionMachine && columns[0] != doctor.SectionSafeguards && columns[0] != doctor.SectionSessions || strings.Contains(line, "\t\t") {
			t.Errorf("%q", line)
		}
	}
	if want := "Machine\tclaude\tok\t2.1.329, from ~/bin/claude\t-\t-\n"; !strings.HasPrefix(printed, want) {
		t.Errorf("got %q, want %q", printed, want)
	}
	p.rows = ill()[:1]
	if code, printed, errs = p.run(t); code != out.ExitNo || !strings.Contains(printed, "\tfinding\t147b753d: 1 line of 612 is no JSON\t-\tcontinuo show 147b753d\n") {
		t.Errorf("exit code %d, %q, %q", code, printed, errs)
	}
	p.args = []string{"--json"}
	if code, _, errs = p.run(t); code != out.ExitNo || errs != "✗ 1 finding. Nothing was changed.\n" {
		t.Errorf("--json: exit code %d, %q", code, errs)
	}
}

func TestDoctorSessions(t *testing.T) {
	t.Parallel()
	many := func(s sessions.State, n int) []sessions.Row {
		var rows []sessions.Row
		for i := range n {
			rows = append(rows, row(strings.Repeat(string(rune('a'+i)), 8)+"-0000-4000-8000-000000000000", "x", state(s)))
		}
		return rows
	}
	for _, tt := range []struct {
		name, check string
		rows        []sessions.Row
		problem     error
		want        doctor.Check
	}{
		{name: "none", check: "readable", want: doctor.Check{State: doctor.VerdictNote, Text: "there are no sessions yet", See: []string{"continuo demo"}}},
		{name: "all", check: "readable", rows: many(sessions.StateOK, 3), want: doctor.Check{State: doctor.VerdictOK, Text: "3 of 3"}},
		{name: "not all", check: "readable", rows: append(many(sessions.StateOK, 3), many(sessions.StateUnreadable, 1)...), want: doctor.Check{State: doctor.VerdictNote, Text: "3 of 4"}},
		{
			name: "five", check: "damaged", rows: many(sessions.StateDamaged, 5),
			want: doctor.Check{State: doctor.VerdictFinding, Text: "5 sessions: aaaaaaaa, bbbbbbbb, cccccccc and 2 more", See: []string{
				"continuo show aaaaaaaa", "continuo show bbbbbbbb", "continuo show cccccccc",
				"continuo list --all --kind session,backup,document --state damaged",
			}},
		},
		{
			name: "one of each", check: "unreadable",
			rows: append(many(sessions.StateUnreadable, 1), row("20261121_101500Z_x y", "copy", kind(sessions.KindBackup), state(sessions.StateUnreadable))),
			want: doctor.Check{State: doctor.VerdictFinding, Text: "1 session and 1 backup: aaaaaaaa, 20261121_101500Z", See: []string{
				"continuo show aaaaaaaa", "continuo show 20261121_101500Z",
			}},
		},
		{
			name: "names of others", check: "damaged",
			rows: []sessions.Row{row("-rf", "x", state(sessions.StateDamaged), func(r *sessions.Row) { r.Path, r.Reason = "/a b/$(x)\x1b[31m.jsonl", "bad\x1b[31m" })},
			want: doctor.Check{State: doctor.VerdictFinding, Text: "-rf: bad\x1b[31m", See: []string{"continuo show '/a b/$(x).jsonl'"}},
		},
		{
			name: "one id twice", check: "damaged",
			rows: append(many(sessions.StateOK, 1), row("aaaaaaaa-0000-4000-8000-000000000000", "x", state(sessions.StateDamaged), func(r *sessions.Row) { r.Path = "/b.jsonl" })),
			want: doctor.Check{State: doctor.VerdictFinding, Text: "aaaaaaaa-0000-4000-8000-000000000000", See: []string{"continuo show /b.jsonl"}},
		},
		{
			name: "problems", check: "not read", problem: errors.New("directory /x: permission denied"),
			want: doctor.Check{State: doctor.VerdictFinding, Text: "Directory /x: permission denied"},
		},
		{name: "none soon", check: "retention", rows: many(sessions.StateOK, 1), want: doctor.Check{State: doctor.VerdictOK, Text: "claude deletes no session within 10 days"}},
		{
			name: "today", check: "retention", rows: []sessions.Row{row("147b753d", "x", flags(sessions.FlagPurgeSoon), purge(now()))},
			want: doctor.Check{State: doctor.VerdictWarning, Text: "claude deletes 1 session within 10 days, 147b753d today", See: []string{"continuo show 147b753d"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t)
			p.rows, p.problem = tt.rows, tt.problem
			checkIs(t, p.check(t, tt.check), tt.want)
			p.terminal = true
			if _, out, _ := p.run(t); strings.Contains(out, "\x1b[31m") {
				t.Errorf("foreign colours reach the terminal:\n%q", out)
			}
		})
	}
	t.Run("--claude-dir is repeated", func(t *testing.T) {
		t.Parallel()
		p := newPatient(t)
		p.rows, p.args = ill()[:1], []string{"--claude-dir", ".claude"}
		if c := p.check(t, "damaged"); !reflect.DeepEqual(c.See, []string{"continuo show 147b753d --claude-dir ~/.claude"}) {
			t.Errorf("%q", c.See)
		}
	})
}

func TestDoctorChangesNothing(t *testing.T) {
	t.Parallel()
	p := newPatient(t)
	p.config = "theme = 'dark'"
	var printed, errs bytes.Buffer
	d := p.deps(t, &printed, &errs)
	before := snapshot(t, p.home)
	if code := execute(t.Context(), d.Env, d.Output, []string{"doctor"}); code != out.ExitDone {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	if after := snapshot(t, p.home); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}
