package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	promptLines = 2 // maximum number of lines of the last prompt
	answerLines = 5
	nextSteps   = 5
	whyLines    = 2 // maximum number of lines about a problem of a hook
)

// last draws the last prompt and the last answer of the newest session.
func (c *pane) last() {
	if c.Last == nil {
		c.group("Where was I?", "")
		c.note(c.text, "No session here yet. Start claude in this folder.")
		return
	}
	var age []Span
	if c.Last.Row.Dated() {
		age = []Span{{Faint, words.Ago(c.o.Now, c.Last.Row.When())}}
	}
	c.group("Where was I?", "", age...)
	for i, s := range Opening(ProseLines(c.Last.Prompt), c.right-c.text, promptLines) {
		l := c.line(survey.Item{})
		if i == 0 {
			c.mark(l, Span{AccentBold, "❯"})
		}
		c.put(l.To(c.text).PutUntil(Strong, s, c.right), survey.Item{})
	}
	if c.o.Blanks && c.Last.Prompt != "" && c.Last.Answer != "" {
		c.blank()
	}
	for _, s := range Opening(ProseLines(c.Last.Answer), c.right-c.text, answerLines) {
		c.put(c.line(survey.Item{}).To(c.text).PutUntil(Text, s, c.right), survey.Item{})
	}
	where := "end of "
	if c.Last.Answer == "" && c.Last.Prompt != "" {
		where = "not answered yet, in "
	}
	c.put(c.line(survey.Item{}).To(c.text).PutUntil(Faint, where, c.right).PutUntil(Muted, Title(&c.Last.Row), c.right), survey.Item{})
}

// next lists the next steps.
func (c *pane) next() {
	if len(c.Next)+c.Todos == 0 {
		return
	}
	from := ""
	if c.NextFrom != "" && len(c.Next) > 0 {
		from = "from " + c.NextFrom
	}
	c.group("Next steps", from)
	for i, step := range c.Next[:min(len(c.Next), nextSteps)] {
		l := c.line(survey.Item{}).To(c.text).PutUntil(Muted, strconv.Itoa(i+1), c.right)
		c.put(l.To(c.text+3).PutUntil(Text, Prose(transcript.CleanLine(step)), c.right), survey.Item{})
	}
	if more := len(c.Next) - nextSteps; more > 0 {
		c.note(c.text, "… "+words.Count(more)+" more")
	}
	if c.Todos > 0 {
		text := words.Counted(c.Todos, "open todo", "open todos") + " in " + words.Counted(c.TodosIn, "document", "documents")
		if len(c.Next) > 0 {
			text = "and " + text
		}
		c.note(c.text, text)
	}
}

// sessions lists the newest sessions.
func (c *pane) sessions() {
	if c.All == 0 {
		return
	}
	const age, msgs = 4, 4
	var head []Span
	hasMessages, hasAge := c.width >= twoColumnsFrom/2, c.width >= leastAge
	switch {
	case hasMessages:
		head = []Span{{Faint, " age  msgs"}}
	case hasAge:
		head = []Span{{Faint, "age"}}
	}
	c.group("Sessions", words.Count(c.All), head...)
	for i := range c.Sessions {
		r := &c.Sessions[i]
		item := survey.Item{Kind: survey.ItemSession, Key: r.Path}
		l := c.line(item)
		glyph, word := BadgeSpans(r, c.o.Now)
		c.mark(l, glyph)
		right := c.right
		if hasMessages {
			right -= msgs + 2
		}
		end := right
		if hasAge {
			end -= age + 1
		}
		titleEnd := end
		if w := ansi.StringWidth(word.Text); w > 0 && end-c.text-w-2 >= leastTitle {
			titleEnd = end - w - 2
		} else {
			word = Span{}
		}
		o := RowOptions{Chosen: c.isChosen(item)}
		l.PutUntil(o.titleInk(r), Title(r), titleEnd)
		if word.Text != "" {
			l.Right(end, word)
		}
		if hasAge {
			l.Right(right, Span{Muted, RowAge(r, c.o.Now)})
		}
		if hasMessages {
			l.Right(c.right, Span{Faint, Messages(r)})
		}
		c.put(l, item)
	}
	if more := c.All - len(c.Sessions); more > 0 {
		text := "… " + words.Count(more) + " more"
		if c.Purged > 0 {
			text += ", " + words.Count(c.Purged) + " to be purged " + inDays(c.o.Now, c.PurgedBy)
		}
		c.note(c.text, text)
	}
}

