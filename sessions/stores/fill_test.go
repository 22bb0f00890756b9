package stores_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/transcript/digest"
)

func TestFill(t *testing.T) {
	t.Parallel()
	ref := handover.Reference{Ref: ledger.Ref{Path: "src/a.go", From: 1, To: 1, Form: ledger.FormRooted}}
	d := &digest.Digest{
		Start: at().Add(-2 * time.Hour), End: at().Add(-time.Minute), Answer: "The leeway is in.",
		Todos: []digest.Todo{{Text: "Retry", Status: "in_progress"}, {Text: "Leeway", Status: "completed"}},
		Decisions: digest.Some[digest.Decision]{First: []digest.Decision{
			{Kind: digest.Answered, About: "Leeway?", Said: "30 s"}, {Kind: digest.Unanswered, About: "Per client?"}, {Kind: digest.Approved, About: "A plan"},
		}},
		Commits: digest.Some[digest.Commit]{First: []digest.Commit{{Hash: "abc1234", Subject: "Add the leeway"}}},
	}
	notes := &handover.Handover{
		When: at().Add(-24 * time.Hour), State: "Old", Refs: []handover.Reference{ref},
		Items:     []handover.Item{{Title: "leeway", Status: handover.Open, Marks: []handover.Mark{handover.MarkNotes}}, {Title: "Logout", Status: handover.Blocked, Marks: []handover.Mark{handover.MarkNotes}}},
		Decisions: []handover.Decision{{When: d.Start.Add(time.Minute), Text: "Leeway is 30 s"}, {When: d.Start.Add(-time.Hour), Text: "Of another session"}, {Text: "Of an unknown time"}},
		Questions: []handover.Question{{Text: "Per client?"}, {Text: "Whose?"}},
	}
	document := &handover.Handover{When: at().Add(-48 * time.Hour), State: "Older", Refs: []handover.Reference{ref}, Items: []handover.Item{{Title: "Logout", Marks: []handover.Mark{handover.MarkDocument}}}}
	facts := stores.Facts{At: at(), Session: "sess-1", Git: handover.Git{Branch: "main"}, Digest: d, Held: []handover.Held{
		{Handover: notes, Mark: handover.MarkNotes, At: notes.When},
		{Handover: &handover.Handover{Items: []handover.Item{{ID: "tea-1", Title: "A bead that waits", Status: handover.Open, Marks: []handover.Mark{handover.MarkBead}}}}, Mark: handover.MarkBead},
		{Handover: document, Mark: handover.MarkDocument},
		{Handover: document, Mark: handover.MarkDocument},
		{Handover: &handover.Handover{Items: []handover.Item{{Title: "Of an old document"}}}, Mark: handover.MarkDocument},
	}}
	v := stores.Fill(&facts)
	var got []string
	for _, i := range v.Items {
		got = append(got, fmt.Sprintf("%s %s %s", string(i.Marks), i.Title, i.Status))
	}
	got = append(got, v.Done...)
	for _, k := range v.Decisions {
		got = append(got, k.Text)
	}
	for _, q := range v.Questions {
		got = append(got, q.Text+" "+q.Answer)
	}
	want := "C Retry in progress|ND Logout blocked|Leeway|Add the leeway (abc1234)|Leeway is 30 s|Per client? |Whose? |Leeway? 30 s"
	if is := strings.Join(got, "|"); is != want {
		t.Errorf("%s, want %s", is, want)
	}
	if v.State != "The leeway is in." || v.Session != "sess-1" || v.Git.Branch != "main" || !v.When.Equal(at()) || v.Outcome != "in-progress" || len(v.Refs) != 1 {
		t.Errorf("%+v", v)
	}
	if facts.Held[0].At = d.End.Add(-time.Minute); stores.Fill(&facts).State != "Old" {
		t.Error("a state that was written at the end of the session isn't used")
	}
	if facts.Digest = nil; stores.Fill(&facts).State != "Old" || len(stores.Fill(&facts).Decisions) > 0 {
		t.Error("without a transcript, the newest state of the stores isn't used")
	}
}

// TestFillState: a state from an answer has only whole sentences.
func TestFillState(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"It is in.\nAll tests pass.":                                        "It is in.\nAll tests pass.",
		"It is in. Two things changed in src/a.go:\n- the clock\n- the log": "It is in.",
		"Two things changed:\n1. the clock\n2. the log":                     "Two things changed: the clock",
		"Two things changed in src/a.go:":                                   "Two things changed in src/a.go",
	} {
		if v := stores.Fill(&stores.Facts{Digest: &digest.Digest{Answer: answer}}); v.State != want {
			t.Errorf("%q: %q, want %q", answer, v.State, want)
		}
	}
}
