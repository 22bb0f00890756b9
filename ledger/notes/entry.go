package notes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
)

// Check lists what an entry lacks of what its kind requires (spec 002, New Field Specifications), in the order of the
// spec: presence and form only, not what the code says.
func (e Entry) Check() []Missing {
	var c checker
	switch e.Kind {
	case EntryDecision:
		c.time("ts", e)
		if plain(e.Text) == "" {
			c.needs("decision", e.Title, "It does not say what was decided.")
		}
		c.needs("rationale", e.Rationale, "It does not say why.")
		if len(e.Evidence) == 0 {
			c.add("evidence", "It names no place in the code that backs it.")
		}
		for i, v := range e.Evidence {
			c.evidence(fmt.Sprintf("evidence[%d]", i), v)
		}
	case EntryScenario:
		c.needs("name", e.said(), "It has no name.")
		switch e.Type {
		case "happy_path", "edge_case", "error_handling":
		case "":
			c.add("type", "It has no type: happy_path, edge_case or error_handling.")
		default:
			c.add("type", fmt.Sprintf("%q is no type: happy_path, edge_case or error_handling.", plain(e.Type)))
		}
		c.needs("expected", e.Expected, "It does not say what is expected.")
	case EntryHandoff:
		c.needs("session_id", e.Session, "It does not say which session ended.")
		c.time("ended", e)
		c.needs("notes_ref", e.NotesRef, "It does not say which lines of NOTES.md it is about.")
		c.needs("trajectory_ref", e.Trajectory, "It does not name its entry of the trajectory.")
		c.ratio(e.Ratio)
	case EntryQuestion:
		c.needs("questions[]", e.said(), "It asks nothing.")
	case EntryNext:
		c.needs("next_steps[]", e.said(), "It names no step.")
	default:
		c.add("kind", fmt.Sprintf("%q is no kind of entry.", plain(string(e.Kind))))
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
		c.add(field, "It has no time.")
	}
}

func (c *checker) evidence(field string, v Evidence) {
	switch {
	case v.Ref.Path == "":
		c.add(field+".path", "It names no file.")
	case v.Ref.Form != ledger.FormRooted:
		c.add(field+".path", fmt.Sprintf("%q does not begin with ${PROJECT_ROOT}/.", plain(v.Ref.Raw)))
	}
	if v.Ref.From < 1 {
		c.add(field+".line", "It names no line.")
	} else if v.Ref.To < v.Ref.From {
		c.add(field+".line", "Its last line is before its first.")
	}
	c.needs(field+".quote", v.Quote, "It quotes no code.")
}

// ratio is a number from 0 to 1. Whether it is high enough is for the gate to say.
func (c *checker) ratio(s string) {
	const field = "grounding_ratio"
	s = strings.TrimSpace(s)
	if s == "" {
		c.add(field, "It has no grounding ratio.")
		return
	}
	r, err := strconv.ParseFloat(s, 64)
	if err != nil || !(r >= 0 && r <= 1) {
		c.add(field, fmt.Sprintf("%q is no number from 0 to 1.", plain(s)))
	}
}
