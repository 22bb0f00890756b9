package ledgerview

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// logged is the trajectory of a project: the records of agents.
type logged struct {
	survey.Timeline
	err error // the error of reading the trajectory
}

// has reports whether the trajectory was read and has records.
func (t *logged) has() bool { return t != nil && t.err == nil && !t.None() }

// isUnchanged reports whether now has the same records.
func (t *logged) isUnchanged(now *logged) bool {
	if t == nil || now == nil || t.err != nil || now.err != nil {
		return t == nil && now == nil
	}
	a, b := t.Timeline, now.Timeline
	a.At, b.At = time.Time{}, time.Time{}
	return sameEntries(a.Entries, b.Entries) && a.Records == b.Records && a.Bytes == b.Bytes && a.Bad == b.Bad && a.Today == b.Today &&
		a.Earlier == b.Earlier && a.Left == b.Left && a.Files == b.Files && slices.Equal(a.Problems, b.Problems)
}

// sameEntries reports whether two lists are equal. It is fast for shared memory.
func sameEntries(a, b []survey.TimelineEntry) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || reflect.DeepEqual(a, b))
}

// remarks returns the errors of reading the trajectory, as sentences.
func (t *logged) remarks() []string {
	switch {
	case t == nil:
		return nil
	case t.err != nil:
		return []string{"The trajectory could not be read: " + transcript.CleanLine(t.err.Error())}
	}
	return t.Problems
}

// outlineLogged lists the trajectory in the outline.
func (f *ledgerFacts) outlineLogged(head func(name string)) {
	if !f.logged.has() {
		return
	}
	head("Trajectory")
	for _, it := range []struct {
		kind ledgerKind
		name string
		n    int
	}{{isToday, "today", f.logged.Today}, {isEarlier, "earlier", f.logged.Earlier}} {
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: it.kind}, name: it.name, count: words.Count(it.n), section: -1})
	}
}

// isOfToday reports whether an entry is from the day on which the ledger was read.
func (t *logged) isOfToday(e *survey.TimelineEntry) bool {
	at, now := e.Stands.In(t.At.Location()), t.At
	return at.Year() == now.Year() && at.YearDay() == now.YearDay()
}

// ofRecords reports whether the selected item is part of the trajectory.
func (c *ledgerContent) ofRecords() bool { return c.of.kind == isToday || c.of.kind == isEarlier }

// timeline adds the records of today, or the earlier records by day.
func (c *ledgerContent) timeline(it *outlineItem) {
	t := c.facts.logged
	c.title[0].Text = "Trajectory " + it.name
	n := t.Today
	if it.key.kind == isEarlier {
		n = t.Earlier
	}
	c.count(n, map[bool]string{true: ", newest first"}[n > 1])
	c.right = relativeTo(c.facts.Project.Root, t.Dir)
	day, shown := "", 0
	for i := range t.Entries {
		e := &t.Entries[i]
		if t.isOfToday(e) != (it.key.kind == isToday) {
			continue
		}
		if d := ledgerlines.TimelineDay(e.Stands, c.now); d != day && it.key.kind == isEarlier {
			c.blocks = append(c.blocks, ledgerBlock{head: d, gap: day != ""})
			day = d
		}
		c.blocks = append(c.blocks, ledgerBlock{key: ledgerKey{isRecord, e.File, e.Line}, source: i, line: 0})
		shown++
	}
	switch {
	case n == 0 && it.key.kind == isToday:
		c.none(0, "Nothing was logged today.")
	case n == 0:
		c.none(0, "Nothing was logged before today.")
	case shown < n && c.field.Text() == "":
		c.blocks = append(c.blocks, ledgerBlock{note: "… " + words.Counted(n-shown, "more record", "more records") + ". To print all: continuo trajectory --limit 0", gap: true})
	}
}

func (c *ledgerContent) shownRecords(yield func(*survey.TimelineEntry) bool) {
	for i := range c.blocks {
		if b := &c.blocks[i]; b.key.kind == isRecord && !yield(&c.facts.logged.Entries[b.source]) {
			return
		}
	}
}

