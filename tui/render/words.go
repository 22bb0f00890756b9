package render

import (
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Age returns the time from t to now in at most four cells: 40s, 2m, 3h, 5d, 3mo, 2y. It returns "" for the zero time,
// and "now" for a time in the future.
func Age(now, t time.Time) string {
	const day = 24 * time.Hour
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	unit := func(n time.Duration, s string) string { return strconv.FormatInt(int64(n), 10) + s }
	switch {
	case d < 0:
		return "now"
	case d < time.Minute:
		return unit(d/time.Second, "s")
	case d < time.Hour:
		return unit(d/time.Minute, "m")
	case d < day:
		return unit(d/time.Hour, "h")
	case d < 60*day:
		return unit(d/day, "d")
	case d < 365*day:
		return unit(d/(30*day), "mo")
	}
	return unit(d/(365*day), "y")
}

// short returns a number in at most five cells, such as 9999, 48.2k, 1.3M or 120M.
func short(n int64) string {
	switch {
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return scaled(n, 1_000) + "k"
	case n < 1_000_000_000:
		return scaled(n, 1_000_000) + "M"
	}
	return scaled(n, 1_000_000_000) + "G"
}

// Tokens formats a number of tokens: 812, 1.0k, 48.2k, 306k or 1.3M.
func Tokens(n int64) string {
	if n < 1_000 || n >= 10_000 {
		return short(n)
	}
	return strconv.FormatInt(n/1_000, 10) + "." + strconv.FormatInt(n%1_000/100, 10) + "k"
}

// scaled returns n in a unit. It rounds down, so that the result never reaches the next unit.
func scaled(n, unit int64) string {
	if n >= 100*unit {
		return strconv.FormatInt(n/unit, 10)
	}
	tenths := n * 10 / unit
	if tenths%10 == 0 {
		return strconv.FormatInt(tenths/10, 10)
	}
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10)
}

// Days divides time into the groups of a list: days, weeks and months, in the zone of now. Weeks start on Monday.
type Days struct {
	now                          time.Time
	today, yesterday, week, last time.Time // the starts of the groups
}

// Keys of the groups that come before those of months.
const (
	today = iota
	yesterday
	thisWeek
	lastWeek
	months // offset of the keys of months
)

// DaysOf returns the groups at the time now.
func DaysOf(now time.Time) Days {
	year, month, day := now.Date()
	midnight := func(day int) time.Time { return time.Date(year, month, day, 0, 0, 0, 0, now.Location()) }
	monday := day - (int(now.Weekday())+6)%7 // Monday of this week, as a day of this month; may be below 1
	return Days{now, midnight(day), midnight(day - 1), midnight(monday), midnight(monday - 7)}
}

// Key returns the key of the group of t. Keys are cheaper to compare than headings.
func (d *Days) Key(t time.Time) int {
	switch {
	case !t.Before(d.today):
		return today
	case !t.Before(d.yesterday):
		return yesterday
	case !t.Before(d.week):
		return thisWeek
	case !t.Before(d.last):
		return lastWeek
	}
	t = t.In(d.now.Location())
	return months + 12*t.Year() + int(t.Month()) - 1
}

// Heading returns the heading of a group and its dates, such as "Today" and "Sat Nov 21", or "October 2026" and "".
func (d *Days) Heading(key int) (name, dates string) {
	before := func(t time.Time) time.Time { return t.AddDate(0, 0, -1) }
	switch key {
	case today:
		return "Today", d.today.Format("Mon Jan 2")
	case yesterday:
		return "Yesterday", d.yesterday.Format("Mon Jan 2")
	case thisWeek:
		return "This week", days(d.week, before(d.yesterday))
	case lastWeek:
		end := before(d.week)
		if !end.Before(d.yesterday) { // today is a Monday
			end = before(d.yesterday)
		}
		return "Last week", days(d.last, end)
	}
	month := time.Date((key-months)/12, time.Month((key-months)%12+1), 1, 0, 0, 0, 0, d.now.Location())
	if end := before(d.last); end.Year() == month.Year() && end.Month() == month.Month() && before(month.AddDate(0, 1, 0)).Day() != end.Day() {
		dates = "to " + end.Format("Jan 2")
	}
	return month.Format("January 2006"), dates
}

// IsMonth reports whether key is the key of a month.
func (d *Days) IsMonth(key int) bool { return key >= months }

// Months returns the heading of several months, newest first, such as "November and October 2026" or "November to
// August 2026". last and first are keys.
func (d *Days) Months(last, first int) string {
	from := time.Date((first-months)/12, time.Month((first-months)%12+1), 1, 0, 0, 0, 0, time.UTC)
	to := time.Date((last-months)/12, time.Month((last-months)%12+1), 1, 0, 0, 0, 0, time.UTC)
	switch {
	case from.Year() != to.Year():
		return to.Format("January 2006") + " to " + from.Format("January 2006")
	case last == first+1:
		return to.Format("January") + " and " + from.Format("January 2006")
	}
	return to.Format("January") + " to " + from.Format("January 2006")
}

// days formats a range of days: "Nov 16", "Nov 16 to 19", "Oct 30 to Nov 2".
func days(from, to time.Time) string {
	switch {
	case !from.Before(to):
		return from.Format("Jan 2")
	case from.Month() == to.Month():
		return from.Format("Jan 2") + " to " + to.Format("2")
	}
	return from.Format("Jan 2") + " to " + to.Format("Jan 2")
}

// When returns when a session took place, in a time zone, such as "Sat Nov 21, 14:02 to 15:52".
func When(row *sessions.Row, now time.Time, zone *time.Location) string {
	first, last := row.First, row.When()
	if !row.Dated() {
		return "No message has a time"
	}
	if first.IsZero() {
		first = last
	}
	first, last = first.In(zone), last.In(zone)
	layout := "Mon Jan 2, 15:04"
	if first.Year() != now.In(zone).Year() {
		layout = "2006 Jan 2, 15:04"
	}
	switch from, to := first.Format(layout), last.Format(layout); {
	case from == to:
		return from
	case first.Format(time.DateOnly) == last.Format(time.DateOnly):
		return from + " to " + last.Format("15:04")
	default:
		return from + " to " + to
	}
}
