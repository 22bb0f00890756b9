package dialog

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/tui/screen"
)

// HandoverOptions are the options of NewHandover.
type HandoverOptions struct {
	Context context.Context // ends with the program
	// Fill returns the handover for a change. If the change has a handover, only its stores are read again.
	Fill   func(ctx context.Context, ask screen.Change) (screen.Handover, error)
	Change screen.Change // the change to plan; its Handover is nil
	About  string        // name of the project
	Gates  []Offer       // run the gates
	Backup Offer         // makes only a backup
	Ask    func(ctx context.Context) tea.Msg
}

// Handover shows the handover of a session. The user can edit its entries, tick stores, and request the plan.
type Handover struct {
	base
	opts   HandoverOptions
	ctx    context.Context // ends with the dialog
	cancel context.CancelFunc

	gen  int // generation of Fill
	h    *screen.Handover
	err  error
	at   int // index of the selected row among the selectable rows
	top  int // index of the first visible line
	rows []handRow
}

// Answers of the commands.
type (
	filledMsg struct {
		gen int
		h   screen.Handover
		err error
	}
	editedMsg struct {
		part handPart
		i    int
		text string
	}
)

// Intents of the dialog.
const (
	tick     = "handover-tick"
	editHand = "handover-edit"
	addHand  = "handover-add"
)

// mostHandover is the maximum length of an entry, in bytes.
const mostHandover = 2000

// NewHandover returns a dialog that requests the handover when it opens.
func NewHandover(o HandoverOptions) *Handover {
	d := &Handover{opts: o}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Open implements screen.Screen.
func (d *Handover) Open() []screen.Effect {
	effects := []screen.Effect{d.fill()}
	if d.opts.Ask != nil {
		ctx, ask := d.ctx, d.opts.Ask
		effects = append(effects, screen.Cmd(func() tea.Msg { return ask(ctx) }))
	}
	return effects
}

func (d *Handover) fill() screen.Effect {
	d.gen++
	ctx, ask, fill, gen := d.ctx, d.opts.Change, d.opts.Fill, d.gen
	ask.Handover = d.h
	return screen.Cmd(func() tea.Msg {
		h, err := fill(ctx, ask)
		return filledMsg{gen, h, err}
	})
}

// Close implements screen.Screen.
func (d *Handover) Close() []screen.Effect {
	d.cancel()
	return nil
}

// Took implements screen.Screen.
func (d *Handover) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case filledMsg:
		if msg.gen != d.gen {
			return nil
		}
		if d.err = msg.err; msg.err == nil {
			d.h, d.rows = &msg.h, handRows(&msg.h)
		}
	case editedMsg:
		h := *d.h
		h.Value = edited(h.Value, msg)
		d.h, d.rows = &h, handRows(&h)
		if i := slices.IndexFunc(d.stops(), func(r handRow) bool { return r.part == msg.part && r.i == msg.i }); i >= 0 {
			d.choose(i)
		}
		return []screen.Effect{d.fill()}
	case Learned:
		for i := range d.opts.Gates {
			it := &d.opts.Gates[i]
			if off, ok := msg.Off[it.Key]; ok {
				it.Off = off
			}
			if last, ok := msg.Last[it.Key]; ok {
				it.Last = last
			}
		}
	}
	return nil
}

