package find

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// ListLook is the layout of a list.
type ListLook struct {
	Width  int
	Now    time.Time
	home   string
	Styles *render.Styles
}

// Text formats a list as in the browser, without the selection bar.
func Text(v ListView, look ListLook) string {
	if len(v.rows) == 0 {
		return emptyText(v, look.home)
	}
	o := render.RowOptions{
		Width: max(min(look.Width-out.ListMargin, out.ListMax), 1), Styles: look.Styles, Now: look.Now,
		Command: true, Project: !oneProject(v.rows),
	}
	for i := range v.rows {
		o.ID = max(o.ID, ansi.StringWidth(ListID(&v.rows[i])))
	}
	var b strings.Builder
	b.WriteString(render.Header([]render.Span{{Ink: render.Heading, Text: v.heading(look.home)}}, o) + "\n\n")
	for _, r := range v.rows {
		r.Name, r.ID = pickedTitle(&r, v.picker), ListID(&r) // the full ID, for copying
		b.WriteString(strings.TrimRight(render.Row(&r, o), " ") + "\n")
	}
	if sum := sumText(v); sum != "" {
		b.WriteString("\n" + sum + "\n")
	}
	return b.String()
}

// pickedTitle returns the title of a row. With picker, it adds why Claude Code's /resume list leaves the row
// out.
func pickedTitle(r *sessions.Row, picker bool) string {
	if picker {
		return render.Title(r) + " (" + r.Unpicked() + ")"
	}
	return render.Title(r)
}

// ListID returns the short ID of a row. For a copy or a document, it is the file name without the leading date
// or "session".
func ListID(r *sessions.Row) string {
	const stamp, document = len("20060102_150405Z"), len("session-2006-01-02-150405")
	n := 0
	switch r.Kind {
	case sessions.KindBackup:
		n = stamp
	case sessions.KindDocument:
		n = document
	case sessions.KindSession:
		return place.ShortID(r.ID)
	}
	runes := []rune(out.CleanPath(r.ID))
	return strings.TrimSuffix(string(runes[:min(len(runes), n)]), "_")
}

// oneProject reports whether all rows belong to one project.
func oneProject(rows []sessions.Row) bool {
	for i := range rows {
		if rows[i].Project != rows[0].Project {
			return false
		}
	}
	return true
}

// heading describes the list, such as "teahouse and 2 worktrees, 10 of 38 sessions".
func (v *ListView) heading(home string) string {
	var b strings.Builder
	switch s := v.scope; {
	case s.Below != "" && s.Below != s.Project:
		b.WriteString(sessions.Tilde(s.Below, home))
	case s.Project != "":
		b.WriteString(place.BaseName(s.Project))
	default:
		b.WriteString("All projects")
	}
	if v.worktrees > 0 {
		b.WriteString(" and " + out.Count(v.worktrees, "worktree"))
	}
	b.WriteString(", ")
	if len(v.rows) < v.total {
		b.WriteString(words.Count(len(v.rows)) + " of ")
	}
	b.WriteString(v.Totals())
	return b.String()
}

// Totals counts the rows by kind, without the limit: "38 sessions, 4 backups and 1 document". Documents without
// a session are memory files or snapshots.
func (v *ListView) Totals() string {
	var parts []string
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument} {
		if n := v.Kinds[kind]; n > 0 {
			parts = append(parts, out.Count(n, string(kind)))
		}
	}
	if v.memory > 0 {
		parts = append(parts, out.Count(v.memory, "memory file"))
	}
	if v.snapshots > 0 {
		parts = append(parts, out.Count(v.snapshots, "snapshot"))
	}
	if len(parts) == 0 {
		return "no sessions"
	}
	return words.AndList(parts)
}

// sumText says which rows are hidden and how to show them, or "".
func sumText(v ListView) string {
	var parts []string
	if more := v.total - len(v.rows); more > 0 {
		parts = append(parts, words.Count(more)+" more: --limit 0 shows all.")
	}
	if hidden := v.hidden.parts(); len(hidden) > 0 {
		are := " are hidden: --all shows them."
		if len(hidden) == 1 && strings.HasPrefix(hidden[0], "1 ") {
			are = " is hidden: --all shows it."
		}
		parts = append(parts, words.AndList(hidden)+are)
	}
	return strings.Join(parts, " ")
}

func (h hiddenRows) parts() []string {
	var parts []string
	for _, p := range []struct {
		n     int
		thing string
	}{{h.stubs, "stub"}, {h.sdk, "headless run"}, {h.archived, "archived session"}, {h.backups, "backup"}, {h.documents, "document"}, {h.memory, "memory file"}} {
		if p.n > 0 {
			parts = append(parts, out.Count(p.n, p.thing))
		}
	}
	return parts
}

// emptyText returns the message for an empty list.
func emptyText(v ListView, home string) string {
	var b strings.Builder
	switch {
	case v.filtered && v.scope == Scope{}:
		b.WriteString("Nothing matches. Remove a filter.\n")
	case v.filtered:
		b.WriteString("Nothing matches. Remove a filter, or list every project: continuo list --all\n")
	case v.scope != Scope{}:
		b.WriteString("No sessions here. Look in every project: continuo list --all\n")
	default:
		b.WriteString(nothingText(v.looked, home))
	}
	if sum := sumText(v); sum != "" {
		b.WriteString(sum + "\n")
	}
	return b.String()
}
