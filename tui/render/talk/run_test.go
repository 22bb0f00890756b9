package talk

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestRuns draws a turn with one run of each kind, first folded and then open.
func TestRuns(t *testing.T) {
	t.Parallel()
	tr, err := transcript.Open(t.Context(), filepath.Join("testdata", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	var runs turn.Runs
	for i := range tr.Outline().Messages {
		m := tr.Message(i)
		runs.Add(&m, false)
	}
	list := runs.List()
	for _, width := range []int{75, 115} { // in terminals of 80 and 120 columns
		var b strings.Builder
		for _, open := range []bool{false, true} {
			last := Start
			for i := range tr.Outline().Messages {
				o := Options{Width: width, Left: 2, Styles: render.NewStyles(render.None), Dir: "/home/ada/teahouse", Runs: runParts(list, i, open)}
				if n := len(o.Runs); n > 0 && !open && !o.Runs[0].Leads && o.Runs[0].Ends {
					continue
				}
				m := tr.Message(i)
				d := Draw(&m, last, o)
				last = d.End
				for _, l := range d.Lines {
					b.WriteString(strings.TrimRight(l, " ") + "\n")
				}
			}
			b.WriteString(strings.Repeat("-", 20) + "\n")
		}
		golden(t, fmt.Sprint("runs-", width), b.String())
	}
}

func runParts(list []turn.Run, message int, open bool) []RunPart {
	var parts []RunPart
	for i := range list {
		run := &list[i]
		if message < run.From.Message || message > run.To.Message {
			continue
		}
		p := RunPart{Run: run, To: 1 << 30, Leads: message == run.From.Message, Ends: true, Open: open}
		if p.Leads {
			p.From = run.From.Block
		}
		if message == run.To.Message {
			p.To, p.Ends = run.To.Block, run.Whole
		}
		parts = append(parts, p)
	}
	return parts
}

// TestTasks: each call that changes tasks has the list of tasks after the call.
func TestTasks(t *testing.T) {
	t.Parallel()
	tr, err := transcript.Open(t.Context(), filepath.Join("testdata", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	for _, width := range []int{75, 115} {
		var b strings.Builder
		for i := range tr.Outline().Messages {
			m := tr.Message(i)
			o := Options{Width: width, Left: 2, Styles: render.NewStyles(render.None), Folds: func(int) Fold { return Open }}
			d := Draw(&m, Begun, o)
			for _, p := range d.Parts {
				if p.Block >= 0 && strings.HasPrefix(m.Blocks[p.Block].Name, "Task") {
					for _, l := range d.Lines[p.From:p.To] {
						b.WriteString(strings.TrimRight(l, " ") + "\n")
					}
				}
			}
		}
		golden(t, fmt.Sprint("tasks-", width), b.String())
	}
}
