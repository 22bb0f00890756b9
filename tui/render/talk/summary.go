package talk

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// summary draws the summary of a compaction. A Shut part has the first lines of the most useful sections. An Open part
// has all sections. A Whole part also has the analysis.
func (p *page) summary(text string) {
	analysis, sections := splitSummary(text)
	fold := p.o.fold(-1)
	gists := gistsOf(sections)
	p.before(summaryEnding(gists, fold))
	from := len(p.lines)
	size := words.Counted(len(strings.Fields(sections)), "word", "words")
	if n := p.o.Replaced; n > 0 {
		size += " in place of " + words.Counted(n, "message", "messages")
	}
	p.titled(fold, len(gists) > 0, "Summary", size)
	if title := &p.lines[len(p.lines)-1]; p.o.Context != "" && ansi.StringWidth(*title)+len(p.o.Context)+2 <= p.o.Width {
		*title = render.Pad(*title, p.o.Width-ansi.StringWidth(p.o.Context)) + p.o.Styles.Paint(render.Faint, p.o.Context)
	}
	b := p.body(fold, p.text()+4, true)
	if fold == Shut {
		end := p.text() + p.prose() // the right edge of running text
		for _, g := range gists {
			label := words.Cut(g.label, gistLabel-2)
			spans := []render.Span{{Ink: render.Muted, Text: label + strings.Repeat(" ", gistLabel-len(label))}}
			b.row(append(spans, withCode(words.Cut(g.text, max(min(b.left+b.width(), end)-b.left-gistLabel, 1)))...)...)
		}
		p.add(-1, from, fold, false)
		return
	}
	if fold == Whole && analysis != "" {
		sections, analysis = analysis+"\n\n"+sections, ""
	}
	b.markdown(sections, countLines(analysis), summaryRows)
	b.end(-1, from)
}

// summaryRows is the maximum number of rows of an Open summary, because a list follows.
const summaryRows = 24

// sectionGist is the first line of a section of a summary.
type sectionGist struct{ label, text string }

// gistLabel is the width of the labels of gists, in cells.
const gistLabel = 14

// gistsOf returns the first lines of the sections that say where the work stands.
func gistsOf(sections string) (list []sectionGist) {
	labels := map[string]string{
		"Primary Request and Intent": "Request", "Files and Code Sections": "Files", "Errors and fixes": "Errors",
		"Pending Tasks": "Pending", "Current Work": "Current work", "Optional Next Step": "Next step",
	}
	label := ""
	for line := range strings.Lines(sections) {
		line = strings.TrimSpace(line)
		_, title, _ := strings.Cut(strings.TrimSuffix(line, "**"), ". ") // splitSummary has made it bold
		switch {
		case labels[title] != "":
			label = labels[title]
		case line != "" && label != "":
			list = append(list, sectionGist{label, transcript.CleanLine(strings.TrimLeft(strings.ReplaceAll(line, "**", ""), "-*# "))})
			label = ""
		}
	}
	return list
}

// withCode returns the spans of a line. Code in backticks has the ink Code.
func withCode(line string) (spans []render.Span) {
	parts := strings.Split(line, "`")
	for i, part := range parts {
		switch {
		case i%2 == 0:
			spans = append(spans, render.Span{Ink: render.Text, Text: part})
		case i == len(parts)-1: // the code was cut
			spans = append(spans, render.Span{Ink: render.Code, Text: "`" + part})
		default:
			spans = append(spans, render.Span{Ink: render.Code, Text: "`" + part + "`"})
		}
	}
	return spans
}

func summaryEnding(gists []sectionGist, fold Fold) Ending {
	if len(gists) > 0 {
		return Prose
	}
	return ending(fold)
}

// titled draws the first line of a part of a compaction. previewed means that a Shut part shows some lines, so the
// triangle points down.
func (p *page) titled(fold Fold, previewed bool, title, facts string) {
	glyph := []string{Fixed: "  ", Shut: "▸ ", Open: "▾ ", Whole: "▾ "}[fold]
	if previewed && fold == Shut {
		glyph = "▾ "
	}
	l := p.line().To(p.text()).Put(render.Faint, glyph).PutUntil(render.Heading, title, p.o.Width)
	if facts != "" {
		l.PutUntil(render.Faint, "  "+facts, p.o.Width)
	}
	p.lines = append(p.lines, l.String())
}

// splitSummary splits a summary into the model's analysis, which may be "", and the sections. It makes the titles of
// the sections bold. Clients 2.0 to 2.1.330 write "Analysis:", "Summary:", "1. Primary Request and Intent:" and so on.
func splitSummary(text string) (analysis, sections string) {
	const frame = "This session is being continued from a previous conversation that ran out of context."
	text = strings.TrimSpace(text)
	if sentence, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(sentence, frame) {
		text = strings.TrimSpace(rest)
	}
	if before, after, ok := strings.Cut("\n"+text, "\nSummary:\n"); ok {
		analysis, text = strings.TrimSpace(before), strings.TrimSpace(after)
	}
	title := regexp.MustCompile(`(?m)^(\d+\. [^\n]{1,80}):[ \t]*$`)
	return title.ReplaceAllString(analysis, "**$1**\n"), title.ReplaceAllString(text, "**$1**\n")
}
