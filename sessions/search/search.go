// Package search finds texts in the titles of sessions, in conversations, documents and ledgers, and on request in tool
// calls. The matches of one session form one result.
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

// Scope selects the texts that are searched.
type Scope uint8

// The scopes.
const (
	Conversation Scope = iota // prompts, answers, summaries and titles
	All                       // also tool calls and their results, thoughts, and texts of the client
)

// Options are the options of a search.
type Options struct {
	Scope   Scope
	Keep    int    // maximum number of matches to keep for each result
	Project string // only this project; "" all
}

// Hit is a message that matches.
type Hit struct {
	Path    string    // the file with the message; for a sub-agent, its own transcript
	Offset  int64     // offset of the record or section in the file, in bytes
	Role    string    // you, Claude, the type of a sub-agent, summary, notice, thought, the name of a tool, result, document or ledger; clean
	Time    time.Time // zero if unknown
	Snippet string    // one clean line
	Marks   []query.Span
	step    int      // distance of the words in the text, see the function step
	pending *pending // the inputs of Role and Snippet; nil once these are set
}

// Result is a session, backup, document or ledger with matches.
type Result struct {
	Kind    index.Kind
	Row     *sessions.Row // nil for a ledger
	Path    string        // path of the session's transcript, the backup, the document or the ledger
	Title   string        // one clean line
	Project string        // root of the project; "" if unknown
	Time    time.Time     // time of the row, else of the newest match
	InTitle []query.Span  // matches in the title; nil if it doesn't match
	Hits    []Hit         // the best matches, oldest first
	Count   int           // number of all matching messages
	step    int           // step of the best match
}

// Batch is the answer of a search so far.
type Batch struct {
	Results []Result // best first
	Hits    int      // number of all matching messages
	Done    bool     // this is the last batch
	Err     error    // set only with Done: the reason if the answer may be incomplete
}

// Corpus holds everything that can be searched. Its fields must not change after the first search.
type Corpus struct {
	Rows    []sessions.Row
	Ledgers []Ledger
	Index   *index.Index
	Problem error // the reason if something is missing

	once   sync.Once // prepares the following
	byPath map[string]owner
	titles []titled

	agents sync.Map // types of sub-agents by path
}

// Ledger is the NOTES.md of a project.
type Ledger struct{ Path, Project string }

// Run searches and calls on with a growing answer: first when it has firstHits matches, then every 50 ms while there
// are new ones, and at the end with Done set. Calls don't overlap. A query without terms finds the rows that its fields
// allow. If a goroutine panics, Run panics with a *sessions.PanicError.
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
	g.sendNews() // now, because reading the transcripts takes longer than searching the index
	return g.calls(ctx)
}
