//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/document"
)

// TestStoryHandover ends a day: c, enter and enter write all stores, and u undoes that.
func TestStoryHandover(t *testing.T) {
	t.Parallel()
	var project string
	d := newResumeWorld(t, 120, 36, func(home string) {
		project = lamplight(t, home)
		putFile(t, filepath.Join(project, ".claude", "memory", "active-context.md"), document.NewContext)
	})
	memory, notes := filepath.Join(project, ".claude", "memory"), filepath.Join(project, "grimoires", "loa", "NOTES.md")
	was := readFile(t, notes)
	d.browse("Trim", 1)
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}

	d.keys("c")
	d.panel("Handover", "State", "Items", "Write to", "✓ active-context.md", "✓ NOTES.md", "✓ document", "off: the agent log has no entry today", "Gate", "The plan changes 2 files and adds 1; u undoes all of it.")
	x.is("the handover is shown")
	d.keys("Enter")
	d.panel("Write the handover", "Touched", "a new session document", "Undo", "Nothing has changed yet.")
	x.is("the plan of the handover is shown")
	d.keys("Enter")
	d.wait(`^ Handed over to active-context\.md, NOTES\.md and document\. u undoes this\.`)
	documents, err := filepath.Glob(filepath.Join(memory, "session-*.md"))
	if err != nil || len(documents) != 1 || !strings.Contains(readFile(t, documents[0]), "## Remaining Todos") {
		t.Fatalf("documents: %q, %v", documents, err)
	}
	if got := readFile(t, filepath.Join(memory, "active-context.md")); !strings.Contains(got, "> Last Session Doc: "+filepath.Base(documents[0])) {
		t.Errorf("active-context.md doesn't name the document:\n%s", got)
	}
	if got := readFile(t, notes); got == was || !strings.Contains(got, "**Last Checkpoint**: ") {
		t.Errorf("NOTES.md has no checkpoint:\n%s", got)
	}

	d.keys("u")
	d.panel("Undo")
	d.keys("Enter")
	eventually(t, "undone", func() bool {
		left, _ := filepath.Glob(filepath.Join(memory, "session-*.md"))
		return len(left) == 0 && readFile(t, notes) == was && readFile(t, filepath.Join(memory, "active-context.md")) == document.NewContext
	})
	d.wait(`^ Restored: 2 files\. Removed: 1 file\.`)
	d.before = contents(t, d.home)
	d.leave()
}
