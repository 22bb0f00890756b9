package notes

import (
	"strconv"
	"strings"
	"time"
)

// when is a time in a text.
type when struct {
	t       time.Time
	day     bool // a day without a time
	at, end int  // byte range of the date or of the range of days
}

// findWhen returns the first date in a text, with its time of day. For a range of days, it returns the last day. A
// time without a zone is in UTC. Dates inside a path or a word don't count.
func findWhen(s string) (when, bool) {
	if !strings.Contains(s, "20") && !strings.Contains(s, "19") {
		return when{}, false // fast path for texts without a year
	}
	for i := 0; i+8 <= len(s); i++ {
		if i > 0 && isWordByte(s[i-1]) {
			continue
		}
		c := s[i]
		if c < '0' || c > '9' && (c < 'A' || c > 'Z') {
			continue
		}
		w, ok := dateAt(s, i)
		if !ok {
			continue
		}
		for w.day { // a range of days
			rest := s[w.end:]
			gap := strings.TrimLeft(rest, " ")
			cut, is := "", false
			for _, m := range []string{"/", "–", "—", "→", "to ", "&", "-"} {
				if cut, is = strings.CutPrefix(gap, m); is {
					break
				}
			}
			cut = strings.TrimLeft(cut, " ")
			next, found := dateAt(s, len(s)-len(cut))
			if !is || !found {
				break
			}
			if next.t.Before(w.t) {
				next.t, next.day = w.t, w.day
			}
			next.at = w.at
			w = next
		}
		return w, true
	}
	return when{}, false
}

// isWordByte reports whether text after this byte belongs to a word or a path.
func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_' || c == '/' || c == '.'
}

// dateAt returns the date at byte i of a text, with its time of day.
func dateAt(s string, i int) (when, bool) {
	w, ok := isoDate(s, i)
	if !ok {
		if w, ok = wordDate(s, i); !ok {
			return w, false
		}
	}
	w.at, w.day = i, true
	clock(s, &w)
	if w.day && w.end < len(s) {
		if c := s[w.end]; c >= '0' && c <= '9' || c == '_' || c >= 'a' && c <= 'z' ||
			c == '-' && w.end+1 < len(s) && s[w.end+1] != ' ' && s[w.end+1] != '-' {
			return w, false // part of a file name
		}
	}
	return w, true
}

// isoDate reads a date such as 2026-05-12 or 2026/05/12.
func isoDate(s string, i int) (w when, ok bool) {
	if i+10 > len(s) || s[i+4] != s[i+7] || s[i+4] != '-' && s[i+4] != '/' {
		return w, false
	}
	y, ok1 := digits(s[i : i+4])
	m, ok2 := digits(s[i+5 : i+7])
	d, ok3 := digits(s[i+8 : i+10])
	if !ok1 || !ok2 || !ok3 || y < 1970 || y > 2099 {
		return w, false
	}
	w.t = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	w.end = i + 10
	return w, w.t.Month() == time.Month(m) && w.t.Day() == d
}

// wordDate reads a date such as "May 12, 2026" or "12 May 2026".
func wordDate(s string, i int) (w when, ok bool) {
	const most = 24
	if i+8 > len(s) {
		return w, false
	}
	name := s[i : i+3]
	if s[i] <= '9' { // 1 May, 12 May, 1st May, 12th May
		at := strings.IndexByte(s[i:i+5], ' ') + i + 1
		if at == i || at+3 > len(s) {
			return w, false
		}
		name = s[at : at+3]
	}
	if month(name) == 0 {
		return w, false
	}
	part := s[i:min(len(s), i+most)]
	f := strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == ',' || r == '.' })
	if len(f) < 3 {
		return w, false
	}
	year := f[2]
	if len(year) > 4 {
		year = year[:4]
	}
	long, day := f[0], f[1]
	if part[0] <= '9' {
		long, day = f[1], f[0]
	}
	y, ok1 := digits(year)
	d, ok2 := digits(strings.TrimRight(day, "sthndr"))
	m := month(long)
	if !ok1 || !ok2 || m == 0 || len(year) != 4 || y < 1970 || y > 2099 {
		return w, false
	}
	w.t = time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	w.end = i + strings.Index(part, year) + 4
	return w, w.t.Day() == d
}

