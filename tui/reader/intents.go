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
		if len(r.refs) > 0 {
			r.step(do.N, p.rows)
		}
	case screen.Page:
		p.turn(do.N * max(p.rows-1, 1))
	case screen.Half:
		p.turn(do.N * max(p.rows/2, 1))
	case screen.ToEnd:
		if do.N < 0 {
			r.toFirst(p.rows)
		} else {
			r.toLast(p.rows)
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

// read carries out those intents that only the reader has.
func (p *Page) read(do screen.Intent) []screen.Effect {
	r := &p.pane
	switch do.Name {
	case enter:
		return p.enter()
	case fold:
		return p.fold()
	case foldAll:
		r.foldAll()
	case toPrompt:
		return p.jump(r.prompts, do.N, "prompt")
	case toBound:
		if p.isDocument() {
			return []screen.Effect{screen.Along{Row: r.row, Step: -do.N}}
		}
		return p.jump(r.bounds, do.N, "compaction")
	case goTo:
		return p.askMessage()
	case branch:
		return p.nextBranch()
	case toFailed:
		return commands(r.toFailed(do.N))
	case notices:
		r.toggleQuiet()
	case markRange:
		r.toggleMark()
	case copyMarked, copyPlain, copyItem:
		return p.copied(do.Name)
	case known:
		r.setKnown(!r.known)
		r.aboveHorizon(p.rows)
	case follow:
		p.follow()
	case outline:
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
		return []screen.Effect{screen.Copy{Name: "the prompt", Text: p.pane.item().Prompt()}}
	}
}

// commands returns a command as an effect. It returns no effect if the command is nil.
func commands(cmd tea.Cmd) []screen.Effect {
	if cmd == nil {
		return nil
	}
	return []screen.Effect{screen.Cmd(cmd)}
}

func tell(text string) []screen.Effect { return []screen.Effect{screen.Tell{Text: text}} }

// turn scrolls the view by delta rows.
func (p *Page) turn(delta int) {
	p.pane.ahead = aheadAtOnce
	p.pane.scroll(delta, p.rows)
}

// clear ends a range, clears the typed text, or clears the search. If there is nothing to clear, it leaves the
// reader.
func (p *Page) clear() []screen.Effect {
	switch f := &p.pane.find; {
	case f.typing:
		f.typing = false
	case p.pane.marking.on:
		p.pane.marking.on = false
	case f.pattern != "" && (p.opts.Match == nil || !slices.Equal(p.opts.Match.Words, f.words)): // esc doesn't clear the search that opened the reader, but goes back to it
		f.clear()
	case p.pane.known:
		p.pane.setKnown(false)
	case p.pane.shown > 0 && p.pane.threads[p.pane.shown].Kind == transcript.Sidechain:
		from := p.pane.threads[p.pane.shown].From
		p.pane.showThread(0, p.rows)
		p.pane.toMessage(from, p.rows)
	default:
		return []screen.Effect{screen.Pop{}}
	}
	return nil
}

// fold opens or folds the selected part.
func (p *Page) fold() []screen.Effect {
	if !p.pane.fold(p.rows) {
		return tell("Nothing to open here.")
	}
	return nil
}

func (p *Page) jump(stops []int, step int, what string) []screen.Effect {
	if p.pane.jump(stops, step, p.rows) {
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
		r.toEnd(p.rows)
	} else {
		r.win.Pin = 0
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

// Click implements screen.Screen. It selects the part at a row. If the row is the first one of the part, it also
// opens or folds the part. A click on the scrollbar goes to the message at that position.
func (p *Page) Click(x, y int) []screen.Effect {
	r, body := &p.pane, p.frame.Layout.Body
	if !body.Has(x, y) || len(r.refs) == 0 {
		return nil
	}
	row := y - body.Y - p.above // negative if the click is on the rule
	if p.isLifted() {
		row++
	}
	if x >= p.frame.Width-3 && p.rows > 0 {
		i := max(row, 0) * len(r.refs) / p.rows
		r.toMessage(max(r.shownBefore(i+1), 0), p.rows)
		return nil
	}
	if row < 0 {
		return nil
	}
	r.barTo(row, p.rows)
	r.win.Pin = 0
	if from, _ := r.barRows(); from == row && !r.toItem(p.rows) && r.part(r.bar).Fold != talk.Fixed {
		return p.fold()
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.pane.ahead = max(p.pane.ahead, 1)
	p.pane.scroll(rows, p.rows)
	return nil
}
