package field

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func press(f *Field, code rune, mod tea.KeyMod) { f.Type(tea.KeyPressMsg{Code: code, Mod: mod}) }

func typed(f *Field, text string) {
	for _, r := range text {
		f.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestField(t *testing.T) {
	t.Parallel()
	f := New(Words)
	typed(&f, "one three")
	press(&f, tea.KeyLeft, tea.ModCtrl)
	if typed(&f, "two "); f.Text() != "one two three" || f.Before() != "one two " {
		t.Errorf("%q, %q", f.Text(), f.Before())
	}
	press(&f, tea.KeyHome, 0)
	press(&f, tea.KeyRight, 0)
	press(&f, tea.KeyDelete, 0)
	press(&f, tea.KeyEnd, 0)
	press(&f, tea.KeyBackspace, 0)
	if f.Text() != "oe two thre" {
		t.Errorf("%q", f.Text())
	}
	press(&f, 'w', tea.ModCtrl)
	if f.Text() != "oe two " {
		t.Errorf("%q", f.Text())
	}
	press(&f, tea.KeyLeft, 0)
	f.Type(tea.PasteMsg{Content: "\x1b[31m, and\nmore"})
	if f.Text() != "oe two, and more " {
		t.Errorf("%q", f.Text())
	}
	press(&f, tea.KeyEnd, 0)
	if press(&f, 'u', tea.ModCtrl); f.Text() != "" {
		t.Errorf("%q", f.Text())
	}
}

func TestFieldLimit(t *testing.T) {
	t.Parallel()
	f := New(10)
	f.Type(tea.PasteMsg{Content: strings.Repeat("é", 1<<20)})
	if f.Text() != "ééééé" {
		t.Errorf("%q", f.Text())
	}
	if f.Type(tea.KeyPressMsg{Code: 'x', Text: "x"}) {
		t.Errorf("%q", f.Text())
	}
	if f.Set("äbc\ndefghijk"); f.Text() != "äbc defgh" {
		t.Errorf("%q", f.Text())
	}
}
