package trajectory

import (
	"os"
	"path/filepath"
	"testing"
)

func TestExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	for name, want := range map[string]struct {
		records, bad int
		torn         bool
		phase        string // phase of the last record
		at           string
		line, lines  int
	}{
		"trajectory.riding-20260101.jsonl":                    {6, 0, false, "10", "2026-01-02 06:28:26", 6, 1},
		"trajectory.vision-shadow-2026-02-26.jsonl":           {1, 0, false, "sprint-1", "2026-02-26 05:19:25", 1, 1},
		"trajectory.flatline-mode-2026-02-06.multiline.jsonl": {7, 0, false, "flatline_mode_detection", "", 115, 19},
		"trajectory.flatline-2026-02-06.jsonl":                {1, 1, true, "flatline_protocol", "2026-02-06 02:41:59", 1, 135},
	} {
		dir := filepath.Join(dir, "002")
		all, stats := records(t, dir, name)
		if len(all) != want.records || stats.Bad != want.bad || stats.Torn != want.torn {
			t.Fatalf("%s: %d records, %+v", name, len(all), stats)
		}
		last := all[len(all)-1]
		if last.Phase != want.phase || want.at != "" && last.At.Format("2006-01-02 15:04:05") != want.at || last.At.IsZero() || last.Line != want.line || last.Lines != want.lines {
			t.Errorf("%s ends with %s of %v at %d+%d", name, last.Phase, last.At, last.Line, last.Lines)
		}
	}
}
