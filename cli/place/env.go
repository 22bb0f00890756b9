// Package place describes where a command runs: directories, clock and environment (Env). It also has the config,
// continuo's own files, the catalog, and the ledger of a folder.
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

// Command returns a command line of continuo for the config directories of this run.
func (e *Env) Command(words ...string) string {
	for _, dir := range e.ClaudeDirs {
		words = append(words, "--claude-dir", dir)
	}
	return ShellLine(append([]string{"continuo"}, words...))
}

// UndoLater returns the command that undoes a planned change. The user must add the ID, which isn't known yet.
func (e *Env) UndoLater() string {
	return e.Command("undo") + " with the printed ID"
}

// IsFolder reports whether a typed path is a directory.
func (e *Env) IsFolder(ctx context.Context, typed string) bool {
	return sessions.ProbeFolder(ctx, e.TypedPath(typed)).State == sessions.FolderThere
}

// PathFix returns the command that adds this program to the PATH; "" if the program has another name.
func (e *Env) PathFix() string {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "continuo" {
		return "export PATH=" + e.ShellPath(filepath.Dir(self)) + `:"$PATH"`
	}
	return ""
}

// ClientDir returns the client's default config directory.
func (e *Env) ClientDir() string {
	if dir := e.Host.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return e.Abs(dir)
	}
	return filepath.Join(e.Home, ".claude")
}

// ConfigVariable returns "CLAUDE_CONFIG_DIR=DIR" for a session, or only the name to unset the variable. For ~/.claude,
// it must be unset, or the client misses its settings (client 2.1.330).
func (e *Env) ConfigVariable(row *sessions.Row) string {
	const name = "CLAUDE_CONFIG_DIR"
	mine, dir := e.Host.Getenv(name), row.Dir
	if dir == "" || mine != "" && RealPath(e.Abs(mine)) == RealPath(dir) {
		dir = mine // this user's default
	} else if RealPath(filepath.Join(e.Home, ".claude")) == RealPath(dir) {
		dir = ""
	}
	if dir == "" {
		return name
	}
	return name + "=" + dir
}

// ConfigPrefix returns a shell prefix that sets or unsets CLAUDE_CONFIG_DIR; "" if that isn't necessary.
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

// TypedPath returns the absolute path of a typed folder, and expands ~.
func (e *Env) TypedPath(path string) string { return e.Abs(ExpandHome(path, e.Home)) }

// Env is the environment of a command: directories, clock, settings and programs.
type Env struct {
	Host       host.Host // variables and other programs
	Dir        string    // "" if it was removed
	Home       string    // "" if unknown
	Now        func() time.Time
	Args       []string // for a crash report
	Version    string
	ClaudeDirs []string // values of --claude-dir
	Dirs       []string // Claude config directories; nil until known
	Open       opener
	Browse     Browser
	Signals    *host.Signals
	MadeUp     bool                    // a demo with made-up sessions
	Settings   func() (*Config, error) // see LoadConfig
	Index      *index.Index            // cached figures and texts of earlier runs
}

// Abs makes a path absolute, starting at Dir.
func (e *Env) Abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return filepath.Clean(path)
}

// OwnEnv returns the variables that affect continuo. Programs in tmux need them, because the server may have other
// values.
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

// Browser shows the browser until the user closes it.
type Browser func(ctx context.Context, world tui.World, opts tui.Options) error
