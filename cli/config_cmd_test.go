package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui"
)

func TestConfigCommand(t *testing.T) {
	t.Parallel()
	full := `theme = "light" # of the office
roots = ["~/.claude", "/srv/a b/\"c\"\u202e"]
[claude]
args = ["--append-system-prompt", "one\ntwo\t\\\U000E0041é✓"]
[keys]
resume = "ctrl+e"
fork = ["x", "ctrl+g"]
[resume]
in = "split"
[prices]
date = "2026-10-01"
models.opus = { input = 5, cache_read = 0.5 }
models."claude-haiku-4.5" = { input = 0.8, cache_read = 0 }
`
	for _, tt := range []struct {
		name, text string
		env, args  []string
		want       []string
	}{
		{
			name: "no file", want: []string{
				"# ~/.config/continuo/config.toml does not exist.\n", `roots = ["~/.claude"] # default`, "[resume]\nin = \"auto\" ", "every key has its default",
			},
		},
		{
			name: "file", text: full, want: []string{
				"# ~/.config/continuo/config.toml\n", "# line 2\n", `theme = "light" # line 1`, "args = [\"--append-system-prompt\", \"one\\ntwo\\t\\\\\\U000E0041é✓\"] # line 4",
				"[prices]\ndate = \"2026-10-01\" # line 11", "[prices.models]\n\"claude-haiku-4.5\" = { input = 0.8, cache_read = 0 } # line 13\nopus = { input = 5, cache_read = 0.5 } # line 12",
				"[keys]\nfork = [\"x\", \"ctrl+g\"] # line 7", `glyphs = "auto" # default`,
			},
		},
		{
			name: "variables", text: full, env: []string{"CLAUDE_CONFIG_DIR=/srv/c", "NO_COLOR=1", "CONTINUO_GLYPHS=ascii"},
			want: []string{
				`roots = ["/srv/c"] # $CLAUDE_CONFIG_DIR`, `theme = "none" # $NO_COLOR`, `glyphs = "ascii" # $CONTINUO_GLYPHS`,
			},
		},
		{name: "flag", text: full, args: []string{"--claude-dir", "/srv/d"}, want: []string{`roots = ["/srv/d"] # --claude-dir`}},
		{name: "terminal", text: full, args: []string{"--color", "always"}, want: []string{"# line 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home, path := writeConfig(t, tt.text)
			if tt.text == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			run := func(args ...string) (string, *deps) {
				var printed, errs bytes.Buffer
				d := newDeps(Program{
					Env: append([]string{"HOME=" + home}, tt.env...), Dir: home, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &errs,
				})
				if code := execute(t.Context(), d.Env, d.Output, append(args, tt.args...)); code != out.ExitDone || errs.Len() > 0 {
					t.Fatalf("exit code %d, %s", code, errs.String())
				}
				return printed.String(), d
			}
			text, d := run("config")
			text = ansi.Strip(text)
			for _, want := range tt.want {
				if !strings.Contains(regexp.MustCompile(" +").ReplaceAllString(text, " "), want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			checkPrinted(t, d, tt.args, text)
			checkConfigJSON(t, d, tt.args, func() string { text, _ := run("config", "--json"); return text }())
		})
	}
}

func checkPrinted(t *testing.T, d *deps, args []string, text string) {
	t.Helper()
	was, err := place.LoadConfig(d.Env)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range text {
		if out.MustEscape(r) {
			t.Errorf("%q reaches the terminal", r)
		}
	}
	home, path := writeConfig(t, strings.ReplaceAll(text, `"~/`, `"`+filepath.ToSlash(d.Home)+`/`))
	is, err := place.ReadConfig(path, home, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(args) > 1 && args[0] == "--claude-dir" {
		d.ClaudeDirs = args[1:]
	}
	want := settingsOf(was)
	want.Roots, _ = place.SearchDirs(d.Env, was)
	if d.Host.Getenv("NO_COLOR") != "" {
		want.Theme, want.Glyphs = "none", "ascii"
	}
	if got := settingsOf(is); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func checkConfigJSON(t *testing.T, d *deps, args []string, text string) {
	t.Helper()
	var got struct {
		Path     string
		Exists   bool
		Settings []struct {
			Key, Source string
			Value       any
			Line        *int
		}
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	c, err := place.LoadConfig(d.Env)
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != c.Path || got.Exists != c.Found || len(got.Settings) < 6+len(c.Keys)+len(c.Prices.Models) {
		t.Errorf("%+v", got)
	}
	for _, s := range got.Settings {
		if s.Value == nil || s.Source == "" || (s.Line != nil) != (s.Source == "file") {
			t.Errorf("%v: %+v", args, s)
		}
	}
}

func TestConfigCommandFails(t *testing.T) {
	t.Parallel()
	home, _ := writeConfig(t, "\ntheme = 'mauve'")
	var printed, errs bytes.Buffer
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &errs})
	code := execute(t.Context(), d.Env, d.Output, []string{"config"})
	const want = "✗ Line 2 of ~/.config/continuo/config.toml: theme takes auto, dark, light or none, not mauve.\n"
	if code != out.ExitFailed || printed.Len() > 0 || errs.String() != want {
		t.Errorf("exit code %d, %q, %q", code, printed.String(), errs.String())
	}
}

// TestConfigDocs: docs/config.md has every key, and its example is a valid config.
func TestConfigDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	d := newDeps(Program{Env: []string{"HOME=" + t.TempDir()}, Stdin: strings.NewReader("")})
	list := inForce(d.Env, place.DefaultConfig(""))
	list[0].Value = []string{}
	for _, s := range list {
		if row := "| `" + s.Key + "` | `" + tomlValue(d.Env, s) + "` | "; !strings.Contains(string(text), row) {
			t.Errorf("no row %s", row)
		}
	}
	_, example, _ := strings.Cut(string(text), "```toml\n")
	example, _, ok := strings.Cut(example, "```")
	home, path := writeConfig(t, example)
	if c, err := place.ReadConfig(path, home, tui.CheckKeys); !ok || err != nil || len(c.Lines) < len(list) {
		t.Errorf("%v in\n%s", err, example)
	}
}
