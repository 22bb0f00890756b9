package reader

import (
	"bytes"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/screen"
)

// callMsg has the call that seekCall found.
type callMsg struct {
	version, gen int
	at           found
	ok           bool
	none         string // message to show if there is no such call
	err          error
}

// callSearch is the running search for a call. A newer search or a moved bar drops its answer.
type callSearch struct {
	gen  int
	from bar // where the bar was at the start
}

// seeking says which call to find: the nearest one after (1) or before (-1) a part. Only records for which contains is
// true are decoded.
type seeking struct {
	from     found
	step     int
	contains func(line []byte) bool
	is       func(m *transcript.Message, block int) bool
	none     string
}

// toFailed looks for the next (step 1) or previous (step -1) failed call.
func (r *pane) toFailed(step int) tea.Cmd {
	none := "No failed call after this one."
	if step < 0 {
		none = "No failed call before this one."
	}
	return r.toCall(seeking{step: step, contains: hasError, is: isFailed, none: none})
}

// toCall looks for a call, starting at the bar.
func (r *pane) toCall(s seeking) tea.Cmd {
	if r.doc == nil || len(r.out.Refs) == 0 {
		return nil
	}
	r.callSearch.gen++
	r.callSearch.from = r.cur.bar
	s.from = found{r.cur.bar.message, r.view.part(r.cur.bar).Block}
	if s.step > 0 && r.view.cache.messages[r.cur.bar.message] == nil {
		s.from.block = -1 // no block is selected yet
	}
	return seekCall(r.ctx, r.doc, r.version, r.callSearch.gen, len(r.out.Refs), s)
}

// seekCall returns a command that looks for a call.
func seekCall(ctx context.Context, doc *opened.File, version, gen, n int, s seeking) tea.Cmd {
	return func() tea.Msg {
		msg := callMsg{version: version, gen: gen, none: s.none}
		rest := stretch{from: s.from.message, to: n}
		if s.step < 0 {
			rest = stretch{to: s.from.message + 1, back: true}
		}
		for rest.from < rest.to && !msg.ok && msg.err == nil {
			var now stretch
			now, rest = rest.next()
			msg.err = doc.Search(ctx, version, now.from, now.to, s.contains, func(i int, m *transcript.Message) {
				for block := range m.Blocks {
					at := found{i, block}
					if !s.is(m, block) || compareFound(at, s.from)*s.step <= 0 || msg.ok && compareFound(at, msg.at)*s.step > 0 {
						continue
					}
					msg.at, msg.ok = at, true
				}
			})
		}
		if ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

// hasError reports whether a record could contain the result of a failed call.
func hasError(line []byte) bool {
	for _, key := range []string{`"is_error"`, `"backgroundTaskId"`, `"isAsync"`} {
		if bytes.Contains(line, []byte(key)) {
			return true
		}
	}
	return false
}

func isFailed(m *transcript.Message, block int) bool {
	if m.Blocks[block].Kind != transcript.BlockToolUse {
		return false
	}
	call := m.Call(block)
	return call.Result != nil && call.Result.Failed || call.Outcome() == transcript.OutcomeFailed
}

// callFound goes to the call that was found. A moved bar or a grown conversation prevents this.
func (p *Page) callFound(msg callMsg) []screen.Effect {
	r := &p.pane
	switch {
	case msg.gen != r.callSearch.gen || msg.version != r.version || r.cur.bar != r.callSearch.from:
	case msg.err != nil:
		return []screen.Effect{screen.Fail{What: "The calls could not be read.", Err: msg.err}}
	case !msg.ok:
		return tell(msg.none)
	default:
		r.cur.showPart(msg.at.message, msg.at.block)
		r.cur.aim(goal{message: msg.at.message, block: msg.at.block, ofBlock: true}, p.rows)
	}
	return nil
}

// toStart looks for the call with an ID, before the bar.
func (r *pane) toStart(id string) tea.Cmd { return r.toCall(calling(id, -1)) }

// calling returns the search for the call with an ID.
func calling(id string, step int) seeking {
	return seeking{
		step:     step,
		contains: func(line []byte) bool { return bytes.Contains(line, []byte(id)) },
		is: func(m *transcript.Message, block int) bool {
			return m.Blocks[block].Kind == transcript.BlockToolUse && m.Blocks[block].ID == id
		},
		none: "The call is not in this file.",
	}
}

// isRunning reports whether a message has a call in the background. The notification redraws this call.
func isRunning(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b transcript.Block) bool {
		c := transcript.Call{Result: &b}
		d := c.Details()
		return d.Background && d.End == nil
	})
}
