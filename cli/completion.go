package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

type script struct {
	Shell string `json:"shell"`
	File  string `json:"file"` // file name that the shell looks for
	Text  string `json:"script"`
}

// newScript returns cobra's completion script for one of shells.
func newScript(root *cobra.Command, shell string) (script, error) {
	var b strings.Builder
	s := script{Shell: shell}
	var err error
	switch shell {
	case "bash":
		s.File, err = "continuo.bash", root.GenBashCompletionV2(&b, true)
	case "zsh":
		s.File, err = "_continuo", root.GenZshCompletion(&b)
	case "fish":
		s.File, err = "continuo.fish", root.GenFishCompletion(&b, true)
	case "powershell":
		s.File, err = "continuo.ps1", root.GenPowerShellCompletionWithDesc(&b)
	}
	s.Text = b.String()
	return s, err
}

func newCompletionCmd(env *place.Env, o *out.Output) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, zsh, fish or powershell",
		Long: `Print a script that completes commands, flags and sessions. SHELL is bash, zsh, fish or
powershell; without SHELL, --dir writes all four. bash needs the package bash-completion.`,
		Example: `  source <(continuo completion bash)
  source <(continuo completion zsh)
  continuo completion fish | source
  continuo completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells(),
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo completion --help"
			into := cmd.Flags().Changed("dir")
			switch {
			case into && dir == "":
				return out.Usage("--dir takes a directory, but it is empty. Is a variable unset?", hint)
			case len(args) > 1:
				return out.Usage("completion takes one shell, not "+out.Count(len(args), "word")+".", hint)
			case len(args) == 0 && !into:
				return out.Usage("completion takes a shell: "+find.OrList(shells())+".", hint)
			case len(args) == 1 && !slices.Contains(shells(), args[0]):
				return out.Usage("completion takes "+find.OrList(shells())+", not "+out.Quoted(args[0])+".", hint)
			}
			wanted := args
			if len(args) == 0 {
				wanted = shells()
			}
			var scripts []script
			for _, shell := range wanted {
				s, err := newScript(cmd.Root(), shell)
				if err != nil {
					return err
				}
				scripts = append(scripts, s)
			}
			if into {
				return writeScripts(env, o, env.Abs(dir), scripts)
			}
			return o.PrintPage(scripts[0].Text, scripts[0])
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the script into `PATH`, under the name that the shell looks for")
	find.CompleteFolder(cmd, "dir")
	return cmd
}

func writeScripts(env *place.Env, o *out.Output, dir string, scripts []script) error {
	var paths []string
	for _, s := range scripts {
		path, err := writePage(env, dir, s.File, s.Text)
		if err != nil {
			return err
		}
		paths = append(paths, path)
	}
	return printPaths(o, paths)
}

func printPaths(o *out.Output, paths []string) error {
	var b strings.Builder
	for _, path := range paths {
		if o.Out.Terminal {
			path = out.CleanPath(path)
		}
		b.WriteString(path + "\n")
	}
	return o.PrintPage(b.String(), struct {
		Files []string `json:"files"`
	}{paths})
}

// writePage atomically writes a file that all users can read.
func writePage(env *place.Env, dir, name, text string) (path string, err error) {
	path = filepath.Join(dir, name)
	if err = place.ReplaceFile(path, []byte(text), 0o644, 0o755); err != nil {
		err = &out.Failure{What: env.Tilde(path) + " cannot be written: " + out.Reason(err) + ". Name another directory with --dir PATH.", Cause: err}
	}
	return path, err
}
