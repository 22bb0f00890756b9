package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// probeTimeout bounds the look at a folder that a transcript names: it may be on a dead mount.
const probeTimeout = time.Second

// resumeRun is `claude --resume ID`, ready to take over the terminal. It has the shape of tea.ExecCommand.
type resumeRun struct {
	cmd     *exec.Cmd
	signals *signals
}

// Run starts the client and waits until it ends. That it ended with a failure is an error: what it printed is on
// a screen that the browser covers again at once. That a signal ended it (ctrl+c is one) is none.
func (r *resumeRun) Run() error {
	defer r.signals.yield()()
	err := r.cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		const signalled = 128
		if code := exit.ExitCode(); code > 0 && code < signalled {
			return &failure{what: fmt.Sprintf("claude ended with exit code %d. To see why: claude --resume %s", code, r.cmd.Args[2]), cause: err}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("run claude in %s: %w", r.cmd.Dir, err)
	}
	return nil
}

// SetStdin implements tea.ExecCommand.
func (r *resumeRun) SetStdin(in io.Reader) { r.cmd.Stdin = in }

// SetStdout implements tea.ExecCommand.
func (r *resumeRun) SetStdout(out io.Writer) { r.cmd.Stdout = out }

// SetStderr implements tea.ExecCommand.
func (r *resumeRun) SetStderr(err io.Writer) { r.cmd.Stderr = err }

// resume makes the run that continues a session in its folder, or says why it cannot be continued. The client
// gets one argument per value, never through a shell, and the config directory that the session is in when it
// would look in another one by itself.
func (d *deps) resume(ctx context.Context, row sessions.Row) (*resumeRun, error) {
	liveNow(ctx, &row)
	if err := d.refuseResume(ctx, &row); err != nil {
		return nil, err
	}
	claude, err := exec.LookPath("claude")
	if err != nil {
		return nil, &failure{what: "The command claude is not on the PATH. Install it, or add its folder to PATH.", cause: err}
	}
	if claude, err = filepath.Abs(claude); err != nil {
		return nil, &failure{what: "The current directory is gone, so claude cannot be found. Change into one that exists.", cause: err}
	}
	// The client ends when the person ends it, not when this program is told to stop.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), claude, "--resume", row.ID)
	cmd.Dir = row.Workdir
	cmd.Env = append(d.environ[:len(d.environ):len(d.environ)], "PWD="+row.Workdir)
	if row.Dir != "" && row.Dir != d.clientDir() {
		cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+row.Dir)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.stdin, d.out.w, d.err.w
	return &resumeRun{cmd, d.signals}, nil
}

// clientDir is the config directory that the client would look in by itself.
func (d *deps) clientDir() string {
	if dir := d.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return d.abs(dir)
	}
	return filepath.Join(d.home, ".claude")
}

// liveNow asks the registry again who has the session open: the row may be minutes old.
func liveNow(ctx context.Context, row *sessions.Row) {
	if _, err := os.Stat(filepath.Join(row.Dir, "sessions")); row.Dir == "" || err != nil {
		return // what the row says stands
	}
	row.Live = nil
	row.Flags = slices.DeleteFunc(slices.Clone(row.Flags), func(f sessions.Flag) bool { return f == sessions.FlagLive })
	list, _ := sessions.ReadRegistry(ctx, row.Dir, sessions.SystemProbe()) // an entry that cannot be read names nobody
	if i := slices.IndexFunc(list, func(l sessions.Live) bool { return l.SessionID == row.ID }); i >= 0 {
		row.Live = &list[i]
	}
}

// refuseResume says why a session cannot be continued; nil when it can.
func (d *deps) refuseResume(ctx context.Context, row *sessions.Row) error {
	switch {
	case d.madeUp:
		return &failure{what: "This is a demo: there is nothing to resume."}
	case row.Kind != sessions.KindSession:
		return &failure{what: "A " + string(row.Kind) + " cannot be resumed. Choose a session."}
	case row.Live != nil:
		where := fmt.Sprintf("process %d", row.Live.PID)
		if row.Live.Cwd != "" {
			where += " in " + d.tilde(row.Live.Cwd)
		}
		return &failure{what: "Open in " + where + ". Leave it there first: two writers hide each other's messages."}
	case row.Has(sessions.FlagLive):
		return &failure{what: "Open elsewhere. Leave it there first: two writers hide each other's messages."}
	case row.Has(sessions.FlagNotResumable), !sessions.IsUUID(row.ID):
		return &failure{what: "The name of " + d.tilde(row.Path) + " is no session id, so claude cannot resume it. It can only be read."}
	case row.Has(sessions.FlagBackupOnly):
		return &failure{what: "Only a copy of this session is left, so claude cannot resume it. It can be read."}
	case row.State == sessions.StateUnreadable:
		return d.unreadable(row)
	case row.State == sessions.StateEmpty, row.State == sessions.StateStub, row.Exact && row.Messages == 0:
		return &failure{what: "This session has no messages, so there is nothing to resume. Start claude in its folder instead."}
	case row.Workdir == "":
		return &failure{what: "The transcript does not say which folder the session is of. Start it there: claude --resume " + row.ID}
	}
	if _, err := os.Stat(row.Path); errors.Is(err, os.ErrNotExist) {
		return &failure{what: "The file of this session is gone: " + d.tilde(row.Path) + ". A backup may be left.", cause: err}
	}
	return d.probeFolder(ctx, row.Workdir)
}

// probeFolder checks that a folder is there, for at most probeTimeout.
func (d *deps) probeFolder(ctx context.Context, path string) error {
	if !filepath.IsAbs(path) {
		return &failure{what: "The folder of this session is " + d.tilde(path) + ", which is no whole path. It can only be read."}
	}
	type answer struct {
		info os.FileInfo
		err  error
	}
	found := make(chan answer, 1)
	go func() {
		info, err := os.Stat(path)
		found <- answer{info, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	select {
	case <-ctx.Done():
		return &failure{what: "The folder " + d.tilde(path) + " does not answer. Mount it, then resume."}
	case a := <-found:
		switch {
		case errors.Is(a.err, os.ErrNotExist):
			return &failure{what: "The folder " + d.tilde(path) + " is gone. Bring it back, then resume.", cause: a.err}
		case a.err != nil:
			return &failure{what: "The folder " + d.tilde(path) + " cannot be opened: " + reason(a.err) + ". Open it up, then resume.", cause: a.err}
		case !a.info.IsDir():
			return &failure{what: d.tilde(path) + ", where this session was, is no folder any more. Bring it back, then resume."}
		}
		return nil
	}
}
