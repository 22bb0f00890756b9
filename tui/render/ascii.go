package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ASCII replaces the glyphs of a finished line, cell for cell, for a terminal or a font that lacks them or draws
// them two cells wide. The text of others is replaced as well: what cannot be drawn here cannot be drawn there.
// Escape sequences and all other characters stay as they are, and so does the width.
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
		part, width, n, _ := ansi.DecodeSequence(s[i:], 0, nil) // a character or a whole escape sequence
		i += n
		first, _ := utf8.DecodeRuneInString(part)
		switch c := standIn(first); {
		case part[0] == '\x1b':
			b.WriteString(part)
		case c != 0 && width > 0: // a mark on the glyph goes with it
			b.WriteByte(c)
			b.WriteString(strings.Repeat(" ", width-1))
		default:
			b.WriteString(strings.Map(orStandIn, part)) // a sign of Arabic may stand before a glyph and be one with it
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

// standIn is the ASCII character of a glyph that continuo draws, 0 for any other.
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

// standInLine is standIn for quotes, for what lines are drawn with and for the columns of a plot.
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
