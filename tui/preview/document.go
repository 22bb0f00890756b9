package preview

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// drawDocument draws a document: its title, facts, problems and sections, and the key r at the bottom.
func (p *Pane) drawDocument(row *sessions.Row, f Facts, width, rows int) []string {
	lines := []string{line(f, width).Put(render.Strong, render.Title(row)).String()}
	for _, s := range documentFacts(row, f, width-4) {
		lines = append(lines, line(f, width).Put(render.Muted, s).String())
	}
	problem := func(glyph render.Span, text string) {
		if text == "" {
			return
		}
		for i, s := range render.Wrap(text, width-6) {
			l := line(f, width)
			if i == 0 {
				l.Spans(glyph)
			}
			lines = append(lines, l.To(4).Put(render.Muted, s).String())
		}
	}
	wrong := transcript.CleanLine(row.Reason)
	if row.Deleted {
		wrong = "deleted" + p.because(row, f)
	}
	problem(render.Span{Ink: render.BadBold, Text: "✗"}, wrong)
	problem(f.Linked, f.Link)
	if p.Err != nil {
		return p.failed(lines, f, width)
	}
	return p.withSections(lines, f, width, rows)
}

// documentFacts returns the name of the file, its size and its other known facts.
func documentFacts(row *sessions.Row, f Facts, width int) []string {
	file := []string{transcript.CleanLine(filepath.Base(row.Path))}
	if row.Bytes > 0 {
		file = append(file, words.Size(row.Bytes))
	}
	var list []string
	for _, fact := range []string{
		words.CutMiddle(f.Folder, 28), strings.NewReplacer("-", " ", "_", " ").Replace(transcript.CleanLine(row.Status)), onBranch(row), f.Chained,
	} {
		if fact != "" {
			list = append(list, fact)
		}
	}
	return append(wrapFacts(file, width), wrapFacts(list, width)...)
}

func onBranch(row *sessions.Row) string {
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		return "on " + words.Cut(branch, 40)
	}
	return ""
}

// withSections appends as many sections as fit, and at the bottom the lines about the key r.
func (p *Pane) withSections(lines []string, f Facts, width, rows int) []string {
	lines = append(lines, "")
	foot := f.Foot
	if rows-len(lines) < 12 { // too little room for the lines about the key r
		foot = nil
	}
	for i := range foot {
		foot[i] = render.Pad(foot[i], width-1)
	}
	room := max(rows-len(lines), 0)
	if len(foot) > 0 {
		room = max(room-len(foot)-1, 0)
	}
	text := p.Lines[min(p.up, len(p.Lines)):]
	text = text[:min(len(text), room)]
	lines = append(lines, text...)
	if len(foot) == 0 {
		return lines
	}
	for len(lines) < rows-len(foot) {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}
