package show

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// showText prints a conversation as in the reader, main thread first. Turns are unfolded, with one line for each
// call.
func showText(ctx context.Context, env *place.Env, o *out.Output, row *sessions.Row, doc place.SourceDoc, width int) error {
	s := o.Out.Styles
	o.Out.Print(showHeading(env, o, row, doc, width))
	text, isDocument := doc.Markdown()
	if isDocument && !o.Out.Terminal { // programs get the unchanged text
		o.Out.Print(strings.Join(render.Wrap(text, width), "\n") + "\n")
		return nil
	}
	p := shownLines{
		now:  env.Now(),
		opts: talk.Options{Width: width, Styles: s, Zone: env.Now().Location(), Dir: row.Workdir, Home: env.Home, Live: row.Live != nil},
	}
	if o.Out.Terminal {
		s = s.Highlighted(render.Highlight)
		markdown := render.Markdown
		if isDocument {
			markdown = render.MarkdownDocument
		}
		p.opts.Markdown = func(text string, prose, code int) []string { return markdown(text, prose, code, s) }
	}
	refs, threads, thread := doc.Outline(), doc.Threads(), -1
	p.turns, p.lists = turn.Stretches(refs), dropped.NewLists(refs)
	err := eachChunk(o, ctx, doc, func(from int, messages []transcript.Message) error {
		for i := range messages {
			if t := refs[from+i].Thread; t != thread && t >= 0 && t < len(threads) {
				thread = t
				p.add(talk.ThreadHeading(&threads[t], p.opts)...)
			}
			if !refs[from+i].Quiet {
				p.message(from+i, &messages[i])
			}
			if list := p.lists.Add(from+i, &messages[i]); list != nil {
				d := talk.DrawDropped(list, 0, talk.Fixed, p.last, p.opts)
				p.add(d.Lines...)
				p.last = d.End
			}
			p.worked(from + i)
		}
		o.Out.Print(p.take())
		return nil
	})
	if err != nil {
		return err
	}
	if isDocument {
		return nil
	}
	if !o.Out.Terminal {
		o.Err.Print(showSum(doc) + "\n")
		return nil
	}
	o.Out.Print("\n")
	for _, line := range render.Wrap(showSum(doc), width) {
		o.Out.Print(s.Paint(render.Faint, line) + "\n")
	}
	return nil
}

// showHeading returns the title, facts, and a blank line.
func showHeading(env *place.Env, o *out.Output, row *sessions.Row, doc place.SourceDoc, width int) string {
	var facts []string
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		facts = append(facts, "on "+branch)
	}
	if _, ok := doc.Markdown(); !ok {
		facts = append(facts, out.Count(countMessages(doc), "message"))
	}
	if n := row.Tokens.Fresh(); row.Counted() && n > 0 {
		facts = append(facts, render.Tokens(n)+" tokens")
	}
	if row.Workdir != "" {
		facts = append(facts, env.Tilde(row.Workdir))
	}
	if t := row.When(); row.Dated() {
		facts = append(facts, t.In(env.Now().Location()).Format("2006-01-02 15:04"))
	}
	var b strings.Builder
	for _, part := range []struct {
		ink  render.Ink
		text string
	}{{render.Strong, render.Title(row)}, {render.Faint, strings.Join(facts, " · ")}} {
		for _, line := range render.Wrap(part.text, width) {
			b.WriteString(o.Out.Styles.Paint(part.ink, line) + "\n")
		}
	}
	// Don't wrap the ID at hyphens: it may be copied.
	return b.String() + o.Out.Styles.Paint(render.Faint, words.Cut(out.CleanPath(row.ID), width)) + "\n\n"
}

// countMessages returns the number of prompts and answers.
func countMessages(doc place.SourceDoc) int {
	n := 0
	for _, m := range doc.Outline() {
		if m.Turn {
			n++
		}
	}
	return n
}

// showSum returns the numbers of messages, threads, records, and other lines.
func showSum(doc place.SourceDoc) string {
	c := doc.Counts()
	sum := out.Count(countMessages(doc), "message")
	if n := len(doc.Threads()); n > 1 {
		sum += " in " + out.Count(n, "thread")
	}
	sum += " from " + out.Count(c.Records(), "record") + "."
	if bad := c.Unparsed + c.NotObjects; bad > 0 {
		sum += " " + out.Count(bad, "line") + " could not be read as records."
	}
	return sum
}

// shownLines collects the lines of messages.
type shownLines struct {
	opts  talk.Options
	now   time.Time
	day   time.Time // day of the last message with a time
	last  talk.Ending
	b     strings.Builder
	lists *dropped.Lists
	turns []turn.Stretch // turns whose work isn't complete
	// held has the lines of the current turn's work. They are added after the summary line, which needs all
	// counts.
	held *heldWork
}

// heldWork is a turn's work up to the current message.
type heldWork struct {
	turn.Work
	after talk.Ending // how the previous message ended
	b     strings.Builder
}

// take returns the lines since the last call.
func (p *shownLines) take() string {
	s := p.b.String()
	p.b.Reset()
	return s
}

func (p *shownLines) add(lines ...string) {
	b := &p.b
	if p.held != nil {
		b = &p.held.b
	}
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
}

// message adds the message with the index i.
func (p *shownLines) message(i int, m *transcript.Message) {
	p.dayOf(m)
	if len(p.turns) > 0 && i == p.turns[0].From {
		p.held, p.last = &heldWork{after: p.last}, talk.Begun
		p.opts.Left += talk.WorkIndent
	}
	o := p.opts
	o.Work = p.held != nil
	d := talk.Draw(m, p.last, o)
	p.add(d.Lines...)
	p.last = d.End
	if p.held != nil {
		p.held.Add(m)
	}
}

// worked ends the work of a turn: it adds the summary line and the calls.
func (p *shownLines) worked(i int) {
	if p.held == nil || i != p.turns[0].To-1 {
		return
	}
	h := p.held
	p.held, p.opts.Left = nil, p.opts.Left-talk.WorkIndent
	p.add(talk.DrawWork(&h.Work, p.turns[0].Calls, true, h.after, p.opts).Lines...)
	p.b.WriteString(h.b.String())
	p.turns = p.turns[1:]
}

// dayOf adds a heading for the first message of a day.
func (p *shownLines) dayOf(m *transcript.Message) {
	if m.Time.IsZero() {
		return
	}
	heading := talk.DayHeading(m.Time, p.day, p.now, p.opts)
	p.day = m.Time
	switch {
	case heading == nil:
	case p.last == talk.Start: // there is a blank line above
		p.add(heading[1], "")
	default:
		p.add(heading...)
		p.last = talk.Prose
	}
}
