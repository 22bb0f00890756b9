package search

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// groups collects matches and groups them by session.
type groups struct {
	q      *query.Query
	o      Options
	corpus *Corpus
	on     func(Batch)

	mu     sync.Mutex
	byPath map[string]*Result
	hits   int
	sent   time.Time // time of the last batch; zero if none
	news   bool      // there are results or matches that weren't sent yet
}

const (
	firstHits = 100                   // number of matches after which the first batch is sent; more than a screen
	pause     = 50 * time.Millisecond // minimum time between two batches
)

func newGroups(c *Corpus, q *query.Query, o Options, on func(Batch)) *groups {
	c.prepare()
	return &groups{q: q, o: o, corpus: c, on: on, byPath: map[string]*Result{}}
}

// scope returns the scope to search. tool: and file: are about calls, so they need All.
func (g *groups) scope() Scope {
	if g.named() {
		return All
	}
	return g.o.Scope
}

// named reports whether the query has a field tool: or file:.
func (g *groups) named() bool { return g.q.Limits(query.Tool) || g.q.Limits(query.File) }

// titles finds the rows whose title matches.
func (g *groups) titles() {
	if g.q.Limits(query.Role) || g.named() {
		return
	}
	for i := range g.corpus.titles {
		t := &g.corpus.titles[i]
		spans, ok := g.q.Match(t.title)
		row := t.row.Described()
		if !ok && !g.isID(t.row.ID) && !g.isID(row.ID) {
			continue
		}
		if o := (owner{row: t.row}); o.allows(g.q, g.o.Project) && g.q.Has(query.Is, o.is()...) && g.within(row.When()) {
			r := g.result(&o)
			r.InTitle = append([]query.Span{}, spans...) // not nil, because without terms the whole title matches
			g.news = true
		}
	}
}

// minID is the minimum length of a prefix of an ID that finds the session.
const minID = 6

// isID reports whether the query is a prefix of id.
func (g *groups) isID(id string) bool {
	return len(g.q.Text) >= minID && strings.HasPrefix(id, g.q.Text)
}

// within reports whether the dates of the query allow a time.
func (g *groups) within(at time.Time) bool {
	return (g.q.After.IsZero() || !at.Before(g.q.After)) && (g.q.Before.IsZero() || at.Before(g.q.Before) && !at.IsZero())
}

// result returns the result of an owner.
func (g *groups) result(o *owner) *Result {
	path := o.path()
	r, ok := g.byPath[path]
	if !ok {
		r = &Result{Kind: o.kind(), Row: o.row, Path: path, Project: o.project()}
		if o.row == nil {
			r.Title = transcript.CleanLine(filepath.Base(path))
			if o.ledger.Task != "" {
				r.Title = transcript.CleanLine(strings.TrimSuffix(filepath.Base(path), ".json") + " · " + o.ledger.Task)
			}
		} else {
			row := o.row.Described()
			r.Title, r.Time = row.Title(), row.When()
		}
		g.byPath[path] = r
	}
	return r
}

// texts finds the matching messages in the index.
func (g *groups) texts(ctx context.Context, x *index.Index) error {
	if len(g.q.Terms) == 0 && !g.q.Limits(query.Role) || g.named() {
		return ctx.Err()
	}
	return x.Search(ctx, g.q, g.admit, func(m *index.Message) bool {
		g.message(m)
		return ctx.Err() == nil
	})
}

// admit reports whether the fields of the query allow a file.
func (g *groups) admit(f *index.File) bool {
	o, ok := g.corpus.byPath[f.Path]
	return ok && o.allows(g.q, g.o.Project)
}

// message adds a matching message of the index, if the fields and dates of the query allow it.
func (g *groups) message(m *index.Message) {
	if m.Role == index.Notice && g.scope() != All || !g.within(m.Time) {
		return
	}
	o := g.corpus.byPath[m.File.Path]
	is := o.is()
	if m.Role == index.Agent {
		is = append(is, query.Subagent)
	}
	h := Hit{Path: m.File.Path, Offset: m.Offset, Time: m.Time, pending: &pending{role: m.Role, file: m.File}}
	if !g.q.Has(query.Is, is...) || g.q.Limits(query.Role) && !g.q.Has(query.Role, g.role(h.pending)) {
		return
	}
	g.add(&o, h, m.Text, m.Spans)
}

