// Package familyview shows the family of a session as a tree: its ancestors and its descendants.
package familyview

import (
	"context"
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Options configure the page.
type Options struct {
	Context context.Context                 // context of the program
	Of      sessions.Row                    // the session of the family
	Rows    iter.Seq[*sessions.Row]         // the sessions and backups of the lists
	Held    func(path string) *sessions.Row // returns the row of a file, or nil
	Loading func() bool                     // the lists are being read, so sessions may be missing
	Beside  preview.Beside                  // the preview of the selected session
}

// Page is the screen of a family.
type Page struct {
	opts     Options
	ctx      context.Context // ends when the page is closed
	cancel   context.CancelFunc
	sessions []family.Member
	steps    map[string]found // by path of the session
	reading  bool             // the steps of a session are being read
	members  []family.Member  // the sessions and their steps; nil without relatives and steps
	folded   bool             // sub-agents are hidden
	airy     bool             // events have blank lines around them
	list     blocks.List
	beside   preview.Beside
	sel      string // key of the selected member
	loading  bool
	frame    screen.Frame
}

// New returns the page of a family. The session Of is selected.
func New(opts Options) *Page {
	p := &Page{opts: opts, beside: opts.Beside, sel: opts.Of.Path, loading: opts.Loading(), steps: map[string]found{}}
	p.ctx, p.cancel = context.WithCancel(opts.Context)
	p.list = blocks.List{Items: items{p}, At: -1}
	p.relate()
	return p
}

// items implements blocks.Items.
type items struct{ *Page }

func (p items) Len() int         { return len(p.members) }
func (p items) Height(i int) int { return render.FamilyHeight(p.members, i, p.airy) }
func (p items) Stops(int) bool   { return true }
func (p items) Chosen(i int)     { p.sel = key(&p.members[i]) }

// key identifies a member. For a session it is the path or ID, for a step the path of the session and the step.
func key(m *family.Member) string {
	switch {
	case m.Row == nil:
		return m.ID
	case m.Step != nil:
		return m.Row.Path + " " + string(m.Step.Kind) + " " + m.Step.Path + m.Step.ID
	}
	return m.Row.Path
}

// relate finds the sessions of the family again.
func (p *Page) relate() {
	p.sessions = family.Of(p.opts.Rows, &p.opts.Of)
	p.build()
}

// build adds the known steps to the sessions. The selection stays.
func (p *Page) build() {
	p.members = family.With(p.sessions, func(m *family.Member) []family.Step {
		if m.Row == nil {
			return nil
		}
		steps := p.steps[m.Row.Path].steps
		if p.folded {
			steps = slices.DeleteFunc(slices.Clone(steps), func(s family.Step) bool { return s.Kind == family.StepAgent })
		}
		return steps
	})
	if len(p.members) < 2 && !p.folded { // the session has no relatives and no steps
		p.members = nil
	}
	p.list.At = slices.IndexFunc(p.members, func(m family.Member) bool { return key(&m) == p.sel })
	if p.list.At < 0 {
		p.list.At = slices.IndexFunc(p.members, func(m family.Member) bool { return key(&m) == p.opts.Of.Path })
	}
	p.fit()
}

// fit adjusts the list to the height of the body. Events have blank lines around them if there is room.
func (p *Page) fit() {
	rows := 0
	for i := range p.members {
		rows += render.FamilyHeight(p.members, i, true)
	}
	p.airy = rows <= p.list.Rows
	p.list.Fit()
	p.list.Reveal()
}

// chosen returns the row of the selected session, or nil.
func (p *Page) chosen() *sessions.Row {
	if p.members == nil {
		return &p.opts.Of
	}
	if p.list.At < 0 || p.members[p.list.At].Row == nil {
		return nil
	}
	return p.opts.Held(p.members[p.list.At].Row.Path)
}

// hasAgents reports whether a session of the family has sub-agents.
func (p *Page) hasAgents() bool {
	return slices.ContainsFunc(p.sessions, func(m family.Member) bool {
		return m.Row != nil && (len(m.Row.Agents) > 0 || slices.ContainsFunc(p.steps[m.Row.Path].steps, func(s family.Step) bool { return s.Kind == family.StepAgent }))
	})
}

// step returns the selected step, or nil.
func (p *Page) step() *family.Step {
	if p.members == nil || p.list.At < 0 {
		return nil
	}
	return p.members[p.list.At].Step
}

// Open implements screen.Screen. It reads the steps.
func (p *Page) Open() []screen.Effect {
	return p.readNext()
}

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.cancel()
	p.beside.Close()
	return nil
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.Rows:
		p.relate()
		return append(p.readNext(), p.beside.Took(msg)...)
	case stepsMsg:
		return p.took(msg)
	}
	return p.beside.Took(msg)
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	s := screen.Subject{}
	if row := p.chosen(); row != nil {
		r := *row
		s.Row, s.Dir = &r, r.Project
		if step := p.step(); step != nil && step.End != "" {
			s.At = &screen.At{ID: step.End, Name: "the end of the branch"}
		}
	}
	return s
}

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape {
	return screen.Shape{List: true, Preview: p.members != nil, Wide: true}
}

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	p.frame = f
	if rows := f.Layout.Body.H; rows != p.list.Rows {
		p.list.Rows = rows
		p.fit()
	}
	if was := p.loading; was != p.opts.Loading() { // more sessions are known now
		p.loading = !was
		p.relate()
	}
	if !f.Front {
		return nil
	}
	row := p.chosen()
	switch s := p.step(); {
	case row != nil && s != nil && s.Path != "":
		agent := screen.AgentRow(row, s.Path, s.Title)
		row = &agent
	case s != nil, row != nil && row.Kind != sessions.KindSession:
		row = nil // these have previews of their own
	}
	return append(p.readNext(), p.beside.Show(row, f, f.Layout.Preview.W)...)
}

