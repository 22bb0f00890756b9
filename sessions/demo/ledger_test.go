package demo

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLedger: three pieces of evidence don't match the code: a moved quote, a missing file, a short file.
func TestLedger(t *testing.T) {
	t.Parallel()
	_, root, _ := remember(t, Options{Now: time.Date(2027, time.March, 3, 9, 30, 0, 0, time.UTC)})
	project := filepath.Join(root, "teahouse")
	notes, err := os.ReadFile(filepath.Join(project, "grimoires", "loa", "NOTES.md"))
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`~|\{[a-z]+\}`).Match(notes) {
		t.Errorf("the text to replace is still there:\n%s", notes)
	}
	bad := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^- `(.*)` \\[\\$\\{PROJECT_ROOT\\}/(.*):(\\d+)\\]$").FindAllStringSubmatch(string(notes), -1) {
		quote, name := m[1], m[2]
		line, _ := strconv.Atoi(m[3])
		text, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(name)))
		lines := strings.Split(string(text), "\n")
		switch {
		case err != nil:
			bad[name] = "gone"
		case line > len(lines):
			bad[name] = "short"
		case strings.TrimSpace(lines[line-1]) != quote:
			bad[name] = "moved"
			if !strings.Contains(string(text), quote) {
				t.Errorf("%s has no %q", name, quote)
			}
		}
	}
	want := map[string]string{"src/hours/model.go": "moved", "src/hours/calendar.go": "gone", "src/limit/bucket.go": "short"}
	if len(bad) != len(want) {
		t.Errorf("evidence with problems: %v", bad)
	}
	for name, why := range want {
		if bad[name] != why {
			t.Errorf("%s is %q, not %s", name, bad[name], why)
		}
	}
}
