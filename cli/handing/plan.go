package handing

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/tui/render"
)

// Planned is a planned handover.
type Planned struct {
	look   *Look
	value  *handover.Handover
	which  []stores.Name
	Writes []stores.Write
	ID     string // ID of the journal entry; set after writing
}

// Plan plans to write a handover into stores.
func (l *Look) Plan(ctx context.Context, env *place.Env, v *handover.Handover, which []stores.Name) (*Planned, error) {
	k := &Planned{look: l, value: v, which: which}
	_, err := k.plan(ctx)
	return k, l.failure(env, err)
}

func (k *Planned) plan(ctx context.Context) (change.Change, error) {
	c, err := stores.Plan(ctx, &k.look.Place, k.value, k.which)
	if r, ok := c.Report.(stores.Report); ok {
		k.Writes = r.Writes
	}
	return c, err
}

// Write writes the handover. The result but is a warning, or "".
func (k *Planned) Write(ctx context.Context, env *place.Env) (said, but string, err error) {
	l := k.look
	if slices.Contains(k.which, stores.Document) {
		if m, err := backup.OpenMemory(l.Place.Memory); err == nil { // else the plan fails
			if err := m.Guard(); err != nil {
				but = out.Sentence(err.Error())
			}
			_ = m.Close() // all is synced
		}
	}
	done, err := writing.Do(ctx, env, k.plan)
	k.ID = done.ID
	for i := range k.Writes {
		if w := &k.Writes[i]; w.Problem != nil {
			but = out.JoinSentences(but, unwritten(w)+".")
		}
	}
	return done.What + ".", out.JoinSentences(but, writing.LostBy(&done)), writing.Failure(env, err, "a handover", func(err error) error { return l.failure(env, err) })
}

// failure converts the error of a store to a message.
func (l *Look) failure(env *place.Env, err error) error {
	if err == nil {
		return nil
	}
	p := &l.Place.Project
	memory := false
	if s, ok := errors.AsType[*stores.Error](err); ok {
		switch s.Store {
		case stores.Context, stores.Document:
			memory = true
		case stores.Notes:
		case stores.Trajectory:
			return entries.LogFailure(env, p.Trajectory, s.Err)
		case stores.Snapshot:
			return &out.Failure{What: snapshot.Name + " can't be saved: " + strings.TrimSuffix(out.Reason(s.Err), ".") + ". Leave it out.", Cause: err}
		case stores.Task:
			return &out.Failure{What: "The checkpoint of the task can't be written: " + out.Reason(s.Err) + ". Leave it out with --to.", Cause: err}
		}
	} else if op, ok := errors.AsType[*change.OpError](err); ok {
		memory = l.Place.Memory != "" && place.Within(op.Path, filepath.Join(l.Place.Memory, ".claude"))
	}
	switch {
	case errors.Is(err, change.ErrChanged):
		return &out.Failure{What: "A file changed since the plan was made, so nothing was written. Try again.", Cause: err}
	case errors.Is(err, stores.ErrTooLarge):
		return &out.Failure{What: env.Tilde(p.Notes) + " is larger than 1 MB (limit of undo). Move old entries to another file.", Cause: err}
	case memory:
		return backups.MemoryFailure(env, l.Place.Memory, err)
	}
	return entries.NotesFailure(env, p, err)
}

// diffMost is the maximum number of diff lines per file.
const diffMost = 60

