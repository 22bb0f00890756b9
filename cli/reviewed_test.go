package cli

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// TestReviewed: a backup stays reviewed after its discard or restore is undone.
func TestReviewed(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(0, "tea", 2)
	discarded := k.backup("20261121_110213Z_exit", 0, "tea", 2, ".pending-backup")
	left := k.backup("20261120_110213Z_exit", 0, "tea", 1, "")
	restored := k.backup("20261121_110213Z_exit", 1, "roof", 2, ".pending-backup")
	c := k.changes(now())
	is := func(label string, want ...string) {
		t.Helper()
		seen := place.SeenBackups(c.Env)
		for _, path := range []string{discarded, left, restored} {
			if seen[path] != slices.Contains(want, path) {
				t.Errorf("%s: %s is seen: %v", label, path, seen[path])
			}
		}
	}
	k.plan(c, tui.ChangeDiscard, "", discarded)
	is("planned")
	k.do(c, tui.ChangeDiscard, "", discarded)
	is("discarded", discarded)
	k.do(c, tui.ChangeUndo, "")
	is("brought back", discarded)

	plan := k.plan(c, tui.ChangeRestore, "", restored)
	if text := planText(plan.Parts); regexp.MustCompile(`\b20\d\d-\d\d-\d\d`).MatchString(text) || !strings.Contains(text, "Claude Code deletes it after Dec ") {
		t.Errorf("the plan mixes two date formats:\n%s", text)
	}
	k.do(c, tui.ChangeRestore, "", restored)
	is("restored", discarded, restored)
	undo := k.plan(c, tui.ChangeUndo, "")
	if want := filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, "roof")), k.id(1)+".jsonl"); !slices.Equal(undo.Leaves, []string{want}) {
		t.Errorf("%q leave, want %s", undo.Leaves, want)
	}
	k.do(c, tui.ChangeUndo, "")
	is("undone", discarded, restored)
}

func TestResumeMarksReviewed(t *testing.T) {
	a := newAttic(t)
	actions := browse.Actions{Env: a.d.Env, O: a.d.Output}
	out, err := actions.Resume(t.Context(), a.row(sessions.KindBackup), resume.Ask{})
	if err != nil || out.Plan == nil || place.SeenBackups(a.d.Env)[a.backup] {
		t.Fatalf("%+v, %v, seen %v", out, err, place.SeenBackups(a.d.Env))
	}
	out, err = actions.Resume(t.Context(), a.row(sessions.KindBackup), resume.Ask{Take: resume.TakeRestore})
	if err != nil || out.Run == nil || out.Said != "Restored as 3f9ac1e0; u undoes that." || !place.SeenBackups(a.d.Env)[a.backup] {
		t.Fatalf("%+v, %v, seen %v", out, err, place.SeenBackups(a.d.Env))
	}
	run, ok := out.Run.(*launch.Takeover)
	failing, absent := exec.LookPath("false")
	if !ok || absent != nil {
		t.Skip("the program false is not installed")
	}
	run.Program = host.Foreground{Argv: []string{failing}}
	if err := run.Run(); err == nil || err.Error() != "false ended with exit code 1. Restored as 3f9ac1e0; u undoes that." {
		t.Errorf("%v", err)
	}
	out, err = actions.Resume(t.Context(), a.row(sessions.KindBackup), resume.Ask{Take: resume.TakeSession})
	if err != nil || out.Run == nil || out.Said != "" {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestResumeBehindAnother: the older of two pending backups is resumed by its path.
func TestResumeBehindAnother(t *testing.T) {
	a := newAttic(t)
	a.pend()
	newer := filepath.Join(filepath.Dir(a.backup), "20261121_150000Z_compact.jsonl")
	a.write(newer, a.text)
	a.write(filepath.Join(filepath.Dir(a.marker), ".pending-backup-compact"), newer+"\n")
	out, err := launch.ResumeSession(t.Context(), a.d.Env, a.d.Output, a.row(sessions.KindBackup), resume.Ask{})
	if err != nil || out.Plan == nil || len(out.Plan.Choices) != 2 {
		t.Fatalf("%+v, %v", out.Plan, err)
	}
	first, last := out.Plan.Choices[0], out.Plan.Choices[1]
	if want := `claude "/resume-latest .claude/memory/raw/` + filepath.Base(a.backup) + `"`; first.Key != "l" || first.Run != want || last.Key != "R" {
		t.Errorf("%+v\n%+v", first, last)
	}
}

// TestKnownApart: each config directory has its own list of known projects.
func TestKnownApart(t *testing.T) {
	t.Parallel()
	home, root := t.TempDir(), t.TempDir()
	with := func(config string) *deps {
		env := []string{"HOME=" + home}
		if config != "" {
			env = append(env, "CLAUDE_CONFIG_DIR="+config)
		}
		return newDeps(Program{Env: env, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &strings.Builder{}, Stderr: &strings.Builder{}})
	}
	tests := []struct{ config, project string }{
		{"", "tea"},
		{filepath.Join(home, ".claude"), "tea"},
		{".claude/", "tea"},
		{filepath.Join(home, "other"), "pantry"},
		{"other", "pantry"},
		{filepath.Join(home, "third"), "lamp"},
	}
	for _, tt := range tests {
		place.RememberProjects(with(tt.config).Env, []string{filepath.Join(root, tt.project)})
	}
	for _, tt := range tests {
		opts, err := place.CatalogOptions(with(tt.config).Env)
		if want := []string{filepath.Join(root, tt.project)}; err != nil || !slices.Equal(opts.Also, want) {
			t.Errorf("%q: %q, want %q; %v", tt.config, opts.Also, want, err)
		}
	}
}