// status returns the status line: how the selected member is linked, and at the right what the strong rail means.
func (p *Page) status(o render.RowOptions) string {
	l, end := render.NewLine(p.frame.Styles, p.frame.Width).To(1), p.frame.Width-1
	l.PutUntil(render.Faint, render.FamilyAbout(p.members, p.list.At, o), end)
	if p.loading {
		return l.Right(end, render.Span{Ink: render.Faint, Text: " still reading: relatives may be missing"}).String()
	}
	hasWay := slices.ContainsFunc(p.members, func(m family.Member) bool { return m.Parent >= 0 && m.Step == nil && !m.Branch })
	if hasWay {
		l.Right(end, render.Span{Ink: render.AccentBold, Text: " ┃"}, render.Span{Ink: render.Faint, Text: " the way to this session"})
	}
	return l.String()
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	o := render.RowOptions{Width: p.frame.Layout.Body.W, Styles: p.frame.Styles, Now: p.frame.Now}
	v := screen.View{Context: render.FamilyHeader(p.members, o), Reading: true}
	if p.members == nil {
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Detail(render.Alone(&p.opts.Of))
		n.Detail("Press esc to go back.")
		v.Context, v.Body = "", n.Lines
		return v
	}
	for _, s := range p.list.Visible() {
		o.Chosen = s.Item == p.list.At
		v.Body = append(v.Body, render.FamilyRow(p.members, s.Item, p.opts.Of.Path, p.airy, o)[s.From:s.To]...)
	}
	v.Status = p.status(o)
	if pane := p.frame.Layout.Preview; pane.H > 0 {
		o.Width = pane.W
		v.Beside = append([]string{}, p.beside.Draw(pane.H, true, render.Kin(p.members, p.list.At, o)...)...) // not nil, because a session that isn't here has an empty preview
		if s := p.step(); s != nil && s.Path == "" {
			v.Beside = render.StepPreview(&p.members[p.list.At], o)
		}
	}
	return v
}