// Plan returns the plan for the user. undo is the key or the command for undo. With texts, the plan has the new
// and the lost lines.
func (k *Planned) Plan(env *place.Env, undo string, texts bool) *writing.Plan {
	p := &writing.Plan{}
	var touched, but []change.Line
	for i := range k.Writes {
		w := &k.Writes[i]
		if w.Problem != nil {
			but = append(but, writing.Warning(unwritten(w)))
			continue
		}
		text, right := k.what(w)
		touched = append(touched, change.Line{Text: text, Right: right}, change.Line{Tone: change.Muted, Text: env.Tilde(w.Path), Whole: true})
	}
	p.Add("Touched", touched...)
	if texts {
		for i := range k.Writes {
			p.Add("Diff", k.text(&k.Writes[i])...)
		}
	}
	for _, s := range k.look.but {
		but = append(but, writing.Warning(s))
	}
	for i := range k.Writes {
		if w := &k.Writes[i]; len(w.Lost) > 0 {
			lost := strings.Join(w.Lost, ", ")
			if !texts {
				lost = writing.FirstOf(w.Lost)
			}
			but = append(but, change.Line{Mark: change.Note, Text: w.File + " doesn't hold: " + lost})
		}
	}
	if slices.ContainsFunc(k.Writes, func(w stores.Write) bool { return w.Store == stores.Document }) {
		but = append(but, writing.Warning("the document contains prompt text, and git doesn't ignore it. Known secret formats are masked; others may remain"))
	}
	p.Add("But", but...)
	stays := []change.Line{{Mark: change.Good, Text: "every other line of these files, and the transcript"}}
	if row := k.look.Row; row != nil && row.Live != nil {
		stays = append(stays, change.Line{Mark: change.Note, Text: "the session is live: later messages aren't included"})
	}
	p.Add("Stays", stays...)
	p.Add("Undo", change.Line{Text: undo + " undoes all of it, unless a file is changed later."})
	return p
}

// unwritten says why a file is unchanged.
func unwritten(w *stores.Write) string { return w.File + " doesn't change: " + out.Reason(w.Problem) }

// what describes the change of a store and the file's size.
func (k *Planned) what(w *stores.Write) (text, right string) {
	i := slices.IndexFunc(k.look.Stores, func(s stores.Store) bool { return s.Name == w.Store })
	text = w.File + ": " + k.look.Stores[i].Does
	switch {
	case w.Same:
		return w.File + ": has everything already", ""
	case w.New && w.Store != stores.Document && w.Store != stores.Task:
		text += ", a new file"
	}
	return text, Grows(w)
}

// Grows returns the size of a new file, or by how much a file grows.
func Grows(w *stores.Write) string {
	size := words.Size(int64(len(w.After)))
	switch n := len(w.After) - len(w.Before); {
	case w.New, w.Same:
		return size
	case n < 0:
		return "−" + words.Size(int64(-n))
	default:
		return "+" + words.Size(int64(n))
	}
}

// text returns the new lines of a file.
func (k *Planned) text(w *stores.Write) []change.Line {
	var all []change.Line
	switch {
	case w.Same, w.Problem != nil, w.New:
	case w.Store == stores.Trajectory:
		all = append(all, change.Line{Tone: change.Plus, Text: "+" + strings.Trim(string(w.After), "\n")})
	default:
		all = change.Diff(w.Before, w.After)
	}
	if len(all) == 0 {
		return nil
	}
	if more := len(all) - diffMost; more > 0 {
		all = append(all[:diffMost:diffMost], change.Line{Tone: change.Faint, Text: "… " + words.Counted(more, "more line", "more lines")})
	}
	return append([]change.Line{{Tone: change.Muted, Text: w.File}}, all...)
}

// report describes the handover for programs.
func (k *Planned) report() *writing.Handover {
	r := &writing.Handover{Value: k.value, Writes: []writing.HandedTo{}, Off: []writing.NotHandedTo{}}
	for i := range k.Writes {
		w := &k.Writes[i]
		is := writing.HandedTo{Store: w.Store, Path: w.Path, New: w.New, Changed: !w.Same && w.Problem == nil, Bytes: len(w.After), Lost: out.OrEmpty(w.Lost)}
		if w.Problem != nil {
			is.Problem = out.Reason(w.Problem)
		}
		r.Writes = append(r.Writes, is)
	}
	for _, s := range k.look.Stores {
		if s.Off != "" {
			r.Off = append(r.Off, writing.NotHandedTo{Store: s.Name, Why: s.Off})
		}
	}
	return r
}

// Title returns the session's title, or "".
func (l *Look) Title() string {
	if l.Row == nil {
		return ""
	}
	return render.Title(l.Row)
}
