package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// NewTmuxCmd returns the command continuo tmux.
func NewTmuxCmd(env *place.Env, o *out.Output) *cobra.Command {
	var try bool
	cmd := &cobra.Command{
		Use:   "tmux",
		Short: "Print key bindings and a status line for tmux",
		Long: `Print lines for ~/.tmux.conf: prefix g opens the browser in a popup, prefix G in a
window, and the status line shows live sessions, questions and pending backups. A
comment above each line has the command that tries it. Popups need tmux 3.2.

Exit code 2: --try doesn't run inside tmux.`,
		Example: `  continuo tmux --try
  continuo tmux >> ~/.tmux.conf`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if try {
				return tryTmux(cmd.Context(), env, o)
			}
			return printTmux(cmd.Context(), env, o)
		},
	}
	cmd.Flags().BoolVar(&try, "try", false, "open the browser in a popup now, or in a window")
	return cmd
}

// TmuxLines is a group of lines for the tmux config.
type TmuxLines struct {
	What   string   `json:"what"`   // one sentence
	Config []string `json:"config"` // for ~/.tmux.conf
	Try    []string `json:"try"`    // shell commands with the same effect
}

// newTmuxLines returns a group of lines. tmux and a shell must read quotes in the same way.
func newTmuxLines(what string, config ...string) TmuxLines {
	l := TmuxLines{What: what, Config: config}
	for _, line := range config {
		l.Try = append(l.Try, "tmux "+line)
	}
	return l
}

func printTmux(ctx context.Context, env *place.Env, o *out.Output) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("path of this program: %w", err)
	}
	word, err := programWord(path, env.Host)
	if err != nil {
		return err
	}
	version, known := env.Host.Tmux().Version(ctx)
	popups := !known || version.AtLeast(3, 2)
	var all []TmuxLines
	if popups {
		all = append(all, newTmuxLines("Prefix g opens the browser in a popup. q closes the popup.",
			`bind-key g display-popup -E -w 90% -h 90% -d "#{pane_current_path}" "`+word+`"`))
	}
	all = append(all,
		newTmuxLines("Prefix G opens the browser in a new window.",
			`bind-key G new-window -n continuo -c "#{pane_current_path}" "`+word+`"`),
		newTmuxLines("The status line shows live, waiting and pending sessions at the right. If another line sets status-right, put this line after it.",
			`set-option -g status-right-length 80`,
			// Without the condition, each sourcing would append the text again.
			`if-shell -F "#{m:*status --line*,#{status-right}}" "" "set-option -ag status-right ' #(`+word+` status --line)'"`))
	if o.JSON {
		return o.PrintJSON(out.NewRecord().Set("program", word).Set("lines", all))
	}
	o.Out.Exact(TmuxPage(all, word, popups, version))
	return nil
}

// TmuxPage formats the lines as a config file with comments.
func TmuxPage(all []TmuxLines, word string, popups bool, v host.Version) string {
	var b strings.Builder
	b.WriteString("# continuo in tmux. The keys are unused by default; choose others if you like.\n" +
		"# A line that you try has effect until tmux exits. To keep the lines, add them to ~/.tmux.conf and run:\n" +
		"#   tmux source-file ~/.tmux.conf\n")
	if !popups {
		fmt.Fprintf(&b, "# tmux %d.%d has no popups, so their line is left out. Popups need tmux 3.2.\n", v.Major, v.Minor)
	}
	for _, l := range all {
		b.WriteString("\n# " + l.What + "\n" + strings.Join(l.Config, "\n") + "\n# To try it:\n")
		for _, line := range l.Try {
			b.WriteString("#   " + line + "\n")
		}
	}
	b.WriteString("\n# To open the session browser now: " + word + " tmux --try\n")
	return b.String()
}

func tryTmux(ctx context.Context, env *place.Env, o *out.Output) error {
	m := env.Host.Tmux()
	if !m.Inside {
		return outsideTmux("the browser can't be opened in a popup")
	}
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("path of this program: %w", err)
	}
	argv := []string{path}
	for _, dir := range env.ClaudeDirs {
		argv = append(argv, "--claude-dir", env.Abs(dir))
	}
	dir := env.Dir
	if dir == "" {
		dir = string(filepath.Separator)
	}
	s, err := StartInTmux(ctx, m, host.Popup, dir, env.OwnEnv(), argv, "continuo")
	if err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(out.NewRecord().Set("opened", s.Where).Set("pane", s.Pane).Set("name", s.Name))
	}
	if s.Where != host.Popup {
		o.Out.Print("The browser is in the window " + s.Name + ".\n")
	}
	return nil
}

// programWord returns the word that starts this program in a tmux config. That is the name if the PATH leads here, or
// else the quoted path. It returns an error if tmux, strftime or a shell would change the path.
func programWord(path string, h host.Host) (string, error) {
	const name = "continuo"
	if info, err := os.Stat(path); err == nil {
		// The name could start a different continuo.
		if found, err := h.LookPath(name); err == nil && place.SameFile(found, info) {
			return name, nil
		}
	}
	if strings.ContainsAny(path, `'"\$`+"`#%()!\n\r\t") || out.CleanPath(path) != path {
		return "", &out.Failure{
			What:  "The path of this program has a character that tmux or a shell interprets. Link it into a folder on the PATH.",
			Facts: []string{out.CleanPath(path)},
		}
	}
	return place.ShellWord(path), nil
}
