package document

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript/digest"
)

// TestComposePrevious: the name of the previous document stays or is empty. A changed name could be another
// document's.
func TestComposePrevious(t *testing.T) {
	t.Parallel()
	long := "session-" + strings.Repeat("é", 110) + "-'q\" <&>.md"
	for name, want := range map[string]string{
		"":                           "null",
		"session-2026-01-15-0515.md": "session-2026-01-15-0515.md",
		long:                         long,
		"session- a: #b.md":          "session- a: #b.md",
		"session-\xff.md":            "null",
		"session-\x1b[1m.md":         "null",
		"session-a\nb.md":            "null",
		"session-a\u202eb.md":        "null",
	} {
		k := knownSession(t)
		k.Previous = name
		front, _, err := SplitFrontMatter(compose(k))
		if err != nil {
			t.Fatal(err)
		}
		m, err := readFrontMatter(front)
		if got := m.one("previous_session"); err != nil || got != want && (want != "null" || got != "") {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
}

// TestComposeTodosBack: todos with any text are still todos after Read.
func TestComposeTodosBack(t *testing.T) {
	t.Parallel()
	texts := []string{"None", "none left", "[Priority-ordered action items]", "HIGH: none", "n/a", "~", "**", "Fold it"}
	for _, status := range []string{"pending", "in_progress", "completed"} {
		k := knownSession(t)
		k.Digest.Todos = nil
		for _, text := range texts {
			k.Digest.Todos = append(k.Digest.Todos, digest.Todo{Text: text, Status: status})
		}
		d := written(t, KindSession, "session-2026-11-21-1405Z.md", string(compose(k)))
		want := len(texts)
		if status == "completed" {
			want = 0
		}
		if got := d.Todos; len(got) != want {
			t.Errorf("%s: %+v", status, got)
		}
	}
}

// TestComposeUnsure: if git doesn't respond, the document doesn't say "none" for uncommitted files.
func TestComposeUnsure(t *testing.T) {
	t.Parallel()
	k := knownSession(t)
	k.Git = &Git{Branch: "main", Unsure: true}
	if text := string(compose(k)); !strings.Contains(text, "\n- Uncommitted files: unknown\n") || strings.Contains(text, "files: none") {
		t.Error(text)
	}
}
