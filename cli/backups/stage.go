package backups

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// Staging is a plan to stage a recovery for the next session start, or to remove it.
type Staging struct {
	Project string        // has the memory
	Text    string        // "" removes the staged file
	Was     []byte        // current bytes of the file, or nil
	There   backup.Staged // Was, parsed
	named   bool          // .gitignore lists the file
	Tokens  int           // to stage or, if Text is "", to remove
	id      string        // ID of the journal entry; set afterwards
}

// PlanStage plans to stage a text for the project at root. If the text is "", it plans to remove the staged
// recovery. undo is the command that undoes the change.
func PlanStage(ctx context.Context, env *place.Env, root, text, undo string) (*writing.Plan, *Staging, error) {
	s := &Staging{Project: survey.MemoryOf(ctx, root, env.Home)}
	if s.Project == "" {
		return nil, nil, &out.Failure{
			What:  "The project " + env.Tilde(root) + " has no .claude/memory, so nothing can be staged there. Set it up.",
			Hints: []string{"continuo init   in the project"}, Cause: backup.ErrNoMemory,
		}
	}
	if err := ReadStaged(env, s); err != nil {
		return nil, nil, err
	}
	if text == "" {
		if s.Was == nil {
			return nil, nil, &out.Failure{Code: out.ExitNone, What: "No recovery is staged in " + env.Tilde(s.Project) + "."}
		}
		s.Tokens = recovery.Tokens(s.There.Text)
		return unstagePlan(env, s, undo), s, nil
	}
	if f := noStart(env, s.Project); f != nil {
		return nil, nil, f
	}
	ready, err := backup.NewStaged(text, env.Now())
	switch {
	case errors.Is(err, backup.ErrStagedLong):
		return nil, nil, &out.Failure{
			What: fmt.Sprintf("The recovery has %s characters; at most %s can be staged, because Claude Code cuts hook output at about 10,000. Shorten the recovery.",
				words.Count(backup.StagedLen(text)), words.Count(backup.MaxStaged)),
			Hints: []string{fmt.Sprintf("--max-tokens %d   limits the size of a recovery", backup.MaxStaged/recovery.RunesPerToken)}, Cause: err,
		}
	case err != nil:
		return nil, nil, &out.Failure{What: "The recovery is empty, so there is nothing to stage.", Cause: err}
	}
	s.Text, s.Tokens = ready.Text, recovery.Tokens(ready.Text)
	return stagePlan(env, s, undo), s, nil
}

// ReadStaged reads the staged file of a project, even if it is damaged.
func ReadStaged(env *place.Env, s *Staging) error {
	m, err := openMemory(env, s.Project)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // nothing was written
	if s.Was, _, err = m.StagedFile(); err != nil {
		path := backup.StagedPath(s.Project)
		return &out.Failure{What: env.Tilde(path) + " wasn't written by continuo: " + out.Reason(err) + ". Move the file away.", Cause: err}
	}
	s.named = m.NamesStaged()
	s.There, _, _ = m.Staged(env.Now()) // a damaged file can be replaced or removed
	return nil
}

// noStart returns an error if the project has no hook that prints a staged recovery.
func noStart(env *place.Env, project string) error {
	if env.MadeUp { // the demo stages nothing
		return nil
	}
	conf, _ := place.LoadConfig(env) // the caller has reported the error
	dirs, _ := place.SearchDirs(env, conf)
	runs := false
	for _, dir := range append(slices.Clone(dirs), "") {
		found := setup.Options{Home: env.Home, Project: project, ConfigDir: dir}.Look()
		if len(found.Disabled) > 0 {
			return &out.Failure{
				What:  "Hooks are disabled in " + env.Tilde(found.Disabled[0]) + ", so no session start would print the recovery. Enable the hooks.",
				Hints: []string{"continuo doctor hooks"},
			}
		}
		runs = runs || found.Runs(hook.EventStart)
	}
	if runs {
		return nil
	}
	return &out.Failure{
		What:  "A staged recovery needs the SessionStart hook in " + env.Tilde(project) + ". Install the hook.",
		Hints: []string{"continuo init   in the project"},
	}
}

// AboutTokens returns a number of tokens in words, such as "about 200 tokens".
func AboutTokens(n int) string { return "about " + words.Counted(n, "token", "tokens") }

// stagedThere describes the staged recovery.
func stagedThere(env *place.Env, s *Staging) string {
	if s.There.Text == "" {
		return "a staged recovery that is old or damaged"
	}
	return "the recovery of " + AboutTokens(recovery.Tokens(s.There.Text)) + " that was staged " + env.Moment(s.There.At)
}

