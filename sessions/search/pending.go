package search

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
)

// pending has the inputs for the role and snippet of a match. These are made when the match is sent, because better
// matches replace most.
type pending struct {
	role index.Role
	file *index.File // nil if the role is known
	part excerpt
}

// form returns the form of the text that the match is in.
func (p *pending) form() form {
	switch {
	case p.file == nil:
		return printed
	case p.role == index.You:
		return prompt
	}
	return markdown
}

// complete sets the role and the snippet of a match.
func (g *groups) complete(h *Hit) {
	p := h.pending
	if p == nil {
		return
	}
	if h.pending = nil; p.file != nil {
		h.Role = g.role(p)
	}
	h.Snippet, h.Marks = snippet(p.part)
}

// role returns the role of a match in the index.
func (g *groups) role(p *pending) string {
	if p.role == index.Agent {
		return roleOf(p.role, p.file.Kind, g.agentType(p.file))
	}
	return roleOf(p.role, p.file.Kind, "")
}

// agentType returns the type of a sub-agent's file, or "". It reads each type once.
func (g *groups) agentType(f *index.File) string {
	if f.Kind != index.Subagent {
		return ""
	}
	t, ok := g.corpus.agents.Load(f.Path)
	if !ok {
		t = sessions.AgentType(f.Path)
		g.corpus.agents.Store(f.Path, t)
	}
	return t.(string) //nolint:forcetypeassert // only strings are stored
}