// month returns the month for a name or an abbreviation; 0 for any other word.
func month(s string) time.Month {
	const short = "janfebmaraprmayjunjulaugsepoctnovdec"
	if len(s) < 3 {
		return 0
	}
	low := [3]byte{s[0] | 0x20, s[1] | 0x20, s[2] | 0x20}
	for i := 0; i < len(short); i += 3 {
		if short[i] == low[0] && short[i+1] == low[1] && short[i+2] == low[2] {
			if m := time.Month(i/3 + 1); len(s) <= 4 || strings.EqualFold(s, m.String()) {
				return m
			}
		}
	}
	return 0
}

func digits(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 16)
	return int(n), err == nil
}

// clock reads the time of day after a date, and its zone.
func clock(s string, w *when) {
	rest := s[w.end:]
	gap := 0
	switch {
	case strings.HasPrefix(rest, "T"), strings.HasPrefix(rest, " "):
		gap = 1
	case strings.HasPrefix(rest, ", "):
		gap = 2
	}
	if gap == 0 {
		return
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest[gap:], "at "), "~")
	end := 0
	for end < len(rest) && end < 16 && (rest[end] >= '0' && rest[end] <= '9' || rest[end] == ':' || rest[end] == '.' && end >= 8) {
		end++
	}
	raw := strings.TrimRight(rest[:end], ".:")
	if raw == "" {
		return
	}
	t, err := time.Parse("15:04:05", raw)
	if err != nil {
		if t, err = time.Parse("15:04", raw); err != nil {
			return
		}
	}
	w.day = false
	w.t = w.t.Add(t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)))
	w.end = len(s) - len(rest) + len(raw)
	zone(s, w)
}

// zone reads the zone of a time: Z, UTC, GMT or an offset.
func zone(s string, w *when) {
	rest := s[w.end:]
	trimmed := strings.TrimPrefix(rest, " ")
	for _, z := range []string{"Z", "UTC", "GMT"} {
		if after, ok := strings.CutPrefix(trimmed, z); ok && (after == "" || !isWordByte(after[0]) || after[0] == '/' || after[0] == '.') {
			w.end = len(s) - len(after)
			return
		}
	}
	if len(rest) < 5 || rest[0] != '+' && rest[0] != '-' {
		return
	}
	n := 5
	if rest[3] == ':' && len(rest) >= 6 {
		n = 6
	}
	h, ok1 := digits(rest[1:3])
	m, ok2 := digits(rest[n-2 : n])
	if !ok1 || !ok2 || h > 14 || m > 59 {
		return
	}
	off := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if rest[0] == '-' {
		off = -off
	}
	w.t = w.t.Add(-off)
	w.end += n
}

// cutWhen removes the first date from a title, with its marks. The date is at the start or the end, or between marks
// such as brackets.
func cutWhen(title string) (rest string, w when, ok bool) {
	if len(title) > 2000 {
		return title, when{}, false
	}
	w, ok = findWhen(title)
	if !ok {
		return title, w, false
	}
	before, after := strings.TrimSpace(title[:w.at]), strings.TrimSpace(title[w.end:])
	alone := false // the date is between marks
	for _, m := range [][2]string{{"**", "**"}, {"`", "`"}, {"(", ")"}, {"[", "]"}, {"**", "**"}} {
		if strings.HasSuffix(before, m[0]) && strings.HasPrefix(after, m[1]) {
			before, after, alone = strings.TrimSuffix(before, m[0]), strings.TrimPrefix(after, m[1]), true
		}
	}
	const marks = " \t:-–—,|•·/："
	l, r := strings.Trim(before, marks), strings.Trim(after, marks)
	switch {
	case l == "":
		return strings.TrimLeft(after, marks), w, true
	case r == "" && (alone || strings.TrimRight(before, marks) != strings.TrimRight(before, " \t")):
		return strings.TrimRight(before, marks), w, true
	case alone:
		return strings.TrimSpace(before) + " " + strings.TrimSpace(after), w, true
	}
	return title, w, true // the date belongs to the sentence
}
