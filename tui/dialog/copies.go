package dialog

import (
	"path"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Copies lists the sessions that a menu item would back up, and the directories for the backups.
type Copies struct {
	Rows  []screen.BackupTo
	Dirs  []string // the memory directories, without duplicates
	Not   []string // sessions that can't be backed up, with reasons
	Bytes int64
}

const (
	copiesMost  = 10 // maximum number of listed sessions
	copiesLeast = 3  // minimum number of listed sessions
	copiesDirs  = 3  // maximum number of listed memory directories
	copiesName  = 24 // maximum width of the name of a project, in cells
	copiesFrom  = 56 // minimum width to show the names of projects, in cells
)

// copyLines draws as many sessions as fit, and the directories for the backups.
func (d *Menu) copyLines(g *shape, c *Copies, room int) []*render.Line {
	indent := min(menuKey, g.inner/8)
	line := func() *render.Line { return d.line(g.inner).To(indent) }
	var below []*render.Line
	for _, not := range c.Not {
		for i, s := range render.Wrap(transcript.CleanLine(not), max(g.inner-indent-5, 1)) {
			l := line()
			if i == 0 {
				l.Put(render.Bad, "✗")
			}
			below = append(below, l.To(indent+2).Put(render.Muted, s))
		}
	}
	below = append(below, d.line(g.inner))
	for i, dir := range c.Dirs {
		l := line()
		if i == 0 {
			l.Put(render.Muted, "to")
		}
		if i == copiesDirs-1 && len(c.Dirs) > copiesDirs {
			below = append(below, l.To(indent+4).Put(render.Muted, "… "+words.Count(len(c.Dirs)-i)+" more"))
			break
		}
		below = append(below, l.To(indent+4).Put(render.Text, words.CutMiddle(render.Folder(dir, d.f.Home), max(g.inner-2*indent-4, 1))))
	}
	text := "Claude offers the backup at every start until you restore or discard it (marker .pending-backup). The transcript is only read."
	if len(c.Rows) > 1 {
		text = "Claude offers each backup at every start until you restore or discard it (marker .pending-backup). The transcripts are only read."
	}
	below = append(below, d.text(g, text)...)

	shown, more := c.Rows, 0
	if n := min(max(room-1-len(below), copiesLeast), copiesMost); len(shown) > n {
		shown, more = shown[:n-1], len(shown)-n+1
	}
	name := 0
	for i := range shown {
		name = max(name, min(ansi.StringWidth(projectName(shown[i].Dir)), copiesName))
	}
	drawn := []*render.Line{d.line(g.inner)}
	rest := c.Bytes
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

// sizeRoom is the width of a session's size, in cells, with two blanks before it.
const sizeRoom = 9

// projectName returns the short name of the project that has a memory directory.
func projectName(memory string) string {
	return transcript.CleanLine(path.Base(path.Dir(path.Dir(strings.ReplaceAll(memory, `\`, "/")))))
}
