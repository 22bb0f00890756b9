// Package filter finds the rows of a list that match a typed text.
package filter

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
)

// Part identifies one of the texts of a row that are searched, such as its title.
type Part int

// The texts of a row.
const (
	Title     Part = iota
	RowText        // the badge, columns of a backup, status and tags of a document
	inHeading      // heading of a backup's group
	inProject
	inBranch
	inPrompt
	inTodos // of a document
	inID
	Parts // the number of parts
)

// Name returns the label of a part, for the line below a row.
func (f Part) Name() string {
	return [Parts]string{Title: "title", inProject: "project", inBranch: "branch", inPrompt: "prompt", inTodos: "todo", inID: "ID"}[f]
}

// Candidate is a row with its searchable texts. The texts are prepared at the first search, because preparing takes
// longer than matching.
type Candidate struct {
	Row   *sessions.Row
	look  Look
	now   time.Time
	once  sync.Once
	Texts [Parts]match.Text
	facts *Facets // the facets of a document
}

// Look has inputs of the texts that aren't in the row.
type Look struct {
	Kind    sessions.Kind // kind of rows in the list
	Day     string        // today's date; the texts contain relative times
	Home    string
	Wide    bool
	Problem string // a problem with the chain of a document
}

// Renewed returns a candidate for a row. If the row and seen haven't changed, it returns c.
func (c *Candidate) Renewed(r *sessions.Row, seen Look, now time.Time) *Candidate {
	if c == nil || c.Row != r || c.look != seen {
		return &Candidate{Row: r, look: seen, now: now}
	}
	return c
}

// prepare computes the texts.
func (c *Candidate) prepare() {
	r, row, shown := c.Row, match.Rule(0), ""
	switch c.look.Kind {
	case sessions.KindBackup:
		row = match.Main
		shown = render.BackupWords(r, c.now)
		c.Texts[inHeading] = match.NewText(headingWords(r, c.now), match.WordStarts)
	case sessions.KindDocument:
		shown = render.DocumentWords(r, c.look.Problem)
		todos := make([]string, 0, len(r.Todos))
		for _, t := range r.Todos {
			todos = append(todos, t.Text)
		}
		c.Texts[inTodos] = match.NewText(transcript.CleanLine(strings.Join(todos, todoGap)), 0)
		c.facts = FacetsOf(r)
	case sessions.KindSession: // sessions have a search and no filter
	}
	c.Texts[Title] = match.NewText(render.Title(r), match.Main|match.Short)
	c.Texts[RowText] = match.NewText(shown, row)
	if c.look.Wide { // in the list of one project, its name would match every row
		c.Texts[inProject] = match.NewText(render.Folder(r.Project, c.look.Home), match.Short)
	}
	c.Texts[inBranch] = match.NewText(transcript.CleanLine(r.Branch), match.Short)
	c.Texts[inPrompt] = match.NewText(transcript.CleanLine(r.Prompt), 0)
	c.Texts[inID] = match.NewText(r.ID, match.Prefix)
}

// headingWords returns the heading of a backup's group, and synonyms.
func headingWords(r *sessions.Row, now time.Time) string {
	words, _ := render.GroupOf(r, now)
	if r.Unseen && !r.Pending {
		words += " unseen"
	}
	return words
}

// Hit is a matching row.
type Hit struct {
	match.Hit
	Path    string
	Of      *Candidate
	Query   *match.Query
	TitleAt int  // cells of the title before the first matching letter
	Cut     bool // the row doesn't show the first matching letter
	// The name and value of a matching column that doesn't fit in the row, or "".
	Column, Value string
}

// Marks returns the byte offsets of the matched letters in one text of the row.
func (h *Hit) Marks(f Part) []int { return h.Query.Marks(h.Of.Texts[:], int(f)) }

// cellsBefore returns the cells of the title before the first matched letter. For a short title, it returns 0.
func (h *Hit) cellsBefore() int {
	const short = 24 // in bytes
	title := h.Of.Texts[Title].String()
	if h.Texts&(1<<Title) == 0 || len(title) <= short {
		return 0
	}
	return ansi.StringWidth(title[:h.Marks(Title)[0]])
}

// Below returns the first matching text that the row itself doesn't show, for the line below. It also returns its label
// and the offsets of the matched letters. name may be "".
func (h *Hit) Below() (name, text string, marks []int) {
	if h.Column != "" {
		return h.Column, h.Value, h.inRow().Parts(h.Value)
	}
	for _, f := range []Part{Title, inProject, inBranch, inPrompt, inTodos, inID} {
		if h.Texts&(1<<f) != 0 && (f != Title || h.Cut) {
			name = f.Name()
			if f == inPrompt && h.Of.look.Kind == sessions.KindDocument {
				name = "summary"
			}
			text, marks = h.Of.Texts[f].String(), h.Marks(f)
			if f == inTodos {
				text, marks = matching(text, marks)
			}
			return name, text, marks
		}
	}
	return "", "", nil
}

// todoGap is between two todos in the text of all todos.
const todoGap = " · "

// matching cuts a text of todos to the matching todos. marks has the offsets of the matched letters.
func matching(todos string, marks []int) (text string, moved []int) {
	if len(marks) == 0 {
		return todos, nil
	}
	last := marks[len(marks)-1]
	from, end := 0, len(todos)
	if i := strings.LastIndex(todos[:marks[0]], todoGap); i >= 0 {
		from = i + len(todoGap)
	}
	if i := strings.Index(todos[last:], todoGap); i >= 0 {
		end = last + i
	}
	for _, m := range marks {
		moved = append(moved, m-from)
	}
	return todos[from:end], moved
}

// FindColumn looks for a match in the columns that don't fit in the row. columns yields names and values.
func (h *Hit) FindColumn(columns iter.Seq2[string, string]) {
	h.Column, h.Value = "", ""
	if h.Texts&(1<<RowText) == 0 {
		return
	}
	q := h.inRow()
	for name, value := range columns {
		if len(q.Parts(value)) > 0 {
			h.Column, h.Value = name, value
			return
		}
	}
}

// inRow returns the query with only the words that match in RowText.
func (h *Hit) inRow() match.Query { return h.Query.In(h.Of.Texts[:], int(RowText)) }

// Search returns the matching candidates, best match first. Equally good candidates keep their order. If nothing
// matches, a second search allows other letters between the letters of a word. Search returns nil if ctx ends.
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

// searchFor returns the matching candidates in order. The whole pattern may also match as text: "#12" can be a tag or a
// part of a title.
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
