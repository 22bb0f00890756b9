package preview

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// facts draws the title and the facts of a session. An unknown number is "…".
func (p *Pane) facts(row *sessions.Row, f Facts, width int) []string {
	lines := []string{line(f, width).Put(render.Strong, render.Title(row)).String()}
	add := func(left string, right ...render.Span) {
		if left != "" || render.SpansWidth(right) > 0 {
			lines = append(lines, line(f, width).PutUntil(render.Muted, left, width-1-render.SpansWidth(right)-2).Right(width-1, right...).String())
		}
	}
	model := render.Model(row.Models)
	add(where(row, f.Folder, width-5-len(model)), render.Span{Ink: render.Faint, Text: model})
	took := ""
	if !row.First.IsZero() {
		took = words.Duration(row.Last.Sub(row.First))
	}
	add(render.When(row, f.Now, f.Zone), render.Span{Ink: render.Faint, Text: took})
	switch c := p.changes; {
	case row.State == sessions.StateUnreadable || row.Deleted: // they are never counted
	case c == nil:
		add("… files changed")
	case c.Files == 0:
		add("No files changed")
	default:
		add(words.Counted(c.Files, "file", "files")+" changed", talk.LineCounts(c.Added, c.Removed)...)
	}
	known, messages := row.Known, row.Messages
	if !row.Counted() { // the preview was read before the exact pass
		known, messages = p.Known, p.Messages
	}
	switch {
	case known > 0:
		lines = append(lines, line(f, width).Spans(render.StillKnownSpans(known, messages, 0)...).String())
	case messages == 0 && !row.Counted():
		add("… messages")
	default:
		add(words.Counted(messages, "message", "messages"))
	}
	if glyph, word := render.BadgeSpans(row, f.Now); word.Text != "" {
		lines = append(lines, sentence(f, width, glyph, word, p.because(row, f))...)
	}
	for _, text := range append(copyOf(f), notes(row)...) {
		for _, s := range render.Wrap(text, width-6) {
			lines = append(lines, line(f, width).To(4).Put(render.Faint, s).String())
		}
	}
	return lines
}

// sentence draws a badge, and the reason for the badge.
func sentence(f Facts, width int, glyph, word render.Span, why string) []string {
	var lines []string
	for i, s := range render.Wrap(word.Text+why, width-6) {
		l := line(f, width)
		if i == 0 {
			l.Spans(glyph, render.Span{Ink: render.Text, Text: " "})
			if len(s) >= len(word.Text) {
				l.Spans(word)
				s = s[len(word.Text):]
			}
		}
		lines = append(lines, l.To(4).Put(render.Muted, s).String())
	}
	return lines
}

// where returns the project and the branch. It also returns another directory, such as a worktree. folder, if set,
// replaces the project's name. room is in cells.
func where(row *sessions.Row, folder string, room int) string {
	text := render.Base(row.Project)
	if folder != "" {
		text = folder
	}
	if row.Workdir != "" && row.Workdir != row.Project {
		switch rel, err := filepath.Rel(row.Project, row.Workdir); {
		case row.Project == "":
			text = render.Base(row.Workdir)
		case err == nil && filepath.IsLocal(rel):
			text += "/" + transcript.CleanLine(filepath.ToSlash(rel))
		default:
			text += ", worktree " + render.Base(row.Workdir)
		}
	}
	on := onBranch(row)
	if on != "" {
		on = " " + on
	}
	return words.CutMiddle(text, max(room-ansi.StringWidth(on), 12)) + on
}

// because returns the reason for the badge of a session.
func (p *Pane) because(row *sessions.Row, f Facts) string {
	switch {
	case row.Deleted:
		return ": its file was deleted while this list was open"
	case row.Live != nil && row.Live.WaitingFor != "":
		return ": " + transcript.CleanLine(row.Live.WaitingFor)
	case row.Live != nil && (p.window != "" || !row.Live.Started.IsZero()):
		text := " in tmux " + p.window
		if p.window == "" {
			text = " since " + row.Live.Started.In(f.Zone).Format("15:04")
		}
		if !row.Modified.IsZero() {
			text += ", last write " + words.Ago(f.Now, row.Modified)
		}
		return text
	case row.State == sessions.StateUnreadable:
		return ": " + transcript.CleanLine(row.Reason)
	}
	switch row.Badge() {
	case sessions.BadgePurgeSoon:
		return ", and no backup is complete"
	case sessions.BadgeHiddenBranch:
		return ": messages that claude --resume would not show"
	case sessions.BadgeOnlyCopy:
		return ": the live transcript is gone"
	case sessions.BadgeWaiting, sessions.BadgeLive, sessions.BadgeBroken, sessions.BadgePending, sessions.BadgeStub, sessions.BadgeOK:
	}
	return ""
}

// notes returns sentences about facts of a session that have no badge.
func notes(row *sessions.Row) []string {
	var list []string
	if len(row.Tags) > 0 {
		list = append(list, "#"+strings.Join(row.Tags, " #"))
	}
	if row.Note != "" {
		list = append(list, transcript.CleanLine(row.Note))
	}
	if row.Archived {
		list = append(list, "Archived.")
	}
	if why := row.Unpicked(); why != "" {
		list = append(list, "Hidden in Claude Code's list: "+why+".")
	}
	if row.State != sessions.StateUnreadable && row.Reason != "" {
		list = append(list, transcript.CleanLine(row.Reason))
	}
	if row.Has(sessions.FlagNoBackup) {
		list = append(list, "It ended without a backup.")
	}
	return list
}

// copyOf returns a text about the newest backup of a lost session, or nil.
func copyOf(f Facts) []string {
	if f.Backup == nil {
		return nil
	}
	text := "Newest backup: " + cmp.Or(words.Moment(f.Now, f.Backup.When()), "no date") + ", " + render.Base(f.Backup.Path)
	if f.Backup.Pending {
		text += ", pending"
	}
	return []string{text}
}
