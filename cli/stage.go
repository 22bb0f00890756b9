package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// staging is a recovery that is to be put where the next start of a session prints it, or that is taken away from there.
type staging struct {
	project string        // that has the memory
	text    string        // as it is printed; "" what is staged is taken away
	was     []byte        // the file as it is now; nil: there is none
	mode    fs.FileMode   // of it
	there   backup.Staged // what it says
	named   bool          // the .gitignore of the memory has it
	tokens  int           // of text, or of what is taken away
	id      string        // of the action, once it is begun
}

// stagedJSON is a staged recovery for programs.
type stagedJSON struct {
	Path   string `json:"path"`
	At     stamp  `json:"at"`
	Tokens int    `json:"tokens"` // an estimate
}

// planStage plans to stage a recovery in the project that a folder belongs to, or for "" to take away what is staged.
// undo is what takes that back. carryOutStage does it.
func (d *deps) planStage(ctx context.Context, g *globals, root, text, undo string) (*deedPlan, *staging, error) {
	s := &staging{project: survey.MemoryOf(ctx, root, d.home)}
	if s.project == "" {
		return nil, nil, &failure{
			what:  "The project " + d.tilde(root) + " has no .claude/memory, so nothing can be staged there. Set it up.",
			hints: []string{"continuo init   in the project"}, cause: backup.ErrNoMemory,
		}
	}
	if err := d.readStaged(s); err != nil {
		return nil, nil, err
	}
	if text == "" {
		if s.was == nil {
			return nil, nil, &failure{code: ExitNone, what: "Nothing is staged in " + d.tilde(s.project) + "."}
		}
		s.tokens = recovery.Tokens(s.there.Text)
		return d.unstagePlan(s, undo), s, nil
	}
	if f := d.noStart(g, s.project); f != nil {
		return nil, nil, f
	}
	ready, err := backup.NewStaged(text, d.now())
	switch {
	case errors.Is(err, backup.ErrStagedLong):
		return nil, nil, &failure{
			what: fmt.Sprintf("This has %s characters, and at most %s are staged: Claude Code cuts what a hook prints at about 10,000. Take less of it.",
				render.Count(backup.StagedLen(text)), render.Count(backup.MaxStaged)),
			hints: []string{fmt.Sprintf("--max-tokens %d   bounds a recovery", backup.MaxStaged/recovery.RunesPerToken)}, cause: err,
		}
	case err != nil:
		return nil, nil, &failure{what: "There is nothing in this recovery, so there is nothing to stage.", cause: err}
	}
	s.text, s.tokens = ready.Text, recovery.Tokens(ready.Text)
	return d.stagePlan(s, undo), s, nil
}

// readStaged reads the file of a project as it is, whatever is in it.
func (d *deps) readStaged(s *staging) error {
	path := backup.StagedPath(s.project)
	m, err := d.openMemory(s.project)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // it is only read
	if s.was, s.mode, err = stagedFile(path); err != nil {
		return &failure{what: d.tilde(path) + " is not what continuo writes: " + reason(err) + ". Move it away yourself.", cause: err}
	}
	s.named = m.NamesStaged()
	s.there, _, _ = m.Staged(d.now()) // what is damaged can be replaced and taken away all the same
	return nil
}

// noStart says why nothing would print what is staged in a project, nil when a hook does.
func (d *deps) noStart(g *globals, project string) error {
	conf, _ := d.config() // whoever needs it has looked at the error
	dirs, _ := d.claudeDirs(g, conf)
	runs := false
	for _, dir := range append(slices.Clone(dirs), "") {
		found := hook.Setup{Home: d.home, Project: project, ConfigDir: dir}.Look()
		if len(found.Disabled) > 0 {
			return &failure{
				what:  "Hooks are turned off in " + d.tilde(found.Disabled[0]) + ", so no start of a session would print this. Turn them on.",
				hints: []string{"continuo doctor hooks"},
			}
		}
		runs = runs || found.Runs(hook.EventStart)
	}
	if runs {
		return nil
	}
	return &failure{
		what:  "No hook of continuo runs in " + d.tilde(project) + " when a session starts, so nothing would print this. Install the hooks.",
		hints: []string{"continuo init   in the project"},
	}
}

// aboutTokens is a number of tokens that is estimated.
func aboutTokens(n int) string { return "about " + render.Counted(n, "token", "tokens") }

// stagedThere says what is staged by now.
func (d *deps) stagedThere(s *staging) string {
	if s.there.Text == "" {
		return "what is there and would not be printed: it is old or damaged"
	}
	return "the recovery of " + aboutTokens(recovery.Tokens(s.there.Text)) + " that was staged " + d.moment(s.there.At)
}

