package task

import (
	"slices"
	"strconv"
	"strings"
)

// Gate is a gate of spec 003, from G0 to G10, as written.
type Gate string

// LastGate is the gate of an archived task.
const LastGate Gate = "G10"

// Number returns the number of a gate, such as 3 for G3. ok is false if the word isn't a gate.
func (g Gate) Number() (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(string(g), "G"))
	return n, err == nil && n >= 0 && n <= 10 && g == Gate("G"+strconv.Itoa(n))
}

// Below reports whether a gate comes before another one. Both must be gates.
func (g Gate) Below(other Gate) bool {
	a, ok := g.Number()
	b, also := other.Number()
	return ok && also && a < b
}

// Name returns the name of a gate in table 7.1, such as "Implementation"; "" if the word isn't a gate.
func (g Gate) Name() string {
	n, ok := g.Number()
	if !ok {
		return ""
	}
	return []string{
		"Task Init", "Research", "Planning", "Scaffold", "Implementation", "Verification", "Review", "Documentation", "Deploy", "Deploy", "Archive",
	}[n]
}

// Want is content that the spec requires of a checkpoint in table 7.1 (gate) or 3.1 (event).
type Want struct {
	Name  string // as in the table, such as "acceptance criteria"
	Field string // the field for the content, such as state.acceptance_criteria
	Has   bool
}

// content returns the names of the content that table 7.1 requires at a gate.
func (g Gate) content() []string {
	n, ok := g.Number()
	if !ok {
		return nil
	}
	return [][]string{
		{"task definition", "acceptance criteria"},
		{"research findings", "approach decision"},
		{"TDD plan", "implementation checklist"},
		{"file structure", "interface definitions"},
		{"code changes", "test status"},
		{"quality gate results", "coverage"},
		{"review feedback", "resolutions"},
		{"docs updated", "changelog entry"},
		{"deployment evidence"},
		{"deployment evidence"},
		{"final summary", "lessons learned"},
	}[n]
}

// Wanted returns the content that table 7.1 requires at a gate, and whether a checkpoint has it. The field has the
// name of the content, such as state.acceptance_criteria. The fields state.files_changed and state.tests count for
// code changes and test status.
func (g Gate) Wanted(checkpoints ...*Checkpoint) []Want {
	var all []Want
	for _, name := range g.content() {
		w := Want{Name: name, Field: "state." + strings.ReplaceAll(strings.ToLower(name), " ", "_")}
		if field := schemaField(name); field != "" {
			w.Field = field
		}
		w.Has = slices.ContainsFunc(checkpoints, func(c *Checkpoint) bool { return c.holds(name) })
		all = append(all, w)
	}
	return all
}

// schemaField returns the field of section 3.2 for content of table 7.1; "" if there is none.
func schemaField(name string) string {
	switch name {
	case "approach decision":
		return "state.decisions"
	case "code changes":
		return "state.files_changed"
	case "test status":
		return "state.tests"
	case "final summary":
		return "summary"
	}
	return ""
}

// holds reports whether a checkpoint has content of table 7.1.
func (c *Checkpoint) holds(name string) bool {
	if !isEmpty(c.state.values[strings.ReplaceAll(strings.ToLower(name), " ", "_")]) {
		return true
	}
	switch name {
	case "approach decision":
		return len(c.Decisions) > 0
	case "code changes", "file structure":
		return len(c.Files) > 0
	case "test status":
		return c.Tested
	case "final summary":
		return strings.TrimSpace(c.Summary) != ""
	}
	return false
}
