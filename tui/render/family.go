package render

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	leastMessages = 62 // narrower rows have no number of messages
	railWidth     = 3  // cells of one level
)

// FamilyRow returns the FamilyHeight lines of a member of a family. If the session continues its parent, the first line
// says how, such as "/clear". The rails to the session with the given path are heavy. If airy is true, blank lines
// surround the lines between sessions.
func FamilyRow(list []family.Member, i int, path string, airy bool, o RowOptions) []string {
	t := tree{list: list, o: o, of: slices.IndexFunc(list, func(m family.Member) bool { return m.Row != nil && m.Step == nil && m.Row.Path == path })}
	before, after := blanks(list, i, airy)
	var lines []string
	if before {
		lines = append(lines, t.rail(i, i))
	}
	switch s := list[i].Step; {
	case s != nil:
		lines = append(lines, t.step(i)...)
	case isEvent(list, i):
		lines = append(lines, t.rail(i, i, t.event(i)...))
		if airy {
			lines = append(lines, t.rail(i, i))
		}
		fallthrough
	default:
		lines = append(lines, t.session(i, path))
	}
	if after {
		lines = append(lines, t.rail(i, i+1))
	}
	return lines
}

// FamilyHeight returns the number of lines that FamilyRow returns.
func FamilyHeight(list []family.Member, i int, airy bool) int {
	n := 1
	before, after := blanks(list, i, airy)
	for _, more := range []bool{
		before, after, list[i].Step != nil && list[i].Step.Kind == family.StepBranch, isEvent(list, i), isEvent(list, i) && airy,
	} {
		if more {
			n++
		}
	}
	return n
}

func (o *RowOptions) familyAt() int {
	if o.Command {
		return 0
	}
	return 2
}

