package reader

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	r := &p.pane
	switch msg := msg.(type) {
	case openedMsg:
		return p.opened(msg)
	case waitedMsg:
		r.slow = true
	case readMsg:
		r.read(msg, p.rows)
	case drawnMsg:
		if r.busy.drawing = false; msg.version == r.version {
			r.drawn(msg.drawn, msg.width, msg.theme, p.rows)
		}
	case droppedMsg:
		return p.leftOut(msg)
	case talliedMsg:
		r.counted(msg, p.rows)
	case followedMsg:
		return p.followed(msg)
	case LookDue:
		r.grown = r.grown || p.frame.Awake
		return commands(after(r.ctx, lookAgain, LookDue{}))
	case screen.Rows:
		r.grown = r.grown || slices.ContainsFunc(msg.Came, func(row sessions.Row) bool { return row.Path == r.row.Path })
	case screen.Back: // the file may have changed behind the other screen
		r.grown = true
	case screen.Changed:
		return p.changed(msg)
	default:
		return p.found(msg)
	}
	return nil
}

// changed closes the page if its backup was discarded.
func (p *Page) changed(c screen.Changed) []screen.Effect {
	isThis := func(row sessions.Row) bool { return row.Path == p.pane.row.Path }
	if c.Whole && (c.Change.Kind == screen.ChangeDiscard || c.Change.Kind == screen.ChangeDelete) && slices.ContainsFunc(c.Change.Rows, isThis) {
		return []screen.Effect{screen.Pop{}}
	}
	return nil
}

// found handles the answers of searches.
func (p *Page) found(msg tea.Msg) []screen.Effect {
	r := &p.pane
	switch msg := msg.(type) {
	case searchedMsg:
		if msg.gen != r.find.gen || !r.find.running {
			return nil
		}
		if r.searched(msg, p.rows); !msg.done {
			return commands(searchDoc(r.find.ctx, r.searching(), msg.ahead, msg.behind))
		}
		return commands(searchAgents(r.find.ctx, p.opts.Source, r.row, r.searching()))
	case agentsMsg:
		if msg.gen == r.find.gen {
			r.find.agents, r.find.inside = msg.list, min(r.find.inside, len(msg.list))
		}
	case callMsg:
		return p.callFound(msg)
	case soughtMsg:
		p.sought(msg)
	case outlinedMsg:
		return p.outlined(msg)
	case namedMsg:
		return p.named(msg)
	case toTyped:
		return p.goTo(msg.text)
	case toSection:
		r.cur.toMessage(msg.message, p.rows)
	}
	return nil
}

// opened stores the document. It starts regular checks of a backup or document, because the watch checks them only
// every 30 s.
func (p *Page) opened(msg openedMsg) []screen.Effect {
	r := &p.pane
	r.opened(msg, p.rows)
	var effects []screen.Effect
	if m := p.opts.Match; m != nil && r.doc != nil {
		if msg.match >= 0 {
			r.cur.showMessage(msg.match)
			r.cur.bar, r.view.ahead = bar{message: msg.match}, aheadAtOnce
			r.view.show(msg.match, 0, p.rows)
		}
		if effects = commands(r.searchFor(m.Words...)); m.Call != "" {
			effects = append(effects, commands(r.toCall(calling(m.Call, 1)))...)
		}
	}
	if r.row.Kind == sessions.KindSession {
		return effects
	}
	effects = append(effects, commands(after(r.ctx, lookAgain, LookDue{}))...)
	if r.seeks != "" && r.doc != nil {
		effects = append(effects, commands(seekTodo(r.ctx, r.doc, r.version, len(r.out.Refs), r.seeks))...)
	}
	return effects
}

