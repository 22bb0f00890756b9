package reader

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// enter opens the transcript of the sub-agent that the selected call started, goes to the call of the selected item of a list
// or of a notification of a task, or asks whether to open an image or that of a call. Else it opens or folds the part.
func (p *Page) enter() []screen.Effect {
	if row, ok := p.pane.agent(); ok {
		return []screen.Effect{screen.Read{Row: row}}
	}
	if p.pane.toItem(p.rows) {
		return nil
	}
	if id := p.pane.callOfNotice(); id != "" {
		return commands(p.pane.toStart(id))
	}
	if images, block := p.pane.images(); len(images) > 0 {
		return p.askImage(images, block)
	}
	return p.fold()
}

// agent returns the row of the sub-agent that the selected call started. ok is false if the part is another one, or if
// the transcript of the sub-agent isn't known.
func (r *pane) agent() (row sessions.Row, ok bool) {
	e := r.cache.messages[r.bar.message]
	if e == nil {
		return row, false
	}
	block := r.part(r.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) || e.msg.Blocks[block].Kind != transcript.BlockToolUse {
		return row, false
	}
	call := e.msg.Call(block)
	id := ""
	if call.Result != nil {
		id = call.Result.Agent
	}
	for _, path := range r.row.Agents {
		if id == "" || strings.TrimSuffix(filepath.Base(path), ".jsonl") != "agent-"+id {
			continue
		}
		row.Kind, row.Path, row.State, row.Agents = sessions.KindSession, path, sessions.StateOK, r.row.Agents
		row.Project, row.Workdir, row.Branch = r.row.Project, r.row.Workdir, r.row.Branch
		row.Name = "Sub-agent"
		if target := call.Target(); target != nil {
			row.Name += ": " + transcript.CleanLine(target.Text())
		}
		row.Flags = []sessions.Flag{sessions.FlagNotResumable}
		return row, true
	}
	return row, false
}
