package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// staging is a recovery that is to be put where the next start of a session prints it, or that is taken away from there.
type staging struct {
	project string        // that has the memory
	text    string        // as it is printed; "" what is staged is taken away
	was     []byte        // the file as it is now; nil: there is none
	there   backup.Staged // what it says
	named   bool          // the .gitignore of the memory has it
	tokens  int           // of text, or of what is taken away
	id      string        // of the action, once it was done
}

// stagedJSON is a staged recovery for programs.
type stagedJSON struct {
	Path   string   `json:"path"`
	At     out.Time `json:"at"`
	Tokens int      `json:"tokens"` // an estimate
}

// planStage plans to stage a recovery in the project that a folder belongs to, or for "" to take away what is staged.
// undo is what takes that back. carryOutStage does it.
func planStage(ctx context.Context, env *Env, root, text, undo string) (*deedPlan, *staging, error) {
	s := &staging{project: survey.MemoryOf(ctx, root, env.home)}
	if s.project == "" {
		return nil, nil, &out.Failure{
			What:  "The project " + env.tilde(root) + " has no .claude/memory, so nothing can be staged there. Set it up.",
			Hints: []string{"continuo init   in the project"}, Cause: backup.ErrNoMemory,
		}
	}
	if err := readStaged(env, s); err != nil {
		return nil, nil, err
	}
	if text == "" {
		if s.was == nil {
			return nil, nil, &out.Failure{Code: out.ExitNone, What: "Nothing is staged in " + env.tilde(s.project) + "."}
		}
		s.tokens = recovery.Tokens(s.there.Text)
		return unstagePlan(env, s, undo), s, nil
	}
	if f := noStart(env, s.project); f != nil {
		return nil, nil, f
	}
	ready, err := backup.NewStaged(text, env.now())
	switch {
	case errors.Is(err, backup.ErrStagedLong):
		return nil, nil, &out.Failure{
			What: fmt.Sprintf("This has %s characters, and at most %s are staged: Claude Code cuts what a hook prints at about 10,000. Take less of it.",
				words.Count(backup.StagedLen(text)), words.Count(backup.MaxStaged)),
			Hints: []string{fmt.Sprintf("--max-tokens %d   bounds a recovery", backup.MaxStaged/recovery.RunesPerToken)}, Cause: err,
		}
	case err != nil:
		return nil, nil, &out.Failure{What: "There is nothing in this recovery, so there is nothing to stage.", Cause: err}
	}
	s.text, s.tokens = ready.Text, recovery.Tokens(ready.Text)
	return stagePlan(env, s, undo), s, nil
}

// readStaged reads the file of a project as it is, whatever is in it.
func readStaged(env *Env, s *staging) error {
	m, err := openMemory(env, s.project)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // it is only read
	if s.was, _, err = m.StagedFile(); err != nil {
		path := backup.StagedPath(s.project)
		return &out.Failure{What: env.tilde(path) + " is not what continuo writes: " + out.Reason(err) + ". Move it away yourself.", Cause: err}
	}
	s.named = m.NamesStaged()
	s.there, _, _ = m.Staged(env.now()) // what is damaged can be replaced and taken away all the same
	return nil
}

// noStart says why nothing would print what is staged in a project, nil when a hook does.
func noStart(env *Env, project string) error {
	conf, _ := loadConfig(env) // whoever needs it has looked at the error
	dirs, _ := searchDirs(env, conf)
	runs := false
	for _, dir := range append(slices.Clone(dirs), "") {
		found := setup.Options{Home: env.home, Project: project, ConfigDir: dir}.Look()
		if len(found.Disabled) > 0 {
			return &out.Failure{
				What:  "Hooks are turned off in " + env.tilde(found.Disabled[0]) + ", so no start of a session would print this. Turn them on.",
				Hints: []string{"continuo doctor hooks"},
			}
		}
		runs = runs || found.Runs(hook.EventStart)
	}
	if runs {
		return nil
	}
	return &out.Failure{
		What:  "No hook of continuo runs in " + env.tilde(project) + " when a session starts, so nothing would print this. Install the hooks.",
		Hints: []string{"continuo init   in the project"},
	}
}

// aboutTokens is a number of tokens that is estimated.
func aboutTokens(n int) string { return "about " + words.Counted(n, "token", "tokens") }

