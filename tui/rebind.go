package tui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"github.com/continuo-tui/continuo/tui/facts"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
	"github.com/continuo-tui/continuo/tui/taskview"
)

// rebind replaces the default keys in bindings with the user's keys, also in texts.
func rebind[T any](list []T, of func(*T) *screen.Binding, keys map[string][]string) {
	if len(keys) == 0 {
		return
	}
	shown := map[string]string{}
	for i := range list {
		b := of(&list[i])
		if b.Name == "" {
			continue
		}
		if other := keys[b.Name]; len(other) > 0 {
			b.Keys = other
			if b.Show != "" {
				b.Show = screen.ShowKey(other[0])
			}
		}
		shown[b.Name] = screen.ShowKey(b.Keys[0])
	}
	for i := range list {
		if b := of(&list[i]); len(b.Pair) > 0 {
			b.Show = ""
			for _, name := range b.Pair {
				b.Show = strings.TrimSpace(b.Show + " " + shown[name])
			}
		}
	}
}

// tables returns the bindings of all screens, with the user's keys applied.
func tables(keys map[string][]string) [][]screen.Binding {
	lists := list.NewPage(list.Options{})
	acts := newActions(lists)
	k := keymap{has: func(screen.Need) bool { return true }, common: func(intent string) []screen.Binding {
		if own := (programKeys{}).of(intent); own != nil {
			return own
		}
		return acts.keys(intent)
	}}
	ofScreen := func(s screen.Screen) []screen.Binding { return k.of(s.Keys()) }
	all := [][]screen.Binding{
		ofScreen(lists), ofScreen(reader.New(reader.Options{})), ofScreen(project.New(project.Options{})), ofScreen(ledgerview.New(ledgerview.Options{})), ofScreen(taskview.New(taskview.Options{})), ofScreen(gateview.New(gateview.Options{})), ofScreen(facts.New(facts.Options{})),
		ofScreen(live.New(live.Options{})), ofScreen(live.NewTalk(live.TalkOptions{})),
	}
	for _, list := range all {
		rebind(list, func(b *screen.Binding) *screen.Binding { return b }, keys)
	}
	return all
}

// KeyNames returns the actions whose keys the user can change, in the order of the help.
func KeyNames() []KeyName {
	var list []KeyName
	all := tables(nil)
	for _, table := range all {
		for _, b := range table {
			if b.Name == "" || slices.ContainsFunc(list, func(k KeyName) bool { return k.Name == b.Name }) {
				continue
			}
			does := b.Help
			if text := pairWords(all, b.Name); text != "" {
				does = text
			}
			list = append(list, KeyName{Name: b.Name, Keys: b.Keys, Does: does})
		}
	}
	return list
}

// pairWords returns the help text of an action that shares a line of the help.
func pairWords(all [][]screen.Binding, name string) string {
	var texts []string
	for _, table := range all {
		for _, b := range table {
			if slices.Contains(b.Pair, name) && b.Help != "" && !slices.Contains(texts, b.Help) {
				texts = append(texts, b.Help)
			}
		}
	}
	return strings.Join(texts, "; ")
}

// KeyName is an action whose keys the user can change.
type KeyName struct {
	Name string
	Keys []string
	Does string
}

// CheckKeys checks the user's key bindings. name is the action with the error, or "".
func CheckKeys(keys map[string][]string) (name string, err error) {
	var names []string
	for _, k := range KeyNames() {
		names = append(names, k.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		list := keys[name]
		if !slices.Contains(names, name) {
			if near := nearest(name, names); near != "" {
				return name, fmt.Errorf("no action is named %q; did you mean %s?", name, near)
			}
			return name, fmt.Errorf("no action is named %q", name)
		}
		if len(list) == 0 {
			return name, fmt.Errorf("%s has no key", name)
		}
		for _, k := range list {
			if !isKey(k) {
				return name, fmt.Errorf("%q isn't a key: write it as a, A, ctrl+a, alt+a, f2, tab, space, pgup", k)
			}
		}
	}
	for _, table := range tables(keys) {
		taken := map[string]screen.Binding{}
		for _, b := range table {
			for _, k := range b.Keys {
				other, twice := taken[k]
				taken[k] = b
				if !twice || b.Name == other.Name {
					continue
				}
				if keys[b.Name] == nil { // the error names an action that the user has rebound
					b, other = other, b
				}
				if other.Name == "" {
					return b.Name, fmt.Errorf("the key %s is reserved", k)
				}
				return b.Name, fmt.Errorf("the key %s is already bound to the action %s; give one of them another key", k, other.Name)
			}
		}
	}
	return "", nil
}

// isKey reports whether a name is a key of Bubble Tea, such as "ctrl+a". A character with shift isn't a key, because
// the terminal sends another character.
func isKey(name string) bool {
	key, rest := tea.Key{}, name
	for mod, prefix := range []string{"ctrl+", "alt+", "shift+"} {
		if after, ok := strings.CutPrefix(rest, prefix); ok && after != "" {
			key.Mod |= []tea.KeyMod{tea.ModCtrl, tea.ModAlt, tea.ModShift}[mod]
			rest = after
		}
	}
	if r, n := utf8.DecodeRuneInString(rest); n == len(rest) {
		isText := unicode.IsPrint(r) && r != ' ' && r != utf8.RuneError
		if key.Mod == 0 {
			return isText
		}
		return isText && key.Mod != tea.ModShift && unicode.ToLower(r) == r
	}
	if n, ok := strings.CutPrefix(rest, "f"); ok {
		number, err := strconv.Atoi(n)
		if err != nil || number < 1 || number > mostFunctionKey {
			return false
		}
		key.Code = tea.KeyF1 + rune(number) - 1
		return key.Keystroke() == name
	}
	for _, code := range []rune{
		tea.KeyEnter, tea.KeyEscape, tea.KeyTab, tea.KeyBackspace, tea.KeySpace, tea.KeyUp, tea.KeyDown, tea.KeyLeft,
		tea.KeyRight, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd, tea.KeyInsert, tea.KeyDelete,
	} {
		if key.Code = code; key.Keystroke() == name {
			return true
		}
	}
	return false
}

// mostFunctionKey is the highest number of a function key in Bubble Tea.
const mostFunctionKey = 63

// nearest returns the name that the user probably meant, or "".
func nearest(name string, names []string) string {
	if m := fuzzy.Find(name, names); len(m) > 0 {
		return m[0].Str
	}
	best := ""
	for _, n := range names {
		if len(n) > len(best) && len(fuzzy.Find(n, []string{name})) > 0 {
			best = n
		}
	}
	return best
}
