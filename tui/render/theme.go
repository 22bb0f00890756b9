// Package render draws values as styled lines: rows of lists, the page of a project, plans, markdown and numbers. Its
// subpackages talk and ledgerlines draw conversations and ledgers. The browser and the commands use these packages. The
// packages don't import Bubble Tea.
//
// Three rules apply to every function. A line is never wider than requested, as counted by ansi.StringWidth. The theme
// changes escape sequences, but never the text. Text from files is cleaned with transcript.Clean, so that no escape
// sequence in a transcript reaches the terminal.
package render

import (
	"slices"
	"strconv"
	"strings"
)

// Theme is a set of colours. It must suit the terminal's background, which continuo doesn't draw.
type Theme uint8

// The themes. None writes no escape sequences; it is for files and pipes.
const (
	Dark     Theme = iota
	Light          // full colour, for a light background
	Dark256        // the 256 colours of xterm
	Light256       // the 256 colours of xterm, for a light background
	Dark16         // the 16 colours of the terminal
	Light16        // the 16 colours of the terminal, for a light background; without green and yellow text
	Mono           // for NO_COLOR: only bold, underline and faint (SGR 2)
	None           // plain text
)

// Ink is the role of a text. It decides the colour and the weight.
type Ink uint8

// The inks, from the most to the least prominent. The inks with a meaning come last.
const (
	Strong     Ink = iota // title of the selected row, prompts, keys
	Text                  // text of messages
	Bold                  // text that is **bold** in markdown
	Muted                 // facts, tool lines, labels of keys
	Heading               // group headings
	Faint                 // times, counts, folds, units, disabled keys
	Thought               // thinking; in italics, like comments in code
	Rule                  // hairlines
	Behind                // everything around a dialog
	Accent                // what the user has typed, and where the user is
	AccentBold            // the selection bar, the prompt glyph
	Match                 // characters that match a filter
	Good
	GoodBold
	Warn
	Urgent // a warning that needs attention at once
	Bad
	BadBold
	Code
	Keyword // the first of the four inks of highlighted code
	String
	Number
	Comment
	inks // the number of inks
)

// Ground is the background of a text in a diff.
type Ground uint8

// The grounds. Changed words are also bold and underlined.
const (
	Page Ground = iota // the background of the terminal
	Added
	Removed
	AddedWords
	RemovedWords
	grounds // the number of grounds
)

// allInks is the number of combinations of ink and ground.
const allInks = inks * Ink(grounds)

// On returns the ink i on a ground.
func (i Ink) On(g Ground) Ink { return i%inks + Ink(g)*inks }

// tone is a colour or attributes. A colour is "" for the default, "#rrggbb", or a number from "0" to "255".
type tone struct {
	color       string
	bold, faint bool
}

// themeColors has the colours of a theme. The background sel is for the selected row, the others for diffs. "" means no
// background.
type themeColors struct {
	text, strong, muted, faint, line, behind, accent, good, warn, bad, code tone
	keyword, str, number                                                    tone
	sel, add, del, addWord, delWord                                         string
}

// colorsOf returns the colours of a theme. In Dark and Light, each text has a contrast of at least 4.5:1.
func colorsOf(t Theme) themeColors {
	c := func(color string) tone { return tone{color: color} }
	bold, dim := tone{bold: true}, tone{faint: true}
	switch t {
	case Dark:
		return themeColors{
			text: c("#d3d7de"), strong: c("#f3f5f8"), muted: c("#aab0bc"), faint: c("#8c93a0"), line: c("#3a3f49"),
			behind: c("#5b616d"), accent: c("#7cc4e4"), good: c("#8fca8a"), warn: c("#e3b765"), bad: c("#f08d88"),
			code: c("#d6c3a0"), keyword: c("#b8a6ea"), str: c("#a3cf98"), number: c("#e2b98b"),
			sel: "#22272f", add: "#17271d", del: "#2c1c1f", addWord: "#264a33", delWord: "#5b2b30",
		}
	case Light:
		return themeColors{
			text: c("#2b2f36"), strong: c("#0e1014"), muted: c("#4a515d"), faint: c("#606672"), line: c("#cfcfca"),
			behind: c("#a2a5aa"), accent: c("#0a6690"), good: c("#2a6f31"), warn: c("#855400"), bad: c("#b02c2a"),
			code: c("#6a4c14"), keyword: c("#6a44a8"), str: c("#2d6b2f"), number: c("#8a4b10"),
			sel: "#e6edf2", add: "#e3f2e3", del: "#fae5e3", addWord: "#b9e0bc", delWord: "#f4bfba",
		}
	case Dark256: // chosen by eye: the nearest colours would be worse
		return themeColors{
			text: c("252"), strong: c("231"), muted: c("248"), faint: c("245"), line: c("238"),
			behind: c("241"), accent: c("117"), good: c("114"), warn: c("179"), bad: c("210"),
			code: c("187"), keyword: c("147"), str: c("150"), number: c("216"),
			sel: "235", addWord: "22", delWord: "52", // too bright for a whole line
		}
	case Light256:
		return themeColors{
			text: c("236"), strong: c("16"), muted: c("239"), faint: c("241"), line: c("252"),
			behind: c("248"), accent: c("24"), good: c("22"), warn: c("94"), bad: c("124"),
			code: c("58"), keyword: c("61"), str: c("22"), number: c("94"),
			sel: "254", add: "194", del: "224", addWord: "157", delWord: "217",
		}
	case Dark16:
		return themeColors{
			strong: bold, faint: c("8"), line: c("8"), behind: c("8"),
			accent: c("14"), good: c("10"), warn: c("11"), bad: c("9"), code: c("3"),
			keyword: c("13"), str: c("2"), number: c("3"),
		}
	case Light16:
		return themeColors{
			strong: bold, faint: dim, line: c("7"), behind: c("7"),
			accent: c("4"), warn: bold, bad: c("1"), keyword: c("5"),
		}
	case Mono:
		return themeColors{strong: bold, faint: dim, line: dim, behind: dim, accent: bold}
	case None:
	}
	return themeColors{}
}