// columns lays out the columns of the records. An agent of all records is in the title.
func (c *ledgerContent) columns() {
	if !c.ofRecords() {
		return
	}
	agent := ""
	c.column, agent = ledgerlines.TimelineColumn(c.shownRecords, c.look.width)
	if c.sole = agent != ""; c.sole {
		c.title = append(c.title, render.Span{Ink: render.Faint, Text: " · " + agent})
		if render.SpansWidth(c.title)+len(c.right)+8 > c.look.width { // the title needs the room
			c.right = ""
		}
	}
}

// The terms of the filter of a trajectory.
const (
	byAgent = "agent:"
	byPhase = "phase:"
)

// recordTerms returns the hint in the empty filter.
func (c *ledgerContent) recordTerms() string {
	if c.field.Text() == "" && c.ofRecords() {
		return " " + byAgent + "  " + byPhase + "  or words"
	}
	return ""
}

// isOfRecord reports whether a record matches all words of a filter. A term such as agent:NAME must match its field.
func isOfRecord(e *survey.TimelineEntry, pattern string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(pattern)) {
		in := e.Agent + " " + e.Phase + " " + e.What
		if agent, ok := strings.CutPrefix(word, byAgent); ok {
			in, word = e.Agent, agent
		} else if phase, ok := strings.CutPrefix(word, byPhase); ok {
			in, word = e.Phase, phase
		}
		if !strings.Contains(strings.ToLower(in), word) {
			return false
		}
	}
	return true
}

// recordText returns a record for the clipboard, as it was written.
func recordText(e *survey.TimelineEntry) string {
	if e.Raw != "" {
		return e.Raw
	}
	return e.Phase + "  " + e.What + "  " + e.Agent
}

// recordRows is the maximum number of lines of an unfolded record.
const recordRows = 200

// recordLines draws a record. An unfolded record has its JSON below.
func recordLines(e *survey.TimelineEntry, o ledgerlines.EntryOptions) []string {
	lines := ledgerlines.TimelineLines(e, o)
	if o.Most > 0 || e.Raw == "" {
		return lines
	}
	text := e.Raw
	var b bytes.Buffer
	if json.Indent(&b, []byte(e.Raw), "", "  ") == nil {
		text = b.String()
	}
	left := min(4, o.Width/8)
	rows := render.Wrap(text, max(o.Width-left-1, 1))
	more := len(rows) - recordRows
	for _, s := range rows[:min(len(rows), recordRows)] {
		lines = append(lines, render.NewLine(o.Styles, o.Width).To(left).Put(render.Muted, s).String())
	}
	if more > 0 {
		lines = append(lines, render.NewLine(o.Styles, o.Width).To(left).Put(render.Faint, "… "+words.Counted(more, "line", "lines")+" more").String())
	}
	return lines
}

// lastPassed returns when the full or the simplified gate last passed. A zero time means never. known is false if older
// records may have the answer, or if a record has no verdict. The status of a record is only about the claims.
func (t *logged) lastPassed(full bool) (at time.Time, known bool) {
	if t == nil || t.err != nil {
		return time.Time{}, false
	}
	open := t.Left > 0 || t.Older > 0
	for i := range t.Entries {
		switch e := &t.Entries[i]; {
		case full && e.Phase == trajectory.PhaseHandoff:
			return e.Stands, true
		case !full && e.Phase == trajectory.PhaseGrounding:
			verdict := verdictOf(e.Raw)
			if verdict == gate.Passed {
				return e.Stands, true
			}
			open = open || verdict == ""
		}
	}
	return time.Time{}, !open
}

// verdictOf returns the verdict in a record of the simplified gate, or "".
func verdictOf(raw string) gate.Verdict {
	var r struct{ Verdict gate.Verdict }
	if json.Unmarshal([]byte(raw), &r) != nil {
		return ""
	}
	return r.Verdict
}
