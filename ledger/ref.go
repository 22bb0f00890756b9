package ledger

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ref is a code reference, such as src/a.go:45-67. Spec 002 calls it a path identifier.
type Ref struct {
	Path     string // relative to the root, with slashes; as written for FormHard and FormHome
	From, To int    // line numbers from 1; both 0 without a line, equal for one line
	Form     Form
	Raw      string // the reference as written
}

// Form is the form in which a code reference is written.
type Form string

// The forms of a code reference.
const (
	// ${PROJECT_ROOT}/src/a.go:45-67, the form of the spec; $PROJECT_ROOT/… is accepted too
	FormRooted   Form = "rooted"
	FormRelative Form = "relative" // src/a.go:45, ./src/a.go:45
	FormHard     Form = "hard"     // /absolute/path/file.go:45
	FormHome     Form = "home"     // ~/code/x/a.go:45
)

// String returns the reference in the form of the spec, ${PROJECT_ROOT}/src/a.go:45. It returns FormHard and FormHome
// as written.
func (r Ref) String() string {
	path := r.Path
	if r.Form != FormHard && r.Form != FormHome {
		path = rootWord + "/" + path
	}
	switch {
	case r.From == 0:
		return path
	case r.To > r.From:
		return path + ":" + strconv.Itoa(r.From) + "-" + strconv.Itoa(r.To)
	default:
		return path + ":" + strconv.Itoa(r.From)
	}
}

// MarshalText returns the reference as text, for JSON.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses a reference.
func (r *Ref) UnmarshalText(text []byte) error {
	ref, ok := ParseRef(string(text))
	if !ok {
		return fmt.Errorf("%q: not a path identifier", text)
	}
	*r = ref
	return nil
}

const (
	rootWord  = "${PROJECT_ROOT}"
	rootPlain = "$PROJECT_ROOT"
	maxRef    = 4096 // maximum length of a path below the root in bytes, as in Linux
	maxDigits = 7    // maximum number of digits of a line number
)

// ParseRef parses one code reference, such as src/a.go:45-67 or src/a.go. Backticks, brackets, quotes and blanks may
// be around it. The last element must look like a file name. The path must not contain blanks.
func ParseRef(s string) (Ref, bool) {
	for {
		s = strings.TrimSpace(s)
		if len(s) < 2 {
			return Ref{}, false
		}
		switch s[:1] + s[len(s)-1:] {
		case "``", "[]", "()", "<>", `""`:
			s = s[1 : len(s)-1]
		default:
			return parseExact(s)
		}
	}
}

