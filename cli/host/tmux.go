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
	tmuxLimit     = 2 * time.Second // time limit for a tmux command, which usually takes 3 ms; a stopped server never answers
	tmuxLookLimit = time.Second     // time limit for listing panes
)

// Tmux is the tmux server around this run, or the user's default server, which is queried but never started. Without
// tmux all methods return empty results.
type Tmux struct {
	Inside bool // this run is in a tmux pane or popup
	Popup  bool // in a popup, which covers all windows until this run exits

	Program string   // path of tmux, "" if not installed
	Environ []string // environment of this run; $TMUX names the server
}

// Tmux finds the tmux server of this run. Inside tmux it queries the server once (3 ms).
//
// Both panes and popups have $TMUX. A popup has no $TMUX_PANE, except one inherited from the pane that started the
// server (3.3a). A pane therefore counts only if it belongs to a parent of this process; a popup is a child of the
// server. If the server doesn't answer, $TMUX_PANE decides.
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
	if m.Popup { // otherwise tmux would use that pane as the current one
		m.Environ = append(m.Environ[:len(m.Environ):len(m.Environ)], "TMUX_PANE=")
	}
	return m
}

// GoTo switches the client of this run to a pane (switch-client accepts panes since 1.9). Outside of tmux it returns
// the command that attaches this terminal: path and arguments.
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

// Copy copies a text to a tmux buffer and to the clipboard of the terminal (load-buffer -w, tmux 3.2). With
// set-clipboard off the terminal doesn't receive it, and tmux reports no error.
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

// ServerVersion returns the version of the server, which can be older than the program: "3.3a". The error is tmux's
// message.
func (m *Tmux) ServerVersion(ctx context.Context) (string, error) {
	return m.run(ctx, nil, "display-message", "-p", "#{version}")
}

// SetClipboard returns the server option set-clipboard: "on", "external" or "off". The error is tmux's message.
func (m *Tmux) SetClipboard(ctx context.Context) (string, error) {
	printed, err := m.run(ctx, nil, "show-options", "-sv", "set-clipboard")
	return strings.TrimSpace(printed), err
}

// run runs a tmux command and returns its output. The error is the first line of stderr, cleaned.
func (m *Tmux) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	return m.runIn(ctx, "", stdin, args...)
}

// runIn does what run does, in the directory dir; "" is the current one.
func (m *Tmux) runIn(ctx context.Context, dir string, stdin io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, m.Program, append([]string{"-u"}, args...)...) // -u: names in UTF-8, unchanged
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
