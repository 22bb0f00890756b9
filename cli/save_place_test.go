package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/handing"
	"github.com/continuo-tui/continuo/internal/change"
)

// TestSaveMasks: the title has a secret, and git doesn't ignore the document.
func TestSaveMasks(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.row.Name = "Use ghp_s3cretS3cret"
	s, err := handing.PlanSave(t.Context(), w.d.Env, &w.row, &handing.SaveAsk{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(s.Writes[1].After); strings.Contains(text, "s3cret") || !strings.Contains(text, "Use \\[masked\\]") {
		t.Error(text)
	}
	const want = "the document contains prompt text, and git doesn't ignore it."
	warned := false
	for _, part := range s.Plan(w.d.Env, "u", false).Parts {
		for _, l := range part.Lines {
			warned = warned || strings.HasPrefix(l.Text, want) && l.Mark == change.Warn
		}
	}
	if !warned {
		t.Error("no warning")
	}
}

func TestSaveTo(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	for to, want := range map[string]string{
		"notes.md": "", "notes.txt": "must end in .md", ".claude/x.md": "outside .claude/memory", "none/": "in an existing directory", "conf/x.md": "No document",
	} {
		_, err := handing.PlanSave(t.Context(), w.d.Env, &w.row, &handing.SaveAsk{To: to})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", to, err)
		}
	}
	config := filepath.Join(w.home, ".claude", "projects")
	if _, err := handing.PlanSave(t.Context(), w.d.Env, &w.row, &handing.SaveAsk{To: filepath.Join(config, "x.md"), Dirs: []string{filepath.Dir(config)}}); err == nil {
		t.Error("a document among transcripts")
	}
}
