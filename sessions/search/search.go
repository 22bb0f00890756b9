// Package search finds texts in titles, conversations, documents and ledgers, and if requested in tool calls. All
// matches of a session are in one result.
package search

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// Scope selects the texts to search.
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
	Project string // search only this project; "" means all projects
}

// Hit is a message that matches.
type Hit struct {
	Path    string    // the file that contains the message; for a sub-agent, its own transcript
	Offset  int64     // offset of the record or section in the file, in bytes
	Role    string    // you, Claude, the type of a sub-agent, summary, notice, thought, the name of a tool, result, document or ledger; clean
	Time    time.Time // zero if unknown
	Section string    // heading of the section of a document or ledger that contains the match; "" if there is none; clean
	Snippet string    // one clean line
	Marks   []query.Span
	step    int      // distance of the words in the text, see the function step
	aside   bool     // the match is in the code or in a table of a document or ledger
	pending *pending // the inputs of Role and Snippet; nil once these are set
}

// Result is a session, backup, document, ledger or checkpoint with matches.
type Result struct {
	Kind    index.Kind
	Row     *sessions.Row // nil for a ledger or a checkpoint
	Path    string        // path of the transcript of the session, the backup, the document, the ledger or the checkpoint
	Title   string        // one clean line
	Project string        // root of the project; "" if unknown
	Time    time.Time     // time of the row; for a ledger or checkpoint, of the newest match
	InTitle []query.Span  // matches in the title; nil if the title doesn't match
	Hits    []Hit         // the best matches, oldest first
	Count   int           // number of all matching messages
	step    int           // step of the best match
}

// Titled reports whether the result is listed as found by its title. Documents are listed by their texts, because a
// document's title is the first sentence of a section.
func (r *Result) Titled() bool {
	return r.InTitle != nil && (r.Kind == index.Session || r.Kind == index.Backup || r.Count == 0)
}

// Nearby has the message of a match, and those around it in the same thread. In a document, it has the section of the
// match and later ones.
type Nearby struct {
	Messages   []transcript.Message
	At         int // index of the matching message
	Number, Of int // position of the matching message in its thread, and number of messages in the thread; 0 in a document
}

// Batch has all results of a search so far.
type Batch struct {
	Results []Result // best first
	Hits    int      // number of all matching messages
	Done    bool     // this is the last batch
	Err     error    // set only with Done: why results may be missing; nil if none are missing
}

// Corpus has everything that can be searched. Its fields must not change after the first search.
type Corpus struct {
	Rows    []sessions.Row
	Ledgers []Ledger // also checkpoints
	Index   *index.Index
	Problem error // why something is missing; nil if nothing is missing

	once   sync.Once // for prepare, which sets the following fields
	byPath map[string]owner
	titles []titled

	agents sync.Map // path → type of the sub-agent
}

// Ledger is the NOTES.md of a project, or a checkpoint of one of its tasks.
type Ledger struct {
	Path, Project string
	Task          string // name of the task of a checkpoint; "" for NOTES.md
}

func (l *Ledger) kind() index.Kind {
	if l.Task != "" {
		return index.Checkpoint
	}
	return index.Ledger
}

// Run searches, and calls on with all results so far: after firstHits matches, then every 50 ms if there are new
// ones, and at the end with Done set. Calls of on don't overlap. Without terms, Run finds the rows that the fields
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
	g.sendNews() // don't wait for the transcripts, because reading them takes longer than searching the index
	return g.calls(ctx)
}
