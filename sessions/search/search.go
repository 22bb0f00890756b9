// Package search finds what was said: in the titles of sessions, in conversations, documents and ledgers, and on request
// in the calls of tools. The matches of one session are one result.
package search

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
)

// Scope is what is searched.
type Scope uint8

// The scopes.
const (
	Conversation Scope = iota // prompts, answers, summaries and titles
	All                       // in addition: calls of tools and their results, thoughts, and texts of the client
)

// Options are the options of a search.
type Options struct {
	Scope   Scope
	Keep    int    // matches that are kept of each result
	Project string // only this project; "" all
}

// Hit is a message that matches.
type Hit struct {
	Path    string    // the file that it is in: that of a sub-agent for a sub-agent
	Offset  int64     // of its record or section in the file, in bytes
	Role    string    // you, Claude, the type of a sub-agent, summary, notice, thought, the name of a tool, result, document or ledger; clean
	Time    time.Time // zero unknown
	Snippet string    // one clean line
	Marks   []query.Span
	step    int      // how close its words stand together
	pending *pending // what Role and Snippet are made of; nil once they are
}

// Result is a session, backup, document or ledger with matches.
type Result struct {
	Kind    index.Kind
	Row     *sessions.Row // nil for a ledger
	Path    string        // of the session's transcript, the backup, the document or the ledger
	Title   string        // one clean line
	Project string        // its root; "" unknown
	Time    time.Time     // of the row, else of the newest match
	InTitle []query.Span  // matches in the title; nil if it doesn't match
	Hits    []Hit         // the best ones, in the order of time
	Count   int           // messages that match
	step    int           // of its best match
}

// Batch is the answer of a search so far.
type Batch struct {
	Results []Result // best first
	Hits    int      // messages that match
	Done    bool
	Err     error // with Done: why the answer may be incomplete
}

// Corpus is what can be searched. Its fields must not change once it was searched.
type Corpus struct {
	Rows    []sessions.Row
	Ledgers []Ledger
	Index   *index.Index
	Problem error // why something is missing; nil if nothing is

	once   sync.Once // prepares the following
	byPath map[string]owner
	titles []titled

	agents sync.Map // types of sub-agents by path
}

// Ledger is the NOTES.md of a project.
type Ledger struct{ Path, Project string }

// Run searches and calls on with a growing answer: soon with the first matches, then every 50 ms, at last with Done. Calls
// don't overlap. A query without terms finds the rows that its fields allow. A panic of a goroutine becomes a panic of Run
// with a *sessions.PanicError.
func Run(ctx context.Context, c *Corpus, q *query.Query, o Options, on func(Batch)) {
	g := newGroups(c, q, o, on)
	err := g.run(ctx, c.Index)
	if errors.Is(err, index.ErrDamaged) {
		g = newGroups(c, q, o, on)
		if err = c.Index.Update(ctx, c.Files(ctx)); err == nil {
			err = g.run(ctx, c.Index)
		}
	}
	if ctx.Err() == nil {
		g.finish(err)
	}
}

func (g *groups) run(ctx context.Context, x *index.Index) error {
	g.titles()
	if err := g.texts(ctx, x); err != nil || g.scope() != All {
		return err
	}
	g.sendNews() // the transcripts take longer than the index
	return g.calls(ctx)
}