// session draws the row of a session.
func (t *tree) session(i int, path string) string {
	list, o, m := t.list, &t.o, &t.list[i]
	l, at := o.line(), o.familyAt()
	age, msgs, id, end := o.familyColumns()
	// A deep tree has only the rails of its last levels, so that the title gets half of the row.
	rails := []rune(familyRails(list, i))
	if most := (end - at) / 2; len(rails) > most {
		rails = rails[len(rails)-max(most, 0)/railWidth*railWidth:]
	}
	l.To(at)
	t.rails(l, string(rails), i)
	if m.Row == nil {
		l.Put(Faint, "✗ "+transcript.CleanLine(m.ID[:min(len(m.ID), shortID)])+"  ").PutUntil(Muted, familyMissing, o.Width-1)
		return l.To(o.Width).String()
	}
	r := m.Row.Described()
	glyph, badge := BadgeSpans(m.Row, o.Now)
	l.Put(glyph.Ink, glyph.Text).Put(Text, " ")
	title, this, word := Title(r), Span{Accent, here(m.Row.Path == path)}, Span{}
	if !isEvent(list, i) { // otherwise the line above already says it
		word = Span{Muted, familyWord(list, i)}
	}
	right, room := []Span{}, end-l.At()
	// Leave out words that don't fit.
	for k, words := range [...][]Span{familyWords(this, word, badge), familyWords(word, badge), familyWords(this, word), familyWords(word)} {
		rest := end - l.At() - SpansWidth(words) - 2
		if ansi.StringWidth(title) <= rest || k > 2 && rest >= leastTitle/2 {
			right, room = words, rest
			break
		}
	}
	l.PutUntil(o.titleInk(r), title, l.At()+room).Right(end, right...)
	if age >= 0 {
		l.Right(age+figureWidth, Span{Muted, RowAge(r, o.Now)})
	}
	if msgs >= 0 {
		l.Right(msgs+figureWidth, Span{Faint, Messages(r)})
	}
	if id >= 0 {
		l.To(id).Put(Faint, ansi.Truncate(transcript.CleanLine(m.ID), shortID, ""))
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// familyColumns returns the start of each column and the end of the title. A column that doesn't fit has the start -1.
func (o *RowOptions) familyColumns() (age, msgs, id, end int) {
	age, msgs, id, end = -1, -1, -1, o.Width-1
	if o.Command {
		if end = o.Width; o.Width >= 40 {
			id = end - shortID
			end = id - 2
		}
	}
	if o.Width >= leastMessages {
		msgs = end - figureWidth
		end = msgs - 2
	}
	if o.Width >= leastAge {
		age = end - figureWidth
		end = age - 2
	}
	return age, msgs, id, end
}

func here(is bool) string {
	if is {
		return "this session"
	}
	return ""
}

// familyWords joins the spans that have a text, with separators.
func familyWords(spans ...Span) []Span {
	var list []Span
	for _, s := range spans {
		if s.Text != "" && len(list) > 0 {
			list = append(list, Span{Faint, " · "})
		}
		if s.Text != "" {
			list = append(list, s)
		}
	}
	return list
}

// familyWord returns the relation of a session to its parent, such as "fork at 12".
func familyWord(list []family.Member, i int) string {
	switch m := &list[i]; m.Relation {
	case family.Fork:
		if of := familyCount(list, m.Parent); of != "" {
			return "fork at " + words.Count(m.At) + " of " + of
		}
		return "fork at " + words.Count(m.At)
	case family.Same:
		return "same prompts"
	case family.Clear:
		return "after /clear"
	case family.Plan:
		return "from its plan"
	case family.Summary, family.Continued:
		return "continued"
	case family.Root:
	}
	return ""
}

func familyCount(list []family.Member, i int) string {
	if r := list[i].Row; r != nil && r.Described().Counted() {
		return words.Count(r.Described().Messages)
	}
	return ""
}

const familyMissing = "not here: deleted or in another folder"

// FamilyAbout returns a sentence about the relation of a session to its parent; "" for the first session.
func FamilyAbout(list []family.Member, i int, o RowOptions) string {
	m := &list[i]
	if m.Step != nil {
		return stepAbout(m.Step)
	}
	if m.Parent < 0 {
		return ""
	}
	parent := "a session that is " + familyMissing
	if r := list[m.Parent].Row; r != nil {
		parent = "“" + words.Cut(Title(r.Described()), 40) + "”"
	}
	switch m.Relation {
	case family.Fork:
		of := familyCount(list, m.Parent)
		if of != "" {
			of = " of " + of
		}
		return fmt.Sprintf("Begins with the first %s%s messages of %s.", words.Count(m.At), of, parent)
	case family.Same:
		return "Has the same prompts as " + parent + "."
	case family.Clear:
		return "Linked by the time of the /clear. The transcripts don't name each other."
	case family.Plan:
		return "Carries out a plan of " + parent + "."
	case family.Summary:
		return "Begins with a summary of " + parent + "."
	case family.Continued:
		return parent + " was continued here."
	case family.Root:
	}
	return ""
}

// FamilyHeader returns the line above a family: its counts and the names of the columns.
func FamilyHeader(list []family.Member, o RowOptions) string {
	n, agents, branches, tokens := 0, 0, 0, int64(0)
	for i := range list {
		switch r, s := list[i].Row, list[i].Step; {
		case s != nil && s.Kind == family.StepBranch:
			branches++
		case s != nil && s.Kind == family.StepAgent && s.Path == "":
			agents++
		case s == nil && r != nil:
			n, agents, tokens = n+1, agents+len(r.Described().Agents), tokens+r.Described().Tokens.Fresh()
		}
	}
	text := words.Counted(n, "session", "sessions")
	if agents > 0 {
		text += ", " + words.Counted(agents, "agent", "agents")
	}
	if branches > 0 {
		text += ", " + words.Counted(branches, "hidden branch", "hidden branches")
	}
	if tokens > 0 {
		text += ", " + Tokens(tokens) + " tokens"
	}
	age, msgs, id, end := o.familyColumns()
	l := NewLine(o.Styles, o.Width)
	if !o.Command {
		l.To(min(4, o.Width/8))
	}
	l.PutUntil(Heading, "Family", end).PutUntil(Faint, "  "+text, end)
	if age >= 0 {
		l.Right(age+figureWidth, Span{Faint, "age"})
	}
	if msgs >= 0 {
		l.Right(msgs+figureWidth, Span{Faint, "msgs"})
	}
	if id >= 0 {
		l.To(id).Put(Faint, "id")
	}
	return l.String()
}

// Alone returns the sentence for a session without relatives.
func Alone(r *sessions.Row) string {
	return "“" + words.Cut(Title(r.Described()), 60) + "” has no relatives: it isn't a fork or a continuation of another session, and none comes from it."
}
