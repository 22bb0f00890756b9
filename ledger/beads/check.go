package beads

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Check returns the requirements of spec 002 that a bead misses. A handoff needs at least the grounding ratio ratio.
// Too few scenarios are only a remark for an open bead.
func (b *Bead) Check(minScenarios int, ratio float64) []Finding {
	return b.check(minScenarios, ratio, b.Status == "closed")
}

// CheckToClose is Check for a bead that will be closed. Too few scenarios then block.
func (b *Bead) CheckToClose(minScenarios int, ratio float64) []Finding {
	return b.check(minScenarios, ratio, true)
}

func (b *Bead) check(minScenarios int, ratio float64, closing bool) []Finding {
	c := checker{bead: b.ID}
	for i := range b.Decisions {
		c.decision("decisions["+strconv.Itoa(i)+"]", &b.Decisions[i])
	}
	for i := range b.Scenarios {
		c.scenario("test_scenarios["+strconv.Itoa(i)+"]", &b.Scenarios[i])
	}
	if n := len(b.Scenarios); n < minScenarios {
		c.found("test_scenarios", closing, fmt.Sprintf("It has %d of the %d test scenarios that a closed bead needs.", n, minScenarios))
	}
	for i := range b.Handoffs {
		c.handoff("handoffs["+strconv.Itoa(i)+"]", &b.Handoffs[i], ratio)
	}
	return c.list
}

type checker struct {
	bead string
	list []Finding
}

func (c *checker) found(field string, block bool, what string) {
	c.list = append(c.list, Finding{Bead: c.bead, Field: field, What: what, Block: block})
}

// required adds a finding if a field is empty.
func (c *checker) required(field, value, what string) {
	if strings.TrimSpace(value) == "" {
		c.found(field, true, what)
	}
}

func (c *checker) decision(at string, d *Decision) {
	if d.At.IsZero() {
		c.found(at+".ts", true, "The decision has no time.")
	}
	c.required(at+".decision", d.Text, "The decision does not say what was decided.")
	c.required(at+".rationale", d.Rationale, "The decision does not say why.")
	if len(d.Evidence) == 0 {
		c.found(at+".evidence", true, "The decision has no evidence.")
	}
	for i, e := range d.Evidence {
		at := at + ".evidence[" + strconv.Itoa(i) + "]"
		switch {
		case strings.TrimSpace(e.Path) == "":
			c.found(at+".path", true, "The evidence has no file.")
		case !strings.HasPrefix(e.Path, "${PROJECT_ROOT}/"):
			c.found(at+".path", true, "The path does not begin with ${PROJECT_ROOT}/.")
		}
		if e.Line < 1 {
			c.found(at+".line", true, "The evidence has no line.")
		}
		if strings.TrimSpace(e.Quote) == "" {
			c.found(at+".quote", !d.comment, "The evidence has no quoted code.")
		}
	}
}

func (c *checker) scenario(at string, s *Scenario) {
	c.required(at+".name", s.Name, "The scenario has no name.")
	if !slices.Contains([]string{"happy_path", "edge_case", "error_handling"}, s.Type) {
		c.found(at+".type", true, "The type is not happy_path, edge_case or error_handling.")
	}
	c.required(at+".expected", s.Expected, "The scenario does not say what is expected.")
}

func (c *checker) handoff(at string, h *Handoff, ratio float64) {
	c.required(at+".session_id", h.Session, "The handoff has no session.")
	if h.Ended.IsZero() {
		c.found(at+".ended", true, "The handoff does not say when the session ended.")
	}
	c.required(at+".notes_ref", h.Notes, "The handoff has no reference to NOTES.md.")
	c.required(at+".trajectory_ref", h.Trajectory, "The handoff has no reference to the trajectory.")
	switch {
	case !h.HasRatio:
		c.found(at+".grounding_ratio", true, "The handoff has no grounding ratio.")
	case !(h.Ratio >= ratio): // the negation also refuses NaN
		c.found(at+".grounding_ratio", true, fmt.Sprintf("The grounding ratio is %v (needs %v).", h.Ratio, ratio))
	case h.Ratio > 1:
		c.found(at+".grounding_ratio", false, fmt.Sprintf("The grounding ratio is %v, above 1.", h.Ratio))
	}
}
