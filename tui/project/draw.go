package project

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{List: true} }

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	p.frame = f
	if body := f.Layout.Body; f.Front && body.W > 0 {
		o := render.ProjectOptions{Width: body.W, Styles: f.Styles, Now: f.Now, Blanks: body.H >= screen.BlankFrom}
		p.draw(drawInputs{width: o.Width, rows: body.H, blanks: o.Blanks, theme: f.Styles.Theme, now: f.Now.Unix()}, o)
	}
	return nil
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	v := screen.View{Context: p.context(), Body: p.body(), Reading: true}
	v.Left, v.Right = p.status()
	return v
}

// context returns the line above the page: the project and the branch of its repository.
func (p *Page) context() string {
	width := p.frame.Width
	l := render.NewLine(p.frame.Styles, width).To(min(4, width/8)).PutUntil(render.Strong, render.Base(p.opts.Dir), width-1)
	f := p.facts
	if f == nil {
		return l.String()
	}
	if words := render.GitWords(f.Git); words != "" {
		l.PutUntil(render.Muted, "  "+words, width-1)
	}
	if words := render.TreeWords(f.Trees); words != "" {
		l.PutUntil(render.Faint, "  · "+words, width-1)
	}
	return l.String()
}

func (p *Page) body() []string {
	rows := p.frame.Layout.Body.H
	switch {
	case p.facts != nil && p.err == nil:
		return p.page.Lines[min(p.top, len(p.page.Lines)):min(p.top+rows, len(p.page.Lines))]
	case p.err != nil:
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Failed(p.err, p.frame.Home)
		n.Detail("Press esc to go back.")
		return n.Lines
	case p.slow:
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Detail("Reading…")
		return n.Lines
	}
	return nil
}

// status returns the status line: a problem with the hooks, and the age of the page.
func (p *Page) status() (left, right string) {
	if p.facts == nil || p.err != nil {
		return "", ""
	}
	if n := p.facts.Need(survey.Item{Kind: survey.ItemNeed, Key: string(survey.NeedHooks)}); n != nil {
		left = "△ " + render.NeedWords(n) + ": " + n.More + ". Run `continuo doctor hooks` for details."
	}
	return left, "checked " + words.Ago(p.frame.Now, p.facts.Checked)
}
