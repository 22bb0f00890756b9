package reader

import (
	"context"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// image returns the selected image, nil if the part is another one.
func (r *pane) image() *transcript.Block {
	e := r.cache.messages[r.bar.message]
	if e == nil {
		return nil
	}
	block := r.part(r.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) || e.msg.Blocks[block].Kind != transcript.BlockImage {
		return nil
	}
	return &e.msg.Blocks[block]
}

// askImage asks before the selected image is opened.
func (p *Page) askImage(b *transcript.Block) []screen.Effect {
	r := &p.pane
	doc, ref, block := r.doc, r.refs[r.bar.message], r.part(r.bar).Block
	about := transcript.CleanLine(b.Media)
	if b.Bytes > 0 {
		about += " · " + words.Size(b.Bytes)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(dialog.MenuOptions{
		Title: "Open image", About: about, Verb: "open",
		Items: []dialog.Offer{{Key: "o", Name: "Open", Note: "in the image viewer", Do: screen.ViewImage{
			Read: func(ctx context.Context) ([]byte, error) { return doc.Image(ctx, ref, block) },
		}}},
		Note: "continuo writes a copy that only you can read, and deletes it when you quit.",
	})}}
}
