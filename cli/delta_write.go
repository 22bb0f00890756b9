package cli

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// deltaPlan draws what goes where.
func deltaPlan(env *Env, k *deltaLook) []change.Part {
	p := &deedPlan{}
	name := env.tilde(k.ledger.Project.Notes)
	path := func(s string) change.Line { return change.Line{Tone: change.Muted, Text: s, Whole: true} }
	var touched []change.Line
	if len(k.noted) > 0 {
		whole := &noting{project: k.ledger.Project, known: k.ledger.Notes != nil, place: k.place}
		touched = append(touched, change.Line{Text: words.Counted(len(k.noted), "finding", "findings") + ": " + whole.where()}, path(name))
	}
	if k.bead != "" {
		touched = append(touched, change.Line{Text: words.Counted(len(k.noted), "comment", "comments") + " of bead " + transcript.CleanLine(k.bead) + ", by br"}, path(env.tilde(k.ledger.Project.Beads)))
	}
	record := "1 record delta_sync"
	if k.session != nil {
		record += ", of session " + shortID(transcript.CleanLine(k.session.Row.ID))
		if n := k.tokens(); n > 0 {
			record += " at " + render.Tokens(n) + " tokens, " + string(k.level())
		}
	}
	touched = append(touched, change.Line{Text: record}, path(env.tilde(k.file)))
	p.add("Touched", touched...)
	if len(k.noted) > 0 {
		p.add("Text", (&noting{bead: true, comment: string(k.place.Text)}).lines()...)
	}
	var but []change.Line
	for i := range k.forks {
		f := &k.forks[i]
		but = append(but, warning("“"+words.Cut(transcript.CleanLine(f.Said.Text), noteCells)+"” contradicts the ledger, and stays out: continuo fork-check"))
	}
	if k.left > 0 {
		but = append(but, warning(words.Counted(k.left, "older decision is", "older decisions are")+" left out: that is more than a delta has"))
	}
	for _, s := range k.but {
		but = append(but, warning(transcript.CleanLine(s)))
	}
	bare := 0
	var checked []change.Line
	for _, n := range k.noted {
		if len(n.entry.Evidence) == 0 {
			bare++
		}
		for i := range n.entry.Evidence {
			e := &n.entry.Evidence[i]
			checked = append(checked, change.Line{Mark: change.Good, Text: transcript.CleanLine(e.Ref.Path) + ":" + words.Count(e.Ref.From) + " has the quote, word for word"})
		}
	}
	if bare > 0 {
		but = append(but, change.Line{Mark: change.Note, Text: words.Counted(bare, "finding has", "findings have") + " no evidence in the code; spec 002 requires it of a decision"})
	}
	p.add("But", but...)
	p.add("Checked", checked...)
	stays := []change.Line{{Mark: change.Good, Text: "the context of the session, and every other line of NOTES.md"}}
	if k.known > 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: words.Counted(k.known, "decision is", "decisions are") + " in the ledger already"})
	}
	if len(k.noted) == 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: "NOTES.md: " + k.nothing()})
	}
	p.add("Stays", stays...)
	if len(k.noted) > 0 {
		p.add("Undo", change.Line{Text: k.ask.undo + " takes the lines out of NOTES.md again. The record stays, it is a log."})
	}
	return p.parts
}

// nothing says why there is no finding.
func (k *deltaLook) nothing() string {
	if k.last.at.IsZero() {
		return "nothing was decided that the ledger does not have"
	}
	return "nothing new was decided since the last delta"
}

// saidNotes says what was written into NOTES.md.
func (k *deltaLook) saidNotes() string {
	return words.Counted(len(k.noted), "finding is", "findings are") + " in " + baseName(k.ledger.Project.Notes) + " from line " +
		words.Count(k.place.Line) + ", below “" + transcript.CleanLine(k.place.Section) + "”."
}

