package notes

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/mark"
)

// Checkpointed returns the text with the time at as the last checkpoint of the newest Session Continuity (spec
// 002, Active Context). If that section has a line Last Checkpoint, only the value of the line changes. Otherwise,
// Checkpointed inserts such a line below the heading of the section. The result line is the number of the changed
// or new line. If the text has no Session Continuity, Checkpointed returns the text unchanged, and ok is false.
func (n *Notes) Checkpointed(at time.Time) (text []byte, line int, ok bool) {
	if n.continuity.Section < 0 {
		return n.Text, 0, false
	}
	sec := &n.Sections[n.continuity.Section]
	stamp := at.UTC().Format(time.RFC3339)
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
		label, rest, is := cutLabel(string(n.Text[from:l.hi]), anyLabel)
		if !is || !strings.EqualFold(label, "last checkpoint") {
			continue
		}
		end := len(bytes.TrimRight(n.Text[:l.hi], " \t\r"))
		return slices.Concat(n.Text[:end-len(rest)], []byte(gap(rest)+stamp), n.Text[end:]), l.num, true
	}
	ending := "\n"
	if n.CRLF {
		ending = "\r\n"
	}
	lead, after := "", "- **Last Checkpoint**: "+stamp+ending
	if sec.Body > 0 && n.Text[sec.Body-1] != '\n' { // the file ends with the heading
		lead = ending
	}
	if sec.Body < len(n.Text) && n.Text[sec.Body] != '\n' && n.Text[sec.Body] != '\r' && n.Text[sec.Body] != '-' {
		after += ending
	}
	line = sec.Line + 1
	return slices.Concat(n.Text[:sec.Body], []byte(lead+after), n.Text[sec.Body:]), line, true
}

// gap returns the white space between a label and an empty value.
func gap(rest string) string {
	if rest == "" {
		return " "
	}
	return ""
}
