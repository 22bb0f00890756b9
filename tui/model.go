package tui

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// model is the whole program. Its panes have no Update of their own: what arrives is handed to named methods.
type model struct {
	ctx context.Context // of the program
	World
	opts Options
	acts *actions

	screens
	due []tea.Cmd // of screens that were laid out anew

	now    time.Time
	zone   *time.Location
	layout screen.Layout
	width  int
	height int
	look
	// markdown renders the text of an answer; a test counts its calls.
	markdown func(text string, prose, code int, s *render.Styles) []string
	// prose is markdown for the text of a document.
	prose func(text string, prose, code int, s *render.Styles) []string
	// planLines draws the first lines of a plan; a test counts its calls.
	planLines func(parts []change.Part, s *render.Styles, indent, width, most int) []*render.Line

	lists *list.Page
	feed  feed // of its rows
	tabRow
	led       *project.Page    // the page that led to the list: esc returns to it; nil none
	ledger    *ledgerview.Page // of the Ledger tab
	ledgers   knownLedgers
	ledgerFor string                  // the project whose ledger the next tab would be about; "" that of the list
	spots     map[string]*reader.Spot // where rows were left, by path
	status    status
	away      bool         // the terminal is that of a program, from before it has it
	offered   bool         // to make some: once a start
	awake     *atomic.Bool // the terminal has the focus; the watch asks
}

func newModel(ctx context.Context, world World, opts Options) *model {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	m := &model{
		ctx: ctx, World: world, opts: opts,
		now:      opts.Now(),
		markdown: render.Markdown, prose: render.MarkdownDocument, planLines: render.PlanHead,
		spots: map[string]*reader.Spot{},
		awake: new(atomic.Bool), ledgers: knownLedgers{has: map[string]bool{}},
	}
	m.look = newLook(&m.opts)
	m.lists = newLists(m)
	m.acts = newActions(m.lists)
	m.ledger = newLedger(m)
	m.bases = []shown{{listScreen, m.lists, nobody}, {ledgerScreen, m.ledger, nobody}}
	m.stack = slices.Clone(m.bases[:1])
	m.last = ledgerScreen
	m.awake.Store(true)
	m.zone = m.now.Location()
	return m
}

// Init starts the stream of rows and asks the terminal what its background is.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}), tick(m.ctx, m.opts.Now), tea.RequestBackgroundColor)
}

// Update is the table of contents: each message has one method. Afterwards what the panes show and do not have
// yet is asked for.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		if !m.away { // it is for the program that takes the terminal over
			cmd = m.personDid(msg)
		}
	case tea.ResumeMsg: // much may have happened since
		cmd = m.lookAround()
	case tea.FocusMsg:
		m.awake.Store(true)
		m.lookForLedger()
		cmd = m.actionRequest(screen.AskPast{})
	case tea.BlurMsg:
		m.awake.Store(false)
	case tea.BackgroundColorMsg:
		m.restyle(msg.IsDark(), m.profile)
	case tea.ColorProfileMsg:
		m.restyle(m.dark, msg.Profile)
	default:
		cmd = m.answered(msg)
	}
	fit, due := m.fit(), m.due
	m.due = nil
	return m, tea.Batch(append(due, cmd, fit, m.wantsLedger())...)
}

// personDid takes in what the person typed, pasted or did with the mouse.
func (m *model) personDid(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		m.goneOn()
		return m.carry(m.front().id, typed(m.front().screen, msg))
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// answered takes the message of a command in.
func (m *model) answered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rowsMsg:
		return m.rowsArrived(msg)
	case changedMsg:
		return m.rowsChanged(msg)
	case answerMsg:
		return m.toScreen(msg)
	case ledgersMsg:
		m.ledgersFound(msg)
	case resumedMsg:
		return m.resumed(msg)
	case clockMsg:
		return m.clockTicked(msg)
	case waitedMsg:
		if msg.gen == m.feed.gen {
			m.lists.Slow()
		}
	}
	return nil
}

// press turns a key into an intent. While something is typed, text is text.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.goneOn()
	front := *m.front()
	do, why := intentOf(m.keymap().of(front.screen.Keys()), msg.String())
	switch {
	case do.Name != "":
		return m.performOn(front, do)
	case why != "":
		m.status.say(why)
	default:
		return m.carry(front.id, typed(front.screen, msg))
	}
	return nil
}

// typed gives a screen a key that is not bound, or what is pasted, when it takes text.
func typed(s screen.Screen, msg tea.Msg) []screen.Effect {
	if t, ok := s.(screen.Typed); ok {
		return t.Typed(msg)
	}
	return nil
}

func (m *model) resize(w, h int) {
	m.width, m.height = w, h
	m.arrange()
}

// arrange lays the screen out again and fits the panes to it.
func (m *model) arrange() {
	top := *m.top()
	m.layout = arrange(m.width, m.height, top.screen.Shape(m.width, m.height))
	m.due = append(m.due, m.carry(top.id, top.screen.Fit(m.frame(true))))
}

// goneOn is called for whatever the person does: a message has been read by then, and what an action would start is not
// meant any more.
func (m *model) goneOn() {
	offered := m.status.offer
	m.status = m.status.unlessSaid()
	m.acts.goneOn(offered)
}

// lookAround looks at all that another program may have changed.
func (m *model) lookAround() tea.Cmd {
	return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}), m.tell(screen.Back{}))
}

// resumed comes back to the same place; the list is read again, for the session has changed.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	m.away = false
	m.acts.goneOn(false)
	switch {
	case msg.err != nil:
		m.status.fail("", msg.err, m.opts.Home)
	case msg.said != "":
		m.status.say(msg.said)
	}
	return m.lookAround()
}

// offerBackup says once how many sessions ended without a backup, when all are known and nothing is in the way.
func (m *model) offerBackup() {
	if m.offered || m.Actions == nil || m.lists.IsLoading() || m.lists.Unsaved() == 0 || m.status.text != "" || m.hasDialog() || m.top().screen != m.lists || m.lists.IsTyping() {
		return
	}
	m.offered = true
	m.status = status{offer: true, text: m.atDesk().backup.Offer((&screen.Frame{Keys: m.opts.Keys}).Key("backup", "B"), m.width)}
}

func (m *model) clockTicked(msg clockMsg) tea.Cmd {
	m.now = msg.now
	m.offerBackup()
	m.lookForLedger()
	return tick(m.ctx, m.opts.Now)
}

// close lets go what the screens have open, after the program has ended. It does not wait for a disk that does not answer:
// the process takes the file with it.
func (m *model) close() error {
	if done, err, ok := m.acts.change.Finish(); ok && m.opts.Ended != nil {
		m.opts.Ended(done, err)
	}
	var last []screen.Effect
	for _, s := range m.stack {
		last = append(last, s.screen.Close()...)
	}
	done := make(chan error, 1)
	go func() { done <- runLast(last) }()
	select {
	case err := <-done:
		return err
	case <-time.After(quiet):
		return nil
	}
}

// runLast runs the commands of effects, and those that their answers leave. It returns the first error that they tell of.
func runLast(effects []screen.Effect) error {
	for _, e := range effects {
		switch e := e.(type) {
		case screen.Fail:
			return e.Err
		case screen.Cmd:
			if late, ok := e().(screen.Late); ok {
				if err := runLast(late.Drop()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
