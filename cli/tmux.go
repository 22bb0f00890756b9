package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	tmuxLimit     = 2 * time.Second // for a command of tmux: it answers in 3 ms, and a server that was stopped never
	tmuxLookLimit = time.Second     // for a look at its panes
	tmuxParents   = 64              // steps from a process to that of its pane; more is a circle
)

// multiplexer is the tmux around this run; without one, the default server of this person, which is asked but never
// started. Where tmux is not installed it is inside nothing, finds nothing and starts nothing.
type multiplexer struct {
	inside bool // this run is in a pane or a popup of tmux
	popup  bool // in a popup: it covers whatever is opened or gone to, until this run ends

	program string   // path of tmux, "" not installed
	environ []string // of this run; $TMUX in it names the server
}

// tmux looks for the multiplexer of this run. Inside tmux it asks the server once (3 ms).
//
// A popup has $TMUX, as a pane has, and no $TMUX_PANE, but for one that was left over from the pane in which the
// server itself was started (3.3a). So the pane has to be that of a parent of this process; a popup is a child of the
// server. Without an answer, $TMUX_PANE decides.
func (d *deps) tmux() *multiplexer {
	m := &multiplexer{environ: d.environ}
	program, err := exec.LookPath("tmux")
	if err != nil {
		return m
	}
	m.program, m.inside = program, d.getenv("TMUX") != ""
	if !m.inside {
		return m
	}
	m.popup = d.getenv("TMUX_PANE") == ""
	if !m.popup {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxLookLimit)
		defer cancel()
		if l, err := m.look(ctx); err == nil {
			_, inPane := l.paneOf(os.Getpid(), parentOf(ctx))
			m.popup = !inPane
		}
	}
	if m.popup { // else tmux would take that pane for ours
		m.environ = append(m.environ[:len(m.environ):len(m.environ)], "TMUX_PANE=")
	}
	return m
}

// pane is a pane of tmux.
type pane struct {
	ID   string // "%5"
	Name string // session and index of the window, clean: "work:2"
	pid  int    // of the process that was started in it
}

// tmuxLook is what one look at a server found.
type tmuxLook struct {
	panes   []pane
	version tmuxVersion // of the server, which may be older than the program
}

// look lists the panes of the server. It fails where none answers.
func (m *multiplexer) look(ctx context.Context) (tmuxLook, error) {
	ctx, cancel := context.WithTimeout(ctx, tmuxLookLimit)
	defer cancel()
	// The name comes last: it is the one that may hold blanks.
	text, err := m.run(ctx, nil, "list-panes", "-a", "-F", "#{pane_pid} #{pane_id} v#{version} #{session_name}:#{window_index}")
	if err != nil {
		return tmuxLook{}, err
	}
	var l tmuxLook
	for line := range strings.Lines(text) {
		words := strings.SplitN(strings.TrimRight(line, "\r\n"), " ", 4)
		if len(words) < 4 {
			continue
		}
		pid, err := strconv.Atoi(words[0])
		if err != nil || pid <= 1 || !isPaneID(words[1]) {
			continue
		}
		l.version = parseTmuxVersion(strings.TrimPrefix(words[2], "v"))
		l.panes = append(l.panes, pane{ID: words[1], Name: transcript.CleanLine(words[3]), pid: pid})
	}
	return l, nil
}

