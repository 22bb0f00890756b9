package sessions

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// slugMax is the limit in UTF-16 code units above which Claude Code cuts a path in a directory name and adds a hash
// (client 2.1.330).
const slugMax = 200

// Slug returns the name of the directory under projects/ in which the client keeps the transcripts of a
// working directory (client 2.1.330). The client takes the real path, so the caller resolves symlinks.
//
// Each UTF-16 code unit that isn't an ASCII letter or digit becomes one "-", so an emoji becomes two. A path of more
// than 200 units is cut there and gets "-" and the hash of the whole path in base 36. The name cannot be turned back
// into a path: compare slugs, never decode one.
func Slug(dir string) string {
	units := utf16.Encode([]rune(dir))
	kept := units[:min(len(units), slugMax)]
	var b strings.Builder
	b.Grow(len(kept) + 8)
	for _, u := range kept {
		if u < 0x80 && isAlphanumeric(byte(u)) {
			b.WriteByte(byte(u))
		} else {
			b.WriteByte('-')
		}
	}
	if len(units) > slugMax {
		b.WriteByte('-')
		b.WriteString(slugHash(units))
	}
	return b.String()
}

// Named returns a filter for the directories under projects/ that can hold sessions of the given folders and of folders
// in them. It lets through a name that can't come from an absolute path (CLAUDE_CODE_PROJECT_DIR_NAME): that directory
// can hold sessions of any folder.
func Named(folders ...string) func(slug string) bool {
	starts := make([]string, len(folders))
	for i, f := range folders {
		starts[i] = Slug(f)
		starts[i] = starts[i][:min(len(starts[i]), slugMax)] // cut the hash of a long path: subfolders have another one
	}
	return func(slug string) bool {
		ofPath := strings.HasPrefix(slug, "-") || len(slug) > 2 && slug[1:3] == "--" // a drive letter
		return !ofPath || slices.ContainsFunc(starts, func(start string) bool {
			rest, ok := strings.CutPrefix(slug, start)
			return ok && (rest == "" || rest[0] == '-')
		})
	}
}

// slugHash returns the client's hash: the absolute value of h in base 36, with h = h*31 + unit in signed 32 bits. The
// absolute value is computed in 64 bits, because that of the smallest 32-bit number doesn't fit in 32 bits.
func slugHash(units []uint16) string {
	var h int32
	for _, u := range units {
		h = h*31 + int32(u)
	}
	v := int64(h)
	if v < 0 {
		v = -v
	}
	return strconv.FormatInt(v, 36)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// spot is an absolute path of any system, for comparing and cutting as text. It is comparable.
type spot struct {
	volume string // `C:` or `\\server\share`; "" on Unix
	path   string // the rest, clean, with slashes; starts with a slash
}

// parseSpot splits an absolute path. Windows paths may use either separator and either case of the drive letter; in a
// Unix path a backslash is an ordinary character.
func parseSpot(s string) (spot, bool) {
	switch {
	case strings.HasPrefix(s, "/"):
		return spot{"", path.Clean(s)}, true
	case len(s) >= 2 && s[1] == ':' && isLetter(s[0]) && (len(s) == 2 || s[2] == '\\' || s[2] == '/'):
		return spot{strings.ToUpper(s[:1]) + ":", path.Clean("/" + slashed(s[2:]))}, true
	case strings.HasPrefix(s, `\\`):
		server, rest, _ := strings.Cut(slashed(s[2:]), "/")
		share, rest, _ := strings.Cut(rest, "/")
		return spot{`\\` + server + `\` + share, path.Clean("/" + rest)}, true
	}
	return spot{}, false
}

// String returns the path in the notation of its system.
func (s spot) String() string {
	if s.volume == "" {
		return s.path
	}
	return s.volume + strings.ReplaceAll(s.path, "/", `\`)
}

func (s spot) isRoot() bool { return s.path == "/" }

// up returns the parent directory. The parent of a root is the root.
func (s spot) up() spot { return spot{s.volume, path.Dir(s.path)} }

func (s spot) join(name string) spot { return spot{s.volume, path.Join(s.path, name)} }

// resolve returns the absolute form of a path that was read from a file in this directory. A relative path is relative
// to the directory.
func (s spot) resolve(text string) spot {
	if abs, ok := parseSpot(text); ok {
		return abs
	}
	if s.volume != "" {
		text = slashed(text)
	}
	return s.join(text)
}

// within reports whether s is dir or in it.
func (s spot) within(dir spot) bool {
	rest, ok := strings.CutPrefix(s.path, dir.path)
	return s.volume == dir.volume && ok && (rest == "" || rest[0] == '/' || dir.isRoot())
}

// shape is a worktree recognised by the text of its path.
type shape struct {
	repo spot
	sure bool // the path is proof enough; false: the worktree counts only if the repository is known
}

// shapes returns the worktrees that a path suggests, outermost first: those of Claude Code
// (<repo>/.claude/worktrees/<name>, client 2.1.330) and the usual ones of git worktree add.
func shapes(s spot) []shape {
	var found []shape
	names := strings.Split(s.path[1:], "/")
	for i, name := range names[:len(names)-1] { // the last name is that of the worktree
		repo := spot{s.volume, "/" + strings.Join(names[:i], "/")}
		stem := strings.TrimSuffix(strings.TrimSuffix(name, "-worktrees"), ".worktrees")
		switch {
		case name == ".worktrees", name == ".claude" && names[i+1] == "worktrees" && i+2 < len(names):
			found = append(found, shape{repo, true})
		case stem != name && stem != "" && stem[0] != '.':
			found = append(found, shape{repo.join(stem), false})
		}
	}
	return found
}

func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }

func isLetter(c byte) bool { return isAlphanumeric(c) && c > '9' }
