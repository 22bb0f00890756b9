package dialog

import (
	"math"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	planWidth = 92
	planFrame = 7 // borders, a blank line on each side, rule, note, keys
	planNote  = "Nothing has changed yet."
)

// Draw draws the first lines of a plan. It is render.PlanHead, except in tests.
type Draw func(parts []change.Part, s *render.Styles, indent, width, most int) []*render.Line

// Plan shows the plan of a change. Enter carries it out.
type Plan struct {
	base
	plan    screen.Plan
	draw    Draw
	canCopy bool
	top     int
	seen    seen

	drawn     []*render.Line // the lines of the plan for the width drawnIn
	drawnIn   int
	drawnWith *render.Styles
}

// NewPlan returns a dialog for a plan.
func NewPlan(plan screen.Plan, draw Draw, canCopy bool) *Plan {
	return &Plan{plan: plan, draw: draw, canCopy: canCopy}
}

// Of returns the plan that the dialog shows.
func (d *Plan) Of() *screen.Plan { return &d.plan }

// Keys implements screen.Screen.
func (d *Plan) Keys() []screen.Binding {
	copies := on(copied, 0, "y")
	copies.Gone = !d.canCopy
	return append([]screen.Binding{
		on(enter, 0, "enter"),
		on(scroll, -1, "up", "k", "ctrl+p"), on(scroll, 1, "down", "j", "ctrl+n"),
		on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		copies, on(closeIt, 0, "esc", "q"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Plan) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.take()
	case scroll:
		g := d.shape()
		d.seen.see(&g)
		d.top = g.scrolled(do.N)
	case copied:
		return d.copyIt()
	case closeIt:
		return pop()
	}
	return nil
}

// Wheel implements screen.Screen.
func (d *Plan) Wheel(_, _, rows int) []screen.Effect {
	return d.Do(screen.Intent{Name: scroll, N: rows})
}

func (d *Plan) shape() shape {
	plan := &d.plan
	g := shape{inner: min(planWidth, d.f.Width-2) - 2}
	frame := planFrame
	if plan.Verb == "" { // a report has no note
		frame--
	}
	room := max(d.f.Height-frame, 1)
	if g.small = d.f.Width < From || d.f.Height < 12; g.small {
		g.inner, room = d.f.Width, max(d.f.Height-1, 1)
		g.lines = append(g.lines, d.headLine(transcript.CleanLine(plan.Title), transcript.CleanLine(plan.About)), d.line(g.inner))
	}
	g.lines = append(g.lines, d.lines(g.inner)...)
	if g.small && plan.Verb != "" {
		g.lines = append(g.lines, d.line(g.inner))
		g.lines = append(g.lines, d.text(&g, planNote)...)
	}
	g.rows = min(len(g.lines), room)
	g.top = min(max(d.top, 0), len(g.lines)-g.rows)
	g.upper = max((d.f.Height-g.rows-frame)/2, 0)
	return g
}

// lines returns the lines of the plan, cached for one width and theme.
func (d *Plan) lines(inner int) []*render.Line {
	if d.drawn == nil || d.drawnIn != inner || d.drawnWith != d.f.Styles {
		indent := min(menuKey, inner/8)
		d.drawn, d.drawnIn, d.drawnWith = d.draw(d.plan.Parts, d.f.Styles, indent, inner-indent, math.MaxInt), inner, d.f.Styles
	}
	return d.drawn
}

// take carries out the plan if all its lines were visible. Otherwise it scrolls to the next unseen line.
func (d *Plan) take() []screen.Effect {
	g := d.shape()
	d.seen.see(&g)
	switch i := slices.Index(d.seen.lines, false); {
	case i >= 0:
		d.top = min(i, len(g.lines)-g.rows)
		return nil
	case d.plan.Verb == "":
		return pop()
	}
	return []screen.Effect{screen.CarryOut{Plan: d.plan}}
}

// copyIt copies the command for the plan or, without a command, the plan's text.
func (d *Plan) copyIt() []screen.Effect {
	plan := &d.plan
	if plan.Command != "" {
		return []screen.Effect{screen.Copy{Name: "the command", Text: plan.Command}}
	}
	return []screen.Effect{screen.Copy{Name: planNoun(plan), Text: partsText(plan.Parts)}}
}

// planNoun returns what copyIt copies without a command: "the report" or "the plan".
func planNoun(plan *screen.Plan) string {
	if plan.Verb == "" {
		return "the report"
	}
	return "the plan"
}

// partsText returns the text of a plan.
func partsText(parts []change.Part) string {
	return render.PlanText(parts, render.NewStyles(render.None), planWidth, false)
}

// Over implements screen.Dialog.
func (d *Plan) Over(under []string) {
	g, plan := d.shape(), &d.plan
	lines := g.lines[g.top : g.top+g.rows]
	last := d.orMessage(d.keysLine(&g), g.inner)
	if g.small {
		d.cover(under, lines, last)
		return
	}
	drawn := append([]*render.Line{d.line(g.inner)}, lines...)
	drawn = append(drawn, d.line(g.inner), d.line(g.inner).Put(render.Rule, strings.Repeat("─", g.inner)))
	if plan.Verb != "" {
		drawn = append(drawn, d.line(g.inner).To(menuKey).Put(render.Muted, planNote))
	}
	d.floatAt(under, d.box(append(drawn, last), g.inner, transcript.CleanLine(plan.Title), transcript.CleanLine(plan.About)), g.inner+2, g.upper)
}

func (d *Plan) keysLine(g *shape) *render.Line {
	plan := &d.plan
	k := newPanelKeys(&d.base, g.inner, "cancel")
	if plan.Verb == "" {
		k = newPanelKeys(&d.base, g.inner, "close")
	}
	if len(g.lines) > g.rows {
		k.more(g.top+g.rows < len(g.lines))
	}
	switch {
	case !d.seen.all(g):
		k.put("enter", "show")
	case plan.Verb != "":
		k.put("enter", transcript.CleanLine(plan.Verb))
	}
	if d.canCopy && plan.Command == "" {
		k.put("y", "copy "+planNoun(plan))
	} else if d.canCopy {
		k.put("y", "copy the command")
	}
	return k.end()
}

// Click implements screen.Screen. A click outside the plan closes it.
func (d *Plan) Click(x, y int) []screen.Effect {
	g := d.shape()
	frame := planFrame
	if d.plan.Verb == "" {
		frame--
	}
	if !g.small && !rect((d.f.Width-g.inner-2)/2, g.upper, g.inner+2, g.rows+frame).Has(x, y) {
		return pop()
	}
	return nil
}
