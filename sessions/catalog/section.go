package catalog

import (
	"bytes"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions/document"
)

// sectionLimit is the limit of a section in bytes. Markdown over 32 KB isn't rendered.
const sectionLimit = 24 << 10

// splitSections splits the text of a document into sections: the front matter as a block of YAML, then one for each
// heading of level 1 and 2. Sections longer than sectionLimit are split between lines. Except for the fences around
// the front matter, all sections together are the text. goesOn is true for sections that aren't counted: the front
// matter, and the parts of a long section after the first.
func splitSections(text string) (list []string, goesOn []bool) {
	var p sectionSplitter
	if front, body, err := document.SplitFrontMatter([]byte(text)); err == nil && front != nil {
		p.sections, text, p.front = append(p.sections, fenced(front)), string(body), true
	}
	for line := range strings.Lines(text) {
		p.add(line)
	}
	if n := len(p.sections); n > 0 && strings.TrimSpace(string(p.text)) == "" {
		p.sections[n-1] += string(p.text)
	} else {
		p.cut(len(p.text))
	}
	for len(p.goesOn) < len(p.sections) {
		p.goesOn = append([]bool{true}, p.goesOn...) // the front matter isn't counted
	}
	return p.sections, p.goesOn
}

// fenced puts YAML into a code block, with a fence that is long enough.
func fenced(text []byte) string {
	fence := "```"
	for bytes.Contains(text, []byte(fence)) {
		fence += "`"
	}
	b := fence + "yaml\n" + string(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b += "\n"
	}
	return b + fence + "\n"
}

// sectionSplitter collects the lines of one section at a time.
type sectionSplitter struct {
	sections []string
	goesOn   []bool // for each section; without the front matter
	cutting  bool   // the text continues a section that was too long
	text     []byte // lines of the current section
	good     int    // last offset in text where it can be cut, between two blocks; 0 for none
	blank    bool   // the previous line was blank
	lines    mark.Reader
	front    bool // the first section is the front matter
	inside   bool // the section begins inside a block that was too long
}

func (p *sectionSplitter) add(line string) {
	inside := p.lines.Inside()
	l := p.lines.Next(line)
	outside := !inside || l.Opens || l.Kind == mark.Text || l.Kind == mark.Blank // code ends with its list item
	heading := isSection(l)
	if heading && p.front && len(p.sections) == 1 && isRemark(string(p.text)) {
		p.sections[0] += string(p.text) // a comment before the first heading is about the whole document
		p.text, p.good = p.text[:0], 0
	}
	switch {
	case heading:
		if strings.TrimSpace(string(p.text)) != "" { // blank lines alone aren't a section
			p.cut(len(p.text))
		}
		p.cutting = false
	case outside && (p.blank || p.lines.Inside()):
		p.good = len(p.text)
	}
	for len(p.text) > 0 && len(p.text)+len(line) > sectionLimit {
		if p.good == 0 {
			p.good, p.inside = len(p.text), !outside
		}
		p.cut(p.good)
	}
	p.text = append(p.text, line...)
	p.blank = l.Kind == mark.Blank
	if closed := !outside && !p.lines.Inside(); closed && p.inside {
		p.inside = false
		p.cut(len(p.text)) // cut after the closing line of the block, which would open a block in the next section
	} else if closed {
		p.good = len(p.text)
	}
}

// isSection reports whether a line is a heading of level 1 or 2 without indentation.
func isSection(l mark.Line) bool { return l.At == 0 && (l.Level == 1 || l.Level == 2) }

// isRemark reports whether a text is an HTML comment on one line.
func isRemark(text string) bool {
	text = strings.TrimSpace(text)
	const end = "-->"
	return strings.HasPrefix(text, "<!--") && strings.Index(text, end) == len(text)-len(end) && !strings.Contains(text, "\n")
}

// cut ends the section after n bytes of text.
func (p *sectionSplitter) cut(n int) {
	if n > 0 {
		p.sections, p.goesOn = append(p.sections, string(p.text[:n])), append(p.goesOn, p.cutting)
		p.cutting = true
	}
	p.text, p.good = append(p.text[:0], p.text[n:]...), 0
}
