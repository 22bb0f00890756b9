package entries

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// deltaPlan returns the plan of a delta.
func deltaPlan(env *place.Env, k *DeltaLook) []change.Part {
	p := &writing.Plan{}
	name := env.Tilde(k.Ledger.Project.Notes)
	path := func(s string) change.Line { return change.Line{Tone: change.Muted, Text: s, Whole: true} }
	var touched []change.Line
	if len(k.Noted) > 0 {
		whole := &Noting{project: k.Ledger.Project, Known: k.Ledger.Notes != nil, Place: k.place}
		touched = append(touched, change.Line{Text: words.Counted(len(k.Noted), "finding", "findings") + ": " + whole.where()}, path(name))
	}
	if k.bead != "" {
		touched = append(touched, change.Line{Text: words.Counted(len(k.Noted), "comment", "comments") + " of bead " + transcript.CleanLine(k.bead) + ", by " + k.program.Name}, path(env.Tilde(k.Ledger.Project.Beads)))
	}
	record := "1 record delta_sync"
	if k.session != nil {
		record += ", of session " + place.ShortID(transcript.CleanLine(k.session.Row.ID))
		if n := k.tokens(); n > 0 {
			record += " at " + render.Tokens(n) + " tokens, " + string(k.level())
		}
	}
	touched = append(touched, change.Line{Text: record}, path(env.Tilde(k.file)))
	p.Add("Touched", touched...)
	if len(k.Noted) > 0 {
		p.Add("Text", (&Noting{Bead: true, Comment: string(k.place.Text)}).Lines()...)
	}
	var but []change.Line
	for i := range k.forks {
		f := &k.forks[i]
		but = append(but, writing.Warning("“"+words.Cut(transcript.CleanLine(f.Statement.Text), NoteCells)+"” contradicts the ledger and is left out: continuo fork-check"))
	}
	if k.left > 0 {
		but = append(but, writing.Warning(words.Counted(k.left, "older decision is", "older decisions are")+" left out: a delta has at most "+words.Count(DeltaMost)))
	}
	for _, s := range k.But {
		but = append(but, writing.Warning(transcript.CleanLine(s)))
	}
	bare := 0
	var checked []change.Line
	for _, n := range k.Noted {
		if len(n.Entry.Evidence) == 0 {
			bare++
		}
		for i := range n.Entry.Evidence {
			e := &n.Entry.Evidence[i]
			checked = append(checked, change.Line{Mark: change.Good, Text: transcript.CleanLine(e.Ref.Path) + ":" + words.Count(e.Ref.From) + " has the quote, word for word"})
		}
	}
	if bare > 0 {
		but = append(but, change.Line{Mark: change.Note, Text: words.Counted(bare, "finding has", "findings have") + " no evidence in the code (required for decisions)"})
	}
	p.Add("But", but...)
	p.Add("Checked", checked...)
	stays := []change.Line{{Mark: change.Good, Text: "the context of the session, and all other lines of NOTES.md"}}
	if k.known > 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: words.Counted(k.known, "decision is", "decisions are") + " already in the ledger"})
	}
	if len(k.Noted) == 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: "NOTES.md: " + k.nothing()})
	}
	p.Add("Stays", stays...)
	if len(k.Noted) > 0 {
		p.Add("Undo", change.Line{Text: k.ask.undo + " removes the lines from NOTES.md. The record stays in the log."})
	}
	return p.Parts
}

// nothing says why there are no findings.
func (k *DeltaLook) nothing() string {
	if k.last.At.IsZero() {
		return "the ledger already has every decision"
	}
	return "no new decision since the last delta"
}

// said says what was written.
func (k *DeltaLook) said() (messages []string) {
	if k.wrote {
		messages = append(messages, k.saidNotes())
	}
	if k.logged {
		messages = append(messages, "The delta is recorded in "+place.BaseName(k.file)+".")
	}
	return messages
}

// saidNotes says which lines were added to NOTES.md.
func (k *DeltaLook) saidNotes() string {
	return words.Counted(len(k.Noted), "finding is", "findings are") + " in " + place.BaseName(k.Ledger.Project.Notes) + " from line " +
		words.Count(k.place.Line) + ", below “" + transcript.CleanLine(k.place.Section) + "”."
}

