package render

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/family"
)

// isEvent reports whether a session continues its parent. A line above such a session says how it began.
func isEvent(list []family.Member, i int) bool {
	return i > 0 && !list[i].Branch && list[i].Step == nil
}

// blanks reports whether a row has a blank line before and after it.
func blanks(list []family.Member, i int, airy bool) (before, after bool) {
	switch {
	case !airy || list[i].Branch || i == 0:
		return false, false
	case list[i].Step == nil:
		return true, false
	}
	return true, i+1 < len(list) && list[i+1].Branch && list[i+1].Depth == list[i].Depth+1 && goesOn(list, i, list[i].Depth)
}

// tree draws the rows of a family.
type tree struct {
	list []family.Member
	of   int // index of the session of the family, or -1
	o    RowOptions
}

// rail draws a line above member i. end is the index of the row below the line.
func (t *tree) rail(i, end int, text ...Span) string {
	l := NewLine(t.o.Styles, t.o.Width).To(t.o.familyAt())
	t.rails(l, familyRails(t.list, i)+"│", end)
	l.Put(Text, " ")
	for _, s := range text {
		l.PutUntil(s.Ink, s.Text, t.o.Width-1)
	}
	return l.String()
}

func (t *tree) rails(l *Line, rails string, end int) {
	if rest, ok := strings.CutPrefix(rails, "│"); ok && end <= t.of {
		l.Put(Accent, "┃")
		rails = rest
	} else if rest, ok := strings.CutPrefix(rails, "├"); ok && end <= t.of {
		l.Put(Accent, "┠")
		rails = rest
	}
	l.Put(Rule, rails)
}

// event returns how a session on the line of its parent began, such as "/clear, continues below".
func (t *tree) event(i int) []Span {
	m, text := &t.list[i], ""
	switch m.Relation {
	case family.Fork:
		text = "forked at message " + words.Count(m.At)
		if of := familyCount(t.list, m.Parent); of != "" {
			text += " of " + of
		}
	case family.Clear:
		text = "/clear, continues below"
		if !m.When.IsZero() {
			return []Span{{Faint, m.When.In(t.o.Now.Location()).Format("15:04") + "  "}, {Muted, text}}
		}
	case family.Plan:
		text = "its plan is carried out below"
	case family.Summary, family.Continued:
		text = "continues in another session"
	case family.Root, family.Same:
		text = familyWord(t.list, i)
	}
	return []Span{{Muted, text}}
}

// familyRails returns the rails to the left of a member, one column for each ancestor.
func familyRails(list []family.Member, i int) string {
	var b strings.Builder
	for level := range list[i].Depth {
		on := goesOn(list, i, level)
		switch starts := list[i].Branch && level == list[i].Depth-1; {
		case starts && on:
			b.WriteString("├─ ")
		case starts:
			b.WriteString("╰─ ")
		case on:
			b.WriteString("│  ")
		default:
			b.WriteString("   ")
		}
	}
	return b.String()
}

// goesOn reports whether the rail of a level continues below row i.
func goesOn(list []family.Member, i, level int) bool {
	for k := i + 1; k < len(list) && list[k].Depth >= level; k++ {
		switch {
		case list[k].Depth == level:
			return !list[k].Branch
		case list[k].Depth == level+1 && list[k].Branch:
			return true
		}
	}
	return false
}
