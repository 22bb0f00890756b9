package survey

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/heal"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	const notes, log = "grimoires/loa/NOTES.md", "grimoires/loa/a2a/trajectory/impl-2026-11-20.jsonl"
	handoff := func(more string) string {
		return `{"id":"br-9","title":"Pour","status":"open","comments":[{"id":1,"author":"a","text":"HANDOFF: sess-1\n` + more + `","created_at":"2026-11-20T10:00:00Z"}]}` + "\n"
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  map[heal.Part]string // the first reason; a missing part isn't named
	}{
		"nothing":            {nil, nil},
		"only a NOTES.md":    {map[string]string{notes: "# Notes\n\nWe pour tea.\n"}, nil},
		"only beads":         {map[string]string{".beads/issues.jsonl": `{"id":"br-9","title":"Pour","status":"open"}` + "\n"}, nil},
		"a config":           {map[string]string{".loa.config.yaml": "paths:\n  beads: .beads\nmemory:\n  notes_file: n.md\n"}, map[heal.Part]string{heal.Beads: "paths.beads is set", heal.Notes: "memory.notes_file is set"}},
		"a config, no paths": {map[string]string{".loa.config.yaml": "grounding_enforcement: strict\n"}, nil},
		"a refused path":     {map[string]string{".loa.config.yaml": "paths:\n  beads: ../out\n"}, nil},
		"a current bead":     {map[string]string{notes: "## Session Continuity\n\n- **Current Bead**: br-7 (pour)\n"}, map[heal.Part]string{heal.Beads: "NOTES.md names br-7"}},
		"no current bead":    {map[string]string{notes: "## Session Continuity\n\n- **Current Bead**: [id]\n"}, nil},
		"a path":             {map[string]string{notes: "See .beads/issues.jsonl\n"}, map[heal.Part]string{heal.Beads: "NOTES.md names it"}},
		"a handoff in notes": {map[string]string{notes: "- **Trajectory**: impl-11-21.jsonl:span-abc\n"}, map[heal.Part]string{heal.Trajectory: "NOTES.md names it"}},
		"a handoff in beads": {map[string]string{".beads/issues.jsonl": handoff(`NOTES ref: NOTES.md:4\nTrajectory: a.jsonl:span`)}, map[heal.Part]string{heal.Notes: "br-9 names it", heal.Trajectory: "br-9 names it"}},
		"a trajectory":       {map[string]string{log: `{"phase":"session_handoff","bead_id":"br-3","notes_refs":["NOTES.md:1"]}` + "\n"}, map[heal.Part]string{heal.Beads: "the trajectory names br-3", heal.Notes: "the trajectory names it"}},
		"a trajectory, bare": {map[string]string{log: `{"phase":"cite","notes_refs":[]}` + "\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(file))
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			l, err := LedgerOf(t.Context(), Place{Dir: dir, Now: time.Now()}, LedgerHow{})
			if err != nil {
				t.Fatal(err)
			}
			named := l.Named(t.Context())
			if len(named) != len(c.want) {
				t.Errorf("%v, want %v", named, c.want)
			}
			for part, want := range c.want {
				if len(named[part]) == 0 || named[part][0] != want {
					t.Errorf("%s: %q, want %q", part, named[part], want)
				}
			}
		})
	}
}
