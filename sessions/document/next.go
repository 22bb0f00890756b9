package document

import (
	"math"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions"
)

// isNext reports whether a heading or label means next steps, such as Next Up or Notes for Next Session.
func isNext(title string) bool {
	title = strings.ToLower(strings.TrimRight(title, ": "))
	return title == "next" || strings.HasSuffix(title, "next session") || strings.HasSuffix(title, " next steps") ||
		slices.ContainsFunc([]string{"next step", "next up", "next action", "next session", "next task"}, func(s string) bool {
			return strings.HasPrefix(title, s)
		})
}

// nextLabel is the state of the list after a label such as "- **Next:**". Real active contexts have such a label for
// each task.
type nextLabel struct {
	on   bool
	from int // smallest indentation of an entry
}

// label reads a line. It returns true for such a label or a line of its list.
func (o *outline) label(raw string, l mark.Line) bool {
	_, line, item := sessions.CutBullet(strings.TrimSpace(raw))
	title, text, labelled := cutLabel(line)
	n := &o.inNext
	switch {
	case n.on && item && l.Indent >= n.from:
		o.next.add(raw)
		return true
	case n.on && !item && !labelled && o.next.add(raw):
		return true
	}
	if n.on = labelled && isNext(title); !n.on {
		return false
	}
	o.next.most, o.next.lines = maxSteps, sessions.ListReader{}
	switch {
	case text != "": // the only entry
		n.from = math.MaxInt
		o.next.add("- " + text)
	case item: // its list is nested
		n.from = l.Indent + 1
	default:
		n.from = 0
	}
	return true
}

// cutLabel splits a line "**Title:** text" or "**Title**: text".
func cutLabel(line string) (title, text string, ok bool) {
	if line, ok = strings.CutPrefix(line, "**"); !ok {
		return "", "", false
	}
	title, text, ok = strings.Cut(line, "**")
	title, inside := strings.CutSuffix(strings.TrimSpace(title), ":")
	if !inside {
		var after bool
		text, after = strings.CutPrefix(strings.TrimSpace(text), ":")
		ok = ok && after
	}
	title = strings.TrimSpace(title)
	return title, strings.TrimSpace(text), ok && title != ""
}
