package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// showText prints a conversation for a person, main thread first: as the reader shows it in a terminal, with
// all that the tools were told and said elsewhere.
func (d *deps) showText(ctx context.Context, row *sessions.Row, doc document, width int) error {
	s := d.out.styles
	d.out.print(d.showHeading(row, doc, width))
	text, isDocument := doc.Markdown()
	if isDocument && !d.out.terminal { // as it stands, for whatever reads on
		d.out.print(strings.Join(render.Wrap(text, width), "\n") + "\n")
		return nil
	}
	p := talk{
		now:   d.now(),
		whole: !d.out.terminal,
		opts: render.Options{
			Width: width, Styles: s, Zone: d.now().Location(), Dir: row.Workdir, Home: d.home, Unfold: !d.out.terminal,
		},
	}
	if d.out.terminal {
		markdown := render.Markdown
		if isDocument {
			markdown = render.MarkdownDocument
		}
		p.opts.Markdown = func(text string, prose, code int) []string { return markdown(text, prose, code, s) }
	}
	refs, threads, thread := doc.Outline(), doc.Threads(), -1
	err := d.eachChunk(ctx, doc, func(from int, messages []transcript.Message) error {
		for i := range messages {
			if t := refs[from+i].Thread; t != thread && t >= 0 && t < len(threads) {
				thread = t
				p.add(render.ThreadHeading(&threads[t], p.opts)...)
			}
			p.message(&messages[i])
		}
		d.out.print(p.take())
		return nil
	})
	if err != nil {
		return err
	}
	if isDocument {
		return nil
	}
	if !d.out.terminal {
		d.err.print(showSum(doc) + "\n")
		return nil
	}
	d.out.print("\n")
	for _, line := range render.Wrap(showSum(doc), width) {
		d.out.print(s.Paint(render.Faint, line) + "\n")
	}
	return nil
}

// showHeading is the title and the facts of a conversation, and a blank line.
func (d *deps) showHeading(row *sessions.Row, doc document, width int) string {
	var facts []string
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		facts = append(facts, "on "+branch)
	}
	if _, ok := doc.Markdown(); !ok {
		facts = append(facts, count(countMessages(doc), "message"))
	}
	if n := row.Tokens.Fresh(); row.Counted() && n > 0 {
		facts = append(facts, render.Tokens(n)+" tokens")
	}
	if row.Workdir != "" {
		facts = append(facts, d.tilde(row.Workdir))
	}
	if t := row.When(); row.Dated() {
		facts = append(facts, t.In(d.now().Location()).Format("2006-01-02 15:04"))
	}
	var b strings.Builder
	for _, part := range []struct {
		ink  render.Ink
		text string
	}{{render.Strong, render.Title(row)}, {render.Faint, strings.Join(facts, " · ")}} {
		for _, line := range render.Wrap(part.text, width) {
			b.WriteString(d.out.styles.Paint(part.ink, line) + "\n")
		}
	}
	// The id is never broken at a hyphen: it is there to be copied.
	return b.String() + d.out.styles.Paint(render.Faint, render.Cut(cleanPath(row.ID), width)) + "\n\n"
}

// countMessages counts the turns that a reader sees: those of sub-agents are theirs.
func countMessages(doc document) int {
	n, threads := 0, doc.Threads()
	for _, m := range doc.Outline() {
		turn := m.Kind == transcript.Prompt || m.Kind == transcript.Answer
		if turn && (m.Thread < 0 || m.Thread >= len(threads) || threads[m.Thread].Kind != transcript.Sidechain) {
			n++
		}
	}
	return n
}

// showSum accounts for every line of the file.
func showSum(doc document) string {
	c := doc.Counts()
	sum := count(countMessages(doc), "message")
	if n := len(doc.Threads()); n > 1 {
		sum += " in " + count(n, "thread")
	}
	sum += " from " + count(c.Records(), "record") + "."
	if bad := c.Unparsed + c.NotObjects; bad > 0 {
		sum += " " + count(bad, "line") + " could not be read as records."
	}
	return sum
}

// talk collects the lines of messages.
type talk struct {
	opts  render.Options
	now   time.Time
	day   time.Time // of the last message that has a time
	whole bool      // with everything that tools were told and said
	last  render.Ending
	b     strings.Builder
}

