package place

import (
	"errors"
	"fmt"
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
	KeyRoots    = "roots"
	KeyTheme    = "theme"
	KeyGlyphs   = "glyphs"
	KeyResumeIn = "resume.in"
	KeyCommand  = "claude.command"
	KeyArgs     = "claude.args"
	KeyKeys     = "keys" // and "keys." with the name of an action
)

// Auto is the value of what continuo finds out by itself.
const Auto = "auto"

// ConfigLimit is how many bytes a config file may have.
const ConfigLimit = 64 << 10

// Config is what the config file says, and the defaults for what it leaves out.
type Config struct {
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

// LoadConfig is what the config file says; it is read once a run. A file that is not there is one with the defaults.
// The error is a *failure that names the file and the line; with it come the defaults.
func LoadConfig(env *Env) (*Config, error) { return env.Settings() }

// ReadConfigFile reads the config file of an environment. Commands call LoadConfig, which reads it once.
func ReadConfigFile(env *Env) (*Config, error) {
	return ReadConfig(env.configPath(), env.Home, tui.CheckKeys)
}

// configPath is $XDG_CONFIG_HOME/continuo/config.toml, else ~/.config/continuo/config.toml; "" without a home.
func (e *Env) configPath() string {
	dir := e.configDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// DefaultConfig is the configuration without a file.
func DefaultConfig(path string) *Config {
	return &Config{
		Theme: Auto, Glyphs: Auto, ResumeIn: Auto, ClaudeCommand: "claude",
		Keys: map[string][]string{}, Path: path, Lines: map[string]int{},
	}
}

// ReadConfig reads a config file. check may be nil.
func ReadConfig(path, home string, check keyCheck) (*Config, error) {
	c := DefaultConfig(path)
	if path == "" {
		return c, nil
	}
	data, err := sessions.ReadSmall(path, ConfigLimit)
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
		return DefaultConfig(path), err
	}
	if check == nil {
		return c, nil
	}
	if name, err := check(c.Keys); err != nil {
		return DefaultConfig(path), p.wrong(TOMLPath(KeyKeys, name)+": "+err.Error(), KeyKeys, name)
	}
	return c, nil
}

// ExpandHome puts the home in the place of a leading ~.
func ExpandHome(path, home string) string {
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

// TOMLText is a text as a basic string of TOML, with everything escaped that a terminal would act on.
func TOMLText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r > 0xffff && out.MustEscape(r):
			fmt.Fprintf(&b, `\U%08X`, r)
		case r < ' ', out.MustEscape(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// TOMLPath is a dotted key as TOML: a part with other characters than letters, digits, - and _ is quoted.
func TOMLPath(parts ...string) string {
	shown := make([]string, len(parts))
	for i, part := range parts {
		bare := part != "" && !strings.ContainsFunc(part, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
		})
		if shown[i] = part; !bare {
			shown[i] = TOMLText(part)
		}
	}
	return strings.Join(shown, ".")
}
