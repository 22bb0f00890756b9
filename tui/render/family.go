package render

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	leastMessages = 62 // in rows narrower than this, the messages are left out
	railWidth     = 3  // cells of one level
)

// FamilyRow returns the lines that show a session in its family. FamilyHeight returns their number. The last line
// has the place of the session in the tree, the title, and the columns of FamilyHeader. The relation to the parent
// is on this line or on the line above. path is the path of the session whose family is shown.
func FamilyRow(list []family.Member, i int, path string, o RowOptions) []string {
	if list[i].Step != nil {
		return stepRows(list, i, o)
	}
	row := familyRow(list, i, path, o)
	if FamilyHeight(list, i) == 1 {
		return []string{row}
	}
	rail := NewLine(o.Styles, o.Width).To(o.familyAt()).Put(Rule, familyRails(list, i)+"│")
	return []string{rail.PutUntil(Faint, "  "+familyWord(list, i), o.Width-1).String(), row}
}

// FamilyHeight returns the number of lines of a session in its family. A continuation has one more line, which leads to
// it, and a hidden branch has one about where it parts.
func FamilyHeight(list []family.Member, i int) int {
	switch s := list[i].Step; {
	case s != nil && s.Kind == family.StepBranch, s == nil && i > 0 && !list[i].Branch:
		return 2
	}
	return 1
}

func (o *RowOptions) familyAt() int {
	if o.Command {
		return 0
	}
	return 2
}

func familyRow(list []family.Member, i int, path string, o RowOptions) string {
	m := &list[i]
	l, at := o.line(), o.familyAt()
	age, msgs, id, end := o.familyColumns()
	// A deep tree shows only the last levels, so that the title gets half of the row.
	rails := []rune(familyRails(list, i))
	if most := (end - at) / 2; len(rails) > most {
		rails = rails[len(rails)-max(most, 0)/railWidth*railWidth:]
	}
	l.To(at).Put(Rule, string(rails))
	if m.Row == nil {
		l.Put(Faint, "✗ "+transcript.CleanLine(m.ID[:min(len(m.ID), shortID)])+"  ").PutUntil(Muted, familyMissing, o.Width-1)
		return l.To(o.Width).String()
	}
	r := m.Row.Described()
	glyph, badge := BadgeSpans(m.Row, o.Now)
	l.Put(glyph.Ink, glyph.Text).Put(Text, " ")
	title, this, word := Title(r), Span{Accent, here(m.Row.Path == path)}, Span{}
	if FamilyHeight(list, i) == 1 { // otherwise, it is on the line above
		word = Span{Muted, familyWord(list, i)}
	}
	right, room := []Span{}, end-l.At()
	// The badge is left out first, because the glyph has the same meaning.
	for k, words := range [...][]Span{familyWords(this, word, badge), familyWords(this, word), familyWords(word)} {
		rest := end - l.At() - SpansWidth(words) - 2
		if ansi.StringWidth(title) <= rest || k > 0 && rest >= leastTitle/2 {
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

// familyColumns returns the columns that fit, or -1 for a column that doesn't fit, and the end of the title.
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

// familyWords joins those spans that have a text, and puts a separator between them.
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

// familyRails returns the lines that lead to a member: one column for each level above the member. A column has a
// line if a later session continues this level.
func familyRails(list []family.Member, i int) string {
	var b strings.Builder
	for level := range list[i].Depth {
		goesOn := false // a later session continues the line of this level
		for k := i + 1; k < len(list) && list[k].Depth >= level; k++ {
			if list[k].Depth == level && list[k].Branch {
				break
			}
			if goesOn = list[k].Depth == level || list[k].Depth == level+1 && list[k].Branch; goesOn {
				break
			}
		}
		switch starts := list[i].Branch && level == list[i].Depth-1; {
		case starts && goesOn:
			b.WriteString("├─ ")
		case starts:
			b.WriteString("╰─ ")
		case goesOn:
			b.WriteString("│  ")
		default:
			b.WriteString("   ")
		}
	}
	return b.String()
}

// familyWord describes in a few words how a session is related to its parent.
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

// familyCount returns the number of messages of a member as text; "" if the number is unknown.
func familyCount(list []family.Member, i int) string {
	if r := list[i].Row; r != nil && r.Described().Counted() {
		return words.Count(r.Described().Messages)
	}
	return ""
}

const familyMissing = "not here: deleted or in another folder"

// FamilyAbout describes in a sentence how a session is related to its parent. It returns "" for the first session.
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
		return "Has the prompts of " + parent + " and no others."
	case family.Clear:
		return "Began with /clear after " + parent + ", " + words.Inside(o.Now, m.When) + ". Found by time."
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

// FamilyHeader returns the line above a family: the numbers of sessions, sub-agents and hidden branches, and the names of
// the columns.
func FamilyHeader(list []family.Member, o RowOptions) string {
	n, agents, branches := 0, 0, 0
	for i := range list {
		switch r, s := list[i].Row, list[i].Step; {
		case s != nil && s.Kind == family.StepBranch:
			branches++
		case s == nil && r != nil:
			n, agents = n+1, agents+len(r.Described().Agents)
		}
	}
	text := words.Counted(n, "session", "sessions")
	if agents > 0 {
		text += ", " + words.Counted(agents, "agent", "agents")
	}
	if branches > 0 {
		text += ", " + words.Counted(branches, "hidden branch", "hidden branches")
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

// Alone returns a sentence for a session that has no relatives.
func Alone(r *sessions.Row) string {
	return "“" + words.Cut(Title(r.Described()), 60) + "” has no relatives: it isn't a fork or a continuation of another session, and none comes from it."
}
