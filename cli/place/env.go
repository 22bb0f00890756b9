// Package place describes where a command runs: directories, clock and environment (Env), the config file, continuo's
// own files, the catalog, the ledger of a folder, and the programs started by cli/host.
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

// Command returns a continuo command line that searches the same config directories as this run.
func (e *Env) Command(words ...string) string {
	for _, dir := range e.ClaudeDirs {
		words = append(words, "--claude-dir", dir)
	}
	return ShellLine(append([]string{"continuo"}, words...))
}

// UndoLater describes the command that undoes a plan whose ID isn't known yet. It mentions the ID, because continuo
// undo without an ID undoes the last action of the project, and that may be a different action.
func (e *Env) UndoLater() string {
	return e.Command("undo") + " with the printed ID"
}

// IsFolder reports whether the typed path is a directory.
func (e *Env) IsFolder(ctx context.Context, typed string) bool {
	return sessions.ProbeFolder(ctx, e.TypedPath(typed)).State == sessions.FolderThere
}

// PathFix returns the command that adds this program to the PATH, "" if the program has another name.
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

// ConfigVariable returns CLAUDE_CONFIG_DIR=DIR for the session's config directory, or the bare name if the variable
// must be unset. For ~/.claude it must be unset, because the client doesn't find its settings otherwise (client
// 2.1.330).
func (e *Env) ConfigVariable(row *sessions.Row) string {
	const name = "CLAUDE_CONFIG_DIR"
	mine, dir := e.Host.Getenv(name), row.Dir
	if dir == "" || mine != "" && RealPath(e.Abs(mine)) == RealPath(dir) {
		dir = mine // the default of this user's client
	} else if RealPath(filepath.Join(e.Home, ".claude")) == RealPath(dir) {
		dir = ""
	}
	if dir == "" {
		return name
	}
	return name + "=" + dir
}

// ConfigPrefix returns the shell prefix that sets or unsets CLAUDE_CONFIG_DIR, "" if the environment is right
// already.
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

// TypedPath returns the absolute path of a typed folder, with ~ expanded.
func (e *Env) TypedPath(path string) string { return e.Abs(ExpandHome(path, e.Home)) }

// Env is the environment of a command: its directories, clock, settings and programs.
type Env struct {
	Host       host.Host // variables, and the programs that can be started
	Dir        string    // current directory, "" if it was removed
	Home       string    // "" if unknown
	Now        func() time.Time
	Args       []string // arguments of this run, for crash reports
	Version    string
	ClaudeDirs []string // from --claude-dir
	Dirs       []string // Claude config directories of this run, set when known
	Open       opener
	Browse     Browser
	Signals    *host.Signals
	MadeUp     bool                    // the sessions are those of a demo
	Settings   func() (*Config, error) // see LoadConfig
	Index      *index.Index            // figures and texts of earlier runs
}

// Abs returns the absolute path, relative to the current directory of this run.
func (e *Env) Abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return filepath.Clean(path)
}

// OwnEnv returns the variables of this run that change continuo's behavior. The tmux server may have different
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

// Browser opens the full-screen browser and returns when the user closes it.
type Browser func(ctx context.Context, world tui.World, opts tui.Options) error
