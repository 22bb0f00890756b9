package cli

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

func TestNoteQuoteControl(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write("src/red.go", "const red = \"\x1b[31mred\x1b[0m\"\nconst ok = \"\tx\"\n")
	for evidence, want := range map[string]int{
		"src/red.go:1": out.ExitNo,
		"src/red.go:1 | = \"\x1b[31mred\x1b[0m\"": out.ExitNo,
		"src/red.go:1 | const red":                out.ExitDone,
		"src/red.go:1 | \x1b[31mred":              out.ExitDone, // the line contains the cleaned text
		"src/red.go:2":                            out.ExitDone,
	} {
		printed := w.run(want, "note", "decision", "Red", "--rationale", "So", "--evidence", evidence, "--dry-run")
		if strings.Contains(printed, "Quote a part of the line without them.") != (want == out.ExitNo) {
			t.Errorf("%q: %s", evidence, printed)
		}
	}
}

// TestUndoLater: without an ID, undo could undo a later action.
func TestUndoLater(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "## Active Sub-Goals\n\n- [ ] See src/a.go:3\n")
	w.write("src/a.go", "package a\n\nvar A int\n")
	for _, args := range [][]string{{"note", "next", "Go on", "--dry-run"}, {"notes", "lint", "--fix", "--dry-run"}} {
		output := strings.Join(strings.Fields(w.run(out.ExitDone, args...)), " ")
		if !strings.Contains(output, "continuo undo with the printed ID ") {
			t.Errorf("%v:\n%s", args, output)
		}
	}
}
