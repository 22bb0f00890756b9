package dialog

import (
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// NoteKinds returns the kinds of entries in the order of the menu.
func NoteKinds() []notes.EntryKind {
	return []notes.EntryKind{notes.EntryDecision, notes.EntryQuestion, notes.EntryNext, notes.EntryHandoff, notes.EntryScenario, notes.EntryState, notes.EntryBead, notes.EntryReference}
}

// NoteWords returns the key, name and description of a kind.
func NoteWords(k notes.EntryKind) (key, name, what string) {
	switch k {
	case notes.EntryDecision:
		return "d", "Decision", "a decision, its reason and the code that shows it"
	case notes.EntryQuestion:
		return "o", "Open question", "a question without an answer"
	case notes.EntryNext:
		return "n", "Next step", "what to do next"
	case notes.EntryHandoff:
		return "h", "Handoff", "the end of a session"
	case notes.EntryState:
		return "s", "State", "where the work is; replaces the Reasoning State"
	case notes.EntryBead:
		return "b", "Bead", "the bead in progress; replaces the Current Bead"
	case notes.EntryReference:
		return "r", "Reference", "a code reference to read again"
	case notes.EntryScenario:
	}
	return "t", "Test scenario", "a condition to check before the work is done"
}

// noteFields returns the fields of a kind (spec 002, New Field Specifications).
func noteFields(k notes.EntryKind) []noteField {
	switch k {
	case notes.EntryDecision:
		return []noteField{
			{name: "Decision", spec: "decision", hint: "the decision"},
			{name: "Rationale", spec: "rationale", hint: "the reason"},
			{name: "Evidence", spec: "evidence", hint: "src/a.go:12 | exact code of that line", many: true},
			{name: "Scenarios", spec: "test_scenarios", hint: "conditions to check (optional)", many: true},
		}
	case notes.EntryQuestion:
		return []noteField{{name: "Question", spec: "question"}}
	case notes.EntryNext:
		return []noteField{{name: "Next step", spec: "next_step"}}
	case notes.EntryHandoff:
		return []noteField{
			{name: "Session", spec: "session_id", hint: "session ID"},
			{name: "Notes", spec: "notes_ref", hint: "NOTES.md:45-67; default: Session Continuity"},
			{name: "Trajectory", spec: "trajectory_ref", hint: "file and line of the log"},
			{name: "Grounding", spec: "grounding_ratio", hint: "such as 0.97"},
		}
	case notes.EntryState:
		return []noteField{{name: "State", spec: "reasoning_state", hint: "where the work is, and what is next"}}
	case notes.EntryBead:
		return []noteField{{name: "Bead", spec: "current_bead", hint: "its ID"}, {name: "Title", spec: "title", hint: "optional"}}
	case notes.EntryReference:
		return []noteField{{name: "Place", spec: "identifier", hint: "src/a.go:12"}, {name: "Purpose", spec: "purpose", hint: "what is there"}}
	case notes.EntryScenario:
	}
	return []noteField{
		{name: "Scenario", spec: "name", hint: "name"},
		{name: "Type", spec: "type", choices: []string{"happy_path", "edge_case", "error_handling"}, chosen: "happy_path"},
		{name: "Expected", spec: "expected", hint: "the expected result"},
	}
}

// linesOf returns the lines of a text that aren't blank.
func linesOf(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// referenceOf parses a code reference, such as src/a.go:12.
func referenceOf(text string) (list []notes.Evidence, wrong string) {
	if text == "" {
		return nil, ""
	}
	ref, ok := ledger.ParseRef(text)
	if !ok || ref.From == 0 {
		return nil, "“" + text + "” isn't a line of a file. Write path:line."
	}
	return []notes.Evidence{{Ref: ref}}, ""
}

// evidenceOf parses evidence, one per line: "path:line", "path:line | quote" or "path:line quote".
func evidenceOf(text string) (list []notes.Evidence, wrong string) {
	for _, line := range linesOf(text) {
		place, quote, bar := strings.Cut(line, "|")
		if !bar {
			place, quote, _ = strings.Cut(line, " ")
		}
		place = strings.TrimSpace(place)
		ref, ok := ledger.ParseRef(place)
		if (!ok || ref.From == 0 && quote == "") && wrong == "" {
			wrong = "“" + place + "” isn't a line of a file. Write path:line | quote."
		}
		list = append(list, notes.Evidence{Ref: ref, Quote: strings.Trim(strings.TrimSpace(quote), "`")})
	}
	return list, wrong
}
