package talk

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
)

// RunPart is the part of a run of calls in one message. The run is drawn as one line, and its calls below if it is open.
type RunPart struct {
	Run      *turn.Run
	From, To int  // its blocks
	Leads    bool // the line of the run is above the block From
	Ends     bool // the message shows nothing after it
	Open     bool
}

// RunBlock returns the block of the part that is the line of a run, from the block of its first call.
func RunBlock(first int) int { return runBlocks - first }

// IsRun reports whether a block is the line of a run.
func IsRun(block int) bool { return block <= runBlocks }

const runBlocks = -8 // below the other blocks that aren't indexes

// runAt returns the run that a block belongs to, nil for none.
func (o *Options) runAt(block int) *RunPart {
	for i := range o.Runs {
		if r := &o.Runs[i]; r.From <= block && block <= r.To {
			return r
		}
	}
	return nil
}

// run draws the line of a run: "▸ Read ×9  a.go, b.go, c.go", and at the right what its calls add up to.
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
	p.head(fold, verb+" ×"+words.Count(r.Run.Calls), []render.Span{{Ink: render.Muted, Text: names}}, right)
	p.add(RunBlock(r.From), from, fold, false)
	if r.Open {
		p.last = Begun
	}
}

// todosDone returns how many todos are done, "" without a todo.
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
