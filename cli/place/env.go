// Package place describes where a command runs: the directories, the clock and the environment (Env). It also has the
// config file, continuo's own files, the catalog and the ledger of a folder. It runs programs of cli/host that work on
// these, such as br and ck.
package place

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/tui"
)

// Command returns a command line of continuo that searches the same config directories as this run.
func (e *Env) Command(words ...string) string {
	for _, dir := range e.ClaudeDirs {
		words = append(words, "--claude-dir", dir)
	}
	return ShellLine(append([]string{"continuo"}, words...))
}

// UndoLater returns the command that undoes a planned change. The ID of the change isn't known yet, so the text tells
// the user to add it. Without an ID, continuo undo could undo a different change.
func (e *Env) UndoLater() string {
	return e.Command("undo") + " with the printed ID"
}

// IsFolder reports whether a path that the user has typed is a directory.
func (e *Env) IsFolder(ctx context.Context, typed string) bool {
	return sessions.ProbeFolder(ctx, e.TypedPath(typed)).State == sessions.FolderThere
}

// PathFix returns the command that adds the directory of this program to the PATH. It returns "" if the program
// has another name.
func (e *Env) PathFix() string {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "continuo" {
		return "export PATH=" + e.ShellPath(filepath.Dir(self)) + `:"$PATH"`
	}
	return ""
}

// ClientDir returns the config directory that the client uses by default.
func (e *Env) ClientDir() string {
	if dir := e.Host.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return e.Abs(dir)
	}
	return filepath.Join(e.Home, ".claude")
}

// ConfigVariable returns the setting of CLAUDE_CONFIG_DIR for a session: "CLAUDE_CONFIG_DIR=DIR", or only the name to
// unset the variable. For ~/.claude it must be unset, because otherwise the client wouldn't find its settings (client
// 2.1.330).
func (e *Env) ConfigVariable(row *sessions.Row) string {
	const name = "CLAUDE_CONFIG_DIR"
	mine, dir := e.Host.Getenv(name), row.Dir
	if dir == "" || mine != "" && RealPath(e.Abs(mine)) == RealPath(dir) {
		dir = mine // the default directory of this user's client
	} else if RealPath(filepath.Join(e.Home, ".claude")) == RealPath(dir) {
		dir = ""
	}
	if dir == "" {
		return name
	}
	return name + "=" + dir
}

// ConfigPrefix returns a prefix for a shell line that sets or unsets CLAUDE_CONFIG_DIR. It returns "" if the
// environment already has the right value.
func (e *Env) ConfigPrefix(row *sessions.Row) string {
	name, dir, set := strings.Cut(e.ConfigVariable(row), "=")
	switch {
	case set && dir != e.Host.Getenv(name):
		return name + "=" + ShellWord(dir) + " "
	case !set && e.Host.Getenv(name) != "":
		return "env -u " + name + " "
	}
	return ""
}

// TypedPath returns the absolute path of a folder that the user has typed. It expands ~.
func (e *Env) TypedPath(path string) string { return e.Abs(ExpandHome(path, e.Home)) }

// Env is the environment of a command: directories, clock, settings and programs.
type Env struct {
	Host       host.Host // environment variables and other programs
	Dir        string    // the current directory; "" if it was removed
	Home       string    // home directory; "" if unknown
	Now        func() time.Time
	Args       []string // arguments of this run, for a crash report
	Version    string
	ClaudeDirs []string // values of --claude-dir
	Dirs       []string // Claude config directories of this run; nil until they are known
	Open       opener
	Browse     Browser
	Signals    *host.Signals
	MadeUp     bool                    // this is a demo with made-up sessions
	Settings   func() (*Config, error) // see LoadConfig
	Index      *index.Index            // cache of figures and texts from earlier runs
}

// Abs makes a path absolute. A relative path is relative to the current directory of this run.
func (e *Env) Abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return filepath.Clean(path)
}

// OwnEnv returns the variables of this run that affect continuo. A program that tmux starts needs them, because the
// tmux server may have other values.
func (e *Env) OwnEnv() []string {
	var env []string
	for _, key := range []string{
		"HOME", "PATH", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NO_COLOR", "CONTINUO_GLYPHS", "EDITOR", "VISUAL",
	} {
		if value := e.Host.Getenv(key); value != "" {
			env = append(env, key+"="+value)
		} else {
			env = append(env, key)
		}
	}
	return env
}

// Browser shows the browser on the full screen. It returns when the user closes the browser.
type Browser func(ctx context.Context, world tui.World, opts tui.Options) error
