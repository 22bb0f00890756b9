package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// drawPage draws the page for its pane.
func (m *model) drawPage() {
	body := m.layout.body
	if m.project == nil || body.w <= 0 || m.reader != nil || m.gate != nil {
		return
	}
	o := render.ProjectOptions{Width: body.w, Styles: m.styles, Now: m.now, Blanks: body.h >= 25}
	m.project.draw(pageLook{width: o.Width, rows: body.h, blanks: o.Blanks, theme: m.styles.Theme, now: m.now.Unix()}, o)
}

// withHead puts the bar before the line above the list when it stands there.
func (m *model) withHead(line string) string {
	if !m.onHead() {
		return line
	}
	return m.styles.Paint(render.AccentBold, "▌") + ansi.TruncateLeft(line, 1, "")
}

// pageContext is the line above the page: which project, where its repository stands.
func (m *model) pageContext(width int) string {
	l := render.NewLine(m.styles, width).To(min(4, width/8)).PutUntil(render.Strong, render.Base(m.project.dir), width-1)
	f := m.project.facts
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

// pageBody are the lines of the page that are seen.
func (m *model) pageBody() []string {
	p, rows := m.project, m.layout.body.h
	switch {
	case p.facts != nil && p.err == nil:
		return p.page.Lines[min(p.top, len(p.page.Lines)):min(p.top+rows, len(p.page.Lines))]
	case p.err != nil:
		n := m.notice(m.width)
		what, then, _ := strings.Cut(m.sentence(p.err), ". ")
		n.error(strings.TrimSuffix(what, ".") + ".")
		if then != "" {
			n.detail(then)
		}
		n.detail("esc goes back.")
		return n.lines
	case p.slow:
		n := m.notice(m.width)
		n.detail("Reading…")
		return n.lines
	}
	return nil
}

// pagePlace is what the status says of the page: what is wrong with its hooks, and how old it is.
func (m *model) pagePlace() (left, right string) {
	p := m.project
	if p.facts == nil || p.err != nil {
		return "", ""
	}
	if n := p.facts.Need(survey.Item{Kind: survey.ItemNeed, Key: string(survey.NeedHooks)}); n != nil {
		left = "△ " + render.NeedWords(n) + ": " + n.More + ". continuo doctor hooks says why."
	}
	return left, "checked " + render.Ago(m.now, p.facts.Checked)
}
