package ledgers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// TestTrajectoryJSONHostile: a terminal interprets no byte of the JSON.
func TestTrajectoryJSONHostile(t *testing.T) {
	t.Parallel()
	root := place.RealPath(t.TempDir())
	dir := filepath.Join(root, "grimoires/loa/a2a/trajectory")
	for _, dir := range []string{filepath.Join(root, ".git"), dir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	evil := `\u001b]0;x\u0007\u202e\r\n`
	text := `{"phase":"` + evil + `p","agent":"` + evil + `a","action":"` + evil + strings.Repeat("w", 100_000) + `","status":"` + evil + `"}` + "\n{\"" + evil + "\":\"" + evil + "\"}\n{"
	if err := os.WriteFile(filepath.Join(dir, "e\x1b[2Jvil-2026-11-20.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := survey.TimelineOf(t.Context(), survey.Place{Dir: root, Now: now()}, survey.TimelineAsk{Raw: trajectoryJSONRaw})
	if err != nil || len(l.Entries) != 2 {
		t.Fatalf("%d entries, %v", len(l.Entries), err)
	}
	if text, err := out.EncodeJSON(trajectoryRecord(&l)); err != nil || strings.ContainsAny(text, "\x1b\x07\u202e") {
		t.Error(err)
	}
}

func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }
