package document

import (
	"strings"
	"time"
)

// parseName returns the time in a file name session-YYYY-MM-DD[-HHMM[SS]][Z]….md, or the zero time.
func parseName(name string, zone *time.Location) time.Time {
	stamp, ok := strings.CutPrefix(strings.TrimSuffix(name, Suffix), Prefix)
	if !ok {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02-150405", "2006-01-02-1504", "2006-01-02"} {
		if len(stamp) < len(layout) {
			continue
		}
		in := zone
		if strings.HasPrefix(stamp[len(layout):], "Z") {
			in = time.UTC
		}
		if t, err := time.ParseInLocation(layout, stamp[:len(layout)], in); err == nil {
			return t
		}
	}
	return time.Time{}
}

// parseDate parses a date in any format that documents have used, from "2026-01-16 05:15" to the current
// "2026-01-26T05:15:00Z". zone is for dates without a zone.
func parseDate(s string, zone *time.Location) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if day, ok := strings.CutSuffix(s, " UTC"); ok {
		s = day + "Z"
	}
	if len(s) > len(time.DateOnly) && s[len(time.DateOnly)] == 'T' {
		s = s[:len(time.DateOnly)] + " " + s[len(time.DateOnly)+1:]
	}
	for _, layout := range []string{
		time.DateTime, "2006-01-02 15:04", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00", time.DateOnly,
	} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
