package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	gaugeWidth   = 16
	gaugeAt      = 6 // cells from the start of the name to the gauge
	leastGauge   = 46
	limitWidth   = 17 // width of the column of limits
	nearly       = 90 // percentage of the limit for a warning
	hookSince    = 21 // start column of the installation date
	leastSince   = 54
	keptSize     = 10 // width of the column of sizes
	keptNewest   = 10
	leastKept    = 36
	bytesPerKilo = 1024 // spec 000 counts the limit in these units
)

// context draws the age and the size of active-context.md, with their limits.
func (c *pane) context() {
	x := c.Context
	if x == nil {
		return
	}
	c.group("active-context.md", "loaded into every session")
	if x.Updated.IsZero() {
		c.put(c.line(survey.Item{}).To(c.head).PutUntil(Muted, "never updated", c.right), survey.Item{})
	} else {
		age := c.o.Now.Sub(x.Updated)
		c.gauge("age", int64(age/time.Second), int64(x.StaleAt/time.Second), Old(age), "stale at "+hours(x.StaleAt))
	}
	c.gauge("size", x.Bytes, x.HeavyAt, kilobytes(x.Bytes), "heavy at "+strconv.FormatInt(x.HeavyAt/bytesPerKilo, 10)+" kB")
	about := "about " + Tokens(x.Tokens()) + " tokens in each new session"
	if x.Memory > 0 {
		about += ", with project-memory.md (" + kilobytes(x.Memory) + ")"
	}
	c.note(c.head, about)
}

// gauge draws a value and its limit. It warns from 90 % of the limit on.
func (c *pane) gauge(name string, value, limit int64, words, limitWords string) {
	if limit <= 0 {
		return
	}
	value = max(value, 0)
	ink, glyph := Muted, Span{}
	inkWords := Text
	switch {
	case value > limit:
		ink, inkWords, glyph = Urgent, Bold, Span{Urgent, "▲ "}
	case value*100 >= limit*nearly:
		ink, inkWords, glyph = Warn, Bold, Span{Warn, "△ "}
	}
	l := c.line(survey.Item{}).To(c.head).PutUntil(Muted, name, c.right)
	if c.right-c.head >= leastGauge {
		n := int((value*gaugeWidth + limit/2) / limit)
		if n = min(n, gaugeWidth); value < limit { // a full gauge means that the limit is reached
			n = min(n, gaugeWidth-1)
		}
		l.To(c.head+gaugeAt).Put(ink, strings.Repeat("━", n)).Put(Rule, strings.Repeat("─", gaugeWidth-n))
	}
	spans := []Span{glyph, {inkWords, words}}
	if glyph.Text == "" {
		spans = spans[1:]
	}
	l.Right(c.right-limitWidth, spans...)
	if l.At() <= c.head+ansi.StringWidth(name) { // only the value fits
		l.Right(c.right, spans...)
	}
	c.put(l.Right(c.right, Span{Faint, " " + limitWords}), survey.Item{})
}

// hooks draws the state of the hook for each event, and when the hook last fired.
func (c *pane) hooks() {
	h := &c.Hooks
	if len(h.Events) == 0 && h.Trouble == "" {
		return
	}
	if len(h.Events) > 0 {
		l := c.groupLine("Hooks")
		if c.right >= leastSince {
			l.To(c.head+hookSince).Put(Faint, "in settings since")
		}
		c.put(l.Right(c.right, Span{Faint, "last fired"}), survey.Item{})
	} else {
		c.group("Hooks", "")
	}
	for i := range h.Events {
		c.hook(&h.Events[i])
	}
	if h.Trouble == "" {
		return
	}
	glyph := Span{Faint, "○"}
	if h.Bad {
		glyph = Span{BadBold, "✗"}
	}
	for i, s := range Wrap(transcript.CleanLine(h.Trouble), c.right-c.text) {
		l := c.line(survey.Item{})
		if i == 0 {
			c.mark(l, glyph)
		}
		c.put(l.To(c.text).PutUntil(Muted, s, c.right), survey.Item{})
	}
	if h.Run != "" {
		c.put(c.line(survey.Item{}).To(c.text).PutUntil(Faint, transcript.CleanLine(h.Run), c.right), survey.Item{})
	}
}

func (c *pane) groupLine(name string) *Line {
	if c.o.Blanks && len(c.lines) > 0 {
		c.blank()
	}
	return c.line(survey.Item{}).To(c.head).PutUntil(Heading, name, c.right)
}

