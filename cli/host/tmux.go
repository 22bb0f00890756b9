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
	// A command usually takes 3 ms. A stopped server never answers.
	tmuxLimit      = 2 * time.Second
	tmuxStateLimit = time.Second // for listing panes
)

// Tmux is the tmux server around this program, or else the user's default server. continuo never starts a server.
// Without tmux, all methods return empty results.
type Tmux struct {
	Inside bool // in a pane or a popup of tmux
	Popup  bool // in a popup, which covers all windows

	Program string   // path; "" if not installed
	Environ []string // $TMUX names the server
}

// Tmux finds the tmux server of this run. Inside tmux, it queries the server once (3 ms).
//
// tmux sets $TMUX_PANE in panes, but a popup may inherit the variable (3.3a). So this program is in a pane if one of
// its ancestors was started there. Otherwise, it is in a popup. If the server doesn't answer, $TMUX_PANE decides.
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
		ctx, cancel := context.WithTimeout(context.Background(), tmuxStateLimit)
		defer cancel()
		if l, err := m.state(ctx); err == nil {
			_, inPane := l.paneOf(os.Getpid(), parentOf(ctx))
			m.Popup = !inPane
		}
	}
	if m.Popup { // else tmux would use the inherited pane
		m.Environ = append(m.Environ[:len(m.Environ):len(m.Environ)], "TMUX_PANE=")
	}
	return m
}

// GoTo switches to a pane (switch-client, tmux 1.9). Outside of tmux, it returns the command that attaches this
// terminal.
func (m *Tmux) GoTo(ctx context.Context, paneID string) (attach []string, err error) {
	switch {
	case m.Program == "":
		return nil, &TmuxError{Trouble: TmuxMissing}
	case !isPaneID(paneID):
		return nil, fmt.Errorf("tmux pane %q: not a pane ID", paneID)
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

// Copy copies a text to a tmux buffer and to the terminal's clipboard (load-buffer -w, tmux 3.2). If set-clipboard is
// off, the terminal doesn't get the text, without an error.
func (m *Tmux) Copy(ctx context.Context, text string) error {
	if !m.Inside {
		return &TmuxError{Trouble: TmuxOutside}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	l, err := m.state(ctx)
	switch {
	case err != nil:
		return &TmuxError{Trouble: TmuxSilent, Err: err}
	case !l.version.AtLeast(3, 2):
		return &TmuxError{Trouble: notCopied, Err: errors.New("copying needs tmux 3.2")}
	}
	if _, err := m.run(ctx, strings.NewReader(text), "load-buffer", "-w", "-"); err != nil {
		return &TmuxError{Trouble: notCopied, Err: err}
	}
	return nil
}

// ServerVersion returns the version of the server, such as "3.3a". The tmux program may be newer.
func (m *Tmux) ServerVersion(ctx context.Context) (string, error) {
	return m.run(ctx, nil, "display-message", "-p", "#{version}")
}

// SetClipboard returns the server option set-clipboard: "on", "external" or "off".
func (m *Tmux) SetClipboard(ctx context.Context) (string, error) {
	printed, err := m.run(ctx, nil, "show-options", "-sv", "set-clipboard")
	return strings.TrimSpace(printed), err
}

// run runs a tmux command and returns its output. The error is the first line of stderr.
func (m *Tmux) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	return m.runIn(ctx, "", stdin, args...)
}

// runIn is run in the directory dir; "" means the current directory.
func (m *Tmux) runIn(ctx context.Context, dir string, stdin io.Reader, args ...string) (string, error) {
	// Without -u, tmux may replace non-ASCII characters in names.
	cmd := exec.CommandContext(ctx, m.Program, append([]string{"-u"}, args...)...)
	cmd.Env = m.Environ
	if dir != "" {
		cmd.Dir, cmd.Env = dir, append(m.Environ[:len(m.Environ):len(m.Environ)], "PWD="+dir)
	}
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	text := transcript.CleanLine(stderr.String())
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
