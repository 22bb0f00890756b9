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

// Where a program can be started in tmux.
const (
	Window = "window"
	Split  = "split"
	Popup  = "popup"
)

// Started is a program that runs in tmux.
type Started struct {
	Where string // window, split or popup: a popup becomes a window where there can be none
	Pane  string // its id, "" for a popup
	Name  string // "work:2", "" for a popup
	PID   int    // of the program, 0 for a popup
}

// Start runs a program in a new window, beside this pane, or in a popup over everything (tmux 3.2), in a directory
// that exists and under a short name. Env has "KEY=value" for what is set and "KEY" for what is unset in the program's
// environment, which otherwise is that of the server; it goes before the program by env(1), because -e is younger and
// cannot unset.
//
// A window and a split are there when it returns. A popup keeps it waiting until the person has closed it, so call it
// where waiting is harmless; the end of ctx ends the wait and leaves the popup. Inside a popup, and where tmux is older
// than 3.2, a window is opened in its place. tmux says nothing when the client shows a popup or a menu already: then
// nothing is opened, and there is no error.
//
// When the program fails within 10 s, what it said stays in the pane until somebody closes it (remain-on-exit failed,
// tmux 3.2). A popup stays whenever it fails, until a key (-EE).
//
// No shell sees dir, env, argv or name, and tmux expands none of them. The error is that of ctx or a *TmuxError.
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
	// The directory is that of the tmux command itself: -c would be expanded.
	opened = append(opened, "-P", "-F", "#{pane_id} #{pane_pid} #{session_name}:#{window_index}", "--")
	opened = append(append(opened, program...), keepFailed(look.version)...)
	text, err := m.runIn(limited, dir, nil, opened...)
	s, ok := parseStarted(text)
	if !ok {
		return Started{}, &TmuxError{NotOpened, where, err}
	}
	s.Where = where // it runs, even where the options behind it failed
	if look.version.AtLeast(3, 2) {
		_, _ = m.run(limited, nil, letGo(s.Pane)...)
	}
	return s, nil
}

// popUp runs a program in a popup and waits until it is closed.
func (m *Tmux) popUp(ctx context.Context, dir string, program []string) (Started, error) {
	args := append([]string{"display-popup", "-EE", "-w", "90%", "-h", "90%", "-d", literal(unexpanded(dir)), "--"}, program...)
	_, err := m.run(ctx, nil, args...)
	// tmux ends with the exit code of the program and then says nothing: the person has read what the program said.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		return Started{}, &TmuxError{NotOpened, Popup, err}
	}
	return Started{Where: Popup}, ctx.Err()
}

// behindEnv is the program and its arguments behind env(1), each as tmux takes it literally. With at least two words
// tmux starts them without a shell.
func behindEnv(env, argv []string) ([]string, error) {
	if len(argv) == 0 {
		return nil, errors.New("start in tmux: no program")
	}
	if strings.Contains(argv[0], "=") { // env would set it
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

// literal is an argument of tmux that may end with anything: a ; there would begin the next command.
func literal(s string) string {
	if before, ok := strings.CutSuffix(s, ";"); ok {
		return before + `\;`
	}
	return s
}

// unexpanded is a text that tmux expands to what it is: ## stands for #. Only in front of a [, where styles begin,
// tmux keeps every # (3.2 and later).
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

// shortName is a short name for a window: one clean line without the # that tmux expands and the signs that part
// the names in a target.
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

// keepFailed are the commands behind the one that opens a pane: they keep the pane when its program fails. tmux runs
// them before it looks at the program again, so they hold for one that fails at once. The note that tmux writes into a
// dead pane by itself pushes the first line out of sight, and a client that cannot resume says no more than one.
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

// letGo are the commands that end what keepFailed began, 10 s later: from then on a pane goes with its program, as any
// other. A tmux that was built with utempter, as that of Debian, often does not hear of the end of a program whose pane
// it keeps (3.3a: one in six), and neither marks nor closes it before the next program ends; that is what true is for.
func letGo(paneID string) []string {
	return []string{
		"run-shell", "-b", "-d", "9", "true", ";",
		"run-shell", "-b", "-d", "10", "-C", "set-option -p -u -q -t " + paneID + " remain-on-exit",
	}
}

// parseStarted reads what -P prints.
func parseStarted(text string) (Started, bool) {
	words := strings.SplitN(strings.TrimRight(text, "\r\n"), " ", 3)
	if len(words) < 3 || !isPaneID(words[0]) {
		return Started{}, false
	}
	pid, err := strconv.Atoi(words[1])
	return Started{Pane: words[0], PID: pid, Name: transcript.CleanLine(words[2])}, err == nil
}
