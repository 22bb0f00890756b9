//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// guarded is a patient with a project, and with hooks in the user settings.
type guarded struct {
	*patient
	t       *testing.T
	project string
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	g := &guarded{patient: newPatient(t), t: t}
	g.home = mustReal(t, g.home)
	g.project = filepath.Join(g.home, "code", "teahouse")
	g.dir = g.project
	g.programs["continuo"] = ""
	g.write(".git/HEAD", "ref: refs/heads/main\n")
	ignore := ".claude/memory/.gitignore"
	g.write(ignore, "raw/\n")
	begun := time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(g.project, ignore), begun, begun); err != nil {
		t.Fatal(err)
	}
	g.settings(userHooks(g.home))
	return g
}

// write writes a file of the project. A name with ~/ is below the home.
func (g *guarded) write(name, text string) {
	g.t.Helper()
	path := filepath.Join(g.project, name)
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		path = filepath.Join(g.home, rest)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		g.t.Fatal(err)
	}
}

// settings writes user settings that are eight days old.
func (g *guarded) settings(hooks string) {
	g.write("~/.claude/settings.json", hooks)
	g.written(8 * day)
}

func (g *guarded) written(before time.Duration) {
	g.t.Helper()
	at := now().Add(-before)
	if err := os.Chtimes(filepath.Join(g.home, ".claude", "settings.json"), at, at); err != nil {
		g.t.Fatal(err)
	}
}

func (g *guarded) ran(event string, before time.Duration, problem string) {
	g.t.Helper()
	run := hook.Run{Time: now().Add(-before), Event: event, Project: g.project, Result: hook.ResultSaved, MS: 12, Error: problem}
	if err := hook.OpenRuns(filepath.Join(g.home, ".local", "state", "continuo", place.HookRuns)).Append(run); err != nil {
		g.t.Fatal(err)
	}
}

// missed adds sessions that ended without a backup, each that long ago.
func (g *guarded) missed(before ...time.Duration) {
	for i, b := range before {
		r := row(fmt.Sprintf("32b41ec%d-0000-4000-8000-000000000000", i), "steep", flags(sessions.FlagNoBackup), ago(b), in(g.project, g.project))
		g.rows = append(g.rows, r)
	}
}

func withGate(home string) string { return withExtra(home, "gate", "SessionStart", "PreCompact") }

// withExtra adds hooks with an argument to the settings of userHooks.
func withExtra(home, arg string, events ...string) string {
	hooks := userHooks(home)
	for _, event := range events {
		hooks = strings.Replace(hooks, fmt.Sprintf("%q:[", event), fmt.Sprintf(`%q:[{"hooks":[{"type":"command","command":%q,"args":["hook",%q],"timeout":9}]},`,
			event, filepath.Join(home, "bin", "continuo"), arg), 1)
	}
	return hooks
}

