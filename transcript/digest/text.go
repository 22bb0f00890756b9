package digest

import (
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/mask"
)

// text cleans, masks and shortens an untrusted text to a number of runes. It keeps line breaks.
func text(s string, most int) string {
	return bounded(s, most, transcript.Clean)
}

// line is text with the result on one line.
func line(s string, most int) string {
	return bounded(s, most, transcript.CleanLine)
}

// bounded cleans, masks and shortens a text to a number of runes. It reads 8 bytes for each rune, because cleaning
// may remove runes.
func bounded(s string, most int, clean func(string) string) string {
	s = strings.TrimSpace(s)
	some := head(s, 8*most)
	kept := cut(strings.TrimSpace(clean(strings.ToValidUTF8(some, ""))), most+mask.Ahead)
	kept = cut(mask.Secrets(kept), most)
	if len(some) < len(s) && !strings.HasSuffix(kept, "…") {
		kept += "…"
	}
	return kept
}

func head(s string, bytes int) string { return s[:min(len(s), bytes)] }

// cut shortens a text to a number of runes. A shortened text ends in "…".
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}

// paragraph returns the text before the first blank line. After a colon, it adds the next paragraph, often a list.
func paragraph(s string) string {
	var lines []string
	for l := range strings.Lines(s) {
		switch blank := strings.TrimSpace(l) == ""; {
		case blank && len(lines) > 0:
			if !strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), ":") {
				return strings.Join(lines, "")
			}
		case !blank:
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "")
}

// firstLine returns the first line that isn't blank.
func firstLine(s string) string {
	l, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(l)
}

// isInterruption reports whether a text is the client's note about an interruption (clients 1.0.24 to 2.1.330).
func isInterruption(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "[Request interrupted by user")
}

// isMachine reports whether a text in a prompt is from the client, or is only a slash command.
func isMachine(s string) bool {
	return transcript.IsMachine(s) || strings.HasPrefix(strings.TrimSpace(s), "<command-name>")
}
