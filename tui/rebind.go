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
)

// rebind gives actions other keys. What help and footer show follows.
func rebind(t *[places][]binding, keys map[string][]string) {
	if len(keys) == 0 {
		return
	}
	for _, p := range []place{inList, inReader, inPage, inLedger, inGate} {
		shown := map[string]string{}
		for i := range t[p] {
			b := &t[p][i]
			if b.name == "" {
				continue
			}
			if other := keys[b.name]; len(other) > 0 {
				b.keys = other
				if b.show != "" {
					b.show = showKey(other[0])
				}
			}
			shown[b.name] = showKey(b.keys[0])
		}
		for i := range t[p] {
			if b := &t[p][i]; len(b.pair) > 0 {
				b.show = ""
				for _, name := range b.pair {
					b.show = strings.TrimSpace(b.show + " " + shown[name])
				}
			}
		}
	}
}

// showKey is a key as help writes it.
func showKey(key string) string {
	if key == "pgdown" {
		return "pgdn"
	}
	return key
}

// KeyNames are the names of the actions that can have other keys, in the order of help, each with its own keys and
// what it does.
func KeyNames() []KeyName {
	var list []KeyName
	t := keyTable(everything, nil)
	for _, p := range []place{inList, inReader, inPage, inLedger, inGate} {
		for _, b := range t[p] {
			if b.name == "" || slices.ContainsFunc(list, func(k KeyName) bool { return k.Name == b.name }) {
				continue
			}
			words := b.help
			if said := pairWords(&t, b.name); said != "" {
				words = said
			}
			list = append(list, KeyName{Name: b.name, Keys: b.keys, Does: words})
		}
	}
	return list
}

// pairWords is what help says of one of two keys, in all places.
func pairWords(t *[places][]binding, name string) string {
	var said []string
	for _, p := range []place{inList, inReader} {
		for _, b := range t[p] {
			if slices.Contains(b.pair, name) && b.help != "" && !slices.Contains(said, b.help) {
				said = append(said, b.help)
			}
		}
	}
	return strings.Join(said, "; ")
}

// KeyName is an action that can have other keys.
type KeyName struct {
	Name string
	Keys []string
	Does string
}

// CheckKeys finds what is wrong with other keys for actions: name is the action, "" when nothing is wrong.
func CheckKeys(keys map[string][]string) (name string, err error) {
	var names []string
	for _, k := range KeyNames() {
		names = append(names, k.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		list := keys[name]
		if !slices.Contains(names, name) {
			if near := nearest(name, names); near != "" {
				return name, fmt.Errorf("no action has the name %q; is it %s?", name, near)
			}
			return name, fmt.Errorf("no action has the name %q", name)
		}
		if len(list) == 0 {
			return name, fmt.Errorf("%s has no key", name)
		}
		for _, k := range list {
			if !isKey(k) {
				return name, fmt.Errorf("%q is no key: write it as a, A, ctrl+a, alt+a, f2, tab, space, pgup", k)
			}
		}
	}
	t := keyTable(everything, keys)
	for _, p := range []place{inList, inReader, inPage, inLedger, inGate} {
		taken := map[string]binding{}
		for _, b := range t[p] {
			for _, k := range b.keys {
				other, twice := taken[k]
				taken[k] = b
				if !twice || b.name == other.name {
					continue
				}
				if keys[b.name] == nil { // the one that was changed is in the way
					b, other = other, b
				}
				if other.name == "" {
					return b.name, fmt.Errorf("the key %s cannot be given away", k)
				}
				return b.name, fmt.Errorf("the key %s is that of %s; give that one another", k, other.name)
			}
		}
	}
	return "", nil
}

// isKey reports whether Bubble Tea has a key of that name: the modifiers in its order, each once, and text never with
// shift alone, which gives another text.
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

// mostFunctionKey is the last that Bubble Tea has a name for.
const mostFunctionKey = 63

// nearest is the name that was probably meant, "" none: one with all characters of what was written in their order,
// or the longest of which that has all.
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
