package tui

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// model is the state of the browser. Update calls one method for each kind of message.
type model struct {
	maker
	workspace
	acts *actions
	due  []tea.Cmd // commands to return from the current Update

	now    time.Time
	zone   *time.Location
	layout screen.Layout
	width  int
	height int
	look
	// planLines draws the first lines of a plan. Tests replace it to count the lines.
	planLines func(parts []change.Part, s *render.Styles, indent, width, most int) []*render.Line

	feed     feed                    // the stream of rows
	spots    map[string]*reader.Spot // last positions in the reader, by path
	saved    savedSearches
	status   status
	branch   string       // the branch that is checked out in Options.Folder
	away     bool         // another program has the terminal, or will get it
	offered  bool         // backups were offered; at most once per run
	drove    bool         // continuo has driven a session in this run
	asksQuit int          // ID of the dialog about quitting
	awake    *atomic.Bool // the terminal has the focus; the watch reads this
}

func newModel(ctx context.Context, world World, opts Options) *model {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	m := &model{
		maker: maker{ctx: ctx, World: world, opts: opts, markdown: render.Markdown, prose: render.MarkdownDocument},
		now:   opts.Now(), planLines: render.PlanHead,
		spots: map[string]*reader.Spot{},
		saved: savedSearches{opts.Saved, opts.SaveSearch}, awake: new(atomic.Bool),
	}
	m.ledgers = knownLedgers{has: map[string]bool{}, tasks: map[string]int{}}
	m.look = newLook(&m.opts)
	m.lists = m.makeLists(func(dir string) bool { return m.ledgers.has[dir] })
	m.acts = newActions(m.lists)
	m.ledger, m.tasks, m.liveNow = m.makeLedger(), m.makeTasks(), m.makeLive(func() time.Time { return m.now })
	m.bases = []shown{{listScreen, m.lists, nobody}, {ledgerScreen, m.ledger, nobody}, {tasksScreen, m.tasks, nobody}, {liveScreen, m.liveNow, nobody}}
	m.stack = slices.Clone(m.bases[:1])
	m.last = liveScreen
	m.used[liveTab] = m.Live != nil
	m.awake.Store(true)
	m.zone = m.now.Location()
	return m
}

// Init starts the stream of rows and asks the terminal for its background colour.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}), tick(m.ctx, m.opts.Now), readBranch(m.opts.Branch), tea.RequestBackgroundColor)
}

// Update handles a message. Then it requests the missing content of the visible panes.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		if !m.away { // otherwise another program handles the input
			cmd = m.personDid(msg)
		}
	case tea.ResumeMsg: // files may have changed meanwhile
		cmd = m.refreshAll()
	case tea.FocusMsg:
		m.awake.Store(true)
		m.recheckLedgers(true)
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
	if m.due = nil; m.rings && m.opts.Bell {
		due = append(due, tea.Raw("\a"))
	}
	m.rings = false
	return m, tea.Batch(append(due, cmd, fit, m.checkLedgers())...)
}

// personDid handles input of the user: keys, pastes and the mouse.
func (m *model) personDid(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		m.afterInput()
		return m.carry(m.front().id, typed(m.front().screen, msg))
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// answered handles a message from a command.
func (m *model) answered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rowsMsg:
		return m.rowsArrived(msg)
	case changedMsg:
		return m.rowsChanged(msg)
	case savedMsg:
		return m.request(m.saved.store(msg))
	case answerMsg:
		return m.toScreen(msg)
	case ledgersMsg:
		if m.checked(msg) {
			m.arrange()
		}
	case resumedMsg:
		return m.resumed(msg)
	case clockMsg:
		return m.clockTicked(msg)
	case drivenMsg:
		return m.askQuit(msg)
	case branchMsg:
		m.branch = string(msg)
	case waitedMsg:
		if msg.gen == m.feed.gen {
			m.lists.Slow()
		}
	}
	return nil
}

// press converts a key to an intent. In a text field, printable characters are text.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.afterInput()
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

// typed passes a paste, or a key without a binding, to a screen that accepts text.
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

// arrange lays out the terminal again, and fits the panes to the new layout.
func (m *model) arrange() {
	top := *m.top()
	m.layout = arrange(m.width, m.height, top.screen.Shape(m.width, m.height))
	m.due = append(m.due, m.carry(top.id, top.screen.Fit(m.frame(true))))
}

// afterInput runs after each key, click and paste. It clears the message and cancels lookups of actions.
func (m *model) afterInput() {
	offered := m.status.offer
	m.status = m.status.afterInput()
	m.acts.cancelLookups(offered)
}

// refreshAll reads again everything that another program may have changed.
func (m *model) refreshAll() tea.Cmd {
	return tea.Batch(m.load(), m.actionRequest(screen.AskPast{}), m.tell(screen.Back{}))
}

// resumed runs when a program that had the terminal has ended. It loads the list again, because a session has probably
// changed.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	m.away = false
	m.acts.cancelLookups(false)
	switch {
	case msg.err != nil:
		m.status.fail("", msg.err, m.opts.Home)
	case msg.text != "":
		m.status.say(msg.text)
	}
	return m.refreshAll()
}

// offerBackup shows how many sessions ended without a backup, once per run. All rows must be known.
func (m *model) offerBackup() {
	if m.offered || m.Actions == nil || m.lists.IsLoading() || m.lists.Unsaved() == 0 || m.status.text != "" || m.hasDialog() || m.top().screen != m.lists || m.lists.IsTyping() {
		return
	}
	m.offered = true
	m.status = status{offer: true, text: m.currentActions().backup.Offer((&screen.Frame{Keys: m.opts.Keys}).Key("backup", "B"), m.width)}
}

func (m *model) clockTicked(msg clockMsg) tea.Cmd {
	m.now = msg.now
	m.offerBackup()
	m.recheckLedgers(m.awake.Load())
	return tea.Batch(tick(m.ctx, m.opts.Now), readBranch(m.opts.Branch))
}

// close closes the files of the screens after the program has ended. It doesn't wait for a hanging disk.
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

// runLast runs the commands among the effects and the commands of their answers. It returns the first error.
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
