package sessions

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	const rest = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " // fields 4 to 21
	tests := []struct {
		name, stat, start string
		running, ok       bool
	}{
		{"plain", "123 (node) S" + rest + "344439141 99\n", "344439141", true, true},
		{"ends with the start", "123 (node) R" + rest + "7", "7", true, true},
		{"spaces and parentheses", "123 (a ) S (b) c) D" + rest + "7 8", "7", true, true},
		{"newline in the name", "123 (a\nb) S" + rest + "7 8", "7", true, true},
		{"zombie", "123 (node) Z" + rest + "7 8", "7", false, true},
		{"dead", "123 (node) X" + rest + "7 8", "7", false, true},
		{"truncated", "123 (node) S 1 2 3", "", false, false},
		{"no number", "123 (node) S" + rest + "x 8", "", false, false},
		{"empty", "", "", false, false},
		{"name alone", "123 (node)", "", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start, running, ok := parseStat([]byte(tt.stat))
			if start != tt.start || running != tt.running || ok != tt.ok {
				t.Errorf("got %q, %v, %v; want %q, %v, %v", start, running, ok, tt.start, tt.running, tt.ok)
			}
		})
	}
}

func TestProcessStart(t *testing.T) {
	t.Parallel()
	if start, alive, known := processStart(t.Context(), os.Getpid()); !isDigits(start) || !alive || !known {
		t.Errorf("own process: %q, %v, %v", start, alive, known)
	}
	for _, pid := range []int{0, -1, 1<<22 + 12345} {
		if start, alive, known := processStart(t.Context(), pid); start != "" || alive || !known {
			t.Errorf("pid %d: %q, %v, %v; want it gone", pid, start, alive, known)
		}
	}
	if !regexp.MustCompile(`^linux:[^:]*:pid:\[\d+\]$`).MatchString(pidDomain()) {
		t.Errorf("domain %q", pidDomain())
	}
}

func TestProcessStartZombie(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out) // returns when the process has exited
	if err != nil {
		t.Fatal(err)
	}
	alive, known := true, true
	for range 1000 { // the pipe may be closed a moment before the process exits
		if _, alive, known = processStart(t.Context(), cmd.Process.Pid); !alive {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if alive || !known {
		t.Errorf("a zombie: alive %v, known %v", alive, known)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
