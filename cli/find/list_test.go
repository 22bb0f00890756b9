package find

import (
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*3600)
	at := now().In(zone)
	tests := []struct {
		value string
		want  time.Time // zero for an error
	}{
		{"40s", at.Add(-40 * time.Second)},
		{"90m", at.Add(-90 * time.Minute)},
		{"12h", at.Add(-12 * time.Hour)},
		{"7d", at.AddDate(0, 0, -7)},
		{"2w", at.AddDate(0, 0, -14)},
		{"3mo", at.AddDate(0, -3, 0)},
		{"1y", at.AddDate(-1, 0, 0)},
		{"0d", at},
		{"2026-11-01", time.Date(2026, 11, 1, 0, 0, 0, 0, zone)},
		{"2026-11-01 14:30", time.Date(2026, 11, 1, 14, 30, 0, 0, zone)},
		{"2026-11-01T14:30", time.Date(2026, 11, 1, 14, 30, 0, 0, zone)},
		{"2026-11-01T14:30:05Z", time.Date(2026, 11, 1, 14, 30, 5, 0, time.UTC)},
		{"", time.Time{}},
		{"7", time.Time{}},
		{"d", time.Time{}},
		{"-3d", time.Time{}},
		{"1.5h", time.Time{}},
		{"7days", time.Time{}},
		{"99999999999999999999d", time.Time{}},
		{"2026-13-01", time.Time{}},
		{"yesterday", time.Time{}},
	}
	for _, tt := range tests {
		got, err := ParseSince(tt.value, at)
		if !got.Equal(tt.want) || (err != nil) != tt.want.IsZero() {
			t.Errorf("%q is %v, %v; want %v", tt.value, got, err, tt.want)
		}
	}
}

func TestCountRoots(t *testing.T) {
	t.Parallel()
	if n := countRoots([]string{"/wt/b", "/wt/a", "/wt/a/src", "/wt/a", "/wt/ab"}); n != 3 {
		t.Errorf("%d roots, want 3", n)
	}
}

func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }
