package talk

import (
	"testing"
	"time"
)

func TestDayHeading(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 9*3600)
	now := time.Date(2026, 11, 22, 0, 30, 0, 0, zone)
	o := Options{Width: 80, Left: 2, Zone: zone}
	tests := []struct {
		at, before time.Time
		want       string
	}{
		{now, time.Time{}, "Today"},
		{now.UTC(), now.Add(-31 * time.Minute).UTC(), "Today"}, // the same day in UTC
		{now.Add(time.Hour), now, ""},
		{now.AddDate(0, 0, -1), now.AddDate(0, 0, -2), "Yesterday"},
		{now.AddDate(0, 0, -2), now, "Friday, Nov 20"},
		{now.AddDate(-1, 0, -2), now, "Thursday, Nov 20, 2025"},
		{now.AddDate(0, 0, 1), now, "Monday, Nov 23"},
		{time.Time{}, now, ""},
		{time.Time{}, time.Time{}, ""},
	}
	for _, test := range tests {
		got := DayHeading(test.at, test.before, now, o)
		switch {
		case test.want == "" && got == nil:
		case len(got) != 2 || got[0] != "" || got[1] != "    "+test.want:
			t.Errorf("%v after %v: %q, want %q", test.at, test.before, got, test.want)
		}
	}
	if got := DayHeading(now, time.Time{}, now, Options{Width: 63, Left: 2}); got != nil {
		t.Errorf("without room for times: %q", got)
	}
}
