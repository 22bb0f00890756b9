package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// listedDocument is what list --json says of a document besides: the columns of spec 000, and what is open in it. What
// the document does not say is empty.
type listedDocument struct {
	Number      int          `json:"number"` // in this list, from 1; 0 it is of no session
	Date        out.Time     `json:"date"`
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
		Number: number, Date: out.Time(r.When()), ProjectName: r.Called, Status: r.Status, Summary: r.Prompt, Title: r.Name,
		Tags: out.OrEmpty(r.Tags), Previous: r.Previous, Todos: []listedTodo{}, Next: out.OrEmpty(r.Next), Problem: r.Reason,
		TodosOpen: sessions.OpenTodos(r.Todos),
	}
	for _, t := range r.Todos {
		j.Todos = append(j.Todos, listedTodo{t.Text, t.Priority, t.Done})
	}
	j.TodosDone = len(j.Todos) - j.TodosOpen
	return j
}

// onlyDocuments reports whether a list was asked for documents alone.
func onlyDocuments(kinds []sessions.Kind) bool {
	return len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k sessions.Kind) bool { return k != sessions.KindDocument })
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

// newDocumentColumns decides which columns there are. They leave in this order, until the summary has its room and more
// than the id: branch, project, open, date, status, number. At last the id leaves.
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
		if room := c.summary(width); room < documentSummary || room-documentGap <= c.id {
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

func documentBranchOf(r *sessions.Row) string { return out.OrUnknown(transcript.CleanLine(r.Branch)) }

// documentsPiped is a list of documents for other programs: one a line, tab-separated, nothing cut, real paths. The
// columns are id, date, folder, status, branch, open and done todos, tags, the document before, path.
func documentsPiped(rows []sessions.Row) string {
	var b strings.Builder
	for i := range rows {
		r := &rows[i]
		when := out.Unknown
		if r.Dated() {
			when = r.When().UTC().Format(time.RFC3339)
		}
		open := sessions.OpenTodos(r.Todos)
		b.WriteString(strings.Join([]string{
			out.OrUnknown(out.CleanPath(r.ID)), when, out.OrUnknown(out.CleanPath(cmp.Or(r.Project, r.Workdir))),
			out.OrUnknown(transcript.CleanLine(r.Status)), documentBranchOf(r), strconv.Itoa(open), strconv.Itoa(len(r.Todos) - open),
			out.OrUnknown(transcript.CleanLine(strings.Join(r.Tags, ","))), out.OrUnknown(transcript.CleanLine(r.Previous)), out.OrUnknown(out.CleanPath(r.Path)),
		}, "\t") + "\n")
	}
	return b.String()
}

// documentsText is a list of documents for a person (spec 000, sessions-list).
func documentsText(v listView, look listLook) string {
	if len(v.rows) == 0 {
		return emptyText(v, look.home)
	}
	width := max(min(look.width-out.ListMargin, out.ListMax), 1)
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
		status := render.Span{Ink: render.Muted, Text: out.OrUnknown(transcript.CleanLine(r.Status))}
		if r.Status == "blocked" {
			status.Ink = render.Bad
		}
		open := render.Span{Ink: render.Text}
		if n := sessions.OpenTodos(r.Todos); n > 0 {
			open.Text = render.Count(n)
		}
		text := render.Span{Ink: render.Text, Text: strings.NewReplacer("**", "", "`", "").Replace(cmp.Or(r.Prompt, r.Name))}
		if r.Reason != "" {
			text = render.Span{Ink: render.Bad, Text: "✗ " + r.Reason}
		}
		number := strconv.Itoa(i + 1)
		if isMemory(r) {
			if number = ""; i == 0 || !isMemory(&v.rows[i-1]) {
				if i > 0 {
					b.WriteString("\n")
				}
				put(render.NewLine(look.styles, width).Put(render.Faint, "Memory"))
			}
		}
		put(c.line(look, width, [8]render.Span{
			faint(number),
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