// Keys implements screen.Screen.
func (d *Handover) Keys() []screen.Binding {
	return append([]screen.Binding{
		on(enter, 0, "enter"), on(tick, 0, "space"), on(editHand, 0, "e"), on(addHand, 0, "a"),
		on(by, -1, "up", "k", "ctrl+p"), on(by, 1, "down", "j", "ctrl+n", "tab"),
		on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		on(closeIt, 0, "esc", "q"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Handover) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.take()
	case tick:
		return d.tick()
	case editHand:
		return d.edit(false)
	case addHand:
		return d.edit(true)
	case by:
		d.choose(d.at + do.N)
	case scroll:
		g := d.shape()
		d.top = g.scrolled(do.N)
	case closeIt:
		return pop()
	}
	return nil
}

// Typed implements screen.Typed. A letter runs a gate or makes a backup.
func (d *Handover) Typed(msg tea.Msg) []screen.Effect {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	for _, it := range append(slices.Clone(d.opts.Gates), d.opts.Backup) {
		switch {
		case it.Key == "" || it.Key != key.Text:
		case it.Off != "":
			return tell(it.Name + ": " + it.Off)
		default:
			return append(pop(), it.Do)
		}
	}
	return nil
}

// choose selects a row and scrolls to it. at is an index in stops.
func (d *Handover) choose(at int) {
	d.at = min(max(at, 0), max(len(d.stops())-1, 0))
	g := d.shape()
	if d.at < len(g.items) {
		s := g.items[d.at]
		d.top = min(max(g.top, s.to-g.rows), s.from)
	}
}

// stops returns the rows that can be selected.
func (d *Handover) stops() []handRow {
	return slices.DeleteFunc(slices.Clone(d.rows), func(r handRow) bool { return r.part == partRefs })
}

// chosen returns the selected row. ok is false if there is none.
func (d *Handover) chosen() (r handRow, ok bool) {
	if stops := d.stops(); d.at < len(stops) {
		return stops[d.at], true
	}
	return r, false
}

// notYet returns the reason why the handover can't be used yet, or "".
func (d *Handover) notYet() string {
	switch {
	case d.err != nil:
		return d.sentence(d.err)
	case d.h == nil:
		return "Reading the handover…"
	}
	return ""
}

// take asks for the plan.
func (d *Handover) take() []screen.Effect {
	if why := d.notYet(); why != "" {
		return tell(why)
	}
	if !slices.ContainsFunc(d.h.Stores, func(s screen.HandoverStore) bool { return s.On }) {
		return tell("No store is ticked, so there is nothing to write.")
	}
	ask := d.opts.Change
	ask.Handover = d.h
	return []screen.Effect{screen.Ask{Change: ask}}
}

// tick ticks the selected store, or removes the tick.
func (d *Handover) tick() []screen.Effect {
	if why := d.notYet(); why != "" {
		return tell(why)
	}
	r, ok := d.chosen()
	if !ok || r.part != partStore {
		return tell("Select a store below to tick it.")
	}
	h := *d.h
	h.Stores = slices.Clone(h.Stores)
	s := &h.Stores[r.i]
	if s.Off != "" {
		return tell(s.File + ": " + s.Off)
	}
	s.On = !s.On
	d.h, d.rows = &h, handRows(&h)
	return nil
}

// edit opens the selected entry for editing. If add is true, it opens a new entry of the same section.
func (d *Handover) edit(add bool) []screen.Effect {
	if why := d.notYet(); why != "" {
		return tell(why)
	}
	r, ok := d.chosen()
	if !ok || r.part == partStore {
		return tell("Select an entry of the handover to edit it.")
	}
	verb, hint := "change", "An empty text removes the entry."
	if add {
		verb, hint = "add", "This adds an entry to the section."
		r = newRow(d.h.Value, r.part)
	}
	return []screen.Effect{screen.Push{Screen: NewLine(LineOptions{
		Title: r.part.noun(), About: d.h.Title, Text: r.edits, Hint: hint, Most: mostHandover, Verb: verb,
		Take: func(text string) screen.Effect { return screen.Reply{Msg: editedMsg{r.part, r.i, text}} },
	})}}
}

// newRow returns the row for a new entry of a section. A new entry is never a finished item.
func newRow(v *handover.Handover, part handPart) handRow {
	switch part {
	case partState:
		return handRow{part: part, i: len(handover.Lines(v.State))}
	case partDecision:
		return handRow{part: part, i: len(v.Decisions)}
	case partQuestion:
		return handRow{part: part, i: len(v.Questions)}
	case partDone, partItem, partRefs, partStore:
	}
	return handRow{part: partItem, i: len(v.Items)}
}

// edited returns a copy of v with another text for an entry. An empty text removes the entry. An index after the last
// entry adds an entry.
func edited(v *handover.Handover, e editedMsg) *handover.Handover {
	is := *v
	switch e.part {
	case partState:
		is.State = joinLines(changed(handover.Lines(v.State), e, func(s *string) { *s = e.text }))
	case partDecision:
		is.Decisions = changed(v.Decisions, e, func(d *handover.Decision) {
			if d.Title != "" {
				d.Title = e.text
				return
			}
			d.Text = e.text
		})
	case partDone:
		is.Done = changed(v.Done, e, func(s *string) { *s = e.text })
	case partItem:
		is.Items = changed(v.Items, e, func(i *handover.Item) { i.Title = e.text })
	case partQuestion:
		is.Questions = changed(v.Questions, e, func(q *handover.Question) { q.Text = e.text })
	case partRefs, partStore:
	}
	return &is
}

func changed[T any](all []T, e editedMsg, set func(*T)) []T {
	all = slices.Clone(all)
	switch {
	case e.text == "" && e.i < len(all):
		return slices.Delete(all, e.i, e.i+1)
	case e.text == "":
		return all
	case e.i == len(all):
		all = append(all, *new(T))
	}
	set(&all[e.i])
	return all
}

// Wheel implements screen.Screen.
func (d *Handover) Wheel(_, _, rows int) []screen.Effect {
	return d.Do(screen.Intent{Name: scroll, N: rows})
}

// Click implements screen.Screen. A click selects a row, and a second click ticks or edits it.
func (d *Handover) Click(x, y int) []screen.Effect {
	g := d.shape()
	if !g.small && !rect((d.f.Width-g.inner-2)/2, g.upper, g.inner+2, d.height(&g)).Has(x, y) {
		return pop()
	}
	i := d.stopAt(&g, y)
	switch {
	case i < 0:
		return nil
	case i != d.at:
		d.at = i
		return nil
	}
	if r, _ := d.chosen(); r.part == partStore {
		return d.tick()
	}
	return d.edit(false)
}
