package talk

import "testing"

func TestSplitSummary(t *testing.T) {
	t.Parallel()
	const frame = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation."
	for text, want := range map[string][2]string{
		"Only words": {"", "Only words"},
		frame:        {"", frame},
		frame + "\n\nSummary:\n1. Task:\n   Ink.":      {"", "**1. Task**\n\n   Ink."},
		frame + "\n\nAnalysis:\nFirst.\n\nSummary:\nS": {"Analysis:\nFirst.", "S"},
		"1. Pending Tasks: none":                       {"", "1. Pending Tasks: none"},
	} {
		if analysis, sections := splitSummary(text); analysis != want[0] || sections != want[1] {
			t.Errorf("%q: %q, %q, want %q", text, analysis, sections, want)
		}
	}
}
