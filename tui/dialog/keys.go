package dialog

import "github.com/continuo-tui/continuo/tui/render"

// panelKeys is the last line of a dialog: what the keys do, and at the right how to leave.
type panelKeys struct {
	line  *render.Line
	right []render.Span
	width int
}

func newPanelKeys(d *base, width int, leave string) *panelKeys {
	return &panelKeys{
		line: d.line(width).To(min(menuKey, width/8)), width: width - min(menuKey, width/8),
		right: []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " " + leave}},
	}
}

// more says that there is more to be seen: below, or above.
func (k *panelKeys) more(below bool) {
	text := "↑ ↓"
	if below {
		text = "↓ …"
	}
	k.hint(text)
}

// hint puts a hint beside what leaves.
func (k *panelKeys) hint(text string) {
	k.right = append([]render.Span{{Ink: render.Faint, Text: text + "  "}}, k.right...)
}

func (k *panelKeys) put(key, word string) { k.in(render.Strong, render.Muted, key, word) }

// off is for a key that does nothing now: pressing it says why.
func (k *panelKeys) off(key, word string) { k.in(render.Faint, render.Faint, key, word) }

func (k *panelKeys) in(keyInk, ink render.Ink, key, word string) {
	gap := ""
	if k.line.At() > menuKey {
		gap = "   "
	}
	if k.line.At()+render.SpansWidth([]render.Span{{Text: gap + key + " " + word}})+2 <= k.width-render.SpansWidth(k.right) {
		k.line.Put(render.Text, gap).Put(keyInk, key).Put(ink, " "+word)
	}
}

func (k *panelKeys) end() *render.Line { return k.line.Right(k.width, k.right...) }
