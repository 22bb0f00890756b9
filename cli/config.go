package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// The keys of the config file. A new one is asked for often, and still thought over.
const (
	keyRoots    = "roots"
	keyTheme    = "theme"
	keyGlyphs   = "glyphs"
	keyResumeIn = "resume.in"
	keyCommand  = "claude.command"
	keyArgs     = "claude.args"
	keyKeys     = "keys" // and "keys." with the name of an action
)

// auto is the value of what continuo finds out by itself.
const auto = "auto"

// configLimit is how many bytes a config file may have.
const configLimit = 64 << 10

// config is what the config file says, and the defaults for what it leaves out.
type config struct {
	Roots         []string            // Claude config directories, whole paths; empty: it names none
	Theme         string              // auto, dark, light or none
	Glyphs        string              // auto, unicode or ascii
	ResumeIn      string              // auto, here, window, split or popup
	ClaudeCommand string              // a name on the PATH, or a whole path
	ClaudeArgs    []string            // in front of those of continuo
	Keys          map[string][]string // keys by the name of the action

	Path  string         // of the file; "" when there is no home for one
	Found bool           // the file is there
	Lines map[string]int // where each key was set, by its dotted name; what is not in here is a default
}

// keyCheck checks the section [keys] against the actions that there are. The name is that of the action that the
// error is about; the error says in a clause what is wrong and what would be right.
type keyCheck func(keys map[string][]string) (name string, err error)

// loadConfig is what the config file says; it is read once a run. A file that is not there is one with the defaults.
// The error is a *failure that names the file and the line; with it come the defaults.
func loadConfig(env *Env) (*config, error) { return env.settings() }

func readConfigFile(env *Env) (*config, error) {
	return readConfig(env.configPath(), env.home, tui.CheckKeys)
}

// configPath is $XDG_CONFIG_HOME/continuo/config.toml, else ~/.config/continuo/config.toml; "" without a home.
func (e *Env) configPath() string {
	dir := e.configDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// searchDirs are the Claude config directories that a run looks at, and what named them: --claude-dir, else
// $CLAUDE_CONFIG_DIR, else roots, else ~/.claude. The variable comes before the file because it is of this shell,
// and claude looks there as well. Whether they exist is not looked at; there are none without a home.
func searchDirs(env *Env, c *config) (dirs []string, from string) {
	switch {
	case len(env.claudeDirs) > 0:
		for _, dir := range env.claudeDirs {
			dirs = append(dirs, env.abs(dir))
		}
		return dirs, "--claude-dir"
	case env.host.Getenv("CLAUDE_CONFIG_DIR") != "":
		return []string{env.abs(env.host.Getenv("CLAUDE_CONFIG_DIR"))}, "$CLAUDE_CONFIG_DIR"
	case len(c.Roots) > 0:
		return c.Roots, keyRoots
	case env.home != "":
		return []string{filepath.Join(env.home, ".claude")}, ""
	}
	return nil, ""
}

// defaultConfig is the configuration without a file.
func defaultConfig(path string) *config {
	return &config{
		Theme: auto, Glyphs: auto, ResumeIn: auto, ClaudeCommand: "claude",
		Keys: map[string][]string{}, Path: path, Lines: map[string]int{},
	}
}

// readConfig reads a config file. check may be nil.
func readConfig(path, home string, check keyCheck) (*config, error) {
	c := defaultConfig(path)
	if path == "" {
		return c, nil
	}
	data, err := sessions.ReadSmall(path, configLimit)
	if _, missing := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && missing != nil {
		return c, nil // no file, and no link that leads nowhere
	}
	where := sessions.Tilde(path, home)
	if err != nil {
		return c, &out.Failure{What: "The config file " + where + " cannot be read: " + out.Reason(err) + ". Mend it or move it away.", Cause: err}
	}
	c.Found = true
	p := configParser{config: c, where: where, home: home}
	if err := p.parse(strings.TrimPrefix(string(data), "\uFEFF")); err != nil { // some editors begin with that mark
		return defaultConfig(path), err
	}
	if check == nil {
		return c, nil
	}
	if name, err := check(c.Keys); err != nil {
		return defaultConfig(path), p.wrong(tomlPath(keyKeys, name)+": "+err.Error(), keyKeys, name)
	}
	return c, nil
}

// expandHome puts the home in the place of a leading ~.
func expandHome(path, home string) string {
	if home == "" {
		return path
	}
	if path == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return path
}
