package host

import (
	"context"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Pane is a tmux pane.
type Pane struct {
	ID   string // such as "%5"
	Name string // session and window, such as "work:2"
	pid  int    // started in the pane
}

// tmuxState is the state of a server at one time.
type tmuxState struct {
	panes   []Pane
	version Version // of the server
}

// state lists the panes of the server.
func (m *Tmux) state(ctx context.Context) (tmuxState, error) {
	ctx, cancel := context.WithTimeout(ctx, tmuxStateLimit)
	defer cancel()
	// The name comes last, because it may contain blanks.
	text, err := m.run(ctx, nil, "list-panes", "-a", "-F", "#{pane_pid} #{pane_id} v#{version} #{session_name}:#{window_index}")
	if err != nil {
		return tmuxState{}, err
	}
	var l tmuxState
	for line := range strings.Lines(text) {
		words := strings.SplitN(strings.TrimRight(line, "\r\n"), " ", 4)
		if len(words) < 4 {
			continue
		}
		pid, err := strconv.Atoi(words[0])
		if err != nil || pid <= 1 || !isPaneID(words[1]) {
			continue
		}
		l.version = ParseVersion(strings.TrimPrefix(words[2], "v"))
		l.panes = append(l.panes, Pane{ID: words[1], Name: transcript.CleanLine(words[3]), pid: pid})
	}
	return l, nil
}

// isPaneID reports whether s is % and digits. tmux could parse other text as a flag.
func isPaneID(s string) bool {
	digits, ok := strings.CutPrefix(s, "%")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// PanesOf returns the panes of processes, by PID. A process in a popup or outside of this server has no entry. If tmux
// doesn't answer, the map is nil.
func (m *Tmux) PanesOf(ctx context.Context, pids []int) map[int]Pane {
	if m.Program == "" || len(pids) == 0 {
		return nil
	}
	l, err := m.state(ctx)
	if err != nil || len(l.panes) == 0 {
		return nil
	}
	parent := parentOf(ctx)
	found := map[int]Pane{}
	for _, pid := range pids {
		if p, ok := l.paneOf(pid, parent); ok {
			found[pid] = p
		}
	}
	return found
}

// paneOf returns the pane in which a process or its ancestor was started.
func (l *tmuxState) paneOf(pid int, parent func(int) int) (Pane, bool) {
	for pid := range upFrom(pid, parent) {
		for _, p := range l.panes {
			if p.pid == pid {
				return p, true
			}
		}
	}
	return Pane{}, false
}
