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
	scope    int // number in the other scope
	projects int // in all projects; 0 unless one project was searched without a match
}

// Counting reads all transcripts, so it begins when nothing was typed for a while, and stops at a maximum.
const (
	countAfter = 300 * time.Millisecond
	countUpTo  = 1000
)

// countElsewhere counts the matches outside of a search with options o: those in the other scope and, if the search of
// a project found nothing, those in all projects. The parameter hits is the number of matches of that search. The part
// has the numbers, or the error of a panic.
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

// words returns a text with the number of matches in the other scope; scope is the current one.
func (e *elsewhere) words(scope search.Scope) string {
	n, noun := words.Count(min(e.scope, countUpTo)), " matches"
	if e.scope == 1 {
		noun = " match"
	}
	if e.scope >= countUpTo {
		n += "+"
	}
	switch {
	case scope == search.All:
		return n + noun + " in the conversation only: tab"
	case e.scope == 0:
		return "no more in tool input and output"
	}
	return n + " more in tool input and output: tab"
}
