package dialog

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// QuestionOptions are the options of NewQuestion.
type QuestionOptions struct {
	Title, About string                   // shown on the upper edge
	Body         func(width int) []string // draws the subject of the question, such as a diff
	Choices      []Offer                  // the answers; each key is one letter
	ID           string                   // ID of the question
	Open         func(id string) bool     // reports whether the question is still open
}

// Question asks for an answer with one key. Its subject, such as a diff, can be scrolled.
type Question struct {
	base
	opts    QuestionOptions
	top     int
	body    []string // drawn with the width drawnIn
	drawnIn int
}

// NewQuestion returns a question.
func NewQuestion(o QuestionOptions) *Question { return &Question{opts: o} }

const (
	questionWidth = 104
	answerIt      = "dialog-answer" // chooses choice N
)

// Keys implements screen.Screen.
func (d *Question) Keys() []screen.Binding {
	var keys []screen.Binding
	for i, c := range d.opts.Choices {
		keys = append(keys, on(answerIt, i, c.Key))
	}
	return slices.Concat(keys, []screen.Binding{
		on(scroll, -1, "up", "k"), on(scroll, 1, "down", "j"), on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		on(closeIt, 0, "esc", "q"),
	}, screen.Common(screen.Quit))
}

// Do implements screen.Screen.
func (d *Question) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case answerIt:
		return []screen.Effect{d.opts.Choices[do.N].Do}
	case scroll:
		inner, rows := d.size()
		d.top = min(max(d.top+do.N, 0), max(len(d.lines(inner))-rows, 0))
	case closeIt:
		return pop()
	}
	return nil
}

// Wheel implements screen.Screen.
func (d *Question) Wheel(_, _, rows int) []screen.Effect {
	return d.Do(screen.Intent{Name: scroll, N: rows})
}

// Click implements screen.Screen.
func (*Question) Click(int, int) []screen.Effect { return nil }

// Fit implements screen.Screen. It closes the dialog if another client has answered, or if the question was cancelled.
func (d *Question) Fit(f screen.Frame) []screen.Effect {
	d.f = f
	if !d.opts.Open(d.opts.ID) {
		return append(pop(), screen.Tell{Text: "The question is no longer open."})
	}
	return nil
}

// size returns the width between the borders, and the height of the body.
func (d *Question) size() (inner, rows int) {
	inner, rows = min(questionWidth, d.f.Width-2)-2, d.f.Height-len(d.opts.Choices)-8
	if d.isSmall() {
		inner, rows = d.f.Width, d.f.Height-len(d.opts.Choices)-3
	}
	return inner, max(min(rows, len(d.lines(inner))), 1)
}

func (d *Question) isSmall() bool { return d.f.Width < From || d.f.Height < len(d.opts.Choices)+12 }

func (d *Question) lines(inner int) []string {
	if d.body == nil || d.drawnIn != inner {
		d.body, d.drawnIn = d.opts.Body(inner), inner
		for i, l := range d.body { // the indent may be wider than a very narrow panel
			d.body[i] = ansi.Truncate(l, inner, "")
		}
	}
	return d.body
}

// Over implements screen.Dialog.
func (d *Question) Over(under []string) {
	inner, rows := d.size()
	body := d.lines(inner)
	d.top = min(d.top, max(len(body)-rows, 0))
	panel := slices.Clone(body[d.top:min(d.top+rows, len(body))])
	small := d.isSmall()
	if !small {
		panel = append([]string{""}, append(panel, "", d.f.Styles.Paint(render.Rule, strings.Repeat("─", inner)))...)
	} else {
		panel = append([]string{d.headLine(d.opts.Title, d.opts.About).String()}, panel...)
	}
	notes := 0
	for _, c := range d.opts.Choices {
		notes = max(notes, min(ansi.StringWidth(c.Name), inner/2))
	}
	for _, c := range d.opts.Choices {
		panel = append(panel, d.line(inner).To(min(menuKey, inner/8)).Put(render.Strong, c.Key).To(min(menuName, inner/8+2)).
			PutUntil(render.Text, c.Name, inner-1).To(min(menuName, inner/8+2)+notes+2).PutUntil(render.Muted, c.Note, inner-1).String())
	}
	k := newPanelKeys(&d.base, inner, "leave it waiting")
	if len(body) > rows {
		k.more(d.top+rows < len(body))
	}
	last := d.orMessage(k.end(), inner).String()
	if small {
		for i := range under {
			under[i] = ""
			if i < len(panel) {
				under[i] = panel[i]
			}
		}
		under[len(under)-1] = last
		return
	}
	d.float(under, d.boxText(append(panel, "", last), inner, d.opts.Title, d.opts.About), inner+2)
}
