package undoing

import (
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/trash"
)

// isSession reports whether a step moves a session file to the trash, or back.
func isSession(o *change.Op) bool { return isMove(o) && o.Session != "" }

// movedSessions returns the sessions of moved files, in order.
func movedSessions(moved []*change.Op) []writing.ReportedSession {
	var list []writing.ReportedSession
	for _, o := range moved {
		i := slices.IndexFunc(list, func(s writing.ReportedSession) bool { return s.ID == o.Session })
		if i < 0 {
			i, list = len(list), append(list, writing.ReportedSession{ID: o.Session})
		}
		s := &list[i]
		s.Files, s.Bytes = s.Files+1, s.Bytes+o.Bytes
		place, trash := o.ToPath(), o.Path()
		if o.Away {
			place, trash = trash, place
		}
		if filepath.Base(place) == o.Session+".jsonl" {
			s.Path, s.Trash = place, trash
		}
	}
	return list
}

// drawSessions adds the moved sessions to the plan.
func (l *journalEntries) drawSessions(p *writing.Plan, moved []*change.Op) {
	if len(moved) == 0 {
		return
	}
	list := movedSessions(moved)
	bytes, files := int64(0), 0
	var lines []change.Line
	for _, s := range list {
		bytes, files = bytes+s.Bytes, files+s.Files
		if s.Path != "" {
			lines = append(lines, change.Line{Tone: change.Faint, Text: l.Env.Tilde(s.Path), Whole: true, Right: words.Size(s.Bytes)})
		}
	}
	name, verb := "Touched", words.Counted(len(list), "session is", "sessions are")+" restored from "
	if moved[0].Away {
		name, verb = "Removed", words.Counted(len(list), "session goes", "sessions go")+" to "
	}
	var trashes []string
	for _, o := range moved {
		if dir := l.Env.Tilde(filepath.Join(o.Dir, trash.Name)); !slices.Contains(trashes, dir) {
			trashes = append(trashes, dir)
		}
	}
	head := verb + words.AndList(trashes) + " (" + out.Count(files, "file") + ", " + words.Size(bytes) + ")"
	p.Add(name, append([]change.Line{{Text: head}}, lines...)...)
	p.Report.Sessions = list
}

// sessionsText says where the sessions are now.
func sessionsText(moved []*change.Op) string {
	n := len(movedSessions(moved))
	if moved[0].Away {
		return words.Counted(n, "session is", "sessions are") + " in the trash."
	}
	return "Undone: " + out.Count(n, "session") + " restored."
}

// refuseEmptied refuses the undo if the session files are no longer where the action moved them.
func (w *UndoPlan) refuseEmptied() {
	gone := slices.IndexFunc(w.way.Gone, func(o change.Op) bool { return isSession(&o) })
	switch {
	case gone < 0 || len(w.way.Change.Ops) > 0:
	case w.way.Gone[gone].Away:
		w.refuse("trash emptied", trash.Name+"/ no longer has the files of the session.")
	default:
		w.refuse("gone since", "The files of the session no longer exist.")
	}
}
