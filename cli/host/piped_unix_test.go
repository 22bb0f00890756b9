//go:build unix

package host

import (
	"io"
	"strconv"
	"strings"
	"testing"
)

// lines is a writer that sends each write to a channel.
type lines chan string

func (l lines) Write(b []byte) (int, error) { l <- string(b); return len(b), nil }

func TestPiped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want string
		end        func(p *Piped)
	}{
		{"end of input", "", func(p *Piped) { _ = p.Stdin().Close() }},
		{"terminate", "signal: terminated", (*Piped).Terminate},
		{"kill", "signal: killed", (*Piped).Kill},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := make(lines, 8)
			p, err := StartPiped([]string{"/bin/sh", "-c", `read line; echo "$A $line"; exec cat`}, t.TempDir(), []string{"A=heard"}, out, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(p.Stdin(), "tea\n"); err != nil {
				t.Fatal(err)
			}
			if got := <-out; got != "heard tea\n" {
				t.Errorf("it printed %q", got)
			}
			tt.end(p)
			got := ""
			if err := p.Wait(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("ended with %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPipedChild(t *testing.T) {
	t.Parallel()
	out := make(lines, 8)
	p, err := StartPiped([]string{"/bin/sh", "-c", `sleep 600 & echo $!; wait`}, t.TempDir(), []string{"PATH=/usr/bin:/bin"}, out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(<-out))
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if p.Wait() == nil || !hasEnded(child) {
		t.Error("its child process is still running")
	}
	if _, err := StartPiped([]string{"/nonexistent/claude"}, t.TempDir(), nil, out, io.Discard); err == nil {
		t.Error("a missing program was started")
	}
}
