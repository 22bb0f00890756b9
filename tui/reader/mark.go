package reader

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/screen"
)

// marking is a marked range of messages, from the message from to the bar.
type marking struct {
	on   bool
	from int // message at which the range was started
}

// toggleMark starts a range at the bar, or ends the range. The view stops following the end, because following moves
// the bar.
func (r *pane) toggleMark() {
	if r.marking.on = !r.marking.on && len(r.out.Refs) > 0; r.marking.on {
		r.marking.from, r.view.win.Pin = r.cur.bar.message, 0
	}
}

// isMarked reports whether a message is in the range. Hidden messages and folded work aren't.
func (r *pane) isMarked(i int) bool {
	from, to, w := r.marking.from, r.cur.bar.message, r.out.Work(i)
	return r.marking.on && i >= min(from, to) && i <= max(from, to) && !r.folds.Hidden(i) && (w == nil || r.folds.IsOpen(w))
}

// marked returns the messages of the range.
func (r *pane) marked() []int {
	var list []int
	for i := min(r.marking.from, r.cur.bar.message); i <= max(r.marking.from, r.cur.bar.message); i++ {
		if r.isMarked(i) {
			list = append(list, i)
		}
	}
	return list
}

func (p *Page) markKeys() []screen.Binding {
	r := &p.pane
	start := screen.Binding{
		Name: "mark-range", Keys: []string{"v"}, Show: "v", Help: "mark a range of messages", Group: screen.GroupRead, Do: screen.Intent{Name: markRange},
		Gone: p.isDocument(), Needed: "choose a conversation", Needs: screen.NeedsActions,
	}
	plain := screen.Binding{
		Name: "copy-plain", Keys: []string{"Y"}, Show: "Y", Help: "copy marked as plain text", Group: screen.GroupRead, Do: screen.Intent{Name: copyPlain},
		Gone: !r.marking.on, Needed: "mark messages first", Needs: screen.NeedsActions,
	}
	if !r.marking.on {
		return []screen.Binding{start, plain}
	}
	start.Label, plain.Label = "end", "plain text"
	return []screen.Binding{{
		Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy as markdown", Help: "copy marked as markdown", Group: screen.GroupThis,
		Do: screen.Intent{Name: copyMarked}, Needs: screen.NeedsActions,
	}, plain, start}
}

func (p *Page) copyMarked(form string, text func([]transcript.Message) string) []screen.Effect {
	r := &p.pane
	list := r.marked()
	r.marking.on = false
	if len(list) == 0 {
		return tell("The marked work is folded. Unfold it first.")
	}
	return []screen.Effect{screen.Copy{
		Name: words.Counted(len(list), "message", "messages") + " as " + form, Find: markedText(r.doc, r.version, list, text), None: "There is no text here to copy.",
	}}
}

// markedText returns a function that reads messages and makes a text from them.
func markedText(doc *opened.File, version int, list []int, text func([]transcript.Message) string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		var all []transcript.Message
		for len(list) > 0 {
			n := 1 // consecutive messages are decoded in one call
			for n < len(list) && list[n] == list[0]+n {
				n++
			}
			msgs, err := doc.Messages(ctx, version, list[0], list[0]+n)
			if err != nil {
				return "", err
			}
			all, list = append(all, msgs...), list[n:]
		}
		return text(all), nil
	}
}

// plainText returns the texts of messages as written, with blank lines between them.
func plainText(messages []transcript.Message) string {
	var list []string
	for i := range messages {
		for block := range messages[i].Blocks {
			if text := strings.Trim(messages[i].Quote(block), "\n"); text != "" {
				list = append(list, text)
			}
		}
	}
	return strings.Join(list, "\n\n")
}
