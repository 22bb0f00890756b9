package reader

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// toSection is the reply of the outline dialog: the first message of the chosen section.
type toSection struct{ message int }

// entry is an item of the outline dialog: a section, or a prompt with its answer's first line.
type entry struct {
	at          int // message to go to
	label, note string
}

// asked has the indexes of a prompt and of its answer, or -1.
type asked struct{ prompt, answer int }

// askOutline reads the sections of the document or, for a conversation, the prompts.
func (p *Page) askOutline() []screen.Effect {
	r := &p.pane
	switch {
	case !p.hasParts():
		return nil
	case p.isDocument():
		return commands(outlineDoc(r.ctx, r.doc, r.version, len(r.out.Refs)))
	case len(r.out.Prompts) == 0:
		return tell("No prompts in this conversation.")
	}
	list := make([]asked, len(r.out.Prompts))
	for n, i := range r.out.Prompts {
		end := len(r.out.Refs)
		if n+1 < len(r.out.Prompts) {
			end = r.out.Prompts[n+1]
		}
		list[n] = asked{i, r.out.Answer(i+1, end)}
	}
	return commands(outlineTalk(r.ctx, r.doc, r.version, list))
}

// outlineDoc returns a command that reads the n sections of a document.
func outlineDoc(ctx context.Context, doc *opened.File, version, n int) tea.Cmd {
	return func() tea.Msg {
		msgs, err := doc.Messages(ctx, version, 0, n)
		answer := outlinedMsg{version: version, err: err}
		for s := range opened.Sections(slices.Values(msgs)) {
			answer.entries = append(answer.entries, entry{s.At, s.Label(), s.Count()})
		}
		return answer
	}
}

// outlineTalk returns a command that reads the first lines of prompts and answers.
func outlineTalk(ctx context.Context, doc *opened.File, version int, list []asked) tea.Cmd {
	const width = 160 // in cells; the dialog cuts longer lines
	return func() tea.Msg {
		answer := outlinedMsg{version: version}
		first := func(i int) string {
			msgs, err := doc.Messages(ctx, version, i, i+1)
			if err != nil || len(msgs) == 0 {
				answer.err = err
				return ""
			}
			return talk.FirstLine(&msgs[0], width)
		}
		for _, a := range list {
			e := entry{at: a.prompt, label: first(a.prompt)}
			if a.answer >= 0 {
				e.note = first(a.answer)
			}
			if answer.err != nil {
				break
			}
			answer.entries = append(answer.entries, e)
		}
		return answer
	}
}

// outlined shows the outline. The bar is on the current entry.
func (p *Page) outlined(msg outlinedMsg) []screen.Effect {
	if msg.version != p.pane.version {
		return nil
	}
	if msg.err != nil {
		return []screen.Effect{screen.Fail{What: "The outline could not be read.", Err: msg.err}}
	}
	o := dialog.MenuOptions{Title: "Outline", About: render.Title(&p.pane.row), Verb: "go to it"}
	room := max(min(p.frame.Width, 80)-10, 1)
	for i, e := range msg.entries {
		if e.at <= p.pane.cur.bar.message {
			o.At = i
		}
		it := dialog.Offer{Name: e.label, Note: e.note, Do: screen.Reply{Msg: toSection{e.at}}}
		if !p.isDocument() { // each entry has one line
			it.Name, it.Note = words.Cut(e.label, room), words.Cut(e.note, room)
		}
		// The dialog is too narrow for a second column.
		if p.isDocument() && p.frame.Width < dialog.From && it.Note != "" {
			it.Name, it.Note = it.Name+"  "+it.Note, ""
		}
		o.Items = append(o.Items, it)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(o)}}
}