// parseExact parses a code reference with nothing around it.
func parseExact(s string) (Ref, bool) {
	r := Ref{Raw: s}
	written := s
	if at := strings.LastIndexByte(s, ':'); at >= 0 && (at != 1 || !hasDrive(s)) {
		n := 0
		if r.From, r.To, n = parseLines(s[at+1:]); n == 0 || at+1+n != len(s) {
			return Ref{}, false
		}
		written = s[:at]
	}
	rest, rooted := cutRoot(written)
	switch {
	case rooted:
		r.Form, written = FormRooted, strings.ReplaceAll(rest, `\`, "/")
	case hasDrive(written):
		r.Form, rest = FormHard, strings.ReplaceAll(written[3:], `\`, "/")
	case strings.HasPrefix(written, "~/"):
		r.Form, rest = FormHome, written[2:]
	case strings.HasPrefix(written, "/"):
		r.Form, rest = FormHard, written[1:]
	default:
		r.Form, rest = FormRelative, written
	}
	if rooted {
		rest = written
	}
	if len(rest) > maxRef || !isPath(rest) || !rooted && !looksLikeFile(rest) {
		return Ref{}, false
	}
	r.Path = written
	if r.Form == FormRooted || r.Form == FormRelative {
		r.Path = path.Clean(rest)
		if !isPath(r.Path) { // path.Clean may remove one bracket of a pair along with ".."
			return Ref{}, false
		}
	}
	return r, true
}

// cutRoot returns the path that follows ${PROJECT_ROOT}/ or $PROJECT_ROOT/.
func cutRoot(s string) (rest string, ok bool) {
	for _, word := range []string{rootWord, rootPlain} {
		if rest, ok := strings.CutPrefix(s, word); ok && len(rest) > 1 && (rest[0] == '/' || rest[0] == '\\') {
			return rest[1:], true
		}
	}
	return "", false
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(s string) bool {
	return len(s) > 3 && isASCIILetter(s[0]) && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// parseLines parses line numbers such as 45 or 45-67 at the start of s. n is their length in bytes; 0 for other text,
// such as 45px or 67-45.
func parseLines(s string) (from, to, n int) {
	from, n = parseNumber(s)
	if n == 0 {
		return 0, 0, 0
	}
	to = from
	rest := s[n:]
	dash := ""
	if strings.HasPrefix(rest, "-") {
		dash = "-"
	} else if strings.HasPrefix(rest, "–") {
		dash = "–"
	}
	if dash != "" {
		last, m := parseNumber(rest[len(dash):])
		if m == 0 || last < from {
			return 0, 0, 0
		}
		to, n = last, n+len(dash)+m
	}
	after, _ := utf8.DecodeRuneInString(s[n:])
	if after == '_' || after == '/' || after == '%' || unicode.IsLetter(after) || unicode.IsDigit(after) {
		return 0, 0, 0
	}
	if after == '.' && n+1 < len(s) && '0' <= s[n+1] && s[n+1] <= '9' {
		return 0, 0, 0
	}
	return from, to, n
}

// parseNumber parses a line number from 1 at the start of s. n is its length in bytes; 0 if there is none.
func parseNumber(s string) (number, n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		if n++; n > maxDigits {
			return 0, 0
		}
		number = number*10 + int(s[n-1]-'0')
	}
	if number == 0 {
		return 0, 0
	}
	return number, n
}

// isPath reports whether a text can be a relative path. It has no variables, blanks or "...", and its brackets are
// closed.
func isPath(s string) bool {
	if s == "" || s[0] == '/' || strings.HasSuffix(s, "/") {
		return false
	}
	depth, before := 0, '/'
	for _, r := range s {
		switch {
		case r == '[' || r == '(' || r == '{':
			depth++
		case r == ']' || r == ')' || r == '}':
			depth--
		case r == '@' && before != '/', r == '~':
			return false
		case !isPathRune(r):
			return false
		}
		if depth < 0 {
			return false
		}
		before = r
	}
	if depth != 0 {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if strings.HasPrefix(part, "...") {
			return false
		}
	}
	clean := path.Clean(s)
	return clean != "." && clean != ".." && !strings.HasSuffix(clean, "/..")
}

// isPathRune reports whether a rune can be in a path that is written in a sentence.
func isPathRune(r rune) bool {
	return strings.ContainsRune("._-/@+~[](){}", r) || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// looksLikeFile reports whether the last element of a path looks like a file name. Hosts, versions and images don't.
func looksLikeFile(s string) bool {
	name := path.Base(s)
	dot := strings.LastIndexByte(name, '.')
	switch {
	case dot < 0:
		return strings.Contains(" Makefile Dockerfile Containerfile Gemfile Rakefile Justfile justfile Procfile Jenkinsfile Vagrantfile LICENSE README CHANGELOG CODEOWNERS BUILD WORKSPACE ", " "+name+" ")
	case dot == 0:
		return len(name) > 2 && isASCIILetter(name[1])
	}
	ending := name[dot+1:]
	if len(ending) == 1 {
		return strings.Contains("cChHmMsSrRdvylf", ending)
	}
	if len(ending) == 0 || len(ending) > 12 || !isASCIILetter(ending[0]) {
		return false
	}
	for i := range len(ending) {
		if c := ending[i]; !isASCIILetter(c) && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	if ending[0] == 'v' && '0' <= ending[1] && ending[1] <= '9' { // such as api.v1
		return false
	}
	host := " com net org io dev app cloud ai co eu de uk us info local localdomain internal lan svc test example invalid "
	return name != s || !strings.Contains(host, " "+strings.ToLower(ending)+" ")
}
