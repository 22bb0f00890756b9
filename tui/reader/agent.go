package reader

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader/outline"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// enter carries out the key enter on the selected part. Without another effect, it opens or folds the part.
func (p *Page) enter() []screen.Effect {
	if row, ok := p.pane.calledAgent(); ok {
		return []screen.Effect{screen.Read{Row: row, Agent: p.pane.agentFacts()}}
	}
	if t, ok := p.pane.cur.inline(); ok {
		p.pane.showThread(t, p.rows)
		return tell("The sub-agent's conversation. Press esc to go back.")
	}
	if p.pane.cur.toItem(p.rows) {
		return nil
	}
	if i := p.pane.cur.summaryBelow(); i > 0 {
		p.pane.cur.bar = bar{message: i}
	}
	if id := p.pane.cur.callOfNotice(); id != "" {
		return commands(p.pane.toStart(id))
	}
	if images, block := p.pane.cur.images(); len(images) > 0 {
		return p.askImage(images, block)
	}
	return p.fold()
}

// calledAgent returns the row of the sub-agent that the selected call started. ok is false without such a call or a
// known transcript.
func (r *pane) calledAgent() (row sessions.Row, ok bool) {
	m, block := r.cur.selectedCall()
	if m == nil {
		return row, false
	}
	call := m.Call(block)
	if call.Result == nil || call.Result.Agent == "" {
		return row, false
	}
	path := r.row.AgentPath(call.Result.Agent)
	if path == "" {
		return row, false
	}
	row = screen.AgentRow(&r.row, path, "")
	if target := call.Target(); target != nil {
		row.Name = cmp.Or(transcript.CleanLine(target.Text()), row.Name) // the line below the title says that it is a sub-agent
	}
	return row, true
}

// agentFacts returns the facts about the sub-agent that the selected call started.
func (r *pane) agentFacts() *screen.Agent {
	m, block := r.cur.selectedCall()
	call := m.Call(block)
	a := &screen.Agent{Of: render.Title(&r.row), Prompt: 1 + outline.Before(r.out.Prompts, r.cur.bar.message)}
	a.Type, a.Tokens, a.Took, a.Done = talk.AgentFacts(&call)
	return a
}

// agentFound is a sub-agent with the number of matches in its transcript.
type agentFound struct {
	row     sessions.Row
	matches int
}

// agentsMsg has the sub-agents with matches.
type agentsMsg struct {
	gen  int
	list []agentFound
}

// searchAgents returns a command that searches the transcripts of a session's sub-agents. It skips unreadable
// transcripts.
func searchAgents(ctx context.Context, source Source, of sessions.Row, s searching) tea.Cmd {
	if len(of.Agents) == 0 || slices.Contains(of.Agents, of.Path) {
		return nil
	}
	return func() tea.Msg {
		msg := agentsMsg{gen: s.gen}
		for _, path := range of.Agents {
			if a := searchAgent(ctx, source, screen.AgentRow(&of, path, ""), s); a.matches > 0 {
				msg.list = append(msg.list, a)
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		return msg
	}
}

func searchAgent(ctx context.Context, source Source, row sessions.Row, s searching) agentFound {
	a := agentFound{row: row}
	doc, err := source.Open(ctx, row)
	if err != nil {
		return a
	}
	file := opened.New(doc)
	defer file.Close() //nolint:errcheck // the file was only read
	_ = file.Search(ctx, 0, 0, len(doc.Outline()), mayContain(s.words), func(_ int, m *transcript.Message) {
		a.matches += len(talk.Find(s.needle, m))
	}) // matches that were found before an error are kept
	if a.matches > 0 {
		if first, err := file.Messages(ctx, 0, 0, 1); err == nil {
			task, _, _ := strings.Cut(strings.TrimSpace(opened.Text(&first[0])), "\n")
			a.row = screen.AgentRow(&row, row.Path, words.Cut(task, 80))
		}
	}
	return a
}

// stepMatch goes to the next or previous match. After the conversation's last match, a step opens the next matching
// sub-agent.
func (p *Page) stepMatch(step int) []screen.Effect {
	f := &p.pane.find
	atEnd := len(f.matches) == 0 || f.at == len(f.matches)-1 && f.nth+1 >= f.linesHere(&p.pane.view.cache)
	was := f.inside
	switch {
	case was > 0 && step < 0:
		f.inside--
	case was > 0 || step > 0 && atEnd:
		f.inside = (was + 1) % (len(f.agents) + 1)
	}
	if f.inside == 0 && len(f.matches) == 0 {
		f.inside = min(1, len(f.agents))
	}
	switch {
	case f.inside > 0:
		return []screen.Effect{screen.Read{Row: f.agents[f.inside-1].row, At: &screen.Place{Offset: screen.FromStart, Words: f.words}}}
	case was == 1 && step < 0: // back to the last match of the conversation
	default:
		p.pane.stepMatch(step, p.rows)
	}
	return nil
}
