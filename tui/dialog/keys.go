package dialog

import "github.com/continuo-tui/continuo/tui/render"

// panelKeys draws the keys in the last line of a dialog. The key that closes the dialog is at the right.
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

// more adds a hint that more lines follow below or, if below is false, above.
func (k *panelKeys) more(below bool) {
	text := "↑ ↓"
	if below {
		text = "↓ …"
	}
	k.hint(text)
}

// hint adds a text before the key that closes the dialog.
func (k *panelKeys) hint(text string) {
	k.right = append([]render.Span{{Ink: render.Faint, Text: text + "  "}}, k.right...)
}

func (k *panelKeys) put(key, word string) { k.in(render.Strong, render.Muted, key, word) }

// off adds a disabled key. Pressing the key shows the reason.
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
