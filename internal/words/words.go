// Package words formats numbers, sizes, times and sentences for people. All functions are pure.
package words

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Moment returns a time in at most 15 cells, in the zone of now, such as "Today 11:02", "Yesterday 18:42", "Nov 19
// 22:07" or "2025 Nov 19". It returns "" for the zero time.
func Moment(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	switch days := DaysBetween(t, now); {
	case days == 0:
		return "Today " + t.Format("15:04")
	case days == 1:
		return "Yesterday " + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("Jan 2 15:04")
	}
	return t.Format("2006 Jan 2")
}

// Count returns a number with commas between groups of three digits, such as "1,204".
func Count(n int) string {
	if n < 0 {
		return "−" + Count(-n)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted returns a number with a noun, such as "1 message" or "1,204 messages".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Size returns a rounded number of bytes with a unit, such as "812 B", "4.8 kB" or "18 kB".
func Size(n int64) string {
	if n < 1_000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	unit, name := int64(1_000), " kB"
	if n >= 999_500 {
		unit, name = 1_000_000, " MB"
	}
	if n >= 999_500_000 {
		unit, name = 1_000_000_000, " GB"
	}
	if n < 10*unit {
		if tenths := (n*10 + unit/2) / unit; tenths < 100 {
			return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + name
		}
	}
	return strconv.FormatInt(n/unit+n%unit*2/unit, 10) + name
}

// SizeOf returns a number of bytes and the total, such as "340 MB of 1.9 GB". An equal unit is written once: "1.2 of
// 1.9 GB".
func SizeOf(n, total int64) string {
	size, all := Size(n), Size(total)
	if number, unit, _ := strings.Cut(size, " "); strings.HasSuffix(all, " "+unit) {
		size = number
	}
	return size + " of " + all
}

// DaysBetween returns the number of calendar days from t to now, in the zone of now. It is negative if t is later.
func DaysBetween(t, now time.Time) int {
	// A local day can have 23 or 25 hours.
	noon := func(t time.Time) time.Time {
		y, m, d := t.In(now.Location()).Date()
		return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
	}
	return int(noon(now).Sub(noon(t)) / (24 * time.Hour))
}

// Cut shortens a text to at most width cells, with "…" as the last one. The text may have styles.
func Cut(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if ansi.StringWidth(text) <= width {
		return text
	}
	cut := ansi.Truncate(text, width, "…")
	if i := strings.LastIndex(cut, "……"); i >= 0 && ansi.StringWidth(cut[i+len("……"):]) == 0 {
		return cut[:i] + cut[i+len("…"):] // the text already has an ellipsis at the cut
	}
	return cut
}

// Inside returns a time for the middle of a sentence, such as "today 11:02". It works like Moment, in lower case.
func Inside(now, t time.Time) string {
	text := Moment(now, t)
	if first, n := utf8.DecodeRuneInString(text); strings.HasPrefix(text, "Today") || strings.HasPrefix(text, "Yesterday") {
		return string(unicode.ToLower(first)) + text[n:]
	}
	return text
}

// DayInside returns the day of a time for the middle of a sentence, such as "today" or "Nov 14".
func DayInside(now, t time.Time) string {
	text := Inside(now, t)
	if i := strings.LastIndexByte(text, ' '); strings.Contains(text[max(i, 0):], ":") {
		return text[:i]
	}
	return text
}

// Sentence returns s with a capital first letter and a full stop.
func Sentence(s string) string {
	if s == "" {
		return "Unknown error."
	}
	first, n := utf8.DecodeRuneInString(s)
	if s = string(unicode.ToUpper(first)) + s[n:]; !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// CutMiddle shortens a path to at most width cells. One third is from the start, two thirds from the end.
func CutMiddle(path string, width int) string {
	w := ansi.StringWidth(path)
	if w <= width {
		return path
	}
	if width < 8 {
		return Cut(path, width)
	}
	head := (width - 1) / 3
	tail := width - 1 - head
	return ansi.Truncate(path, head, "") + "…" + ansi.TruncateLeft(path, w-tail, "")
}

// PlainEmoji replaces each emoji sequence by one rune of the same width: "👩‍💻" becomes "👩". Terminals disagree on the
// width of such sequences. A wrong width would shift the text after it.
func PlainEmoji(s string) string {
	const tint = "\xf0\x9f\x8f" // first bytes of the five skin tones, and of some other runes
	if !strings.Contains(s, "\ufe0f") && !strings.Contains(s, "\u200d") && !strings.Contains(s, tint) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		if isEmojiSequence(cluster) && ansi.StringWidthWc(cluster) != width {
			_, n := utf8.DecodeRuneInString(cluster)
			cluster = cluster[:n]
			cluster += strings.Repeat(" ", max(width-ansi.StringWidth(cluster), 0))
		}
		b.WriteString(cluster)
	}
	return b.String()
}

// isEmojiSequence reports whether a character is an emoji of several runes. Indian scripts use joiners too.
func isEmojiSequence(cluster string) bool {
	first, n := utf8.DecodeRuneInString(cluster)
	for _, r := range cluster[n:] {
		switch {
		case r == 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff, r == 0x200d && first >= 0x1f000:
			return true
		}
	}
	return false
}

// AndList joins parts for a sentence, as in "a, b and c".
func AndList(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// Duration returns a duration with at most two units, such as "45 s" or "1 h 50 min". It returns "" for less than a
// second.
func Duration(d time.Duration) string {
	two := func(n int, unit string, m int, small string) string {
		text := strconv.Itoa(n) + " " + unit
		if m > 0 {
			text += " " + strconv.Itoa(m) + " " + small
		}
		return text
	}
	switch hours := int(d.Hours()); {
	case d < time.Second:
		return ""
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case hours < 24:
		return two(hours, "h", int(d.Minutes())%60, "min")
	default:
		return two(hours/24, "d", hours%24, "h")
	}
}

// Ago returns the time from t to now in one unit, such as "just now" or "2 min ago". It returns "" for the zero time.
func Ago(now, t time.Time) string {
	const day = 24 * time.Hour
	ago := func(n time.Duration, unit string) string {
		return strconv.FormatInt(int64(n), 10) + " " + unit + " ago"
	}
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return ""
	case d < time.Second:
		return "just now"
	case d < time.Minute:
		return ago(d/time.Second, "s")
	case d < time.Hour:
		return ago(d/time.Minute, "min")
	case d < day:
		return ago(d/time.Hour, "h")
	case d < 60*day:
		return ago(d/day, "d")
	case d < 365*day:
		return ago(d/(30*day), "months")
	}
	return Counted(int(d/(365*day)), "year", "years") + " ago"
}

// Them returns the pronoun for n things: "it" or "them".
func Them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
