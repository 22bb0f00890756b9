package mask

import (
	"regexp"
	"slices"
	"strings"
)

// Shape is a format of texts to replace. Every match contains a literal text, its anchor. Replace tries the regular
// expression only around anchors. Searching a whole text would take seconds for each 10 MB.
type Shape struct {
	anchors []string // lower case
	begin   Begin
	shape   *regexp.Regexp // anchored at the start
}

// Begin returns the start of a match around the anchor at index at; -1 if there is none. The match doesn't start
// before from. The result is the same for all anchors before index next.
type Begin func(s string, from, at int) (start, next int)

// NewShape returns the Shape for an expression. Anchors are in lower case, but match upper case too.
func NewShape(expr string, begin Begin, anchors ...string) Shape {
	return Shape{anchors, begin, regexp.MustCompile(`\A(?:` + expr + `)`)}
}

// Replace replaces the matches in a text, like regexp.ReplaceAllString. with appends each replacement to dst. m has
// the indexes of the match and its groups, as in regexp.FindStringSubmatchIndex.
func (f *Shape) Replace(s string, with func(dst []byte, s string, m []int) []byte) string {
	return f.replace(s, places(nil, Lower(s), f.anchors), with)
}

// places appends the indexes of all anchors in a lower-case text to list.
func places(list []int, lower string, anchors []string) []int {
	for _, anchor := range anchors {
		for at := 0; ; at++ {
			i := strings.Index(lower[at:], anchor)
			if i < 0 {
				break
			}
			at += i
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// replace is Replace with the given indexes of anchors.
func (f *Shape) replace(s string, places []int, with func(dst []byte, s string, m []int) []byte) string {
	var out []byte
	done, next, tried := 0, 0, -1
	for _, at := range places {
		if at < next {
			continue
		}
		var start int
		if start, next = f.begin(s, done, at); start < 0 || start == tried {
			continue
		}
		tried = start
		m := f.shape.FindStringSubmatchIndex(s[start:])
		if m == nil {
			continue
		}
		out = with(append(out, s[done:start]...), s[start:], m)
		done = start + m[1]
		next = done
	}
	if done == 0 {
		return s
	}
	return string(append(out, s[done:]...))
}

// String returns the expression without the anchor at the start.
func (f *Shape) String() string {
	return strings.TrimSuffix(strings.TrimPrefix(f.shape.String(), `\A(?:`), `)`)
}

// expand is replace with a template for regexp.Expand as the replacement.
func (f *Shape) expand(s string, places []int, template string) string {
	return f.replace(s, places, func(dst []byte, s string, m []int) []byte { return f.shape.ExpandString(dst, template, s, m) })
}

// Lower returns a text with all ASCII letters in lower case.
func Lower(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' } // like \s
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isWord(c byte) bool  { return c == '_' || isAlpha(c) || isDigit(c) } // like \w
func isFlag(c byte) bool  { return c == '-' || isWord(c) }
func isName(c byte) bool  { return c == '.' || isFlag(c) }
func isAddress(c byte) bool {
	return c == '%' || c == '+' || isName(c)
}

// run returns the range of bytes around at for which is returns true, but not before from.
func run(s string, from, at int, is func(byte) bool) (start, end int) {
	for start = at; start > from && is(s[start-1]); start-- {
	}
	for end = at; end < len(s) && is(s[end]); end++ {
	}
	return start, end
}

// atAnchor returns the index of the anchor.
func atAnchor(_ string, _, at int) (start, next int) { return at, at }

// atWord returns the index of the anchor; -1 if it is inside a word.
func atWord(s string, _, at int) (start, next int) {
	if at > 0 && isWord(s[at-1]) {
		return -1, at
	}
	return at, at
}

// atSecond returns the index of the byte before the anchor; -1 if that byte is inside a word.
func atSecond(s string, from, at int) (start, next int) {
	if at == from {
		return -1, at
	}
	return atWord(s, from, at-1)
}

// atFlag returns the index of the white space before the flag with the anchor, such as --api-key.
func atFlag(s string, from, at int) (start, next int) {
	start, next = run(s, from, at, isFlag)
	switch {
	case s[start] != '-':
		return -1, next
	case start == 0:
		return 0, next
	case start > from && isSpace(s[start-1]):
		return start - 1, next
	}
	return -1, next
}

// atName returns the Begin for a name that contains the anchor. The byte sign must follow the name, which may be in
// quotes.
func atName(sign byte) Begin {
	return func(s string, from, at int) (start, next int) {
		start, next = run(s, from, at, isName)
		i := next
		for i < len(s) && s[i] == '\\' {
			i++
		}
		if i < len(s) && (s[i] == '"' || s[i] == '\'') {
			i++
		} else {
			i = next
		}
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		if i == len(s) || s[i] != sign {
			return -1, next
		}
		return start, next
	}
}

// atScheme returns the index of the scheme of a URL. The anchor is "://".
func atScheme(s string, from, at int) (start, next int) {
	start, _ = run(s, from, at, func(c byte) bool { return c == '+' || c == '.' || c == '-' || isAlpha(c) || isDigit(c) })
	for start < at && !isAlpha(s[start]) {
		start++
	}
	if start == at {
		return -1, at
	}
	return start, at
}

// atUser returns the index of the user in user:password@host. The anchor is "@".
func atUser(s string, from, at int) (start, next int) {
	colon := at
	for colon > from && strings.IndexByte(" \t\n\f\r:@/\"'`", s[colon-1]) < 0 {
		colon--
	}
	if colon--; colon < from || s[colon] != ':' {
		return -1, at
	}
	start, _ = run(s, from, colon, isAddress)
	for start < colon && (!isWord(s[start]) || start > 0 && isWord(s[start-1])) {
		start++
	}
	if start == colon {
		return -1, at
	}
	return start, at
}
