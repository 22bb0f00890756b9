package transcript

import "strings"

// Edit is the replacement of one text of a file by another.
type Edit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
}

// Diff has the changes of a call in a file: the patch in the result, or the texts in the input.
type Diff struct {
	Hunks []Hunk
	Edits []Edit
}

// edits returns the replacements of a call; nil if there are none or the input is invalid.
func (c *Call) edits() []Edit {
	t := toolOf(c.Name)
	switch {
	case t.edits != "":
		var list []Edit
		if c.Params.decode(t.edits, &list) {
			return list
		}
	case t.new != "" && c.Params.String("edit_mode") != "delete": // a NotebookEdit
		return []Edit{{c.Params.String(t.old), c.Params.String(t.new)}}
	}
	return nil
}

// Written returns the text that a call writes into a file. Several texts are separated by blank lines.
func (c *Call) Written() string {
	var texts []string
	for _, e := range c.edits() {
		texts = append(texts, e.New)
	}
	return strings.Join(texts, "\n\n")
}

// Diff returns the changes of the call in a file. It is empty for most calls.
func (c *Call) Diff() Diff {
	if c.Result != nil && len(c.Result.Patch) > 0 {
		return Diff{Hunks: c.Result.Patch}
	}
	var d Diff
	for _, e := range c.edits() {
		if e.Old != e.New {
			d.Edits = append(d.Edits, e)
		}
	}
	return d
}

// Changes reports whether the Diff has a change.
func (d *Diff) Changes() bool { return len(d.Hunks)+len(d.Edits) > 0 }

// Count returns the numbers of added and removed lines. cut is true if the patch is incomplete.
func (d *Diff) Count() (added, removed int, cut bool) {
	for i := range d.Hunks {
		h := &d.Hunks[i]
		cut = cut || len(h.Lines) < max(h.OldLines, h.NewLines)
		for _, l := range h.Lines {
			switch signOf(l) {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	for _, e := range d.Edits {
		_, before, after, _ := e.Split()
		removed += strings.Count(before, "\n")
		added += strings.Count(after, "\n")
	}
	return added, removed, cut
}

// Split removes the common lines at the start (head) and at the end (tail) of both texts. before and after are the
// remaining lines. Every line ends with a line break.
func (e Edit) Split() (head, before, after, tail string) {
	before, after = whole(e.Old), whole(e.New)
	n := 0
	for n < min(len(before), len(after)) && before[n] == after[n] {
		n++
	}
	n = strings.LastIndexByte(before[:n], '\n') + 1
	head, before, after = before[:n], before[n:], after[n:]
	n = 0
	for n < min(len(before), len(after)) && before[len(before)-1-n] == after[len(after)-1-n] {
		n++
	}
	for n > 0 && (!startsLine(before, len(before)-n) || !startsLine(after, len(after)-n)) {
		n--
	}
	tail, before, after = before[len(before)-n:], before[:len(before)-n], after[:len(after)-n]
	return head, before, after, tail
}

func startsLine(s string, i int) bool { return i == 0 || s[i-1] == '\n' }

// whole adds a line break to the last line of a text.
func whole(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// Line splits a line of the hunk into its sign ('+', '-', ' ', or '\\' for a note) and its text.
func (h *Hunk) Line(i int) (sign byte, text string) {
	sign = signOf(h.Lines[i])
	return sign, strings.TrimPrefix(h.Lines[i], string(sign))
}

// signOf returns the sign of a line of a hunk; ' ' if there is none.
func signOf(l string) byte {
	if l != "" && strings.IndexByte("+-\\", l[0]) >= 0 {
		return l[0]
	}
	return ' '
}

// firstChange returns the number of the first changed line in the new file; 0 if unknown.
func (h *Hunk) firstChange() int {
	same := 0
	for _, l := range h.Lines {
		if s := signOf(l); s == '+' || s == '-' {
			break
		} else if s == ' ' {
			same++
		}
	}
	if lineNumber(h.NewStart) == 0 {
		return 0
	}
	return lineNumber(h.NewStart + same)
}
