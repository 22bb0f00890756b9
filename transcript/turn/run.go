package turn

import (
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// Run is a sequence of three or more calls of the same kind, such as reads. A call without a successful result ends a
// run.
type Run struct {
	From, To Place // first and last call
	Whole    bool  // nothing follows the run in its last message
	Calls    int
	Cleared  int                 // number of cleared results
	Kind     transcript.ToolKind // ToolTasks for all calls about tasks
	Verb     string              // name of the tool; "" if there are several
	Names    []string            // different clean names of files, patterns, tasks or tools
	Sum      int                 // number of lines read, matches found or tools loaded
	Unit     string              // unit of Sum; "" if there are several
	Todos    []transcript.Todo   // todo list after the run, untrusted
}

// Place is a block of a message in a turn.
type Place struct{ Message, Block int }

// Runs finds the runs in a turn. The messages are added in order. A copy of a Runs is independent.
type Runs struct {
	list []Run
	open Run // the current sequence of calls
	at   int // number of added messages
}

const leastRun = 3 // minimum number of calls in a run

// List returns the runs in the messages so far.
func (r *Runs) List() []Run {
	if r.open.Calls >= leastRun {
		return append(slices.Clip(r.list), r.open)
	}
	return r.list
}

// Add adds the next message. A hidden message doesn't end a run.
func (r *Runs) Add(m *transcript.Message, hidden bool) {
	if !hidden {
		r.add(m)
	}
	r.at++
}

func (r *Runs) add(m *transcript.Message) {
	if m.Kind != transcript.Answer || m.Err != "" || m.Gap || m.Unread > 0 {
		r.end()
	}
	calls := map[string]bool{}
	for i := range m.Blocks {
		if m.Blocks[i].Kind == transcript.BlockToolUse {
			calls[m.Blocks[i].ID] = true
		}
	}
	parts := 0
	for i := range m.Blocks {
		b := &m.Blocks[i]
		switch b.Kind {
		case transcript.BlockToolUse:
			r.call(m, i)
		case transcript.BlockToolResult, transcript.BlockNotice:
			if calls[b.CallID] { // the result is shown with its call
				continue
			}
			r.end()
		case transcript.BlockText, transcript.BlockThinking:
			if strings.TrimSpace(b.Text) == "" {
				continue
			}
			r.end()
		case transcript.BlockImage, transcript.BlockDocument, transcript.BlockUnknown:
			r.end()
		}
		parts++
	}
	if parts == 0 { // drawn as an empty message
		r.end()
	}
	r.open.Whole = true
}

func (r *Runs) end() {
	if r.open.Calls >= leastRun {
		r.list = append(slices.Clip(r.list), r.open)
	}
	r.open = Run{}
}

func (r *Runs) call(m *transcript.Message, block int) {
	c := m.Call(block)
	kind, ok := runKind(&c)
	noted := func(b transcript.Block) bool { // reports whether b is a notice about the call, such as a failed hook
		return b.Kind == transcript.BlockNotice && b.CallID == m.Blocks[block].ID
	}
	if !ok || slices.ContainsFunc(m.Blocks, noted) {
		r.end()
		return
	}
	if r.open.Kind != kind {
		r.end()
	}
	r.open.add(&c, kind, Place{r.at, block})
}

// runKind returns the kind of run for a call. ok is false if there is none.
func runKind(c *transcript.Call) (transcript.ToolKind, bool) {
	if c.Outcome() != transcript.OutcomeDone {
		return 0, false
	}
	switch c.Kind {
	case transcript.ToolRead, transcript.ToolSearch, transcript.ToolTodos, transcript.ToolTools:
		return c.Kind, true
	case transcript.ToolTaskNew, transcript.ToolTaskChange, transcript.ToolTasks:
		return transcript.ToolTasks, true
	default:
	}
	return 0, false
}

// add adds a call to the run.
func (r *Run) add(c *transcript.Call, kind transcript.ToolKind, at Place) {
	const most = 16 // maximum number of names
	n, unit := figure(c)
	verb := c.Verb()
	if r.Calls == 0 {
		r.From, r.Kind, r.Verb, r.Unit = at, kind, verb, unit
	}
	if r.To, r.Whole, r.Calls, r.Sum = at, false, r.Calls+1, r.Sum+n; r.Verb != verb {
		r.Verb = ""
	}
	if r.Unit != unit {
		r.Unit = ""
	}
	if c.IsCleared() {
		r.Cleared++
	}
	if todos := c.Checklist(); todos != nil {
		r.Todos = todos
	}
	if name := nameOf(c); len(r.Names) < most && name != "" && !slices.Contains(r.Names, name) {
		r.Names = append(slices.Clip(r.Names), name)
	}
}

// nameOf returns the file, the task or the pattern of a call.
func nameOf(c *transcript.Call) string {
	name := ""
	switch c.Kind {
	case transcript.ToolRead:
		if name, _ = c.File(); name != "" {
			name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		}
	case transcript.ToolTaskNew:
		name = c.Params.String("subject")
	case transcript.ToolTaskChange, transcript.ToolTasks:
		name = c.Title
	case transcript.ToolTools:
		name = strings.ReplaceAll(strings.TrimPrefix(c.Params.String("query"), "select:"), ",", ", ")
	default:
	}
	if target := c.Target(); name == "" && target != nil && c.Kind == transcript.ToolSearch {
		name = target.Text()
	}
	const longest = 256 // maximum number of bytes
	return transcript.CleanLine(strings.ToValidUTF8(name[:min(len(name), longest)], ""))
}

// figure returns the number of lines, matches or tools of a call. unit is "" if the number is unknown.
func figure(c *transcript.Call) (n int, unit string) {
	d := c.Details()
	switch c.Kind {
	case transcript.ToolRead:
		if d.Lines > 0 {
			return d.Lines, "line"
		}
	case transcript.ToolSearch:
		if found, ok := c.Found(); ok && !found.More {
			return found.Count, found.Unit
		}
	case transcript.ToolTools:
		if d.Counted {
			return d.Matches, "tool"
		}
	default:
	}
	return 0, ""
}
