package find

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// listPiped has the columns of a list of sessions in a pipe. when is the time of the last message.
const listPiped = "id badge when messages branch folder name"

type listColumn = out.Column[*sessions.Row]

// tokens has the numbers of tokens of a session, for JSON.
type tokens struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// contextTokens is the size of a session's context in tokens.
type contextTokens struct {
	Tokens int64  `json:"tokens"`
	Base   *int64 `json:"base"` // null if unknown
}

// ListColumns returns the columns of list --json. A count is null if the list is quick or the file unreadable.
// The context size is null if unknown.
func ListColumns() []listColumn {
	return []listColumn{
		{Key: "kind", Value: func(r *sessions.Row) any { return string(r.Kind) }},
		{Key: "id", Value: func(r *sessions.Row) any { return out.Path(r.ID) }},
		{Key: "path", Value: func(r *sessions.Row) any { return out.Path(r.Path) }},
		{Key: "project", Value: func(r *sessions.Row) any { return r.Project }},
		{Key: "workdir", Value: func(r *sessions.Row) any { return r.Workdir }},
		{Key: "name", Value: func(r *sessions.Row) any { return r.Name }},
		{Key: "firstPrompt", Value: func(r *sessions.Row) any { return r.Prompt }},
		{
			Key: "branch", Head: "branch", Ink: render.Faint, Max: 14, Leave: 1, Room: documentSummary,
			Value: func(r *sessions.Row) any { return r.Branch },
			Text:  func(r *sessions.Row) string { return out.OrUnknown(transcript.CleanLine(r.Branch)) },
		},
		{Key: "created", Value: func(r *sessions.Row) any { return out.Time(r.Created) }},
		{Key: "modified", Value: func(r *sessions.Row) any { return out.Time(r.Modified) }},
		{Key: "firstMessage", Value: func(r *sessions.Row) any { return out.Time(r.First) }},
		{Key: "lastMessage", Value: func(r *sessions.Row) any { return out.Time(r.Last) }},
		{Key: "messages", Value: listMessages},
		{Key: "tokens", Value: func(r *sessions.Row) any {
			if !r.Counted() {
				return nil
			}
			return tokens{r.Tokens.Input, r.Tokens.Output, r.Tokens.CacheRead, r.Tokens.CacheWrite}
		}},
		{Key: "context", Value: listContext},
		{Key: "bytes", Value: func(r *sessions.Row) any { return r.Bytes }},
		{Key: "version", Value: func(r *sessions.Row) any { return r.Version }},
		{Key: "state", Value: func(r *sessions.Row) any { return r.State }},
		{Key: "flags", Value: func(r *sessions.Row) any { return out.OrEmpty(r.Flags) }},
		{Key: "reason", Value: func(r *sessions.Row) any { return r.Reason }},
		{Key: "models", Value: func(r *sessions.Row) any { return out.OrEmpty(r.Models) }},
		{Key: "agents", Value: func(r *sessions.Row) any { return out.OrEmpty(r.Agents) }},
		{Key: "pending", Value: func(r *sessions.Row) any { return r.Pending }},
		{Key: "starred", Value: func(r *sessions.Row) any { return r.Starred }, Has: func(r *sessions.Row) bool { return r.Starred }},
		{Key: "archived", Value: func(r *sessions.Row) any { return r.Archived }, Has: func(r *sessions.Row) bool { return r.Archived }},
		{Key: "note", Value: func(r *sessions.Row) any { return r.Note }, Has: func(r *sessions.Row) bool { return r.Note != "" }},
		{Key: "picker", Tab: (*sessions.Row).Unpicked, Value: func(r *sessions.Row) any { return r.Unpicked() }, Has: func(r *sessions.Row) bool { return r.Unpicked() != "" }},
		{Key: "badge", Tab: func(r *sessions.Row) string { return place.BadgeName(r.Badge()) }},
		{Key: "when", Tab: listWhen},
		{Key: "folder", Tab: func(r *sessions.Row) string { return out.CleanPath(cmp.Or(r.Workdir, r.Project)) }},
	}
}

func listMessages(r *sessions.Row) any {
	if !r.Counted() {
		return nil
	}
	return r.Messages
}

func listContext(r *sessions.Row) any {
	if r.ContextTokens <= 0 {
		return nil
	}
	c := contextTokens{Tokens: r.ContextTokens}
	if r.ContextBase > 0 {
		c.Base = &r.ContextBase
	}
	return c
}

func listWhen(r *sessions.Row) string {
	if !r.Dated() {
		return ""
	}
	return out.When(r.When())
}

// ListTable describes rows of all kinds, for pipes and --json. Text formats them for a terminal.
func ListTable(rows []*sessions.Row) *out.Table[*sessions.Row] {
	return &out.Table[*sessions.Row]{Columns: append(ListColumns(), documentColumns(rows)...), Piped: listPiped}
}

// listedTodo is a todo of a document, for JSON.
type listedTodo struct {
	Text     string `json:"text"`
	Priority string `json:"priority"` // high, medium, low, blocked, or ""
	Done     bool   `json:"done"`
}

const (
	documentSummary  = 26        // if the summary is narrower, only the ID stays with it
	documentLeast    = 10        // if the summary is narrower, the ID is dropped too
	documentNameless = "unknown" // name of a project without a name (spec 000)
)