// add adds a match, and sends a batch if due. Several goroutines call it, so slow parts run without the lock.
func (g *groups) add(o *owner, h Hit, text []byte, spans []query.Span) {
	if h.pending == nil {
		h.pending = &pending{}
	}
	h.step = step(g.q, text)
	kind := o.kind()
	sections := kind == index.Document || kind == index.Ledger || kind == index.Checkpoint // there are few
	if sections || g.keeps(o, &h) {
		h.pending.part = clip(text, spans, h.pending.form())
	}
	if sections {
		h.aside, h.Section = h.pending.part.aside, headingOf(text)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.result(o)
	r.Count++
	g.hits++
	if o.row == nil && h.Time.After(r.Time) {
		r.Time = h.Time
	}
	if r.keeps(&h, g.o.Keep) {
		at, _ := slices.BinarySearchFunc(r.Hits, h, func(a, b Hit) int {
			if better(&b, &a) {
				return 1
			}
			return -1
		})
		r.Hits = slices.Insert(r.Hits, at, h)
		r.Hits = r.Hits[:min(len(r.Hits), g.o.Keep)]
	}
	g.news = true
	g.sendIfDue()
}

// keeps reports whether a match of an owner is one of its best matches so far.
func (g *groups) keeps(o *owner, h *Hit) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.byPath[o.path()]
	return r == nil || r.keeps(h, g.o.Keep)
}

// keeps reports whether a match is one of the best matches so far. At most n matches are kept.
func (r *Result) keeps(h *Hit, n int) bool {
	return len(r.Hits) < n || n > 0 && better(h, &r.Hits[len(r.Hits)-1])
}

// sendIfDue sends a batch if there are new results and the last batch is at least pause ago. The first batch needs
// firstHits matches. The caller must hold the lock.
func (g *groups) sendIfDue() {
	due := g.hits >= firstHits
	if !g.sent.IsZero() {
		due = time.Since(g.sent) >= pause
	}
	if g.news && due {
		g.send(g.batch())
	}
}

// send sends a batch. The caller must hold the lock.
func (g *groups) send(b Batch) {
	g.sent, g.news = time.Now(), false
	g.on(b)
}

// tick sends a batch if due. Readers call it, so that batches come even without new matches.
func (g *groups) tick() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sendIfDue()
}

// sendNews sends a batch if there is anything new.
func (g *groups) sendNews() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.news {
		g.send(g.batch())
	}
}

// headingOf returns the heading at the start of a section, without the time of a ledger entry, or "".
func headingOf(section []byte) string {
	first, _, _ := bytes.Cut(section, []byte("\n"))
	_, text := mark.Heading(string(bytes.TrimSpace(first)))
	return transcript.CleanLine(afterMarks(text))
}

// step returns how far apart the query's words are in a text: 0 within about a sentence, 1 within about a paragraph,
// otherwise 2.
func step(q *query.Query, text []byte) int {
	const sentence, paragraph = 80, 400 // bytes
	switch n := q.Spread(text); {
	case n <= sentence:
		return 0
	case n <= paragraph:
		return 1
	}
	return 2
}

// better reports whether a is a better match than b: words are closer, prose, newer, or higher up in the document.
// The order is total, so the order of finding doesn't matter.
func better(a, b *Hit) bool {
	aside := 0
	if a.aside != b.aside {
		if aside = -1; a.aside {
			aside = 1
		}
	}
	return cmp.Or(cmp.Compare(a.step, b.step), aside, b.Time.Compare(a.Time), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Offset, b.Offset)) < 0
}

// batch returns the results so far.
func (g *groups) batch() Batch {
	b := Batch{Results: make([]Result, 0, len(g.byPath)), Hits: g.hits}
	for _, r := range g.byPath {
		for i := range r.Hits {
			g.complete(&r.Hits[i])
		}
		copied := *r
		copied.Hits = slices.Clone(r.Hits)
		if copied.step = 2; len(r.Hits) > 0 {
			copied.step = r.Hits[0].step
		}
		slices.SortStableFunc(copied.Hits, func(a, b Hit) int { return a.Time.Compare(b.Time) })
		b.Results = append(b.Results, copied)
	}
	slices.SortFunc(b.Results, func(a, b Result) int {
		if a.Titled() != b.Titled() {
			if a.Titled() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.step, b.step), b.Time.Compare(a.Time), cmp.Compare(a.Path, b.Path))
	})
	return b
}

// finish sends the last batch.
func (g *groups) finish(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.batch()
	b.Done, b.Err = true, err
	g.send(b)
}
