package gateview

import (
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

func (p *Page) options() ledgerlines.GateOptions {
	return ledgerlines.GateOptions{Width: p.look.width, Styles: p.frame.Styles, Now: p.frame.Now, Screen: true}
}

// height returns the number of rows of a block.
func (p *Page) height(i int) int {
	if p.lines[i] == nil {
		p.lines[i] = p.draw(i, false)
	}
	n := len(p.lines[i])
	if p.blocks[i].gap {
		n++
	}
	return n
}

func (p *Page) draw(i int, chosen bool) []string {
	p.drew++
	b := &p.blocks[i]
	s, o := &p.report.Steps[b.step], p.options()
	look := ledgerlines.GateLook{Chosen: chosen, Folded: p.isFolded(s)}
	lines := []string{}
	switch b.finding {
	case stepItself:
		lines = append(lines, ledgerlines.GateStepLines(s, o, look)...)
	case stepTail:
		lines = append(lines, ledgerlines.GateTailLines(s, o)...)
	default:
		lines = append(lines, ledgerlines.GateFindingLines(s, b.finding, o, look)...)
	}
	return lines
}

// seen returns the visible lines, with the verdict at the bottom.
func (p *Page) seen() []string {
	rows, o := p.rows(), p.options()
	var lines []string
	for _, s := range p.list.Visible() {
		b, text := &p.blocks[s.Item], p.lines[s.Item]
		if s.Item == p.list.At {
			text = p.draw(s.Item, true)
		}
		for row := s.From; row < s.To; row++ {
			k := row
			if b.gap {
				k--
			}
			switch {
			case k >= 0:
				lines = append(lines, text[k])
			case b.rail:
				lines = append(lines, ledgerlines.GateRail(o))
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
		lines = append(lines, p.frame.Styles.Paint(render.Rule, strings.Repeat("─", p.look.width)))
	}
	return append(lines, p.foot...)
}

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{List: true} }

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	p.frame = f
	if body := f.Layout.Body; f.Front && body.W > 0 {
		p.build(look{width: body.W, rows: body.H, blanks: body.H >= screen.BlankFrom, theme: f.Styles.Theme, day: f.Now.YearDay()})
	}
	return nil
}

// View implements screen.Screen. The status line has the date of the checked trajectory.
func (p *Page) View() screen.View {
	v := screen.View{Context: p.context(), Body: p.body()}
	if r := p.report; r != nil && p.err == nil && r.Day != "" {
		v.Right = "trajectory of " + r.Day
		if len(r.Agents) > 0 {
			v.Right += ": " + words.Cut(strings.Join(r.Agents, ", "), 40)
		}
	}
	return v
}

// context returns the line above the report: the mode of the gate, its purpose, and its time.
func (p *Page) context() string {
	enforcement, width := "", p.frame.Width
	if p.report != nil {
		enforcement = string(p.report.Enforcement)
	}
	head, about := ledgerlines.GateHead(p.opts.Mode, enforcement)
	right := p.ran()
	end := width - 1
	if room := end - len(right) - 2; room > width/2 {
		end = room
	} else {
		right = ""
	}
	l := render.NewLine(p.frame.Styles, width).To(min(4, width/8)).PutUntil(render.Strong, "Gate", end).PutUntil(render.Muted, "  "+head, end)
	if l.At()+5+len(about) <= end {
		l.Put(render.Faint, "  · "+about)
	}
	return l.Right(width-1, render.Span{Ink: render.Faint, Text: " " + right}).String()
}

// ran returns when the gate ran and how long it took or has been running.
func (p *Page) ran() string {
	switch {
	case p.running && p.slow:
		return "running for " + seconds(p.elapsed)
	case p.running && p.report == nil, p.at.IsZero():
		return ""
	}
	return "ran in " + seconds(p.took) + ", " + p.at.In(p.frame.Now.Location()).Format("15:04")
}

// seconds formats a duration, such as "0.4 s".
func seconds(d time.Duration) string {
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 1, 64) + " s"
}

// body returns the lines below the context line.
func (p *Page) body() []string {
	switch {
	case p.err != nil:
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Failed(p.err, p.frame.Home)
		n.Detail("Press " + p.frame.Key("refresh", "ctrl+r") + " to run the gate again, or esc to go back.")
		return n.Lines
	case p.report == nil && p.slow:
		return p.toCome()
	case p.report == nil:
		return nil
	}
	return p.seen()
}

// toCome returns the list of steps that is shown until the first run has ended.
func (p *Page) toCome() []string {
	var lines []string
	body := p.frame.Layout.Body
	o := ledgerlines.GateOptions{Width: body.W, Styles: p.frame.Styles, Now: p.frame.Now, Screen: true}
	for i, name := range ledgerlines.GateSteps(p.opts.Mode) {
		if i > 0 && body.H >= screen.BlankFrom {
			lines = append(lines, "")
		}
		lines = append(lines, ledgerlines.GateStepLines(&gate.Step{N: i + 1, Name: name}, o, ledgerlines.GateLook{})...)
	}
	return lines
}

// rows returns the height of the list of steps and findings.
func (p *Page) rows() int { return max(p.look.rows-p.footRows(), 1) }

// footRows returns the height of the verdict, with the rule above it if there is room.
func (p *Page) footRows() int {
	switch {
	case p.look.rows < 4:
		return 0
	case p.look.rows < footFrom:
		return len(p.foot)
	}
	return len(p.foot) + 1
}