// take returns what was collected since the last time.
func (p *talk) take() string {
	s := p.b.String()
	p.b.Reset()
	return s
}

func (p *talk) add(lines ...string) {
	for _, l := range lines {
		p.b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
}

// message draws one message.
func (p *talk) message(m *transcript.Message) {
	parts := []transcript.Message{*m}
	if p.whole {
		parts = split(m)
	} else {
		p.dayOf(m)
	}
	for i := range parts {
		p.add(render.Message(&parts[i], p.last, p.opts)...)
		p.last = render.End(&parts[i])
		if p.whole {
			p.details(&parts[i])
		}
	}
}

// dayOf writes the heading of a day that a message begins.
func (p *talk) dayOf(m *transcript.Message) {
	if m.Time.IsZero() {
		return
	}
	heading := render.DayHeading(m.Time, p.day, p.now, p.opts)
	p.day = m.Time
	switch {
	case heading == nil:
	case p.last == render.Start: // a blank line stands there, and the first message follows as it is
		p.add(heading[1], "")
	default:
		p.add(heading...)
		p.last = render.Prose
	}
}

// split cuts a message behind each block of a tool, so that details can be put there. A result goes with its
// call.
func split(m *transcript.Message) []transcript.Message {
	results := map[string]int{}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockToolResult {
			results[b.CallID] = i
		}
	}
	var parts []transcript.Message
	var blocks []transcript.Block
	cut := func() {
		part := *m
		part.Blocks = blocks
		if len(parts) > 0 { // said once
			part.Gap, part.Err = false, ""
		}
		parts, blocks = append(parts, part), nil
	}
	taken := map[int]bool{}
	more := slices.ContainsFunc(m.Blocks, func(b transcript.Block) bool { return !isWordless(&b) })
	for i := range m.Blocks {
		b := &m.Blocks[i]
		switch {
		case taken[i], more && isWordless(b):
			continue
		case isDetailed(b) && len(blocks) > 0:
			cut()
		}
		blocks = append(blocks, *b)
		if !isDetailed(b) {
			continue
		}
		if j, ok := results[b.ID]; ok && j > i && b.Kind == transcript.BlockToolUse {
			blocks = append(blocks, m.Blocks[j])
			taken[j] = true
		}
		cut()
	}
	if len(blocks) > 0 || len(parts) == 0 {
		cut()
	}
	return parts
}

// isWordless reports whether a block is a thought without its words, which is only drawn where there is nothing else.
func isWordless(b *transcript.Block) bool {
	return b.Kind == transcript.BlockThinking && strings.TrimSpace(b.Text) == ""
}

// isDetailed reports whether one line does not say all of a block.
func isDetailed(b *transcript.Block) bool {
	switch b.Kind {
	case transcript.BlockToolUse, transcript.BlockToolResult, transcript.BlockUnknown:
		return true
	case transcript.BlockText, transcript.BlockThinking, transcript.BlockImage, transcript.BlockDocument:
	}
	return false
}

// details writes, behind a line, what the blocks of a tool hold.
func (p *talk) details(m *transcript.Message) {
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; b.Kind {
		case transcript.BlockToolUse:
			for _, text := range arguments(b.Input) {
				p.behindLine(text)
			}
		case transcript.BlockToolResult:
			p.behindLine(b.Text)
		case transcript.BlockUnknown:
			p.behindLine(string(b.Raw))
		case transcript.BlockText, transcript.BlockThinking, transcript.BlockImage, transcript.BlockDocument:
		}
	}
}

func (p *talk) behindLine(text string) {
	const mark = "    │ "
	if strings.TrimSpace(text) == "" {
		return
	}
	for _, l := range render.Wrap(text, max(p.opts.Width-len("    | "), 1)) {
		p.add(p.opts.Styles.Paint(render.Faint, mark+l))
	}
}

// arguments are the named values of a tool call, in the order of their names.
func arguments(raw json.RawMessage) []string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return []string{string(raw)}
	}
	var texts []string
	for key, value := range fields {
		var text string
		var compact bytes.Buffer
		switch {
		case json.Unmarshal(value, &text) == nil:
		case json.Compact(&compact, value) == nil:
			text = compact.String()
		default:
			text = string(value)
		}
		texts = append(texts, key+": "+text)
	}
	slices.Sort(texts)
	return texts
}
