package familyview

import (
	"bytes"
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// titleWidth is the number of cells of the title of a step; a row cuts it.
const titleWidth = 160

// stepsMsg has the steps of a session.
type stepsMsg struct {
	path  string
	bytes int64 // size of the session when it was read
	steps []family.Step
}

// found has the steps that were read from a session of some size.
type found struct {
	bytes int64
	steps []family.Step
}

// readNext reads the steps of the first session of the family that wasn't read, or has grown since. Only one is read at a
// time.
func (p *Page) readNext() []screen.Effect {
	if p.reading {
		return nil
	}
	for i := range p.sessions {
		row := p.sessions[i].Row
		if row == nil {
			continue
		}
		if was, ok := p.steps[row.Path]; ok && was.bytes == row.Bytes {
			continue
		}
		p.reading = true
		ctx, source, of := p.ctx, p.opts.Beside.Source, *row
		return []screen.Effect{screen.Cmd(func() tea.Msg { return stepsMsg{of.Path, of.Bytes, readSteps(ctx, source, of)} })}
	}
	return nil
}

// took stores the steps of a session.
func (p *Page) took(msg stepsMsg) []screen.Effect {
	p.reading = false
	p.steps[msg.path] = found{msg.bytes, msg.steps}
	p.build()
	return p.readNext()
}

// readSteps reads the steps of a session. It leaves out the messages and sub-agents that can't be read.
func readSteps(ctx context.Context, source preview.Source, row sessions.Row) []family.Step {
	doc, err := source.Open(ctx, row)
	if err != nil {
		return nil
	}
	file := opened.New(doc)
	defer file.Close() //nolint:errcheck // only read
	t := family.Talk{
		Messages: doc.Outline(), Threads: doc.Threads(), Decoded: map[int]transcript.Message{},
		Line: func(m *transcript.Message) string { return talk.FirstLine(m, titleWidth) },
	}
	for _, i := range t.Wanted() {
		if msgs, err := file.Messages(ctx, 0, i, i+1); err == nil && len(msgs) == 1 {
			t.Decoded[i] = msgs[0]
		}
	}
	if len(row.Agents) > 0 {
		hasAgent := func(line []byte) bool { return bytes.Contains(line, []byte(`"agentId"`)) }
		_ = file.Search(ctx, 0, 0, len(t.Messages), hasAgent, func(i int, m *transcript.Message) { t.Decoded[i] = *m }) // those before an error count
	}
	for _, path := range row.Agents {
		t.Agents = append(t.Agents, readAgent(ctx, source, screen.AgentRow(&row, path, "")))
	}
	return t.Steps(&row)
}

// readAgent reads the facts about a sub-agent.
func readAgent(ctx context.Context, source preview.Source, row sessions.Row) family.AgentTalk {
	a := family.AgentTalk{Path: row.Path}
	doc, err := source.Open(ctx, row)
	if err != nil {
		return a
	}
	defer doc.Close() //nolint:errcheck // only read
	refs := doc.Outline()
	for i := range refs {
		if a.Began.IsZero() {
			a.Began = transcript.At(refs[i].Time)
		}
		if refs[i].Turn {
			a.Messages++
		}
	}
	if len(refs) > 0 {
		if first, err := doc.Messages(ctx, 0, 1); err == nil && len(first) == 1 {
			a.Task = talk.FirstLine(&first[0], titleWidth)
		}
	}
	return a
}
