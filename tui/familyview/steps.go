package familyview

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

type stepsMsg struct {
	path  string
	bytes int64 // size of the session when it was read
	steps []family.Step
}

// found has the steps of a session, and the size of the session when they were read.
type found struct {
	bytes int64
	steps []family.Step
}

// readNext reads the steps of the first unread or grown session. It reads one session at a time.
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

func (p *Page) took(msg stepsMsg) []screen.Effect {
	p.reading = false
	p.steps[msg.path] = found{msg.bytes, msg.steps}
	p.build()
	return p.readNext()
}

func readSteps(ctx context.Context, source preview.Source, row sessions.Row) []family.Step {
	r := family.Reader{
		Open: func(ctx context.Context, row sessions.Row) (family.Doc, error) { return source.Open(ctx, row) },
		Line: talk.TitleLine,
	}
	return r.Steps(ctx, row)
}
