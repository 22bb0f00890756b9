package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// model is the whole program. Its panes have no Update of their own: what arrives is handed to named methods.
type model struct {
	ctx     context.Context // of the program
	source  Source
	actions Actions
	opts    Options
	keys    [places][]binding

	now     time.Time
	zone    *time.Location
	layout  layout
	width   int
	height  int
	dark    bool
	profile colorprofile.Profile
	styles  *render.Styles
	// markdown renders the text of an answer; a test counts its calls.
	markdown func(text string, prose, code int, s *render.Styles) []string

	list       list
	preview    preview
	previewOff bool
	reader     *reader // nil: the list is shown
	helpOpen   bool
	status     status
	resuming   bool

	// One counter for each kind of question: an answer to an older one is dropped.
	loadGen, filterGen, readerGen int

	loading    bool
	slow       bool // loading takes long enough to say so
	loadCancel context.CancelFunc
	trouble    error // the last error of the catalogue
}

func newModel(ctx context.Context, source Source, actions Actions, opts Options) *model {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	m := &model{
		ctx: ctx, source: source, actions: actions, opts: opts,
		keys:     keyTable(actions != nil),
		now:      opts.Now(),
		dark:     true, // until the terminal says otherwise; it may never
		profile:  colorprofile.TrueColor,
		markdown: render.Markdown,
		list:     list{project: opts.Project, home: opts.Home, all: opts.Project == ""},
	}
	m.zone = m.now.Location()
	m.restyle()
	return m
}

// Init starts the stream of rows and asks the terminal what its background is.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.load(), tick(m.ctx, m.opts.Now), tea.RequestBackgroundColor)
}

// Update is the table of contents: each message has one method. Afterwards what the panes show and do not have
// yet is asked for.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case tea.PasteMsg:
		cmd = m.typed(msg.Content)
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.restyle()
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.restyle()
	default:
		cmd = m.answered(msg)
	}
	return m, tea.Batch(cmd, m.wants())
}

// answered takes the message of a command in.
func (m *model) answered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rowsMsg:
		return m.rowsArrived(msg)
	case filteredMsg:
		m.rowsFiltered(msg)
	case previewDueMsg:
		return m.previewDue(msg)
	case previewedMsg:
		m.preview.arrived(msg)
	case openedMsg:
		return m.rowOpened(msg)
	case readMsg:
		m.messagesRead(msg)
	case drawnMsg:
		m.messagesDrawn(msg)
	case closedMsg:
		m.docClosed(msg)
	case preparedMsg:
		return m.resumePrepared(msg)
	case resumedMsg:
		return m.resumed(msg)
	case clockMsg:
		return m.clockTicked(msg)
	case waitedMsg:
		m.waited(msg)
	}
	return nil
}

// wants asks for what is visible and not there yet.
func (m *model) wants() tea.Cmd {
	if m.reader != nil {
		return m.readerWants()
	}
	row := m.list.selected()
	if m.layout.preview.h == 0 || row == nil {
		return nil
	}
	key := previewKey{path: row.Path, bytes: row.Bytes, width: m.layout.preview.w, theme: m.styles.Theme}
	if !m.preview.ask(key) {
		return nil
	}
	return waitPreview(m.ctx, m.preview.gen)
}

// readerWants asks for messages to be decoded and drawn, one command of each sort at a time: by the time of the
// answer the view may be elsewhere, and what is asked for then is what is visible then.
func (m *model) readerWants() tea.Cmd {
	r, rows := m.reader, m.layout.body.h
	if r.doc == nil || len(r.refs) == 0 || rows == 0 {
		return nil
	}
	var cmds []tea.Cmd
	o := m.renderOptions(&r.row, textWidth(m.width))
	if from, to := r.missing(rows); to > from && !r.readingNow {
		r.readingNow = true
		cmds = append(cmds, readMessages(r.ctx, reading{gen: r.gen, doc: r.doc, options: o, headings: r.headings}, from, to))
	}
	if !r.drawingNow {
		if which := r.undrawn(rows, o.Width, o.Styles.Theme); len(which) > 0 {
			r.drawingNow = true
			markdown, styles := m.markdown, m.styles
			o.Markdown = func(text string, prose, code int) []string { return markdown(text, prose, code, styles) }
			cmds = append(cmds, drawMessages(r.gen, o, which))
		}
	}
	return tea.Batch(cmds...)
}

func (m *model) isCurrent(gen int) bool { return m.reader != nil && m.reader.gen == gen }

// press turns a key into an intent. While something is typed, text is text.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	if !m.status.bad {
		m.status = status{} // a message stays until the next key
	}
	do, why := m.intentOf(msg.String())
	switch {
	case do != nil:
		return do(m)
	case why != "":
		m.status.say(why)
	case m.place() == whileTyping:
		return m.typed(msg.Text)
	}
	return nil
}

// typed appends text to the filter.
func (m *model) typed(text string) tea.Cmd {
	if m.place() != whileTyping || text == "" {
		return nil
	}
	const most = 200 // bytes; a filter is a few words, a paste may be a file
	pattern := m.list.pattern + transcript.CleanLine("x" + text + "x")[1:]
	pattern = pattern[:len(pattern)-1]
	if len(pattern) > most {
		return nil
	}
	return m.setPattern(pattern)
}

func (m *model) resize(w, h int) {
	m.width, m.height = w, h
	m.arrange()
}

// arrange lays the screen out again and fits the panes to it.
func (m *model) arrange() {
	m.layout = arrange(m.width, m.height, shape{list: m.reader == nil, preview: m.hasPreview(), typing: m.list.typing})
	if r := m.reader; r != nil {
		r.win.fit(len(r.refs), m.layout.body.h, r.height)
		return
	}
	m.rebuild()
}

