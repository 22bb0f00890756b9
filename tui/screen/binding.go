package screen

import tea "charm.land/bubbletea/v2"

// Binding is one key with all that is known of it: dispatch, footer, help and palette go by it.
type Binding struct {
	Name  string   // of what it does, in the config; "" it cannot be changed
	Pair  []string // names of those whose keys a line of help shows
	Keys  []string // as Bubble Tea names them
	Show  string   // as it is shown
	Label string   // verb in the footer, "" not there
	Help  string   // words in help and palette, "" not there
	Group string   // heading in help
	Do    Intent
	Needs Need // it is not there without it
	// Common says that all but Do is what the program says of this intent.
	Common bool
	IsHelp bool // it is at the right of the footer

	// What it is now.
	Gone   bool   // it is not there at all
	Needed string // what it is not there without, as it is said when the key is pressed; "" nothing is
	Off    string // why it does nothing for what the bar stands on, "" when it does something
	As     string // in the place of the label, "" that
	More   string // behind the label
	Extra  string // behind the label, where there is room when the other keys have theirs
	Quiet  bool   // the footer leaves it out
}

// Headings of help.
const (
	GroupThis       = "This row"
	GroupRead       = "Reading"
	GroupFind       = "Find"
	GroupMove       = "Move"
	GroupEverywhere = "Everywhere"
	GroupTab        = "Tab"
)

// Groups are the headings, in the order of help.
func Groups() []string {
	return []string{GroupThis, GroupRead, GroupFind, GroupMove, GroupEverywhere, GroupTab}
}

// Need is what of the world a key cannot do without.
type Need uint8

// What it can be.
const (
	NeedsNothing Need = iota
	NeedsActions
	NeedsChanges
	NeedsProjects
	NeedsLedgers
)

// Common are keys that the program describes: of intents that it carries out itself, and Fresh.
func Common(names ...string) []Binding {
	list := make([]Binding, len(names))
	for i, name := range names {
		list[i] = Binding{Do: Intent{Name: name}, Common: true}
	}
	return list
}

// Intents of a field.
const (
	EraseWord = "erase-word"
	EraseAll  = "erase-all"
)

// Typing has the keys that are there while something is typed in a screen.
func Typing() []Binding {
	return append([]Binding{
		{Name: "help", Keys: []string{"f1"}, Show: "F1", Label: "help", Help: "these keys", Group: GroupEverywhere, Do: Intent{Name: Help}, IsHelp: true},
		{Keys: []string{"ctrl+w"}, Show: "ctrl+w", Help: "erase a word", Group: GroupEverywhere, Do: Intent{Name: EraseWord}},
		{Keys: []string{"ctrl+u"}, Show: "ctrl+u", Help: "erase all", Group: GroupEverywhere, Do: Intent{Name: EraseAll}},
	}, Common(Quit)...)
}

// EraseKey is the key that a field knows an intent of Typing by.
func EraseKey(do Intent) tea.KeyPressMsg {
	if do.Name == EraseWord {
		return tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
}

// Movement has the keys that go up and down in a list of things.
func Movement(thing string) []Binding {
	list := []Binding{
		{Show: "↑ ↓ j k", Help: thing, Group: GroupMove},
		{Show: "pgup pgdn", Help: "page", Group: GroupMove},
		{Show: "ctrl+u ctrl+d", Help: "half a page", Group: GroupMove},
		{Show: "g G", Help: "first, last", Group: GroupMove},
	}
	for _, m := range []struct {
		do   Intent
		keys []string
	}{
		{Intent{Move, -1}, []string{"up", "k"}},
		{Intent{Move, 1}, []string{"down", "j"}},
		{Intent{Page, -1}, []string{"pgup"}},
		{Intent{Page, 1}, []string{"pgdown"}},
		{Intent{Half, -1}, []string{"ctrl+u"}},
		{Intent{Half, 1}, []string{"ctrl+d"}},
		{Intent{ToEnd, -1}, []string{"g", "home"}},
		{Intent{ToEnd, 1}, []string{"G", "end"}},
	} {
		list = append(list, Binding{Keys: m.keys, Do: m.do})
	}
	return list
}
