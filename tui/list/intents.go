package list

import (
	"github.com/continuo-tui/continuo/tui/screen"
)

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.frame.Layout.Body.H
	switch do.Name {
	case screen.Move:
		p.move(do.N)
	case screen.Page:
		p.page(do.N * max(rows-1, 1))
	case screen.Half:
		p.page(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.toEnd(do.N)
	case screen.Clear:
		return p.clear()
	case screen.Leave:
		return p.leave()
	case screen.Fresh:
		return []screen.Effect{screen.Reload{}, screen.AskPast{}, screen.FindLedgers{}}
	case screen.EraseWord, screen.EraseAll:
		return p.Typed(screen.EraseKey(do))
	case enter:
		return p.enter()
	case along:
		return p.along(do.N)
	case toggleAll:
		if p.scope.wide() {
			p.scope.project, p.scope.all = p.nextProject(), false
		} else {
			p.scope.all = true
		}
		return p.rescoped()
	case sortBy:
		p.scope.order = order(do.N)
		return p.rescoped()
	case groupBy:
		p.scope.grouped = do.N > 0
		return p.rescoped()
	case hidden:
		p.scope.showHidden = !p.scope.showHidden
		return p.rescoped()
	default:
		p.change(do)
	}
	return nil
}

// change carries out an intent that changes only marks, typed text or panes.
func (p *Page) change(do screen.Intent) {
	switch do.Name {
	case mark:
		p.pane.mark()
	case markRange:
		p.pane.markRange()
	case markAll:
		p.pane.markAll()
	case startField:
		p.pane.typing, p.flipped = true, false
	case keepField:
		p.pane.typing, p.built = false, built{}
		p.pane.best = false // new results don't move the bar
	case besideOff: // the preview replaces the list
		if p.frame.Width < screen.PreviewFrom {
			p.flipped = !p.flipped
		} else {
			p.previewOff = !p.previewOff
		}
	case beside:
		p.inPreview = do.N > 0
	}
}

// rescoped sorts and filters the rows again after a change of the scope.
func (p *Page) rescoped() []screen.Effect {
	p.pane.touched = true
	p.relist()
	p.built = built{}
	return p.narrow()
}

// onHead reports whether the bar is on the line of the project, above the list.
func (p *Page) onHead() bool { return p.pane.onHead && p.canHead() }

// canHead reports whether the bar can be on the line above the list. This line must name a project.
func (p *Page) canHead() bool {
	l := &p.frame.Layout
	return p.opts.Pages && !p.scope.wide() && !p.pane.typing && !p.pane.isFiltered() && l.Context.H > 0 && !l.Flipped && p.pane.tally.InScope > 0
}

// move moves the bar or scrolls the preview. Above the first row is the line of the project.
func (p *Page) move(delta int) {
	l := p.pane
	switch {
	case p.offers():
		p.choices.move(delta)
	case p.inPreview:
		p.scrollPreview(delta)
	case p.onHead() && delta > 0:
		if l.onHead = false; delta > 1 {
			l.move(delta - 1)
		}
	case p.onHead():
	case delta == -1 && p.canHead() && l.isFirst():
		l.move(delta)
		l.onHead = true
	default:
		l.move(delta)
	}
}

// page moves the bar by delta rows. It scrolls the preview if the preview replaces the list.
func (p *Page) page(delta int) {
	if p.frame.Layout.Flipped {
		p.scrollPreview(delta)
	} else {
		p.move(delta)
	}
}

func (p *Page) scrollPreview(delta int) {
	p.preview.Scroll(delta, p.frame.Layout.Preview.H)
}

// toEnd goes to the last row if step is above 0, or else to the first row.
func (p *Page) toEnd(step int) {
	if all := len(p.pane.items) + len(p.preview.Lines); p.inPreview || p.onHead() {
		p.move(step * all)
	} else {
		p.pane.toEnd(step)
	}
}

// enter opens the selected row or the page of the project, or carries out the selected choice.
func (p *Page) enter() []screen.Effect {
	switch {
	case p.onHead():
		return []screen.Effect{screen.Do{Intent: screen.Intent{Name: screen.Project}}}
	case p.offers():
		p.dragging = false
		return p.choices.take()
	case p.pane.isOnMore():
		p.pane.toggleMore()
		p.built = built{}
		return nil
	}
	return p.read()
}

