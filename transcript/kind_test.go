package transcript

import (
	"fmt"
	"testing"
	"time"
	"unsafe"
)

func TestParseTime(t *testing.T) {
	t.Parallel()
	forms := []string{"", "x", "2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05+02:00", "2026-13-02T03:04:05.678Z", "2026-02-30T03:04:05.678Z", "2024-02-29T23:59:59.999Z", "2026-01-02T24:04:05.678Z", "2026-01-02T03:04:60.000Z", "2026-01-02 03:04:05.678Z", "1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59.999Z"}
	for y := 1999; y < 2030; y++ {
		for m := 1; m <= 12; m++ {
			for _, d := range []int{1, 28, 29, 31} {
				forms = append(forms, fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", y, m, d, m*2-1, d, y%60, d*7))
			}
		}
	}
	for _, s := range forms {
		want := int64(0)
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
			if want = at.UnixMilli(); at.UTC().Year() < 1 || at.UTC().Year() > 9999 {
				want = 0
			}
		}
		if got := parseTime([]byte(s)); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// TestRecordSize: an outline can have a million records.
func TestRecordSize(t *testing.T) {
	t.Parallel()
	if n := unsafe.Sizeof(Record{}); n > 64 {
		t.Errorf("a record takes %d bytes", n)
	}
}

func TestPromptText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain": "plain",
		"<command-message>deploy is running…</command-message>\n<command-name>/deploy</command-name>\n<command-args>now</command-args>": "/deploy now",
		"<command-name>clear</command-name>":             "/clear",
		"<bash-input>ls -l</bash-input>":                 "! ls -l",
		"<bash-input>ls":                                 "<bash-input>ls",
		"see <command-name>/x</command-name> in the log": "see <command-name>/x</command-name> in the log",
	} {
		if got := PromptText(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