// documentColumns returns the columns of documents: those of spec 000, and the open todos. A missing fact is "".
func documentColumns(rows []*sessions.Row) []listColumn {
	numbers := documentNumbers(rows)
	list := []listColumn{
		{ // from 1; 0 for a document without a session
			Key: "number", Head: "#", Right: true, Ink: render.Faint, Leave: 6, Room: documentSummary,
			Value: func(r *sessions.Row) any { return numbers[r] },
			Text: func(r *sessions.Row) string {
				if numbers[r] == 0 {
					return ""
				}
				return strconv.Itoa(numbers[r])
			},
		},
		{
			Key: "date", Head: "date", Ink: render.Muted, Leave: 4, Room: documentSummary,
			Value: func(r *sessions.Row) any { return out.Time(r.When()) }, Tab: listWhen,
		},
		{ // from the front matter; the column project is the project with the document
			Key: "projectName", Head: "project", Ink: render.Muted, Max: 12, Leave: 2, Room: documentSummary,
			Value: func(r *sessions.Row) any { return r.Called },
			Text:  func(r *sessions.Row) string { return cmp.Or(r.Called, documentNameless) },
		},
		{Key: "status", Head: "status", Leave: 5, Room: documentSummary, Value: func(r *sessions.Row) any { return r.Status }, Cell: documentStatus},
		{Key: "summary", Head: "summary", Fill: true, Least: documentLeast, Value: func(r *sessions.Row) any { return r.Prompt }, Cell: documentSays}, // first line of Session Summary
		{Key: "title", Value: func(r *sessions.Row) any { return r.Name }},
		{Key: "tags", Value: func(r *sessions.Row) any { return out.OrEmpty(r.Tags) }},
		{Key: "previous", Value: func(r *sessions.Row) any { return r.Previous }}, // file name
		{Key: "todos", Value: func(r *sessions.Row) any {
			todos := []listedTodo{}
			for _, t := range r.Todos {
				todos = append(todos, listedTodo{t.Text, t.Priority, t.Done})
			}
			return todos
		}},
		{
			Key: "todosOpen", Head: "open", Right: true, Leave: 3, Room: documentSummary,
			Value: func(r *sessions.Row) any { return sessions.OpenTodos(r.Todos) },
			Text: func(r *sessions.Row) string {
				if n := sessions.OpenTodos(r.Todos); n > 0 {
					return words.Count(n)
				}
				return ""
			},
		},
		{Key: "todosDone", Value: func(r *sessions.Row) any { return len(r.Todos) - sessions.OpenTodos(r.Todos) }},
		{Key: "next", Value: func(r *sessions.Row) any { return out.OrEmpty(r.Next) }},
		{Key: "problem", Value: func(r *sessions.Row) any { return r.Reason }},
	}
	for i := range list {
		list[i].Has = func(r *sessions.Row) bool { return r.Kind == sessions.KindDocument }
		if list[i].Key == "tags" {
			list[i].Has = func(r *sessions.Row) bool { return r.Kind == sessions.KindDocument || len(r.Tags) > 0 }
		}
	}
	return list
}

// documentNumbers numbers the documents that belong to sessions.
func documentNumbers(rows []*sessions.Row) map[*sessions.Row]int {
	numbers := map[*sessions.Row]int{}
	for _, r := range rows {
		if r.IsSessionDocument() {
			numbers[r] = len(numbers) + 1
		}
	}
	return numbers
}

func documentStatus(r *sessions.Row) []render.Span {
	ink := render.Muted
	if r.Status == "blocked" {
		ink = render.Bad
	}
	return []render.Span{{Ink: ink, Text: out.OrUnknown(transcript.CleanLine(r.Status))}}
}

// documentSays returns the summary of a document, or why it can't be read.
func documentSays(r *sessions.Row) []render.Span {
	if r.Reason != "" {
		return []render.Span{{Ink: render.Bad, Text: "✗ " + transcript.CleanLine(r.Reason)}}
	}
	return []render.Span{{Ink: render.Text, Text: transcript.CleanLine(strings.NewReplacer("**", "", "`", "").Replace(cmp.Or(r.Prompt, r.Name)))}}
}

// documentsTable describes a list of documents (spec 000, sessions-list). Documents of sessions come first, then the
// memory, then snapshots.
func documentsTable(env *place.Env, rows []*sessions.Row) *out.Table[*sessions.Row] {
	t := ListTable(rows)
	t.Piped = "id date place status branch todosOpen todosDone tags previous path"
	t.Shown = "number date projectName status todosOpen branch summary id"
	t.Group = func(r *sessions.Row) string {
		return []string{"", "Memory", "Snapshots"}[documentOrder(r)]
	}
	t.Columns = append(t.Columns, listColumn{Key: "place", Tab: func(r *sessions.Row) string { return out.CleanPath(cmp.Or(r.Project, r.Workdir)) }})
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Key {
		case "id":
			c.Head, c.Ink, c.Leave, c.Text = "id", render.Faint, 7, ListID
		case "date":
			c.Text = func(r *sessions.Row) string { return r.When().In(env.Now().Location()).Format("2006-01-02") }
		}
	}
	return t
}

// onlyDocuments reports whether --kind names only documents.
func onlyDocuments(kinds []sessions.Kind) bool {
	return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k sessions.Kind) bool { return k != sessions.KindDocument })
}
