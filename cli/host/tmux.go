package host

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
)

// MaxParents is how many steps are taken from a process to its parents; more is a circle.
const MaxParents = 64

// Tmux is the tmux around this run; without one, the default server of this person, which is asked but never
// started. Where tmux is not installed it is inside nothing, finds nothing and starts nothing.
type Tmux struct {
	Inside bool // this run is in a pane or a popup of tmux
	Popup  bool // in a popup: it covers whatever is opened or gone to, until this run ends

	Program string   // path of tmux, "" not installed
	Environ []string // of this run; $TMUX in it names the server
}

// Tmux looks for the Tmux of this run. Inside tmux it asks the server once (3 ms).
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
	m.Program, m.Inside = program, h.getenv("TMUX") != ""
	if !m.Inside {
		return m
	}
	m.Popup = h.getenv("TMUX_PANE") == ""
	if !m.Popup {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxLookLimit)
		defer cancel()
		if l, err := m.look(ctx); err == nil {
			_, inPane := l.paneOf(os.Getpid(), ParentOf(ctx))
			m.Popup = !inPane
		}
	}
	if m.Popup { // else tmux would take that pane for ours
		m.Environ = append(m.Environ[:len(m.Environ):len(m.Environ)], "TMUX_PANE=")
	}
	return m
}

// Pane is a pane of tmux.
type Pane struct {
	ID   string // "%5"
	Name string // session and index of the window, clean: "work:2"
	PID  int    // of the process that was started in it
}

// look is what one look at a server found.
type look struct {
	panes   []Pane
	version Version // of the server, which may be older than the program
}

// look lists the panes of the server. It fails where none answers.
func (m *Tmux) look(ctx context.Context) (look, error) {
	ctx, cancel := context.WithTimeout(ctx, tmuxLookLimit)
	defer cancel()
	// The name comes last: it is the one that may hold blanks.
	text, err := m.Run(ctx, nil, "list-panes", "-a", "-F", "#{pane_pid} #{pane_id} v#{version} #{session_name}:#{window_index}")
	if err != nil {
		return look{}, err
	}
	var l look
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
		l.panes = append(l.panes, Pane{ID: words[1], Name: transcript.CleanLine(words[3]), PID: pid})
	}
	return l, nil
}

// isPaneID reports whether s is % and digits, so that it is no other target and no flag.
func isPaneID(s string) bool {
	digits, ok := strings.CutPrefix(s, "%")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// PanesOf finds, with one look, the panes in which processes of this machine run. One in a popup, in another server or
// in no tmux at all has none, and so has any where tmux does not answer.
func (m *Tmux) PanesOf(ctx context.Context, pids []int) map[int]Pane {
	if m.Program == "" || len(pids) == 0 {
		return nil
	}
	l, err := m.look(ctx)
	if err != nil || len(l.panes) == 0 {
		return nil
	}
	parent := ParentOf(ctx)
	found := map[int]Pane{}
	for _, pid := range pids {
		if p, ok := l.paneOf(pid, parent); ok {
			found[pid] = p
		}
	}
	return found
}

// paneOf goes from a process up to the one that was started in a pane.
func (l *look) paneOf(pid int, parent func(int) int) (Pane, bool) {
	for range MaxParents {
		if pid <= 1 {
			break
		}
		for _, p := range l.panes {
			if p.PID == pid {
				return p, true
			}
		}
		pid = parent(pid)
	}
	return Pane{}, false
}

// ParentOf returns a function that returns the parent of a process, 0 for one that is gone.
func ParentOf(ctx context.Context) func(pid int) int {
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

// GoTo shows a pane: the client of this run is switched to its window (switch-client takes a pane since 1.9). Outside
// tmux it returns the command that attaches this terminal to it instead, for a takeover: path, then arguments.
func (m *Tmux) GoTo(ctx context.Context, paneID string) (attach []string, err error) {
	switch {
	case m.Program == "":
		return nil, noTmux()
	case !isPaneID(paneID):
		return nil, fmt.Errorf("tmux pane %q: no such name", paneID)
	case !m.Inside:
		return []string{m.Program, "attach-session", "-t", paneID}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	if _, err := m.Run(ctx, nil, "switch-client", "-t", paneID); err != nil {
		if strings.Contains(err.Error(), "can't find pane") {
			return nil, &Error{Text: "The pane is gone, so it has ended there. Look again: r goes on with it.", Err: err}
		}
		return nil, &Error{Text: "tmux did not go to pane " + paneID + ": " + err.Error() + ". Go there by hand.", Err: err}
	}
	return nil, nil
}

// Copy puts a text into a buffer of tmux and on the clipboard of its terminal (load-buffer -w, tmux 3.2), which takes
// it unless set-clipboard is off; tmux does not tell.
func (m *Tmux) Copy(ctx context.Context, text string) error {
	if !m.Inside {
		return OutsideTmux("there is no buffer to copy to")
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLimit)
	defer cancel()
	l, err := m.look(ctx)
	switch {
	case err != nil:
		return silentTmux(err)
	case !l.version.AtLeast(3, 2):
		return &Error{Text: "This tmux cannot reach the clipboard: that needs 3.2. Copy without it, or update tmux."}
	}
	if _, err := m.Run(ctx, strings.NewReader(text), "load-buffer", "-w", "-"); err != nil {
		return &Error{Text: "tmux did not copy: " + err.Error() + ". Select the text by hand.", Err: err}
	}
	return nil
}

// Run runs a command of tmux and returns what it prints. The error is what tmux says on stderr, clean and on one line.
func (m *Tmux) Run(ctx context.Context, stdin io.Reader, args ...string) (string, error) {
	return m.runIn(ctx, "", stdin, args...)
}

// runIn is Run in a directory, "" for that of this run.
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

// Version is major and minor of a version of tmux. The letter behind stands for mended releases.
type Version struct{ Major, Minor int }

// ParseVersion reads "3.3a" and "next-3.4". What has no number, as master, is newer than any; so are the ones of
// OpenBSD, which count with the system (7.4): every one of today has what is asked for here. "" is before 2.4.
func ParseVersion(s string) Version {
	if s == "" {
		return Version{}
	}
	var v Version
	if n, _ := fmt.Sscanf(strings.TrimPrefix(s, "next-"), "%d.%d", &v.Major, &v.Minor); n < 2 {
		return Version{Major: 99}
	}
	return v
}

// AtLeast reports whether v is the given version or a newer one.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// Version returns the version of the server of this run, else that of the program.
func (m *Tmux) Version(ctx context.Context) (v Version, known bool) {
	if m.Program == "" {
		return v, false
	}
	if m.Inside {
		if l, err := m.look(ctx); err == nil {
			return l.version, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tmuxLookLimit)
	defer cancel()
	text, err := m.Run(ctx, nil, "-V") // "tmux 3.3a"
	_, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	return ParseVersion(name), err == nil && ok
}

// noTmux is the failure of a machine without tmux.
func noTmux() error {
	return &Error{Text: "The command tmux is not on the PATH. Install it, or do without."}
}

// silentTmux is the failure of a server that does not answer.
func silentTmux(err error) error {
	return &Error{Text: "tmux does not answer: " + err.Error() + ". Is its server still there?", Err: err}
}

// OutsideTmux returns the error of what only works inside tmux.
func OutsideTmux(because string) error {
	return &Error{Text: "This is not inside tmux, so " + because + ". Start tmux, and run it there."}
}