func TestDoctorHooks(t *testing.T) {
	t.Parallel()
	installed := doctor.Check{State: doctor.VerdictNote, Text: "has not fired yet", Note: "~/.claude/settings.json"}
	for name, tt := range map[string]struct {
		check string
		ill   func(g *guarded)
		want  doctor.Check
	}{
		"never fired, and none ended": {"SessionEnd", func(*guarded) {}, installed},
		"fired": {"SessionEnd", func(g *guarded) {
			g.ran(hook.EventEnd, 26*time.Hour, "disk full")
			g.ran(hook.EventEnd, 3*time.Hour, "")
		}, doctor.Check{State: doctor.VerdictOK, Text: "fired today 12:52, in 12 ms", Note: "failed yesterday 13:52: disk full"}},
		"failed last": {"SessionEnd", func(g *guarded) {
			g.ran(hook.EventEnd, 26*time.Hour, "")
			g.ran(hook.EventEnd, 3*time.Hour, "no space\x1b[31m left")
		}, doctor.Check{State: doctor.VerdictWarning, Text: "failed today 12:52: no space left", Note: "~/.claude/settings.json"}},
		"never fired, and one ended": {"SessionEnd", func(g *guarded) { g.missed(time.Hour) }, doctor.Check{
			State: doctor.VerdictFinding, Text: "has never fired, and 1 session ended", Note: "~/.claude/settings.json",
		}},
		"those that ended before it was installed": {"SessionEnd", func(g *guarded) {
			g.missed(time.Minute, time.Hour, 2*day, 3*day)
			g.written(time.Minute)
		}, installed},
		"and one that ended after": {"SessionEnd", func(g *guarded) {
			g.missed(time.Minute, time.Hour, 2*day, 3*day)
			g.written(2 * time.Minute)
		}, doctor.Check{State: doctor.VerdictFinding, Text: "has never fired, and 1 session ended", Note: "~/.claude/settings.json"}},
		"of another project": {"SessionEnd", func(g *guarded) {
			g.missed(time.Hour)
			g.rows[0].Project, g.rows[0].Workdir = filepath.Join(g.home, "code", "pantry"), filepath.Join(g.home, "code", "pantry")
		}, installed},
		"of any project": {"SessionEnd", func(g *guarded) {
			g.missed(time.Hour)
			g.dir = g.home
		}, doctor.Check{State: doctor.VerdictFinding, Text: "has never fired, and 1 session ended", Note: "~/.claude/settings.json"}},
		"fast": {"SessionEnd", func(g *guarded) {
			run := hook.Run{Time: now().Add(-time.Hour), Event: hook.EventEnd, Project: g.project, Result: hook.ResultSaved}
			if err := hook.OpenRuns(filepath.Join(g.home, ".local", "state", "continuo", place.HookRuns)).Append(run); err != nil {
				g.t.Fatal(err)
			}
		}, doctor.Check{State: doctor.VerdictOK, Text: "fired today 14:52, in under 1 ms", Note: "~/.claude/settings.json"}},
		"not fired since": {"SessionEnd", func(g *guarded) {
			g.ran(hook.EventEnd, 7*day, "")
			g.missed(time.Hour, 2*day, 3*day, 8*day)
		}, doctor.Check{State: doctor.VerdictFinding, Text: "has not fired since Nov 14, 3 sessions ended", Note: "~/.claude/settings.json"}},
		"one was killed": {"SessionEnd", func(g *guarded) {
			g.ran(hook.EventEnd, 7*day, "")
			g.missed(time.Hour)
		}, doctor.Check{State: doctor.VerdictOK, Text: "fired Nov 14 15:52, in 12 ms", Note: "~/.claude/settings.json"}},
		"a start is no end": {"SessionStart", func(g *guarded) { g.missed(time.Hour, 2*time.Hour) }, installed},
		"missed are offered": {"backups", func(g *guarded) { g.missed(time.Hour) }, doctor.Check{
			State: doctor.VerdictWarning, Text: "1 session of this project ended without one", Fix: "continuo backup create --missed", See: []string{"continuo show 32b41ec0"},
		}},
		"the program is gone": {"PreCompact", func(g *guarded) { delete(g.programs, "continuo") }, doctor.Check{
			State: doctor.VerdictFinding, Text: "cannot run ~/bin/continuo: file not found", Note: "~/.claude/settings.json", Fix: "continuo init --user",
		}},
		"one event is missing": {"PreCompact", func(g *guarded) { g.settings(strings.Replace(userHooks(g.home), "pre-compact", "session-end", 1)) }, doctor.Check{
			State: doctor.VerdictFinding, Text: "is not among the hooks in ~/.claude/settings.json", Fix: "continuo init --user",
		}},
		"a gate where nothing asks for it": {"gate", func(g *guarded) { g.settings(withGate(g.home)) }, installed},
		"a gate that blocks nothing": {"gate", func(g *guarded) {
			g.settings(withGate(g.home))
			g.write("grimoires/loa/NOTES.md", "# Notes\n")
		}, doctor.Check{State: doctor.VerdictNote, Text: "blocks nothing: the enforcement is warn here", Note: "~/.claude/settings.json"}},
		"a gate that cannot know": {"gate", func(g *guarded) {
			g.settings(withGate(g.home))
			g.write("grimoires/loa/NOTES.md", "# Notes\n")
			g.write(".loa.config.yaml", "grounding_enforcement: stricct\n")
		}, doctor.Check{
			State: doctor.VerdictWarning, Note: "~/.claude/settings.json", Fix: "continuo gate --dry-run",
			Text: `may block more than intended: .loa.config.yaml:1: grounding_enforcement is "stricct". Must be strict, warn or disabled`,
		}},
		"a gate that is not on the PATH": {"gate", func(g *guarded) {
			g.settings(strings.ReplaceAll(withGate(g.home), fmt.Sprintf(`"command":%q,"args":["hook","gate"]`, g.home+"/bin/continuo"), `"command":"continuo hook gate"`))
			delete(g.programs, "continuo")
		}, doctor.Check{State: doctor.VerdictFinding, Text: "does nothing: continuo is not on the PATH", Note: "~/.claude/settings.json"}},
		"a gate that fired": {"gate", func(g *guarded) {
			g.settings(withGate(g.home))
			g.write("grimoires/loa/NOTES.md", "# Notes\n")
			g.write(".loa.config.yaml", "grounding_enforcement: strict\n")
			g.ran(hook.EventGate, 3*time.Hour, "")
		}, doctor.Check{State: doctor.VerdictOK, Text: "fired today 12:52, in 12 ms", Note: "~/.claude/settings.json"}},
		"a gate of a program that is gone": {"gate", func(g *guarded) {
			g.settings(withGate(g.home))
			delete(g.programs, "continuo")
		}, doctor.Check{State: doctor.VerdictFinding, Text: "cannot run ~/bin/continuo: file not found", Note: "~/.claude/settings.json", Fix: "continuo init --user --gate"}},
		"a gate at one event": {"gate", func(g *guarded) {
			g.settings(strings.Replace(withGate(g.home), `"gate"],"timeout":9`, `"other"],"timeout":9`, 1))
		}, doctor.Check{
			State: doctor.VerdictFinding, Text: "is not installed at SessionStart", Note: "~/.claude/settings.json", Fix: "continuo init --user --gate",
		}},
		"two gates": {"gate", func(g *guarded) {
			g.settings(withGate(g.home))
			g.write(".claude/settings.json", withGate(g.home))
		}, doctor.Check{
			State: doctor.VerdictWarning, Text: "is installed twice: in ~/code/teahouse/.claude/settings.json and ~/.claude/settings.json",
			Fix: "continuo uninstall --project --hooks",
		}},
		"a snapshot hook": {"snapshot", func(g *guarded) { g.settings(withExtra(g.home, "snapshot", "SessionStart")) }, installed},
		"a snapshot hook that fired": {"snapshot", func(g *guarded) {
			g.settings(withExtra(g.home, "snapshot", "SessionStart"))
			g.ran(hook.EventSnapshot, 3*time.Hour, "")
		}, doctor.Check{State: doctor.VerdictOK, Text: "fired today 12:52, in 12 ms", Note: "~/.claude/settings.json"}},
		"a snapshot hook of a program that is gone": {"snapshot", func(g *guarded) {
			g.settings(withExtra(g.home, "snapshot", "SessionStart"))
			delete(g.programs, "continuo")
		}, doctor.Check{State: doctor.VerdictFinding, Text: "cannot run ~/bin/continuo: file not found", Note: "~/.claude/settings.json", Fix: "continuo init --user --snapshot"}},
		"a task hook that failed": {"tasks", func(g *guarded) {
			g.settings(withExtra(g.home, "task", "SessionStart", "SessionEnd"))
			g.ran(hook.EventTask, 3*time.Hour, "disk full")
		}, doctor.Check{State: doctor.VerdictWarning, Text: "failed today 12:52: disk full", Note: "~/.claude/settings.json"}},
		"a task hook at one event": {"tasks", func(g *guarded) { g.settings(withExtra(g.home, "task", "SessionStart")) }, doctor.Check{
			State: doctor.VerdictFinding, Text: "is not installed at SessionEnd", Note: "~/.claude/settings.json", Fix: "continuo init --user --tasks",
		}},
		"two task hooks": {"tasks", func(g *guarded) {
			g.settings(withExtra(g.home, "task", "SessionStart", "SessionEnd"))
			g.write(".claude/settings.json", withExtra(g.home, "task", "SessionStart", "SessionEnd"))
		}, doctor.Check{
			State: doctor.VerdictWarning, Text: "is installed twice: in ~/code/teahouse/.claude/settings.json and ~/.claude/settings.json",
			Fix: "continuo uninstall --project --hooks",
		}},
		"no timeout": {"SessionEnd", func(g *guarded) { g.settings(strings.ReplaceAll(userHooks(g.home), `,"timeout":10`, "")) }, doctor.Check{
			State: doctor.VerdictWarning, Text: "has no timeout, so Claude Code stops it after 1.5 s", Note: "~/.claude/settings.json", Fix: "continuo init --user",
		}},
		"all off": {"hooks", func(g *guarded) { g.write(".claude/settings.local.json", `{"disableAllHooks":true}`) }, doctor.Check{
			State: doctor.VerdictFinding, Text: "are all off: disableAllHooks is set in ~/code/teahouse/.claude/settings.local.json",
			Fix: `"${EDITOR:-vi}" ~/code/teahouse/.claude/settings.local.json`,
		}},
		"comments": {"hooks", func(g *guarded) { g.settings("// mine\n" + userHooks(g.home)) }, doctor.Check{
			State: doctor.VerdictFinding, Text: "of ~/.claude/settings.json are not loaded: Claude Code does not accept comments or trailing commas",
			Fix: `"${EDITOR:-vi}" ~/.claude/settings.json`,
		}},
		"no JSON": {"hooks", func(g *guarded) { g.write(".claude/settings.json", "{") }, doctor.Check{
			State: doctor.VerdictWarning, Text: "may be wrong: settings ~/code/teahouse/.claude/settings.json: not JSON: line 1, column 2: parsing value: unexpected EOF",
		}},
		"twice": {"hooks", func(g *guarded) {
			g.write(".claude/settings.json", strings.ReplaceAll(userHooks(g.home), g.home, "/opt"))
		}, doctor.Check{
			State: doctor.VerdictWarning, Text: "are installed twice, so every backup is made twice: in ~/code/teahouse/.claude/settings.json and ~/.claude/settings.json",
			Fix: "continuo uninstall --project --hooks",
		}},
		"scripts of others": {"hooks", func(g *guarded) {
			g.settings("{}")
			g.write(".claude/hooks/on-session-end.sh", "#!/bin/bash\ncp x y\n")
		}, doctor.Check{
			State: doctor.VerdictNote, Text: "are scripts from another source", Note: "~/code/teahouse/.claude/hooks/on-session-end.sh", See: []string{"continuo init --help"},
		}},
		"not installed": {"hooks", func(g *guarded) { g.settings("{}") }, doctor.Check{
			State: doctor.VerdictNote, Text: "are not installed, so no backup is made when a session ends", Fix: "continuo init",
		}},
		"outside of a project": {"SessionEnd", func(g *guarded) { g.dir = g.home }, installed},
		"a memory with one of another program": {"memory", func(g *guarded) { g.write(".claude/memory/raw/20261103_100000_exit.jsonl", "{}\n") }, doctor.Check{
			State: doctor.VerdictOK, Text: "~/code/teahouse/.claude/memory", Note: "1 backup since Nov 3",
		}},
		"an empty memory": {"memory", func(*guarded) {}, doctor.Check{State: doctor.VerdictOK, Text: "~/code/teahouse/.claude/memory", Note: "no backup yet"}},
		"a memory": {"memory", func(g *guarded) { g.write(".claude/memory/raw/20261111_100000Z_exit.jsonl", "{}\n") }, doctor.Check{
			State: doctor.VerdictOK, Text: "~/code/teahouse/.claude/memory", Note: "1 backup since Nov 10",
		}},
		"a memory that cannot be written": {"memory", func(g *guarded) {
			g.write(".claude/memory/raw/20261111_100000Z_exit.jsonl", "{}\n")
			if err := os.Chmod(filepath.Join(g.project, ".claude/memory/raw"), 0o500); err != nil {
				g.t.Fatal(err)
			}
		}, doctor.Check{
			State: doctor.VerdictFinding, Text: "~/code/teahouse/.claude/memory/raw cannot be written to, so no backups are made", Note: "1 backup since Nov 10",
			Fix: "chmod u+rwx ~/code/teahouse/.claude/memory/raw",
		}},
		"a memory elsewhere": {"memory", func(g *guarded) {
			memory := filepath.Join(g.project, ".claude", "memory")
			if err := errors.Join(os.RemoveAll(memory), os.Symlink(t.TempDir(), memory)); err != nil {
				g.t.Fatal(err)
			}
		}, doctor.Check{
			State: doctor.VerdictFinding, Text: "~/code/teahouse/.claude/memory is a link that leads out of the project, so no hook writes there",
			See: []string{"ls -ld ~/code/teahouse/.claude/memory"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t)
			g.t = t
			tt.ill(g)
			for _, g.args = range [][]string{nil, {"hooks"}} {
				got := g.check(t, tt.check)
				got.Text = strings.ReplaceAll(got.Text, g.home, "~")
				checkIs(t, got, tt.want)
			}
		})
	}
}