// rebuild lists the rows again, after a change of them or of what is shown.
func (m *model) rebuild() {
	if m.reader != nil { // its body has another height; arrange comes when it is left
		return
	}
	had := m.hasPreview()
	m.list.build(m.now, m.layout.body.h, m.layout.body.h >= 25)
	if m.hasPreview() != had {
		m.arrange()
	}
}

// hasPreview reports whether there is something to be shown beside the list.
func (m *model) hasPreview() bool { return !m.previewOff && m.list.tally.inScope > 0 }

// restyle chooses the palette: by the terminal's colours and, where it says it, its background.
func (m *model) restyle() {
	theme := render.Dark
	switch {
	case m.opts.NoColor || m.profile <= colorprofile.Ascii:
		theme = render.Mono
	case m.profile == colorprofile.ANSI && m.dark:
		theme = render.Dark16
	case m.profile == colorprofile.ANSI:
		theme = render.Light16
	case !m.dark:
		theme = render.Light
	}
	if m.styles == nil || m.styles.Theme != theme {
		m.styles = render.NewStyles(theme)
	}
}

// load starts the stream of rows anew. What is there stays until it is replaced.
func (m *model) load() tea.Cmd {
	if m.loadCancel != nil {
		m.loadCancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.loadCancel = cancel
	m.loadGen++
	m.loading, m.slow, m.trouble = true, false, nil
	return tea.Batch(loadRows(ctx, m.source, m.loadGen), waitQuiet(ctx, -m.loadGen))
}

func (m *model) rowsArrived(msg rowsMsg) tea.Cmd {
	if msg.gen != m.loadGen {
		return nil
	}
	m.list.add(msg.batch, msg.gen)
	if r := m.reader; r != nil && m.list.held[r.row.Path] != nil {
		r.row = m.list.held[r.row.Path].row // its exact figures
	}
	if err := msg.batch.Err; err != nil && !errors.Is(err, context.Canceled) {
		m.trouble = err
	}
	m.rebuild()
	if m.trouble != nil && m.list.tally.total > 0 { // without a row the pane says it
		m.fail("Not everything could be read.", m.trouble)
	}
	var next tea.Cmd
	if m.loading = !msg.batch.Done && msg.from != nil; m.loading {
		next = nextRows(msg.gen, msg.from)
	}
	return tea.Batch(next, m.filter())
}

func (m *model) rowsFiltered(msg filteredMsg) {
	if msg.gen != m.filterGen {
		return
	}
	m.list.filtered(msg.hits)
	m.rebuild()
}

// previewDue reads the end of the selected conversation, if the bar still is where it was.
func (m *model) previewDue(msg previewDueMsg) tea.Cmd {
	row := m.list.selected()
	if msg.gen != m.preview.gen || m.reader != nil || row == nil || row.State == sessions.StateUnreadable {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.preview.cancel = cancel
	return readPreview(ctx, m.source, *row, m.renderOptions(row, m.layout.preview.w-1), m.preview.gen)
}

// openReader shows the reader for a row; its document is on the way.
func (m *model) openReader(row sessions.Row) tea.Cmd {
	m.readerGen++
	ctx, cancel := context.WithCancel(m.ctx)
	m.reader = &reader{row: row, gen: m.readerGen, ctx: ctx, cancel: cancel}
	m.arrange()
	return tea.Batch(openRow(ctx, m.source, row, m.readerGen), waitQuiet(ctx, m.readerGen))
}

func (m *model) rowOpened(msg openedMsg) tea.Cmd {
	if !m.isCurrent(msg.gen) { // left before it was open
		if msg.doc != nil {
			return closeDoc(msg.doc)
		}
		return nil
	}
	m.reader.opened(msg, m.layout.body.h)
	return nil
}

func (m *model) messagesRead(msg readMsg) {
	if m.isCurrent(msg.gen) {
		m.reader.read(msg, m.layout.body.h)
	}
}

func (m *model) messagesDrawn(msg drawnMsg) {
	if m.isCurrent(msg.gen) {
		m.reader.drawingNow = false
		m.reader.drawn(msg.drawn, msg.width, msg.theme, m.layout.body.h)
	}
}

func (m *model) docClosed(msg closedMsg) {
	if msg.err != nil {
		m.fail("The transcript did not close.", msg.err)
	}
}

func (m *model) clockTicked(msg clockMsg) tea.Cmd {
	m.now = msg.now
	m.rebuild()
	return tick(m.ctx, m.opts.Now)
}

func (m *model) leaveReader() tea.Cmd {
	r := m.reader
	r.cancel()
	m.reader = nil
	m.arrange()
	if r.doc == nil {
		return nil
	}
	return closeDoc(r.doc)
}

func (m *model) resumePrepared(msg preparedMsg) tea.Cmd {
	if msg.err != nil {
		m.resuming = false
		m.fail("", msg.err)
		return nil
	}
	return takeOver(msg.run)
}

// resumed comes back to the same place; the list is read again, for the session has changed.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	m.resuming = false
	if msg.err != nil {
		m.fail("", msg.err)
	}
	if m.reader == nil {
		return m.load()
	}
	row := m.reader.row // it has gone on: read it again, at its new end
	return tea.Batch(m.leaveReader(), m.openReader(row), m.load())
}

// waited marks what takes long: the reader by its generation, the list by the negative of its own.
func (m *model) waited(msg waitedMsg) {
	if msg.gen == -m.loadGen {
		m.slow = true
	}
	if m.isCurrent(msg.gen) {
		m.reader.slow = true
	}
}

// close lets the open document go, after the program has ended.
func (m *model) close() error {
	if m.reader == nil || m.reader.doc == nil {
		return nil
	}
	m.reader.cancel()
	return m.reader.doc.close()
}
