package notes

import (
	"bytes"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// Replacement is a key of the newest Session Continuity with a new value.
type Replacement struct {
	Text    []byte // whole text of NOTES.md with the new value
	Was     string // previous lines; "" if the key is new
	Now     string // new line
	Line    int    // number of the new line, from 1
	Section string // heading of its section
}

// Keyed returns the text with the value of an entry that is a key of the Session Continuity (spec 002, Active Context):
// Reasoning State or Current Bead. The value replaces the previous one with its continuation lines and nested items. A
// new key goes below Active Context, else below the heading of the section. ok is false for other entries, and without a
// Session Continuity: Insert then creates one.
func (n *Notes) Keyed(e Entry) (r Replacement, ok bool) {
	name, isKey := keyOf(e.Kind)
	if isKey == nil || n.continuity.Section < 0 {
		return r, false
	}
	return n.keyed(name, e.value(), isKey, true), true
}

// keyOf returns the name of the key of a kind of entry, and a function that recognises the key in lower case; nil for
// kinds that aren't keys.
func keyOf(k EntryKind) (name string, isKey func(label string) bool) {
	switch k {
	case EntryState:
		return "Reasoning State", isState
	case EntryBead:
		return "Current Bead", isBeadKey
	default:
		return "", nil
	}
}

func isBeadKey(label string) bool {
	return label == "current bead" || label == "active bead" || label == "bead"
}

// value returns the value of an entry that is a key: the state on one line, or the bead with its title in parentheses.
func (e Entry) value() string {
	text := strings.Join(plainLines(e.Text), " ")
	if e.Kind != EntryBead {
		return text
	}
	id, title, _ := strings.Cut(text, " ")
	if title = strings.TrimSpace(title); title != "" && !strings.HasPrefix(title, "(") {
		title = "(" + title + ")"
	}
	return strings.TrimSpace(id + " " + title)
}

// keyed sets the value of a key of the newest Session Continuity. With whole, continuation lines of the previous value
// are replaced, too.
func (n *Notes) keyed(name, value string, isKey func(label string) bool, whole bool) Replacement {
	at := n.continuity.Section
	sec := &n.Sections[at]
	s := n.scan(sec.Body, sec.End, sec.Line+1)
	for {
		l, more := s.next()
		if !more {
			break
		}
		if l.Kind == mark.Code || l.Kind == mark.Comment || bytes.IndexByte(n.Text[l.lo:l.hi], '|') >= 0 {
			continue
		}
		from := max(l.mark, l.at)
		label, rest, is := cutLabel(n.str[from:l.hi], anyLabel)
		if !is || !isKey(strings.ToLower(label)) {
			continue
		}
		end := len(bytes.TrimRight(n.Text[:l.hi], " \t\r"))
		head := n.str[l.lo : end-len(rest)]
		for i := at; i < len(n.Sections) && n.Sections[i].Body <= l.lo; i++ {
			sec = &n.Sections[i] // the innermost
		}
		to := end
		for whole {
			next, more := s.next()
			if !more {
				break
			}
			_, _, other := cutLabel(n.str[max(next.mark, next.at):next.hi], anyLabel)
			if next.Kind != mark.Text || next.Level > 0 || next.Indent <= l.Indent && (next.mark > next.at || other) {
				break
			}
			to = len(bytes.TrimRight(n.Text[:next.hi], " \t\r"))
		}
		return Replacement{
			Text: slices.Concat(n.Text[:end-len(rest)], []byte(gap(rest)+value), n.Text[to:]),
			Was:  strings.ReplaceAll(n.str[l.lo:to], "\r", ""), Now: head + gap(rest) + value, Line: l.num, Section: sec.Title,
		}
	}
	for _, i := range n.below(at) {
		if n.Sections[i].Kind == KindContext {
			sec = &n.Sections[i]
			break
		}
	}
	ending := "\n"
	if n.CRLF {
		ending = "\r\n"
	}
	line := "- **" + name + "**: " + value
	lead, after := "", line+ending
	if sec.Body > 0 && n.Text[sec.Body-1] != '\n' { // the file ends with the heading
		lead = ending
	}
	if sec.Body < len(n.Text) && n.Text[sec.Body] != '\n' && n.Text[sec.Body] != '\r' && n.Text[sec.Body] != '-' {
		after += ending
	}
	return Replacement{Text: slices.Concat(n.Text[:sec.Body], []byte(lead+after), n.Text[sec.Body:]), Now: line, Line: sec.Line + 1, Section: sec.Title}
}

// gap returns the white space between a label and an empty value.
func gap(rest string) string {
	if rest == "" {
		return " "
	}
	return ""
}
