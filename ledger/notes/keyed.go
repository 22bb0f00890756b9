package notes

import (
	"slices"
	"strings"
)

// Replacement is a change of one key in the newest Session Continuity.
type Replacement struct {
	Text    []byte // whole text of NOTES.md with the new value
	Was     string // the replaced lines; "" for a new key
	Now     string // new line
	Line    int    // number of the changed or new line, from 1
	Section string // heading of its section
}

// Keyed sets the key Reasoning State or Current Bead in Session Continuity (spec 002, Active Context). It replaces
// the whole old value. A new key goes below Active Context or the heading of the section. If ok is false, use Insert:
// for another kind of entry, or without a Session Continuity.
func (n *Notes) Keyed(e Entry) (r Replacement, ok bool) {
	k := keyOf(e.Kind)
	if k.is == nil || n.continuity.Section < 0 {
		return r, false
	}
	return n.keyed(k, e.value()), true
}

// contextKey is a key of a Session Continuity.
type contextKey struct {
	name   string
	is     func(label string) bool // reports whether a label in lower case is the key
	extent extent
}

// extent is the end of a key's value.
type extent int

const (
	extentLine      extent = iota // the line of the key
	extentParagraph               // also continuation lines
	extentItem                    // in a list, also nested items
)

func stateKey() contextKey { return contextKey{"Reasoning State", isState, extentItem} }

func beadKey() contextKey { return contextKey{"Current Bead", isBeadKey, extentParagraph} }

func checkpointKey() contextKey {
	return contextKey{"Last Checkpoint", func(label string) bool { return label == "last checkpoint" }, extentLine}
}

// keyOf returns the key for a kind of entry; the zero value if the kind has no key.
func keyOf(k EntryKind) contextKey {
	switch k {
	case EntryState:
		return stateKey()
	case EntryBead:
		return beadKey()
	default:
		return contextKey{}
	}
}

// line returns the list item of a key with a value.
func (k contextKey) line(value string) string { return "- **" + k.name + "**: " + value }

func isBeadKey(label string) bool {
	return label == "current bead" || label == "active bead" || label == "bead"
}

// value returns the value of the key for an entry.
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

// keyed sets the value of a key of the newest Session Continuity.
func (n *Notes) keyed(k contextKey, value string) Replacement {
	for _, i := range n.keySections(k) {
		for b := range n.body(i) {
			lo, hi, ok := n.valueIn(b, k)
			if !ok {
				continue
			}
			if lo == hi || strings.IndexByte(" \t\r\n", n.str[lo]) >= 0 { // the line has no value
				value = " " + value
			}
			from := strings.LastIndexByte(n.str[:lo], '\n') + 1
			return Replacement{
				Text: slices.Concat(n.Text[:lo], []byte(value), n.Text[hi:]), Was: strings.ReplaceAll(n.str[from:hi], "\r", ""), Now: n.str[from:lo] + value,
				Line: b.line + strings.Count(n.str[b.lo:lo], "\n"), Section: n.Sections[i].Title,
			}
		}
	}
	return n.addKey(k.line(value))
}

// keySections returns the sections that may contain a key of the newest Session Continuity.
func (n *Notes) keySections(k contextKey) []int {
	at := n.continuity.Section
	all := []int{at}
	if k.extent == extentLine {
		for i := at + 1; i < len(n.Sections) && n.Sections[i].Start < n.Sections[at].End; i++ {
			all = append(all, i)
		}
		return all
	}
	for _, i := range n.below(at) {
		if kind := n.Sections[i].Kind; kind != KindContext && kind != KindFocus {
			continue
		}
		all = append(all, i)
		for _, j := range n.below(i) {
			if n.Sections[j].Kind == KindOther {
				all = append(all, j)
			}
		}
	}
	return all
}

// valueIn returns the byte range of a key's value in a block.
func (n *Notes) valueIn(b block, k contextKey) (lo, hi int, ok bool) {
	at, end := b.lo, b.hi
	switch b.kind {
	case blockText:
	case blockItem:
		at = b.mark
		if k.extent != extentItem {
			end, _ = n.itemParagraph(b)
		}
	case blockTable, blockCode:
		return 0, 0, false
	}
	for at < end {
		next := n.lineEnd(at, end)
		line := strings.TrimRight(n.str[at:next], " \t\r\n")
		if label, rest, is := cutLabel(line, anyLabel); is && k.is(strings.ToLower(label)) {
			for b.kind == blockText && k.extent != extentLine && next < end {
				after := n.lineEnd(next, end)
				if _, _, is := cutLabel(n.str[next:after], anyLabel); is {
					break
				}
				next = after
			}
			if b.kind == blockItem && k.extent != extentLine {
				next = end
			}
			return at + len(line) - len(rest), at + len(strings.TrimRight(n.str[at:next], " \t\r\n")), true
		}
		if b.kind == blockItem {
			break
		}
		at = next
	}
	return 0, 0, false
}

// lineEnd returns the offset after the line that contains at; at most end.
func (n *Notes) lineEnd(at, end int) int {
	if i := strings.IndexByte(n.str[at:end], '\n'); i >= 0 {
		return at + i + 1
	}
	return end
}

// addKey adds the line of a new key.
func (n *Notes) addKey(line string) Replacement {
	at := n.continuity.Section
	sec := &n.Sections[at]
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
	lead, after := "", line+ending
	if sec.Body > 0 && n.Text[sec.Body-1] != '\n' { // the heading is the last line, without a line break
		lead = ending
	}
	if sec.Body < len(n.Text) && n.Text[sec.Body] != '\n' && n.Text[sec.Body] != '\r' && n.Text[sec.Body] != '-' {
		after += ending
	}
	return Replacement{Text: slices.Concat(n.Text[:sec.Body], []byte(lead+after), n.Text[sec.Body:]), Now: line, Line: sec.Line + 1, Section: sec.Title}
}