// writeDelta writes it down: NOTES.md first, then the bead, then the record, which says what became of both. What fails
// does not keep the rest from being done, but for a NOTES.md that could not be written.
func writeDelta(ctx context.Context, env *Env, k *deltaLook) error {
	if len(k.noted) > 0 {
		if err := writeFindings(ctx, env, k); err != nil {
			return err
		}
	}
	var failed error
	if k.bead != "" {
		for i, n := range k.noted {
			if failed = brComment(ctx, env.host, k.ledger.Project.Root, k.bead, deltaComment(&n.entry)); failed != nil {
				k.problems = append(k.problems, words.Count(i)+" of "+words.Counted(len(k.noted), "comment was", "comments were")+" added to bead "+transcript.CleanLine(k.bead))
				break
			}
			k.commented = true
		}
	}
	record := trajectory.DeltaSync{
		TS: env.now().UTC().Format(time.RFC3339), Agent: k.ask.agent, Phase: trajectory.PhaseDelta, Tokens: int(k.tokens()),
		Decisions: len(k.noted), Bead: k.commented, Notes: k.wrote,
	}
	if k.session != nil {
		record.SessionID = k.session.Row.ID
	}
	if err := trajectory.Append(ctx, k.ledger.Project.Root, k.file, record); err != nil {
		f := logFailure(env, k.file, err)
		if failed == nil {
			return f
		}
		k.problems = append(k.problems, strings.TrimSuffix(f.What, "."))
		return failed
	}
	k.logged = true
	return failed
}

// deltaComment is a finding as a comment of a bead, which has no title of its own.
func deltaComment(e *notes.Entry) string {
	c := *e
	if c.Text != "" && c.Title != "" && !strings.HasPrefix(c.Text, strings.TrimSuffix(c.Title, "…")) {
		c.Text = c.Title + ": " + c.Text
	}
	return beadComment(&c)
}

// writeFindings puts the entries into NOTES.md. Their place is found anew in what is there then, as that of a note.
func writeFindings(ctx context.Context, env *Env, k *deltaLook) error {
	p := &k.ledger.Project
	var place notes.Insertion
	id, but, err := writeNotes(ctx, env, p, "a delta", func(ctx context.Context) (c change.Change, err error) {
		was, _, err := readNotes(ctx, p)
		if err != nil {
			return c, err
		}
		if place, _, err = k.all(was); err != nil {
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

// what names what was done, for the journal.
func (k *deltaLook) what() string {
	if len(k.noted) == 1 {
		return "Noted a finding: " + words.Cut(noteTitle(&k.noted[0].entry), noteCells)
	}
	return "Noted " + words.Counted(len(k.noted), "finding", "findings") + ": " + words.Cut(noteTitle(&k.noted[0].entry), noteCells-10) + ", …"
}

// deltaJSON is a delta that is brought to the ledger, or would be.
type deltaJSON struct {
	Session   string           `json:"session"` // "" none
	Tokens    int64            `json:"tokens"`  // that its context has taken up; 0 unknown
	Level     string           `json:"level"`
	Last      out.Time         `json:"last"` // of the delta before
	Findings  []deltaEntryJSON `json:"findings"`
	Text      string           `json:"text"` // as they stand in NOTES.md
	Line      int              `json:"line"`
	Section   string           `json:"section"`
	Forks     []string         `json:"forks"` // what was left out because the ledger says otherwise
	Known     int              `json:"known"`
	Left      int              `json:"left"`
	Bead      string           `json:"bead"` // that gets comments
	File      string           `json:"file"` // of the trajectory
	NotesDone bool             `json:"notesUpdated"`
	BeadDone  bool             `json:"beadUpdated"`
	Logged    bool             `json:"logged"`
}

type deltaEntryJSON struct {
	Title     string   `json:"title"`
	Text      string   `json:"text"`
	Rationale string   `json:"rationale"`
	Evidence  []string `json:"evidence"`
	Bead      string   `json:"bead"`
}

func (k *deltaLook) report() *deltaJSON {
	j := &deltaJSON{
		Tokens: k.tokens(), Level: string(k.level()), Last: out.Time(k.last.at), Findings: []deltaEntryJSON{}, Forks: []string{}, Known: k.known, Left: k.left,
		Text: string(k.place.Text), Line: k.place.Line, Section: k.place.Section,
		Bead: k.bead, File: k.file, NotesDone: k.wrote, BeadDone: k.commented, Logged: k.logged,
	}
	if k.session != nil {
		j.Session = k.session.Row.ID
	}
	for _, n := range k.noted {
		e := deltaEntryJSON{n.entry.Title, n.entry.Text, n.entry.Rationale, []string{}, n.entry.Bead}
		for i := range n.entry.Evidence {
			e.Evidence = append(e.Evidence, n.entry.Evidence[i].Ref.String())
		}
		j.Findings = append(j.Findings, e)
	}
	for i := range k.forks {
		j.Forks = append(j.Forks, k.forks[i].Said.Text)
	}
	return j
}
