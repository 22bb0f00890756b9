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
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// resume goes on with a session, or says what a person has to know and choose first. It looks at everything anew
// each time, so what it starts is what the guard has allowed a moment ago.
func (d *deps) resume(ctx context.Context, row sessions.Row, ask sessions.ResumeAsk) (tui.Outcome, error) {
	row.Dir = configDirOf(&row)
	plan, err := d.planResume(ctx, row, ask)
	switch {
	case err != nil:
		return tui.Outcome{}, err
	case plan.Launch == nil:
		return tui.Outcome{Plan: &plan}, nil
	}
	out, err := d.launch(ctx, &row, plan.Launch)
	if errors.Is(err, errTaken) { // since the look: it is in the next one
		if plan, err = d.planResume(ctx, row, ask); err == nil && plan.Launch == nil {
			return tui.Outcome{Plan: &plan}, nil
		}
		return tui.Outcome{}, &failure{what: "The session is being opened by another continuo. Look again in a moment.", cause: errTaken}
	}
	return out, err
}

// planResume asks the guard. What no answer changes is an error.
func (d *deps) planResume(ctx context.Context, row sessions.Row, ask sessions.ResumeAsk) (sessions.ResumePlan, error) {
	if d.madeUp {
		return sessions.ResumePlan{}, &failure{what: "This is a demo: there is nothing to resume."}
	}
	row.Dir = configDirOf(&row)
	facts, err := d.resumeFacts(ctx, row, ask)
	if err != nil {
		return sessions.ResumePlan{}, err
	}
	plan := sessions.PlanResume(facts, ask)
	if plan.Launch == nil && len(plan.Choices) == 0 {
		f := plan.Findings[0]
		return plan, &failure{what: f.What + " " + f.Detail}
	}
	return plan, nil
}

// launch starts what a plan has come to.
func (d *deps) launch(ctx context.Context, row *sessions.Row, l *sessions.Launch) (tui.Outcome, error) {
	if l.Pane != "" {
		return d.attach(ctx, l.Pane)
	}
	if err := d.makeFolder(ctx, l); err != nil {
		return tui.Outcome{}, err
	}
	if l.In == sessions.WhereHere {
		return tui.Outcome{Run: d.runHere(ctx, row, l)}, nil
	}
	settle := func(int, string) {}
	if l.Writes != "" {
		var err error
		if settle, err = d.claim(ctx, row, l.Second); err != nil {
			return tui.Outcome{}, err
		}
	}
	env := []string{"PATH=" + d.getenv("PATH"), "CLAUDE_CONFIG_DIR"}
	if dir := d.configDirFor(row); dir != "" {
		env[1] += "=" + dir
	}
	env = append(env, inherited()...)
	started, err := d.tmux().start(ctx, string(l.In), l.Dir, env, l.Argv, row.Name)
	if err != nil {
		settle(0, "")
		return tui.Outcome{}, err
	}
	settle(started.PID, started.Pane)
	out := tui.Outcome{Leave: l.In == sessions.WhereWindow && d.tmux().popup}
	switch started.Where {
	case inWindow:
		out.Said = "Started in tmux window " + started.Name + "."
	case inSplit:
		out.Said = "Started beside this."
	}
	return out, nil
}

