package reader

import (
	"context"
	"strconv"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// images returns the selected image, or the images in the result of the selected call. It also returns their
// block. list is nil if there are no images.
func (r *pane) images() (list []transcript.Block, block int) {
	e := r.cache.messages[r.bar.message]
	if e == nil {
		return nil, 0
	}
	block = r.part(r.bar).Block
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
	doc, ref := p.pane.doc, p.pane.refs[p.pane.bar.message]
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
