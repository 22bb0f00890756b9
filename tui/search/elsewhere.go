package search

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
)

// elsewhere has the numbers of matches that the keys tab and ctrl+t would show.
type elsewhere struct {
	scope    int // number of matches in the other scope
	projects int // number of matches in all projects, or 0
}

// Counting reads all transcripts, so it starts after a pause in typing and stops at a maximum.
const (
	countAfter = 300 * time.Millisecond
	countUpTo  = 1000
)

// countElsewhere counts the matches in the other scope. After a search of one project without matches, it also counts
// in all projects. o has the options of the search, hits the number of its matches. A panic becomes an error.
func countElsewhere(ctx context.Context, source Source, q *query.Query, o search.Options, hits int) (p part) {
	select {
	case <-time.After(countAfter):
	case <-ctx.Done():
		return part{}
	}
	count := func(scope search.Scope, project string, upTo int) int {
		ctx, enough := context.WithCancel(ctx)
		defer enough()
		source.Search(ctx, q, search.Options{Scope: scope, Project: project}, func(b search.Batch) {
			if p.batch = b; b.Hits >= upTo {
				enough()
			}
		})
		return p.batch.Hits
	}
	n := elsewhere{}
	if o.Scope == search.Conversation {
		n.scope = max(count(search.All, o.Project, hits+countUpTo)-hits, 0)
	} else {
		n.scope = count(search.Conversation, o.Project, countUpTo)
	}
	if o.Project != "" && hits == 0 {
		n.projects = count(o.Scope, "", countUpTo)
	}
	p.elsewhere = &n
	return p
}

// words returns a text about the matches in the other scope, and the key that shows them, or "".
func (e *elsewhere) words(scope search.Scope) (text, key string) {
	n, noun := words.Count(min(e.scope, countUpTo)), " matches"
	if e.scope == 1 {
		noun = " match"
	}
	if e.scope >= countUpTo {
		n += "+"
	}
	switch {
	case scope == search.All:
		return n + noun + " in the conversation only: ", "tab"
	case e.scope == 0:
		return "no more in tool input and output", ""
	}
	return n + " more in tool input and output: ", "tab"
}
