package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/resume"
)

func writeConfig(t *testing.T, text string) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, ".config", "continuo", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, path
}

// settingsOf returns a config without Path, Found and Lines.
func settingsOf(c *place.Config) place.Config {
	s := *c
	s.Path, s.Found, s.Lines = "", false, nil
	return s
}

func TestConfig(t *testing.T) {
	t.Parallel()
	lines := func(c *place.Config, keys ...string) map[string]int {
		got := map[string]int{}
		for _, key := range keys {
			got[key] = c.Lines[key]
		}
		return got
	}
	for _, tt := range []struct {
		name, text string
		change     func(c *place.Config, home string)
		lines      map[string]int
	}{
		{name: "empty"},
		{name: "comments only", text: "# nothing yet\n\n"},
		{name: "empty tables", text: "[resume]\n[claude]\n[keys]\n", lines: map[string]int{place.KeyTheme: 0, place.KeyResumeIn: 0}},
		{
			name: "everything", lines: map[string]int{
				place.KeyRoots: 1, place.KeyTheme: 3, place.KeyGlyphs: 4, place.KeyResumeIn: 6, place.KeyCommand: 8, place.KeyArgs: 9, "keys.resume": 11, "keys.go.to": 12,
				place.KeyDate: 14, "prices.models.opus": 16, "prices.models.claude-haiku-4.5": 17, place.KeyHeadless: 19,
				place.KeyPort: 21, place.KeyAllowed: 22,
			},
			text: `roots = ["~/.claude", "/srv/claude/",
  "~", "/srv/claude"]
theme = "dark"
glyphs = "ascii"
[resume]
in = "window"
[claude]
command = "~/bin/claude"
args = ["--model", "opus"]
[keys]
resume = "R"
"go.to" = ["g", "ctrl+g"]
[prices]
date = 2026-10-01
[prices.models]
opus = { input = 5, cache_read = 0.5 }
"claude-haiku-4.5" = { input = 1.0, cache_read = 0.1 }
[hooks]
headless = "pending"
[keeper]
port = 4000
roots = ["~/code"]
`,
			change: func(c *place.Config, home string) {
				c.Prices = resume.Prices{Date: "2026-10-01", Models: map[string]resume.Price{"opus": {Input: 5, CacheRead: 0.5}, "claude-haiku-4.5": {Input: 1, CacheRead: 0.1}}}
				c.Roots = []string{filepath.Join(home, ".claude"), "/srv/claude", home}
				c.Theme, c.Glyphs, c.ResumeIn, c.Headless = "dark", "ascii", "window", "pending"
				c.ClaudeCommand, c.ClaudeArgs = filepath.Join(home, "bin", "claude"), []string{"--model", "opus"}
				c.Keys = map[string][]string{"resume": {"R"}, "go.to": {"g", "ctrl+g"}}
				c.KeeperPort, c.KeeperRoots = 4000, []string{filepath.Join(home, "code")}
			},
		},
		{
			name: "dotted and inline", text: "resume.in = 'here'\nclaude = { command = 'cc',\n  args = [] }\nkeys = { quit = 'x' }\n",
			change: func(c *place.Config, _ string) {
				c.ResumeIn, c.ClaudeCommand, c.Keys = "here", "cc", map[string][]string{"quit": {"x"}}
			},
			lines: map[string]int{place.KeyResumeIn: 1, place.KeyCommand: 2, place.KeyArgs: 3, "keys.quit": 4},
		},
		{
			name: "with the mark of some editors, and their ends of lines", text: "\uFEFF\r\ntheme = 'none'\r\n",
			change: func(c *place.Config, _ string) { c.Theme = "none" }, lines: map[string]int{place.KeyTheme: 2},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home, path := writeConfig(t, tt.text)
			got, err := place.ReadConfig(path, home, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := place.DefaultConfig("")
			if tt.change != nil {
				tt.change(want, home)
			}
			if !reflect.DeepEqual(settingsOf(got), settingsOf(want)) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if !got.Found || got.Path != path {
				t.Errorf("found %v, path %s", got.Found, got.Path)
			}
			for key, line := range tt.lines {
				if at := lines(got, key)[key]; at != line {
					t.Errorf("%s is in line %d, want %d", key, at, line)
				}
			}
		})
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	const file = " of ~/.config/continuo/config.toml"
	for _, tt := range []struct{ text, want string }{
		{"thme = 'dark'", "Line 1" + file + ": there is no key thme. Did you mean theme?"},
		{"\nTheme = 'dark'", "Line 2" + file + ": there is no key Theme. Did you mean theme?"},
		{"in = 'here'", "Line 1" + file + ": there is no key in. Did you mean resume.in?"},
		{"'resume.in' = 'here'", "Line 1" + file + `: there is no key "resume.in". Did you mean resume.in?`},
		{"[claude]\n\nargv = []", "Line 3" + file + ": there is no key claude.argv. Did you mean claude.args?"},
		{"[resume]\ntheme = 'dark'", "Line 2" + file + ": there is no key resume.theme. Did you mean theme?"},
		{
			"# of mine\n[colours]\nlink = 'blue'",
			"Line 2" + file + ": there is no key colours. There are roots, theme, glyphs, resume.in, hooks.headless, claude.command, claude.args, prices.date, prices.models, tasks.health, tasks.prefix, live.bell, keeper.port, keeper.roots and keys.",
		},
		{"\"\\u001b[31m\" = 1", "Line 1" + file + `: there is no key "\u001B[31m". There are roots, theme, glyphs, resume.in, hooks.headless, claude.command, claude.args, prices.date, prices.models, tasks.health, tasks.prefix, live.bell, keeper.port, keeper.roots and keys.`},
		{"theme = 'purple'", "Line 1" + file + ": theme takes auto, dark, light or none, not purple."},
		{"theme = 3", "Line 1" + file + ": theme takes auto, dark, light or none, not 3."},
		{"glyphs = true", "Line 1" + file + ": glyphs takes auto, unicode or ascii, not true."},
		{"[hooks]\nheadless = true", "Line 2" + file + ": hooks.headless takes copy or pending, not true."},
		{"theme = 'dark'\n\n[resume]\nin = ['here']", "Line 4" + file + ": resume.in takes auto, here, window, split or popup, not a list."},
		{"glyphs = 1979-05-27", "Line 1" + file + ": glyphs takes auto, unicode or ascii, not a time."},
		{"theme = '" + strings.Repeat("long ", 100) + "'", "Line 1" + file + `: theme takes auto, dark, light or none, not "long long long long long long long long…".`},
		{"roots = '~/.claude'", "Line 1" + file + `: roots takes a list of directories, ["~/.claude"], not ~/.claude.`},
		{"roots = ['/a',\n 3]", "Line 1" + file + `: roots takes a list of directories, ["~/.claude"], not 3.`},
		{"roots = ['/a', 'b']", "Line 1" + file + ": roots takes full paths, in which ~ is the home directory, not b."},
		{"roots = ['']", "Line 1" + file + `: roots takes full paths, in which ~ is the home directory, not "".`},
		{"[keeper]\nroots = ['b']", "Line 2" + file + ": keeper.roots takes full paths, in which ~ is the home directory, not b."},
		{"[keeper]\nport = '3100'", "Line 2" + file + ": keeper.port takes a port from 1 to 65535, not 3100."},
		{"[live]\nbell = true\n", "Line 2" + file + ": live.bell takes on or off, not true."},
		{"resume = 'here'", "Line 1" + file + ": resume is a table. Write [resume] on a line of its own, and its keys below."},
		{"[[claude]]\ncommand = 'x'", "Line 1" + file + ": claude is a table. Write [claude] on a line of its own, and its keys below."},
		{"[claude]\ncommand = './claude'", "Line 2" + file + ": claude.command takes a name on the PATH or a full path, not ./claude."},
		{"claude.command = ''", "Line 1" + file + `: claude.command takes a name on the PATH or a full path, not "".`},
		{"claude.args = '-v'", "Line 1" + file + `: claude.args takes a list of texts, ["like", "this"], not -v.`},
		{"[keys]\nresume = 3", "Line 2" + file + `: keys.resume takes a key, "x", or several, ["x", "y"], not 3.`},
		{"[keys]\nresume = ['r', '']", "Line 2" + file + `: keys.resume takes a key, "x", or several, ["x", "y"], not "".`},
		{"[keys.resume]\nx = 'r'", "Line 1" + file + `: keys.resume takes a key, "x", or several, ["x", "y"], not a table.`},
		{"[prices]\ndate = 'May'", "Line 2" + file + `: prices.date takes a day, "2026-11-21", not May.`},
		{"prices = 3", "Line 1" + file + ": prices is a table. Write [prices] on a line of its own, and its keys below."},
		{"[prices.models]\nopus = { input = 5, cache_read = 0.5 }", "Line 2" + file + `: the prices need a date. Write date = "2026-11-21" below [prices].`},
		{"[prices.models]\nopus = 5", "Line 2" + file + ": prices.models.opus takes USD per million tokens, { input = 5, cache_read = 0.5 }, not 5."},
		{"[prices.models]\nopus = { input = -1, cache_read = 0.5 }", "Line 2" + file + ": prices.models.opus takes USD per million tokens, { input = 5, cache_read = 0.5 }, not -1."},
		{"[prices.models]\nopus = { input = 5 }", "Line 2" + file + ": prices.models.opus takes USD per million tokens, { input = 5, cache_read = 0.5 }. Both are needed."},
		{"[prices.models]\nopus = { input = 5, output = 25 }", "Line 2" + file + ": prices.models.opus takes USD per million tokens, { input = 5, cache_read = 0.5 }."},
		{"glyphs = 'x'\ntheme = 'y'", "Line 1" + file + ": glyphs takes auto, unicode or ascii, not x."},
		{"\n\ntheme = \"dark", "Line 3" + file + " is not TOML: unterminated basic string. Fix it there."},
		{"theme = 'dark'\ntheme = 'light'", "Line 2" + file + " is not TOML: key theme is already defined. Fix it there."},
		{"theme: dark", "Line 1" + file + " is not TOML: expected '=' after key. Fix it there."},
	} {
		home, path := writeConfig(t, tt.text)
		c, err := place.ReadConfig(path, home, nil)
		if _, ok := errors.AsType[*out.Failure](err); !ok || err.Error() != tt.want {
			t.Errorf("%q\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
		if !reflect.DeepEqual(c, place.DefaultConfig(path)) {
			t.Errorf("%q: the error should return the defaults, not %+v", tt.text, c)
		}
	}
}

// TestConfigKeys: the browser reports the error, and ReadConfig adds file and line.
func TestConfigKeys(t *testing.T) {
	t.Parallel()
	home, path := writeConfig(t, "[keys]\nresume = 'R'\n\n'opn it' = 'o'\n")
	var asked map[string][]string
	c, err := place.ReadConfig(path, home, func(keys map[string][]string) (string, error) {
		asked = keys
		return "opn it", errors.New("there is no such action; did you mean open?")
	})
	if want := map[string][]string{"resume": {"R"}, "opn it": {"o"}}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
	const want = `Line 4 of ~/.config/continuo/config.toml: keys."opn it": there is no such action; did you mean open?`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if len(c.Keys) > 0 {
		t.Errorf("the keys are %v", c.Keys)
	}
	if _, err = place.ReadConfig(path, home, func(map[string][]string) (string, error) { return "", nil }); err != nil {
		t.Error(err)
	}
}

func TestConfigFile(t *testing.T) {
	t.Parallel()
	in := func(t *testing.T, text string, env ...string) *deps {
		t.Helper()
		home, _ := writeConfig(t, text)
		return newDeps(Program{Env: append([]string{"HOME=" + home}, env...), Dir: home, Stdin: strings.NewReader("")})
	}
	t.Run("home", func(t *testing.T) {
		t.Parallel()
		d := in(t, "theme = 'dark'")
		c, err := place.LoadConfig(d.Env)
		if err != nil || c.Theme != "dark" {
			t.Fatalf("%+v %v", c, err)
		}
		if err := os.WriteFile(c.Path, []byte("theme = 'light'"), 0o600); err != nil {
			t.Fatal(err)
		}
		if again, err := place.LoadConfig(insideDemo(d, t.TempDir()).Env); again != c || err != nil {
			t.Errorf("the file is read twice: %+v %v", again, err)
		}
	})
	t.Run("XDG_CONFIG_HOME", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		d := in(t, "theme = 'dark'", "XDG_CONFIG_HOME="+dir)
		if c, err := place.LoadConfig(d.Env); err != nil || c.Found || c.Theme != place.Auto || c.Path != filepath.Join(dir, "continuo", "config.toml") {
			t.Errorf("%+v %v", c, err)
		}
		if c, err := place.LoadConfig(in(t, "theme = 'dark'", "XDG_CONFIG_HOME=conf").Env); err != nil || c.Theme != "dark" {
			t.Errorf("a relative path is used: %+v %v", c, err)
		}
	})
	t.Run("no home", func(t *testing.T) {
		t.Parallel()
		c, err := place.LoadConfig(newDeps(Program{Stdin: strings.NewReader("")}).Env)
		if err != nil || !reflect.DeepEqual(c, place.DefaultConfig("")) {
			t.Errorf("%+v %v", c, err)
		}
	})
	for _, tt := range []struct {
		name, want string
		put        func(path string) error
	}{
		{"directory", "not a regular file", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"link to nothing", "file not found", func(path string) error { return os.Symlink("gone", path) }},
		{"large", "larger than 64 KB", func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("#"), place.ConfigLimit+1), 0o600)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home, path := writeConfig(t, "")
			if err := errors.Join(os.Remove(path), tt.put(path)); err != nil {
				t.Fatal(err)
			}
			c, err := place.ReadConfig(path, home, nil)
			want := "The config file ~/.config/continuo/config.toml cannot be read: " + tt.want + ". Fix or move the file."
			if err == nil || err.Error() != want || c == nil {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestClaudeDirs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	inHome := filepath.Join(home, ".claude")
	for _, tt := range []struct {
		name  string
		flags []string
		env   string
		roots []string
		want  []string
		from  string
	}{
		{name: "default", want: []string{inHome}},
		{name: "roots", roots: []string{"/a", "/b"}, want: []string{"/a", "/b"}, from: "roots"},
		{name: "variable before roots", env: "/c", roots: []string{"/a"}, want: []string{"/c"}, from: "$CLAUDE_CONFIG_DIR"},
		{name: "flag before all", flags: []string{"x", "/y"}, env: "/c", roots: []string{"/a"}, want: []string{filepath.Join(home, "x"), "/y"}, from: "--claude-dir"},
	} {
		d := newDeps(Program{Env: []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=" + tt.env}, Dir: home, Stdin: strings.NewReader("")})
		d.ClaudeDirs = tt.flags
		dirs, from := place.SearchDirs(d.Env, &place.Config{Roots: tt.roots})
		if !reflect.DeepEqual(dirs, tt.want) || from != tt.from {
			t.Errorf("%s: %v from %q, want %v from %q", tt.name, dirs, from, tt.want, tt.from)
		}
	}
}
