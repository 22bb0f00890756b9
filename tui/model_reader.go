package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// openReader shows the reader for a row; its document is on the way. It opens where it was left.
func (m *model) openReader(row sessions.Row) tea.Cmd {
	m.readerGen++
	ctx, cancel := context.WithCancel(m.ctx)
	m.reader = &reader{row: row, gen: m.readerGen, ctx: ctx, cancel: cancel, at: m.spots[row.Path]}
	m.reader.find.field = field.New(field.Words)
	m.stackReader(true)
	m.arrange()
	return tea.Batch(openRow(ctx, m.Source, row, m.readerGen), waitQuiet(ctx, m.readerGen))
}

func (m *model) rowOpened(msg openedMsg) tea.Cmd {
	if !m.isCurrent(msg.gen) { // left before it was open
		if msg.doc != nil {
			return closeDoc(msg.doc)
		}
		return nil
	}
	m.reader.opened(msg, m.layout.Body.H)
	if m.reader.row.Kind == sessions.KindSession { // the watch tells of those
		return nil
	}
	if r := m.reader; r.seeks != "" && r.doc != nil {
		return tea.Batch(waitLook(r.ctx, r.gen), seekTodo(r.ctx, r.doc, r.version, len(r.refs), r.seeks, r.gen))
	}
	return waitLook(m.reader.ctx, m.readerGen)
}

// lookDue has an open backup or document looked at again: the watch comes to those every half a minute only.
func (m *model) lookDue(msg lookDueMsg) tea.Cmd {
	if !m.isCurrent(msg.gen) {
		return nil
	}
	if m.awake.Load() {
		m.reader.grown = true
	}
	return waitLook(m.reader.ctx, msg.gen)
}

// leaveReader goes back to the list and remembers the place.
func (m *model) leaveReader() tea.Cmd {
	r := m.reader
	r.cancel()
	r.find.stop()
	delete(m.spots, r.row.Path)
	if s := r.spot(); s != nil && !r.lost { // records of a file that was rewritten are others
		m.spots[r.row.Path] = s
	}
	m.reader = nil
	m.stackReader(false)
	m.arrange()
	if r.doc == nil {
		return m.narrow()
	}
	return tea.Batch(closeDoc(r.doc), m.narrow()) // rows may have come meanwhile
}

func (m *model) isCurrent(gen int) bool { return m.reader != nil && m.reader.gen == gen }

// readerWants asks for messages to be decoded and drawn, one command of each sort at a time: by the time of the
// answer the view may be elsewhere, and what is asked for then is what is visible then.
func (m *model) readerWants() tea.Cmd {
	r, rows := m.reader, m.layout.Body.H
	var cmds []tea.Cmd
	if r.doc != nil && r.grown && !r.followingNow {
		r.grown, r.followingNow = false, true
		cmds = append(cmds, followDoc(r.ctx, r.doc, r.gen))
	}
	if r.doc == nil || len(r.refs) == 0 || rows == 0 {
		return tea.Batch(cmds...)
	}
	o := m.renderOptions(&r.row, textWidth(m.width))
	if from, to := r.missing(rows); to > from && !r.readingNow {
		r.readingNow = true
		ask := reading{gen: r.gen, version: r.version, doc: r.doc, options: o, headings: r.headings, base: r.base, now: m.now, section: m.isDocument()}
		for i := max(from-1, 0); i < to; i++ {
			ask.folds, ask.before = append(ask.folds, r.foldsOf(i)), append(ask.before, r.timeBefore(i))
		}
		cmds = append(cmds, readMessages(r.ctx, ask, from, to))
	}
	if !r.drawingNow {
		if which := r.undrawn(rows, o.Width, o.Styles.Theme); len(which) > 0 {
			r.drawingNow = true
			markdown, styles := m.markdownOf(&r.row), m.styles
			cmds = append(cmds, drawMessages(r.gen, r.version, o, which, func(text string, prose, code int) []string {
				return markdown(text, prose, code, styles)
			}))
		}
	}
	if r.grown && !r.followingNow {
		r.grown, r.followingNow = false, true
		cmds = append(cmds, followDoc(r.ctx, r.doc, r.gen))
	}
	return tea.Batch(cmds...)
}

// followNow has the open document read on.
func (m *model) followNow() tea.Cmd {
	if m.reader != nil {
		m.reader.grown = true // the command follows with what the reader wants
	}
	return nil
}

func (m *model) docFollowed(msg followedMsg) tea.Cmd {
	if !m.isCurrent(msg.gen) {
		return nil
	}
	r := m.reader
	r.followingNow = false
	switch {
	case errors.Is(msg.err, transcript.ErrRewritten):
		if !r.lost {
			m.status.say("The file was rewritten. You read what it was; ctrl+r opens it anew.")
		}
		r.lost = true
	case msg.err != nil && !errors.Is(msg.err, context.Canceled):
		m.status.fail("What was added could not be read.", msg.err, m.opts.Home)
	}
	if !msg.grown {
		return nil
	}
	before := len(r.refs)
	behind := r.extended(msg.refs, msg.threads, msg.version, m.layout.Body.H)
	switch {
	case r.find.pattern == "" || len(r.refs) == 0:
		return nil
	case behind && before > 0 && !r.find.running:
		return r.searchOn(before - 1) // records may have joined the last message
	}
	return r.searchAgain()
}

func (m *model) messagesRead(msg readMsg) {
	if m.isCurrent(msg.gen) {
		m.reader.read(msg, m.layout.Body.H)
	}
}

func (m *model) messagesDrawn(msg drawnMsg) {
	if !m.isCurrent(msg.gen) {
		return
	}
	m.reader.drawingNow = false
	if msg.version == m.reader.version {
		m.reader.drawn(msg.drawn, msg.width, msg.theme, m.layout.Body.H)
	}
}

func (m *model) docSearched(msg searchedMsg) tea.Cmd {
	r := m.reader
	if !m.isCurrent(msg.reader) || msg.gen != r.find.gen || !r.find.running {
		return nil
	}
	r.searched(msg, m.layout.Body.H)
	if msg.done {
		return nil
	}
	return searchDoc(r.find.ctx, r.searching(), msg.ahead, msg.behind)
}

func (m *model) docClosed(msg closedMsg) {
	if msg.err != nil {
		m.status.fail("The transcript did not close.", msg.err, m.opts.Home)
	}
}

// renderOptions are those for messages of a row in a pane.
func (m *model) renderOptions(row *sessions.Row, width int) talk.Options {
	return talk.Options{Width: width, Left: 2, Styles: m.styles, Zone: m.zone, Dir: row.Workdir, Home: m.opts.Home}
}
