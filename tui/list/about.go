package list

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// about describes, for the preview, the effects of the keys on a row.
type about struct {
	row     *sessions.Row
	shown   *pane  // the list that contains the row
	backups *Tally // counts of all backups
	frame   *screen.Frame
	resumes bool // whether the program can resume rows
}

// resumesFrom returns lines that describe what the key r does on a document.
func (a about) resumesFrom() []string {
	if !a.resumes || !a.row.IsSessionDocument() && !a.row.IsSnapshot() || a.row.Deleted || a.row.State == sessions.StateUnreadable {
		return nil
	}
	file := []rune(transcript.CleanLine(filepath.Base(a.row.Path)))
	if len(file) > 14 {
		file = append([]rune("…"), file[len(file)-13:]...)
	}
	text := "runs `claude \"/resume-from " + string(file) + "\"`."
	if a.row.IsSnapshot() {
		text = "runs `claude \"/load-session-protocol\"`."
	}
	switch pending := a.backups.PendingIn[a.row.Project]; {
	case pending == 1:
		text += " continuo asks first: a backup here is still pending."
	case pending > 1:
		text += " continuo asks first: " + words.Count(pending) + " backups here are still pending."
	}
	var lines []string
	code, width := false, a.frame.Layout.Preview.W-1
	for i, s := range render.Wrap(text, width-4) {
		l := render.NewLine(a.frame.Styles, width).To(2)
		if i == 0 {
			l.Put(render.Strong, "r")
		}
		l.To(4)
		for k, part := range strings.Split(s, "`") {
			if k > 0 {
				l.Put(render.Faint, "`")
				code = !code
			}
			ink := render.Muted
			if code {
				ink = render.Code
			}
			l.Put(ink, part)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// does describes the keys R, r and d on a backup. It leaves out disabled keys.
func (a about) does() []string {
	var does []string
	rel, key := render.BackupRelation(a.row), a.frame.KeyOf
	what, back, marked := a.meant()
	switch restore := key("restore"); {
	case marked && restore != "":
		does = append(does, restore+" restores "+strings.TrimSuffix(what, ",")+".")
	case restore != "" && rel != "" && a.row.Of != "":
		text := restore + " restores it as a second session, under a new ID, because its own ID is in use."
		if rel == sessions.RelationGone {
			text = restore + " restores it under its own ID, " + transcript.CleanLine(a.row.Of[:min(len(a.row.Of), 8)]) + ". Claude Code's next cleanup doesn't delete it."
		}
		does = append(does, text)
	}
	if resume := key("resume"); resume != "" {
		switch {
		case a.row.Pending:
			does = append(does, resume+" runs `claude \"/resume-latest\"` in "+render.Folder(a.row.Workdir, a.frame.Home)+". continuo asks first.")
		case rel.Held():
			does = append(does, resume+" resumes the session itself. continuo asks first.")
		case rel != "" && a.row.Of != "":
			does = append(does, resume+" restores it and resumes it. continuo asks first.")
		}
	}
	if discard := key("discard"); discard != "" {
		text := discard + " moves " + what + " to .claude/memory/trash."
		if undo := key("undo"); undo != "" {
			text += " " + undo + " restores " + back + "."
		}
		does = append(does, text)
	}
	return does
}

// meant returns a noun and a pronoun for the rows of the keys d and R. marked means that these rows are marked.
func (a about) meant() (noun, pronoun string, marked bool) {
	n, here := len(a.shown.marked()), a.shown.marks.has(a.row.Path)
	switch {
	case n == 0, n == 1 && here:
		return "it", "it", false
	case n == 1:
		noun, pronoun = "the marked row", "it"
	default:
		noun, pronoun = "the "+words.Count(n)+" marked rows", "them"
	}
	if !here {
		noun += ", not this one,"
	}
	return noun, pronoun, true
}
