package search

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
)

// pending holds the inputs of the role and the snippet of a match. These are only made when the match is sent, because
// most matches are replaced by better ones before that.
type pending struct {
	role  index.Role
	file  *index.File // nil if the role is known
	text  []byte      // around the match
	spans []query.Span
}

// complete makes the role and the snippet of a match.
func (g *groups) complete(h *Hit) {
	p := h.pending
	if p == nil {
		return
	}
	if h.pending = nil; p.file != nil {
		h.Role = g.role(p)
	}
	// Text that a person typed or that a tool printed stays unchanged.
	h.Snippet, h.Marks = snippet(p.text, p.spans, p.file != nil && p.role != index.You)
}

// role returns the role of a match in the index.
func (g *groups) role(p *pending) string {
	if p.role == index.Agent {
		return roleOf(p.role, p.file.Kind, g.agentType(p.file))
	}
	return roleOf(p.role, p.file.Kind, "")
}

// agentType returns the type of the sub-agent of a file, "" for other files. It is read once for all searches.
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