// stagedThere says what is staged by now.
func stagedThere(env *Env, s *staging) string {
	if s.there.Text == "" {
		return "what is there and would not be printed: it is old or damaged"
	}
	return "the recovery of " + aboutTokens(recovery.Tokens(s.there.Text)) + " that was staged " + env.moment(s.there.At)
}

func stagePlan(env *Env, s *staging, undo string) *deedPlan {
	path := backup.StagedPath(s.project)
	p := &deedPlan{report: deedJSON{Action: "stage", Staged: &stagedJSON{path, out.Time(env.now()), s.tokens}}}
	touched := []change.Line{
		{Text: "1 file for you alone, which git ignores: a recovery of " + aboutTokens(s.tokens)},
		{Tone: change.Muted, Text: env.tilde(path), Right: words.Size(int64(len(s.text))), Whole: true},
	}
	if !s.named {
		touched = append(touched, change.Line{Text: "1 file that names it for git, which undo leaves"},
			change.Line{Tone: change.Muted, Text: env.tilde(filepath.Join(filepath.Dir(path), ".gitignore")), Whole: true})
	}
	p.add("Touched", touched...)
	if s.was != nil {
		p.add("Removed", change.Line{Text: stagedThere(env, s)})
	}
	p.add("Stays",
		change.Line{Mark: change.Good, Text: "the ledger that it was made of is only read"},
		change.Line{Mark: change.Note, Text: "the next session that starts in " + baseName(s.project) + " prints it once, also after /clear, a compaction or a resume"},
		change.Line{Mark: change.Note, Text: "after 24 hours none does"})
	p.add("Undo", change.Line{Text: undo + " takes it back, as long as it was not printed."})
	return p
}

func unstagePlan(env *Env, s *staging, undo string) *deedPlan {
	path := backup.StagedPath(s.project)
	p := &deedPlan{report: deedJSON{Action: "unstage", Deleted: []string{path}, Staged: &stagedJSON{path, out.Time(s.there.At), s.tokens}}}
	p.add("Removed", change.Line{Text: stagedThere(env, s)},
		change.Line{Tone: change.Muted, Text: env.tilde(path), Right: words.Size(int64(len(s.was))), Whole: true})
	p.add("Undo", change.Line{Text: undo + " puts it back, with the time that it has."})
	return p
}

// carryOutStage does what was planned. said is what was done; but is what went wrong besides.
func carryOutStage(ctx context.Context, env *Env, s *staging) (said, but string, err error) {
	m, err := openMemory(env, s.project)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	what, now := "Took a staged recovery away", env.now()
	var file []byte
	if s.text != "" {
		if but, err = guardStaged(env, m); err != nil {
			return "", "", err
		}
		ready := backup.Staged{At: now, Text: s.text}
		file, what = ready.Encode(), "Staged a recovery of "+aboutTokens(s.tokens)
	}
	done, err := changeMemory(ctx, env, s.project, func(context.Context) (change.Change, error) {
		c, err := m.PlanStage(s.was, file)
		c.What = what
		return c, err
	}, func(err error) error { return unkept(env, "What is staged", err, "Nothing was done.") })
	if err != nil {
		return "", "", err
	}
	s.id, but = done.ID, joinSentences(but, lostBy(&done))
	if s.text == "" {
		return "Taken away. No start of a session prints it.", but, nil
	}
	until := words.Moment(now, now.Add(backup.StagedFor))
	return "Staged. The next session that starts in " + baseName(s.project) + " prints it once, until " + until + ".", but, nil
}

// guardStaged keeps git away from what is staged.
func guardStaged(env *Env, m *backup.Memory) (but string, err error) {
	ignored, err := m.GuardStaged()
	switch {
	case err != nil:
		return "", memoryFailure(env, m.Project(), err)
	case !ignored:
		return "The .gitignore of the memory is no file of its own, so git may see what is staged.", nil
	}
	return "", nil
}

// stageCommand shows the plan to stage a text, or to take away what is staged, and does it if that is wanted. line is
// the command line of this run.
func stageCommand(ctx context.Context, env *Env, o *out.Output, w writeFlags, root, text, line string) error {
	p, s, err := planStage(ctx, env, root, text, env.undoLater())
	if err != nil {
		return err
	}
	p.line = line
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		said, but, err := carryOutStage(ctx, env, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.report.Problems = append(p.report.Problems, but)
		}
		if s.text != "" {
			p.report.Made = []string{backup.StagedPath(s.project)}
		}
		return []string{said, "To take it back: " + env.command("undo", s.id)}, nil
	})
}
