package setup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// The lines around the continuo section of a CLAUDE.md. Rendered Markdown doesn't show comments.
const (
	blockBegin = "<!-- continuo:begin -->"
	blockEnd   = "<!-- continuo:end -->"
)

// errBlock is returned for a CLAUDE.md with one of the two lines only.
var errBlock = errors.New("the begin and end lines of the continuo section do not match")

// block is the byte range of the continuo section, with its last newline.
type block struct{ from, to int }

// findBlock returns the continuo section, or nil. Begin and end must be on their own lines.
func findBlock(text []byte) (*block, error) {
	var found *block
	open, at, number := false, 0, 0
	for line := range bytes.Lines(text) {
		number++
		switch string(bytes.TrimRight(line, blanks)) {
		case blockBegin:
			if open || found != nil {
				return nil, fmt.Errorf("line %d: %w", number, errBlock)
			}
			open, found = true, &block{from: at}
		case blockEnd:
			if !open {
				return nil, fmt.Errorf("line %d: %w", number, errBlock)
			}
			open, found.to = false, at+len(line)
		}
		at += len(line)
	}
	if open {
		return nil, fmt.Errorf("line %d: %w", number, errBlock)
	}
	return found, nil
}

// blockText returns the continuo section, with or without the part for tasks.
func blockText(tasks bool) []byte {
	text := blockBegin + "\n" + string(textFile("CLAUDE.md"))
	if tasks {
		text += "\n" + string(textFile("tasks/CLAUDE.md"))
	}
	return []byte(text + blockEnd + "\n")
}

// hasTasks reports whether a continuo section has the part for tasks. Earlier versions have the same heading, but
// other text.
func hasTasks(text []byte, found *block) bool {
	heading, _, _ := bytes.Cut(textFile("tasks/CLAUDE.md"), []byte("\n"))
	return found != nil && bytes.Contains(unixLines(text[found.from:found.to]), slices.Concat([]byte("\n"), heading, []byte("\n")))
}

// lineEnd returns the line ending of a text: LF or CRLF.
func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// addBlock appends a blank line and a continuo section to a CLAUDE.md, or replaces an older section. section has LF
// line ends.
func addBlock(text, section []byte) ([]byte, error) {
	found, err := findBlock(text)
	if err != nil {
		return nil, err
	}
	nl := lineEnd(text)
	section = bytes.ReplaceAll(section, []byte("\n"), []byte(nl))
	if found != nil {
		return bytes.Join([][]byte{text[:found.from], text[found.to:]}, section), nil
	}
	after := bytes.Clone(text)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		after = append(after, nl...)
	}
	if len(text) > 0 {
		after = append(after, nl...)
	}
	return append(after, section...), nil
}

// removeBlock removes the continuo section and the blank line above it.
func removeBlock(text []byte) ([]byte, error) {
	found, err := findBlock(text)
	if err != nil || found == nil {
		return text, err
	}
	before := text[:found.from]
	nl := lineEnd(text)
	if bytes.HasSuffix(before, []byte(nl+nl)) || string(before) == nl {
		before = before[:len(before)-len(nl)]
	}
	return append(bytes.Clone(before), text[found.to:]...), nil
}
