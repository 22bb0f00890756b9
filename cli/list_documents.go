package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// listedDocument is what list --json says of a document besides: the columns of spec 000, and what is open in it. What
// the document does not say is empty.
type listedDocument struct {
	Number      int          `json:"number"` // in this list, from 1
	Date        stamp        `json:"date"`
	ProjectName string       `json:"projectName"` // as its front matter says; project is where it is
	Status      string       `json:"status"`
	Summary     string       `json:"summary"` // first line of Session Summary
	Title       string       `json:"title"`
	Tags        []string     `json:"tags"`
	Previous    string       `json:"previous"` // file name
	Todos       []listedTodo `json:"todos"`
	TodosOpen   int          `json:"todosOpen"`
	TodosDone   int          `json:"todosDone"`
	Next        []string     `json:"next"`
	Problem     string       `json:"problem"`
}

type listedTodo struct {
	Text     string `json:"text"`
	Priority string `json:"priority"` // high, medium, low, blocked; "" none is given
	Done     bool   `json:"done"`
}

func newListedDocument(r *sessions.Row, number int) *listedDocument {
	j := &listedDocument{
		Number: number, Date: stamp(r.When()), ProjectName: r.Called, Status: r.Status, Summary: r.Prompt, Title: r.Name,
		Tags: orEmpty(r.Tags), Previous: r.Previous, Todos: []listedTodo{}, Next: orEmpty(r.Next), Problem: r.Reason,
		TodosOpen: openTodos(r.Todos),
	}
	for _, t := range r.Todos {
		j.Todos = append(j.Todos, listedTodo{t.Text, t.Priority, t.Done})
	}
	j.TodosDone = len(j.Todos) - j.TodosOpen
	return j
}

// openTodos counts those that are not done.
func openTodos(todos []sessions.Todo) int {
	n := 0
	for _, t := range todos {
		if !t.Done {
			n++
		}
	}
	return n
}

// onlyDocuments reports whether a list was asked for documents alone.
func (o *listOptions) onlyDocuments() bool {
	return len(o.kinds) > 0 && !slices.ContainsFunc(o.kinds, func(k sessions.Kind) bool { return k != sessions.KindDocument })
}

// documentColumns are those of spec 000, and what is open and how to name it: their widths, 0 for one that has left.
type documentColumns struct{ number, date, project, status, open, branch, id int }

const (
	documentGap      = 2
	documentSummary  = 24 // at least; then other columns leave
	documentLeast    = 10 // and then the id
	documentCalled   = 12 // at most
	documentBranch   = 14 // at most
	documentDay      = len("2006-01-02")
	documentStatus   = len("in-progress")
	documentOpen     = len("open")
	documentNameless = "unknown" // spec 000: a project without a name
)

// newDocumentColumns decides which columns there are. They leave in this order: branch, project, open, date, status,
// number, id.
func newDocumentColumns(rows []sessions.Row, width int) documentColumns {
	c := documentColumns{number: len(strconv.Itoa(len(rows))), date: documentDay, status: documentStatus, open: documentOpen}
	c.project, c.branch = len("project"), len("branch")
	for i := range rows {
		r := &rows[i]
		c.project = max(c.project, min(ansi.StringWidth(documentProjectOf(r)), documentCalled))
		c.branch = max(c.branch, min(ansi.StringWidth(documentBranchOf(r)), documentBranch))
		c.id = max(c.id, ansi.StringWidth(listID(r)))
	}
	for _, column := range []*int{&c.branch, &c.project, &c.open, &c.date, &c.status, &c.number} {
		if c.summary(width) < documentSummary {
			*column = 0
		}
	}
	if c.summary(width) < documentLeast {
		c.id = 0
	}
	return c
}

// summary is what the other columns leave.
func (c *documentColumns) summary(width int) int {
	for _, w := range [...]int{c.number, c.date, c.project, c.status, c.open, c.branch, c.id} {
		if w > 0 {
			width -= w + documentGap
		}
	}
	return width
}

func documentProjectOf(r *sessions.Row) string { return cmp.Or(r.Called, documentNameless) }

func documentBranchOf(r *sessions.Row) string { return orUnknown(r.Branch) }

// documentsText is a list of documents for a person (spec 000, sessions-list).
func documentsText(v listView, look listLook) string {
	if len(v.rows) == 0 {
		return emptyText(v, look.home)
	}
	width := max(min(look.width-listMargin, listMax), 1)
	c := newDocumentColumns(v.rows, width)
	var b strings.Builder
	put := func(l *render.Line) { b.WriteString(strings.TrimRight(l.String(), " ") + "\n") }
	put(render.NewLine(look.styles, width).Put(render.Heading, v.heading(look.home)))
	b.WriteString("\n")
	faint := func(text string) render.Span { return render.Span{Ink: render.Faint, Text: text} }
	put(c.line(look, width, [8]render.Span{
		faint("#"), faint("date"), faint("project"), faint("status"), faint("open"), faint("branch"), faint("summary"), faint("id"),
	}))
	for i := range v.rows {
		r := &v.rows[i]
		status := render.Span{Ink: render.Muted, Text: orUnknown(transcript.CleanLine(r.Status))}
		if r.Status == "blocked" {
			status.Ink = render.Bad
		}
		open := render.Span{Ink: render.Text}
		if n := openTodos(r.Todos); n > 0 {
			open.Text = render.Count(n)
		}
		text := render.Span{Ink: render.Text, Text: strings.NewReplacer("**", "", "`", "").Replace(cmp.Or(r.Prompt, r.Name))}
		if r.Reason != "" {
			text = render.Span{Ink: render.Bad, Text: "✗ " + r.Reason}
		}
		put(c.line(look, width, [8]render.Span{
			faint(strconv.Itoa(i + 1)),
			{Ink: render.Muted, Text: r.When().In(look.now.Location()).Format("2006-01-02")},
			{Ink: render.Muted, Text: documentProjectOf(r)},
			status, open,
			{Ink: render.Faint, Text: documentBranchOf(r)},
			text, faint(listID(r)),
		}))
	}
	if sum := sumText(v); sum != "" {
		b.WriteString("\n" + sum + "\n")
	}
	return b.String()
}

// line draws number, date, project, status, open todos, branch, summary and id. Numbers stand at the right.
func (c *documentColumns) line(look listLook, width int, cells [8]render.Span) *render.Line {
	l := render.NewLine(look.styles, width)
	at := 0
	for i, w := range [8]int{c.number, c.date, c.project, c.status, c.open, c.branch, c.summary(width) - documentGap, c.id} {
		switch {
		case w <= 0:
			continue
		case i == 0 || i == 4:
			l.Right(at+w, cells[i])
		default:
			l.To(at).PutUntil(cells[i].Ink, transcript.CleanLine(cells[i].Text), at+w)
		}
		at += w + documentGap
	}
	return l
}
