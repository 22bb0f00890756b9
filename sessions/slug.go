package sessions

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// slugMax is the limit of a path in a project directory's name, in UTF-16 code units. Longer paths are truncated and
// get a hash (client 2.1.330).
const slugMax = 200

// Slug returns the name of the directory in projects/ for a working directory (client 2.1.330). The client uses the
// real path, so the caller must resolve symlinks first.
//
// Each UTF-16 code unit except ASCII letters and digits becomes "-". A path of more than 200 units has the first 200,
// "-", and the hash of the whole path in base 36. Slugs can't be converted back, so compare them.
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

// Named returns a filter for directory names in projects/ that may have sessions of the given folders or their
// subfolders. A name that isn't the slug of an absolute path was set with CLAUDE_CODE_PROJECT_DIR_NAME, and passes.
func Named(folders ...string) func(slug string) bool {
	starts := make([]string, len(folders))
	for i, f := range folders {
		starts[i] = Slug(f)
		starts[i] = starts[i][:min(len(starts[i]), slugMax)] // without the hash, which subfolders don't share
	}
	return func(slug string) bool {
		ofPath := strings.HasPrefix(slug, "-") || len(slug) > 2 && slug[1:3] == "--" // or a drive letter
		return !ofPath || slices.ContainsFunc(starts, func(start string) bool {
			rest, ok := strings.CutPrefix(slug, start)
			return ok && (rest == "" || rest[0] == '-')
		})
	}
}

// slugHash returns the client's hash in base 36: the absolute value of h = h*31 + unit in signed 32 bits. The
// absolute value of -2^31 needs 64 bits.
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

// absPath is an absolute path of any system, as a comparable value.
type absPath struct {
	volume string // `C:` or `\\server\share`; "" on Unix
	path   string // clean path without the volume; begins with a slash, and has forward slashes on Windows
}

// parseAbsPath splits an absolute path. Windows paths may have both separators. In a Unix path, a backslash is an
// ordinary character.
func parseAbsPath(s string) (absPath, bool) {
	switch {
	case strings.HasPrefix(s, "/"):
		return absPath{"", path.Clean(s)}, true
	case len(s) >= 2 && s[1] == ':' && isLetter(s[0]) && (len(s) == 2 || s[2] == '\\' || s[2] == '/'):
		return absPath{strings.ToUpper(s[:1]) + ":", path.Clean("/" + slashed(s[2:]))}, true
	case strings.HasPrefix(s, `\\`):
		server, rest, _ := strings.Cut(slashed(s[2:]), "/")
		share, rest, _ := strings.Cut(rest, "/")
		return absPath{`\\` + server + `\` + share, path.Clean("/" + rest)}, true
	}
	return absPath{}, false
}

// String returns the path in the notation of its own system.
func (s absPath) String() string {
	if s.volume == "" {
		return s.path
	}
	return s.volume + strings.ReplaceAll(s.path, "/", `\`)
}

func (s absPath) isRoot() bool { return s.path == "/" }

// up returns the parent directory. The parent of a root is the root.
func (s absPath) up() absPath { return absPath{s.volume, path.Dir(s.path)} }

func (s absPath) join(name string) absPath { return absPath{s.volume, path.Join(s.path, name)} }

// resolve returns the absolute form of a path. Relative paths start at s.
func (s absPath) resolve(text string) absPath {
	if abs, ok := parseAbsPath(text); ok {
		return abs
	}
	if s.volume != "" {
		text = slashed(text)
	}
	return s.join(text)
}

// within reports whether s is dir or in it.
func (s absPath) within(dir absPath) bool {
	rest, ok := strings.CutPrefix(s.path, dir.path)
	return s.volume == dir.volume && ok && (rest == "" || rest[0] == '/' || dir.isRoot())
}

// worktreePath is a path that looks like a worktree.
type worktreePath struct {
	repo absPath
	sure bool // the path is proof; otherwise the repository must be known, too
}

// worktreePaths returns the worktrees that a path suggests, outermost first: those of Claude Code
// (<repo>/.claude/worktrees/<name>, client 2.1.330) and other common places, such as <repo>-worktrees/<name>.
func worktreePaths(s absPath) []worktreePath {
	var found []worktreePath
	names := strings.Split(s.path[1:], "/")
	for i, name := range names[:len(names)-1] { // the last name has no worktree below it
		repo := absPath{s.volume, "/" + strings.Join(names[:i], "/")}
		stem := strings.TrimSuffix(strings.TrimSuffix(name, "-worktrees"), ".worktrees")
		switch {
		case name == ".worktrees", name == ".claude" && names[i+1] == "worktrees" && i+2 < len(names):
			found = append(found, worktreePath{repo, true})
		case stem != name && stem != "" && stem[0] != '.':
			found = append(found, worktreePath{repo.join(stem), false})
		}
	}
	return found
}

func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }

func isLetter(c byte) bool { return isAlphanumeric(c) && c > '9' }