func stagePlan(env *place.Env, s *Staging, undo string) *writing.Plan {
	path := backup.StagedPath(s.Project)
	p := &writing.Plan{Report: writing.Report{Action: "stage", Staged: &writing.Staged{Path: path, At: out.Time(env.Now()), Tokens: s.Tokens}}}
	touched := []change.Line{
		{Text: "1 private file that git ignores: a recovery of " + AboutTokens(s.Tokens)},
		{Tone: change.Muted, Text: env.Tilde(path), Right: words.Size(int64(len(s.Text))), Whole: true},
	}
	if !s.named {
		touched = append(touched, change.Line{Text: "1 file that hides the recovery from git; undo keeps this file"},
			change.Line{Tone: change.Muted, Text: env.Tilde(filepath.Join(filepath.Dir(path), ".gitignore")), Whole: true})
	}
	p.Add("Touched", touched...)
	if s.Was != nil {
		p.Add("Removed", change.Line{Text: stagedThere(env, s)})
	}
	p.Add("Stays",
		change.Line{Mark: change.Good, Text: "the ledger is not changed"},
		change.Line{Mark: change.Note, Text: "the next session that starts in " + place.BaseName(s.Project) + " prints it once, also after /clear, a compaction or a resume"},
		change.Line{Mark: change.Note, Text: "it expires after 24 h"})
	p.Add("Undo", change.Line{Text: undo + " undoes it until it is printed."})
	return p
}

func unstagePlan(env *place.Env, s *Staging, undo string) *writing.Plan {
	path := backup.StagedPath(s.Project)
	p := &writing.Plan{Report: writing.Report{Action: "unstage", Deleted: []string{path}, Staged: &writing.Staged{Path: path, At: out.Time(s.There.At), Tokens: s.Tokens}}}
	p.Add("Removed", change.Line{Text: stagedThere(env, s)},
		change.Line{Tone: change.Muted, Text: env.Tilde(path), Right: words.Size(int64(len(s.Was))), Whole: true})
	p.Add("Undo", change.Line{Text: undo + " restores it with its time."})
	return p
}

// CarryOutStage carries out the plan. The result message describes the outcome. The result but is a warning, or
// "".
func CarryOutStage(ctx context.Context, env *place.Env, s *Staging) (message, but string, err error) {
	m, err := openMemory(env, s.Project)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = m.Close() }() // all is synced
	what, now := "Removed a staged recovery", env.Now()
	var file []byte
	if s.Text != "" {
		if but, err = guardStaged(env, m); err != nil {
			return "", "", err
		}
		ready := backup.Staged{At: now, Text: s.Text}
		file, what = ready.Encode(), "Staged a recovery of "+AboutTokens(s.Tokens)
	}
	done, err := writing.Do(ctx, env, func(context.Context) (change.Change, error) {
		c, err := m.PlanStage(s.Was, file)
		c.What = what
		return c, err
	})
	if err != nil {
		return "", "", writing.Failure(env, err, "the staged recovery", func(err error) error { return MemoryFailure(env, s.Project, err) })
	}
	s.id, but = done.ID, out.JoinSentences(but, writing.LostBy(&done))
	if s.Text == "" {
		return "Removed. No session start prints the recovery.", but, nil
	}
	until := words.Moment(now, now.Add(backup.StagedFor))
	return "Staged. The next session that starts in " + place.BaseName(s.Project) + " prints it once, until " + until + ".", but, nil
}

// guardStaged adds the staged file to .gitignore.
func guardStaged(env *place.Env, m *backup.Memory) (but string, err error) {
	ignored, err := m.GuardStaged()
	switch {
	case err != nil:
		return "", MemoryFailure(env, m.Project(), err)
	case !ignored:
		return "The .gitignore of the memory isn't a regular file, so git may see the staged recovery.", nil
	}
	return "", nil
}

// StageCommand shows the plan, and carries it out after the user confirms. line is the command line.
func StageCommand(ctx context.Context, env *place.Env, o *out.Output, w writing.Flags, root, text, line string) error {
	p, s, err := PlanStage(ctx, env, root, text, env.UndoLater())
	if err != nil {
		return err
	}
	p.Line = line
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		message, but, err := CarryOutStage(ctx, env, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if s.Text != "" {
			p.Report.Made = []string{backup.StagedPath(s.Project)}
		}
		return []string{message, "To undo: " + env.Command("undo", s.id)}, nil
	})
}
