package field

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestLines checks that the cursor moves between lines and that ctrl+j splits a line.
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
	// Does nothing, because the text has the maximum number of lines.
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
