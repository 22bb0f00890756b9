package ledgerview

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

func (p *Page) enterWord() string {
	switch {
	case !p.inside:
		return "go in"
	case !p.content.namesCode():
		return "whole text"
	}
	return "open the code"
}

// noEnterReason returns the reason why enter can't be used, or "".
func (p *Page) noEnterReason() string {
	if !p.inside {
		return ""
	}
	if p.content.namesCode() && !p.opts.CanOpen {
		return "nothing can be opened here"
	}
	return ""
}

// enterEntry opens the code of the selected entry. Without a code reference, it unfolds or folds the entry.
func (p *Page) enterEntry() []screen.Effect {
	if !p.content.list.IsSeen() {
		p.content.list.Reveal()
		return nil
	}
	if why := p.noEnterReason(); why != "" {
		return []screen.Effect{screen.Tell{Text: "enter: " + why}}
	}
	if !p.content.namesCode() {
		p.content.fold()
		return nil
	}
	file, line, _ := p.content.code()
	if rest, ok := strings.CutPrefix(file, "~"+string(filepath.Separator)); ok && p.f.Home != "" {
		file = filepath.Join(p.f.Home, rest)
	}
	return []screen.Effect{screen.Edit{Row: p.row(), File: file, Line: line}}
}

// record returns the selected record, or nil. The content pane must have the focus.
func (p *Page) record() *survey.TimelineEntry {
	if p.facts == nil || !p.inside {
		return nil
	}
	return p.content.record()
}

// edit opens NOTES.md in the editor, at the selected item or entry.
func (p *Page) edit() []screen.Effect {
	if r := p.record(); r != nil {
		return []screen.Effect{screen.Edit{Row: p.row(), File: r.File, Line: max(r.Line, 1)}}
	}
	line := 1
	if it := p.outline.selected(); it != nil && it.section >= 0 {
		line = p.facts.Notes.Sections[it.section].Line
	}
	if c := &p.content; p.inside && c.list.At >= 0 && c.blocks[c.list.At].line > 0 {
		line = c.blocks[c.list.At].line
	} else if i := c.list.Win.Top; p.inside && i < len(c.blocks) && c.blocks[i].line > 0 {
		line = c.blocks[i].line
	}
	return []screen.Effect{screen.Edit{Row: p.row(), File: p.facts.Project.Notes, Line: line}}
}

// noEditReason returns the reason why the selected record can't be opened in the editor, or "".
func (p *Page) noEditReason() string {
	if r := p.record(); r != nil && strings.HasSuffix(r.File, ".gz") {
		return "the file is compressed"
	}
	return ""
}

// copyIt copies the selected item or entry.
func (p *Page) copyIt() []screen.Effect {
	name, text := p.text()
	if text == "" {
		return []screen.Effect{screen.Tell{Text: "There is no text here to copy."}}
	}
	return []screen.Effect{screen.Copy{Name: name, Text: text}}
}

// text returns the text to copy, and its name for the message.
func (p *Page) text() (name, text string) {
	if p.facts == nil {
		return "", ""
	}
	if c := &p.content; p.inside && c.list.At >= 0 {
		return "the entry", c.words(&c.blocks[c.list.At])
	}
	it := p.outline.selected()
	switch {
	case it == nil:
		return "", ""
	case it.section >= 0:
		return "the section", strings.TrimSpace(string(p.facts.Notes.Markdown(it.section)))
	}
	return "the selected part", p.content.text()
}

func (c *ledgerContent) text() string {
	var parts []string
	for i := range c.blocks {
		if b := &c.blocks[i]; b.isEntry() || b.text != "" {
			parts = append(parts, strings.TrimSpace(c.words(b)))
		}
	}
	return strings.Join(parts, "\n\n")
}

// code returns the code reference of the selected entry. It prefers code that still exists.
func (c *ledgerContent) code() (file string, line int, ok bool) {
	if c.list.At < 0 {
		return "", 0, false
	}
	switch b := &c.blocks[c.list.At]; b.key.kind {
	case isDecision:
		list := c.facts.decisions[b.source].Evidence
		for _, good := range []bool{true, false} {
			for i := range list {
				check, looked := c.facts.Evidence[survey.BackingOf(&list[i])]
				if good && looked && check.Bad() && check.Status != ledger.Moved {
					continue
				}
				file, line = placeOf(&list[i].Ref, check)
				return file, line, file != ""
			}
		}
	case isIdentifier:
		id := &c.facts.checked[b.source]
		file, line = placeOf(&id.Ref, id.Check)
		return file, line, file != ""
	default:
	}
	return "", 0, false
}

// namesCode reports whether the selected entry has a code reference.
func (c *ledgerContent) namesCode() bool {
	_, _, ok := c.code()
	return ok
}

// placeOf returns where the code of an identifier is now.
func placeOf(r *ledger.Ref, c ledger.Check) (file string, line int) {
	switch {
	case c.Status == ledger.Moved && c.At > 0:
		return filepath.FromSlash(r.Path), c.At
	case c.Status == ledger.NoFile && c.To != "":
		return filepath.FromSlash(c.To), c.At
	case c.Status == ledger.NoLine:
		return filepath.FromSlash(r.Path), min(r.From, c.Lines)
	}
	return filepath.FromSlash(r.Path), r.From
}

// record returns the selected record, or nil.
func (c *ledgerContent) record() *survey.TimelineEntry {
	if c.list.At < 0 || c.list.At >= len(c.blocks) || c.blocks[c.list.At].key.kind != isRecord {
		return nil
	}
	return &c.facts.logged.Entries[c.blocks[c.list.At].source]
}

// fold unfolds or folds the selected entry.
func (c *ledgerContent) fold() {
	if c.list.At < 0 {
		return
	}
	if c.open == nil {
		c.open = map[ledgerKey]bool{}
	}
	c.open[c.sel] = !c.open[c.sel]
	c.lines[c.list.At] = nil
	c.list.Reveal()
}
