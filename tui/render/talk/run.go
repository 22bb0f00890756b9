package talk

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
)

// RunPart is the part of a run of calls that is in one message. A run is one line. An open run has its calls below.
type RunPart struct {
	Run      *turn.Run
	From, To int  // the blocks of the part
	Leads    bool // the part begins the run
	Ends     bool // the message shows nothing after the part
	Open     bool
}

// RunBlock returns the block of a run's line. first is the block of the first call of the run.
func RunBlock(first int) int { return runBlocks - first }

// IsRun reports whether a block stands for the line of a run.
func IsRun(block int) bool { return block <= runBlocks }

const runBlocks = -8 // below all other negative blocks, such as WorkBlock

// runAt returns the run of a block, or nil.
func (o *Options) runAt(block int) *RunPart {
	for i := range o.Runs {
		if r := &o.Runs[i]; r.From <= block && block <= r.To {
			return r
		}
	}
	return nil
}

// run draws the line of a run, such as "▸ Read   ×9  a.go, b.go, c.go", with a sum at the right.
func (p *page) run(r *RunPart) {
	fold := Shut
	if r.Open {
		fold = Open
	}
	p.before(Folded)
	from := len(p.lines)
	verb, names := r.Run.Verb, strings.Join(r.Run.Names, ", ")
	if verb == "" {
		verb = map[transcript.ToolKind]string{transcript.ToolSearch: "Search", transcript.ToolTasks: "Tasks"}[r.Run.Kind]
	}
	var right []render.Span
	switch done := todosDone(r.Run.Todos); {
	case r.Run.Kind == transcript.ToolTodos:
		names = todoSum(r.Run.Todos)
	case done != "":
		right = []render.Span{{Ink: render.Faint, Text: done}}
	case r.Run.Unit != "":
		right = []render.Span{{Ink: render.Faint, Text: foundWords(transcript.Found{Count: r.Run.Sum, Unit: r.Run.Unit})}}
	}
	if r.Run.Cleared > 0 && p.o.Cleared {
		cleared := words.Counted(r.Run.Cleared, "result", "results") + " cleared"
		if len(right) > 0 {
			cleared += " · "
		}
		right = append([]render.Span{{Ink: render.Faint, Text: cleared}}, right...)
	}
	p.head(fold, verb, []render.Span{{Ink: render.Faint, Text: "×" + words.Count(r.Run.Calls) + "  "}, {Ink: render.Muted, Text: names}}, right)
	p.add(RunBlock(r.From), from, fold, false)
	if r.Open {
		p.last = Begun
	}
}

// todosDone returns a text such as "2 of 5 done", or "".
func todosDone(todos []transcript.Todo) string {
	if len(todos) == 0 {
		return ""
	}
	done := 0
	for _, t := range todos {
		if t.Status == "completed" {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(todos)) + " done"
}
