//go:build unix

package host

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPaneOfNothing: tmux or its server is missing.
func TestPaneOfNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no socket"), 0o600); err != nil {
		t.Fatal(err)
	}
	var list []*Tmux
	list = append(list, &Tmux{})
	if program, err := exec.LookPath("tmux"); err == nil {
		for _, env := range []string{"TMUX=" + filepath.Join(dir, "gone") + ",1,0", "TMUX=" + text + ",1,0", "TMUX_TMPDIR=" + dir} {
			list = append(list, &Tmux{Program: program, Environ: []string{env}, Inside: true})
		}
	}
	for _, m := range list {
		if got, ok := paneOf(t.Context(), m, os.Getpid()); ok {
			t.Errorf("%q: found %+v", m.Environ, got)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*")) // tmux-<uid>/default
	if err != nil || len(left) > 0 {
		t.Errorf("a server was started: %q, %v", left, err)
	}
}

func TestTmuxHangs(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "tmux")
	putProgram(t, program, "#!/bin/sh\nexec sleep 99\n")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	m := &Tmux{Program: program, Environ: os.Environ(), Inside: true}
	if _, ok := paneOf(ctx, m, os.Getpid()); ok {
		t.Error("found a pane")
	}
	if err := m.Copy(ctx, "x"); err == nil || !strings.HasPrefix(err.Error(), "tmux does not answer: ") {
		t.Errorf("copy: %v", err)
	}
}

func TestParseParent(t *testing.T) {
	t.Parallel()
	for stat, want := range map[string]int{
		"42 (sh) S 7 42 42 0 -1 4194304 100":    7,
		"42 (a) b (c) S 7) S 8 42 42 0 -1":      8,
		"42 (new\nline) R 9 1":                  9,
		"42 (sh) S":                             0,
		"":                                      0,
		"42 (sh) S x 1":                         0,
		strings.Repeat("(", 1000) + ") S 11 11": 11,
	} {
		if got := parseParent([]byte(stat)); got != want {
			t.Errorf("%q: %d, want %d", stat, got, want)
		}
	}
	table := parseParents([]byte("    1     0\n  300   1\n no  2\n\n400\n  500  300 more\n"))
	if len(table) != 3 || table[300] != 1 || table[500] != 300 || table[1] != 0 {
		t.Errorf("%v", table)
	}
	l := tmuxState{panes: []Pane{{ID: "%1", pid: 300}}}
	steps := 0
	circle := func(pid int) int { steps++; return 700 + pid%2 }
	if _, ok := l.paneOf(700, circle); ok || steps > maxParents {
		t.Errorf("%v after %d steps in a circle", ok, steps)
	}
}

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for text, popups := range map[string]bool{
		"3.3a": true, "3.2": true, "3.2-rc3": true, "3.1c": false, "2.9": false, "next-3.5": true, "next-3.1": false,
		"master": true, "openbsd-7.4": true, "10.0": true, "": false,
	} {
		if got := ParseVersion(text).AtLeast(3, 2); got != popups {
			t.Errorf("%q has popups: %v", text, got)
		}
	}
}

func TestShortName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                                   "claude",
		"#":                                  "claude",
		"teahouse":                           "teahouse",
		"  a\nb\x1b[31m  ":                   "a b",
		"a:b.c":                              "a-b-c",
		"#(touch x)#{pane_id}":               "(touch x){pane_id}",
		"Move the slot picker to the server": "Move the slot picke…",
		"éééééééééééééééééééééé": "ééééééééééééééééééé…",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"": "", ";": `\;`, "a;": `a\;`, `a\;`: `a\\;`, "a;b": "a;b", ";;": `;\;`} {
		if got := literal(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"": "", "a": "a", "#": "##", "a#b##c": "a##b####c", "#[": "#[", "##[#": "##[##", "#{x}#(y)": "##{x}##(y)", "#\n[": "##\n[",
	} {
		if got := unexpanded(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func paneOf(ctx context.Context, m *Tmux, pid int) (Pane, bool) {
	p, ok := m.PanesOf(ctx, []int{pid})[pid]
	return p, ok
}
