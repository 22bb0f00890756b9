package cli

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
)

// startInTmux is host.Tmux.Start, with words for what does not start.
func startInTmux(ctx context.Context, m *host.Tmux, where, dir string, env, argv []string, name string) (host.Started, error) {
	s, err := m.Start(ctx, where, dir, env, argv, name)
	if e, ok := errors.AsType[*host.TmuxError](err); ok {
		err = startFailure(e, where, dir)
	}
	return s, err
}

// startFailure says why a program did not start in tmux.
func startFailure(e *host.TmuxError, where, dir string) *failure {
	f := &failure{cause: e.Err}
	switch e.Trouble {
	case host.TmuxOutside:
		return outsideTmux("there is no place for a " + where)
	case host.TmuxSilent:
		f.what = "tmux does not answer: " + e.Err.Error() + ". Is its server still there?"
	case host.NoSuchPlace:
		f.what = "A program starts in a window, a split or a popup, not in " + quoted(where) + "."
	case host.OddProgram:
		f.what = "A program with = in its path cannot be started in tmux. Put a link to it in another folder."
	case host.NoEnv:
		f.what = "The command env is not on the PATH, so nothing can be started in tmux. Add its folder to PATH."
	case host.NotOpened:
		why := "it gave no reason"
		switch {
		case errors.Is(e.Err, fs.ErrNotExist):
			why = "there is no folder " + cleanPath(dir)
		case e.Err != nil:
			why = e.Err.Error()
		}
		f.what = "tmux opened no " + e.Where + ": " + strings.TrimSuffix(why, ".") + ". Choose another place."
	default:
		f.what = noTmux
	}
	return f
}

// goInTmux is host.Tmux.GoTo, with words for a pane that is not shown.
func goInTmux(ctx context.Context, m *host.Tmux, pane string) (attach []string, err error) {
	attach, err = m.GoTo(ctx, pane)
	e, ok := errors.AsType[*host.TmuxError](err)
	switch {
	case !ok:
		return attach, err
	case e.Trouble == host.TmuxMissing:
		return nil, &failure{what: noTmux}
	case e.Trouble == host.PaneGone:
		return nil, &failure{what: "The pane is gone, so it has ended there. Look again: r goes on with it.", cause: e.Err}
	}
	return nil, &failure{what: "tmux did not go to pane " + pane + ": " + e.Err.Error() + ". Go there by hand.", cause: e.Err}
}

// noTmux is said on a machine without tmux.
const noTmux = "The command tmux is not on the PATH. Install it, or do without."

// outsideTmux is the failure of what only works inside tmux.
func outsideTmux(because string) *failure {
	return &failure{what: "This is not inside tmux, so " + because + ". Start tmux, and run it there."}
}
