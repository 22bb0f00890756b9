package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpConfig = `
continuo config prints the settings in force and where each comes from, as a config file.

  --json                    path, exists, and of each setting key, value, source and line

The file is $XDG_CONFIG_HOME/continuo/config.toml, else ~/.config/continuo/config.toml. Without one everything has
its default. To begin one: put what this prints there, and leave out what you do not change.

Exit: 2 when the file has an error.
`

func newConfigCmd(env *Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:  "config",
		Long: helpConfig,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := loadConfig(env)
			if err != nil {
				return err
			}
			list := inForce(env, c)
			if !o.JSON {
				o.Out.Exact(configText(env, o, c, list))
				return nil
			}
			return o.PrintJSON(configJSON{c.Path, c.Found, list})
		},
	}
}

// setting is the value of one key in this run.
type setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`  // a string or a []string
	Source string `json:"source"` // default, file, the variable with its $, or the flag
	Line   *int   `json:"line"`   // in the file, nil when it is not from there
	path   []string
}

// configJSON is what config --json prints.
type configJSON struct {
	Path     string    `json:"path"`
	Exists   bool      `json:"exists"`
	Settings []setting `json:"settings"`
}

// inForce lists every setting in the order in which a file has them. What only one run says is not in it, but for
// --claude-dir.
func inForce(env *Env, c *config) []setting {
	list := []setting{
		c.setting(nil, keyRoots), c.setting(c.Theme, keyTheme), c.setting(c.Glyphs, keyGlyphs),
		c.setting(c.ResumeIn, "resume", "in"),
		c.setting(c.ClaudeCommand, "claude", "command"), c.setting(out.OrEmpty(c.ClaudeArgs), "claude", "args"),
	}
	dirs, from := searchDirs(env, c)
	list[0].Value = out.OrEmpty(dirs)
	if from != keyRoots && from != "" {
		list[0].Source, list[0].Line = from, nil
	}
	if env.host.Getenv("NO_COLOR") != "" {
		list[1] = setting{Key: keyTheme, Value: "none", Source: "$NO_COLOR", path: list[1].path}
	}
	if glyphs := env.host.Getenv("CONTINUO_GLYPHS"); glyphs != "" {
		if glyphs != "ascii" {
			glyphs = "unicode"
		}
		list[2] = setting{Key: keyGlyphs, Value: glyphs, Source: "$CONTINUO_GLYPHS", path: list[2].path}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		list = append(list, c.setting(out.OrEmpty(c.Keys[name]), keyKeys, name))
	}
	return list
}

// setting is a value as the file or the default gives it.
func (c *config) setting(value any, path ...string) setting {
	s := setting{Key: tomlPath(path...), Value: value, Source: "default", path: path}
	if line, ok := c.Lines[strings.Join(path, ".")]; ok {
		s.Source, s.Line = "file", &line
	}
	return s
}

// configText is the settings as a config file that says the same.
func configText(env *Env, o *out.Output, c *config, list []setting) string {
	faint := func(text string) string { return o.Out.Styles.Paint(render.Faint, "# "+text) }
	head := "There is no home directory, so there is no config file."
	switch {
	case c.Found:
		head = env.tilde(c.Path)
	case c.Path != "":
		head = env.tilde(c.Path) + " does not exist."
	}
	lines := make([]string, len(list))
	width := 0
	for i, s := range list {
		lines[i] = tomlPath(s.path[len(s.path)-1]) + " = " + tomlValue(env, s)
		if w := ansi.StringWidth(lines[i]); w <= valueLimit { // a longer one does not push the others aside
			width = max(width, w)
		}
	}
	var b strings.Builder
	b.WriteString(faint(head) + "\n")
	table := ""
	for i, s := range list {
		if t := tomlPath(s.path[:len(s.path)-1]...); t != table {
			table = t
			b.WriteString("\n[" + table + "]\n")
		}
		source := s.Source
		if s.Line != nil {
			source = "line " + strconv.Itoa(*s.Line)
		}
		b.WriteString(lines[i] + strings.Repeat(" ", max(width-ansi.StringWidth(lines[i]), 0)) + "  " + faint(source) + "\n")
	}
	if table != keyKeys {
		b.WriteString("\n[" + keyKeys + "]\n" + faint("every key has its default") + "\n")
	}
	return b.String()
}

// tomlValue is the value of a setting as TOML. In a list of directories the home is ~ again.
func tomlValue(env *Env, s setting) string {
	list, ok := s.Value.([]string)
	if !ok {
		return tomlText(fmt.Sprint(s.Value))
	}
	texts := make([]string, len(list))
	for i, text := range list {
		if s.Key == keyRoots && env.home != "" && within(text, env.home) {
			text = "~" + strings.TrimPrefix(text, env.home)
		}
		texts[i] = tomlText(text)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// tomlText is a text as a basic string of TOML, with everything escaped that a terminal would act on.
func tomlText(s string) string {
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

// tomlPath is a dotted key as TOML: a part with other characters than letters, digits, - and _ is quoted.
func tomlPath(parts ...string) string {
	shown := make([]string, len(parts))
	for i, part := range parts {
		bare := part != "" && !strings.ContainsFunc(part, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
		})
		if shown[i] = part; !bare {
			shown[i] = tomlText(part)
		}
	}
	return strings.Join(shown, ".")
}
