// Package ledgerlines draws the ledger of a project: NOTES.md, beads, the trajectory, recoveries, gate reports, and
// disagreements. The rules of package render apply.
package ledgerlines

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// LedgerOptions are the options for drawing a ledger.
type LedgerOptions struct {
	Width  int // in cells
	Styles *render.Styles
	Now    time.Time
	Where  string // displayed path of NOTES.md, without control characters
}

// Maximum number of entries on a page. --json and --section have no limit.
const (
	pageSections  = 30
	pageDecisions = 5
	pageQuestions = 8
	pageBeads     = 5
	pageProse     = 3 // maximum lines of a text
)

// ledgerPage is a page while it is drawn.
type ledgerPage struct {
	*survey.Ledger
	o     *LedgerOptions
	lines []string
}

// DrawLedger returns the lines of `continuo ledger`.
func DrawLedger(l *survey.Ledger, o LedgerOptions) []string {
	if o.Width < 1 {
		return nil
	}
	p := &ledgerPage{Ledger: l, o: &o}
	p.head()
	if l.Notes != nil {
		p.continuity()
		p.outline()
		p.decisions()
		p.questions()
	}
	p.identifiers()
	p.beads()
	p.truth()
	p.besides()
	return p.lines
}

func (p *ledgerPage) line() *render.Line { return render.NewLine(p.o.Styles, p.o.Width) }
func (p *ledgerPage) put(l *render.Line) { p.lines = append(p.lines, l.String()) }
func (p *ledgerPage) add(list []string)  { p.lines = append(p.lines, list...) }

func (p *ledgerPage) group(name, more string, right ...render.Span) {
	p.lines = append(p.lines, "")
	l := p.line().Put(render.Heading, name)
	if more != "" {
		l.PutUntil(render.Faint, " "+more, p.o.Width-render.SpansWidth(right)-1)
	}
	p.put(l.Right(p.o.Width, right...))
}

// prose draws a text at column 2, in at most limit lines. 0 means no limit.
func (p *ledgerPage) prose(ink render.Ink, text string, limit int) {
	lines := render.Wrap(text, p.o.Width-2)
	if limit > 0 {
		lines = render.Opening(text, p.o.Width-2, limit)
	}
	for _, s := range lines {
		p.put(p.line().To(2).Put(ink, s))
	}
}

// head draws the name of the project and the path of NOTES.md.
func (p *ledgerPage) head() {
	l := p.line().Put(render.Strong, render.Base(p.Project.Root))
	where := p.o.Where
	if p.Notes == nil {
		where = "no NOTES.md"
	}
	if l.At()+2+ansi.StringWidth(where) <= p.o.Width {
		p.put(l.Right(p.o.Width, render.Span{Ink: render.Muted, Text: where}))
		return
	}
	p.put(l)
	p.put(p.line().Put(render.Muted, words.CutMiddle(where, p.o.Width)))
}

// continuity draws the state of the work at the end of the last session.
func (p *ledgerPage) continuity() {
	c := p.Notes.Continuity()
	if c.Section < 0 {
		p.group("Where was I?", "")
		p.prose(render.Faint, "NOTES.md has no Session Continuity.", 0)
		return
	}
	var age []render.Span
	if !c.Checkpoint.IsZero() {
		age = []render.Span{{Ink: render.Faint, Text: "checkpoint " + words.Ago(p.o.Now, c.Checkpoint)}}
	}
	p.group("Where was I?", "", age...)
	state := c.State
	if state == "" {
		state = c.First
	}
	if state == "" {
		state = "Session Continuity is empty."
	}
	p.prose(render.Text, reflowed(state), pageProse)
	if c.Bead != "" {
		p.put(p.line().To(2).Put(render.Faint, "bead ").Put(render.Muted, transcript.CleanLine(c.Bead)).Put(render.Faint, "  "+PlainLine(c.BeadText)))
	}
	if c.Older > 0 {
		p.prose(render.Faint, words.Counted(c.Older, "older Session Continuity section is", "older Session Continuity sections are")+" not shown.", 0)
	}
}

// outline lists the sections with the number of their entries and tokens.
func (p *ledgerPage) outline() {
	p.group("NOTES.md", "", render.Span{Ink: render.Faint, Text: render.Tokens(int64(recovery.Tokens(string(p.Notes.Text)))) + " tokens"})
	shown, left, top := 0, 0, 6
	for i := range p.Notes.Sections {
		top = min(top, p.Notes.Sections[i].Level)
	}
	for i := range p.Notes.Sections {
		s := &p.Notes.Sections[i]
		if s.Level > 2 && (s.Kind == notes.KindOther || s.Level > 3) {
			continue
		}
		if shown == pageSections {
			left++
			continue
		}
		shown++
		title := PlainLine(s.Title)
		if title == "" {
			title = "No heading"
		}
		count := ""
		if s.Count >= 0 {
			count = words.Count(s.Count)
		}
		right := []render.Span{{Ink: render.Muted, Text: count}, {Ink: render.Faint, Text: render.PadLeft(render.Tokens(int64(recovery.Tokens(string(p.Notes.Text[s.Start:s.End])))), 7) + " tok"}}
		l := p.line().To(2*(s.Level-top+1)).PutUntil(render.Text, title, p.o.Width-render.SpansWidth(right)-2)
		p.put(l.Right(p.o.Width, right...))
	}
	switch {
	case len(p.Notes.Sections) == 0:
		p.prose(render.Faint, "NOTES.md has no headings.", 0)
	case left > 0:
		p.prose(render.Faint, "… "+words.Counted(left, "more section", "more sections"), 0)
	}
}

