package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

func TestExportInBrowser(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.row.Live = &sessions.Live{}
	ask := tui.Change{Kind: tui.ChangeExport, Rows: []sessions.Row{w.row}, Export: &tui.ExportAs{Format: "md", Redact: true, File: "crane.md"}}
	path := filepath.Join(w.project, "crane.md")
	plan, err := w.changes().Plan(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 new file, markdown", "teahouse", "crane.md", "are masked", "the transcript is only read", "the session is live", "u deletes the file"} {
		if !strings.Contains(partsOf(plan), want) {
			t.Errorf("%q is not in the plan:\n%s", want, partsOf(plan))
		}
	}
	if plan.Command != "continuo export "+savedSession+" --format md -o "+path+" --redact" {
		t.Errorf("command %q", plan.Command)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a plan writes")
	}
	done, err := w.changes().Do(t.Context(), plan)
	if err != nil || done.But != "" || !strings.HasPrefix(done.Said, "Exported to ~/teahouse/crane.md, ") || !strings.Contains(done.Said, "Masked ") {
		t.Fatalf("%+v, %v", done, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "Fold the crane") || !strings.Contains(string(text), "It is folded.") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := w.changes().Plan(t.Context(), ask); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("planned over a file: %v", err)
	}
	if _, err := w.changes().Do(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("written over a file: %v", err)
	}
	entries, _ := place.OpenJournal(w.d.Env).List(t.Context())
	if len(entries) != 1 || !entries[0].Done || entries[0].What != "Exported \"Fold the crane\" to crane.md" {
		t.Fatalf("journal %+v", entries)
	}
	undo, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeUndo, Past: entries[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.changes().Do(t.Context(), undo); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("undo left the file")
	}
}

func TestExportInBrowserRefused(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	for file, why := range map[string]string{"": "Name a file", ".": "is a folder", "~/.claude": "is a folder", "nowhere/x.md": "isn't a folder"} {
		_, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeExport, Rows: []sessions.Row{w.row}, Export: &tui.ExportAs{Format: "md", File: file}})
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", file, err, why)
		}
	}
}
