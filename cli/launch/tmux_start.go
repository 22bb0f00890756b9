package launch

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
)

// StartInTmux starts a program in tmux. Its errors are messages for the user.
func StartInTmux(ctx context.Context, m *host.Tmux, where, dir string, env, argv []string, name string) (host.Started, error) {
	s, err := m.Start(ctx, where, dir, env, argv, name)
	if e, ok := errors.AsType[*host.TmuxError](err); ok {
		err = startFailure(e, where, dir)
	}
	return s, err
}

func startFailure(e *host.TmuxError, where, dir string) *out.Failure {
	f := &out.Failure{Cause: e.Err}
	switch e.Trouble {
	case host.TmuxOutside:
		return outsideTmux("it can't open a " + where)
	case host.TmuxSilent:
		f.What = "tmux does not answer: " + e.Err.Error() + ". Check whether the tmux server still runs."
	case host.NoSuchPlace:
		f.What = "A program can be started in a window, a split or a popup, not in " + out.Quoted(where) + "."
	case host.OddProgram:
		f.What = "tmux can't start a program whose path contains =. Link the program into another folder."
	case host.NoEnv:
		f.What = "The command env is not on the PATH, so nothing can be started in tmux. Add its folder to PATH."
	case host.NotOpened:
		why := "no reason was given"
		switch {
		case errors.Is(e.Err, fs.ErrNotExist):
			why = "there is no folder " + out.CleanPath(dir)
		case e.Err != nil:
			why = e.Err.Error()
		}
		f.What = "tmux opened no " + e.Where + ": " + strings.TrimSuffix(why, ".") + ". Choose another place."
	default:
		f.What = noTmux
	}
	return f
}

// GoInTmux switches to a pane. Its errors are messages for the user.
func GoInTmux(ctx context.Context, m *host.Tmux, pane string) (attach []string, err error) {
	attach, err = m.GoTo(ctx, pane)
	e, ok := errors.AsType[*host.TmuxError](err)
	switch {
	case !ok:
		return attach, err
	case e.Trouble == host.TmuxMissing:
		return nil, &out.Failure{What: noTmux}
	case e.Trouble == host.PaneGone:
		return nil, &out.Failure{What: "The pane is closed, so the session has ended there. To resume the session, press r.", Cause: e.Err}
	}
	return nil, &out.Failure{What: "tmux could not switch to pane " + pane + ": " + e.Err.Error() + ". Switch to it yourself.", Cause: e.Err}
}

const noTmux = "tmux isn't on the PATH. Install it."

func outsideTmux(because string) *out.Failure {
	return &out.Failure{What: "This is not inside tmux, so " + because + ". Start tmux, and run it there."}
}
