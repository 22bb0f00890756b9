//go:build unix

package cli

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// TestStoryLeave leaves the browser from different screens, with keys and with signals.
func TestStoryLeave(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 36, writeDemo)
	in := map[string]func(){
		"list":   func() {},
		"filter": func() { w.keys("/"); w.text("tea"); w.wait(`^  / tea `) },
		"reader": func() { w.keys("Enter"); w.wait(` message \d+ of 23 .* 100 %$`) },
		"search": func() { w.keys("Enter"); w.wait(` message `); w.keys("/"); w.text("tea"); w.wait(`^ /tea$`) },
		"help":   func() { w.keys("?"); w.wait(`╭─ Keys`) },
	}
	for _, tt := range []struct {
		place string
		leave func()
		code  int
	}{
		{"list", func() { w.keys("q") }, 0},
		{"filter", func() { w.keys("C-c") }, 0},
		{"help", func() { w.keys("C-c") }, 0},
		{"search", func() { w.signal(syscall.SIGTERM) }, 143},
		{"reader", func() { w.signal(syscall.SIGHUP) }, 129},
	} {
		w.start(`sh -c 'echo $$ >` + w.in("notes", "pid") + `; exec continuo'`)
		w.wait(` 1 of 22(?:$|  )`)
		if got := w.ask("#{alternate_on} #{mouse_any_flag}"); got != "1 1" {
			t.Errorf("%s: alternate screen, mouse: %s", tt.place, got)
		}
		in[tt.place]()
		tt.leave()
		w.ended(tt.code)
		if screen := w.look(); strings.Contains(screen, "✗") {
			t.Errorf("%s: an error is shown:\n%s", tt.place, screen)
		}
		w.tmux("set-buffer", "echo past''ed\n")
		w.tmux("paste-buffer", "-p") // a bracketed paste, if the browser left its mode on
		w.wait(`^pasted$`)
		w.clear()
	}
}

// clear clears the screen, so earlier output can't match.
func (w *world) clear() {
	w.t.Helper()
	w.text("clear")
	w.keys("Enter")
	w.until("been wiped", func(now string) bool { return strings.TrimSpace(now) == "$" })
}

func TestStorySuspend(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 36, writeDemo)
	w.start("continuo")
	w.wait(` 1 of 22(?:$|  )`)
	w.keys("j")
	w.wait(` 2 of 22(?:$|  )`)
	before := w.still()
	w.keys("C-z")
	w.ended(128 + int(syscall.SIGTSTP)) // the shell runs the next command of the line
	w.clear()
	w.start("fg")
	w.until("come back to\n"+before, func(now string) bool { return now == before })
	w.keys("j")
	w.wait(` 3 of 22(?:$|  )`)
	w.keys("q")
	w.ended(0)
}

func (w *world) signal(sig syscall.Signal) {
	w.t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(readFile(w.t, w.in("notes", "pid"))))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := syscall.Kill(pid, sig); err != nil {
		w.t.Fatal(err)
	}
}

// TestStoryBug makes the browser panic. The terminal must be restored, and a report written.
func TestStoryBug(t *testing.T) {
	t.Parallel()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"Open", "Outline", "Messages"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 80, 24, writeDemo) // too narrow for the preview, which opens a conversation
			// The program can't remove its temporary directory, so the directory is in notes.
			w.start("TMPDIR='" + w.in("notes") + "' '" + binary + "' -test.run '^TestProgramWithABug$' " + programWithABug + " " + where)
			w.wait(` 1 of 22(?:$|  )`)
			w.keys("Enter")
			w.wait(`^code `)
			now := w.tmux("capture-pane", "-p", "-J")
			found := regexp.MustCompile(`(?m)^✗ continuo has a bug and had to stop\. A report is in\s+~(/\S+)\.$`).FindStringSubmatch(now)
			if found == nil || strings.Contains(now, "goroutine") {
				t.Fatalf("the path of the report is missing, or the stack trace is shown:\n%s", now)
			}
			report := filepath.Join(w.home, found[1])
			if text := readFile(t, report); !strings.Contains(text, "panic: a bug in "+where) {
				t.Errorf("the report is\n%s", text)
			}
			w.ended(out.ExitBug, report, filepath.Dir(report), filepath.Dir(filepath.Dir(report)))
		})
	}
}

// programWithABug is the argument for TestProgramWithABug.
const programWithABug = "program-with-a-bug"

// TestProgramWithABug is the program of TestStoryBug. It panics when it opens a conversation.
func TestProgramWithABug(t *testing.T) {
	if flag.Arg(0) != programWithABug {
		t.Skip("a story runs it in a terminal")
	}
	d := newDeps(Program{Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: now})
	d.Browse = func(ctx context.Context, world tui.World, opts tui.Options) error {
		world.Source = buggySource{world.Source, flag.Arg(1)}
		return tui.Run(ctx, world, opts)
	}
	os.Exit(execute(t.Context(), d.Env, d.Output, nil))
}

// buggySource panics in Open, or returns documents that panic in Outline or Messages.
type buggySource struct {
	tui.Source
	where string
}

func (s buggySource) Open(ctx context.Context, row sessions.Row) (tui.Doc, error) {
	if s.where == "Open" {
		panic("a bug in Open")
	}
	doc, err := s.Source.Open(ctx, row)
	return buggyDoc{doc, s.where}, err
}

type buggyDoc struct {
	tui.Doc
	where string
}

func (d buggyDoc) Outline() []transcript.MessageRef {
	if d.where == "Outline" {
		panic("a bug in Outline")
	}
	return d.Doc.Outline()
}

func (d buggyDoc) Messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	if d.where == "Messages" {
		panic("a bug in Messages")
	}
	return d.Doc.Messages(ctx, from, to)
}
