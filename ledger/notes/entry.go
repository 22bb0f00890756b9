package notes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
)

// Check returns the missing or invalid fields of an entry (spec 002, New Field Specifications). It doesn't search the
// code for evidence.
func (e Entry) Check() []Missing {
	var c checker
	switch e.Kind {
	case EntryDecision:
		c.time("ts", e)
		if plain(e.Text) == "" {
			c.needs("decision", e.Title, "The decision is missing.")
		}
		c.needs("rationale", e.Rationale, "The rationale is missing.")
		if len(e.Evidence) == 0 {
			c.add("evidence", "There is no evidence: a reference to code.")
		}
		for i, v := range e.Evidence {
			c.evidence(fmt.Sprintf("evidence[%d]", i), v)
		}
	case EntryScenario:
		c.needs("name", e.headline(), "The name is missing.")
		switch e.Type {
		case "happy_path", "edge_case", "error_handling":
		case "":
			c.add("type", "The type is missing: happy_path, edge_case or error_handling.")
		default:
			c.add("type", fmt.Sprintf("%q is not a type: happy_path, edge_case or error_handling.", plain(e.Type)))
		}
		c.needs("expected", e.Expected, "The expected result is missing.")
	case EntryHandoff:
		c.needs("session_id", e.Session, "The session is missing.")
		c.time("ended", e)
		c.needs("notes_ref", e.NotesRef, "The reference to lines of NOTES.md is missing.")
		c.needs("trajectory_ref", e.Trajectory, "The reference to the trajectory is missing.")
		c.ratio(e.Ratio)
	case EntryQuestion:
		c.needs("questions[]", e.headline(), "The question is missing.")
	case EntryNext:
		c.needs("next_steps[]", e.headline(), "The next step is missing.")
	case EntryState:
		c.needs("reasoning_state", e.Text, "The state is missing.")
	case EntryBead:
		c.needs("current_bead", e.Text, "The ID of the bead is missing.")
	case EntryReference:
		if len(e.Evidence) == 0 {
			c.add("identifier", "The code reference is missing, such as src/a.go:12.")
		}
		c.needs("purpose", e.Text, "The purpose is missing.")
	default:
		c.add("kind", fmt.Sprintf("%q is not a kind of entry.", plain(string(e.Kind))))
	}
	return c.all
}

type checker struct{ all []Missing }

func (c *checker) add(field, why string) { c.all = append(c.all, Missing{field, why}) }

func (c *checker) needs(field, text, why string) {
	if plain(text) == "" {
		c.add(field, why)
	}
}

func (c *checker) time(field string, e Entry) {
	if e.At.IsZero() {
		c.add(field, "The time is missing.")
	}
}

func (c *checker) evidence(field string, v Evidence) {
	switch {
	case v.Ref.Path == "":
		c.add(field+".path", "The file is missing.")
	case v.Ref.Form != ledger.FormRooted:
		c.add(field+".path", fmt.Sprintf("%q does not begin with ${PROJECT_ROOT}/.", plain(v.Ref.Raw)))
	}
	if v.Ref.From < 1 {
		c.add(field+".line", "The line is missing.")
	} else if v.Ref.To < v.Ref.From {
		c.add(field+".line", "The last line comes before the first line.")
	}
	c.needs(field+".quote", v.Quote, "The quoted code is missing.")
}

// ratio parses a number from 0 to 1.
func (c *checker) ratio(s string) {
	const field = "grounding_ratio"
	s = strings.TrimSpace(s)
	if s == "" {
		c.add(field, "The grounding ratio is missing.")
		return
	}
	r, err := strconv.ParseFloat(s, 64)
	if err != nil || !(r >= 0 && r <= 1) {
		c.add(field, fmt.Sprintf("%q is not a number from 0 to 1.", plain(s)))
	}
}
