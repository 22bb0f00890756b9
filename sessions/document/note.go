package document

import (
	"bytes"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// BackupNote is the note about a backup in active-context.md (spec 000): two lines in their own section.
type BackupNote struct {
	Heading string // title of the section, an H2
	Lead    string // beginning of the first line, such as "- Last exit:"
	Text    string // the rest of the line
	Backup  string // path
}

const backupLead = "- Transcript backup:"

// Write returns the text with this note instead of the previous one of the same hook. A first note is added to its
// section, or to a new section at the end. Other bytes stay.
func (n BackupNote) Write(text []byte) []byte {
	lines := slices.Collect(bytes.Lines(text))
	end := []byte("\n")
	if len(lines) > 0 && bytes.HasSuffix(bytes.TrimSuffix(lines[0], end), []byte("\r")) {
		end = []byte("\r\n")
	}
	torn := len(text) > 0 && text[len(text)-1] != '\n'
	if torn {
		lines[len(lines)-1] = slices.Concat(lines[len(lines)-1], end)
	}
	note := [][]byte{[]byte(n.Lead + " " + n.Text), end, []byte(backupLead + " " + n.Backup), end}
	from, to := n.section(lines)
	if from < 0 {
		if len(lines) > 0 && !isBlank(lines[len(lines)-1]) {
			lines = append(lines, end)
		}
		return bytes.Join(slices.Concat(lines, [][]byte{[]byte("## " + n.Heading), end, end}, note), nil)
	}
	section := lines[from:to]
	at := slices.IndexFunc(section, n.isOurs)
	rest := lines[to:]
	if at >= 0 {
		rest = slices.Concat(slices.DeleteFunc(slices.Clone(section[at:]), n.isOurs), rest)
	} else {
		at = slices.IndexFunc(section, func(line []byte) bool { return !isBlank(line) })
		if at < 0 {
			at = min(1, len(section))
		}
		rest = slices.Concat(section[at:], rest)
		if len(rest) > 0 && !isBlank(rest[0]) {
			note = append(note, end)
		}
	}
	after := bytes.Join(slices.Concat(lines[:from+at], note, rest), nil)
	if last := len(lines) - 1; torn && (to <= last || !n.isOurs(lines[last]) || len(rest) == 0) {
		after = bytes.TrimSuffix(after, end)
	}
	return after
}

// isOurs reports whether a line of the section is from an earlier note.
func (n BackupNote) isOurs(line []byte) bool {
	return bytes.HasPrefix(line, []byte(n.Lead)) || bytes.HasPrefix(line, []byte(backupLead))
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// section returns the lines below the heading of the note. Without the heading, from is -1.
func (n BackupNote) section(lines [][]byte) (from, to int) {
	from = -1
	for i, l := range readLines(lines) {
		if l.Level != 1 && l.Level != 2 {
			continue
		}
		if from >= 0 {
			return from, i
		}
		if l.Level == 2 && strings.EqualFold(l.Title, n.Heading) {
			from = i + 1
		}
	}
	return from, len(lines)
}

// readLines returns the kind of each line. An unclosed code block or comment has only its first line: otherwise,
// Write wouldn't find a section that it has added below.
func readLines(lines [][]byte) []mark.Line {
	var r mark.Reader
	read, opened := make([]mark.Line, len(lines)), 0
	for i, line := range lines {
		if read[i] = r.Next(string(line)); read[i].Opens {
			opened = i
		}
	}
	for i := opened; i < len(lines) && r.Inside(); i++ {
		var alone mark.Reader
		read[i] = alone.Next(string(lines[i]))
	}
	return read
}
