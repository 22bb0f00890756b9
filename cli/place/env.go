// Package place knows where a command runs: directories, clock and environment (Env), the config file, the files that
// continuo keeps for itself, the catalogue, the ledger of a folder, and the programs that can be asked, started by cli/host.
package place

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// Command is a command line that goes on from this one: it looks in the same config directories.
func (e *Env) Command(words ...string) string {
	for _, dir := range e.ClaudeDirs {
		words = append(words, "--claude-dir", dir)
	}
	return ShellLine(append([]string{"continuo"}, words...))
}

// UndoLater names the command that takes back a plan that is only shown yet: its id is known when it is done, and without
// the id undo takes the last action of this folder's project, which may be another one.
func (e *Env) UndoLater() string {
	return e.Command("undo") + " with the id that is printed then"
}

// IsFolder reports whether there is a directory, as a person names it.
func (e *Env) IsFolder(ctx context.Context, typed string) bool {
	return sessions.ProbeFolder(ctx, e.TypedPath(typed)).State == sessions.FolderThere
}

// PathFix is the command that puts this program on the PATH; "" it has another name.
func (e *Env) PathFix() string {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "continuo" {
		return "export PATH=" + e.ShellPath(filepath.Dir(self)) + `:"$PATH"`
	}
	return ""
}

// ClientDir is the config directory that the client would look in by itself.
func (e *Env) ClientDir() string {
	if dir := e.Host.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return e.Abs(dir)
	}
	return filepath.Join(e.Home, ".claude")
}

// ConfigVariable is the variable that tells the client where the session is: CLAUDE_CONFIG_DIR with its config
// directory, and without a value where it must not be set. In ~/.claude the client does not look for its settings when
// the variable names that (client 2.1.330).
func (e *Env) ConfigVariable(row *sessions.Row) string {
	const name = "CLAUDE_CONFIG_DIR"
	mine, dir := e.Host.Getenv(name), row.Dir
	if dir == "" || mine != "" && RealPath(e.Abs(mine)) == RealPath(dir) {
		dir = mine // as the client of this person is started
	} else if RealPath(filepath.Join(e.Home, ".claude")) == RealPath(dir) {
		dir = ""
	}
	if dir == "" {
		return name
	}
	return name + "=" + dir
}

// ConfigPrefix sets or unsets in a shell what this run does in the environment of the client; "" when nothing differs.
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

// TypedPath is a folder as a person names it: with ~, or from the current one.
func (e *Env) TypedPath(path string) string { return e.Abs(ExpandHome(path, e.Home)) }

// Env is where and when a command runs, and what it can ask.
type Env struct {
	Host       host.Host // its variables, and the programs that it can start
	Dir        string    // current directory, "" when it is gone
	Home       string    // "" unknown
	Now        func() time.Time
	Args       []string // of this run, for the report of a bug
	Version    string
	ClaudeDirs []string // of --claude-dir
	Dirs       []string // Claude config directories of this run, once they are known
	Open       opener
	Browse     Browser
	Signals    *host.Signals
	MadeUp     bool                    // the sessions are those of the demo
	Settings   func() (*Config, error) // see loadConfig
}

// Abs makes a path absolute against the directory of this run.
func (e *Env) Abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return filepath.Clean(path)
}

// OwnEnv are the variables of this run that change what continuo does: the server of tmux may have other ones.
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

// Browser opens the full-screen browser and returns when the person leaves it.
type Browser func(ctx context.Context, world tui.World, opts tui.Options) error
