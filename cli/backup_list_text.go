package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/tui/render"
)

// The columns of a backup in cells, with the gap behind each.
const (
	backupWhenAt   = 2
	backupWhen     = 19
	backupWhenLess = 16 // "Yesterday 18:42"
	backupMade     = 9
	backupProject  = 11 // at least
	backupLive     = 26 // with all of "◐ gone, the only copy" and air before the size
	backupLiveFits = 23
	backupLiveLess = 18 // "> has grown since"
	backupSize     = 8
	backupSession  = 3 + 8
)

// backupGrid has the columns of a backup: their widths, 0 for one that has left.
type backupGrid struct{ when, made, project, live, size, session int }

// newBackupGrid decides which columns there are. The live file and the time get narrow first; then they leave in this
// order: made by, size, project, session, live file.
func newBackupGrid(width, longest int) backupGrid {
	g := backupGrid{backupWhen, backupMade, backupProject, backupLive, backupSize, backupSession}
	spare := func() int { return width - backupWhenAt - g.when - g.made - g.project - g.live - g.size - g.session }
	if spare() < 0 {
		g.live = backupLiveLess
	}
	if spare() < 0 {
		g.when = backupWhenLess
	}
	for _, column := range []*int{&g.made, &g.size, &g.project, &g.session, &g.live} {
		if spare() < 0 {
			*column = 0
		}
	}
	if g.project > 0 {
		g.project = max(g.project, min(longest+2, planName, g.project+spare()))
	}
	return g
}

// backupsText is the list for a person: list is all that there is, shown those that are not hidden.
func backupsText(env *Env, o *out.Output, list, shown []*backupRow) string {
	if len(list) == 0 {
		return o.Out.Wrapped("No backups. Where continuo init has installed its hooks, they are made when a session ends or is compacted.")
	}
	longest := 0
	for _, b := range shown {
		longest = max(longest, ansi.StringWidth(projectName(&b.row)))
	}
	width := o.Out.Page()
	g := newBackupGrid(width, longest)
	var text strings.Builder
	put := func(l *render.Line) { text.WriteString(strings.TrimRight(l.String(), " ") + "\n") }
	if len(shown) > 0 {
		put(backupHeader(o, g, width))
	}
	for _, group := range []struct {
		group backupGroup
		name  string
	}{{backupPending, "Pending"}, {backupUnseen, "Never looked at"}, {backupSeen, "Seen"}} {
		var of []*backupRow
		for _, b := range shown {
			if b.group == group.group {
				of = append(of, b)
			}
		}
		if len(of) == 0 {
			continue
		}
		if strings.Count(text.String(), "\n") > 1 {
			text.WriteString("\n")
		}
		put(render.NewLine(o.Out.Styles, width).Put(render.Heading, group.name).Put(render.Faint, " "+render.Count(len(of))))
		for _, b := range of {
			put(backupLine(env, o, b, g, width))
		}
	}
	if len(shown) > 0 {
		text.WriteString("\n")
	}
	sum := backupsSum(list)
	if hidden := len(list) - len(shown); hidden > 0 {
		shows := " seen: --all shows them. "
		if hidden == 1 {
			shows = " seen: --all shows it. "
		}
		sum = render.Count(hidden) + shows + sum
	}
	for _, line := range render.Wrap(sum+" continuo backup discard takes a time or a session.", width) {
		text.WriteString(line + "\n")
	}
	return text.String()
}

// backupsSum counts backups and their bytes: "46 backups, 78 MB."
func backupsSum(list []*backupRow) string {
	var bytes int64
	for _, b := range list {
		bytes += b.row.Bytes
	}
	return out.Count(len(list), "backup") + ", " + render.Size(bytes) + "."
}

// backupHeader are the names of the columns.
func backupHeader(s *out.Output, g backupGrid, width int) *render.Line {
	l := render.NewLine(s.Out.Styles, width).To(backupWhenAt).Put(render.Faint, "when")
	at := backupWhenAt + g.when
	for _, c := range []struct {
		width int
		name  string
	}{{g.made, "made by"}, {g.project, "project"}, {g.live, "live file"}} {
		if c.width > 0 {
			l.To(at).Put(render.Faint, c.name)
		}
		at += c.width
	}
	if at += g.size; g.size > 0 {
		l.Right(at, render.Span{Ink: render.Faint, Text: "size"})
	}
	if g.session > 0 {
		l.To(at+3).Put(render.Faint, "session")
	}
	return l
}

// backupLine is one line of the list.
func backupLine(env *Env, o *out.Output, b *backupRow, g backupGrid, width int) *render.Line {
	glyph := render.Span{Ink: render.Faint, Text: "·"}
	switch {
	case b.fault != "":
		glyph = render.Span{Ink: render.BadBold, Text: "✗"}
	case b.group == backupPending:
		glyph = render.Span{Ink: render.Urgent, Text: "!"}
	case b.group == backupSeen:
		glyph.Text = " "
	}
	at := backupWhenAt + g.when
	when := render.Moment(env.now(), b.row.When())
	l := render.NewLine(o.Out.Styles, width).Spans(glyph).To(backupWhenAt).PutUntil(render.Text, when, at-1)
	if g.made > 0 {
		l.To(at).PutUntil(render.Muted, b.madeBy(), at+g.made-1)
	}
	if at += g.made; g.project > 0 {
		l.To(at).PutUntil(render.Muted, projectName(&b.row), at+g.project-1)
	}
	if at += g.project; g.live > 0 {
		mark, words := b.relationText()
		if g.live < backupLiveFits {
			words.Text, _, _ = strings.Cut(words.Text, ", ")
		}
		l.To(at).Spans(mark).Put(render.Text, " ").PutUntil(words.Ink, words.Text, at+g.live-1)
	}
	if at += g.live + g.size; g.size > 0 {
		l.Right(at, render.Span{Ink: render.Muted, Text: render.Size(b.row.Bytes)})
	}
	if g.session > 0 {
		l.To(at+3).Put(render.Faint, b.session())
	}
	return l
}
