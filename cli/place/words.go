package place

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// Tilde is a path as a person writes it, clean.
func (e *Env) Tilde(path string) string { return sessions.Tilde(path, e.Home) }

// BaseName is the last element of a path, clean; "" for "".
func BaseName(path string) string {
	if path == "" {
		return ""
	}
	return out.CleanPath(filepath.Base(path))
}

// ProjectName is the short name of the project of a row.
func ProjectName(r *sessions.Row) string {
	if r.Project != "" {
		return BaseName(r.Project)
	}
	return BaseName(r.Workdir)
}

// ShortID is the start of an id that tells sessions apart.
func ShortID(id string) string { return sessions.ShortID(id) }

// BadgeName is the badge as programs read it: one word with dashes.
func BadgeName(b sessions.Badge) string {
	if b == sessions.BadgeBackupOnly {
		return string(sessions.FlagBackupOnly)
	}
	return strings.ReplaceAll(string(b), " ", "-")
}

// RealPath is a path without symbolic links.
func RealPath(path string) string { return sessions.RealPath(path) }

// Within reports whether a path is dir or below it.
func Within(path, dir string) bool { return sessions.Within(path, dir) }

// Moment is a time inside a sentence: "today 11:02".
func (e *Env) Moment(t time.Time) string { return words.Inside(e.Now(), t) }

// Day is the day of a time inside a sentence: "today", "Nov 14".
func (e *Env) Day(t time.Time) string { return words.DayInside(e.Now(), t) }

// ShellPath is a path as a word for a shell, with ~ where it can be.
func (e *Env) ShellPath(path string) string { return sessions.ShellPath(path, e.Home) }

// ShellWord is a path as one word of a shell.
func ShellWord(path string) string { return sessions.ShellWord(path) }

// ShellLine quotes arguments for a shell.
func ShellLine(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = ShellWord(a)
	}
	return strings.Join(words, " ")
}