func TestDoctorHooksAlone(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	g.terminal, g.args = true, []string{"hooks"}
	g.ran(hook.EventStart, 2*time.Hour, "")
	g.ran(hook.EventEnd, 7*day, "")
	g.missed(time.Hour, 2*day)
	var stdout, stderr bytes.Buffer
	d := g.deps(t, &stdout, &stderr)
	before := snapshot(t, g.home)
	code := execute(t.Context(), d.Env, d.Output, []string{"doctor", "hooks"})
	if after := snapshot(t, g.home); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	const want = `Safeguards
✓ SessionStart               fired today 13:52, in 12 ms                     ~/.claude/settings.json
✗ SessionEnd                 has not fired since Nov 14, 2 sessions ended    ~/.claude/settings.json
· PreCompact                 has not fired yet                               ~/.claude/settings.json
✓ memory                     ~/code/teahouse/.claude/memory                            no backup yet
△ backups                    2 sessions of this project ended without one
  fix                        continuo backup create --missed
  see                        continuo show 32b41ec0
  see                        continuo show 32b41ec1

`
	if stdout.String() != want || code != out.ExitNo || stderr.String() != "✗ 1 finding, 1 warning. Nothing was changed.\n" {
		t.Errorf("%d %s\n%swant\n%s", code, &stderr, &stdout, want)
	}
	g.missed(time.Hour, time.Hour, time.Hour, time.Hour, time.Hour)
	if _, out, _ := g.run(t); strings.Count(out, "  see ") != 3 || !strings.Contains(out, "\n"+strings.Repeat(" ", doctor.Text)+"and 4 more\n") {
		t.Errorf("seven are missed:\n%s", out)
	}
	g.terminal = false
	_, printed, _ := g.run(t)
	for line := range strings.Lines(printed) {
		if columns := strings.Split(line, "\t"); len(columns) != 6 || columns[0] != doctor.SectionSafeguards {
			t.Errorf("%q", line)
		}
	}
	g.args = []string{"hook"}
	if code, _, errs := g.run(t); code != out.ExitFailed || !strings.Contains(errs, "doctor takes hooks or nothing, not hook.") {
		t.Errorf("%d %s", code, errs)
	}
}