// read opens the selected row. A document opens at the selected todo.
func (p *Page) read() []screen.Effect {
	row := p.pane.actsOn(p.pane.selectedRow())
	if row == nil {
		return nil
	}
	p.preview.Stop()
	return []screen.Effect{screen.Read{Row: *row, Seeks: p.pane.todo()}}
}

// along selects the linked document before (step 1) or after (step -1) the selected one.
func (p *Page) along(step int) []screen.Effect {
	row := p.Subject().Row
	if row == nil {
		return nil
	}
	to, chained := p.pane.docs.beside(row.Path, step)
	why := ""
	switch {
	case to == nil:
		why = NoneBeside(chained, step)
	case !p.pane.goTo(to.Path):
		why = "The filter hides the " + map[bool]string{true: "previous", false: "next"}[step > 0] + " linked session."
	}
	if why == "" {
		return nil
	}
	return []screen.Effect{screen.Tell{Text: why}}
}

// NoneBeside explains why a document has no linked document before it (step 1) or after it (step -1).
func NoneBeside(chained bool, step int) string {
	switch {
	case !chained:
		return "This document isn't linked to another."
	case step > 0:
		return "No earlier linked session."
	}
	return "No later linked session."
}

// clear clears the marks. Without marks, it clears the filter. Without a filter, it closes the preview that replaces
// the list. Otherwise it returns to the page that opened the list.
func (p *Page) clear() []screen.Effect {
	l := p.pane
	switch {
	case p.onHead():
		l.onHead = false
	case l.marks.any() && !l.typing:
		l.marks = marks{}
	case p.frame.Layout.Flipped:
		p.flipped = !p.flipped
	case p.inPreview:
		p.inPreview = false
	case !l.typing && l.field.Text() == "":
		return []screen.Effect{screen.Pop{}}
	default:
		l.typing = false
		if l.field.Text() != "" {
			l.field.Set("")
			return p.patternChanged()
		}
	}
	return nil
}

// leave clears what clear would clear, or quits.
func (p *Page) leave() []screen.Effect {
	switch {
	case p.frame.Layout.Flipped, p.inPreview, p.pane.field.Text() != "", p.pane.marks.any():
		return p.clear()
	case p.frame.Wrong: // the error is cleared first
		return nil
	}
	return []screen.Effect{screen.Do{Intent: screen.Intent{Name: screen.Quit}}}
}

// Click implements screen.Screen.
func (p *Page) Click(x, y int) []screen.Effect {
	l := &p.frame.Layout
	switch {
	case l.Context.Has(x, y) && p.canHead():
		return []screen.Effect{screen.Do{Intent: screen.Intent{Name: screen.Project}}}
	case l.Divider > 0 && x == l.Divider && y >= l.Preview.Y:
		p.dragging = true
	case l.Preview.H > 0 && l.Preview.Has(x, y):
		p.inPreview = true
	case l.Body.Has(x, y):
		p.inPreview = false
		// The second click on a row opens the row.
		if p.pane.click(y-l.Body.Y) && screen.WhyNotRead(p.pane.selectedRow()) == "" {
			if p.pane.isOnMore() {
				return p.enter()
			}
			return p.read()
		}
	}
	return nil
}

// Drag implements screen.Dragged. It moves the divider to the pointer.
func (p *Page) Drag(x, _ int) {
	if p.dragging {
		p.split = min(max(x, screen.LeastPane), p.frame.Width-screen.LeastPane-1)
	}
}

// Dropped implements screen.Dragged.
func (p *Page) Dropped() { p.dragging = false }

// Wheel implements screen.Screen. It scrolls the pane under the pointer.
func (p *Page) Wheel(x, y, rows int) []screen.Effect {
	if l := &p.frame.Layout; l.Preview.H > 0 && l.Preview.Has(x, y) {
		p.scrollPreview(rows)
	} else {
		p.pane.bar.Scroll(rows)
	}
	return nil
}
