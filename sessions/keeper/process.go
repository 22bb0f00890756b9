package keeper

import (
	"bytes"
	"io"
	"sync"
)

// Command describes a client to start. No shell sees its arguments.
type Command struct {
	Program string
	Args    []string
	Dir     string
	Environ []string
	Stdout  io.Writer // receives all output before Process.Wait returns
	Stderr  io.Writer
}

// Starter starts programs.
type Starter interface {
	Start(c Command) (Process, error)
}

// Process is a running program.
type Process interface {
	PID() int
	Stdin() io.WriteCloser
	// Wait waits until the program ends. A nil error means exit code 0.
	Wait() error
	Terminate() // asks the program to end
	Kill()
}

// lineLimit is the limit of a line of the client in bytes. A longer line is the result of a tool, which the
// transcript also has.
const lineLimit = 8 << 20

// lineWriter calls line for each line of its input, except lines longer than lineLimit. line must not keep its
// argument.
type lineWriter struct {
	line func([]byte)
	buf  []byte
	long bool
}

// Write implements io.Writer.
func (w *lineWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		if p = rest; len(w.buf)+len(part) > lineLimit {
			w.buf, w.long = nil, true
		}
		if !w.long {
			w.buf = append(w.buf, part...)
		}
		if !whole {
			break
		}
		if !w.long && len(w.buf) > 0 {
			w.line(w.buf)
		}
		w.buf, w.long = w.buf[:0], false
	}
	return n, nil
}

// stderrLimit is the size in bytes of the end of stderr in an error report.
const stderrLimit = 8 << 10

// tail is a writer that keeps the last stderrLimit bytes.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	t.buf = t.buf[max(0, len(t.buf)-stderrLimit):]
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}

// outbox writes lines to the client in order. Adding a line never waits.
type outbox struct {
	mu     sync.Mutex
	ready  sync.Cond
	lines  [][]byte
	closed bool
}

func newOutbox() *outbox {
	o := &outbox{}
	o.ready.L = &o.mu
	return o
}

func (o *outbox) add(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = append(o.lines, append(line, '\n'))
	o.ready.Signal()
}

// close closes the client's input after all added lines.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.ready.Signal()
}

// run writes lines until close or a failed write. After a failed write, Process.Wait has the reason.
func (o *outbox) run(to io.WriteCloser) {
	defer func() { _ = to.Close() }()
	for {
		o.mu.Lock()
		for len(o.lines) == 0 && !o.closed {
			o.ready.Wait()
		}
		lines := o.lines
		o.lines = nil
		o.mu.Unlock()
		if len(lines) == 0 {
			return
		}
		for _, line := range lines {
			if _, err := to.Write(line); err != nil {
				return
			}
		}
	}
}
