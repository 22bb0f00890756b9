package beads

import (
	"strconv"
	"strings"
	"time"
)

// The functions in this file return comments that take can parse. They leave out empty fields.

// DecisionComment returns the comment for a decision. evidence has code references, with an optional quote in
// backticks.
func DecisionComment(text, rationale string, evidence, scenarios []string) string {
	c := comment{}
	c.field("DECISION", text, decisionFields()...)
	c.field("Rationale", rationale, decisionFields()...)
	for _, e := range evidence {
		c.field("Evidence", e)
	}
	for _, s := range scenarios {
		c.field("Test scenario", s, decisionFields()...)
	}
	return c.text()
}

// HandoffComment returns the comment for a handoff. If ended is zero, readers use the time of the comment.
func HandoffComment(session string, ended time.Time, notes, trajectory, ratio string) string {
	c := comment{lines: []string{"HANDOFF:"}}
	c.field("Session", session, handoffFields()...)
	if !ended.IsZero() {
		c.field("Ended", ended.UTC().Format(time.RFC3339))
	}
	c.field("NOTES ref", notes, handoffFields()...)
	c.field("Trajectory", trajectory, handoffFields()...)
	c.field("Grounding ratio", ratio, handoffFields()...)
	return c.text()
}

// ScenarioComment returns the comment for a test scenario.
func ScenarioComment(name, kind, expected string) string {
	c := comment{}
	c.field("TEST SCENARIO", name, scenarioFields()...)
	c.field("Type", kind, scenarioFields()...)
	c.field("Expected", expected, scenarioFields()...)
	return c.text()
}

// QuestionComment returns the comment for a question.
func QuestionComment(text string) string { return "QUESTION: " + text }

// NextComment returns the comment for a next step.
func NextComment(text string) string { return "NEXT STEP: " + text }

func decisionFields() []string { return []string{"Rationale", "Evidence", "Test scenario"} }

func handoffFields() []string {
	return []string{"Session", "Ended", "NOTES ref", "Trajectory", "Grounding ratio"}
}

func scenarioFields() []string { return []string{"Type", "Expected"} }

type comment struct{ lines []string }

func (c *comment) text() string { return strings.Join(c.lines, "\n") }

// field adds a field to the comment. A line that starts with the name of a field gets a backslash.
func (c *comment) field(name, text string, names ...string) {
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if i == 0 && name != "DECISION" && name != "TEST SCENARIO" { // this text follows the name of the field on its line, so the line can't start with another name
			continue
		}
		for _, n := range names {
			if _, ok := cutWord(strings.TrimSpace(l), n); ok {
				lines[i] = `\` + strings.TrimSpace(l)
			}
		}
	}
	c.lines = append(c.lines, name+": "+strings.Join(lines, "\n"))
}

// EvidenceText returns a code reference and a quote in a form that evidence can parse.
func EvidenceText(ref, quote string) string {
	if quote == "" {
		return ref
	}
	return ref + " `" + quote + "`"
}

// ratioText formats a grounding ratio.
func ratioText(ratio float64) string { return strconv.FormatFloat(ratio, 'f', -1, 64) }