// isPaneID reports whether s is % and digits, so that it is no other target and no flag.
func isPaneID(s string) bool {
	digits, ok := strings.CutPrefix(s, "%")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// panesOf finds, with one look, the panes in which processes of this machine run. One in a popup, in another server or
// in no tmux at all has none, and so has any where tmux does not answer.
func (m *multiplexer) panesOf(ctx context.Context, pids []int) map[int]pane {
	if m.program == "" || len(pids) == 0 {
		return nil
	}
	l, err := m.look(ctx)
	if err != nil || len(l.panes) == 0 {
		return nil
	}
	parent := parentOf(ctx)
	found := map[int]pane{}
	for _, pid := range pids {
		if p, ok := l.paneOf(pid, parent); ok {
			found[pid] = p
		}
	}
	return found
}

// paneOf goes from a process up to the one that was started in a pane.
func (l *tmuxLook) paneOf(pid int, parent func(int) int) (pane, bool) {
	for range tmuxParents {
		if pid <= 1 {
			break
		}
		for _, p := range l.panes {
			if p.pid == pid {
				return p, true
			}
		}
		pid = parent(pid)
	}
	return pane{}, false
}

// parentOf returns what names the parent of a process, 0 for one that is gone.
func parentOf(ctx context.Context) func(pid int) int {
	if runtime.GOOS == "linux" {
		return func(pid int) int {
			stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err != nil {
				return 0
			}
			return parseParent(stat)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLookLimit)
	defer cancel()
	ps := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=", "-o", "ppid=")
	ps.WaitDelay = 100 * time.Millisecond
	out, err := ps.Output()
	if err != nil {
		out = nil
	}
	table := parseParents(out)
	return func(pid int) int { return table[pid] }
}

// parseParent takes the parent out of /proc/<pid>/stat, field 4 of proc(5). The name of the command, field 2, may hold
// spaces and parentheses, so the fields are counted from its end.
func parseParent(stat []byte) int {
	const parent = 1 // what comes after the name starts with field 3
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= parent {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[parent]))
	if err != nil {
		return 0
	}
	return pid
}

// parseParents reads lines of a process and its parent, as ps prints them.
func parseParents(lines []byte) map[int]int {
	table := map[int]int{}
	for line := range bytes.Lines(lines) {
		var pid, parent int
		if n, _ := fmt.Sscan(string(line), &pid, &parent); n == 2 {
			table[pid] = parent
		}
	}
	return table
}

// goTo shows a pane: the client of this run is switched to its window (switch-client takes a pane since 1.9). Outside
// tmux it returns the command that attaches this terminal to it instead, for a takeover: path, then arguments.
func (m *multiplexer) goTo(ctx context.Context, paneID string) (attach []string, err error) {
	switch {
	case m.program == "":
		return nil, noTmux()
	case !isPaneID(paneID):
		return nil, fmt.Errorf("tmux pane %q: no such name", paneID)
	case !m.inside:
		return []string{m.program, "attach-session", "-t", paneID}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	if _, err := m.run(ctx, nil, "switch-client", "-t", paneID); err != nil {
		if strings.Contains(err.Error(), "can't find pane") {
			return nil, &failure{what: "The pane is gone, so it has ended there. Look again: r goes on with it.", cause: err}
		}
		return nil, &failure{what: "tmux did not go to pane " + paneID + ": " + err.Error() + ". Go there by hand.", cause: err}
	}
	return nil, nil
}

// copy puts a text into a buffer of tmux and on the clipboard of its terminal (load-buffer -w, tmux 3.2), which takes
// it unless set-clipboard is off; tmux does not tell.
func (m *multiplexer) copy(ctx context.Context, text string) error {
	if !m.inside {
		return outsideTmux("there is no buffer to copy to")
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	l, err := m.look(ctx)
	switch {
	case err != nil:
		return silentTmux(err)
	case !l.version.atLeast(3, 2):
		return &failure{what: "This tmux cannot reach the clipboard: that needs 3.2. Copy without it, or update tmux."}
	}
	if _, err := m.run(ctx, strings.NewReader(text), "load-buffer", "-w", "-"); err != nil {
		return &failure{what: "tmux did not copy: " + err.Error() + ". Select the text by hand.", cause: err}
	}
	return nil
}

// run runs a command of tmux and returns what it prints. The error is what tmux says on stderr, clean and on one line.
func (m *multiplexer) run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	return m.runIn(ctx, "", stdin, args...)
}

// runIn is run in a directory, "" for that of this run.
func (m *multiplexer) runIn(ctx context.Context, dir string, stdin io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, m.program, append([]string{"-u"}, args...)...) // -u: names come as they are
	cmd.Env = m.environ
	if dir != "" {
		cmd.Dir, cmd.Env = dir, append(m.environ[:len(m.environ):len(m.environ)], "PWD="+dir)
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
			err = errNoAnswer
		}
	case text != "":
		err = errors.New(text)
	}
	return out.String(), err
}

// errNoAnswer says that tmux has not answered in time: its server may have been stopped, and go on later.
var errNoAnswer = errors.New("no answer in time")

// tmuxVersion is major and minor of a version of tmux. The letter behind stands for mended releases.
type tmuxVersion struct{ major, minor int }

// parseTmuxVersion reads "3.3a" and "next-3.4". What has no number, as master, is newer than any; so are the ones of
// OpenBSD, which count with the system (7.4): every one of today has what is asked for here. "" is before 2.4.
func parseTmuxVersion(s string) tmuxVersion {
	if s == "" {
		return tmuxVersion{}
	}
	var v tmuxVersion
	if n, _ := fmt.Sscanf(strings.TrimPrefix(s, "next-"), "%d.%d", &v.major, &v.minor); n < 2 {
		return tmuxVersion{major: 99}
	}
	return v
}

func (v tmuxVersion) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

// noTmux is the failure of a machine without tmux.
func noTmux() error {
	return &failure{what: "The command tmux is not on the PATH. Install it, or do without."}
}

// silentTmux is the failure of a server that does not answer.
func silentTmux(err error) error {
	return &failure{what: "tmux does not answer: " + err.Error() + ". Is its server still there?", cause: err}
}

// outsideTmux is the failure of what only works inside tmux.
func outsideTmux(because string) error {
	return &failure{what: "This is not inside tmux, so " + because + ". Start tmux, and run it there."}
}