// Styles has the escape sequences of a theme. It is immutable, so that all users can share it.
type Styles struct {
	Theme     Theme
	on        [allInks]string // by ink, for text outside of the selected row
	sel       [allInks]string // by ink, for text in the selected row
	highlight Highlighter
}

// NewStyles returns the styles of a theme.
func NewStyles(t Theme) *Styles {
	s := &Styles{Theme: t}
	if t == None {
		return s
	}
	p := colorsOf(t)
	selection := ground(p.sel)
	params := p.params()
	for i, sgr := range params {
		s.on[i] = sequence(sgr, "")
		if selection != "" && Ink(i) == Faint { // Faint has too little contrast on this background
			sgr = params[Muted]
		}
		s.sel[i] = sequence(sgr, selection)
	}
	words := p.strong.sgr("1", "4")
	for g, color := range [grounds]string{Added: p.add, Removed: p.del, AddedWords: p.addWord, RemovedWords: p.delWord} {
		for i, sgr := range params {
			if g := Ground(g); g == AddedWords || g == RemovedWords {
				sgr = words
			}
			if on := Ink(i).On(Ground(g)); g > 0 {
				s.on[on] = sequence(sgr, ground(color))
				s.sel[on] = s.on[on]
			}
		}
	}
	return s
}

// Highlighted returns a copy of the styles that highlights code with h, which may be nil.
func (s *Styles) Highlighted(h Highlighter) *Styles {
	with := *s
	with.highlight = h
	return &with
}

// Highlight calls the Highlighter of the styles. It returns nil without a Highlighter, or in a theme without colours.
func (s *Styles) Highlight(name string, texts ...[]string) [][][]Span {
	if s.highlight == nil || s.Theme == None {
		return nil
	}
	return s.highlight(name, texts...)
}

// params returns the parameters of the escape sequence for each ink.
func (p themeColors) params() [inks]string {
	return [inks]string{
		Strong:     p.strong.sgr("1"),
		Text:       p.text.sgr(),
		Bold:       p.text.sgr("1"),
		Muted:      p.muted.sgr(),
		Heading:    p.muted.sgr("1"),
		Faint:      p.faint.sgr(),
		Thought:    p.faint.sgr("3"),
		Rule:       p.line.sgr(),
		Behind:     p.behind.sgr(),
		Accent:     p.accent.sgr(),
		AccentBold: p.accent.sgr("1"),
		Match:      p.accent.sgr("1", "4"),
		Good:       p.good.sgr(),
		GoodBold:   p.good.sgr("1"),
		Warn:       p.warn.sgr(),
		Urgent:     p.warn.sgr("1"),
		Bad:        p.bad.sgr(),
		BadBold:    p.bad.sgr("1"),
		Code:       p.code.sgr(),
		Keyword:    p.keyword.sgr(),
		String:     p.str.sgr(),
		Number:     p.number.sgr(),
		Comment:    p.faint.sgr("3"),
	}
}

// sgr returns the parameters that set attributes and then the tone.
func (t tone) sgr(attributes ...string) string {
	if t.faint {
		attributes = append(attributes, "2")
	}
	if t.bold && !slices.Contains(attributes, "1") {
		attributes = append(attributes, "1")
	}
	if t.color != "" {
		attributes = append(attributes, sgrColor(t.color, 38))
	}
	return strings.Join(attributes, ";")
}

// ground returns the parameters that set a background; "" if color is "".
func ground(color string) string {
	if color == "" {
		return ""
	}
	return sgrColor(color, 48)
}

// sgrColor returns the parameters of a colour. base is 38 for text, 48 for the background.
func sgrColor(color string, base int) string {
	if hex, ok := strings.CutPrefix(color, "#"); ok {
		n, err := strconv.ParseUint(hex, 16, 24)
		if err != nil {
			return ""
		}
		return strconv.Itoa(base) + ";2;" + strconv.Itoa(int(n>>16)) + ";" + strconv.Itoa(int(n>>8&0xff)) + ";" + strconv.Itoa(int(n&0xff))
	}
	n, err := strconv.Atoi(color)
	if err != nil {
		return ""
	}
	switch {
	case n < 8:
		return strconv.Itoa(base - 8 + n) // 30–37, 40–47
	case n < 16:
		return strconv.Itoa(base + 52 + n - 8) // 90–97, 100–107
	}
	return strconv.Itoa(base) + ";5;" + color
}

func sequence(params ...string) string {
	s := strings.Trim(strings.Join(params, ";"), ";")
	if s == "" {
		return ""
	}
	return "\x1b[" + s + "m"
}

const reset = "\x1b[m"

// Paint returns a clean text with the escape sequences of an ink.
func (s *Styles) Paint(i Ink, text string) string { return s.paint(i, text, false) }

// Select returns a painted line with the background of the selected row.
func (s *Styles) Select(line string) string {
	on := s.sel[Text]
	if on == s.on[Text] { // the theme has no background for the selected row
		return line
	}
	line = strings.ReplaceAll(line, s.on[Faint], s.sel[Faint])
	return on + strings.ReplaceAll(line, reset, reset+on) + reset
}

func (s *Styles) paint(i Ink, text string, selected bool) string {
	start := s.on[i]
	if selected {
		start = s.sel[i]
	}
	if start == "" || text == "" {
		return text
	}
	return start + text + reset
}