// TestDoctorGit: transcripts are in git. The fix removes them from the index.
func TestDoctorGit(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	g.args = []string{"hooks"}
	if err := os.RemoveAll(filepath.Join(g.project, ".git")); err != nil {
		t.Fatal(err)
	}
	git(t, g.project, "init", "-q")
	g.write(".claude/memory/raw/20261111_100000Z_exit.jsonl", "{}\n")
	g.write(".claude/memory/trash/x/raw/20261110_100000Z_exit.jsonl", "{}\n")
	g.write(".claude/memory/raw/.gitignore", "*\n")
	git(t, g.project, "add", "-f", ".claude/memory")
	c := g.check(t, "git")
	checkIs(t, c, doctor.Check{
		State: doctor.VerdictFinding, Text: "tracks 2 files with raw backups, which contain conversations",
		Fix: "git -C ~/code/teahouse rm -r -q --cached --ignore-unmatch -- .claude/memory/raw .claude/memory/trash",
	})
	out, output, _ := runStatus(t, g.home, g.project, true)
	if want := "✗ secret      raw backups are tracked by git, 2 files                        continuo doctor hooks\n"; !strings.Contains(out, want) || !strings.Contains(out, "\nteahouse     ") {
		t.Errorf("%s%s", out, output)
	}
	git(t, g.project, strings.Fields(strings.TrimPrefix(c.Fix, "git -C ~/code/teahouse "))...)
	if out, _, _ := runStatus(t, g.home, g.project, true); strings.Contains(out, "secret") {
		t.Errorf("after the fix:\n%s", out)
	}
}
