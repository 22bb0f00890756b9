package action

import (
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const isKept = "already fully backed up"

// backupMenu returns the plan of a backup as a menu. The selected session is the first item if possible.
func backupMenu(msg *backupAskedMsg) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: "Back up", Note: "Nothing has been copied yet.", Verb: "back up"}
	to := map[string]screen.BackupTo{}
	for _, t := range msg.outcome.Goes {
		to[t.Row.Path] = t
	}
	all := slices.DeleteFunc(slices.Clone(msg.all), func(r sessions.Row) bool { return to[r.Path].Kept })
	one := msg.one
	alone := one != nil && len(all) == 1 && all[0].Path == one.Path
	if one != nil {
		it := backupOffer([]sessions.Row{*one}, to)
		it.Key, it.Name = "b", "This session"
		if one.Live != nil && it.Do != nil {
			it.Note += ", as it is now"
		}
		mn.Items = append(mn.Items, it)
	}
	if len(all) > 0 && !alone || one == nil {
		it := backupOffer(all, to)
		it.Key, it.Name = "a", "All "+words.Count(len(all))
		if len(all) == 1 {
			it.Name = "The other session"
		}
		if it.Do != nil {
			it.Note = "without a backup, " + it.Note
		}
		mn.Items = append(mn.Items, it)
		if one != nil && mn.Items[0].Do == nil {
			slices.Reverse(mn.Items)
		}
	}
	return mn
}

// backupOffer returns a menu item that backs up rows. The caller adds key and name.
func backupOffer(rows []sessions.Row, to map[string]screen.BackupTo) dialog.Offer {
	c := &dialog.Copies{}
	it := dialog.Offer{About: copiesAbout(rows, 0)}
	var todo []sessions.Row
	off := map[string][]sessions.Row{}
	var why []string
	for i := range rows {
		t := to[rows[i].Path]
		if t.Kept {
			t.Off = isKept
		}
		switch {
		case t.Off == "":
			todo = append(todo, rows[i])
			c.Rows = append(c.Rows, t)
			c.Bytes += t.Row.Bytes
			if !slices.Contains(c.Dirs, t.Dir) {
				c.Dirs = append(c.Dirs, t.Dir)
			}
			continue
		case off[t.Off] == nil:
			why = append(why, t.Off)
		}
		it.Off = t.Off
		off[t.Off] = append(off[t.Off], rows[i])
	}
	if len(todo) == 0 {
		return it
	}
	for _, w := range why {
		what := words.Counted(len(off[w]), "session", "sessions")
		if len(off[w]) == 1 {
			what = render.Title(&off[w][0])
		}
		c.Not = append(c.Not, what+": "+w)
	}
	it.Off, it.Note, it.About, it.Copies = "", words.Size(c.Bytes), copiesAbout(todo, len(c.Dirs)), c
	if left := len(rows) - len(todo); left > 0 {
		it.Note += ", " + words.Count(left) + " cannot be copied"
	}
	it.Do = screen.Reply{Msg: chosenMsg{todo}}
	return it
}

// copiesAbout describes the sessions of a menu item.
func copiesAbout(rows []sessions.Row, memories int) string {
	switch {
	case len(rows) == 1:
		return screen.ShortID(rows[0].ID)
	case memories > 1:
		return words.Count(len(rows)) + " sessions in " + words.Count(memories) + " projects"
	}
	return words.Count(len(rows)) + " sessions"
}