func (d *deps) stagePlan(s *staging, undo string) *deedPlan {
	path := backup.StagedPath(s.project)
	p := &deedPlan{report: deedJSON{Action: "stage", Staged: &stagedJSON{path, stamp(d.now()), s.tokens}}}
	touched := []render.PlanLine{
		{Text: "1 file for you alone, which git ignores: a recovery of " + aboutTokens(s.tokens)},
		{Ink: render.Muted, Text: d.tilde(path), Right: render.Size(int64(len(s.text))), Whole: true},
	}
	if !s.named {
		touched = append(touched, render.PlanLine{Text: "1 file that names it for git, which undo leaves"},
			render.PlanLine{Ink: render.Muted, Text: d.tilde(filepath.Join(filepath.Dir(path), ".gitignore")), Whole: true})
	}
	p.add("Touched", touched...)
	if s.was != nil {
		p.add("Removed", render.PlanLine{Text: d.stagedThere(s)})
	}
	good, dot := render.Span{Ink: render.Good, Text: "✓"}, render.Span{Ink: render.Faint, Text: "·"}
	p.add("Stays",
		render.PlanLine{Glyph: good, Text: "the ledger that it was made of is only read"},
		render.PlanLine{Glyph: dot, Text: "the next session that starts in " + baseName(s.project) + " prints it once, also after /clear, a compaction or a resume"},
		render.PlanLine{Glyph: dot, Text: "after 24 hours none does"})
	p.add("Undo", render.PlanLine{Text: undo + " takes it back, as long as it was not printed."})
	return p
}

func (d *deps) unstagePlan(s *staging, undo string) *deedPlan {
	path := backup.StagedPath(s.project)
	p := &deedPlan{report: deedJSON{Action: "unstage", Deleted: []string{path}, Staged: &stagedJSON{path, stamp(s.there.At), s.tokens}}}
	p.add("Removed", render.PlanLine{Text: d.stagedThere(s)},
		render.PlanLine{Ink: render.Muted, Text: d.tilde(path), Right: render.Size(int64(len(s.was))), Whole: true})
	p.add("Undo", render.PlanLine{Text: undo + " puts it back, with the time that it has."})
	return p
}

// carryOutStage does what was planned. said is what was done; but is what went wrong besides.
func (d *deps) carryOutStage(ctx context.Context, s *staging) (said, but string, err error) {
	path := backup.StagedPath(s.project)
	what, made := "Took a staged recovery away", journal.Made{Path: path, Before: s.was, Mode: uint32(s.mode)}
	var file []byte
	now := d.now()
	if s.text != "" {
		if but, err = d.guardStaged(s.project); err != nil {
			return "", "", err
		}
		ready := backup.Staged{At: now, Text: s.text}
		file, what = ready.Encode(), "Staged a recovery of "+aboutTokens(s.tokens)
		made.Sum = sumOf(file)
	}
	a := d.begin(ctx, journal.Entry{Kind: journal.Stage, What: what, Where: []string{s.project}, Made: []journal.Made{made}})
	if a.lost != nil {
		return "", "", &failure{
			what:  "What is staged is kept before, so that it can be taken back, and that failed: " + reason(a.lost) + ". Nothing was done.",
			facts: []string{d.tilde(d.journalDir())}, cause: a.lost,
		}
	}
	s.id = a.entry.ID
	f, err := backup.OpenDocument(path)
	if err == nil {
		err = f.Put(ctx, s.was, file, 0o600)
		_ = f.Close() // what is written is synced
	}
	if err != nil {
		switch there, _, unread := stagedFile(path); {
		case unread != nil: // the journal has what takes it back, should it be ours
			return "", "", d.memoryFailure(s.project, err)
		case sumOf(there) != made.Sum:
			_ = a.end(ctx, true)
			return "", "", d.memoryFailure(s.project, err)
		}
		but = joinSentences(but, sentence(err.Error())+" It may not last through a crash.")
	}
	but = joinSentences(but, a.end(ctx, false))
	if s.text == "" {
		return "Taken away. No start of a session prints it.", but, nil
	}
	until := render.Moment(now, now.Add(backup.StagedFor))
	return "Staged. The next session that starts in " + baseName(s.project) + " prints it once, until " + until + ".", but, nil
}

// guardStaged keeps git away from what is staged.
func (d *deps) guardStaged(project string) (but string, err error) {
	m, err := d.openMemory(project)
	if err != nil {
		return "", err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	ignored, err := m.GuardStaged()
	switch {
	case err != nil:
		return "", d.memoryFailure(project, err)
	case !ignored:
		return "The .gitignore of the memory is no file of its own, so git may see what is staged.", nil
	}
	return "", nil
}

// stagedFile is the file as it is; nil is none.
func stagedFile(path string) ([]byte, fs.FileMode, error) {
	f, err := backup.OpenDocument(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }() // it is only read
	return f.Read()
}

// stageCommand shows the plan to stage a text, or to take away what is staged, and does it if that is wanted. line is
// the command line of this run.
func (d *deps) stageCommand(ctx context.Context, g *globals, w writeFlags, root, text, line string) error {
	p, s, err := d.planStage(ctx, g, root, text, g.undoLater())
	if err != nil {
		return err
	}
	p.line = line
	return d.proceed(ctx, g, w, p, func(ctx context.Context) ([]string, error) {
		said, but, err := d.carryOutStage(ctx, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.report.Problems = append(p.report.Problems, but)
		}
		if s.text != "" {
			p.report.Made = []string{backup.StagedPath(s.project)}
		}
		return []string{said, "To take it back: " + g.command("undo", s.id)}, nil
	})
}
