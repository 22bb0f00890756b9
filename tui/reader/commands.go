package reader

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// placed is a Doc that can find the message of a record.
type placed interface {
	MessageAt(offset int64) (int, bool)
}

// openRow returns a command that opens a row and finds the message of match, if any.
func openRow(ctx context.Context, source Source, row sessions.Row, match *screen.Place) tea.Cmd {
	return func() tea.Msg {
		doc, err := source.Open(ctx, row)
		if err != nil {
			return openedMsg{err: err}
		}
		at := -1
		switch p, ok := doc.(placed); {
		case match == nil:
		case match.Message != "":
			if d, ok := doc.(opened.Named); ok {
				if list := d.MessagesNamed(match.Message); len(list) > 0 {
					at = list[0]
				}
			}
		case match.Offset == screen.FromStart:
			at = 0
		case ok:
			if i, ok := p.MessageAt(match.Offset); ok {
				at = i
			}
		}
		if s, ok := source.(Opened); ok {
			s.Opened(row)
		}
		return openedMsg{doc: opened.New(doc), refs: doc.Outline(), threads: doc.Threads(), last: opened.LastRecords(doc), match: at}
	}
}

// followDoc returns a command that reads the records that were appended to an open document.
func followDoc(ctx context.Context, d *opened.File) tea.Cmd {
	return func() tea.Msg {
		grown, err := d.Follow(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return followedMsg{grown: grown, err: err}
	}
}

func closeDoc(d *opened.File) tea.Cmd {
	return func() tea.Msg { return closedMsg{err: d.Close()} }
}

// reading has the values that a command needs to decode and draw messages.
type reading struct {
	version  int
	doc      *opened.File
	options  talk.Options
	headings map[int]*transcript.Thread
	section  bool // the messages are sections of a document
	base     talk.Fold
	folds    []map[int]talk.Fold // folds of each message to read
	before   []time.Time         // time before each message to read
	heads    []head              // heads of the messages to read
	// prev is the last message with rows before the messages to read, or -1. A blank line may depend on its end.
	prev      int
	prevFolds map[int]talk.Fold
	prevHead  head
	now       time.Time
}

// readMessages returns a command that decodes the messages [from, to) and draws them as plain text.
func readMessages(ctx context.Context, r reading, from, to int) tea.Cmd {
	return func() tea.Msg {
		answer := readMsg{
			version: r.version, from: from, to: to, width: r.options.Width, theme: r.options.Styles.Theme,
		}
		after := r.ending(ctx)
		msgs, err := r.doc.Messages(ctx, r.version, from, to)
		answer.err = err
		for i := range msgs {
			d := drawing{index: from + i, msg: &msgs[i], after: after, heading: r.headings[from+i], base: r.base, section: r.section}
			d.folds, d.before, d.now = r.folds[i], r.before[i], r.now
			d.head = r.heads[i]
			d.draw(r.options, nil)
			after = d.end
			answer.drawn = append(answer.drawn, d)
		}
		return answer
	}
}

// ending returns how the message before the messages to read ends.
func (r *reading) ending(ctx context.Context) talk.Ending {
	d := drawing{index: r.prev, base: r.base, folds: r.prevFolds, section: r.section}
	d.head = r.prevHead
	switch {
	case r.prev < 0:
		return talk.Start
	case d.branches > 0:
		return talk.Prose
	case d.lead && !d.openWork:
		return talk.Worked
	}
	msgs, err := r.doc.Messages(ctx, r.version, r.prev, r.prev+1)
	if err != nil || len(msgs) == 0 {
		return talk.Prose
	}
	d.msg = &msgs[0]
	return d.ending()
}

// drawMessages returns a command that draws decoded messages again, with the wanted markdown.
func drawMessages(version int, o talk.Options, which []drawing, markdown func(text string, prose, code int) []string) tea.Cmd {
	return func() tea.Msg {
		for i := range which {
			if i > 0 && which[i].index == which[i-1].index+1 {
				which[i].after = which[i-1].end
			}
			which[i].draw(o, markdown)
		}
		return drawnMsg{version: version, drawn: which, width: o.Width, theme: o.Styles.Theme}
	}
}

// searching has the values that a command needs to search a conversation.
type searching struct {
	gen, version int
	doc          *opened.File
	needle       render.Needle
	words        []string // words to search for
}

// searchDoc returns a command that searches the next messages of ahead, and then of behind. The answer has the
// remaining ranges.
func searchDoc(ctx context.Context, s searching, ahead, behind stretch) tea.Cmd {
	return func() tea.Msg {
		now, rest := ahead.next()
		msg := searchedMsg{gen: s.gen, ahead: rest, behind: behind}
		if ahead.from == ahead.to {
			now, rest = behind.next()
			msg.ahead, msg.behind, msg.back = stretch{}, rest, true
		}
		msg.done = msg.ahead.from == msg.ahead.to && msg.behind.from == msg.behind.to
		if now.from == now.to {
			return msg
		}
		err := s.doc.Search(ctx, s.version, now.from, now.to, mayContain(s.words), func(i int, m *transcript.Message) {
			for _, block := range talk.Find(s.needle, m) {
				msg.matches = append(msg.matches, found{i, block})
			}
		})
		if err != nil && ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

// mayContain returns a function that reports whether a line could contain one of the words.
func mayContain(words []string) func(line []byte) bool {
	var list []*query.Query
	for _, w := range words {
		list = append(list, query.Words(w))
	}
	return func(line []byte) bool {
		return slices.ContainsFunc(list, func(q *query.Query) bool { return q.MayContain(line) })
	}
}

// seekTodo returns a command that finds the section with a todo or next step.
func seekTodo(ctx context.Context, doc *opened.File, version, n int, text string) tea.Cmd {
	return func() tea.Msg {
		msg := soughtMsg{version: version, text: text}
		msg.message, _ = doc.Find(ctx, version, n, text)
		return msg
	}
}

// partText returns a function that reads the text of a block or, for block -1, of the whole message.
func partText(doc *opened.File, version, message, block int) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		msgs, err := doc.Messages(ctx, version, message, message+1)
		if err != nil {
			return "", err
		}
		return msgs[0].Quote(block), nil
	}
}

// sectionStart returns a function that finds the number of a section's first line in the file.
func sectionStart(path string, doc *opened.File, version, message int) func(context.Context) (string, int, error) {
	return func(ctx context.Context) (string, int, error) {
		line := 0
		if msgs, err := doc.Messages(ctx, version, 0, message+1); err == nil && len(msgs) == message+1 {
			line = 1
			for i := range msgs[:message] {
				line += strings.Count(opened.Text(&msgs[i]), "\n")
			}
			text := opened.Text(&msgs[message])
			line += len(text) - len(strings.TrimLeft(text, "\n"))
		}
		return path, line, nil
	}
}
