package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ASCII replaces the glyphs in a finished line with ASCII characters of the same width. Other characters and escape
// sequences aren't changed. Some terminals and fonts lack the glyphs.
func ASCII(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i = 0; i < len(s); {
		if s[i] < utf8.RuneSelf && s[i] != '\x1b' {
			b.WriteByte(s[i])
			i++
			continue
		}
		part, width, n, _ := ansi.DecodeSequence(s[i:], 0, nil) // one grapheme cluster or one escape sequence
		i += n
		first, _ := utf8.DecodeRuneInString(part)
		switch c := standIn(first); {
		case part[0] == '\x1b':
			b.WriteString(part)
		case c != 0 && width > 0: // drops combining marks of the glyph
			b.WriteByte(c)
			b.WriteString(strings.Repeat(" ", width-1))
		default:
			// An Arabic sign and a following glyph can be one grapheme cluster.
			b.WriteString(strings.Map(orStandIn, part))
		}
	}
	return b.String()
}

func orStandIn(r rune) rune {
	if c := standIn(r); c != 0 {
		return rune(c)
	}
	return r
}

// standIn returns the ASCII character for a glyph of continuo; 0 for any other character.
func standIn(r rune) byte {
	switch r {
	case '❯', '→':
		return '>'
	case '●':
		return '@'
	case '·':
		return '.'
	case '◐':
		return '%'
	case '△', '▲', '↑':
		return '^'
	case '␉':
		return '>'
	case '○':
		return 'o'
	case '◇':
		return 'Y'
	case '✓', '↓':
		return 'v'
	case '✗', '×':
		return 'x'
	case '…':
		return '~'
	case '≠':
		return '!'
	case '≡':
		return '='
	case '§':
		return '#'
	case '▾', '−', '–', '—':
		return '-'
	case '▸':
		return '+'
	case '•':
		return '*'
	case '←':
		return '<'
	case utf8.RuneError:
		return '?'
	}
	return standInLine(r)
}

// standInLine is like standIn, for quotes, lines and columns of plots.
func standInLine(r rune) byte {
	switch r {
	case '“', '”':
		return '"'
	case '‘', '’':
		return '\''
	case '▌':
		return '>'
	case '│', '▏':
		return '|'
	case '─', '▄', '▅':
		return '-'
	case '━', '▆', '▇':
		return '='
	case '┃', '┠', '█':
		return '#'
	case '├', '┤', '┼', '╭', '╮', '╰', '╯', '┬', '┴':
		return '+'
	case '▁':
		return '.'
	case '▂', '▃':
		return ':'
	}
	return 0
}