func (c *pane) hook(h *survey.Hook) {
	l := c.mark(c.line(survey.Item{}), hookGlyph(h)).PutUntil(Text, h.Event, c.right)
	fired := "not yet"
	switch {
	case h.State == survey.HookMissing:
		c.put(c.put2(l, Text, "", Span{Muted, "not installed"}), survey.Item{})
		return
	case !h.Fired.IsZero():
		fired = words.Moment(c.o.Now, h.Fired)
	}
	if c.right >= leastSince && !h.Since.IsZero() {
		l.To(c.head+hookSince).PutUntil(Muted, words.Moment(c.o.Now, h.Since), c.right)
	}
	c.put(l.Right(c.right, Span{Muted, " " + fired}), survey.Item{})
	why := transcript.CleanLine(h.Why)
	if h.Ended > 0 {
		why = words.Counted(h.Ended, "session", "sessions") + " have ended since, but the hook did not fire"
	}
	for _, s := range Opening(why, c.right-c.text, whyLines) {
		c.put(c.line(survey.Item{}).To(c.text).PutUntil(Faint, s, c.right), survey.Item{})
	}
}

func hookGlyph(h *survey.Hook) Span {
	switch h.State {
	case survey.HookFires:
		return Span{Good, "✓"}
	case survey.HookFails:
		if h.Ended == 0 {
			return Span{BadBold, "✗"}
		}
		return Span{Warn, "△"}
	case survey.HookWarns:
		return Span{Warn, "△"}
	case survey.HookMissing:
		return Span{Faint, "○"}
	case survey.HookWaits:
	}
	return Span{Faint, "·"}
}

// kept draws the numbers and sizes of backups, documents and the trash.
func (c *pane) kept() {
	if len(c.Kept) == 0 {
		return
	}
	l := c.groupLine("Kept")
	columns := func(l *Line, ink Ink, files, size, newest string) *Line {
		right := c.right
		if right-c.head >= leastKept {
			if newest == "" {
				newest = " "
			}
			size, files = PadLeft(size, keptSize), PadLeft(files, keptSize)
			return l.Right(right, Span{ink, files + size + PadLeft(newest, keptNewest)})
		}
		return l.Right(right, Span{ink, PadLeft(files, 6) + PadLeft(size, keptSize)})
	}
	c.put(columns(l, Faint, "files", "size", "newest"), survey.Item{})
	for _, k := range c.Kept {
		l := c.line(survey.Item{}).To(c.head).PutUntil(Text, k.Name, c.right)
		c.put(columns(l, Muted, words.Count(k.Files), words.Size(k.Bytes), dayOrTime(c.o.Now, k.Newest)), survey.Item{})
	}
}

// unread lists what could not be read, with the error.
func (c *pane) unread() {
	if len(c.Unread) == 0 {
		return
	}
	c.group("Could not be read", words.Count(len(c.Unread)))
	for _, text := range c.Unread {
		for i, s := range Wrap(transcript.CleanLine(text), c.right-c.text) {
			l := c.line(survey.Item{})
			if i == 0 {
				c.mark(l, Span{Bad, "✗"})
			}
			c.put(l.To(c.text).PutUntil(Muted, s, c.right), survey.Item{})
		}
	}
}

// dayOrTime returns a time of today, or the date, in at most ten cells.
func dayOrTime(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	switch days := words.DaysBetween(t, now); {
	case days == 0:
		return t.Format("15:04")
	case days > 0 && t.Year() == now.Year(), days < 0:
		return t.Format("Jan 2")
	}
	return t.Format("2006 Jan 2")
}

// kilobytes returns a size in units of 1,024 bytes, as in spec 000.
func kilobytes(n int64) string {
	if n < bytesPerKilo {
		return strconv.FormatInt(n, 10) + " B"
	}
	tenths := n * 10 / bytesPerKilo
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " kB"
}

func hours(d time.Duration) string { return strconv.FormatInt(int64(d/time.Hour), 10) + " h" }

// Old formats a duration for a sentence: "40 s", "12 min", "4 h 50 min", "3 days".
func Old(age time.Duration) string {
	const day = 24 * time.Hour
	n := func(d, unit time.Duration) string { return strconv.FormatInt(int64(d/unit), 10) }
	switch {
	case age < time.Minute:
		return n(max(age, 0), time.Second) + " s"
	case age < time.Hour:
		return n(age, time.Minute) + " min"
	case age < day && age%time.Hour >= time.Minute:
		return n(age, time.Hour) + " h " + n(age%time.Hour, time.Minute) + " min"
	case age < day:
		return n(age, time.Hour) + " h"
	}
	return words.Counted(int(age/day), "day", "days")
}
