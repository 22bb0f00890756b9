package browse

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/demo"
	"github.com/continuo-tui/continuo/sessions/index"
)

// NewDemoCmd returns the command continuo demo.
func NewDemoCmd(env *place.Env, o *out.Output) *cobra.Command {
	var keep bool
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the browser on made-up sessions",
		Long: `Create two dozen made-up sessions with backups and documents in a temporary directory,
and open the browser on them. Without a terminal, print their list. The directory is
removed at the end. Your own sessions are neither read nor changed.`,
		Example: `  continuo demo
  continuo demo --dir /tmp/demo`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(env.ClaudeDirs) > 0 {
				return out.Usage("demo creates its own config directory. Remove --claude-dir.", "continuo demo --help")
			}
			if cmd.Flags().Changed("dir") && dir == "" {
				return out.Usage("--dir is empty. Is a variable unset?", "continuo demo --help")
			}
			return runDemo(cmd.Context(), env, o, dir, keep)
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the directory and print its path")
	cmd.Flags().StringVar(&dir, "dir", "", "create the sessions in `PATH`, a new or empty directory, and keep them")
	find.CompleteFolder(cmd, "dir")
	return cmd
}

// runDemo opens the browser with a demo. At the end, even after a signal, it deletes the demo unless keep is
// set. It never uses the real home directory.
func runDemo(ctx context.Context, env *place.Env, o *out.Output, dir string, keep bool) (err error) {
	made, err := newDemoPlace(env, dir)
	if err != nil {
		return err
	}
	keep = keep || dir != ""
	kept := false // an incomplete demo isn't kept
	defer func() {
		switch gone := made.leave(kept); {
		case gone != nil && err == nil:
			err = &out.Failure{What: "The demo in " + env.Tilde(made.root) + " could not be removed: " + out.Reason(gone) + ". Remove it by hand.", Cause: gone}
		case kept:
			o.Err.Print("The demo is kept in " + out.CleanPath(made.root) + ". To open it again: continuo --claude-dir " + place.ShellWord(made.config()) + "\n")
		}
	}()
	start, _, _ := sessions.SystemProbe().Start(ctx, os.Getpid())
	in := Inside(env, made.root)
	stats, err := demo.Write(ctx, made.config(), demo.Options{
		// The newest data are 2 min old.
		Now: env.Now().Add(-2 * time.Minute), Root: filepath.Join(made.root, "code"), Memory: true, Live: os.Getpid(), Start: start,
	})
	if err == nil {
		err = starSome(ctx, in, stats.List)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &out.Failure{What: "The demo could not be written: " + out.Reason(err) + ". Name another directory with --dir PATH.", Cause: err}
	}
	kept = keep
	if o.Plain() {
		return find.ListSessions(ctx, in, o, find.Options{Limit: find.LimitUnset})
	}
	opts, err := place.CatalogOptions(in)
	if err != nil {
		return err
	}
	return reported(env, browseOver(ctx, in, o, opts))
}

// starSome stars two sessions of the demo.
func starSome(ctx context.Context, in *place.Env, list []demo.Session) error {
	edits, starred := map[annotate.Key]annotate.Edit{}, true
	for _, s := range list {
		if key, ok := annotate.KeyOf(s.Path); ok && (s.Name == "Cancellation window for bookings" || s.Name == "Import the old card catalogue") {
			edits[key] = annotate.Edit{Starred: &starred}
		}
	}
	return place.OpenNotes(in).Edit(ctx, in.Now(), edits)
}

// demoPlace is the directory of a demo.
type demoPlace struct {
	root string
	made bool // continuo has created the directory
}

func (p demoPlace) config() string { return filepath.Join(p.root, ".claude") }

// newDemoPlace creates a temporary directory, or uses dir, which must be empty or missing.
func newDemoPlace(env *place.Env, dir string) (demoPlace, error) {
	if dir == "" {
		root, err := os.MkdirTemp("", "continuo-demo-")
		if err != nil {
			return demoPlace{}, &out.Failure{What: "No temporary directory can be created: " + out.Reason(err) + ". Name one with --dir PATH.", Cause: err}
		}
		return demoPlace{root: place.RealPath(root), made: true}, nil
	}
	p := demoPlace{root: env.Abs(dir)}
	entries, err := os.ReadDir(p.root)
	switch {
	case os.IsNotExist(err):
		p.made = true
		err = os.MkdirAll(p.root, 0o700)
	case err == nil && len(entries) > 0:
		return demoPlace{}, &out.Failure{What: env.Tilde(p.root) + " is not empty. Name an empty or a new directory."}
	}
	if err != nil {
		return demoPlace{}, &out.Failure{What: "The demo cannot be in " + env.Tilde(p.root) + ": " + out.Reason(err) + ". Name an empty or a new directory.", Cause: err}
	}
	p.root = place.RealPath(p.root)
	return p, nil
}

// leave deletes the demo. With keep, it deletes only the registry entry of the live session.
func (p demoPlace) leave(keep bool) error {
	switch {
	case keep:
		err := os.Remove(filepath.Join(p.config(), "sessions", strconv.Itoa(os.Getpid())+".json"))
		if os.IsNotExist(err) {
			return nil
		}
		return err
	case p.made:
		return os.RemoveAll(p.root)
	}
	for _, name := range []string{".claude", ".local", "code"} {
		if err := os.RemoveAll(filepath.Join(p.root, name)); err != nil {
			return err
		}
	}
	return nil
}

// Inside returns the environment of the demo. Its home is root, and no session can be resumed.
func Inside(env *place.Env, root string) *place.Env {
	in := *env
	in.Index = index.Open("") // the index on disk is for real sessions
	in.Home, in.Dir, in.MadeUp, in.ClaudeDirs = root, root, true, []string{demoPlace{root: root}.config()}
	in.Host.Environ = append(in.Host.Environ[:len(in.Host.Environ):len(in.Host.Environ)], "HOME="+root, "CLAUDE_CONFIG_DIR=")
	return &in
}
