package tui

import (
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/tui/render"
)

// options say how the report is drawn.
func (p *gatePage) options() render.GateOptions {
	return render.GateOptions{Width: p.look.width, Styles: p.styles, Now: p.now, Screen: true}
}

// heights are those of the blocks, each drawn when it is asked for.
func (p *gatePage) heights() heights { return p.height }

func (p *gatePage) height(i int) int {
	if p.lines[i] == nil {
		p.lines[i] = p.draw(i, false)
	}
	n := len(p.lines[i])
	if p.blocks[i].gap {
		n++
	}
	return n
}

// draw draws a block.
func (p *gatePage) draw(i int, chosen bool) []string {
	p.drew++
	b := &p.blocks[i]
	s, o := &p.report.Steps[b.step], p.options()
	look := render.GateLook{Chosen: chosen, Folded: p.isFolded(s)}
	lines := []string{}
	switch b.finding {
	case gateStep:
		lines = append(lines, render.GateStepLines(s, o, look)...)
	case gateTail:
		lines = append(lines, render.GateTailLines(s, o)...)
	default:
		lines = append(lines, render.GateFindingLines(s, b.finding, o, look)...)
	}
	return lines
}

// view are the lines that are seen, with the verdict at the foot.
func (p *gatePage) view() []string {
	rows, o := p.rows(), p.options()
	var lines []string
	for _, s := range p.win.visible(len(p.blocks), rows, p.heights()) {
		b, text := &p.blocks[s.item], p.lines[s.item]
		if s.item == p.sat {
			text = p.draw(s.item, true)
		}
		for row := s.from; row < s.to; row++ {
			k := row
			if b.gap {
				k--
			}
			switch {
			case k >= 0:
				lines = append(lines, text[k])
			case b.rail:
				lines = append(lines, render.GateRail(o))
			default:
				lines = append(lines, "")
			}
		}
	}
	if p.footRows() == 0 {
		return lines
	}
	for len(lines) < rows {
		lines = append(lines, "")
	}
	if p.look.rows >= footFrom {
		lines = append(lines, p.styles.Paint(render.Rule, strings.Repeat("─", p.look.width)))
	}
	return append(lines, p.foot...)
}

// drawGate fits the report to its pane.
func (m *model) drawGate() {
	p, body := m.gate, m.layout.body
	if p == nil || body.w <= 0 {
		return
	}
	p.build(gateLook{width: body.w, rows: body.h, blanks: body.h >= blankFrom, theme: m.styles.Theme, day: m.now.YearDay()}, m.styles, m.now)
}

// gateContext is the line above the report: how much of the gate it is, what for, and when it was run.
func (m *model) gateContext(width int) string {
	p := m.gate
	enforcement := ""
	if p.report != nil {
		enforcement = string(p.report.Enforcement)
	}
	head, about := render.GateHead(p.mode, enforcement)
	right := m.gateRan()
	end := width - 1
	if room := end - len(right) - 2; room > width/2 {
		end = room
	} else {
		right = ""
	}
	l := render.NewLine(m.styles, width).To(min(4, width/8)).PutUntil(render.Strong, "Gate", end).PutUntil(render.Muted, "  "+head, end)
	if l.At()+5+len(about) <= end {
		l.Put(render.Faint, "  · "+about)
	}
	return l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + right}).String()
}

// gateRan says when it was run and how long that took, or for how long it runs.
func (m *model) gateRan() string {
	p := m.gate
	switch {
	case p.running && p.slow:
		return "running for " + seconds(p.elapsed)
	case p.running && p.report == nil, p.at.IsZero():
		return ""
	}
	return "ran in " + seconds(p.took) + ", " + p.at.In(m.zone).Format("15:04")
}

// seconds is a span of time for reading: "0.4 s".
func seconds(d time.Duration) string {
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 1, 64) + " s"
}

// gateBody are the lines of the report that are seen.
func (m *model) gateBody() []string {
	p := m.gate
	switch {
	case p.err != nil:
		n := m.notice(m.width)
		what, then, _ := strings.Cut(m.sentence(p.err), ". ")
		n.error(strings.TrimSuffix(what, ".") + ".")
		if then != "" {
			n.detail(then)
		}
		n.detail(m.keyIn(inGate, "refresh") + " runs the gate again, esc goes back.")
		return n.lines
	case p.report == nil && p.slow:
		return m.gateToCome()
	case p.report == nil:
		return nil
	}
	return p.view()
}

// gateToCome is the checklist while the first run has not ended.
func (m *model) gateToCome() []string {
	var lines []string
	o := render.GateOptions{Width: m.layout.body.w, Styles: m.styles, Now: m.now, Screen: true}
	for i, name := range render.GateSteps(m.gate.mode) {
		if i > 0 && m.layout.body.h >= blankFrom {
			lines = append(lines, "")
		}
		lines = append(lines, render.GateStepLines(&gate.Step{N: i + 1, Name: name}, o, render.GateLook{})...)
	}
	return lines
}

// gatePlace is what the status says: whose trajectory it looks at.
func (m *model) gatePlace() (left, right string) {
	r := m.gate.report
	if r == nil || m.gate.err != nil || r.Agent == "" {
		return "", ""
	}
	return "", "trajectory of " + r.Agent + ", " + r.Day
}