// document shows the newest session document.
func (c *pane) document() {
	r := c.Document
	if r == nil {
		return
	}
	c.group("Newest document", "", Span{Muted, RowAge(r, c.o.Now)})
	item := survey.Item{Kind: survey.ItemDocument, Key: r.Path}
	glyph := Span{Faint, "§"}
	if documentFault(r) != "" {
		glyph = Span{BadBold, "✗"}
	}
	l := c.mark(c.line(item), glyph)
	o := RowOptions{Chosen: c.isChosen(item)}
	l.PutUntil(o.titleInk(r), Title(r), c.right)
	c.put(l, item)
	var facts []string
	if fault := documentFault(r); fault != "" {
		facts = append(facts, fault)
	} else if status := documentStatus(r); status != "" {
		facts = append(facts, status)
	}
	if n := sessions.OpenTodos(r.Todos); n > 0 {
		facts = append(facts, words.Count(n)+" open")
	}
	facts = append(facts, Base(r.Path))
	c.put(c.line(item).To(c.text).PutUntil(Faint, strings.Join(facts, " · "), c.right), item)
}

// needs lists what needs the user's attention.
func (c *pane) needs() {
	c.group("Needs you", "")
	if len(c.Needs)+len(c.NotKnown) == 0 {
		c.put(c.mark(c.line(survey.Item{}), Span{Faint, "·"}).PutUntil(Muted, "Nothing.", c.right), survey.Item{})
		return
	}
	if len(c.NotKnown) > 0 {
		text := "Could not be checked: " + strings.Join(c.NotKnown, ", ") + "."
		c.put(c.mark(c.line(survey.Item{}), Span{Warn, "…"}).PutUntil(Text, text, c.right), survey.Item{})
	}
	for i := range c.Needs {
		n := &c.Needs[i]
		item := survey.Item{Kind: survey.ItemNeed, Key: string(n.Kind)}
		glyph, more := needGlyph(n, c.o.Now), Prose(transcript.CleanLine(n.More))
		if n.Kind == survey.NeedPurge {
			more = "purge " + inDays(c.o.Now, n.By)
		}
		c.put(c.put2(c.mark(c.line(item), glyph), Bold, NeedWords(n), Span{Muted, more}), item)
	}
}

// NeedWords returns the number and the kind of a need, such as "2 backups not reviewed".
func NeedWords(n *survey.Need) string {
	switch n.Kind {
	case survey.NeedQuestion:
		return words.Counted(n.N, "question", "questions")
	case survey.NeedPending:
		return words.Counted(n.N, "backup", "backups") + " pending"
	case survey.NeedPurge:
		return words.Counted(n.N, "session", "sessions") + " without a copy"
	case survey.NeedUnsaved:
		return words.Counted(n.N, "session", "sessions") + " not backed up"
	case survey.NeedHooks:
		return words.Counted(n.N, "hook does", "hooks do") + " not fire"
	case survey.NeedUnseen:
		return words.Counted(n.N, "backup", "backups") + " not reviewed"
	case survey.NeedTask:
		return words.Counted(n.N, "task", "tasks") + " to resume"
	}
	return ""
}

func needGlyph(n *survey.Need, now time.Time) Span {
	switch n.Kind {
	case survey.NeedQuestion:
		return Span{AccentBold, "?"}
	case survey.NeedPending:
		return Span{Urgent, "!"}
	case survey.NeedPurge:
		if -words.DaysBetween(n.By, now) <= purgeNow {
			return Span{Urgent, "▲"}
		}
		return Span{Warn, "△"}
	case survey.NeedUnsaved, survey.NeedHooks, survey.NeedTask:
		return Span{Warn, "△"}
	case survey.NeedUnseen:
	}
	return Span{Faint, "·"}
}

// inDays returns the calendar days until t, such as "in 2 days"; "today" if t is in the past.
func inDays(now, t time.Time) string {
	if days := -words.DaysBetween(t, now); days > 0 {
		return "in " + words.Counted(days, "day", "days")
	}
	return "today"
}