// decisions lists the newest decisions.
func (p *ledgerPage) decisions() {
	list := p.Notes.Decisions()
	if len(list) == 0 {
		return
	}
	p.group("Decisions", words.Count(len(list))+", newest first")
	for i := range list[:min(len(list), pageDecisions)] {
		p.add(DecisionLines(&list[i], p.Evidence, EntryOptions{Width: p.o.Width, Styles: p.o.Styles, Now: p.o.Now, Most: pageProse}))
	}
	p.more(len(list)-pageDecisions, "more decision", "more decisions")
}

// more draws how many entries aren't listed, if any.
func (p *ledgerPage) more(n int, one, many string) {
	if n > 0 {
		p.prose(render.Faint, "… "+words.Counted(n, one, many), 0)
	}
}

// questions lists the open questions.
func (p *ledgerPage) questions() {
	list := p.Notes.Questions()
	if len(list) == 0 {
		return
	}
	p.group("Open questions", words.Count(len(list)))
	for i := range list[:min(len(list), pageQuestions)] {
		p.add(QuestionLines(&list[i], EntryOptions{Width: p.o.Width, Styles: p.o.Styles, Now: p.o.Now}))
	}
	p.more(len(list)-pageQuestions, "more question", "more questions")
}

// identifiers lists the identifiers and the results of their checks.
func (p *ledgerPage) identifiers() {
	if len(p.Checked) == 0 {
		return
	}
	bad, moved := 0, 0
	for i := range p.Checked {
		switch c := &p.Checked[i]; {
		case c.Status == ledger.Moved:
			moved++
		case c.Status != "" && c.Bad():
			bad++
		}
	}
	var right []render.Span
	if bad > 0 {
		right = append(right, render.Span{Ink: render.Bad, Text: words.Count(bad) + " broken"})
	}
	if moved > 0 {
		if bad > 0 {
			right = append(right, render.Span{Ink: render.Faint, Text: ", "})
		}
		right = append(right, render.Span{Ink: render.Warn, Text: words.Count(moved) + " moved"})
	}
	p.group("Identifiers", words.Count(len(p.Checked)), right...)
	for i := range p.Checked {
		p.add(IdentifierLines(&p.Checked[i], EntryOptions{Width: p.o.Width, Styles: p.o.Styles, Now: p.o.Now, Most: 1}))
	}
}

// truth lists the disagreements between sources.
func (p *ledgerPage) truth() {
	if n := len(p.Truth.List) + p.Truth.Left; n > 0 {
		p.group("Disagreements", words.Count(n)+", the first source wins")
		p.add(TruthLines(&p.Truth, p.o.Styles, p.o.Width))
	}
}

// beads draws the numbers of beads, and lists the beads in progress or the ready beads.
func (p *ledgerPage) beads() {
	g := p.Beads
	if g == nil || len(g.Beads) == 0 {
		return
	}
	parted := g.Groups(p.At)
	ready, doing, blocked := parted.Ready, parted.InProgress, parted.Blocked
	p.group("Beads", words.Count(len(ready))+" ready, "+words.Count(len(doing))+" in progress, "+words.Count(len(blocked))+" blocked")
	list := doing
	if len(list) == 0 {
		list = ready
	}
	for _, b := range list[:min(len(list), pageBeads)] {
		p.bead(b)
	}
	p.more(len(list)-pageBeads, "more bead", "more beads")
}

func (p *ledgerPage) bead(b *beads.Bead) {
	l := p.line().To(2).PutUntil(render.Faint, transcript.CleanLine(b.ID), max(p.o.Width/3, 8))
	p.put(l.Put(render.Text, "  ").Put(render.Text, PlainLine(b.Title)))
}

// besides draws the staged recovery and the problems.
func (p *ledgerPage) besides() {
	if !p.Staged.IsZero() {
		p.group("Staged", "")
		p.prose(render.Text, "A recovery of "+words.Counted(p.StagedN, "token", "tokens")+", "+words.Ago(p.o.Now, p.Staged)+". The next session that starts here receives it.", 0)
	}
	var list []string
	for _, s := range append([]string{p.Trouble, p.BeadsBad}, p.Problems...) {
		if s != "" {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return
	}
	p.group("Problems", "")
	for _, s := range list {
		for i, part := range render.Wrap(s, p.o.Width-2) {
			l := p.line()
			if i == 0 {
				l.Put(render.Warn, "△")
			}
			p.put(l.To(2).Put(render.Text, part))
		}
	}
}
