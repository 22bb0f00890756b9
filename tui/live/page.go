// Package live shows the sessions that a client has open, and drives sessions. Waiting sessions come first.
package live

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Source finds the terminals of running clients, and drives sessions.
type Source interface {
	Driver
	// Panes returns the tmux panes of clients, by PID. A client outside tmux has no entry.
	Panes(ctx context.Context, pids []int) map[int]Pane
}

// Driver drives sessions in this process or through the keeper; see keeper.Keeper.
type Driver interface {
	// Session returns the state of a driven session. ok is false for any other session.
	Session(id string) (s keeper.Session, ok bool)
	// Sessions returns the driven sessions, including ended ones.
	Sessions() []keeper.Session
	// Events waits for events after the event with the ID after; see keeper.Keeper.
	Events(ctx context.Context, after uint64) (events []keeper.Event, lost bool, err error)
	Send(id, text string) error
	Answer(id, question string, a keeper.Answer) error
	Interrupt(ctx context.Context, id string) error
	SetMode(ctx context.Context, id, mode string) error
	SetModel(ctx context.Context, id, model string) error
	End(id string) error
}

// Pane is the tmux pane of a client.
type Pane struct {
	ID   string // ID, such as %5
	Name string // name of tmux session and window, such as work:2
}

// Options configure the page.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Rows    iter.Seq[*sessions.Row] // the sessions of the lists
	Backups iter.Seq[*sessions.Row] // the backups of the lists
	Now     func() time.Time        // the time that is shown
	Beside  preview.Beside          // preview of the selected session
}

// Page is the screen of the Live tab.
type Page struct {
	opts   Options
	items  []item
	list   blocks.List
	beside preview.Beside
	sel    string // path of the selected session
	choice int    // index of the selected choice without sessions
	frame  screen.Frame
	panes  map[int]Pane // panes of the clients in asked, by PID
	asked  []int        // PIDs of the last request for panes
	driven
}

type panesMsg map[int]Pane

// item is a session or the heading of a group of sessions.
type item struct {
	heading string
	row     *sessions.Row // nil for a heading
	waits   []render.Span // what a live session waits for
	ending  render.Ending // how the session ended, if it has no client
	blank   bool          // a blank line is above the heading
}

// New returns the page.
func New(opts Options) *Page {
	p := &Page{opts: opts, beside: opts.Beside}
	p.list = blocks.List{Items: items{p}, At: -1}
	return p
}

// items implements blocks.Items.
type items struct{ *Page }

func (p items) Len() int         { return len(p.items) }
func (p items) Stops(i int) bool { return p.items[i].row != nil }
func (p items) Chosen(int)       { p.keep() }
func (p items) Height(i int) int {
	switch it := &p.items[i]; {
	case it.row != nil && it.row.Live == nil && it.ending.Why != "":
		return 2
	case it.row != nil && it.row.Live == nil:
		return 1
	case it.row != nil && len(it.waits) > 0:
		return 3
	case it.row != nil:
		return 2
	case it.blank:
		return 2
	}
	return 1
}

// With implements blocks.Grouped. A heading stays visible with its first session.
func (p items) With(i int) (first, last int) {
	if i > 0 && p.items[i-1].row == nil {
		return i - 1, i
	}
	return i, i
}

// Update reads the list of sessions again. The selection stays. Until the page was shown, the first session is
// selected.
func (p *Page) Update() {
	var rows []*sessions.Row
	for r := range p.opts.Rows {
		if r.Live != nil || p.endedToday(r) {
			rows = append(rows, r)
		}
	}
	changed := func(r *sessions.Row) time.Time {
		if r.Live == nil {
			return r.When()
		}
		return r.Live.Updated
	}
	slices.SortStableFunc(rows, func(a, b *sessions.Row) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), changed(b).Compare(changed(a)), cmp.Compare(a.Path, b.Path))
	})
	p.items = nil
	for i, r := range rows {
		if heading := headings()[order(r)]; i == 0 || order(rows[i-1]) != order(r) {
			p.items = append(p.items, item{heading: heading, blank: i > 0})
		}
		it := item{row: r}
		if r.Live == nil {
			it.ending = p.ending(r)
		} else {
			it.waits = p.waits(r)
		}
		p.items = append(p.items, it)
	}
	p.list.At = slices.IndexFunc(p.items, func(it item) bool { return it.row != nil && it.row.Path == p.sel })
	if p.list.At < 0 {
		p.list.At = p.list.End(-1)
		p.keep()
	}
	p.list.Fit()
	p.list.Reveal()
}

// endedToday reports whether a session is listed under "Ended today". Its last message is from today, and the Sessions
// tab shows the session.
func (p *Page) endedToday(r *sessions.Row) bool {
	now := p.opts.Now()
	hidden := r.Deleted || r.Archived || r.Has(sessions.FlagSDK) || r.State == sessions.StateStub || r.State == sessions.StateEmpty
	return !hidden && !r.When().After(now) && words.DaysBetween(r.When(), now) == 0
}

// keep stores the path of the selected session, but only while the page is shown.
func (p *Page) keep() {
	if row := p.chosen(); row != nil && p.frame.Front {
		p.sel = row.Path
	}
}

func headings() []string { return []string{"Waits for you", "Busy", "Idle", "Other", "Ended today"} }

