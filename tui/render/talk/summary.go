package talk

import (
	"regexp"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

// summary draws the summary of a compaction as markdown. The model writes an analysis before the sections of the
// summary. An Open part starts with the first section. A Whole part also has the analysis.
func (p *page) summary(text string) {
	analysis, sections := splitSummary(text)
	fold := p.o.fold(-1)
	p.before(ending(fold))
	from := len(p.lines)
	p.titled(fold, "Summary", words.Counted(len(strings.Fields(sections)), "word", "words"))
	if fold == Shut {
		p.add(-1, from, fold, false)
		return
	}
	b := p.body(fold, p.text()+4, true)
	if fold == Whole && analysis != "" {
		sections, analysis = analysis+"\n\n"+sections, ""
	}
	b.markdown(sections, countLines(analysis), summaryRows)
	b.end(-1, from)
}

// summaryRows is the number of rows of a summary that is open. What it leaves out comes after it.
const summaryRows = 6

// titled draws the first line of a part of a compaction: the title, and then facts, which may be "".
func (p *page) titled(fold Fold, title, facts string) {
	glyph := "▸ "
	if fold >= Open {
		glyph = "▾ "
	}
	l := p.line().To(p.text()).Put(render.Faint, glyph).PutUntil(render.Heading, title, p.o.Width)
	if facts != "" {
		l.PutUntil(render.Faint, "  "+facts, p.o.Width)
	}
	p.lines = append(p.lines, l.String())
}

// splitSummary splits the text of a summary into the analysis of the model and the sections, both as markdown.
// analysis is "" if there is none. splitSummary leaves out the sentence that the client writes before them, and
// makes the titles of the sections bold. In clients 2.0 to 2.1.330 the form is "Analysis:", "Summary:", then "1.
// Primary Request and Intent:" and so on.
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
