package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// load starts the stream of rows anew. What is there stays until it is replaced.
func (m *model) load() tea.Cmd {
	if m.loadCancel != nil {
		m.loadCancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.loadCancel = cancel
	m.loadGen++
	m.loading, m.slow, m.scope.missing = true, false, nil
	return tea.Batch(loadRows(ctx, m.Source, m.loadGen), waitQuiet(ctx, m.loadGen))
}

func (m *model) rowsArrived(msg rowsMsg) tea.Cmd {
	if msg.gen != m.loadGen {
		return nil
	}
	for i := range m.lists {
		m.lists[i].add(msg.batch, msg.gen)
	}
	m.scope.partial = msg.batch.Part && msg.gen == 1 // on a later load all rows are there already
	m.couldNot(msg.batch.Err)
	m.relist()
	var watch, next tea.Cmd
	if !m.watching && !msg.batch.Part { // what happens while the figures are counted counts as well
		m.watching = true
		watch = watchRows(m.ctx, m.Source, m.awake.Load)
	}
	if m.loading = !msg.batch.Done && msg.from != nil; m.loading {
		next = nextRows(msg.gen, msg.from)
	} else {
		m.offerBackup()
	}
	return tea.Batch(next, watch, m.narrow())
}

// missingCells is the most that is kept of an error: a folder that a transcript names can be of any length.
const missingCells = 400

// couldNot keeps what could not be looked at, each once: it stands at the end of the list.
func (m *model) couldNot(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			m.couldNot(err)
		}
		return
	}
	if text := words.CutMiddle(transcript.CleanLine(screen.Sentence(err, m.opts.Home)), missingCells); !slices.Contains(m.scope.missing, text) {
		m.scope.missing = append(m.scope.missing, text)
	}
}

// rowsChanged takes in what has happened since the load.
func (m *model) rowsChanged(msg changedMsg) tea.Cmd {
	news := screen.Rows{Came: msg.batch.Rows}
	for _, path := range msg.batch.Gone {
		if row := m.heldRow(path); row != nil {
			news.Went = append(news.Went, *row)
		}
	}
	var gone []string
	msg.batch, gone = m.acts.change.Leave(msg.batch)
	for _, path := range gone {
		for i := range m.lists {
			delete(m.lists[i].held, path)
		}
	}
	for i := range m.lists {
		m.lists[i].change(msg.batch, m.loadGen)
	}
	m.couldNot(msg.batch.Err)
	m.relist()
	return tea.Batch(nextChanges(msg.from), m.narrow(), m.tell(news))
}

// relist lists all rows again, those of the hidden tabs as well: their tabs show how many there are.
func (m *model) relist() {
	for i := range m.lists {
		if l := &m.lists[i]; l != m.list {
			l.sorted()
		} else if m.isCovered() {
			l.sorted()
		}
	}
	m.newFolders = true
	m.useTabs()
	m.rebuild()
}

// filtering is the run of the filter: one at a time. A newer question ends the one that runs and waits for it.
type filtering struct {
	gen     int
	running bool
	again   bool // asked again since it started
	cancel  context.CancelFunc
}

// narrow asks for the rows that match, unless there is nothing to match.
func (m *model) narrow() tea.Cmd {
	if !m.list.isFiltered() {
		return nil
	}
	f := &m.filter
	f.gen++
	if f.running {
		f.cancel()
		f.again = true
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	f.running, f.cancel = true, cancel
	if m.list.among == nil {
		m.list.among = m.list.candidates(m.list.shown, m.now)
	}
	return filterRows(ctx, m.list.field.Text(), m.list.among, f.gen)
}

func (m *model) rowsFiltered(msg filteredMsg) tea.Cmd {
	f := &m.filter
	f.running = false
	if f.cancel != nil {
		f.cancel()
	}
	if f.again {
		f.again = false
		return m.narrow()
	}
	if msg.gen == f.gen {
		m.list.filtered(msg.hits)
		m.rebuild()
	}
	return nil
}

// setPattern changes what the list is filtered by.
func (m *model) setPattern(pattern string) tea.Cmd {
	if pattern == m.list.field.Text() {
		return nil
	}
	m.list.field.Set(pattern)
	return m.patternChanged()
}

// patternChanged filters by what is typed now.
func (m *model) patternChanged() tea.Cmd {
	l := m.list
	if l.touched = true; l.isFiltered() {
		return m.narrow()
	}
	m.filter.gen++ // an answer on its way is not wanted any more
	m.filter.again = false
	l.hits, l.answered = nil, l.field.Text()
	m.rebuild()
	return nil
}

// previewDue reads the end of the selected conversation, if the bar still is where it was.
func (m *model) previewDue(msg previewDueMsg) tea.Cmd {
	row := m.list.selected()
	if msg.gen == m.preview.Gen && m.layout.Preview.H == 0 { // there was room for it a moment ago
		m.preview.Stop()
		return nil
	}
	if msg.gen != m.preview.Gen || m.isCovered() || row == nil || row.State == sessions.StateUnreadable || row.Deleted {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.preview.Cancel = cancel
	o := m.renderOptions(row, m.layout.Preview.W-1)
	markdown, styles := m.markdownOf(row), m.styles
	o.Markdown = func(text string, prose, code int) []string { return markdown(text, prose, code, styles) }
	const most = 3 // screens that one can scroll back in it
	if row.Kind == sessions.KindDocument {
		return readOutline(ctx, m.Source, *row, o, most*m.layout.Preview.H, m.preview.Gen)
	}
	return readPreview(ctx, m.Source, *row, o, most*m.layout.Preview.H, m.preview.Gen)
}
