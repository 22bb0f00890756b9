package reader

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	r := &p.pane
	switch do.Name {
	case screen.Move:
		if len(r.out.Refs) > 0 {
			r.cur.step(do.N, p.rows)
		}
	case screen.Page:
		p.turn(do.N * max(p.rows-1, 1))
	case screen.Half:
		p.turn(do.N * max(p.rows/2, 1))
	case screen.ToEnd:
		if do.N < 0 {
			r.cur.toFirst(p.rows)
		} else {
			r.cur.toLast(p.rows)
		}
	case screen.Clear:
		return p.clear()
	case screen.Leave:
		return []screen.Effect{screen.Pop{}}
	case screen.Fresh:
		return []screen.Effect{screen.Replace{Screen: p.again()}}
	case screen.EraseWord, screen.EraseAll:
		return p.Typed(screen.EraseKey(do))
	default:
		return p.read(do)
	}
	return nil
}

// read carries out the intents that only the reader has.
func (p *Page) read(do screen.Intent) []screen.Effect {
	r := &p.pane
	switch do.Name {
	case enter:
		return p.enter()
	case fold:
		return p.fold()
	case foldAll:
		r.cur.foldAll()
	case toPrompt:
		return p.jump(r.out.Prompts, do.N, "prompt")
	case toBound:
		if p.isDocument() {
			return []screen.Effect{screen.Along{Row: r.row, Step: -do.N}}
		}
		return p.jump(r.out.Bounds, do.N, "compaction")
	case goTo:
		return p.askMessage()
	case branch:
		return p.nextBranch()
	case toFailed:
		return commands(r.toFailed(do.N))
	case notices:
		r.cur.toggleQuiet()
	case markRange:
		r.toggleMark()
	case copyMarked, copyPlain, copyItem:
		return p.copied(do.Name)
	case known:
		r.cur.setKnown(!r.view.known)
		r.cur.aboveHorizon(p.rows)
	case follow:
		p.follow()
	case showOutline:
		return p.askOutline()
	case startFind:
		r.find.typing = true
		r.find.field.Set("")
	case find:
		return commands(r.search())
	case toMatch:
		return p.stepMatch(do.N)
	}
	return nil
}

// copied copies the marked messages, or the selected item as a prompt.
func (p *Page) copied(as string) []screen.Effect {
	switch as {
	case copyMarked:
		return p.copyMarked("markdown", export.MarkdownOf)
	case copyPlain:
		return p.copyMarked("plain text", plainText)
	default:
		return []screen.Effect{screen.Copy{Name: "the prompt", Text: p.pane.cur.item().Prompt()}}
	}
}

func commands(cmd tea.Cmd) []screen.Effect {
	if cmd == nil {
		return nil
	}
	return []screen.Effect{screen.Cmd(cmd)}
}

func tell(text string) []screen.Effect { return []screen.Effect{screen.Tell{Text: text}} }

// turn scrolls the view by delta rows.
func (p *Page) turn(delta int) {
	p.pane.view.ahead = aheadAtOnce
	p.pane.cur.scroll(delta, p.rows)
}

// clear carries out the key esc. It ends typing, a marked range, the search, the mode of the key M, or the conversation
// of a sub-agent. Otherwise it leaves the reader.
func (p *Page) clear() []screen.Effect {
	switch f := &p.pane.find; {
	case f.typing:
		f.typing = false
	case p.pane.marking.on:
		p.pane.marking.on = false
	case f.pattern != "" && (p.opts.Match == nil || !slices.Equal(p.opts.Match.Words, f.words)): // esc goes back to the search from which the reader was opened
		f.clear()
	case p.pane.view.known:
		p.pane.cur.setKnown(false)
	case p.pane.out.Shown > 0 && p.pane.out.Threads[p.pane.out.Shown].Kind == transcript.Sidechain:
		from := p.pane.out.Threads[p.pane.out.Shown].From
		p.pane.showThread(0, p.rows)
		p.pane.cur.toMessage(from, p.rows)
	default:
		return []screen.Effect{screen.Pop{}}
	}
	return nil
}

// fold opens or folds the selected part.
func (p *Page) fold() []screen.Effect {
	if !p.pane.cur.fold(p.rows) {
		return tell("Nothing to open here.")
	}
	return nil
}

func (p *Page) jump(stops []int, step int, what string) []screen.Effect {
	if p.pane.cur.jump(stops, step, p.rows) {
		return nil
	}
	switch {
	case p.isDocument():
		return tell("No more sections.")
	case what == "prompt" && step < 0:
		return tell("No prompt before this one.")
	case what == "prompt":
		return tell("No prompt after this one.")
	case step < 0:
		return tell("No compaction before this one.")
	}
	return tell("No compaction after this one.")
}

// follow makes the view stay at the end of a growing conversation until the user scrolls.
func (p *Page) follow() {
	r := &p.pane
	if r.follow = !r.follows(); r.follow {
		r.cur.toEnd(p.rows)
	} else {
		r.view.win.Pin = 0
	}
	r.grown = true
}

// Typed implements screen.Typed.
func (p *Page) Typed(msg tea.Msg) []screen.Effect {
	if p.pane.find.typing {
		p.pane.find.field.Type(msg)
	}
	return nil
}

// Click implements screen.Screen. A click selects a part. A click on the first row of a part also opens or folds the
// part. A click on the scrollbar goes to that position.
func (p *Page) Click(x, y int) []screen.Effect {
	r, body := &p.pane, p.frame.Layout.Body
	if !body.Has(x, y) || len(r.out.Refs) == 0 {
		return nil
	}
	row := y - body.Y - p.above // negative if the click is on the rule
	if p.isLifted() {
		row++
	}
	if x >= p.frame.Width-3 && p.rows > 0 {
		i := max(row, 0) * len(r.out.Refs) / p.rows
		r.cur.toMessage(max(r.folds.ShownBefore(i+1), 0), p.rows)
		return nil
	}
	if row < 0 {
		return nil
	}
	r.cur.barTo(row, p.rows)
	r.view.win.Pin = 0
	if from, _ := r.cur.barRows(); from == row && !r.cur.toItem(p.rows) && r.view.part(r.cur.bar).Fold != talk.Fixed {
		return p.fold()
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.pane.view.ahead = max(p.pane.view.ahead, 1)
	p.pane.cur.scroll(rows, p.rows)
	return nil
}
