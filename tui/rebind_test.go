package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestRebind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := testOptions()
		o.Keys = map[string][]string{"resume": {"x", "ctrl+e"}, "next-prompt": {"J"}}
		m := testModel(t, testSource(), o, 80, 24)
		actions, ok := m.Actions.(*fakeActions)
		if !ok {
			t.Fatal("no fake")
		}
		press(t, m, "r")
		if len(actions.asks) != 0 {
			t.Error("the old key still resumes")
		}
		if got := plain(t, m); !strings.Contains(got, "x resume") {
			t.Errorf("the footer shows another key:\n%s", got)
		}
		press(t, m, "ctrl+e")
		if len(actions.asks) != 1 {
			t.Error("the new key does not resume")
		}
		m.away = false
		press(t, m, "enter", "?")
		if got := plain(t, m); !strings.Contains(got, "{ J  ") || !strings.Contains(got, "x              resume") {
			t.Errorf("help shows other keys:\n%s", got)
		}
	})
}

func TestCheckKeys(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys map[string][]string
		want string // "" for no error
	}{
		{"nothing", nil, ""},
		{"a free key", map[string][]string{"resume": {"x"}}, ""},
		{"its own key", map[string][]string{"resume": {"r"}}, ""},
		{"two change places", map[string][]string{"resume": {"f"}, "fork": {"r"}}, ""},
		{"named keys", map[string][]string{"mark": {"ctrl+e", "alt+r", "f2", "space", "+", "ctrl++"}}, ""},
		{"the same key in another place", map[string][]string{"follow": {"a"}}, ""},
		{"no such action", map[string][]string{"resum": {"x"}}, `no action is named "resum"; did you mean resume?`},
		{"more than the name", map[string][]string{"folds": {"x"}}, `no action is named "folds"`},
		{"letters too many", map[string][]string{"forks": {"x"}}, `no action is named "forks"; did you mean fork?`},
		{"nothing like it", map[string][]string{"xyz": {"x"}}, `no action is named "xyz"`},
		{"enter", map[string][]string{"resume": {"enter"}}, "the key enter is reserved"},
		{"esc", map[string][]string{"resume": {"esc"}}, "the key esc is reserved"},
		{"up", map[string][]string{"resume": {"up"}}, "the key up is reserved"},
		{"down", map[string][]string{"follow": {"down"}}, "the key down is reserved"},
		{"no key", map[string][]string{"resume": {}}, "resume has no key"},
		{"a word", map[string][]string{"resume": {"control-r"}}, `"control-r" isn't a key: write it as a, A, ctrl+a, alt+a, f2, tab, space, pgup`},
		{"a blank", map[string][]string{"resume": {" "}}, `" " isn't a key: write it as a, A, ctrl+a, alt+a, f2, tab, space, pgup`},
		{"taken", map[string][]string{"resume": {"a"}}, "the key a is already bound to the action all; give one of them another key"},
		{"taken in the reader", map[string][]string{"resume": {"Z"}}, "the key Z is already bound to the action fold-all; give one of them another key"},
		{"needed", map[string][]string{"resume": {"j"}}, "the key j is reserved"},
		{"no way out", map[string][]string{"resume": {"ctrl+c"}}, "the key ctrl+c is reserved"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			name, err := CheckKeys(tt.keys)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want || (err != nil) != (name != "") {
				t.Errorf("%q: got %q, want %q", name, got, tt.want)
			}
		})
	}
}

func TestKeyNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, k := range KeyNames() {
		if k.Name == "" || k.Does == "" || len(k.Keys) == 0 || slices.Contains(names, k.Name) {
			t.Errorf("%+v", k)
		}
		names = append(names, k.Name)
	}
	if len(names) < 20 {
		t.Errorf("only %d names", len(names))
	}
}

// TestIsKey: isKey accepts the key names of Bubble Tea, but no key that a terminal never sends.
func TestIsKey(t *testing.T) {
	t.Parallel()
	for want, key := range map[string]tea.Key{
		"a": {Code: 'a', Text: "a"}, "A": {Code: 'a', Mod: tea.ModShift, Text: "A"}, "+": {Code: '+', Text: "+"}, "é": {Code: 'é', Text: "é"},
		"ctrl+a": {Code: 'a', Mod: tea.ModCtrl}, "ctrl++": {Code: '+', Mod: tea.ModCtrl}, "ctrl+1": {Code: '1', Mod: tea.ModCtrl},
		"alt+shift+a": {Code: 'a', Mod: tea.ModAlt | tea.ModShift}, "ctrl+alt+a": {Code: 'a', Mod: tea.ModCtrl | tea.ModAlt},
		"f1": {Code: tea.KeyF1}, "shift+f12": {Code: tea.KeyF12, Mod: tea.ModShift}, "f63": {Code: tea.KeyF63}, "space": {Code: ' ', Text: " "},
		"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "ctrl+alt+shift+pgup": {Code: tea.KeyPgUp, Mod: tea.ModCtrl | tea.ModAlt | tea.ModShift},
		"backspace": {Code: tea.KeyBackspace}, "pgdown": {Code: tea.KeyPgDown}, "insert": {Code: tea.KeyInsert}, "delete": {Code: tea.KeyDelete},
		"esc": {Code: tea.KeyEscape}, "enter": {Code: tea.KeyEnter}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	} {
		if got := key.String(); got != want || !isKey(want) {
			t.Errorf("%q: Bubble Tea calls it %q, isKey is %v", want, got, isKey(want))
		}
	}
	for _, no := range []string{
		"", " ", "+a", "ctrl+", "shift+a", "shift+A", "shift+1", "ctrl+A", "ctrl+ctrl+x", "alt+ctrl+a", "shift+alt+a", "f0", "f01", "f64",
		"f-1", "f+1", "ctrl+f0", "ab", "pgdn", "escape", "return", "super+a", "ctrl+shift+alt+a", "\xff", "\x1b", "tab+ctrl", "CTRL+a",
	} {
		if isKey(no) {
			t.Errorf("isKey accepts %q", no)
		}
	}
}
