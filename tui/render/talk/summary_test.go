package talk

import (
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/tui/render"
)

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

func TestGists(t *testing.T) {
	t.Parallel()
	_, sections := splitSummary("Summary:\n1. Primary Request and Intent:\n   Cast the `bell` and `ring.\n\n2. Key Technical Concepts:\n   - Ink\n3. Pending Tasks:\n\n   - **Hang** it\n   - Ring it\n\n4. Current Work:\n")
	gists := gistsOf(sections)
	if want := []sectionGist{{"Request", "Cast the `bell` and `ring."}, {"Pending", "Hang it"}}; !slices.Equal(gists, want) {
		t.Errorf("got %q, want %q", gists, want)
	}
	want := []render.Span{{Ink: render.Text, Text: "Cast the "}, {Ink: render.Code, Text: "`bell`"}, {Ink: render.Text, Text: " and "}, {Ink: render.Code, Text: "`ring."}}
	if got := withCode(gists[0].text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
