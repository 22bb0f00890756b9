package beads

import (
	"strconv"
	"strings"
)

// take adds the entries in a comment to the bead. The first two forms are those of spec 002, CLI Extensions:
//
//	DECISION: what         HANDOFF:                TEST SCENARIO: name
//	Rationale: why         Session: sess-003       Type: edge_case
//	Evidence: path:line    NOTES ref: …            Expected: what happens
//	                       Trajectory: …
//	                       Grounding ratio: 0.96   NEXT STEP: …, QUESTION: …
//
// Any other line continues the previous one.
func (b *Bead) take(c *Comment) {
	text := strings.TrimSpace(c.Text)
	if what, ok := cutWord(text, "DECISION"); ok {
		b.Decisions = append(b.Decisions, decisionOf(what, c))
	} else if what, ok := cutWord(text, "HANDOFF"); ok {
		b.Handoffs = append(b.Handoffs, handoffOf(what, c))
	} else if what, ok := cutWord(text, "TEST SCENARIO"); ok {
		b.Scenarios = append(b.Scenarios, scenarioOf(what))
	} else if what, ok := cutWord(text, "NEXT STEP"); ok && what != "" {
		b.Next = append(b.Next, what)
	} else if what, ok := cutWord(text, "QUESTION"); ok && what != "" {
		b.Questions = append(b.Questions, what)
	}
}

// Entry reports whether a comment is a decision or another entry.
func (c *Comment) Entry() bool {
	text := strings.TrimSpace(c.Text)
	for _, word := range []string{"DECISION", "HANDOFF", "TEST SCENARIO", "NEXT STEP", "QUESTION"} {
		if _, ok := cutWord(text, word); ok {
			return true
		}
	}
	return false
}

func decisionOf(what string, c *Comment) Decision {
	d := Decision{At: c.At, comment: true}
	for key, value := range fields(what, decisionFields()...) {
		switch key {
		case "":
			d.Text = value
		case "Rationale":
			d.Rationale = value
		case "Evidence":
			for line := range strings.Lines(value) {
				if e, ok := evidence(line); ok {
					d.Evidence = append(d.Evidence, e)
				}
			}
		}
	}
	return d
}

func handoffOf(what string, c *Comment) Handoff {
	h := Handoff{Ended: c.At}
	for key, value := range fields(what, handoffFields()...) {
		switch key {
		case "", "Session":
			h.Session = strings.TrimSpace(h.Session + " " + value)
		case "Ended":
			if at, ok := moment(value); ok {
				h.Ended = at
			}
		case "NOTES ref":
			h.Notes = value
		case "Trajectory":
			h.Trajectory = value
		case "Grounding ratio":
			ratio, err := strconv.ParseFloat(value, 64)
			h.Ratio, h.HasRatio = ratio, err == nil
		}
	}
	return h
}

func scenarioOf(what string) Scenario {
	var s Scenario
	for key, value := range fields(what, scenarioFields()...) {
		switch key {
		case "":
			s.Name = value
		case "Type":
			s.Type = value
		case "Expected":
			s.Expected = value
		}
	}
	return s
}

// cutWord returns the text after "WORD:" at the start of a line. It ignores the case of WORD.
func cutWord(line, word string) (string, bool) {
	if len(line) <= len(word) || line[len(word)] != ':' || !strings.EqualFold(line[:len(word)], word) {
		return "", false
	}
	return strings.TrimSpace(line[len(word)+1:]), true
}

// fields splits a comment into fields. A field starts with a name and a colon at the start of a line. Text before the
// first field has the name "". A backslash before a name makes the line ordinary text.
func fields(text string, names ...string) func(yield func(name, value string) bool) {
	return func(yield func(string, string) bool) {
		name, value := "", []string{}
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			begins := false
			for _, n := range names {
				if rest, ok := strings.CutPrefix(line, `\`); ok {
					if _, ok = cutWord(rest, n); ok {
						line = rest
						break
					}
				}
				if rest, ok := cutWord(line, n); ok {
					if len(value) > 0 && !yield(name, strings.TrimSpace(strings.Join(value, "\n"))) {
						return
					}
					name, value, begins = n, []string{rest}, true
					break
				}
			}
			if !begins {
				value = append(value, line)
			}
		}
		if len(value) > 0 {
			yield(name, strings.TrimSpace(strings.Join(value, "\n")))
		}
	}
}

// evidence parses a line of evidence: `quote` [path:line], path:line `quote`, or path:line.
func evidence(line string) (e Evidence, ok bool) {
	line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-* "))
	if before, rest, found := strings.Cut(line, "`"); found {
		if end := strings.LastIndexByte(rest, '`'); end >= 0 { // a quote may contain backticks
			quote, after := rest[:end], rest[end+1:]
			if others := strings.Trim(before+after, " -–—:[]"); others != "" {
				e.Quote, line = quote, others
			} else {
				line = quote // the path is in backticks
			}
		}
	}
	line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "[]()"))
	if line == "" {
		return e, false
	}
	e.Path = line
	if at := strings.LastIndexByte(line, ':'); at > 0 {
		first, last, _ := strings.Cut(strings.ReplaceAll(line[at+1:], "–", "-"), "-")
		if n, err := strconv.Atoi(strings.TrimPrefix(first, "L")); err == nil && n > 0 {
			e.Path, e.Line = line[:at], n
			if n, err = strconv.Atoi(strings.TrimPrefix(last, "L")); err == nil && n > e.Line {
				e.To = n
			}
		}
	}
	return e, true
}
