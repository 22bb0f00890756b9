package reader

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// reads returns n calls that read f<first>.go and the files after it. The read of file failed fails.
func reads(first, n, failed int) []transcript.Block {
	var list []transcript.Block
	for i := first; i < first+n; i++ {
		id := fmt.Sprint("read-", i)
		list = append(list,
			transcript.Block{Kind: transcript.BlockToolUse, Name: "Read", ID: id, Input: json.RawMessage(fmt.Sprintf(`{"file_path":"/src/f%d.go"}`, i))},
			transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: fmt.Sprintf("1→package p%02d", i), Failed: i == failed})
	}
	return list
}

// runDoc reads f0 to f8 in three messages, then f9, f10 and f11. The read of f9 fails.
func runDoc() *memoryDoc {
	return &memoryDoc{turns: true, quiet: []int{2}, msgs: []transcript.Message{
		prompt("Prompt."),
		answer(append([]transcript.Block{said("First.")}, reads(0, 2, -1)...)...),
		{Kind: transcript.Notice, Thread: "main", Blocks: []transcript.Block{said("a reminder")}},
		answer(reads(2, 4, -1)...),
		answer(append(reads(6, 3, -1), reads(9, 1, 9)...)...),
		answer(reads(10, 2, -1)...),
		answer(said("Answer.")),
	}}
}

// TestRuns: reads in successive messages are drawn as one line, up to a failed call.
func TestRuns(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := read(t, runDoc(), size[0], size[1])
				const folded = "▸ Read   ×9  f0.go, f1.go, f2.go, f3.go, f4.go, f5.go, f6.go, f7.go,"
				got := strings.NewReplacer("┃", "", "│", "", " f8.go", "", "…", "").Replace(s.text())
				if want := "First. " + folded + " ▸ Read /src/f9.go ✗ failed 1→package p09 ▸ Read /src/f10.go 1 ▸ Read /src/f11.go 1 ▌ Answer."; !strings.Contains(squeezed(got), squeezed(want)) {
					t.Errorf("the reads aren't one line:\n%s", s.text())
				}
				s.press("g", "j", "j", "j")
				if got := s.barLine(); !strings.HasPrefix(got, folded) {
					t.Errorf("the bar is on %q", got)
				}
				s.press("j", "k", "enter")
				got = s.text()
				for i := range 9 {
					if want := fmt.Sprintf("        ▸ Read   /src/f%d.go", i); !strings.Contains(got, want) {
						t.Errorf("the open run has no %q:\n%s", want, got)
					}
				}
				if !strings.Contains(got, "\n      ▸ Read   /src/f9.go") || strings.Contains(got, "reminder") || !strings.HasPrefix(s.barLine(), "▾ Read   ×9") {
					t.Errorf("bar on %q:\n%s", s.barLine(), got)
				}
				s.press("j", "j", "j", "enter")
				if got := s.text(); !strings.Contains(got, "package p02") || !strings.HasPrefix(s.barLine(), "▾ Read   /src/f2.go") {
					t.Errorf("enter doesn't open a call of the run, bar on %q:\n%s", s.barLine(), got)
				}
				s.press("k", "k", "k", "enter", ".")
				if got := s.text(); !strings.Contains(got, folded) || !strings.Contains(got, "a reminder") {
					t.Errorf(". doesn't show the notice:\n%s", got)
				}
				s.press(".", "j")
				if got := s.text(); strings.Contains(got, "/src/f2.go") || !strings.HasPrefix(s.barLine(), "▸ Read   /src/f9.go") {
					t.Errorf("the run isn't folded, bar on %q:\n%s", s.barLine(), got)
				}
			})
		})
	}
}

// TestRunsFoldAll: the last step of Z opens the runs.
func TestRunsFoldAll(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, runDoc(), 100, 80)
		for i, open := range []bool{true, false, true} { // everything, folded, everything
			s.press("Z")
			if got := s.text(); strings.Contains(got, "package p04") != open || strings.Contains(got, "▸ Read   ×9") == open {
				t.Errorf("Z number %d:\n%s", i+1, got)
			}
		}
	})
}

// TestRunsFind: a match opens its run, even in a folded turn.
func TestRunsFind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := runDoc()
		for n := range 40 { // the run is far above the view
			d.msgs = append(d.msgs, prompt(fmt.Sprint("Later prompt ", n)), answer(said("Later.")))
		}
		for _, n := range []int{1, 4, 7} { // first, middle and last message
			s := read(t, d, 100, 24)
			s.key("/")
			text := fmt.Sprintf("package p%02d", n)
			for _, k := range strings.Split(text, "") {
				s.key(k)
			}
			s.press("enter")
			if got := s.text(); !strings.Contains(got, fmt.Sprintf("▾ Read   /src/f%d.go", n)) || !strings.Contains(got, "1  "+text) {
				t.Errorf("%q isn't shown:\n%s", text, got)
			}
		}
	})
}

// TestRunsGrow: a run stays folded while its turn grows. Only the new end is decoded.
func TestRunsGrow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{turns: true, msgs: []transcript.Message{prompt("Prompt.")}}
		for i := range 400 {
			d.msgs = append(d.msgs, answer(reads(i, 1, -1)...))
		}
		d.shown = 390
		s := read(t, d, 100, 24)
		if got := s.text(); !strings.Contains(got, "▸ Read   ×389") {
			t.Errorf("no run:\n%s", got)
		}
		before := d.decoded
		s.page.pane.grown = true
		s.take(nil)
		for n := 0; len(s.asked) > 0; n++ {
			s.answer(0)
			if got := s.text(); strings.Contains(got, "/src/f200.go") {
				t.Fatalf("the run is open after %d answers:\n%s", n, got)
			}
		}
		if got := s.text(); !strings.Contains(got, "▸ Read   ×400") {
			t.Errorf("the run doesn't grow:\n%s", got)
		}
		if n := d.decoded - before; n > 2*readAtOnce {
			t.Errorf("11 new messages decode %d", n)
		}
	})
}