// writeDelta writes NOTES.md, the comments of the bead, and a record of both. It stops only if NOTES.md can't be
// written.
func writeDelta(ctx context.Context, env *place.Env, k *DeltaLook) error {
	if len(k.Noted) > 0 {
		if err := writeFindings(ctx, env, k); err != nil {
			return err
		}
	}
	var failed error
	if k.bead != "" {
		for i, n := range k.Noted {
			if failed = k.program.Comment(ctx, k.bead, deltaComment(&n.Entry)); failed != nil {
				k.problems = append(k.problems, words.Count(i)+" of "+words.Counted(len(k.Noted), "comment was", "comments were")+" added to bead "+transcript.CleanLine(k.bead))
				break
			}
			k.commented = true
		}
	}
	record := trajectory.DeltaSync{
		TS: env.Now().UTC().Format(time.RFC3339), Agent: k.ask.agent, Phase: trajectory.PhaseDelta, Tokens: int(k.tokens()),
		Decisions: len(k.Noted), Bead: k.commented, Notes: k.wrote,
	}
	if k.session != nil {
		record.SessionID = k.session.Row.ID
	}
	if err := trajectory.Append(ctx, k.Ledger.Project.Root, k.file, record); err != nil {
		f := LogFailure(env, k.file, err)
		if failed == nil {
			return f
		}
		k.problems = append(k.problems, strings.TrimSuffix(f.What, "."))
		return failed
	}
	k.logged = true
	return failed
}

// deltaComment returns a finding as a comment of a bead. Comments have no title, so the text has it.
func deltaComment(e *notes.Entry) string {
	c := *e
	if c.Text != "" && c.Title != "" && !strings.HasPrefix(c.Text, strings.TrimSuffix(c.Title, "…")) {
		c.Text = c.Title + ": " + c.Text
	}
	return beadComment(&c)
}

// writeFindings inserts the entries into the current NOTES.md.
func writeFindings(ctx context.Context, env *place.Env, k *DeltaLook) error {
	p := &k.Ledger.Project
	var place notes.Insertion
	id, but, err := writeNotes(ctx, env, p, "a delta", func(ctx context.Context) (c change.Change, err error) {
		was, _, err := readNotes(ctx, p)
		if err != nil {
			return c, err
		}
		if place, _, err = k.All(ctx, was); err != nil {
			return c, err
		}
		op, err := ledger.InsertOp(p.Root, p.Notes, was, place.At, place.Text)
		return change.Change{Kind: string(journal.Note), What: k.what(), Where: []string{p.Root}, Ops: []change.Op{op}}, err
	})
	if k.id = id; but != "" {
		k.problems = append(k.problems, but)
	}
	if err != nil {
		return err
	}
	k.place, k.wrote = place, true
	return nil
}

// what describes the delta for the journal.
func (k *DeltaLook) what() string {
	if len(k.Noted) == 1 {
		return "Noted a finding: " + words.Cut(NoteTitle(&k.Noted[0].Entry), NoteCells)
	}
	return "Noted " + words.Counted(len(k.Noted), "finding", "findings") + ": " + words.Cut(NoteTitle(&k.Noted[0].Entry), NoteCells-10) + ", …"
}

func (k *DeltaLook) report() *writing.Delta {
	j := &writing.Delta{
		Tokens: k.tokens(), Level: string(k.level()), Last: out.Time(k.last.At), Findings: []writing.DeltaEntry{}, Forks: []string{}, Known: k.known, Left: k.left,
		Text: string(k.place.Text), Line: k.place.Line, Section: k.place.Section,
		Bead: k.bead, File: k.file, NotesDone: k.wrote, BeadDone: k.commented, Logged: k.logged,
	}
	if k.session != nil {
		j.Session = k.session.Row.ID
	}
	for _, n := range k.Noted {
		e := writing.DeltaEntry{Title: n.Entry.Title, Text: n.Entry.Text, Rationale: n.Entry.Rationale, Evidence: []string{}, Bead: n.Entry.Bead}
		for i := range n.Entry.Evidence {
			e.Evidence = append(e.Evidence, n.Entry.Evidence[i].Ref.String())
		}
		j.Findings = append(j.Findings, e)
	}
	for i := range k.forks {
		j.Forks = append(j.Forks, k.forks[i].Statement.Text)
	}
	return j
}
