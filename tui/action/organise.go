package action

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Organise names, stars, tags, archives and annotates sessions. It acts on the marked sessions or, without marks, on
// the subject.
type Organise struct{ state *State }

// NewOrganise returns the action. It reads the program's state from s.
func NewOrganise(s *State) *Organise { return &Organise{s} }

// annotation is a confirmed change of what is stored about sessions.
type annotation struct {
	rows []sessions.Row
	edit annotate.Edit
	done string // message to show after the change
}

// annotatedMsg is sent when an annotation was stored.
type annotatedMsg struct {
	done string
	err  error
}

const (
	mostName = 300  // maximum bytes of a name
	mostText = 2000 // maximum bytes of a note, and of tags
	// mostShown is the maximum width of a name in a message, in cells.
	mostShown = 40
)

// Keys implements Action.
func (a *Organise) Keys(intent string) []screen.Binding {
	b := screen.Binding{Name: intent, Group: screen.GroupThis, Do: screen.Intent{Name: intent}, Needs: screen.NeedsActions, Gone: a.session(a.state.Row) == nil, Needed: "choose a session", Off: a.whyNot()}
	switch intent {
	case screen.Rename:
		b.Keys, b.Show, b.Help = []string{"m"}, "m", "name it"
	case screen.Star:
		b.Keys, b.Show, b.Help = []string{"*"}, "*", "star, or remove the star"
	case screen.Tag:
		b.Keys, b.Show, b.Help = []string{"t"}, "t", "tags…"
	case screen.SessionNote:
		b.Keys, b.Show, b.Label, b.Help, b.Rank = []string{"N"}, "N", "note", "note on the session", screen.RankSecond
	case screen.Archive:
		b.Name, b.Command = "", "Archive, or show again"
	case screen.Organise: // the footer shows one entry for all these keys
		b = screen.Binding{Show: "m * t", Label: "name, star, tag", Group: screen.GroupThis, Needs: screen.NeedsActions, Gone: b.Gone, Off: b.Off}
	default:
		return nil
	}
	return []screen.Binding{b}
}

// Do implements Action.
func (a *Organise) Do(do screen.Intent) ([]screen.Effect, bool) {
	switch do.Name {
	case screen.Rename, screen.Star, screen.Tag, screen.SessionNote, screen.Archive:
	default:
		return nil, false
	}
	rows := a.rows()
	if len(rows) == 0 {
		return nil, true
	}
	switch do.Name {
	case screen.Star:
		return a.star(rows), true
	case screen.Archive:
		return a.archive(rows), true
	}
	return a.ask(do.Name, rows), true
}

// session returns the session of a row, or nil. A row in the list of backups has no session.
func (a *Organise) session(row *sessions.Row) *sessions.Row {
	switch {
	case row == nil || row.Kind == sessions.KindSession:
		return row
	case a.state.OnBackups:
		return nil
	}
	return row.Lost()
}

// each calls yield with each marked session or, if none is marked, with the session of the subject.
func (a *Organise) each(yield func(*sessions.Row) bool) {
	if a.state.Marks == 0 {
		if s := a.session(a.state.Row); s != nil {
			yield(s)
		}
		return
	}
	marked := a.state.Marked()
	for i := range marked {
		if s := a.session(&marked[i]); s != nil && !yield(s) {
			return
		}
	}
}

// rows returns the marked sessions or, if none is marked, the session of the subject.
func (a *Organise) rows() []sessions.Row {
	var rows []sessions.Row
	for s := range a.each {
		rows = append(rows, *s)
	}
	return rows
}

// whyNot returns the reason why nothing can be stored about the sessions, or "".
func (a *Organise) whyNot() string {
	for s := range a.each {
		if s.Path == "" {
			return "the backup doesn't record the folder of its session"
		}
	}
	return ""
}

// star adds a star to sessions, or removes the stars if all sessions have one.
func (a *Organise) star(rows []sessions.Row) []screen.Effect {
	to := slices.ContainsFunc(rows, func(r sessions.Row) bool { return !r.Starred })
	done := "Starred "
	if !to {
		done = "Removed the star from "
	}
	return a.change(annotation{rows, annotate.Edit{Starred: &to}, done + named(rows) + "."})
}

// archive archives sessions, or removes the archive marks if all are archived.
func (a *Organise) archive(rows []sessions.Row) []screen.Effect {
	to := slices.ContainsFunc(rows, func(r sessions.Row) bool { return !r.Archived })
	done := "Archived " + named(rows) + ". Press . to show archived sessions."
	if !to {
		done = "No longer archived: " + named(rows) + "."
	}
	return a.change(annotation{rows, annotate.Edit{Archived: &to}, done})
}

// named returns a name for sessions in a sentence, such as "3 sessions".
func named(rows []sessions.Row) string {
	if len(rows) == 1 {
		return "“" + words.Cut(render.Title(&rows[0]), mostShown) + "”"
	}
	return words.Count(len(rows)) + " sessions"
}

// ask opens a dialog for a name, for tags, or for a note.
func (a *Organise) ask(what string, rows []sessions.Row) []screen.Effect {
	row := &rows[0]
	o := dialog.LineOptions{About: named(rows), Most: mostText}
	one := len(rows) == 1
	reply := func(e annotate.Edit, done string) screen.Effect {
		return screen.Reply{Msg: annotation{rows, e, done + named(rows) + "."}}
	}
	switch what {
	case screen.Rename:
		o.Title, o.Hint, o.Most = "Name", "Shown in place of the title. An empty name shows the title again.", mostName
		if one {
			o.Text = row.Title()
		}
		o.Take = func(text string) screen.Effect {
			text = strings.TrimSpace(text)
			switch {
			case one && text == row.Title():
				return screen.Tell{Text: "The name is unchanged."}
			case text == "":
				return reply(annotate.Edit{Name: &text}, "Removed the name of ")
			}
			return screen.Reply{Msg: annotation{rows, annotate.Edit{Name: &text}, "Named “" + words.Cut(text, mostShown) + "”."}}
		}
	case screen.Tag:
		had := []string(nil)
		o.Title, o.Hint = "Tags", "Separate tags with spaces. Search finds tag:WORD."
		if one {
			had = row.Tags
			o.Text = strings.Join(had, " ")
		} else {
			o.Hint = "Added to all marked sessions. Separate tags with spaces."
		}
		o.Take = func(text string) screen.Effect {
			now := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
			gone := slices.DeleteFunc(slices.Clone(had), func(t string) bool { return slices.Contains(now, t) })
			return reply(annotate.Edit{Tag: now, Untag: gone}, "Tagged ")
		}
	case screen.SessionNote:
		o.Title, o.Hint = "Note", "Shown in the preview. An empty note removes it."
		if one {
			o.Text = row.Note
		}
		o.Take = func(text string) screen.Effect { return reply(annotate.Edit{Text: &text}, "Saved the note on ") }
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewLine(o)}}
}

func (a *Organise) change(n annotation) []screen.Effect {
	ctx, actions := a.state.Context, a.state.Actions
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		return annotatedMsg{n.done, actions.Annotate(context.WithoutCancel(ctx), n.rows, n.edit)}
	})}
}

// Took implements Action.
func (a *Organise) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case annotation:
		return a.change(msg)
	case annotatedMsg:
		if msg.err != nil {
			return []screen.Effect{fail(msg.err)}
		}
		return tell(msg.done)
	}
	return nil
}
