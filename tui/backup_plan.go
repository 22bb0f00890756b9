package tui

import (
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// copying is what a choice copies, and where to.
type copying struct {
	rows  []BackupTo
	dirs  []string // memories, each once
	not   []string // what is not copied, and why
	bytes int64
}

const (
	copiesMost  = 10 // sessions that a plan names
	copiesLeast = 3  // where there is no room, it scrolls
	copiesDirs  = 3  // memories that it names
	copiesName  = 24 // cells of a project in it, at most
	copiesFrom  = 56 // columns that it takes to name projects
	isKept      = "backed up already, every byte"
)

// backupMenu is the plan of a backup: what is copied where, and how that is taken back. The session comes first, unless
// it cannot be copied.
func (m *model) backupMenu(msg *backupAskedMsg) *menu {
	mn := &menu{title: "Back up", note: "Nothing has been copied yet.", verb: "back up"}
	to := map[string]BackupTo{}
	for _, t := range msg.outcome.Goes {
		to[t.Row.Path] = t
	}
	all := slices.DeleteFunc(slices.Clone(msg.all), func(r sessions.Row) bool { return to[r.Path].Kept })
	one := msg.one
	alone := one != nil && len(all) == 1 && all[0].Path == one.Path
	if one != nil {
		it := m.backupOffer([]sessions.Row{*one}, to)
		it.key, it.name = "b", "This one"
		if one.Live != nil && it.do != nil {
			it.note += ", as far as it is now"
		}
		mn.items = append(mn.items, it)
	}
	if len(all) > 0 && !alone || one == nil {
		it := m.backupOffer(all, to)
		it.key, it.name = "a", "All "+words.Count(len(all))
		if len(all) == 1 {
			it.name = "The other"
		}
		if it.do != nil {
			it.note = "without a backup, " + it.note
		}
		mn.items = append(mn.items, it)
		if one != nil && mn.items[0].do == nil {
			slices.Reverse(mn.items)
		}
	}
	return mn
}

// backupOffer is one choice of the plan, without its name.
func (m *model) backupOffer(rows []sessions.Row, to map[string]BackupTo) offer {
	c := &copying{}
	it := offer{about: copiesAbout(rows, 0)}
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
			c.rows = append(c.rows, t)
			c.bytes += t.Row.Bytes
			if !slices.Contains(c.dirs, t.Dir) {
				c.dirs = append(c.dirs, t.Dir)
			}
			continue
		case off[t.Off] == nil:
			why = append(why, t.Off)
		}
		it.off = t.Off
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
		c.not = append(c.not, what+": "+w)
	}
	it.off, it.note, it.about, it.copies = "", words.Size(c.bytes), copiesAbout(todo, len(c.dirs)), c
	if left := len(rows) - len(todo); left > 0 {
		it.note += ", " + words.Count(left) + " cannot be copied"
	}
	it.do = func(m *model) tea.Cmd {
		m.backing = true
		return tea.Batch(makeBackups(m.ctx, m.Actions, todo), waitBackup(m.ctx))
	}
	return it
}

// copiesAbout says which sessions a choice is about.
func copiesAbout(rows []sessions.Row, memories int) string {
	switch {
	case len(rows) == 1:
		return shortID(rows[0].ID)
	case memories > 1:
		return words.Count(len(rows)) + " sessions in " + words.Count(memories) + " projects"
	}
	return words.Count(len(rows)) + " sessions"
}

// copyLines draws what a choice copies: a line for each session as far as there is room, then where to, and how to take
// that back.
func (m *model) copyLines(g *menuShape, c *copying, room int) []*render.Line {
	indent := min(menuKey, g.inner/8)
	line := func() *render.Line { return m.menuLine(g).To(indent) }
	var below []*render.Line
	for _, not := range c.not {
		for i, s := range render.Wrap(transcript.CleanLine(not), max(g.inner-indent-5, 1)) {
			l := line()
			if i == 0 {
				l.Put(render.Bad, "✗")
			}
			below = append(below, l.To(indent+2).Put(render.Muted, s))
		}
	}
	below = append(below, m.menuLine(g))
	for i, dir := range c.dirs {
		l := line()
		if i == 0 {
			l.Put(render.Muted, "to")
		}
		if i == copiesDirs-1 && len(c.dirs) > copiesDirs {
			below = append(below, l.To(indent+4).Put(render.Muted, "… "+words.Count(len(c.dirs)-i)+" more"))
			break
		}
		below = append(below, l.To(indent+4).Put(render.Text, words.CutMiddle(render.Folder(dir, m.opts.Home), max(g.inner-2*indent-4, 1))))
	}
	text := "It gets a .pending-backup marker, and is pending until somebody deals with it. continuo backup discard moves it to the trash. The transcript is only read."
	if len(c.rows) > 1 {
		text = "Each gets a .pending-backup marker, and is pending until somebody deals with it. continuo backup discard moves them to the trash. The transcripts are only read."
	}
	below = append(below, m.menuText(g, text)...)

	shown, more := c.rows, 0
	if n := min(max(room-1-len(below), copiesLeast), copiesMost); len(shown) > n {
		shown, more = shown[:n-1], len(shown)-n+1
	}
	name := 0
	for i := range shown {
		name = max(name, min(ansi.StringWidth(projectName(shown[i].Dir)), copiesName))
	}
	drawn := []*render.Line{m.menuLine(g)}
	rest := c.bytes
	end := g.inner - indent
	for i := range shown {
		t := &shown[i]
		size := words.Size(t.Row.Bytes)
		rest -= t.Row.Bytes
		l := line().Spans(render.Glyph(t.Row.Badge())).To(indent + 2)
		to := end - sizeRoom
		if g.inner >= copiesFrom {
			to -= name + 2
			l.PutUntil(render.Strong, render.Title(&t.Row), to).To(to+2).PutUntil(render.Muted, projectName(t.Dir), to+2+name)
		} else {
			l.PutUntil(render.Strong, render.Title(&t.Row), to)
		}
		drawn = append(drawn, l.Right(end, render.Span{Ink: render.Muted, Text: size}))
	}
	if more > 0 {
		drawn = append(drawn, line().Put(render.Faint, "…").To(indent+2).Put(render.Muted, words.Count(more)+" more").
			Right(end, render.Span{Ink: render.Muted, Text: words.Size(rest)}))
	}
	return append(drawn, below...)
}

// sizeRoom is what the size of a session takes, with two blank cells before.
const sizeRoom = 9

// projectName is the short name of the project that a memory is of.
func projectName(memory string) string {
	return transcript.CleanLine(path.Base(path.Dir(path.Dir(strings.ReplaceAll(memory, `\`, "/")))))
}
