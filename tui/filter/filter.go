// Package filter finds the rows of a list that have what is typed.
package filter

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
)

// Part is a text of a row that the filter looks at.
type Part int

// The texts of a row.
const (
	Title     Part = iota
	RowText        // the other texts that a row shows: its badge, the columns of a backup, status and tags of a document
	inHeading      // of a backup: the heading of its group
	inProject
	inBranch
	inPrompt
	inID
	Parts // how many they are
)

// Name is the name of a text that has a line of its own below the row.
func (f Part) Name() string {
	return [Parts]string{Title: "title", inProject: "project", inBranch: "branch", inPrompt: "prompt"}[f]
}

// Candidate is a row as the filter looks at it. The first run that looks at it prepares its texts: that takes longer
// than matching them, and the texts of an unchanged row stay.
type Candidate struct {
	Row   *sessions.Row
	look  Look
	now   time.Time
	once  sync.Once
	Texts [Parts]match.Text
	facts *Facets // of a document, that terms narrow to
}

// Look has the facts outside of a row that its texts depend on.
type Look struct {
	Kind    sessions.Kind // of the list
	Day     string        // the row shows times relative to it
	Home    string
	Wide    bool
	Problem string // of the chain of a document
}

// Renewed is a row as it is seen now: the one that was made of it before, where nothing of it has changed.
func (c *Candidate) Renewed(r *sessions.Row, seen Look, now time.Time) *Candidate {
	if c == nil || c.Row != r || c.look != seen {
		return &Candidate{Row: r, look: seen, now: now}
	}
	return c
}

// prepare makes the texts of a candidate.
func (c *Candidate) prepare() {
	r, title, row, shown := c.Row, match.Main|match.Short, match.Rule(0), ""
	switch c.look.Kind {
	case sessions.KindBackup: // its row has no title
		title, row = match.Short, match.Main
		shown = render.BackupWords(r, c.now)
		c.Texts[inHeading] = match.NewText(headingWords(r, c.now), match.WordStarts)
	case sessions.KindDocument:
		shown = render.DocumentWords(r, c.look.Problem)
		c.facts = FacetsOf(r)
	case sessions.KindSession:
		_, badge := render.BadgeSpans(r, c.now)
		shown = badge.Text
	}
	c.Texts[Title] = match.NewText(render.Title(r), title)
	c.Texts[RowText] = match.NewText(shown, row)
	if c.look.Wide { // within one project its name would match in every row
		c.Texts[inProject] = match.NewText(render.Folder(r.Project, c.look.Home), match.Short)
	}
	c.Texts[inBranch] = match.NewText(transcript.CleanLine(r.Branch), match.Short)
	c.Texts[inPrompt] = match.NewText(transcript.CleanLine(r.Prompt), 0)
	c.Texts[inID] = match.NewText(r.ID, match.Prefix)
}

// headingWords returns the heading that a backup is listed under, and other words for it.
func headingWords(r *sessions.Row, now time.Time) string {
	words := render.GroupOf(r, now)
	if r.Unseen && !r.Pending {
		words += " unseen"
	}
	return words
}

// Hit is a row that matches.
type Hit struct {
	match.Hit
	Path    string
	Of      *Candidate
	Query   *match.Query
	TitleAt int  // cells of the title before the first letter that matched
	Cut     bool // the row is too narrow to show that letter
}

// Marks returns the byte offsets in a text of the row of the letters that matched.
func (h *Hit) Marks(f Part) []int { return h.Query.Marks(h.Of.Texts[:], int(f)) }

// cellsBefore returns the cells of the title before the first letter that matched; 0 for a title that is seldom cut.
func (h *Hit) cellsBefore() int {
	const short = 24 // bytes
	title := h.Of.Texts[Title].String()
	if h.Texts&(1<<Title) == 0 || len(title) <= short {
		return 0
	}
	return ansi.StringWidth(title[:h.Marks(Title)[0]])
}

// Below returns the text that stands below the row, because the row does not show it; false if there is none.
func (h *Hit) Below() (Part, bool) {
	for _, f := range []Part{Title, inProject, inBranch, inPrompt} {
		if h.Texts&(1<<f) != 0 && (f != Title || h.Cut || h.Of.look.Kind == sessions.KindBackup) {
			return f, true
		}
	}
	return 0, false
}

// Search returns the candidates that match a pattern, best first, and in their order where they match as well. Only if
// none matches, other letters may be between those of a word. When ctx ends there are no hits.
func Search(ctx context.Context, pattern string, among []*Candidate) []Hit {
	var terms []Term
	text := pattern
	if len(among) > 0 && among[0].look.Kind == sessions.KindDocument {
		terms, text = Parse(pattern)
	}
	query, whole := match.NewQuery(render.Plain(text)), match.NewQuery(render.Plain(pattern))
	hits := searchFor(ctx, terms, query, whole, among)
	if len(hits) == 0 {
		hits = searchFor(ctx, terms, query.Loose(), whole, among)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Rank, b.Rank) })
	return hits
}

// searchFor returns the candidates that match a query, in their order. Those that the terms leave out may match the whole
// pattern: "#12" is a tag, and may be in a title.
func searchFor(ctx context.Context, terms []Term, query, whole match.Query, among []*Candidate) []Hit {
	var hits []Hit
	for i, c := range among {
		if i%64 == 0 && ctx.Err() != nil {
			return nil
		}
		c.once.Do(c.prepare)
		q := &query
		if slices.ContainsFunc(terms, func(t Term) bool { return !c.facts.Has(t) }) {
			q = &whole
		}
		if found, ok := q.Match(c.Texts[:]); ok {
			h := Hit{Hit: found, Path: c.Row.Path, Of: c, Query: q}
			h.TitleAt = h.cellsBefore()
			hits = append(hits, h)
		}
	}
	return hits
}
