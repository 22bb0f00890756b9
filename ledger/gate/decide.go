package gate

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// decided counts the results of checking evidence.
type decided struct {
	bad, bare, moved, held, unread int // bad and bare count decisions; moved, held and unread count evidence
	why                            string
}

// decisions runs step 3: NOTES.md has a decision log, and the code contains the evidence.
func decisions(f *Facts) Step {
	s := Step{Name: "Decision log"}
	name := "NOTES.md"
	switch {
	case f.Notes == nil && f.NotesTrouble != "":
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, f.NotesTrouble)
		return s
	case f.Notes == nil:
		s.Status, s.Figure = Warning, "no "+name
		s.Findings = []Finding{{Title: name, What: "doesn't exist", Fix: "note the first decision, which creates the file", File: f.NotesFile}}
		return s
	}
	all := f.Notes.Decisions()
	if len(all) == 0 && !hasLog(f.Notes) {
		s.Status, s.Figure = Warning, "no decision log"
		s.Findings = []Finding{{Title: name, What: "has no section Decision Log", Fix: "note the first decision, which creates the section", File: f.NotesFile, Line: 1}}
		return s
	}
	var n decided
	var hard, mild, bare [][]Finding // one list for each decision
	for i := range all {
		d := &all[i]
		if len(d.Evidence) == 0 {
			n.bare++
			bare = append(bare, []Finding{bareFinding(d, f.NotesFile)})
			continue
		}
		bad, held := false, 0
		var wrong, moved []Finding
		for k := range d.Evidence {
			c := f.evidence(i, k)
			x := findingOf(d, &d.Evidence[k], &c, f.NotesFile)
			if commit := f.Gone[d.Evidence[k].Ref.Path]; c.Status == ledger.NoFile && commit != "" {
				x.What += " since " + transcript.CleanLine(commit)
			}
			switch c.Status {
			case ledger.Holds:
				held++
			case ledger.Moved:
				x.Mild = true
				moved = append(moved, x)
			case ledger.Unreadable, "":
				n.unread++
				n.why = x.Ref + ": " + x.What
			default:
				bad = true
				wrong = append(wrong, x)
			}
		}
		if found := append(wrong, moved...); bad {
			n.bad++
			hard = append(hard, found)
		} else {
			n.held, n.moved = n.held+held, n.moved+len(moved)
			mild = append(mild, found)
		}
	}
	fails := n.fails(len(all), f.blocks(3))
	for i := range bare {
		bare[i][0].Mild = !fails
	}
	if fails {
		mild, bare = bare, mild
	}
	s.Findings = slices.Concat(slices.Concat(hard...), slices.Concat(mild...), slices.Concat(bare...))
	s.settle(&n, len(all), f.blocks(3))
	return s
}

// fails reports whether decisions without evidence make the step fail. In a step that doesn't block, all decisions
// must lack evidence. all is the number of decisions.
func (n *decided) fails(all int, blocks bool) bool { return n.bare > 0 && (blocks || n.bare == all) }

// bareFinding returns the finding for a decision that has no evidence.
func bareFinding(d *notes.Decision, file string) Finding {
	x := Finding{
		Title: transcript.CleanLine(d.Title), When: d.When, What: "has no evidence", File: file, Line: d.Line,
		Fix: "add evidence below the decision: - `quoted code` [${PROJECT_ROOT}/path:line]",
	}
	if x.Title == "" {
		x.Title = transcript.CleanLine(d.Decision)
	}
	return x
}

// settle sets the status, the figure and the notes of the step.
func (s *Step) settle(n *decided, all int, blocks bool) {
	s.Status, s.Lost = Pass, n.bad
	rest := all - n.bad - n.bare // number of decisions whose evidence is complete
	switch {
	case all == 0:
		s.Figure = "no decisions"
	case n.bad > 0:
		s.Status = Warning
		s.Figure = number(n.bad) + " of " + number(all) + " point to missing code"
		if n.bad == 1 {
			s.Figure = "1 of " + number(all) + " points to missing code"
		}
	case rest == 0:
		s.Status, s.Figure = Warning, counted(all, "decision", "decisions")+" without evidence"
	default:
		s.Figure = counted(rest, "decision verified", "decisions verified")
		if n.bare > 0 {
			s.Figure = number(rest) + " of " + counted(all, "decision verified", "decisions verified")
		}
		if n.fails(all, blocks) {
			s.Status, s.Figure = Warning, number(n.bare)+" of "+counted(all, "decision", "decisions")+" without evidence"
		}
	}
	if blocks && s.Status == Warning {
		s.Note = noteBlocks
	}
	if n.unread > 0 && blocks && s.Status == Pass {
		s.Status, s.Figure = Unknown, counted(n.unread, "reference not checked", "references not checked")
	}
	if parts := n.parts(); len(parts) > 0 {
		which := ""
		switch {
		case n.bad > 0 && rest == 1:
			which = "The other decision with evidence is verified: "
		case n.bad > 0 && rest > 1:
			which = "The other " + number(rest) + " with evidence are verified: "
		}
		s.More = append(s.More, which+strings.Join(parts, ", ")+".")
	}
	if n.bare > 0 {
		s.More = append(s.More, counted(n.bare, "decision has", "decisions have")+" no evidence (required).")
	}
	if n.unread > 0 {
		s.More = append(s.More, counted(n.unread, "reference not checked", "references not checked")+", the last "+n.why+".")
	}
}

