package backup

import (
	"testing"
	"time"
)

func TestMissed(t *testing.T) {
	t.Parallel()
	since := at(t, "2026-01-15T10:00:00Z")
	for name, tt := range map[string]struct {
		since        time.Time
		last, newest string // times of the last message and the newest backup; "" if there is none
		want         bool
	}{
		"no backup at all":           {since, "2026-01-15T11:00:00Z", "", true},
		"from before":                {since, "2026-01-15T10:00:00Z", "", false},
		"no backups are made there":  {time.Time{}, "2026-01-15T11:00:00Z", "", false},
		"backed up later":            {since, "2026-01-15T11:00:00Z", "2026-01-15T11:00:02Z", false},
		"in the same second":         {since, "2026-01-15T11:00:00.9Z", "2026-01-15T11:00:00Z", false},
		"a second before":            {since, "2026-01-15T11:00:01Z", "2026-01-15T11:00:00Z", true},
		"compacted, then went on":    {since, "2026-01-15T12:00:00Z", "2026-01-15T11:00:00Z", true},
		"only a backup from earlier": {since, "2026-01-15T12:00:00Z", "2026-01-14T11:00:00Z", true},
	} {
		var newest time.Time
		if tt.newest != "" {
			newest = at(t, tt.newest)
		}
		if got := missed(tt.since, at(t, tt.last), newest); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