// followed handles the result of followDoc.
func (p *Page) followed(msg followedMsg) []screen.Effect {
	r := &p.pane
	r.busy.following = false
	var effects []screen.Effect
	switch {
	case errors.Is(msg.err, transcript.ErrRewritten):
		if !r.lost {
			effects = tell("The file was rewritten. This is the old content. Press ctrl+r to reload the file.")
		}
		r.lost = true
	case msg.err != nil && !errors.Is(msg.err, context.Canceled):
		effects = []screen.Effect{screen.Fail{What: "The new messages could not be read.", Err: msg.err}}
	}
	if msg.grown == nil {
		return effects
	}
	before := len(r.out.Refs)
	behind := r.extended(msg.grown, p.rows)
	switch {
	case r.find.pattern == "" || len(r.out.Refs) == 0:
	case behind && before > 0 && !r.find.running: // the last message may have got new records
		effects = append(effects, commands(r.searchOn(before-1))...)
	default:
		effects = append(effects, commands(r.searchAgain())...)
	}
	return effects
}

// sought goes to the todo that the command has found.
func (p *Page) sought(msg soughtMsg) {
	r := &p.pane
	if msg.version != r.version || msg.message < 0 || msg.message >= len(r.out.Refs) {
		return
	}
	r.cur.toMessage(msg.message, p.rows)
	r.cur.goal = &goal{message: msg.message, row: min(p.rows/3, 8), text: msg.text}
	r.cur.reach(p.rows)
}

// wants returns commands that decode and draw messages. Only one command of each kind runs at a time.
func (p *Page) wants() []screen.Effect {
	r := &p.pane
	if r.doc == nil {
		return nil
	}
	var effects []screen.Effect
	if r.grown && !r.busy.following {
		r.grown, r.busy.following = false, true
		effects = commands(followDoc(r.ctx, r.doc))
	}
	if len(r.out.Refs) == 0 || p.rows == 0 {
		return effects
	}
	o := p.options()
	if from, to := r.view.missing(p.rows); to > from && !r.busy.reading {
		r.busy.reading = true
		ask := reading{prev: -1, version: r.version, doc: r.doc, options: o, headings: r.out.Headings, base: r.folds.Base(), now: p.frame.Now, section: p.isDocument()}
		for i := from; i < to; i++ {
			ask.folds, ask.before, ask.heads = append(ask.folds, r.folds.Of(i)), append(ask.before, r.out.TimeBefore(i)), append(ask.heads, r.view.headOf(i))
		}
		if prev := r.folds.ShownBefore(from); prev >= 0 {
			ask.prev, ask.prevFolds, ask.prevHead = prev, r.folds.Of(prev), r.view.headOf(prev)
		}
		effects = append(effects, screen.Cmd(readMessages(r.ctx, ask, from, to)))
	}
	if w := r.view.uncounted(p.rows); w != nil && !r.busy.counting {
		r.busy.counting = true
		effects = append(effects, screen.Cmd(countWork(r.ctx, r.doc, r.version, r.folds.Counter(w))))
	}
	if span, ok := r.view.undropped(p.rows); ok && !r.busy.listing {
		r.busy.listing = true
		effects = append(effects, screen.Cmd(readDropped(r.ctx, r.doc, r.version, r.out.Refs, span)))
	}
	if r.busy.drawing {
		return effects
	}
	if r.cur.goal != nil {
		r.view.ahead = max(r.view.ahead, 1)
	}
	if which := r.view.undrawn(p.rows, o.Width, o.Styles.Theme); len(which) > 0 {
		r.busy.drawing = true
		markdown := p.opts.Answers
		if p.isDocument() {
			markdown = p.opts.Prose
		}
		effects = append(effects, screen.Cmd(drawMessages(r.version, o, which, func(text string, prose, code int) []string {
			return markdown(text, prose, code, o.Styles)
		})))
	}
	return effects
}

// options returns the options for drawing messages.
func (p *Page) options() talk.Options {
	f, styles := &p.frame, p.frame.Styles
	return talk.Options{
		Width: talk.TextWidth(f.Width), Left: 2, Styles: styles, Zone: f.Now.Location(), Dir: p.pane.row.Workdir, Home: f.Home,
		Code: func(_ int, file string, texts [][]string) [][][]render.Span { return styles.Highlight(file, texts...) },
	}
}
