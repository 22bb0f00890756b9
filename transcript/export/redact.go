package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
	"github.com/continuo-tui/continuo/transcript/mask"
)

// Redactor masks secrets of known formats (mask.Secrets) and e-mail addresses, and replaces home directories by "~".
// A nil Redactor changes nothing.
type Redactor struct {
	Count int // number of replacements so far

	email, user, munged mask.Shape
	home, folder        string // home directory on this machine, and its name in projects/; "" if unknown
	secret              map[string]bool
	seen                map[string]answer // cache of results for short texts
}

// answer is a masked text and the number of replacements in it.
type answer struct {
	text  string
	count int
}

const (
	maxSeen     = 128     // maximum length of a text in seen, in bytes
	maxAnswers  = 1 << 14 // maximum number of texts in seen
	leastBase64 = 4 << 10 // minimum length of a text that is checked for base64, in bytes
)

// NewRedactor returns a Redactor. home is the home directory on this machine. The usual home directories of all users
// on Linux, macOS and Windows are recognised too.
func NewRedactor(home string) *Redactor {
	const name = `[^/\\\s"'` + "`" + `:,;<>|(){}\[\]*?]+`
	r := &Redactor{
		email: mask.NewShape(`[\p{L}\p{N}._%+-]*[\p{L}\p{N}_+-](?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}`, atAddress, "@", "%40"),
		user:  mask.NewShape(`(^|[^\w.~-])(?:/(?:home|Users)/|(?:/mnt)?/[a-z]/Users/|[A-Za-z]:[\\/]+Users[\\/]+)`+name, atUsers, "home/", `users\`, "users/"),
		// The name of a project's folder in projects/ is the path of the project with "-" for each "/".
		munged: mask.NewShape(`(^|[^\w.~-])-(?:home|Users)-\w+`, atFolder, "-home-", "-users-"),
		secret: map[string]bool{}, seen: map[string]answer{},
	}
	if home = strings.TrimRight(home, `/\`); len(home) > 2 {
		r.home, r.folder = home, strings.NewReplacer("/", "-", `\`, "-", ".", "-", ":", "-").Replace(home)
	}
	return r
}

// Text masks a text.
func (r *Redactor) Text(s string) string {
	if r == nil || s == "" || isBase64(s) {
		return s
	}
	if len(s) > maxSeen {
		return r.masked(s)
	}
	a, ok := r.seen[s]
	if !ok {
		before := r.Count
		a.text = r.masked(s)
		a.count, r.Count = r.Count-before, before
		if len(r.seen) >= maxAnswers {
			clear(r.seen)
		}
		r.seen[s] = a
	}
	r.Count += a.count
	return a.text
}

// isBase64 reports whether a long text is only base64, such as an image. Searching it takes long, and finds texts
// that look like secrets by chance.
func isBase64(s string) bool {
	if len(s) < leastBase64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '+' && c != '/' && c != '=' && (!isName(c) || c == '_' || c == '-' || c >= 0x80) {
			return false
		}
	}
	return true
}

// masked is Text without the cache.
func (r *Redactor) masked(s string) string {
	masked := mask.Secrets(s)
	if masked != s {
		r.Count += max(1, strings.Count(masked, mask.Mark)-strings.Count(s, mask.Mark))
	}
	if strings.Contains(masked, "@") || strings.Contains(masked, "%40") {
		masked = r.replace(&r.email, masked, func(dst []byte, _ string, _ []int) []byte { return append(dst, mask.Mark...) })
	}
	if r.home != "" {
		masked = r.ownHome(masked, r.home)
		masked = r.ownHome(masked, r.folder)
	}
	masked = r.ownHome(masked, "/root")
	if !strings.Contains(masked, "home") && !strings.Contains(masked, "Users") {
		return masked
	}
	home := func(dst []byte, s string, m []int) []byte { return append(append(dst, s[m[2]:m[3]]...), '~') }
	return r.replace(&r.munged, r.replace(&r.user, masked, home), home)
}

// replace replaces the matches of a shape and counts them.
func (r *Redactor) replace(shape *mask.Shape, s string, with func(dst []byte, s string, m []int) []byte) string {
	return shape.Replace(s, func(dst []byte, s string, m []int) []byte {
		r.Count++
		return with(dst, s, m)
	})
}

// atAddress returns the start of an e-mail address. The anchor is the "@" in it.
func atAddress(s string, from, at int) (start, next int) {
	is := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("._%+-", r)
	}
	for start = at; start > from; {
		r, n := utf8.DecodeLastRuneInString(s[from:start])
		if !is(r) {
			break
		}
		start -= n
	}
	next = at + len(s[at:]) - len(strings.TrimLeftFunc(s[at:], is))
	if start == next {
		return -1, next
	}
	return start, next
}

// atUsers returns the index before the home directory with the anchor. A home directory is in /home/, /Users/,
// /c/Users/, /mnt/c/Users/ or C:\Users\.
func atUsers(s string, from, at int) (start, next int) {
	isSlash := func(i int) bool { return i >= 0 && s[i] == '/' }
	if s[at] != 'h' && isSlash(at-3) && isSlash(at-1) && s[at-2] >= 'a' && s[at-2] <= 'z' {
		if at >= 7 && s[at-7:at-3] == "/mnt" {
			if start = before(s, from, at-7); start >= 0 {
				return start, at
			}
		}
		if start = before(s, from, at-3); start >= 0 {
			return start, at
		}
	}
	if drive := len(strings.TrimRight(s[from:at], `/\`)) + from - 2; s[at] != 'h' && drive >= from && drive+2 < at && isDrive(s[drive:drive+2]) {
		if start = before(s, from, drive); start >= 0 {
			return start, at
		}
	}
	if isSlash(at - 1) {
		return before(s, from, at-1), at
	}
	return -1, at
}

// isDrive reports whether two bytes are a drive of Windows, such as "C:".
func isDrive(s string) bool {
	return s[1] == ':' && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

// atFolder returns the index before the anchor.
func atFolder(s string, from, at int) (start, next int) { return before(s, from, at), at }

// before returns the index of the character before a path; 0 at the start of a text. It returns -1 if the character
// belongs to a name.
func before(s string, from, path int) int {
	if path == 0 {
		return 0
	}
	r, n := utf8.DecodeLastRuneInString(s[from:max(path, from)])
	if n == 0 || strings.ContainsRune(".~-_", r) || r < utf8.RuneSelf && isName(byte(r)) {
		return -1
	}
	return path - n
}

// ownHome replaces path in s, where it is a whole path or the start of one. It doesn't replace the start of a longer
// name.
func (r *Redactor) ownHome(s, path string) string {
	if !strings.Contains(s, path) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, path)
		if i < 0 {
			return b.String() + s
		}
		end := i + len(path)
		inside := i > 0 && (isName(s[i-1]) || s[i-1] == '.') || end < len(s) && isName(s[end]) && path != r.folder
		b.WriteString(s[:i])
		if inside {
			b.WriteString(path)
		} else {
			r.Count++
			b.WriteString("~")
		}
		s = s[end:]
	}
}

// isName reports whether a byte can be part of a file name.
func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// JSON masks the strings of a JSON value and keeps all other bytes. If a key is a name of secrets, such as
// "password", the whole string is masked. If raw isn't valid JSON, it is masked as a text.
func (r *Redactor) JSON(raw []byte) []byte {
	if r == nil || len(raw) == 0 {
		return raw
	}
	if !json.Valid(raw) {
		return []byte(r.Text(string(raw)))
	}
	return r.valid(raw)
}

// valid masks the strings of a valid JSON value.
func (r *Redactor) valid(raw []byte) []byte {
	w := jsonRedactor{Redactor: r}
	for i := 0; i < len(raw); {
		at := bytes.IndexByte(raw[i:], '"')
		if at < 0 {
			at = len(raw) - i
		}
		w.between(raw[i : i+at])
		if i += at; i == len(raw) {
			break
		}
		end := i + 1
		for raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		w.text(raw[i:end+1], bytes.HasPrefix(bytes.TrimLeft(raw[end+1:], " \t\r\n"), []byte(":")))
		i = end + 1
	}
	return w.out
}

// jsonRedactor masks the strings of one valid JSON value.
type jsonRedactor struct {
	*Redactor
	out     []byte
	key     string // key of the current value; "" if there is none
	private bool   // in an array with the lines of a private key
}

// between adds the bytes between two strings.
func (w *jsonRedactor) between(b []byte) {
	if w.key != "" && len(bytes.Trim(b, " \t\r\n:")) > 0 { // the value isn't a string
		w.key = ""
	}
	if bytes.ContainsAny(b, "[]{}") {
		w.private = false
	}
	w.out = append(w.out, b...)
}

// text adds a quoted string.
func (w *jsonRedactor) text(quoted []byte, isKey bool) {
	text := jsonlex.Unquote(quoted[1 : len(quoted)-1])
	var masked string
	switch {
	case w.private && !isKey:
		w.private = !strings.Contains(text, "-----END ")
		masked = mask.Mark
		if text != "" && strings.IndexByte("+- ", text[0]) >= 0 { // skip the sign of a patch line
			masked = text[:1] + masked
		}
	case w.key != "" && text != "" && w.isSecret(w.key):
		masked = mask.Mark
		if text != masked {
			w.Count++
		}
	default:
		masked = w.Text(text)
		w.private = !isKey && strings.Contains(text, "PRIVATE KEY") &&
			strings.LastIndex(text, "-----BEGIN ") > strings.LastIndex(text, "-----END ")
	}
	w.key = ""
	if isKey {
		w.key = text
	}
	if masked == text {
		w.out = append(w.out, quoted...)
		return
	}
	w.out = append(w.out, encoded(masked)...)
}

// isSecret reports whether the value of a key is a secret.
func (r *Redactor) isSecret(key string) bool {
	const longest = 64 // maximum length of a key for a secret, in bytes
	if len(key) > longest {
		return false
	}
	is, known := r.secret[key]
	if !known {
		probe := key + ": x1"
		is = strings.HasSuffix(mask.Secrets(probe), mask.Mark)
		r.secret[key] = is
	}
	return is
}

// Message masks the texts of a message in place.
func (r *Redactor) Message(m *transcript.Message) {
	if r == nil {
		return
	}
	m.Err = r.Text(m.Err)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		for _, s := range []*string{&b.Text, &b.Name, &b.Title, &b.Reason} {
			*s = r.Text(*s)
		}
		b.Input, b.Raw = r.JSON(b.Input), r.JSON(b.Raw)
		for k := range b.Patch { // all lines together, because a secret can have several lines
			h := &b.Patch[k]
			text := strings.Join(h.Lines, "\n")
			if masked := r.Text(text); masked != text {
				h.Lines = strings.Split(masked, "\n")
			}
		}
	}
}

// Session masks the texts at the start of an export.
func (r *Redactor) Session(s *Session) {
	for _, text := range []*string{&s.Title, &s.Dir, &s.Branch} {
		*text = r.Text(*text)
	}
}
