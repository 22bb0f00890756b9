package document

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/transcript"
)

// sessionHeading is the heading of continuo's section in active-context.md. The sections of the spec belong to the
// user and Claude.
const sessionHeading = "Last Session (by continuo)"

// continuo's lines in that section begin with these labels. leadAsked and leadFiles are in older notes. Other lines
// belong to the user and stay.
const (
	leadWritten = "- Written:"
	leadSession = "- Session:"
	leadAsked   = "- Asked last:"
	leadStands  = "- Stands:"
	leadFiles   = "- Files changed:"
	leadTodos   = "- Open todos:"
	leadName    = "- Document:"
)

// NewContext is the text of a new active-context.md, as continuo init writes it (spec 000).
const NewContext = `# Active Session Context
> Last Updated: never
> Last Session Doc:

## Current Task
Nothing yet.

## Completed This/Last Session
- None

## In Progress
- None

## Next Steps
1. None

## Blockers
- None

## Warnings
- None

## Key Files Modified
- None
`

// ContextNote is the note about a saved document in active-context.md. Claude reads it at every start, so it is
// short.
type ContextNote struct {
	stamp string
	lines []string // lines of the section, without the line about the document
}

// IsZero reports whether the note is empty.
func (n *ContextNote) IsZero() bool { return n.stamp == "" }

// mostListed is the maximum number of entries in a list on one line.
const mostListed = 8

// listLine returns a list as one line: the first mostListed entries and the number of more. An empty list is nil.
func listLine(lead string, list []string) []string {
	if len(list) == 0 {
		return nil
	}
	more := max(len(list)-mostListed, 0)
	list = list[:len(list)-more]
	text := lead + " " + strings.Join(list, "; ")
	if more > 0 {
		text += "; " + strconv.Itoa(more) + " more"
	}
	return []string{text}
}

// brief returns the beginning of a text as one line.
func brief(s string) string {
	const most = 160
	if runes := []rune(transcript.CleanLine(s)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// Write returns an active-context.md with the note: the time after "> Last Updated:" and the lines of continuo's
// section. If name isn't "", it also sets the document after "> Last Session Doc:" and in the section. Other bytes
// stay.
func (n *ContextNote) Write(text []byte, name string) []byte {
	lines := slices.Collect(bytes.Lines(text))
	end := "\n"
	if len(lines) > 0 && bytes.HasSuffix(lines[0], []byte("\r\n")) {
		end = "\r\n"
	}
	read := readLines(lines)
	lines = replaceLine(lines, read, "> Last Updated:", n.stamp)
	note := n.lines
	if name != "" {
		lines = replaceLine(lines, read, "> Last Session Doc:", transcript.CleanLine(name))
		note = append(note[:len(note):len(note)], leadName+" "+code(name))
	}
	var block [][]byte
	for _, l := range note {
		block = append(block, []byte(l+end))
	}
	from, to := BackupNote{Heading: sessionHeading}.section(lines)
	if from < 0 {
		if last := len(lines) - 1; last >= 0 {
			if !bytes.HasSuffix(lines[last], []byte("\n")) {
				lines[last] = append(slices.Clone(lines[last]), end...)
			}
			if !isBlank(lines[last]) {
				lines = append(lines, []byte(end))
			}
		}
		return bytes.Join(slices.Concat(lines, [][]byte{[]byte("## " + sessionHeading + end), []byte(end)}, block), nil)
	}
	if last := len(lines) - 1; from > last && !bytes.HasSuffix(lines[last], []byte("\n")) {
		lines[last] = append(slices.Clone(lines[last]), end...)
	}
	section, rest := lines[from:to], lines[to:]
	at := slices.IndexFunc(section, isSessionLine)
	if at >= 0 {
		rest = slices.Concat(slices.DeleteFunc(slices.Clone(section[at:]), isSessionLine), rest)
	} else {
		if at = slices.IndexFunc(section, func(l []byte) bool { return !isBlank(l) }); at < 0 {
			at = min(1, len(section))
		}
		if rest = slices.Concat(section[at:], rest); len(rest) > 0 && !isBlank(rest[0]) {
			block = append(block, []byte(end))
		}
	}
	return bytes.Join(slices.Concat(lines[:from+at], block, rest), nil)
}

// isSessionLine reports whether a line in continuo's section is from an earlier note.
func isSessionLine(l []byte) bool {
	return slices.ContainsFunc([]string{leadWritten, leadSession, leadAsked, leadStands, leadFiles, leadTodos, leadName}, func(lead string) bool {
		return bytes.HasPrefix(l, []byte(lead))
	})
}

// replaceLine replaces the value in the first line that begins with lead in any case. The line ending stays.
func replaceLine(lines [][]byte, read []mark.Line, lead, value string) [][]byte {
	for i, l := range lines {
		if read[i].Kind != mark.Text || !hasPrefixFold(string(l), lead) {
			continue
		}
		after := slices.Clone(lines)
		body := bytes.TrimRight(l, "\r\n")
		after[i] = slices.Concat(l[:len(lead)], []byte(" "+value), l[len(body):])
		return after
	}
	return lines
}
