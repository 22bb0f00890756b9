package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// roff writes a page with the man macros. Everything that it is given is plain text.
type roff struct {
	b      strings.Builder
	opened bool // a section has just begun: no paragraph has to be
}

// macro writes a request with its arguments.
func (r *roff) macro(name string, args ...string) {
	r.b.WriteString("." + name)
	for _, arg := range args {
		if arg = roffText(arg); arg == "" || strings.Contains(arg, " ") {
			arg = `"` + arg + `"`
		}
		r.b.WriteString(" " + arg)
	}
	r.b.WriteByte('\n')
	r.opened = name == "SH" || name == "SS"
}

// line writes a line that is no request. A dot at its start would make it one.
func (r *roff) line(text string) {
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	r.b.WriteString(text + "\n")
	r.opened = false
}

// paragraph writes lines that are filled together; none is nothing.
func (r *roff) paragraph(lines []string) {
	if len(lines) > 0 && !r.opened {
		r.macro("PP")
	}
	for _, line := range lines {
		r.line(roffText(line))
	}
}

// entries writes a list of terms and the words for them. A term without words is a line to type.
func (r *roff) entries(list []helpEntry, draw func(term string) string) {
	for _, e := range list {
		if e.words == "" {
			r.macro("PP")
			r.macro("RS", "4")
			r.line(draw(e.term))
			r.macro("RE")
			continue
		}
		r.macro("TP", "24")
		r.line(draw(e.term))
		r.line(roffText(e.words))
	}
}

// roffName is a term that is typed as it is, in bold.
func roffName(term string) string { return `\fB` + roffText(term) + `\fR` }

// roffTerm is a term with what stands for something else, which the help texts write in capitals, in italics.
func roffTerm(term string) string {
	const around = "[]|,…"
	words := strings.Fields(term)
	for i, word := range words {
		bare := strings.Trim(word, around)
		if bare == "" {
			words[i] = roffText(word)
			continue
		}
		start := strings.Index(word, bare)
		drawn := roffName(bare)
		if strings.ToUpper(bare) == bare && strings.ToLower(bare) != bare && bare[0] != '-' {
			drawn = `\fI` + roffText(bare) + `\fR`
		}
		words[i] = roffText(word[:start]) + drawn + roffText(word[start+len(bare):])
	}
	return strings.Join(words, " ")
}

// roffText is a line of text, word by word. Two characters of the help texts have stand-ins that every terminal can
// show: where roff lacks one, it prints nothing.
func roffText(line string) string {
	line = strings.NewReplacer(" · ", "; ", "…", "...").Replace(line)
	words := strings.Split(line, " ")
	for i, word := range words {
		words[i] = roffWord(word)
	}
	return strings.Join(words, " ")
}

// longWord is the length from which on a word may be broken behind its commas.
const longWord = 30

// roffWord escapes what roff takes for a request or draws as another character. A hyphen between letters is one,
// and a line may end there; any other is the minus of an option, a date or a path, to be copied as it is.
func roffWord(word string) string {
	literal := strings.Contains(word, "--") || strings.ContainsAny(word, "/_=") || strings.HasPrefix(word, "-")
	runes := []rune(word)
	long := len(runes) > longWord
	var b strings.Builder
	for i, c := range runes {
		switch {
		case c == '-' && !literal && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]):
			b.WriteByte('-')
		case c > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteString(roffASCII(c))
		}
		if c == ',' && long {
			b.WriteString(`\:`)
		}
	}
	return b.String()
}

// roffASCII is one character of ASCII as roff prints it unchanged.
func roffASCII(c rune) string {
	switch c {
	case '\\':
		return `\(rs`
	case '-':
		return `\-`
	case '\'':
		return `\(aq`
	case '"':
		return `\(dq`
	case '`':
		return `\(ga`
	case '^':
		return `\(ha`
	case '~':
		return `\(ti`
	}
	return string(c)
}
