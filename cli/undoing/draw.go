package undoing

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// draw adds the steps of the undo to the plan, or the reasons against it.
func (l *journalEntries) draw(w *UndoPlan) {
	p := w.Plan
	switch {
	case w.Back:
		p.Add("Undo", change.Line{Text: "It was already undone."})
		return
	case w.Off != "":
		var lines []change.Line
		for _, s := range w.why {
			lines = append(lines, writing.Warning(s))
		}
		p.Add("But", lines...)
		var rest []change.Line
		for _, s := range w.hints {
			rest = append(rest, change.Line{Text: s, Whole: true})
		}
		if len(rest) > 0 {
			p.Add("Stays", append([]change.Line{{Text: "the rest, which can be undone separately"}}, rest...)...)
		}
		return
	}
	if w.trash != nil {
		w.Plan = backups.DiscardPlan(l.Env, w.trash)
		p = w.Plan
		p.Report.Action = "undo"
	} else if w.way != nil {
		l.drawOps(w)
	}
	for _, s := range w.why {
		p.Insert("But", []change.Line{writing.Warning(s)})
	}
	again := "Undo can itself be undone."
	switch w.Entry.Kind {
	case journal.Restore:
		again = "The backup stays, so it can be restored again."
	case journal.Prune:
		again = "Old backups can be pruned again."
	default:
	}
	p.Add("Undo", change.Line{Text: again})
}

// undoneOps has the steps of an undo, grouped for display.
type undoneOps struct {
	moved    []*change.Op // session files to or from the trash
	back     []*change.Op // backups from the trash
	trashed  []*change.Op // backups to the trash
	markers  []*change.Op // restored or removed markers
	sessions []*change.Op // removed transcripts of restores
	made     []*change.Op // restored files, and files with restored text
	gone     []*change.Op // removed files that the action created
	lines    []*change.Op // texts removed from or restored in a file
}

func sortOps(ops []change.Op) (u undoneOps) {
	for i := range ops {
		o := &ops[i]
		switch {
		case o.Quiet:
		case isSession(o):
			u.moved = append(u.moved, o)
		case o.Verb == change.Move && backup.InTrash(o.To):
			u.trashed = append(u.trashed, o)
		case o.Verb == change.Move:
			u.back = append(u.back, o)
		case backup.IsMarker(o.Name):
			u.markers = append(u.markers, o)
		case o.Verb == change.Remove && o.From != "":
			u.sessions = append(u.sessions, o)
		case o.Verb == change.Remove:
			u.gone = append(u.gone, o)
		case o.Verb == change.Cut, o.Verb == change.Insert:
			u.lines = append(u.lines, o)
		default:
			u.made = append(u.made, o)
		}
	}
	return u
}

// drawOps adds the steps of an undo to the plan.
func (l *journalEntries) drawOps(w *UndoPlan) {
	p, u := w.Plan, sortOps(w.way.Change.Ops)
	if w.Entry.ID != "" { // undo reverses the steps
		slices.Reverse(u.moved)
		slices.Reverse(u.back)
		slices.Reverse(u.markers)
	}
	l.drawSessions(p, u.moved)
	l.drawBack(w, &u)
	path := func(o *change.Op, bytes int) change.Line {
		line := change.Line{Tone: change.Faint, Text: l.Env.Tilde(o.Path()), Whole: true}
		if bytes > 0 {
			line.Right = words.Size(int64(bytes))
		}
		return line
	}
	for _, o := range u.sessions {
		p.Report.Deleted = append(p.Report.Deleted, o.Path())
		p.Add("Removed", change.Line{Text: "the restored session; the backup contains every byte"}, path(o, 0))
	}
	var made, gone []change.Line
	for _, o := range u.made {
		if o.Session != "" {
			p.Add("Touched", change.Line{Text: "the session is restored from the backup again"}, path(o, 0))
			continue
		}
		p.Report.Made = append(p.Report.Made, o.Path())
		made = append(made, path(o, len(o.Text)))
	}
	for _, o := range u.gone {
		p.Report.Deleted = append(p.Report.Deleted, o.Path())
		gone = append(gone, path(o, len(o.Text)))
	}
	if n := len(made); n > 0 {
		made = append([]change.Line{{Text: words.Counted(n, "file gets its previous text", "files get their previous text")}}, made...)
	}
	if n := len(gone); n > 0 {
		gone = append([]change.Line{{Text: words.Counted(n, "new file that hasn't changed since", "new files that haven't changed since")}}, gone...)
	}
	p.Add("Touched", made...)
	p.Add("Removed", gone...)
	for _, o := range u.lines {
		l.drawLines(p, o, path(o, 0))
	}
}

