package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/render"
)

func newConfigCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the settings and the source of each",
		Long: `Print the settings and the source of each, in the format of the config file.

The file is $XDG_CONFIG_HOME/continuo/config.toml, else
~/.config/continuo/config.toml. To create one, save this output there and delete
the lines that you don't change.

Exit code 2: the file has an error.`,
		Args: find.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := place.LoadConfig(env)
			if err != nil {
				return err
			}
			list := inForce(env, c)
			if !o.JSON {
				o.Out.Exact(configText(env, o, c, list))
				return nil
			}
			return o.PrintJSON(out.NewRecord().Set("path", c.Path).Set("exists", c.Found).Set("settings", list))
		},
	}
}

// setting is a key with its current value.
type setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`  // a string, an int, a []string or a resume.Price
	Source string `json:"source"` // default, file, a variable with its $, or a flag
	Line   *int   `json:"line"`   // in the config file; nil for other sources
	path   []string
}

// inForce returns the settings in effect, in the order of a config file.
func inForce(env *place.Env, c *place.Config) []setting {
	list := []setting{
		settingOf(c, nil, place.KeyRoots), settingOf(c, c.Theme, place.KeyTheme), settingOf(c, c.Glyphs, place.KeyGlyphs),
		settingOf(c, c.ResumeIn, "resume", "in"), settingOf(c, c.Headless, "hooks", "headless"),
		settingOf(c, c.ClaudeCommand, "claude", "command"), settingOf(c, out.OrEmpty(c.ClaudeArgs), "claude", "args"),
		settingOf(c, c.TaskHealth, "tasks", "health"), settingOf(c, c.TaskPrefix, "tasks", "prefix"),
		settingOf(c, c.Bell, "live", "bell"), settingOf(c, c.KeeperPort, "keeper", "port"),
		settingOf(c, out.OrEmpty(c.KeeperRoots), "keeper", "roots"),
	}
	dirs, from := place.SearchDirs(env, c)
	list[0].Value = out.OrEmpty(dirs)
	if from != place.KeyRoots && from != "" {
		list[0].Source, list[0].Line = from, nil
	}
	if env.Host.Getenv("NO_COLOR") != "" {
		list[1] = setting{Key: place.KeyTheme, Value: "none", Source: "$NO_COLOR", path: list[1].path}
	}
	if glyphs := env.Host.Getenv("CONTINUO_GLYPHS"); glyphs != "" {
		if glyphs != "ascii" {
			glyphs = "unicode"
		}
		list[2] = setting{Key: place.KeyGlyphs, Value: glyphs, Source: "$CONTINUO_GLYPHS", path: list[2].path}
	}
	if dirs, from := place.AllowedRoots(env, c); strings.HasPrefix(from, "$") {
		last := len(list) - 1
		list[last] = setting{Key: place.KeyAllowed, Value: dirs, Source: from, path: list[last].path}
	}
	if c.Prices.Date != "" {
		list = append(list, settingOf(c, c.Prices.Date, "prices", "date"))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Prices.Models)) {
		list = append(list, settingOf(c, c.Prices.Models[name], "prices", "models", name))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		list = append(list, settingOf(c, out.OrEmpty(c.Keys[name]), place.KeyKeys, name))
	}
	return list
}

// settingOf returns a setting from the file, or a default.
func settingOf(c *place.Config, value any, path ...string) setting {
	s := setting{Key: place.TOMLPath(path...), Value: value, Source: "default", path: path}
	if line, ok := c.Lines[strings.Join(path, ".")]; ok {
		s.Source, s.Line = "file", &line
	}
	return s
}

func configText(env *place.Env, o *out.Output, c *place.Config, list []setting) string {
	faint := func(text string) string { return o.Out.Styles.Paint(render.Faint, "# "+text) }
	head := "There is no home directory, so there is no config file."
	switch {
	case c.Found:
		head = env.Tilde(c.Path)
	case c.Path != "":
		head = env.Tilde(c.Path) + " does not exist."
	}
	lines := make([]string, len(list))
	width := 0
	for i, s := range list {
		lines[i] = place.TOMLPath(s.path[len(s.path)-1]) + " = " + tomlValue(env, s)
		// Longer lines don't move the column of the comments.
		if w := ansi.StringWidth(lines[i]); w <= place.ValueLimit {
			width = max(width, w)
		}
	}
	var b strings.Builder
	b.WriteString(faint(head) + "\n")
	table := ""
	for i, s := range list {
		if t := place.TOMLPath(s.path[:len(s.path)-1]...); t != table {
			table = t
			b.WriteString("\n[" + table + "]\n")
		}
		source := s.Source
		if s.Line != nil {
			source = "line " + strconv.Itoa(*s.Line)
		}
		b.WriteString(lines[i] + strings.Repeat(" ", max(width-ansi.StringWidth(lines[i]), 0)) + "  " + faint(source) + "\n")
	}
	if table != place.KeyKeys {
		b.WriteString("\n[" + place.KeyKeys + "]\n" + faint("every key has its default") + "\n")
	}
	return b.String()
}

// tomlValue formats a value as TOML. In lists of directories, ~ is the home.
func tomlValue(env *place.Env, s setting) string {
	if price, ok := s.Value.(resume.Price); ok {
		number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		return "{ input = " + number(price.Input) + ", cache_read = " + number(price.CacheRead) + " }"
	}
	if n, ok := s.Value.(int); ok {
		return strconv.Itoa(n)
	}
	list, ok := s.Value.([]string)
	if !ok {
		return place.TOMLText(fmt.Sprint(s.Value))
	}
	texts := make([]string, len(list))
	for i, text := range list {
		if (s.Key == place.KeyRoots || s.Key == place.KeyAllowed) && env.Home != "" && place.Within(text, env.Home) {
			text = "~" + strings.TrimPrefix(text, env.Home)
		}
		texts[i] = place.TOMLText(text)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
