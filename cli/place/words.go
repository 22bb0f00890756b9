package place

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// Tilde returns a clean path, with ~ for the home.
func (e *Env) Tilde(path string) string { return sessions.Tilde(path, e.Home) }

// BaseName returns the last element of a path; "" for "".
func BaseName(path string) string {
	if path == "" {
		return ""
	}
	return out.CleanPath(filepath.Base(path))
}

// ProjectName returns the short name of a row's project.
func ProjectName(r *sessions.Row) string {
	if r.Project != "" {
		return BaseName(r.Project)
	}
	return BaseName(r.Workdir)
}

// ShortID returns the start of a session ID, as in lists.
func ShortID(id string) string { return sessions.ShortID(id) }

// BadgeName returns a badge as one word with dashes.
func BadgeName(b sessions.Badge) string {
	return strings.ReplaceAll(string(b), " ", "-")
}

// RealPath resolves the symbolic links of a path.
func RealPath(path string) string { return sessions.RealPath(path) }

// Within reports whether a path is dir or below it.
func Within(path, dir string) bool { return sessions.Within(path, dir) }

// Moment formats a time for use inside a sentence, such as "today 11:02".
func (e *Env) Moment(t time.Time) string { return words.Inside(e.Now(), t) }

// Day formats the day of a time for use inside a sentence, such as "today" or "Nov 14".
func (e *Env) Day(t time.Time) string { return words.DayInside(e.Now(), t) }

// ShellPath quotes a path for a shell, with ~ for the home if possible.
func (e *Env) ShellPath(path string) string { return sessions.ShellPath(path, e.Home) }

// ShellWord quotes a path as one shell word.
func ShellWord(path string) string { return sessions.ShellWord(path) }

// ShellLine quotes and joins arguments for a shell.
func ShellLine(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = ShellWord(a)
	}
	return strings.Join(words, " ")
}
