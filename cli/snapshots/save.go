package snapshots

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript/export"
	"github.com/continuo-tui/continuo/tui/render"
)

// Ask has the arguments of continuo snapshot save.
type Ask struct {
	Dir, Session  string
	tasks, blocks []string
	from          string
	parts         []*snapshot.Snapshot
	line          string // the command line
	Undo          string // the undo command
}

// read reads the tasks and blocks from the flags and from stdin.
func (a *Ask) read(o *out.Output) error {
	part := &snapshot.Snapshot{}
	for _, title := range a.tasks {
		if title = strings.Join(strings.Fields(title), " "); title == "" {
			return out.Usage("--task needs a title. Is a variable unset?", hint)
		}
		part.Tasks = append(part.Tasks, snapshot.Task{Title: title})
	}
	for _, text := range a.blocks {
		title, content, _ := strings.Cut(strings.TrimSpace(text), ": ")
		if title == "" {
			return out.Usage("--block needs a title. Is a variable unset?", hint)
		}
		part.Blocks = append(part.Blocks, snapshot.Block{Title: title, Content: content})
	}
	a.parts = []*snapshot.Snapshot{part}
	switch {
	case a.from == "":
		return nil
	case a.from != "-":
		return out.Usage("--from takes only -, for an object on stdin, not "+out.Quoted(a.from)+".", hint)
	case o.Typing:
		return out.Usage("--from - reads from a pipe, but stdin is a terminal.", hint)
	}
	text, err := io.ReadAll(io.LimitReader(o.Stdin, snapshot.MaxFile+1))
	if err == nil && len(text) > snapshot.MaxFile {
		err = ledger.ErrTooLong
	}
	if err == nil {
		part, err = snapshot.ParsePart(text)
	}
	if err != nil {
		return &out.Failure{What: "The object on stdin can't be used: " + strings.TrimPrefix(out.Reason(err), "Cannot load: ") + ". Nothing was saved.", Hints: []string{hint}, Cause: err}
	}
	a.parts = append(a.parts, part)
	return nil
}

// saving is a planned save.
type saving struct {
	ask    *Ask
	found  *gathered
	saved  *snapshot.Saved
	masked int
	id     string // ID of the journal entry, after the save
}

// lookSave plans a save.
func lookSave(ctx context.Context, env *place.Env, ask *Ask) (*saving, error) {
	found, err := gather(ctx, env, ask.Dir, ask.Session)
	if err != nil {
		return nil, err
	}
	s := &saving{ask: ask, found: found}
	if _, err := s.plan(env)(ctx); err != nil {
		return nil, saveFailure(env, ask.Dir, err)
	}
	return s, nil
}

// plan returns a planner that merges the tasks into the current file.
func (s *saving) plan(env *place.Env) func(context.Context) (change.Change, error) {
	at := env.Now()
	return func(ctx context.Context) (change.Change, error) {
		mask := export.NewRedactor(env.Home)
		c, err := snapshot.Save(ctx, &snapshot.Request{
			Dir: s.ask.Dir, At: at, Handover: s.found.handover, Parts: append([]*snapshot.Snapshot{s.found.part}, s.ask.parts...), Mask: mask,
		})
		c.Kind = string(journal.Note)
		s.masked = mask.Count
		s.saved, _ = c.Report.(*snapshot.Saved)
		return c, err
	}
}

func saveFailure(env *place.Env, dir string, err error) error {
	if errors.Is(err, snapshot.ErrNoTasks) {
		return &out.Failure{Code: out.ExitNo, What: "There is no task to save. Add a task.", Hints: []string{"continuo snapshot save --task TITLE"}, Cause: err}
	}
	if _, ok := errors.AsType[*out.Failure](err); ok || errors.Is(err, context.Canceled) {
		return err
	}
	return &out.Failure{What: snapshot.Name + " in " + env.Tilde(dir) + " can't be saved: " + strings.TrimSuffix(out.Reason(err), ".") + ". Nothing was written.", Cause: err}
}

// parts formats the plan for the user.
func (s *saving) parts(env *place.Env) []change.Part {
	p := &writing.Plan{}
	verb := "tasks are merged into the file"
	if s.saved.New {
		verb = "1 new file"
	}
	touched := []change.Line{{Text: verb + ", " + words.Size(int64(s.saved.Bytes))}, {Tone: change.Muted, Text: env.Tilde(s.saved.Path), Whole: true}}
	if row := s.found.row; row != nil {
		touched = append(touched, change.Line{Text: "with the tasks of " + place.ShortID(row.ID) + "  " + render.Title(row), Cut: true})
	}
	p.Add("Touched", touched...)
	var text []change.Line
	for line := range strings.Lines(s.saved.Snapshot.SavedText()) {
		text = append(text, change.Line{Tone: change.Code, Text: strings.TrimSuffix(line, "\n")})
	}
	p.Add("Result", text[1:]...)
	var but []change.Line
	if s.saved.Corrupt != nil {
		but = append(but, writing.Warning(s.saved.Corrupt.Error()+". The file is kept as "+snapshot.Name+".bak, and a new one is written"))
	}
	for _, trouble := range s.found.troubles {
		but = append(but, writing.Warning(trouble))
	}
	if s.masked > 0 {
		but = append(but, change.Line{Mark: change.Note, Text: maskedText(s.masked)})
	}
	p.Add("But", but...)
	undo := " restores the previous content."
	switch {
	case s.saved.New:
		undo = " removes the file."
	case s.saved.Corrupt == nil:
		p.Add("Stays", change.Line{Mark: change.Good, Text: "every pending task of the file, and keys that continuo doesn't know"})
	}
	p.Add("Undo", change.Line{Text: s.ask.Undo + undo})
	return p.Parts
}

func maskedText(n int) string {
	return words.Counted(n, "value is", "values are") + " masked: secrets of known formats, e-mail addresses, home directories. Others may remain"
}

// write carries out the save. The result but is a warning, or "".
func (s *saving) write(ctx context.Context, env *place.Env) (but string, err error) {
	done, err := writing.Do(ctx, env, s.plan(env))
	s.id = done.ID
	if err == nil && s.saved.Backup != "" {
		s.saved.Backup = done.Ops[0].Path() // the planned name may have been taken
	}
	return writing.LostBy(&done), writing.Failure(env, err, "the snapshot", func(err error) error { return saveFailure(env, s.ask.Dir, err) })
}

func runSave(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags) error {
	s, err := lookSave(ctx, env, ask)
	if err != nil {
		return err
	}
	p := &writing.Plan{Line: ask.line, Parts: s.parts(env), Report: writing.Report{Action: "snapshot", Snapshot: s.report()}}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		but, err := s.write(ctx, env)
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if err != nil {
			return nil, err
		}
		p.Report.Snapshot, p.Report.Made = s.report(), []string{s.saved.Path}
		return append(strings.Split(s.saved.Snapshot.SavedText(), "\n"), "To undo: "+env.Command("undo", s.id)), nil
	})
}

func (s *saving) report() *writing.Snapshot {
	r := &writing.Snapshot{Path: s.saved.Path, Backup: s.saved.Backup, Counts: s.saved.Snapshot.Counts(), Masked: s.masked}
	if s.found.row != nil {
		r.Session = s.found.row.ID
	}
	if next := s.saved.Snapshot.Next(); next != nil {
		r.Next = next.ID
	}
	return r
}
