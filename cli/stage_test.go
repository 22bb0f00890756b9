package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// stageWorld is a project with .claude/memory and hooks.
type stageWorld struct {
	*memoryHome
	c       browse.Changes
	now     time.Time
	project string
	path    string
}

func newStageWorld(t *testing.T) *stageWorld {
	t.Helper()
	w := &stageWorld{memoryHome: newMemoryHome(t), now: now()}
	w.project = filepath.Join(w.home, "tea")
	w.path = backup.StagedPath(w.project)
	w.write(`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"continuo hook session-start"}]}]}}`, ".claude", "settings.json")
	w.write("# Now\n", "tea", ".claude", "memory", "active-context.md")
	w.c = w.changes(w.now)
	w.c.Env.Now = func() time.Time { return w.now }
	return w
}

func (w *stageWorld) stage(text string) tui.Done {
	w.t.Helper()
	plan, err := w.c.Plan(w.t.Context(), tui.Change{Kind: tui.ChangeStage, Dir: w.project, Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	done, err := w.c.Do(w.t.Context(), plan)
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

// start runs the SessionStart hook, and returns its output.
func (w *stageWorld) start() string {
	return hook.Handle(w.t.Context(), hook.EventStart, hook.In{Env: func(string) string { return "" }, Dir: w.project, Home: w.home, Now: w.c.Env.Now}).Out
}

func (w *stageWorld) undo() {
	w.t.Helper()
	w.do(w.c, tui.ChangeUndo, "")
}

func (w *stageWorld) file() string {
	w.t.Helper()
	text, err := os.ReadFile(w.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(text)
}

// TestStage: undo restores a staged recovery unless it was printed.
func TestStage(t *testing.T) {
	t.Parallel()
	w := newStageWorld(t)
	first, err := w.c.Plan(t.Context(), tui.Change{Kind: tui.ChangeStage, Dir: w.project, Text: "one"})
	if text := planText(first.Parts); err != nil || !strings.Contains(text, "tea/.claude/memory/.gitignore") {
		t.Errorf("the plan, %v:\n%s", err, text)
	}
	if done := w.stage("# Where\n- one"); done.But != "" || !strings.HasPrefix(done.Said, "Staged. The next session that starts in tea prints it once, until ") {
		t.Errorf("%+v", done)
	}
	one := w.file()
	info, err := os.Stat(w.path)
	if err != nil || info.Mode().Perm() != 0o600 || !strings.HasSuffix(one, "\n# Where\n- one\n") {
		t.Fatalf("%v, %v, %q", info, err, one)
	}
	ignored, err := os.ReadFile(filepath.Join(filepath.Dir(w.path), ".gitignore"))
	if err != nil || !strings.Contains(string(ignored), "\n.staged-recovery\n") {
		t.Errorf("%q, %v", ignored, err)
	}
	plan, err := w.c.Plan(t.Context(), tui.Change{Kind: tui.ChangeStage, Dir: w.project, Text: "two"})
	if text := planText(plan.Parts); err != nil || !strings.Contains(text, "Removed    the recovery of about ") || !strings.Contains(text, "that was staged today ") || strings.Contains(text, ".gitignore") ||
		plan.Title != "Stage a recovery" || plan.Verb != "stage" {
		t.Errorf("%v, %+v\n%s", err, plan, text)
	}
	w.now = w.now.Add(time.Minute)
	w.stage("two")
	two := w.file()
	w.undo()
	if w.file() != one {
		t.Errorf("undone: %q", w.file())
	}
	w.undo()
	if w.file() != "" {
		t.Errorf("undone twice: %q", w.file())
	}

	w.stage("two")
	if w.file() != two {
		t.Errorf("%q, want %q", w.file(), two)
	}
	if done := w.stage(""); !strings.HasPrefix(done.Said, "Removed.") || w.file() != "" {
		t.Errorf("%+v, %q", done, w.file())
	}
	w.undo()
	if w.file() != two {
		t.Errorf("back: %q", w.file())
	}

	if out := w.start(); !strings.HasSuffix(out, "\ntwo\n") || strings.Count(out, "\n") != 2 {
		t.Errorf("printed %q", out)
	}
	for _, past := range w.past(w.c) {
		if !past.Off && !past.Back && !past.Step {
			t.Errorf("%s: %s can be undone", past.What, past.Can)
		}
	}
	if out := w.start(); out != "" {
		t.Errorf("printed again %q", out)
	}
	w.stage("x")
	w.start()
	printed := w.past(w.c)[0]
	if text := planText(printed.Parts); printed.Can != "no, as it was" || !strings.Contains(text, "a session start has printed it") {
		t.Errorf("%s\n%s", printed.Can, text)
	}

	// A printed recovery isn't restored.
	w.stage("three")
	w.stage("four")
	w.start()
	plan, err = w.c.Plan(t.Context(), tui.Change{Kind: tui.ChangeUndo})
	if err == nil && plan.Verb != "" {
		t.Errorf("can be undone:\n%s", planText(plan.Parts))
	}
}

// TestStageRefused: no hook would print the recovery.
func TestStageRefused(t *testing.T) {
	t.Parallel()
	type change = tui.Change
	for label, tt := range map[string]struct {
		change func(w *stageWorld) change
		want   string
		code   int
	}{
		"no folder":   {func(*stageWorld) change { return change{Text: "x"} }, "Choose one", out.ExitFailed},
		"no memory":   {func(w *stageWorld) change { return change{Dir: w.home, Text: "x"} }, "has no .claude/memory", out.ExitFailed},
		"nothing":     {func(w *stageWorld) change { return change{Dir: w.project, Text: "\n"} }, "The recovery is empty", out.ExitFailed},
		"none staged": {func(w *stageWorld) change { return change{Dir: w.project} }, "No recovery is staged", out.ExitNone},
		"too long": {func(w *stageWorld) change {
			return change{Dir: w.project, Text: strings.Repeat("x", 8001)}
		}, "The recovery has 8,001 characters; at most 8,000 can be staged", out.ExitFailed},
		"no hook": {func(w *stageWorld) change {
			w.write(`{}`, ".claude", "settings.json")
			return change{Dir: w.project, Text: "x"}
		}, "A staged recovery needs the SessionStart hook in ~/tea. Install the hook.", out.ExitFailed},
		"hooks off": {func(w *stageWorld) change {
			w.write(`{"disableAllHooks":true}`, "tea", ".claude", "settings.local.json")
			return change{Dir: w.project, Text: "x"}
		}, "Hooks are disabled in ~/tea/.claude/settings.local.json", out.ExitFailed},
		"a directory": {func(w *stageWorld) change {
			w.write("x", "tea", ".claude", "memory", ".staged-recovery", "x")
			return change{Dir: w.project, Text: "x"}
		}, "wasn't written by continuo", out.ExitFailed},
	} {
		w := newStageWorld(t)
		ask := tt.change(w)
		ask.Kind = tui.ChangeStage
		before := w.files()
		_, err := w.c.Plan(t.Context(), ask)
		if err == nil || !strings.Contains(err.Error(), tt.want) || out.AsFailure(err).ExitCode() != tt.code {
			t.Errorf("%s: %v", label, err)
		}
		w.same(label, before, nil, nil)
	}
}

// TestStageOver: a damaged or old staged file can be replaced. A file that has changed since the plan is kept.
func TestStageOver(t *testing.T) {
	t.Parallel()
	w := newStageWorld(t)
	w.write("somebody's", "tea", ".claude", "memory", ".staged-recovery")
	plan, err := w.c.Plan(t.Context(), tui.Change{Kind: tui.ChangeStage, Dir: w.project})
	if err != nil || !strings.Contains(planText(plan.Parts), "a staged recovery that is old or damaged") {
		t.Fatalf("%v\n%s", err, planText(plan.Parts))
	}
	w.write("another", "tea", ".claude", "memory", ".staged-recovery")
	if _, err := w.c.Do(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "changed since") || w.file() != "another" {
		t.Errorf("%v, %q", err, w.file())
	}
	if past := w.past(w.c); len(past) != 0 {
		t.Errorf("%+v", past)
	}
	w.stage("x")
	w.undo()
	if w.file() != "another" {
		t.Errorf("%q", w.file())
	}
	w.stage("")
	w.undo()
	if w.file() != "another" {
		t.Errorf("%q", w.file())
	}
	list, _ := place.OpenJournal(w.c.Env).List(t.Context())
	if len(list) == 0 || list[len(list)-1].Kind != journal.Stage {
		t.Errorf("%+v", list)
	}
}

// TestStageJournal: without a journal, the change could not be undone.
func TestStageJournal(t *testing.T) {
	t.Parallel()
	w := newStageWorld(t)
	w.write("a file, where a directory has to be", ".local", "state")
	plan, err := w.c.Plan(t.Context(), tui.Change{Kind: tui.ChangeStage, Dir: w.project, Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.c.Do(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "Nothing was written.") || w.file() != "" {
		t.Errorf("%v, %q", err, w.file())
	}
}

func TestStagedStatus(t *testing.T) {
	t.Parallel()
	w := newStageWorld(t)
	at, _, ok, err := survey.StagedOf(t.Context(), filepath.Join(w.project), w.c.Env.Home, w.c.Env.Now())
	if ok || err != nil || !at.IsZero() || doctor.NewStatusStaged(survey.StagedRecovery(w.project, w.c.Env.Now())) != nil || doctor.NewStatusStaged(survey.StagedRecovery("", w.c.Env.Now())) != nil {
		t.Errorf("%v, %v, %v", at, ok, err)
	}
	w.stage("x")
	staged := w.now.UTC()
	for _, tt := range []struct {
		after time.Duration
		why   string
		row   string
	}{
		{0, "", "the next start prints it"},
		{24 * time.Hour, "", "the next start prints it"},
		{25 * time.Hour, "staged more than 24 hours ago", "will not be printed: staged more than 24 hours ago"},
	} {
		w.now = staged.Add(tt.after)
		s := doctor.NewStatusStaged(survey.StagedRecovery(w.project, w.c.Env.Now()))
		if s == nil || s.Why != tt.why || !time.Time(s.At).Equal(staged) {
			t.Fatalf("after %v: %+v", tt.after, s)
		}
		if row := doctor.StagedRow(w.c.Env, s); !strings.Contains(row.Fact, tt.row) || row.Run != "continuo recover --unstage" {
			t.Errorf("after %v: %+v", tt.after, row)
		}
	}
	w.write("x", "tea", ".claude", "memory", ".staged-recovery")
	if s := doctor.NewStatusStaged(survey.StagedRecovery(w.project, w.c.Env.Now())); s == nil || s.Why != "damaged, or not written by continuo" {
		t.Errorf("%+v", s)
	}
}

func TestStageCommand(t *testing.T) {
	t.Parallel()
	w := newStageWorld(t)
	d := &deps{w.c.Env, w.c.O}
	var printed strings.Builder
	d.Out.W = &printed
	err := backups.StageCommand(t.Context(), d.Env, d.Output, writing.Flags{}, w.project, "x", "continuo recover 1 --stage")
	if f := out.AsFailure(err); err == nil || len(f.Hints) != 1 || f.Hints[0] != "continuo recover 1 --stage --yes" || w.file() != "" {
		t.Errorf("%v, %q", err, w.file())
	}
	for text, want := range map[string]string{"x": "Staged. ", "": "Removed. "} {
		printed.Reset()
		if text == "" {
			w.stage("x")
		}
		err := backups.StageCommand(t.Context(), d.Env, d.Output, writing.Flags{Yes: true}, w.project, text, "continuo recover")
		if err != nil || !strings.Contains(printed.String(), "\n"+want) || !strings.Contains(printed.String(), "To undo: continuo undo 2026") || (w.file() == "") != (text == "") {
			t.Errorf("%q: %v, %s", text, err, &printed)
		}
	}
	printed.Reset()
	w.stage("x")
	d.JSON = true
	if err := backups.StageCommand(t.Context(), d.Env, d.Output, writing.Flags{DryRun: true}, w.project, "y", ""); err != nil {
		t.Error(err)
	}
	if got := printed.String(); !strings.Contains(got, `"action":"stage","done":false,`) || !strings.Contains(got, `"staged":{"path":"`+w.path+`","at":"2026-11-21T15:52:00Z","tokens":`) {
		t.Errorf("%s", got)
	}
}
