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

// The places in which tmux can start a program.
const (
	Window = "window"
	Split  = "split"
	Popup  = "popup"
)

// Started is a program that tmux has started.
type Started struct {
	Where string // window, split or popup; if a popup isn't possible, a window
	Pane  string // ID of the pane; "" for a popup
	Name  string // such as "work:2"; "" for a popup
	PID   int    // PID of the program; 0 for a popup
}

// Start runs a program in a new window, in a split of this pane, or in a popup (tmux 3.2). dir must exist. The name of
// a window is a short form of name. An element of env sets a variable if it is "KEY=value", and unsets it if it is
// "KEY". All other variables come from the server. The variables are passed with env(1), because the option -e of newer
// tmux versions can't unset variables.
//
// A window or a split is open when Start returns. For a popup, Start waits until the user closes the popup. If ctx
// ends, Start returns, and the popup stays open. Inside a popup, and before tmux 3.2, Start opens a window instead of a
// popup. If the client already shows a popup or a menu, tmux opens nothing and reports no error.
//
// If the program fails within 10 s, the pane and its output stay until the user closes the pane (remain-on-exit failed,
// tmux 3.2). After any failure, a popup stays until the user presses a key (-EE).
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
	server, err := m.state(limited)
	if err != nil {
		return Started{}, &TmuxError{Trouble: TmuxSilent, Err: err}
	}
	if where == Popup && (m.Popup || !server.version.AtLeast(3, 2)) {
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
	// The directory is set for the tmux command itself, because tmux would expand formats in the argument of -c.
	opened = append(opened, "-P", "-F", "#{pane_id} #{pane_pid} #{session_name}:#{window_index}", "--")
	opened = append(append(opened, program...), keepFailed(server.version)...)
	text, err := m.runIn(limited, dir, nil, opened...)
	s, ok := parseStarted(text)
	if !ok {
		return Started{}, &TmuxError{NotOpened, where, err}
	}
	s.Where = where // the program runs, even if tmux has failed to set an option
	if server.version.AtLeast(3, 2) {
		_, _ = m.run(limited, nil, letGo(s.Pane)...)
	}
	return s, nil
}

// popUp runs a program in a popup. It waits until the popup is closed.
func (m *Tmux) popUp(ctx context.Context, dir string, program []string) (Started, error) {
	args := append([]string{"display-popup", "-EE", "-w", "90%", "-h", "90%", "-d", literal(unexpanded(dir)), "--"}, program...)
	_, err := m.run(ctx, nil, args...)
	// tmux exits with the code of the program and prints no message. The user has already seen the output of the
	// program.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return Started{}, &TmuxError{NotOpened, Popup, err}
	}
	return Started{Where: Popup}, ctx.Err()
}

// behindEnv returns a command line that starts the program through env(1), quoted for tmux. The command line has at
// least two words, so tmux starts it without a shell.
func behindEnv(env, argv []string) ([]string, error) {
	if len(argv) == 0 {
		return nil, errors.New("start in tmux: no program")
	}
	if strings.Contains(argv[0], "=") { // env would parse this as a variable
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

// literal quotes an argument for tmux. An unquoted ; at the end would begin the next command.
func literal(s string) string {
	if before, ok := strings.CutSuffix(s, ";"); ok {
		return before + `\;`
	}
	return s
}

// unexpanded escapes a text for the formats of tmux, in which ## means #. It doesn't double a # before [, because #[
// begins a style, and tmux keeps every # before a style (since 3.2).
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

// shortName returns a short name for a window. It is one line without control characters, without #, and without
// the separators of tmux targets.
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

// keepFailed returns the commands that keep a pane open after a failure. They are appended to the command that opens
// the pane. tmux runs them before it checks whether the program has exited, so they also work for a program that fails
// immediately. Since tmux 3.3, they also hide the message in a dead pane, which would scroll the first line out of
// view. A client that can't resume prints only one line.
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

// letGo returns the commands that undo keepFailed after 10 s. From then on, a failed program no longer keeps its pane
// open. If tmux was built with utempter, as on Debian, it often doesn't notice that the program in a pane has exited
// (3.3a: one in six). It notices this when another program exits. So after 9 s, the commands run the program true.
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
