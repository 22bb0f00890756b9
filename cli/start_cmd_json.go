package cli

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
)

// startJSON is the page of a start for programs.
type startJSON struct {
	Project     string            `json:"project"`
	Steps       []startStep       `json:"steps"`
	Ready       []startBeadJSON   `json:"ready"`
	Bead        *startBeadJSON    `json:"bead"` // null: nobody knows of one
	Recovery    recoveredJSON     `json:"recovery"`
	Identifiers []startIdentifier `json:"identifiers"`
	State       string            `json:"state"` // "" none
	// Disagreements are what the sources of the ledger do not agree about.
	Disagreements []disagreementJSON `json:"disagreements"`
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

// startIdentifier is where an identifier leads: at is the line of a quote that has moved, to the file that may have it.
type startIdentifier struct {
	Ref     string        `json:"ref"`
	Status  ledger.Status `json:"status"`
	At      int           `json:"at"`
	To      string        `json:"to"`
	Purpose string        `json:"purpose"`
	Line    int           `json:"line"` // in NOTES.md
}

func newStartBead(b *beads.Bead) startBeadJSON {
	return startBeadJSON{b.ID, b.Title, b.Status, b.Priority, b.Type, b.Assignee, orEmpty(b.Next), orEmpty(b.Blockers)}
}

func newStartJSON(p *startPage) startJSON {
	out := startJSON{
		Project: p.ledger.Project.Root, Steps: p.steps, Ready: []startBeadJSON{}, Recovery: newRecoveredJSON(&p.result),
		Identifiers: []startIdentifier{}, State: p.state,
		Disagreements: newDisagreementsJSON(&p.ledger.Truth),
	}
	for i := range p.ready {
		out.Ready = append(out.Ready, newStartBead(&p.ready[i]))
	}
	if p.bead != nil {
		b := newStartBead(p.bead)
		out.Bead = &b
	}
	for i := range p.checked {
		c := &p.checked[i]
		out.Identifiers = append(out.Identifiers, startIdentifier{c.Ref.String(), c.Status, c.At, c.To, c.Purpose, c.Line})
	}
	return out
}

// startPiped is the page with tabs. A step is said where it has nothing, or not from where it should be.
func startPiped(p *startPage) string {
	var b strings.Builder
	row := func(words ...string) { b.WriteString(tabbed(words...)) }
	bead := func(name string, bead *beads.Bead) {
		row(name, bead.ID, bead.Status, "P"+strconv.Itoa(bead.Priority), bead.Title)
	}
	for i := range p.ready {
		bead("ready", &p.ready[i])
	}
	if p.bead != nil {
		bead("bead", p.bead)
	}
	for line := range strings.Lines(p.result.Text) {
		if line = strings.TrimRight(transcript.Clean(line), "\n"); strings.TrimSpace(line) != "" {
			b.WriteString("recovery\t" + strings.ReplaceAll(line, "\t", "    ") + "\n")
		}
	}
	for i := range p.checked {
		c := &p.checked[i]
		row("identifier", string(c.Status), c.Ref.String(), identifierNote(&c.Check))
	}
	if p.state != "" {
		row("state", p.state)
	}
	disagreementRows(&p.ledger.Truth, row)
	for _, s := range p.steps {
		ok := "no"
		if s.OK {
			ok = "yes"
		}
		row("step", s.Name, ok, s.Source, s.Why)
	}
	return b.String()
}