// drawLines adds the step for a text that the undo removes or restores.
func (l *journalEntries) drawLines(p *writing.Plan, o *change.Op, path change.Line) {
	n := bytes.Count(bytes.TrimRight(o.Text, "\n"), []byte("\n")) + 1
	text := (&entries.Noting{Bead: true, Comment: string(o.Text)}).Lines()
	if o.Verb == change.Insert {
		p.Report.Made = append(p.Report.Made, o.Path())
		p.Add("Touched", append([]change.Line{{Text: words.Counted(n, "line is", "lines are") + " restored"}, path}, text...)...)
		return
	}
	if l.leavesNothing(o) {
		p.Report.Deleted = append(p.Report.Deleted, o.Path())
		p.Add("Removed", change.Line{Text: "1 new file with nothing else in it"}, path)
		return
	}
	p.Report.Made = append(p.Report.Made, o.Path())
	p.Add("Removed", append([]change.Line{{Text: words.Counted(n, "line", "lines") + "; the rest of the file stays"}, path}, text...)...)
}

// leavesNothing reports whether removing the text empties the file.
func (l *journalEntries) leavesNothing(o *change.Op) bool {
	fi, err := os.Lstat(o.Path())
	return o.New && err == nil && fi.Size() == int64(len(o.Text))
}

// drawBack adds the backups and markers that the undo restores or moves.
func (l *journalEntries) drawBack(w *UndoPlan, u *undoneOps) {
	p := w.Plan
	several := len(w.Entry.Where) > 1
	in := func(o *change.Op) string {
		if !several {
			return ""
		}
		return " in " + place.BaseName(backups.ProjectOf(o))
	}
	var moves []change.Line
	var bytes int64
	entries := map[string]bool{}
	for _, o := range slices.Concat(u.back, u.trashed) {
		name, path := o.To, o.ToPath()
		if backup.InTrash(o.To) {
			name, path = o.Name, o.Path()
		}
		if id := backup.EntryOf(o.Name); id != "" && !entries[o.Dir+id] {
			entries[o.Dir+id] = true
			p.Report.Entries = append(p.Report.Entries, id)
		}
		bytes += o.Bytes
		moves = append(moves, change.Line{Tone: change.Faint, Text: out.CleanPath(name) + in(o), Whole: true, Right: words.Size(o.Bytes)})
		p.Report.Backups = append(p.Report.Backups, writing.ReportedBackup{Path: path, Bytes: o.Bytes})
	}
	var names, gone []string
	for _, o := range u.markers {
		if o.Verb == change.Remove {
			gone = append(gone, out.CleanPath(o.Name)+in(o))
		} else {
			names = append(names, out.CleanPath(o.Name)+in(o))
		}
		p.Report.Markers = append(p.Report.Markers, o.Path())
	}
	if n := len(moves); n > 0 {
		where := " from the trash of "
		verb := " are restored"
		if n == 1 {
			verb = " is restored"
		}
		if len(u.trashed) > 0 {
			where = " to the trash of "
			verb = strings.NewReplacer("are restored", "go", "is restored", "goes").Replace(verb)
		}
		of := "their projects"
		if !several {
			of = place.BaseName(backups.ProjectOf(slices.Concat(u.back, u.trashed)[0]))
		}
		moves = append([]change.Line{{Text: out.Count(n, "file") + ", " + words.Size(bytes) + "," + verb + where + of}}, moves...)
	}
	if n := len(names); n > 0 {
		moves = append(moves, change.Line{Text: out.Count(n, "marker") + ", as before: " + words.AndList(names)})
	}
	p.Add("Touched", moves...)
	if n := len(gone); n > 0 {
		p.Add("Removed", change.Line{Text: out.Count(n, "marker") + ": " + words.AndList(gone)})
	}
}
