package cli

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// tilde is a path as a person writes it, clean.
func (e *Env) tilde(path string) string { return sessions.Tilde(path, e.home) }

// baseName is the last element of a path, clean; "" for "".
func baseName(path string) string {
	if path == "" {
		return ""
	}
	return out.CleanPath(filepath.Base(path))
}

// projectName is the short name of the project of a row.
func projectName(r *sessions.Row) string {
	if r.Project != "" {
		return baseName(r.Project)
	}
	return baseName(r.Workdir)
}

// shortID is the start of an id that tells sessions apart.
func shortID(id string) string { return sessions.ShortID(id) }

// badgeName is the badge as programs read it: one word with dashes.
func badgeName(b sessions.Badge) string {
	if b == sessions.BadgeBackupOnly {
		return string(sessions.FlagBackupOnly)
	}
	return strings.ReplaceAll(string(b), " ", "-")
}

// realPath is a path without symbolic links.
func realPath(path string) string { return sessions.RealPath(path) }

// within reports whether a path is dir or below it.
func within(path, dir string) bool { return sessions.Within(path, dir) }

// moment is a time inside a sentence: "today 11:02".
func (e *Env) moment(t time.Time) string { return words.Inside(e.now(), t) }

// day is the day of a time inside a sentence: "today", "Nov 14".
func (e *Env) day(t time.Time) string { return words.DayInside(e.now(), t) }

// shellPath is a path as a word for a shell, with ~ where it can be.
func (e *Env) shellPath(path string) string { return sessions.ShellPath(path, e.home) }

// shellWord is a path as one word of a shell.
func shellWord(path string) string { return sessions.ShellWord(path) }
