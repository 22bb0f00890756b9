package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	tmuxLimit     = 2 * time.Second // for a command of tmux: it answers in 3 ms, and a server that was stopped never
	tmuxLookLimit = time.Second     // for a look at its panes
)

// Tmux is the tmux around this run; without one, the default server of this person, which is asked but never
// started. Where tmux is not installed it is inside nothing, finds nothing and starts nothing.
type Tmux struct {
	Inside bool // this run is in a pane or a popup of tmux
	Popup  bool // in a popup: it covers whatever is opened or gone to, until this run ends

	Program string   // path of tmux, "" not installed
	Environ []string // of this run; $TMUX in it names the server
}

// Tmux looks for the multiplexer of this run. Inside tmux it asks the server once (3 ms).
//
// A popup has $TMUX, as a pane has, and no $TMUX_PANE, but for one that was left over from the pane in which the
// server itself was started (3.3a). So the pane has to be that of a parent of this process; a popup is a child of the
// server. Without an answer, $TMUX_PANE decides.
func (h Host) Tmux() *Tmux {
	m := &Tmux{Environ: h.Environ}
	program, err := exec.LookPath("tmux")
	if err != nil {
		return m
	}
	m.Program, m.Inside = program, h.Getenv("TMUX") != ""
	if !m.Inside {
		return m
	}
	m.Popup = h.Getenv("TMUX_PANE") == ""
	if !m.Popup {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxLookLimit)
		defer cancel()
		if l, err := m.look(ctx); err == nil {
			_, inPane := l.paneOf(os.Getpid(), parentOf(ctx))
			m.Popup = !inPane
		}
	}
	if m.Popup { // else tmux would take that pane for ours
		m.Environ = append(m.Environ[:len(m.Environ):len(m.Environ)], "TMUX_PANE=")
	}
	return m
}

// GoTo shows a pane: the client of this run is switched to its window (switch-client takes a pane since 1.9). Outside
// tmux it returns the command that attaches this terminal to it instead, for a takeover: path, then arguments.
func (m *Tmux) GoTo(ctx context.Context, paneID string) (attach []string, err error) {
	switch {
	case m.Program == "":
		return nil, &TmuxError{Trouble: TmuxMissing}
	case !isPaneID(paneID):
		return nil, fmt.Errorf("tmux pane %q: no such name", paneID)
	case !m.Inside:
		return []string{m.Program, "attach-session", "-t", paneID}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	if _, err := m.run(ctx, nil, "switch-client", "-t", paneID); err != nil {
		if strings.Contains(err.Error(), "can't find pane") {
			return nil, &TmuxError{Trouble: PaneGone, Err: err}
		}
		return nil, &TmuxError{Trouble: paneNotShown, Err: err}
	}
	return nil, nil
}

// Copy puts a text into a buffer of tmux and on the clipboard of its terminal (load-buffer -w, tmux 3.2), which takes
// it unless set-clipboard is off; tmux does not tell.
func (m *Tmux) Copy(ctx context.Context, text string) error {
	if !m.Inside {
		return &TmuxError{Trouble: TmuxOutside}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	l, err := m.look(ctx)
	switch {
	case err != nil:
		return &TmuxError{Trouble: TmuxSilent, Err: err}
	case !l.version.AtLeast(3, 2):
		return &TmuxError{Trouble: notCopied, Err: errors.New("that needs tmux 3.2")}
	}
	if _, err := m.run(ctx, strings.NewReader(text), "load-buffer", "-w", "-"); err != nil {
		return &TmuxError{Trouble: notCopied, Err: err}
	}
	return nil
}

// ServerVersion asks the server for its version, which may be older than the program: "3.3a". The error is what tmux says.
func (m *Tmux) ServerVersion(ctx context.Context) (string, error) {
	return m.run(ctx, nil, "display-message", "-p", "#{version}")
}

// SetClipboard asks the server for its option set-clipboard: "on", "external" or "off". The error is what tmux says.
func (m *Tmux) SetClipboard(ctx context.Context) (string, error) {
	said, err := m.run(ctx, nil, "show-options", "-sv", "set-clipboard")
	return strings.TrimSpace(said), err
}

// run runs a command of tmux and returns what it prints. The error is what tmux says on stderr, clean and on one line.
func (m *Tmux) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	return m.runIn(ctx, "", stdin, args...)
}

// runIn is run in a directory, "" for that of this run.
func (m *Tmux) runIn(ctx context.Context, dir string, stdin io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, m.Program, append([]string{"-u"}, args...)...) // -u: names come as they are
	cmd.Env = m.Environ
	if dir != "" {
		cmd.Dir, cmd.Env = dir, append(m.Environ[:len(m.Environ):len(m.Environ)], "PWD="+dir)
	}
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &said
	cmd.WaitDelay = 100 * time.Millisecond
	err := cmd.Run()
	text := transcript.CleanLine(said.String())
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
		if errors.Is(err, context.DeadlineExceeded) {
			err = ErrSilent
		}
	case text != "":
		err = errors.New(text)
	}
	return out.String(), err
}
