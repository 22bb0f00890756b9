package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// RefAt is a code reference that was found in a line of text.
type RefAt struct {
	Ref
	At, End int // byte range in the line
}

// FindRefs returns the code references in a line of text: paths with a line number, and paths that start with
// ${PROJECT_ROOT}. It skips Markdown links, URLs, times, hosts and versions. It also skips ambiguous texts, because a
// missed reference does less harm than a wrong one. From a.ts:22,36, it returns line 22. It takes linear time.
func FindRefs(line string) []RefAt {
	if isDefinition(line) {
		return nil
	}
	f := finder{line: line}
	for i := 0; i < len(line); {
		switch line[i] {
		case '$':
			i = f.rooted(i)
		case ':':
			i = f.colon(i)
		case '[':
			f.open = append(f.open, i)
			i++
		case ']':
			i = f.link(i)
		default:
			i++
		}
	}
	return f.found
}

// finder scans a line of text once. It never reads bytes before low again.
type finder struct {
	line  string
	found []RefAt
	open  []int // offsets of the open brackets [
	low   int
	stop  int // offset of the next blank or closing parenthesis, cached
}

// rooted reads a reference at i that starts with ${PROJECT_ROOT}. It returns the offset at which the scan continues,
// like add, colon and link.
func (f *finder) rooted(i int) int {
	rest, ok := cutRoot(f.line[i:])
	if !ok {
		return i + 1
	}
	begin := len(f.line) - len(rest)
	end, depth := begin, 0
	for end < len(f.line) {
		r, n := utf8.DecodeRuneInString(f.line[end:])
		switch r {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		}
		if depth < 0 || r != '\\' && !isPathRune(r) {
			break
		}
		end += n
	}
	f.low = end
	to, ok := f.lines(end)
	if !ok {
		return end
	}
	if to == end {
		to = begin + len(strings.TrimRight(f.line[begin:end], "."))
	}
	return f.add(i, to)
}

// lines returns the end of the line numbers after a path that ends at i. ok is false for a pattern or a placeholder,
// such as src/*.go or a.ts:line.
func (f *finder) lines(i int) (end int, ok bool) {
	rest := f.line[i:]
	if rest == "" {
		return i, true
	}
	switch rest[0] {
	case '$':
		return i, false
	case ':':
		if _, _, n := parseLines(rest[1:]); n > 0 {
			return i + 1 + n, true
		}
		rest = rest[1:]
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "*."))
	return i, !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '/'
}

// add adds the text from at to end if it is a code reference.
func (f *finder) add(at, end int) int {
	if r, ok := parseExact(f.line[at:end]); ok {
		f.found = append(f.found, RefAt{Ref: r, At: at, End: end})
	}
	f.low = max(f.low, end)
	return f.low
}

// colon reads the path before the colon at i, and the line number after it.
func (f *finder) colon(i int) int {
	if strings.HasPrefix(f.line[i:], "://") {
		end := strings.IndexAny(f.line[i:], " \t<>\"`|)")
		if end < 0 {
			end = len(f.line) - i
		}
		f.low = i + end
		return f.low
	}
	_, _, n := parseLines(f.line[i+1:])
	at, ok := f.back(i)
	if n == 0 || !ok || at == i {
		return i + 1
	}
	return f.add(at, i+1+n)
}

// back returns the start of the path that ends at i. ok is false if the path is part of a longer word.
func (f *finder) back(i int) (at int, ok bool) {
	depth := 0
	for i > f.low {
		r, n := utf8.DecodeLastRuneInString(f.line[f.low:i])
		switch r {
		case ']', ')', '}':
			depth++
		case '[', '(', '{':
			if depth--; depth < 0 {
				return i, true
			}
		case ':':
			drive := i - n - 1
			ok := drive >= f.low && hasDrive(f.line[drive:])
			if ok && drive > f.low {
				before, _ := utf8.DecodeLastRuneInString(f.line[:drive])
				ok = !unicode.IsLetter(before) && !unicode.IsDigit(before)
			}
			return drive, ok
		default:
			if !isPathRune(r) && !strings.ContainsRune(`\$%#&?`, r) {
				return i, true
			}
		}
		i -= n
	}
	return i, f.low == 0 || i > f.low || !isPathRune(rune(f.line[f.low-1]))
}

// link skips a Markdown link whose text ends at i. It removes the references that were found in the text of the link.
func (f *finder) link(i int) int {
	if len(f.open) == 0 {
		return i + 1
	}
	begin := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	if !strings.HasPrefix(f.line[i:], "](") {
		return i + 1
	}
	if f.stop < i {
		if f.stop = i + strings.IndexAny(f.line[i:], " \t)"); f.stop < i {
			f.stop = len(f.line)
		}
	}
	end := f.stop
	if end == len(f.line) {
		return i + 1
	}
	if f.line[end] != ')' {
		n, ok := cutTitle(f.line[end:])
		if !ok {
			return i + 1
		}
		end += n
	}
	for len(f.found) > 0 && f.found[len(f.found)-1].At > begin {
		f.found = f.found[:len(f.found)-1]
	}
	f.low = end + 1
	return f.low
}

// cutTitle skips the blanks and the title of a link at the start of s. It returns the offset of the closing
// parenthesis of the link.
func cutTitle(s string) (n int, ok bool) {
	const most = 1 << 10 // keeps the time linear
	s = s[:min(len(s), most)]
	rest := strings.TrimLeft(s, " \t")
	if rest == "" {
		return 0, false
	}
	if i := strings.IndexByte(`"'(`, rest[0]); i >= 0 {
		end := strings.IndexByte(rest[1:], `"')`[i])
		if end < 0 {
			return 0, false
		}
		rest = strings.TrimLeft(rest[end+2:], " \t")
	}
	return len(s) - len(rest), strings.HasPrefix(rest, ")")
}

// isDefinition reports whether a line defines a Markdown link: [name]: target "title". A footnote isn't a definition.
func isDefinition(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '[' || line[1] == '^' {
		return false
	}
	_, rest, ok := strings.Cut(line, "]:")
	rest = strings.TrimLeft(rest, " \t")
	if !ok || rest == "" {
		return false
	}
	end := strings.IndexAny(rest, " \t")
	if end < 0 {
		return true
	}
	title := strings.TrimLeft(rest[end:], " \t")
	return len(title) > 1 && strings.Contains("\"\" '' ()", title[:1]+title[len(title)-1:])
}