// order returns the index of the heading for a session. Newer clients may have other statuses.
func order(r *sessions.Row) int {
	switch {
	case r.Live == nil:
		return 4
	case r.Live.Status == sessions.StatusWaiting:
		return 0
	case r.Live.Status == sessions.StatusBusy:
		return 1
	case r.Live.Status == sessions.StatusIdle:
		return 2
	default:
		return 3
	}
}

// Count returns the number of sessions that a client has open, and the number of waiting sessions.
func Count(rows iter.Seq[*sessions.Row]) (live, waiting int) {
	for r := range rows {
		if r.Live != nil {
			live++
			if r.Live.Status == sessions.StatusWaiting {
				waiting++
			}
		}
	}
	return live, waiting
}

// chosen returns the selected session, or nil.
func (p *Page) chosen() *sessions.Row {
	if p.list.At < 0 {
		return nil
	}
	return p.items[p.list.At].row
}

// Open implements screen.Screen.
func (*Page) Open() []screen.Effect { return nil }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.beside.Close()
	return nil
}

// Reopened implements screen.Reopened.
func (p *Page) Reopened() []screen.Effect {
	p.Update()
	return nil
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case panesMsg:
		p.panes = msg
		return nil
	case drivenMsg:
		p.states, p.after = msg.states, msg.after
		p.Update()
		return p.listen()
	case screen.Drive, screen.Read:
		return []screen.Effect{msg}
	}
	return p.beside.Took(msg)
}

// askPanes requests the tmux panes of the clients if the set of clients has changed.
func (p *Page) askPanes() []screen.Effect {
	var pids []int
	for _, it := range p.items {
		if it.row != nil && it.row.Live != nil && it.row.Live.Verified { // an unverified PID may belong to another process
			pids = append(pids, it.row.Live.PID)
		}
	}
	slices.Sort(pids)
	if slices.Equal(pids, p.asked) {
		return nil
	}
	p.asked = pids
	ctx, source := p.opts.Context, p.opts.Source
	return []screen.Effect{screen.Cmd(func() tea.Msg { return panesMsg(source.Panes(ctx, pids)) })}
}

// pane returns the tmux pane of the selected session. ok is false without a pane.
func (p *Page) pane() (pane Pane, ok bool) {
	if row := p.chosen(); row != nil && row.Live != nil {
		pane, ok = p.panes[row.Live.PID]
	}
	return pane, ok
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := p.chosen()
	if row == nil {
		return screen.Subject{}
	}
	r := *row
	return screen.Subject{Row: &r, Dir: r.Project}
}

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape {
	return screen.Shape{List: true, Preview: len(p.items) > 0}
}

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	first := !p.frame.Front
	if p.frame = f; first {
		p.keep()
	}
	if rows := f.Layout.Body.H; rows != p.list.Rows {
		p.list.Rows = rows
		p.list.Fit()
		p.list.Reveal()
	}
	if !f.Front {
		return nil
	}
	effects := p.askPanes()
	if !p.listening {
		p.listening = true
		effects = append(effects, p.listen()...)
	}
	return append(effects, p.beside.Show(p.chosen(), f, f.Layout.Preview.W)...)
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	o := render.RowOptions{Width: p.frame.Layout.Body.W, Styles: p.frame.Styles, Now: p.frame.Now}
	if len(p.items) == 0 {
		lines, _ := p.empty()
		return screen.View{Body: lines, Reading: true}
	}
	n, waiting := Count(p.opts.Rows)
	driven := 0
	for r := range p.opts.Rows {
		if r.Live != nil && r.Live.Entrypoint == keeper.Entrypoint {
			driven++
		}
	}
	text := "all projects · " + words.Count(n) + " live"
	if n == 0 {
		text = "all projects · no session is live"
	}
	if driven > 0 {
		text += ", " + words.Count(driven) + " driven by continuo"
	}
	v := screen.View{Reading: true}
	v.Context = render.NewLine(o.Styles, o.Width).To(4).PutUntil(render.Faint, text, o.Width-1).String()
	if waiting > 0 {
		v.Left = "? " + words.Counted(waiting, "session waits", "sessions wait") + " for you"
	}
	for _, s := range p.list.Visible() {
		v.Body = append(v.Body, p.draw(s.Item, o)[s.From:s.To]...)
	}
	if pane := p.frame.Layout.Preview; pane.H > 0 {
		v.Beside = append([]string{}, p.beside.Draw(pane.H, true)...) // not nil, so that the layout keeps its width
	}
	return v
}

func (p *Page) draw(i int, o render.RowOptions) []string {
	it := &p.items[i]
	if it.row == nil {
		lines := []string{render.NewLine(o.Styles, o.Width).To(4).PutUntil(render.Bold, it.heading, o.Width-1).String()}
		if it.blank {
			lines = append([]string{""}, lines...)
		}
		return lines
	}
	o.Chosen = i == p.list.At
	if it.row.Live == nil {
		return render.EndedRow(it.row, it.ending, o)
	}
	where := p.panes[it.row.Live.PID].Name
	if where != "" {
		where = "tmux " + where
	}
	if it.row.Live.Entrypoint == keeper.Entrypoint {
		where = keeper.Entrypoint
	}
	return render.LiveRow(it.row, it.waits, where, o)
}
