package handover

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
)

// Lost returns the values of v that a format can't store. back is v after it was written in the format and read
// again. A result is a phrase such as "branch main" or "2 questions"; nil means that nothing is lost. Additional
// entries in back are ignored. Phrases may contain control characters, because they quote v.
func Lost(v, back *Handover) []string {
	l := &losses{}
	if !sameTime(v.When, back.When) {
		l.add("the time")
	}
	l.named("session", v.Session, back.Session)
	l.named("agent", v.Agent, back.Agent)
	l.named("branch", v.Git.Branch, back.Git.Branch)
	l.named("commit", v.Git.Commit, back.Git.Commit)
	l.text("the state", v.State, back.State)
	l.missing("finished task", pairs(v.Done, back.Done, func(a, b *string) bool { return Key(*a) == Key(*b) }, func(a, b *string) {
		l.exact("finished task", *a, *b)
	}))
	l.items(v, back)
	l.decisions(v, back)
	l.questions(v, back)
	l.refs(v, back)
	l.tests(v, back)
	l.gate(v, back)
	l.named("step", v.Step, back.Step)
	l.named("outcome", v.Outcome, back.Outcome)
	l.text("how to resume", v.Resume, back.Resume)
	return l.phrases()
}

// losses collects the phrases of Lost. The same field of several entries becomes one phrase, such as "the reasons of
// 3 decisions".
type losses struct{ all []loss }

type loss struct {
	phrase string   // such as "branch main"; "" if a field of entries is lost
	field  string   // "the reason"
	entry  string   // "decision"
	titles []string // titles of the entries without the field
}

func (l *losses) add(phrase string) { l.all = append(l.all, loss{phrase: phrase}) }

// of records that an entry has lost a field.
func (l *losses) of(field, entry, title string) {
	i := slices.IndexFunc(l.all, func(k loss) bool { return k.field == field && k.entry == entry })
	if i < 0 {
		i = len(l.all)
		l.all = append(l.all, loss{field: field, entry: entry})
	}
	l.all[i].titles = append(l.all[i].titles, title)
}

// missing records that n entries are lost.
func (l *losses) missing(entry string, n int) {
	if n > 0 {
		l.add(words.Counted(n, entry, entry+"s"))
	}
}

// titleCells is the maximum width of a quoted title.
const titleCells = 40

func (l *losses) phrases() []string {
	var all []string
	for _, k := range l.all {
		switch {
		case k.phrase != "":
			all = append(all, k.phrase)
		case len(k.titles) == 1:
			all = append(all, "the "+k.field+" of "+quoted(k.titles[0]))
		default:
			all = append(all, "the "+many(k.field)+" of "+words.Counted(len(k.titles), k.entry, k.entry+"s"))
		}
	}
	return all
}

// many returns the plural of a field.
func many(field string) string {
	switch {
	case field == "evidence", field == "alternatives", strings.HasPrefix(field, "line breaks"):
		return field
	case field == "status":
		return "statuses"
	case field == "priority":
		return "priorities"
	}
	return field + "s"
}

func quoted(s string) string {
	return "“" + words.Cut(strings.Join(strings.Fields(s), " "), titleCells) + "”"
}

// named records the loss of a value with a name, such as "branch main".
func (l *losses) named(name, was, is string) {
	if lossOf(was, is) != lossNone {
		l.add(name + " " + words.Cut(strings.Join(strings.Fields(was), " "), titleCells))
	}
}

// text records a difference between two texts.
func (l *losses) text(name, was, is string) {
	switch lossOf(was, is) {
	case lossNone:
	case lossAll:
		l.add(name)
	case lossBreaks:
		l.add("the line breaks of " + name)
	case lossSome:
		l.add("the exact text of " + name)
	}
}

// field records a difference between two texts of an entry.
func (l *losses) field(field, entry, title, was, is string) {
	switch lossOf(was, is) {
	case lossNone:
	case lossBreaks:
		l.of("line breaks in the "+field, entry, title)
	case lossAll, lossSome:
		l.of(field, entry, title)
	}
}

// exact records a difference between the texts that identify an entry.
func (l *losses) exact(entry, was, is string) {
	switch lossOf(was, is) {
	case lossNone:
	case lossBreaks:
		l.of("line breaks", entry, was)
	case lossAll, lossSome:
		l.of("exact text", entry, was)
	}
}

// textLoss says how much of a text was lost.
type textLoss int

const (
	lossNone   textLoss = iota
	lossAll             // the text is missing
	lossBreaks          // all words are there, but the lines differ
	lossSome            // the words differ
)

func lossOf(was, is string) textLoss {
	switch {
	case sameText(was, is), sameText(was, ""):
		return lossNone
	case sameText(is, ""):
		return lossAll
	case slices.Equal(strings.Fields(was), strings.Fields(is)):
		return lossBreaks
	}
	return lossSome
}

// sameTime reports whether two times are in the same second, or was is unknown.
func sameTime(was, is time.Time) bool {
	return was.IsZero() || was.Truncate(time.Second).Equal(is.Truncate(time.Second))
}

// sameText reports whether two texts have the same result of Lines.
func sameText(a, b string) bool { return a == b || slices.Equal(Lines(a), Lines(b)) }

// Lines returns the lines of a text without blank lines. Words are separated by one blank.
func Lines(text string) []string {
	var lines []string
	for _, l := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}
