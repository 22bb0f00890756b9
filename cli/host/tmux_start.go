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

// Places for a program in tmux.
const (
	Window = "window"
	Split  = "split"
	Popup  = "popup"
)

// Started is a program that tmux has started.
type Started struct {
	Where string // window, split or popup, as opened
	Pane  string // "" for a popup
	Name  string // such as "work:2"; "" for a popup
	PID   int    // 0 for a popup
}

// Start runs a program in a new window, in a split of this pane, or in a popup. dir must exist. A window's name is a
// short form of name. In env, "KEY=value" sets a variable, and "KEY" unsets it. Other variables come from the server.
//
// Start returns as soon as a window or split is open. With a popup, Start returns when the user closes the popup, or
// when ctx ends. Inside a popup and before tmux 3.2, a window replaces the popup. If the client already shows a popup
// or a menu, tmux opens nothing and reports no error.
//
// A program that fails within 10 s keeps its pane open (remain-on-exit failed, tmux 3.2). A popup stays after any
// failure (-EE).
//
// No shell is used, and tmux expands nothing. The error is ctx.Err() or a *TmuxError.
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
	// The command runs in dir, because tmux would expand the argument of -c.
	opened = append(opened, "-P", "-F", "#{pane_id} #{pane_pid} #{session_name}:#{window_index}", "--")
	opened = append(append(opened, program...), keepFailed(server.version)...)
	text, err := m.runIn(limited, dir, nil, opened...)
	s, ok := parseStarted(text)
	if !ok {
		return Started{}, &TmuxError{NotOpened, where, err}
	}
	s.Where = where // the program runs, even if an option wasn't set
	if server.version.AtLeast(3, 2) {
		_, _ = m.run(limited, nil, letGo(s.Pane)...)
	}
	return s, nil
}

// popUp runs a program in a popup, until the popup is closed.
func (m *Tmux) popUp(ctx context.Context, dir string, program []string) (Started, error) {
	args := append([]string{"display-popup", "-EE", "-w", "90%", "-h", "90%", "-d", literal(unexpanded(dir)), "--"}, program...)
	_, err := m.run(ctx, nil, args...)
	// tmux exits with the program's code. The user has seen the program's output.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return Started{}, &TmuxError{NotOpened, Popup, err}
	}
	return Started{Where: Popup}, ctx.Err()
}

// behindEnv returns a command line for env(1), quoted for tmux. With two or more words, tmux uses no shell.
func behindEnv(env, argv []string) ([]string, error) {
	if len(argv) == 0 {
		return nil, errors.New("start in tmux: no program")
	}
	if strings.Contains(argv[0], "=") { // env would set a variable
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

// literal quotes an argument for tmux. A ; at the end would begin the next command.
func literal(s string) string {
	if before, ok := strings.CutSuffix(s, ";"); ok {
		return before + `\;`
	}
	return s
}

// unexpanded escapes a text for tmux formats, in which ## means #. A # before [ isn't doubled, because tmux keeps it
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

// shortName returns a short window name, without control characters, # and the separators of tmux targets.
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

// keepFailed returns commands that keep a failed pane open. They are appended to the command that opens the pane. So
// they also work for an immediate failure. Since tmux 3.3, they also hide tmux's message, which could scroll the
// output away.
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

// letGo returns commands that undo keepFailed after 10 s. tmux with utempter often misses the exit of a program (3.3a:
// one in six). The exit of another program helps, so the commands run true after 9 s.
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
