package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// Keys of the config file. Discuss a new key first.
const (
	KeyRoots    = "roots"
	KeyTheme    = "theme"
	KeyGlyphs   = "glyphs"
	KeyResumeIn = "resume.in"
	KeyHeadless = "hooks.headless"
	KeyCommand  = "claude.command"
	KeyArgs     = "claude.args"
	KeyDate     = "prices.date"
	KeyModels   = "prices.models" // prefix: "prices.models." and a model or family
	KeyHealth   = "tasks.health"
	KeyPrefix   = "tasks.prefix"
	KeyBell     = "live.bell"
	KeyPort     = "keeper.port"
	KeyAllowed  = "keeper.roots"
	KeyKeys     = "keys" // prefix: "keys." and an action
)

// Auto means that continuo chooses the value.
const Auto = "auto"

// The values of Headless.
const (
	HeadlessCopy    = "copy"    // the hooks only copy the transcript
	HeadlessPending = "pending" // the copy also becomes pending, as for other sessions
)

// The values of Bell.
const (
	BellOn  = "on"
	BellOff = "off"
)

// DefaultPort is the keeper's default port. If it is in use and the config sets no port, the keeper uses a free port.
const DefaultPort = 3100

// ConfigLimit is the maximum size in bytes.
const ConfigLimit = 64 << 10

// Config has the settings of the config file, or their defaults.
type Config struct {
	Roots         []string // absolute paths of Claude config directories; may be empty
	Theme         string   // auto, dark, light or none
	Glyphs        string   // auto, unicode or ascii
	ResumeIn      string   // auto, here, window, split or popup
	Headless      string   // for hooks at the end of claude -p: copy or pending
	ClaudeCommand string   // name on the PATH or absolute path
	ClaudeArgs    []string // precede continuo's arguments
	TaskHealth    string   // checks the health of a task; "" means the command in package.json
	TaskPrefix    string   // prefix of evidence lines
	Bell          string   // on or off: ring when a session begins to wait
	KeeperPort    int
	KeeperRoots   []string            // absolute paths for the keeper's API; empty means the home
	Keys          map[string][]string // by action
	Prices        resume.Prices

	Path  string         // "" if there is no home
	Found bool           // the file exists
	Lines map[string]int // by dotted name; defaults have no line
}

// keyCheck checks the section [keys]. It returns the invalid action, and an error with the allowed values.
type keyCheck func(keys map[string][]string) (name string, err error)

// LoadConfig returns the settings of the config file, which is read once per run. Without a file and after an error,
// they are the defaults. The error is an *out.Failure.
func LoadConfig(env *Env) (*Config, error) { return env.Settings() }

// ReadConfigFile reads the config file. Commands call LoadConfig instead.
func ReadConfigFile(env *Env) (*Config, error) {
	return ReadConfig(env.configPath(), env.Home, tui.CheckKeys)
}

// configPath returns $XDG_CONFIG_HOME/continuo/config.toml or ~/.config/continuo/config.toml; "" if there is no home.
func (e *Env) configPath() string {
	dir := e.configDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.toml")
}

// DefaultConfig returns the default settings.
func DefaultConfig(path string) *Config {
	return &Config{
		Theme: Auto, Glyphs: Auto, ResumeIn: Auto, Headless: HeadlessCopy, ClaudeCommand: "claude", TaskPrefix: task.DefaultPrefix, Bell: BellOff, KeeperPort: DefaultPort,
		Keys: map[string][]string{}, Prices: resume.Prices{Models: map[string]resume.Price{}}, Path: path, Lines: map[string]int{},
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
		return c, nil // no file, not even a broken link
	}
	where := sessions.Tilde(path, home)
	if err != nil {
		return c, &out.Failure{What: "The config file " + where + " cannot be read: " + out.Reason(err) + ". Fix or move the file.", Cause: err}
	}
	c.Found = true
	p := configParser{config: c, where: where, home: home}
	if err := p.parse(strings.TrimPrefix(string(data), "\uFEFF")); err != nil { // byte order mark of some editors
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

// ExpandHome replaces a leading ~ with the home directory.
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

// TOMLText returns a basic string of TOML. It escapes everything that a terminal interprets.
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

// TOMLPath returns a dotted key of TOML, with quotes where necessary.
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
