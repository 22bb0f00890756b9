package searching

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui/render"
)

// view prints the results of a search.
type view struct {
	env     *place.Env
	results []search.Result
	left    int // results beyond the limit
	hits    int
	around  map[string]around // by the key of a hit; nil without --context
}

func viewOf(env *place.Env, b *search.Batch, a *ask) *view {
	v := &view{env: env, results: b.Results, hits: b.Hits}
	if a.limit > 0 && len(v.results) > a.limit {
		v.left = len(v.results) - a.limit
		v.results = v.results[:a.limit]
	}
	return v
}

// columns describes a result for JSON and for pipes.
func (v *view) columns() []out.Column[*search.Result] {
	hit := func(of func(*search.Hit) any, title any) func(*search.Result) any {
		return func(r *search.Result) any {
			if len(r.Hits) == 0 {
				return title
			}
			return of(&r.Hits[0])
		}
	}
	return []out.Column[*search.Result]{
		{Key: "id", Value: func(r *search.Result) any {
			if id := idOf(r); id != "" {
				return id
			}
			return nil // a ledger or a checkpoint
		}},
		{Key: "kind", Value: func(r *search.Result) any { return kindOf(r.Kind) }},
		{Key: "path", Value: func(r *search.Result) any {
			if len(r.Hits) > 0 {
				return out.Path(r.Hits[0].Path)
			}
			return out.Path(r.Path)
		}},
		{Key: "message", Value: hit(func(h *search.Hit) any { return h.Offset }, nil)},
		{Key: "role", Value: hit(func(h *search.Hit) any { return h.Role }, "title")},
		{Key: "time", Value: func(r *search.Result) any {
			if len(r.Hits) > 0 {
				return out.Time(r.Hits[0].Time)
			}
			return out.Time(r.Time)
		}},
		{Key: "title", Value: func(r *search.Result) any { return r.Title }},
		{Key: "snippet", Value: func(r *search.Result) any {
			if len(r.Hits) == 0 {
				return r.Title
			}
			return r.Hits[0].Snippet
		}},
		{Key: "hits", Value: func(r *search.Result) any { return r.Count }},
		{Key: "context", Has: func(*search.Result) bool { return v.around != nil }, Value: func(r *search.Result) any {
			if len(r.Hits) == 0 {
				return around{}.json()
			}
			return v.around[keyOf(&r.Hits[0])].json()
		}},
	}
}

func idOf(r *search.Result) string {
	if r.Row == nil {
		return ""
	}
	return cmp.Or(r.Row.Of, r.Row.ID)
}

func kindOf(k index.Kind) string {
	switch k {
	case index.Backup:
		return "backup"
	case index.Document:
		return "document"
	case index.Ledger:
		return "ledger"
	case index.Checkpoint:
		return "checkpoint"
	case index.Session, index.Subagent:
	}
	return "session"
}

// print prints the results as JSON lines, tab-separated lines, or groups.
func (v *view) print(o *out.Output) error {
	table := out.Table[*search.Result]{Columns: v.columns(), Piped: "id kind hits role time path message snippet"}
	rows := out.Pointers(v.results)
	switch {
	case o.JSON:
		for _, r := range rows {
			if err := o.PrintJSON(out.Object(table.Columns, r)); err != nil {
				return err
			}
		}
		return nil
	case o.Out.Terminal:
		o.Out.Print(v.text(o.Out))
		return nil
	}
	return table.Print(o, rows, "")
}

// text formats the results for a terminal.
func (v *view) text(o *out.Stream) string {
	var b strings.Builder
	s := o.Styles
	if len(v.results) == 0 {
		return "No match.\n"
	}
	for i := range v.results {
		r := &v.results[i]
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.Paint(render.Muted, render.Folder(r.Project, v.env.Home)) + "  " + v.marked(s, r.Title, r.InTitle, render.Strong) +
			"  " + s.Paint(render.Faint, v.about(r)) + "\n")
		for j := range r.Hits {
			h := &r.Hits[j]
			v.context(&b, s, v.around[keyOf(h)].Before)
			b.WriteString("  " + s.Paint(render.Muted, pad(h.Role, 9)) + " " + s.Paint(render.Faint, pad(v.when(h.Time), 12)) + " " +
				v.marked(s, v.cut(h, o.Width-26), h.Marks, render.Text) + "\n")
			v.context(&b, s, v.around[keyOf(h)].After)
		}
		if n := r.Count - len(r.Hits); n > 0 {
			b.WriteString("  " + s.Paint(render.Faint, "… "+words.Count(n)+" more") + "\n")
		}
	}
	b.WriteString("\n" + v.sum() + "\n")
	return b.String()
}

// about describes a result: the kind, unless it is a session, the ID, and the age.
func (v *view) about(r *search.Result) string {
	var parts []string
	if r.Kind != index.Session {
		parts = append(parts, kindOf(r.Kind))
	}
	if id := idOf(r); id != "" && r.Kind != index.Document {
		parts = append(parts, place.ShortID(id))
	}
	if r.Kind == index.Document {
		parts = append(parts, place.BaseName(r.Path))
	}
	if !r.Time.IsZero() {
		parts = append(parts, words.Ago(v.env.Now(), r.Time))
	}
	return strings.Join(parts, " · ")
}

// sum returns the line below the results.
func (v *view) sum() string {
	n := len(v.results) + v.left
	text := words.Counted(v.hits, "match", "matches") + " in " + out.Count(n, "result")
	if v.left > 0 {
		text += ", " + words.Count(v.left) + " not shown. --limit 0 shows all."
	}
	return text
}

func (v *view) when(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(v.env.Now().Location())
	if v.env.Now().Sub(at) < 24*time.Hour {
		return at.Format("15:04")
	}
	if at.Year() == v.env.Now().Year() {
		return at.Format("Jan 2 15:04")
	}
	return at.Format("2006-01-02")
}

func pad(s string, cells int) string {
	return s + strings.Repeat(" ", max(0, cells-ansi.StringWidth(s)))
}

// cut shortens a snippet to cells, and keeps the first match.
func (v *view) cut(h *search.Hit, cells int) string {
	if len(h.Marks) > 0 {
		cells = max(cells, ansi.StringWidth(h.Snippet[:h.Marks[0].End])+1)
	}
	return words.Cut(h.Snippet, max(cells, 20))
}

// marked paints a text with highlighted matches.
func (v *view) marked(s *render.Styles, text string, marks []query.Span, ink render.Ink) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		if m.End > len(text) {
			break
		}
		b.WriteString(s.Paint(ink, text[at:m.Start]) + s.Paint(render.Match, text[m.Start:m.End]))
		at = m.End
	}
	return b.String() + s.Paint(ink, text[at:])
}

func (v *view) context(b *strings.Builder, s *render.Styles, messages []nearby) {
	for _, m := range messages {
		b.WriteString("  " + s.Paint(render.Faint, pad(m.Role, 9)+" "+pad(v.when(time.Time(m.Time)), 12)+" "+words.Cut(m.Text, 100)) + "\n")
	}
}

// keyOf returns a key that identifies a hit.
func keyOf(h *search.Hit) string { return h.Path + "\x00" + strconv.FormatInt(h.Offset, 10) }

// aroundHits returns the messages around the hits.
func aroundHits(ctx context.Context, env *place.Env, results []search.Result, n int) map[string]around {
	m := map[string]around{}
	for i := range results {
		for j := range results[i].Hits {
			h := &results[i].Hits[j]
			m[keyOf(h)] = lookAround(ctx, env, h, n)
		}
	}
	return m
}
