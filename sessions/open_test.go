package sessions

import (
	"testing"
	"time"
)

// TestStillOpen: an item in several documents is listed once, with its oldest time. An item that a newer document
// ticks isn't listed.
func TestStillOpen(t *testing.T) {
	t.Parallel()
	doc := func(name, previous string, day int, next []string, todos ...Todo) *Row {
		r := &Row{Kind: KindDocument, Previous: previous, Next: next, Todos: todos}
		r.Created = time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)
		r.ID, r.Path, r.Workdir = name, "/p/.claude/memory/"+name+".md", "/p"
		return r
	}
	first := doc("session-1", "", 1, []string{"old step"}, Todo{Text: "Both"}, Todo{Text: "Done since"}, Todo{Text: "Low", Priority: "low"})
	newest := doc("session-2", "session-1.md", 2, []string{"Step"}, Todo{Text: "both", Priority: "high"}, Todo{Text: "done since", Done: true})
	other := doc("active-context", "", 3, []string{"no step of a session"}, Todo{Text: "Both"})
	rows := []*Row{first, newest, other}
	var got []string
	for _, o := range StillOpen(rows, Chains(rows)) {
		text := o.Row.ID + " " + o.Todo.Text + " " + o.Since.Format("2")
		if o.Next {
			text += " next"
		}
		got = append(got, text)
	}
	want := []string{"session-2 both 1", "session-1 Low 1", "active-context Both 3", "session-2 Step 2 next"}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