// attach goes to a tmux pane.
func (d *deps) attach(ctx context.Context, pane string) (tui.Outcome, error) {
	argv, err := d.tmux().goTo(ctx, pane)
	if err != nil {
		return tui.Outcome{}, err
	}
	if argv == nil {
		return tui.Outcome{Leave: d.tmux().popup, Said: "It is in front of you in tmux."}, nil
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Env = d.environ
	return tui.Outcome{Run: &takeover{d: d, cmd: cmd, again: strings.Join(argv, " ")}}, nil
}

// makeFolder makes the folder that a launch needs.
func (d *deps) makeFolder(ctx context.Context, l *sessions.Launch) error {
	if len(l.Make) == 0 {
		return nil
	}
	if l.Make[0] == "mkdir" {
		if err := os.MkdirAll(l.Dir, 0o755); err != nil { // as mkdir makes it
			return &failure{what: "The folder " + d.tilde(l.Dir) + " could not be made: " + reason(err) + ".", cause: err}
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 12*gitTimeout) // it writes a whole tree
	defer cancel()
	cmd := exec.CommandContext(ctx, l.Make[0], l.Make[1:]...)
	cmd.Env, cmd.WaitDelay = d.environ, gitTimeout
	if out, err := cmd.CombinedOutput(); err != nil {
		what := "The worktree " + d.tilde(l.Dir) + " could not be made again."
		if text := transcript.CleanLine(string(out)); text != "" {
			what += " Git says: " + text
		}
		return &failure{what: what, cause: err}
	}
	return nil
}

// inherited are variables that a client leaves to what it starts. With them a client takes itself for a part of
// another one, and keeps no transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// clientDir is the config directory that the client would look in by itself.
func (d *deps) clientDir() string {
	if dir := d.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return d.abs(dir)
	}
	return filepath.Join(d.home, ".claude")
}

// configDirFor is what CLAUDE_CONFIG_DIR has to be for a session, "" when it must not be set.
func (d *deps) configDirFor(row *sessions.Row) string {
	if row.Dir != "" && row.Dir != d.clientDir() {
		return row.Dir
	}
	return d.getenv("CLAUDE_CONFIG_DIR")
}

// runHere makes the run that takes over this terminal. The client gets one argument per value, never through a
// shell, and the config directory that the session is in. It ends when the person ends it, not when this program is
// told to stop.
func (d *deps) runHere(ctx context.Context, row *sessions.Row, l *sessions.Launch) *takeover {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), l.Argv[0], l.Argv[1:]...)
	cmd.Dir = l.Dir
	cmd.Env = slices.DeleteFunc(slices.Clone(d.environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(inherited(), name)
	})
	cmd.Env = append(cmd.Env, "PWD="+l.Dir)
	if dir := d.configDirFor(row); dir != "" {
		cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+dir)
	}
	t := &takeover{d: d, cmd: cmd, again: "claude " + strings.Join(l.Argv[1:], " ")}
	if l.Writes != "" {
		t.claim = func() (func(int, string), error) { return d.claim(ctx, row, l.Second) }
	}
	return t
}

// takeover is a program ready to take over the terminal. It has the shape of tea.ExecCommand.
type takeover struct {
	d     *deps
	cmd   *exec.Cmd
	again string                            // the command line, for the person
	claim func() (func(int, string), error) // nil: there is nothing to claim
}

// Run starts the program and waits until it ends. That it ended with a failure is an error: what it printed is on
// a screen that the browser covers again at once. That a signal ended it (ctrl+c is one) is none.
func (t *takeover) Run() error {
	settle := func(int, string) {}
	if t.claim != nil {
		var err error
		if settle, err = t.claim(); err != nil {
			return &failure{what: "The session is being opened by another continuo. Look again in a moment.", cause: err}
		}
	}
	if t.cmd.Stdin == nil {
		t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = t.d.stdin, t.d.out.w, t.d.err.w
	}
	defer t.d.signals.yield()()
	err := t.cmd.Start()
	if err != nil {
		settle(0, "")
		return fmt.Errorf("run %s in %s: %w", t.cmd.Path, t.cmd.Dir, err)
	}
	settle(t.cmd.Process.Pid, "")
	err = t.cmd.Wait()
	settle(0, "")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		const signalled = 128
		if code := exit.ExitCode(); code > 0 && code < signalled {
			name := strings.TrimSuffix(filepath.Base(t.cmd.Path), ".exe")
			return &failure{what: fmt.Sprintf("%s ended with exit code %d. To see why: %s", name, code, t.again), cause: err}
		}
		return nil
	}
	return err
}

// SetStdin implements tea.ExecCommand.
func (t *takeover) SetStdin(in io.Reader) { t.cmd.Stdin = in }

// SetStdout implements tea.ExecCommand.
func (t *takeover) SetStdout(out io.Writer) { t.cmd.Stdout = out }

// SetStderr implements tea.ExecCommand.
func (t *takeover) SetStderr(err io.Writer) { t.cmd.Stderr = err }
