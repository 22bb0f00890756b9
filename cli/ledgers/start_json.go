package ledgers

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// startJSON is the start page for programs.
type startJSON struct {
	Project     string             `json:"project"`
	Steps       []survey.StartStep `json:"steps"`
	Ready       []startBeadJSON    `json:"ready"`
	Bead        *startBeadJSON     `json:"bead"` // null if unknown
	Recovery    recoveredJSON      `json:"recovery"`
	Identifiers []startIdentifier  `json:"identifiers"`
	State       string             `json:"state"` // "" if none
	// Disagreements lists facts on which the sources of the ledger differ.
	Disagreements []writing.Disagreement `json:"disagreements"`
}

type startBeadJSON struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Status   string   `json:"status"`
	Priority int      `json:"priority"`
	Type     string   `json:"type"`
	Assignee string   `json:"assignee"`
	Next     []string `json:"next"`
	Blockers []string `json:"blockers"`
}

// startIdentifier is a checked reference. at is the current line of a moved quote; to is the file that may contain a reference.
type startIdentifier struct {
	Ref     string        `json:"ref"`
	Status  ledger.Status `json:"status"`
	At      int           `json:"at"`
	To      string        `json:"to"`
	Purpose string        `json:"purpose"`
	Line    int           `json:"line"` // in NOTES.md
}

func newStartBead(b *beads.Bead) startBeadJSON {
	return startBeadJSON{b.ID, b.Title, b.Status, b.Priority, b.Type, b.Assignee, out.OrEmpty(b.Next), out.OrEmpty(b.Blockers)}
}

func newStartJSON(p *survey.Start) startJSON {
	out := startJSON{
		Project: p.Ledger.Project.Root, Steps: p.Steps, Ready: []startBeadJSON{}, Recovery: newRecoveredJSON(&p.Result),
		Identifiers: []startIdentifier{}, State: p.State,
		Disagreements: entries.NewDisagreementsJSON(&p.Ledger.Truth),
	}
	for i := range p.Ready {
		out.Ready = append(out.Ready, newStartBead(&p.Ready[i]))
	}
	if p.Bead != nil {
		b := newStartBead(p.Bead)
		out.Bead = &b
	}
	for i := range p.Checked {
		c := &p.Checked[i]
		out.Identifiers = append(out.Identifiers, startIdentifier{c.Ref.String(), c.Status, c.At, c.To, c.Purpose, c.Line})
	}
	return out
}

// StartPiped formats the page as tab-separated rows. It includes steps that are empty or come from a fallback source.
func StartPiped(p *survey.Start) string {
	var b strings.Builder
	row := func(words ...string) { b.WriteString(out.Tabbed(words...)) }
	bead := func(name string, bead *beads.Bead) {
		row(name, bead.ID, bead.Status, "P"+strconv.Itoa(bead.Priority), bead.Title)
	}
	for i := range p.Ready {
		bead("ready", &p.Ready[i])
	}
	if p.Bead != nil {
		bead("bead", p.Bead)
	}
	for line := range strings.Lines(p.Result.Text) {
		if line = strings.TrimRight(transcript.Clean(line), "\n"); strings.TrimSpace(line) != "" {
			b.WriteString("recovery\t" + strings.ReplaceAll(line, "\t", "    ") + "\n")
		}
	}
	for i := range p.Checked {
		c := &p.Checked[i]
		row("identifier", string(c.Status), c.Ref.String(), identifierNote(&c.Check))
	}
	if p.State != "" {
		row("state", p.State)
	}
	entries.DisagreementRows(&p.Ledger.Truth, row)
	for _, s := range p.Steps {
		ok := "no"
		if s.OK {
			ok = "yes"
		}
		row("step", s.Name, ok, s.Source, s.Why)
	}
	return b.String()
}
