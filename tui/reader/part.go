package reader

import (
	"cmp"
	"context"
	"strconv"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := &p.pane.row
	of := screen.Subject{Row: row, Dir: cmp.Or(row.Project, row.Workdir), Edit: p.edit()}
	if of.NoPart = "nothing is shown"; p.hasParts() {
		r := &p.pane
		of.NoPart, of.At = "", r.forkAt()
		of.Part = &screen.Copy{
			Name: "the selection", Find: partText(r.doc, r.version, r.cur.bar.message, r.view.part(r.cur.bar).Block), None: "There is no text here to copy.",
		}
	}
	return of
}

// forkAt returns the selected message if a fork can end with it. It must be a prompt or an answer, and not the last
// message.
func (r *pane) forkAt() *screen.At {
	i, e := r.cur.bar.message, r.view.cache.messages[r.cur.bar.message]
	if e == nil || !r.out.Refs[i].Turn || r.row.Kind != sessions.KindSession || r.out.Turns[i] == r.out.Turns[r.out.Last] && i <= r.out.Last {
		return nil
	}
	return &screen.At{ID: e.msg.ID, Name: "message " + words.Count(int(r.out.Turns[i])) + " of " + words.Count(r.out.Total())}
}

// edit returns what the editor opens: the selected section, or the file of the selected call.
func (p *Page) edit() *screen.Edit {
	r := &p.pane
	switch {
	case p.isDocument() && p.hasParts():
		return &screen.Edit{Row: r.row, Find: sectionStart(r.row.Path, r.doc, r.version, r.cur.bar.message)}
	case p.isDocument():
		return &screen.Edit{Row: r.row, File: r.row.Path}
	}
	e := &screen.Edit{Row: r.row, None: "select a call that reads or edits a file"}
	if m, block := r.cur.selectedCall(); m != nil {
		e.File, e.Line = m.Target(block)
	}
	return e
}

// selectedCall returns the message and the block of the selected call, or nil.
func (c *cursor) selectedCall() (m *transcript.Message, block int) {
	e := c.view.cache.messages[c.bar.message]
	if e == nil {
		return nil, 0
	}
	block = c.view.part(c.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) || e.msg.Blocks[block].Kind != transcript.BlockToolUse {
		return nil, 0
	}
	return e.msg, block
}

// inline returns the thread of the sub-agent of the selected call. ok is false if this file doesn't have it. Only old
// clients wrote such files.
func (c *cursor) inline() (thread int, ok bool) {
	m, block := c.selectedCall()
	if m == nil || m.Call(block).Kind != transcript.ToolAgent {
		return 0, false
	}
	nth := 0
	for i := range m.Blocks[:block] {
		if m.Blocks[i].Kind == transcript.BlockToolUse && m.Call(i).Kind == transcript.ToolAgent {
			nth++
		}
	}
	return c.out.Inline(c.bar.message, nth)
}

// callOfNotice returns the ID of the call of the selected notification, or "".
func (c *cursor) callOfNotice() string {
	e := c.view.cache.messages[c.bar.message]
	if e == nil {
		return ""
	}
	block := c.view.part(c.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) || e.msg.Blocks[block].Notice != transcript.NoticeTask {
		return ""
	}
	return e.msg.Blocks[block].CallID
}

// item returns the selected item of a list below a summary, or nil.
func (c *cursor) item() *dropped.Item {
	if c.bar.message >= len(c.out.Refs) {
		return nil
	}
	list, n := c.view.summaries.dropped[c.out.Key(c.bar.message)], c.view.part(c.bar).Item
	if list == nil || n < 1 || n > len(*list) {
		return nil
	}
	return &(*list)[n-1]
}

// summaryBelow returns the index of the summary below the selected compaction, or 0.
func (c *cursor) summaryBelow() int {
	if i := c.bar.message + 1; i < len(c.out.Refs) && c.out.Refs[i-1].Kind == transcript.Boundary && c.out.Refs[i].Kind == transcript.Summary {
		return i
	}
	return 0
}

// images returns the selected image, or the images of the selected call's result, and their block.
func (c *cursor) images() (list []transcript.Block, block int) {
	e := c.view.cache.messages[c.bar.message]
	if e == nil {
		return nil, 0
	}
	block = c.view.part(c.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) {
		return nil, 0
	}
	if b := &e.msg.Blocks[block]; b.Kind == transcript.BlockToolUse {
		for i := range e.msg.Blocks {
			if result := &e.msg.Blocks[i]; result.Kind == transcript.BlockToolResult && result.CallID == b.ID {
				return result.Images(), i
			}
		}
	}
	return e.msg.Blocks[block].Images(), block
}

// askImage asks which image of a block of the selected message to open.
func (p *Page) askImage(images []transcript.Block, block int) []screen.Effect {
	const most = 9 // maximum number of menu items
	doc, ref := p.pane.doc, p.pane.out.Refs[p.pane.cur.bar.message]
	o := dialog.MenuOptions{Title: "Open image", Verb: "open", Note: "continuo writes a copy that only you can read, and deletes it when you quit."}
	for n := range images[:min(len(images), most)] {
		it := dialog.Offer{Key: "o", Name: "Open", Note: transcript.CleanLine(images[n].Media) + " · " + words.Size(images[n].Bytes)}
		if len(images) > 1 {
			it.Key, it.Name = strconv.Itoa(n+1), "Image "+strconv.Itoa(n+1)
		}
		it.Do = screen.ViewImage{Read: func(ctx context.Context) ([]byte, error) { return doc.Image(ctx, ref, block, n) }}
		o.Items = append(o.Items, it)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(o)}}
}