// parts describes the results of checking the evidence.
func (n *decided) parts() []string {
	var parts []string
	if n.held > 0 {
		parts = append(parts, counted(n.held, "reference found as written", "references found as written"))
	}
	if n.moved > 0 {
		parts = append(parts, number(n.moved)+" found at another line")
	}
	return parts
}

// hasLog reports whether NOTES.md has a section for decisions.
func hasLog(n *notes.Notes) bool {
	for i := range n.Sections {
		if n.Sections[i].Kind == notes.KindDecisions {
			return true
		}
	}
	return false
}

// evidence returns the result of a check; the zero value if there was none.
func (f *Facts) evidence(decision, k int) ledger.Check {
	if decision < len(f.Evidence) && k < len(f.Evidence[decision]) {
		return f.Evidence[decision][k]
	}
	return ledger.Check{}
}

// findingOf returns the finding for a piece of evidence, with its fix.
func findingOf(d *notes.Decision, e *notes.Evidence, c *ledger.Check, file string) Finding {
	x := Finding{Title: transcript.CleanLine(d.Title), When: d.When, Ref: transcript.CleanLine(placeOf(e.Ref)), File: file, Line: e.Line}
	if x.Title == "" {
		x.Title = transcript.CleanLine(d.Decision)
	}
	now := e.Ref
	switch c.Status {
	case ledger.Moved:
		x.What = "the quote is at line " + number(c.At) + " now"
		now.From, now.To = c.At, c.At+max(e.Ref.To-e.Ref.From, 0)
	case ledger.NoFile:
		x.What = "file is gone"
		if c.To == "" {
			break
		}
		now.Path, now.Form = c.To, ledger.FormRooted
		if c.At > 0 {
			now.From, now.To = c.At, c.At+max(e.Ref.To-e.Ref.From, 0)
		}
	case ledger.NoLine:
		x.What = "line " + number(max(e.Ref.To, e.Ref.From)) + " of a file with " + number(c.Lines)
	case ledger.NoQuote:
		x.What = "the file doesn't contain the quote"
	case ledger.Outside:
		x.What = "points outside the project"
		x.Fix = "write the reference as ${PROJECT_ROOT}/path:line"
	case ledger.Unreadable, ledger.Holds:
		x.What = transcript.CleanLine(c.Problem)
	default:
		x.What = "not checked"
	}
	switch {
	case x.Fix != "":
	case c.At > 0:
		x.Fix = "change the reference to " + transcript.CleanLine(placeOf(now)) + ", where the quoted line is now"
		if to := now.String(); Writable(to) {
			x.Was, x.Now = e.Ref.Raw, to
		}
	case c.To != "":
		x.Fix = "check whether the file is now " + transcript.CleanLine(c.To) + ", and correct the reference"
	case c.Quoted && c.Status == ledger.NoFile:
		x.Fix = "no file of this name contains the quote: correct the entry or mark it superseded"
	default:
		x.Fix = "correct the entry or mark it superseded"
	}
	return x
}

// Writable reports whether a code reference can be written into a line of NOTES.md and read back. Some characters of
// file names would end the line, the quote or the link.
func Writable(identifier string) bool {
	r, ok := ledger.ParseRef(identifier)
	return ok && r.Raw == identifier && transcript.CleanLine(identifier) == identifier && !strings.ContainsAny(identifier, "`|[]")
}

// placeOf returns a code reference in the form for users: its path is relative to the root.
func placeOf(r ledger.Ref) string {
	s := r.Path
	if r.From > 0 {
		s += ":" + number(r.From)
	}
	if r.To > r.From {
		s += "-" + number(r.To)
	}
	return s
}
