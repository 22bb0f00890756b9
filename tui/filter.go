package tui

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

// rowText is a text of a row that the filter looks at.
type rowText int

const (
	inTitle   rowText = iota
	inRow             // the other texts that a row shows: its badge, the columns of a backup, status and tags of a document
	inHeading         // of a backup: the heading of its group
	inProject
	inBranch
	inPrompt
	inID
	rowTexts
)

// name is the name of a text that has a line of its own below the row.
func (f rowText) name() string {
	return [rowTexts]string{inTitle: "title", inProject: "project", inBranch: "branch", inPrompt: "prompt"}[f]
}

// candidate is a row as the filter looks at it. The first run that looks at it prepares its texts: that takes longer
// than matching them, and the texts of an unchanged row stay.
type candidate struct {
	row   *sessions.Row
	look  look
	now   time.Time
	once  sync.Once
	texts [rowTexts]match.Text
	facts *facets // of a document, that terms narrow to
}

// look has the facts outside of a row that its texts depend on.
type look struct {
	kind    sessions.Kind // of the list
	day     string        // the row shows times relative to it
	home    string
	wide    bool
	problem string // of the chain of a document
}

// candidates returns the rows for the filter.
func (l *list) candidates(shown []*sessions.Row, now time.Time) []*candidate {
	seen := look{kind: l.kind, day: now.Format(time.DateOnly), home: l.scope.home, wide: l.scope.wide()}
	among := make([]*candidate, 0, len(shown))
	for _, r := range shown {
		seen.problem = l.chained(r, nil).Problem
		h := l.held[r.Path]
		if h == nil {
			h = &held{}
		}
		if h.candidate == nil || h.candidate.row != r || h.candidate.look != seen {
			h.candidate = &candidate{row: r, look: seen, now: now}
		}
		among = append(among, h.candidate)
	}
	return among
}

// prepare makes the texts of a candidate.
func (c *candidate) prepare() {
	r, title, row, shown := c.row, match.Main|match.Short, match.Rule(0), ""
	switch c.look.kind {
	case sessions.KindBackup: // its row has no title
		title, row = match.Short, match.Main
		shown = render.BackupWords(r, c.now)
		c.texts[inHeading] = match.NewText(headingWords(r, c.now), match.WordStarts)
	case sessions.KindDocument:
		shown = render.DocumentWords(r, c.look.problem)
		c.facts = facetsOf(r)
	case sessions.KindSession:
		_, badge := render.BadgeSpans(r, c.now)
		shown = badge.Text
	}
	c.texts[inTitle] = match.NewText(render.Title(r), title)
	c.texts[inRow] = match.NewText(shown, row)
	if c.look.wide { // within one project its name would match in every row
		c.texts[inProject] = match.NewText(render.Folder(r.Project, c.look.home), match.Short)
	}
	c.texts[inBranch] = match.NewText(transcript.CleanLine(r.Branch), match.Short)
	c.texts[inPrompt] = match.NewText(transcript.CleanLine(r.Prompt), 0)
	c.texts[inID] = match.NewText(r.ID, match.Prefix)
}

// headingWords returns the heading that a backup is listed under, and other words for it.
func headingWords(r *sessions.Row, now time.Time) string {
	words := group(r, now)
	if r.Unseen && !r.Pending {
		words += " unseen"
	}
	return words
}

// hit is a row that matches.
type hit struct {
	match.Hit
	path    string
	of      *candidate
	query   *match.Query
	titleAt int  // cells of the title before the first letter that matched
	cut     bool // the row is too narrow to show that letter
}

// marks returns the byte offsets in a text of the row of the letters that matched.
func (h *hit) marks(f rowText) []int { return h.query.Marks(h.of.texts[:], int(f)) }

// cellsBefore returns the cells of the title before the first letter that matched; 0 for a title that is seldom cut.
func (h *hit) cellsBefore() int {
	const short = 24 // bytes
	title := h.of.texts[inTitle].String()
	if h.Texts&(1<<inTitle) == 0 || len(title) <= short {
		return 0
	}
	return ansi.StringWidth(title[:h.marks(inTitle)[0]])
}

// below returns the text that stands below the row, because the row does not show it; false if there is none.
func (h *hit) below() (rowText, bool) {
	for _, f := range []rowText{inTitle, inProject, inBranch, inPrompt} {
		if h.Texts&(1<<f) != 0 && (f != inTitle || h.cut || h.of.look.kind == sessions.KindBackup) {
			return f, true
		}
	}
	return 0, false
}

// search returns the candidates that match a pattern, best first, and in their order where they match as well. Only if
// none matches, other letters may be between those of a word. When ctx ends there are no hits.
func search(ctx context.Context, pattern string, among []*candidate) []hit {
	var terms []term
	text := pattern
	if len(among) > 0 && among[0].look.kind == sessions.KindDocument {
		terms, text = parseFilter(pattern)
	}
	query, whole := match.NewQuery(render.Plain(text)), match.NewQuery(render.Plain(pattern))
	hits := searchFor(ctx, terms, query, whole, among)
	if len(hits) == 0 {
		hits = searchFor(ctx, terms, query.Loose(), whole, among)
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.Rank, b.Rank) })
	return hits
}

// searchFor returns the candidates that match a query, in their order. Those that the terms leave out may match the whole
// pattern: "#12" is a tag, and may be in a title.
func searchFor(ctx context.Context, terms []term, query, whole match.Query, among []*candidate) []hit {
	var hits []hit
	for i, c := range among {
		if i%64 == 0 && ctx.Err() != nil {
			return nil
		}
		c.once.Do(c.prepare)
		q := &query
		if slices.ContainsFunc(terms, func(t term) bool { return !c.facts.has(t) }) {
			q = &whole
		}
		if found, ok := q.Match(c.texts[:]); ok {
			h := hit{Hit: found, path: c.row.Path, of: c, query: q}
			h.titleAt = h.cellsBefore()
			hits = append(hits, h)
		}
	}
	return hits
}
