package tui

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// ofDocument completes the facts about a document: where in its chain it stands, and what r does with it.
func (m *model) ofDocument(f *preview.Facts, row *sessions.Row) {
	if k, ok := m.list.docs.links[row.Path]; ok && k.Linked() {
		switch n := len(k.Rows); {
		case n == 1: // the note says what it branches off
		case k.at == 0:
			f.Chained = "newest of " + words.Count(n)
		case k.isLast() && k.Fork == nil:
			f.Chained = "first of " + words.Count(n)
		default:
			f.Chained = words.Count(n-k.at) + " of " + words.Count(n)
		}
	}
	if k := m.list.docs.links[row.Path]; k.Chain != nil && k.isLast() {
		switch k.End {
		case sessions.ChainFork:
			f.Linked, f.Link = render.Span{Ink: render.Warn, Text: "◇"}, k.Note
		case sessions.ChainMissing, sessions.ChainCycle:
			f.Linked, f.Link = render.Span{Ink: render.BadBold, Text: "✗"}, k.Note
		case sessions.ChainFirst, sessions.ChainMalformed:
		}
	}
	f.Foot = m.resumesFrom(row)
}

// resumesFrom says what r does with a document.
func (m *model) resumesFrom(row *sessions.Row) []string {
	if m.Actions == nil || !row.Archived() || row.Deleted || row.State == sessions.StateUnreadable {
		return nil
	}
	file := []rune(transcript.CleanLine(filepath.Base(row.Path)))
	if len(file) > 14 {
		file = append([]rune("…"), file[len(file)-13:]...)
	}
	text := "runs `claude \"/resume-from " + string(file) + "\"`."
	switch pending := m.lists[backupsTab].tally.pendingIn[row.Project]; {
	case pending == 1:
		text += " It asks first: a backup here is still pending."
	case pending > 1:
		text += " It asks first: " + words.Count(pending) + " backups here are still pending."
	}
	var lines []string
	code := false
	for i, s := range render.Wrap(text, m.layout.Preview.W-1-4) {
		l := render.NewLine(m.styles, m.layout.Preview.W-1).To(2)
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

// backupDoes says what the keys would do with the backup under the bar: R, r and d, as far as they are there.
func (m *model) backupDoes(row *sessions.Row) []string {
	var does []string
	rel := render.BackupRelation(row)
	if what, _, marked := m.markedRows(row); marked && m.keyOf("restore") != "" {
		does = append(does, m.keyOf("restore")+" restores "+strings.TrimSuffix(what, ",")+".")
	} else if key := m.keyOf("restore"); key != "" && rel != "" && row.Of != "" {
		text := key + " restores it as a second session, under a new id: its own is taken."
		if rel == sessions.RelationGone {
			text = key + " restores it under its own id, " + screen.ShortID(row.Of) + ", which is free. The next sweep leaves it."
		}
		does = append(does, text)
	}
	if key := m.keyOf("resume"); key != "" {
		switch {
		case row.Pending && m.isTakenFirst(row):
			does = append(does, key+" runs `claude \"/resume-latest\"` in "+render.Folder(row.Workdir, m.opts.Home)+". It asks first.")
		case rel.Held():
			does = append(does, key+" resumes the session itself. It asks first.")
		case rel != "" && row.Of != "":
			does = append(does, key+" restores it and resumes it. It asks first.")
		case row.Pending:
			does = append(does, key+" asks how to go on with it.")
		}
	}
	if key := m.keyOf("discard"); key != "" {
		does = append(does, key+" takes "+m.discardWords(row))
	}
	return does
}

// isTakenFirst reports whether /resume-latest takes up this one of the pending backups of its project: the newest.
func (m *model) isTakenFirst(row *sessions.Row) bool {
	first := m.lists[backupsTab].tally.pendingFirst[row.Workdir]
	return first == nil || first.Compare(row) >= 0
}

func (m *model) discardWords(row *sessions.Row) string {
	what, back, _ := m.markedRows(row)
	text := what + " to .claude/memory/trash."
	if key := m.keyOf("undo"); key != "" {
		text += " " + key + " restores " + back + "."
	}
	return text
}

// markedRows are what d and R are about when marks go before the row: what they are called, and what stands for them.
func (m *model) markedRows(row *sessions.Row) (what, back string, marked bool) {
	n := len(m.list.marks.paths)
	what, back = "it", "it"
	switch {
	case n > 1 || n == 1 && !m.list.marks.paths[row.Path]:
		what, back = "the "+words.Count(n)+" marked rows", "them"
		if n == 1 {
			what, back = "the marked row", "it"
		}
		if !m.list.marks.paths[row.Path] {
			what += ", not this one,"
		}
		marked = true
	}
	return what, back, marked
}

// keyOf is the key of an action that can be taken in the list now, "" when it cannot.
func (m *model) keyOf(name string) string {
	var list []screen.Binding
	for i := range m.keys[inList] {
		if b := &m.keys[inList][i]; b.common != "" || b.name == name {
			list = append(list, b.now(m))
		}
	}
	return m.keymap().keyOf(list, name)
}
