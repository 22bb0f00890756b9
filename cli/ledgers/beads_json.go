package ledgers

import (
	"math"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// beadsJSON is the output of beads --json.
type beadsJSON struct {
	Project  string            `json:"project"`
	Path     string            `json:"path"`  // path of .beads
	Shape    string            `json:"shape"` // br, bd, yaml, mixed; "" without beads
	Beads    []beadJSON        `json:"beads"`
	Closed   int               `json:"closed"`
	Problems []beadProblemJSON `json:"problems"`
}

type beadProblemJSON struct {
	Path string `json:"path"`
	Line int    `json:"line"` // 0 for the whole file
	What string `json:"what"`
}

// beadJSON is one bead.
type beadJSON struct {
	ID           string             `json:"id"`
	Group        string             `json:"group"` // in-progress, ready, blocked, later, closed, deleted
	Title        string             `json:"title"`
	Description  string             `json:"description"`
	Status       string             `json:"status"`
	Priority     int                `json:"priority"`
	Type         string             `json:"type"`
	Assignee     string             `json:"assignee"`
	Labels       []string           `json:"labels"`
	Created      out.Time           `json:"created"`
	Updated      out.Time           `json:"updated"`
	Closed       out.Time           `json:"closed"`
	DeferUntil   out.Time           `json:"deferUntil"`
	WaitsFor     []string           `json:"waitsFor"`
	Dependencies []beadDepJSON      `json:"dependencies"`
	Decisions    []beadDecisionJSON `json:"decisions"`
	Handoffs     []beadHandoffJSON  `json:"handoffs"`
	Scenarios    []beadScenarioJSON `json:"testScenarios"`
	Next         []string           `json:"nextSteps"`
	Blockers     []string           `json:"blockers"`
	Questions    []string           `json:"questions"`
	Comments     []beadCommentJSON  `json:"comments"`
	Path         string             `json:"path"`
	Line         int                `json:"line"`
}

type beadDepJSON struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Status string `json:"status"` // "" if the bead is missing
	Title  string `json:"title"`
}

type beadDecisionJSON struct {
	Time      out.Time           `json:"time"`
	Decision  string             `json:"decision"`
	Rationale string             `json:"rationale"`
	Evidence  []beadEvidenceJSON `json:"evidence"`
}

type beadEvidenceJSON struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
}

type beadHandoffJSON struct {
	Session    string   `json:"session"`
	Ended      out.Time `json:"ended"`
	Notes      string   `json:"notesRef"`
	Trajectory string   `json:"trajectoryRef"`
	Ratio      *float64 `json:"groundingRatio"`
}

type beadScenarioJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Expected string `json:"expected"`
}

type beadCommentJSON struct {
	Author string   `json:"author"`
	Time   out.Time `json:"time"`
	Text   string   `json:"text"`
}

// beadsCheckJSON is the output of beads --check --json.
type beadsCheckJSON struct {
	Checked  []string          `json:"checked"`
	Findings []beadFindingJSON `json:"findings"`
	Blocking int               `json:"blocking"`
}

type beadFindingJSON struct {
	ID     string `json:"id"`
	Field  string `json:"field"`
	What   string `json:"what"`
	Blocks bool   `json:"blocks"`
}

func newBeadJSON(l *beadsLook, b *beads.Bead, group string) beadJSON {
	j := beadJSON{
		ID: b.ID, Group: group, Title: b.Title, Description: b.Description, Status: b.Status, Priority: b.Priority, Type: b.Type,
		Assignee: b.Assignee, Labels: out.OrEmpty(b.Labels), Created: out.Time(b.Created), Updated: out.Time(b.Updated), Closed: out.Time(b.Closed),
		DeferUntil: out.Time(b.Defer), WaitsFor: []string{}, Dependencies: []beadDepJSON{}, Decisions: []beadDecisionJSON{},
		Handoffs: []beadHandoffJSON{}, Scenarios: []beadScenarioJSON{}, Next: out.OrEmpty(b.Next), Blockers: out.OrEmpty(b.Blockers),
		Questions: out.OrEmpty(b.Questions), Comments: []beadCommentJSON{}, Path: b.File, Line: b.Line,
	}
	if group != "closed" && group != "deleted" {
		j.WaitsFor = out.OrEmpty(l.WaitsFor(b))
	}
	for _, dep := range b.Deps {
		to := beadDepJSON{ID: dep.On, Type: dep.Type}
		if on, ok := l.Find(dep.On); ok {
			to.Status, to.Title = on.Status, on.Title
		}
		j.Dependencies = append(j.Dependencies, to)
	}
	for _, d := range b.Decisions {
		to := beadDecisionJSON{Time: out.Time(d.At), Decision: d.Text, Rationale: d.Rationale, Evidence: []beadEvidenceJSON{}}
		for _, e := range d.Evidence {
			to.Evidence = append(to.Evidence, beadEvidenceJSON(e))
		}
		j.Decisions = append(j.Decisions, to)
	}
	for _, h := range b.Handoffs {
		to := beadHandoffJSON{Session: h.Session, Ended: out.Time(h.Ended), Notes: h.Notes, Trajectory: h.Trajectory}
		if h.HasRatio && !math.IsNaN(h.Ratio) && !math.IsInf(h.Ratio, 0) { // JSON has neither NaN nor infinity
			to.Ratio = &h.Ratio
		}
		j.Handoffs = append(j.Handoffs, to)
	}
	for _, s := range b.Scenarios {
		j.Scenarios = append(j.Scenarios, beadScenarioJSON(s))
	}
	for _, c := range b.Comments {
		j.Comments = append(j.Comments, beadCommentJSON{c.Author, out.Time(c.At), c.Text})
	}
	return j
}
