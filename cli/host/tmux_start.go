package host

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Places where tmux can start a program.
const (
	Window = "window"
	Split  = "split"
	Popup  = "popup"
)

// Started is a program that runs in tmux.
type Started struct {
	Where string // window, split or popup; a window if no popup is possible
	Pane  string // pane ID, "" for a popup
	Name  string // "work:2", "" for a popup
	PID   int    // PID of the program, 0 for a popup
}

// Start runs a program in a new window, a split of this pane, or a popup (tmux 3.2), in an existing directory and
// with a short name. env contains "KEY=value" to set and "KEY" to unset variables; all others come from the server.
// The variables are passed through env(1), because the newer tmux option -e can't unset variables.
//
// Windows and splits are open when Start returns. For a popup, Start waits until the user closes it; when ctx ends,
// Start returns and the popup stays open. Inside a popup and before tmux 3.2, Start opens a window instead of a popup.
// If the client already shows a popup or menu, tmux opens nothing and reports no error.
//
// If the program fails within 10 s, the pane stays open with its output until the user closes it (remain-on-exit
// failed, tmux 3.2). A popup stays open after any failure until a key is pressed (-EE).
//
// Neither a shell nor tmux expands dir, env, argv or name. The error is ctx.Err() or a *TmuxError.
func (m *Tmux) Start(ctx context.Context, where, dir string, env, argv []string, name string) (Started, error) {
	if m.Program == "" {
		return Started{}, &TmuxError{Trouble: TmuxMissing}
	}
	if !m.Inside {
		return Started{}, &TmuxError{Trouble: TmuxOutside}
	}
	program, err := behindEnv(env, argv)
	if err != nil {
		return Started{}, err
	}
	limited, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	look, err := m.look(limited)
	if err != nil {
		return Started{}, &TmuxError{Trouble: TmuxSilent, Err: err}
	}
	if where == Popup && (m.Popup || !look.version.AtLeast(3, 2)) {
		where = Window
	}
	var opened []string
	switch where {
	case Window:
		opened = []string{"new-window", "-n", literal(shortName(name))}
	case Split:
		opened = []string{"split-window", "-h"}
	case Popup:
		return m.popUp(ctx, dir, program)
	default:
		return Started{}, &TmuxError{Trouble: NoSuchPlace}
	}
	// The directory is that of the tmux command itself, because tmux would expand -c.
	opened = append(opened, "-P", "-F", "#{pane_id} #{pane_pid} #{session_name}:#{window_index}", "--")
	opened = append(append(opened, program...), keepFailed(look.version)...)
	text, err := m.runIn(limited, dir, nil, opened...)
	s, ok := parseStarted(text)
	if !ok {
		return Started{}, &TmuxError{NotOpened, where, err}
	}
	s.Where = where // the program runs, even if tmux failed to set an option
	if look.version.AtLeast(3, 2) {
		_, _ = m.run(limited, nil, letGo(s.Pane)...)
	}
	return s, nil
}

// popUp runs a program in a popup and waits until the popup is closed.
func (m *Tmux) popUp(ctx context.Context, dir string, program []string) (Started, error) {
	args := append([]string{"display-popup", "-EE", "-w", "90%", "-h", "90%", "-d", literal(unexpanded(dir)), "--"}, program...)
	_, err := m.run(ctx, nil, args...)
	// tmux exits with the program's code and no message. The user has already seen the program's output.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return Started{}, &TmuxError{NotOpened, Popup, err}
	}
	return Started{Where: Popup}, ctx.Err()
}

// behindEnv returns the program and its arguments after env(1), quoted for tmux. tmux starts two or more words
// without a shell.
func behindEnv(env, argv []string) ([]string, error) {
	if len(argv) == 0 {
		return nil, errors.New("start in tmux: no program")
	}
	if strings.Contains(argv[0], "=") { // env would parse it as a variable
		return nil, &TmuxError{Trouble: OddProgram}
	}
	path, err := exec.LookPath("env")
	if err != nil {
		return nil, &TmuxError{Trouble: NoEnv, Err: err}
	}
	words := []string{path}
	for _, e := range env {
		if !strings.Contains(e, "=") {
			words = append(words, "-u", e)
		}
	}
	for _, e := range env {
		if strings.Contains(e, "=") {
			words = append(words, e)
		}
	}
	words = slices.Concat(words, argv)
	for i := range words {
		words[i] = literal(words[i])
	}
	return words, nil
}

// literal quotes an argument for tmux, where a trailing ; would begin the next command.
func literal(s string) string {
	if before, ok := strings.CutSuffix(s, ";"); ok {
		return before + `\;`
	}
	return s
}

// unexpanded escapes a text for tmux formats: ## means #, except before [, where styles begin and tmux keeps every #
// (since 3.2).
func unexpanded(s string) string {
	var b strings.Builder
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, "#"))
		run, rest := s[:n], s[n:]
		b.WriteString(run)
		if !strings.HasPrefix(rest, "[") {
			b.WriteString(run)
		}
		end := strings.IndexByte(rest, '#')
		if end < 0 {
			end = len(rest)
		}
		b.WriteString(rest[:end])
		s = rest[end:]
	}
	return b.String()
}

// shortName returns a short window name: one clean line without # and the separators of tmux targets.
func shortName(name string) string {
	const most = 20
	name = strings.NewReplacer("#", "", ":", "-", ".", "-").Replace(transcript.CleanLine(name))
	runes := []rune(strings.TrimSpace(name))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	if len(runes) == 0 {
		return "claude"
	}
	return string(runes)
}

// keepFailed returns the commands that keep a pane open after a failure. They follow the command that opens the pane;
// tmux runs them before it checks the program again, so they also apply to immediate failures. Since tmux 3.3 they also
// remove the message in a dead pane: it would push the first line out of view, and a client that can't resume prints
// only one line.
func keepFailed(v Version) []string {
	if !v.AtLeast(3, 2) {
		return nil
	}
	keep := []string{";", "set-option", "-p", "remain-on-exit", "failed"}
	if v.AtLeast(3, 3) {
		keep = append(keep, ";", "set-option", "-p", "remain-on-exit-format", "")
	}
	return keep
}

// letGo returns the commands that undo keepFailed after 10 s, so that the pane closes with its program. A tmux built
// with utempter, like Debian's, often misses the exit of a program in a kept pane (3.3a: one in six) until another
// program exits. The program true is run to cause such an exit.
func letGo(paneID string) []string {
	return []string{
		"run-shell", "-b", "-d", "9", "true", ";",
		"run-shell", "-b", "-d", "10", "-C", "set-option -p -u -q -t " + paneID + " remain-on-exit",
	}
}

// parseStarted parses the output of -P.
func parseStarted(text string) (Started, bool) {
	words := strings.SplitN(strings.TrimRight(text, "\r\n"), " ", 3)
	if len(words) < 3 || !isPaneID(words[0]) {
		return Started{}, false
	}
	pid, err := strconv.Atoi(words[1])
	return Started{Pane: words[0], PID: pid, Name: transcript.CleanLine(words[2])}, err == nil
}
