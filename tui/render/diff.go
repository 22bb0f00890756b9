package render

import (
	"encoding/json"
	"iter"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// maxContext is how many lines around a change are drawn, on either side, when it comes without a patch.
const maxContext = 3

// fileDiff is what a call did to a file: the patch of its result, else the texts of its input.
type fileDiff struct {
	hunks []transcript.Hunk
	edits []edit
}

// edit replaces one text by another.
type edit struct{ old, new string }

// changeOf returns what a call of that tool changes (tools of clients 1.0.57 to 2.1.330). It is nothing for tools
// that write no file, and for an input that is not what it should be.
func changeOf(tool string, params []param, result *transcript.Block) fileDiff {
	if result != nil && len(result.Patch) > 0 {
		return fileDiff{hunks: result.Patch}
	}
	text := func(key string) string {
		if q := named(params, key); q != nil && q.raw[0] == '"' {
			return q.text()
		}
		return ""
	}
	var edits []edit
	switch tool {
	case "Edit":
		edits = []edit{{text("old_string"), text("new_string")}}
	case "Write":
		edits = []edit{{"", text("content")}}
	case "NotebookEdit":
		edits = []edit{{"", text("new_source")}}
	case "MultiEdit":
		var list []struct {
			Old string `json:"old_string"`
			New string `json:"new_string"`
		}
		if q := named(params, "edits"); q != nil && json.Unmarshal(q.raw, &list) == nil {
			for _, e := range list {
				edits = append(edits, edit{e.Old, e.New})
			}
		}
	}
	for i := 0; i < len(edits); {
		if e := edits[i]; e.old == e.new {
			edits = append(edits[:i], edits[i+1:]...)
			continue
		}
		i++
	}
	return fileDiff{edits: edits}
}

// is reports whether anything is changed.
func (c fileDiff) is() bool { return len(c.hunks)+len(c.edits) > 0 }

// spans counts the lines of the change: +3 −11. A patch of which only the first lines are here ends with "…".
func (c fileDiff) spans() []Span {
	added, removed, cut := 0, 0, false
	for i := range c.hunks {
		h := &c.hunks[i]
		cut = cut || len(h.Lines) < max(h.OldLines, h.NewLines)
		for _, l := range h.Lines {
			switch sign, _ := splitSign(l); sign {
			case signAdded:
				added++
			case signRemoved:
				removed++
			}
		}
	}
	for _, e := range c.edits {
		_, old, with, _ := e.split()
		added += strings.Count(with, "\n")
		removed += strings.Count(old, "\n")
	}
	spans := []Span{{Good, "+" + Count(added)}, {Text, " "}, {Bad, "−" + Count(removed)}}
	if cut {
		spans = append(spans, Span{Faint, " …"})
	}
	return spans
}

// The signs of lines of a diff.
const (
	signSame    = ' '
	signAdded   = '+'
	signRemoved = '−'
	signNote    = '\\' // a word of the patch about the line before
	signGap     = '…'  // here lines of the file are left out
)

// diffLine is one line of a diff.
type diffLine struct {
	sign     rune
	old, new int    // its number before and after, 0 none
	text     string // foreign
}

// splitSign takes a line of a patch apart.
func splitSign(l string) (rune, string) {
	if l == "" {
		return signSame, ""
	}
	switch rest := l[1:]; l[0] {
	case '+':
		return signAdded, rest
	case '-':
		return signRemoved, rest
	case '\\':
		return signNote, strings.TrimPrefix(rest, " ")
	case ' ':
		return signSame, rest
	}
	return signSame, l
}

// lines goes through the lines of the change. They are made on the way: who stops early has not paid for the rest.
func (c fileDiff) lines() iter.Seq[diffLine] {
	return func(yield func(diffLine) bool) {
		for i := range c.hunks {
			if i > 0 && !yield(diffLine{sign: signGap}) || !hunkLines(&c.hunks[i], yield) {
				return
			}
		}
		for i, e := range c.edits {
			if i > 0 && !yield(diffLine{sign: signGap}) || !e.lines(yield) {
				return
			}
		}
	}
}

func hunkLines(h *transcript.Hunk, yield func(diffLine) bool) bool {
	old, with := h.OldStart, h.NewStart
	for _, l := range h.Lines {
		d := diffLine{}
		switch d.sign, d.text = splitSign(l); d.sign {
		case signAdded:
			d.new = with
			with++
		case signRemoved:
			d.old = old
			old++
		case signSame:
			d.old, d.new = old, with
			old++
			with++
		}
		if !yield(d) {
			return false
		}
	}
	return true
}

// split takes off what both texts begin and end with, in whole lines. Every line ends with a line break.
func (e edit) split() (before, old, with, behind string) {
	old, with = whole(e.old), whole(e.new)
	n := 0
	for n < min(len(old), len(with)) && old[n] == with[n] {
		n++
	}
	n = strings.LastIndexByte(old[:n], '\n') + 1
	before, old, with = old[:n], old[n:], with[n:]
	n = 0
	for n < min(len(old), len(with)) && old[len(old)-1-n] == with[len(with)-1-n] {
		n++
	}
	for n > 0 && (!startsLine(old, len(old)-n) || !startsLine(with, len(with)-n)) {
		n--
	}
	behind, old, with = old[len(old)-n:], old[:len(old)-n], with[:len(with)-n]
	return before, old, with, behind
}

func startsLine(s string, i int) bool { return i == 0 || s[i-1] == '\n' }

// whole ends the last line of a text.
func whole(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func (e edit) lines(yield func(diffLine) bool) bool {
	before, old, with, behind := e.split()
	before, behind = lastLines(before, maxContext), firstLines(behind, maxContext)
	for _, part := range []struct {
		sign rune
		text string
	}{{signSame, before}, {signRemoved, old}, {signAdded, with}, {signSame, behind}} {
		for line := range strings.Lines(part.text) {
			if !yield(diffLine{sign: part.sign, text: strings.TrimSuffix(line, "\n")}) {
				return false
			}
		}
	}
	return true
}

// firstLines returns the first n lines of a text whose lines all end with a line break, lastLines the last n.
func firstLines(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		end += strings.IndexByte(s[end:], '\n') + 1
	}
	return s[:end]
}

func lastLines(s string, n int) string {
	start := len(s)
	for ; n > 0 && start > 0; n-- {
		start = strings.LastIndexByte(s[:start-1], '\n') + 1
	}
	return s[start:]
}
