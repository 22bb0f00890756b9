package browse

import (
	"context"
	"io"
	"os"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui"
)

// choicesOf returns the actions of an empty list. In the demo, it returns none.
func choicesOf(ctx context.Context, env *place.Env, o *out.Output, conf *place.Config) []tui.Choice {
	if env.MadeUp {
		return nil
	}
	var list []tui.Choice
	if run := launch.StartHere(env, o, conf); run != nil {
		list = append(list, tui.Choice{Name: "Start a session here", Why: "runs claude in " + env.Tilde(env.Dir), Run: run})
	}
	list = append(list,
		tui.Choice{Name: "Look around in a demo", Why: "made-up sessions in a temporary directory", Run: nested{func() error { return runDemo(ctx, env, o, "", false) }}},
		tui.Choice{Name: "Open another directory", Why: "same as --claude-dir PATH", Folder: func(dir string) tui.Takeover {
			return nested{func() error { return browseIn(ctx, env, o, dir) }}
		}},
	)
	if self, _ := hooks.OwnProgram(env); self != "" && env.Dir != "" {
		list = append(list, tui.Choice{Name: "Install the hooks", Why: "back up each session when it ends", Run: launch.Pausing(env, o, env.Dir, self, "init")})
	}
	return list
}

// browseIn opens the browser with another Claude config directory.
func browseIn(ctx context.Context, env *place.Env, o *out.Output, dir string) error {
	in := *env
	in.ClaudeDirs = []string{env.TypedPath(dir)}
	if info, err := os.Stat(in.ClaudeDirs[0]); err != nil || !info.IsDir() {
		return &out.Failure{What: out.CleanPath(dir) + " isn't a directory."}
	}
	opts, err := place.CatalogOptions(&in)
	if err != nil {
		return err
	}
	return reported(&in, browseOver(ctx, &in, o, opts))
}

// nested is a function of continuo that takes over the terminal from the browser.
type nested struct{ run func() error }

// Run implements tea.ExecCommand.
func (n nested) Run() error { return n.run() }

// SetStdin implements tea.ExecCommand.
func (nested) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (nested) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (nested) SetStderr(io.Writer) {}
