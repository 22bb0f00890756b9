package ledgers

import (
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ledgerJSON is a ledger for programs. Unknown values are null, "" or 0.
type ledgerJSON struct {
	Root          string                 `json:"root"`
	Path          *string                `json:"path"` // NOTES.md; null if there is none
	Config        *string                `json:"config"`
	Written       out.Time               `json:"written"`
	Checked       out.Time               `json:"checked"`
	Tokens        int                    `json:"tokens"` // tokens in NOTES.md
	Continuity    *continuityJSON        `json:"continuity"`
	Sections      []sectionJSON          `json:"sections"`
	Decisions     []decisionJSON         `json:"decisions"`
	Questions     []questionJSON         `json:"questions"`
	Identifiers   []identifierJSON       `json:"identifiers"`
	Beads         *ledgerBeads           `json:"beads"`
	Staged        *waitingJSON           `json:"staged"`
	Disagreements []writing.Disagreement `json:"disagreements"`
	Problems      []string               `json:"problems"`
}

type continuityJSON struct {
	Line       int      `json:"line"`
	Bead       string   `json:"bead"`
	BeadText   string   `json:"beadText"`
	Checkpoint out.Time `json:"checkpoint"`
	State      string   `json:"state"`
	First      string   `json:"first"`
	Older      int      `json:"older"`
}

type sectionJSON struct {
	Title    string     `json:"title"`
	Kind     notes.Kind `json:"kind"`
	Level    int        `json:"level"`
	Line     int        `json:"line"`
	Last     int        `json:"last"`
	Count    *int       `json:"count"` // null if not counted
	Tokens   int        `json:"tokens"`
	Markdown *string    `json:"markdown,omitempty"`
}

type decisionJSON struct {
	When      out.Time       `json:"when"`
	Day       bool           `json:"dayOnly"`
	Title     string         `json:"title"`
	Decision  string         `json:"decision"`
	Rationale string         `json:"rationale"`
	By        string         `json:"by"`
	Line      int            `json:"line"`
	Last      int            `json:"last"`
	Evidence  []evidenceJSON `json:"evidence"`
	Scenarios []string       `json:"scenarios"`
}

type evidenceJSON struct {
	Line  int       `json:"line"` // in NOTES.md
	Quote string    `json:"quote"`
	Place placeJSON `json:"place"`
}

// placeJSON is a reference and its check.
type placeJSON struct {
	Path    string        `json:"path"`
	From    int           `json:"from"`
	To      int           `json:"to"`
	Status  ledger.Status `json:"status"` // "" if it wasn't checked
	Now     int           `json:"now"`    // for moved: the current line
	Lines   int           `json:"lines"`  // for no-line: the number of lines
	MaybeAt string        `json:"maybeAt"`
	Problem string        `json:"problem"`
}

type questionJSON struct {
	Text  string   `json:"text"`
	Since out.Time `json:"since"`
	Line  int      `json:"line"`
}

type identifierJSON struct {
	Line     int       `json:"line"`
	Purpose  string    `json:"purpose"`
	Verified string    `json:"verified"`
	Quote    string    `json:"quote"`
	Place    placeJSON `json:"place"`
}

type ledgerBeads struct {
	All        int          `json:"all"`
	Ready      []ledgerBead `json:"ready"`
	InProgress []ledgerBead `json:"inProgress"`
	Blocked    []ledgerBead `json:"blocked"`
	Unread     int          `json:"unread"` // lines that aren't beads
}

type ledgerBead struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Status   string   `json:"status"`
	Priority int      `json:"priority"`
	WaitsFor []string `json:"waitsFor"`
}

type waitingJSON struct {
	At     out.Time `json:"at"`
	Tokens int      `json:"tokens"`
}

func newLedgerJSON(l *survey.Ledger) ledgerJSON {
	j := ledgerJSON{
		Root: l.Project.Root, Written: out.Time(l.Written), Checked: out.Time(l.At), Sections: []sectionJSON{}, Decisions: []decisionJSON{},
		Questions: []questionJSON{}, Identifiers: []identifierJSON{}, Problems: out.OrEmpty(ledgerProblems(l)),
		Disagreements: entries.NewDisagreementsJSON(&l.Truth),
	}
	if l.Project.ConfigFile != "" {
		j.Config = &l.Project.ConfigFile
	}
	if n := l.Notes; n != nil {
		j.Path, j.Tokens = &l.Project.Notes, recovery.Tokens(string(n.Text))
		if c := n.Continuity(); c.Section >= 0 {
			j.Continuity = &continuityJSON{n.Sections[c.Section].Line, c.Bead, c.BeadText, out.Time(c.Checkpoint), c.State, c.First, c.Older}
		}
		for i := range n.Sections {
			j.Sections = append(j.Sections, newSectionJSON(n, i))
		}
		for _, x := range n.Decisions() {
			j.Decisions = append(j.Decisions, newDecisionJSON(l, &x))
		}
		for _, q := range n.Questions() {
			j.Questions = append(j.Questions, questionJSON{q.Text, out.Time(q.Since), q.Line})
		}
	}
	for i := range l.Checked {
		c := &l.Checked[i]
		j.Identifiers = append(j.Identifiers, identifierJSON{c.Line, c.Purpose, c.Verified, c.Quote, newPlaceJSON(c.Ref, c.Check)})
	}
	if g := l.Beads; g != nil && len(g.Beads) > 0 {
		parted := g.Groups(l.At)
		j.Beads = &ledgerBeads{len(g.Beads), ledgerBeadsOf(g, parted.Ready), ledgerBeadsOf(g, parted.InProgress), ledgerBeadsOf(g, parted.Blocked), len(g.Problems)}
	}
	if !l.Staged.IsZero() {
		j.Staged = &waitingJSON{out.Time(l.Staged), l.StagedN}
	}
	return j
}

func newSectionJSON(n *notes.Notes, i int) sectionJSON {
	s := &n.Sections[i]
	j := sectionJSON{Title: s.Title, Kind: s.Kind, Level: s.Level, Line: s.Line, Last: s.Last, Tokens: sectionTokens(n, i)}
	if s.Count >= 0 {
		j.Count = &s.Count
	}
	return j
}

func newDecisionJSON(l *survey.Ledger, x *notes.Decision) decisionJSON {
	j := decisionJSON{
		When: out.Time(x.When), Day: x.Day, Title: x.Title, Decision: x.Decision, Rationale: x.Rationale, By: x.By, Line: x.Line, Last: x.Last,
		Evidence: []evidenceJSON{}, Scenarios: out.OrEmpty(x.Scenarios),
	}
	for i := range x.Evidence {
		e := &x.Evidence[i]
		j.Evidence = append(j.Evidence, evidenceJSON{e.Line, e.Quote, newPlaceJSON(e.Ref, l.Evidence[survey.BackingOf(e)])})
	}
	return j
}

func newPlaceJSON(r ledger.Ref, c ledger.Check) placeJSON {
	return placeJSON{r.Path, r.From, r.To, c.Status, c.At, c.Lines, c.To, c.Problem}
}

func ledgerBeadsOf(g *beads.Graph, list []*beads.Bead) []ledgerBead {
	found := []ledgerBead{}
	for _, b := range list {
		found = append(found, ledgerBead{b.ID, b.Title, b.Status, b.Priority, out.OrEmpty(g.WaitsFor(b))})
	}
	return found
}
