package field

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestLines(t *testing.T) {
	t.Parallel()
	f := NewLines(3, 20)
	f.Type(tea.PasteMsg{Content: "one\r\ntwo\x1b[1m words\n"})
	if f.Text() != "one\ntwo words" {
		t.Fatalf("%q", f.Text())
	}
	f.Type(tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModCtrl})
	f.Type(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	if line, before := f.Cursor(); f.Text() != "one\ntwo \nwords" || line != 2 || before != "" {
		t.Fatalf("%q, %d %q", f.Text(), line, before)
	}
	// The text has the maximum number of lines.
	f.Type(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	f.Type(tea.KeyPressMsg{Code: tea.KeyLeft})
	f.Type(tea.KeyPressMsg{Code: tea.KeyBackspace})
	f.Type(tea.KeyPressMsg{Code: tea.KeyDelete})
	if line, before := f.Cursor(); f.Text() != "one\ntwowords" || line != 1 || before != "two" {
		t.Fatalf("%q, %d %q", f.Text(), line, before)
	}
	if f.Type(tea.PasteMsg{Content: strings.Repeat("x", 1000)}); f.Text() != "one\ntwoxxxxxxxxxxxxwords" {
		t.Errorf("%q", f.Text())
	}
}

// TestText: tabs, blanks and empty lines aren't changed. Set refuses texts that can't be edited.
func TestText(t *testing.T) {
	t.Parallel()
	const code = "func f() {\n\n\treturn  1\n}\n"
	f := NewText(8, 20)
	if !f.Set(code) || f.Text() != code || !strings.Contains(f.Shown(), "␉return") {
		t.Fatalf("%q", f.Text())
	}
	f.Type(tea.PasteMsg{Content: "a\r\n\r\n\tb\n"})
	f.Type(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	f.Type(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	f.Type(tea.KeyPressMsg{Code: 'c', Text: "c"})
	if want := code + "a\n\n\tb\nc"; f.Text() != want {
		t.Errorf("%q, want %q", f.Text(), want)
	}
	for _, text := range []string{"a\x1b[2Jb", "a␉", "\xff", strings.Repeat("x", 161), strings.Repeat("\n", 8)} {
		if f.Set(text) {
			t.Errorf("%q can be edited", text)
		}
	}
}
