package screen

import tea "charm.land/bubbletea/v2"

// Binding is a key with its intent and its texts for the footer, the help and the palette.
type Binding struct {
	Name  string   // name of the action in the config, or "" for a fixed key
	Pair  []string // names of the actions that share this line of the help
	Keys  []string // keys in the notation of Bubble Tea
	Show  string   // keys as they are displayed
	Label string   // verb in the footer, or "" for no footer entry
	Help  string   // text in the help and the palette, or "" for no entry
	Group string   // heading in the help
	// Command is the name in the palette. "" stands for Help.
	Command string
	Do      Intent
	Needs   Need // interface of World that the key requires
	// Common means that the program sets all fields except for Do, Needed, Quiet and Rank.
	Common bool
	IsHelp bool // shown at the right end of the footer

	// The current state of the key.
	Gone   bool   // the key isn't available
	Needed string // message for the key while it is Gone, or ""
	Off    string // reason why the key does nothing now, or ""
	As     string // label in place of Label; may be ""
	More   string // shown after the label
	Extra  string // text after the label, if there is room for it
	Quiet  bool   // not in the footer
	Rank   Rank   // order in the footer
}

// Rank orders the keys in the footer. Keys with a higher rank are left out first.
type Rank uint8

// The ranks.
const (
	RankFirst Rank = iota
	RankSecond
	RankThird
)

// At returns the bindings with the rank r.
func (r Rank) At(list ...Binding) []Binding {
	for i := range list {
		list[i].Rank = r
	}
	return list
}

// Headings of the help.
const (
	GroupThis       = "This row"
	GroupRead       = "Reading"
	GroupFind       = "Find"
	GroupMove       = "Move"
	GroupEverywhere = "Everywhere"
	GroupTab        = "Tab"
)

// Groups returns the headings of the help, in order.
func Groups() []string {
	return []string{GroupThis, GroupRead, GroupFind, GroupMove, GroupEverywhere, GroupTab}
}

// Need is an interface of World that a key requires. Without it, the key doesn't exist.
type Need uint8

// The needs.
const (
	NeedsNothing Need = iota
	NeedsActions
	NeedsChanges
	NeedsProjects
	NeedsLedgers
)

// Common returns bindings for intents of the program. The program sets the other fields.
func Common(names ...string) []Binding {
	list := make([]Binding, len(names))
	for i, name := range names {
		list[i] = Binding{Do: Intent{Name: name}, Common: true}
	}
	return list
}

// Intents for a text field.
const (
	EraseWord = "erase-word"
	EraseAll  = "erase-all"
)

// Typing returns the keys that work while the user types text.
func Typing() []Binding {
	return append([]Binding{
		{Name: "help", Keys: []string{"f1"}, Show: "F1", Label: "help", Help: "these keys", Group: GroupEverywhere, Do: Intent{Name: Help}, IsHelp: true},
		{Keys: []string{"ctrl+w"}, Show: "ctrl+w", Help: "erase a word", Group: GroupEverywhere, Do: Intent{Name: EraseWord}},
		{Keys: []string{"ctrl+u"}, Show: "ctrl+u", Help: "erase all", Group: GroupEverywhere, Do: Intent{Name: EraseAll}},
	}, Common(Quit)...)
}

// EraseKey returns the key press of a text field for the intent EraseWord or EraseAll.
func EraseKey(do Intent) tea.KeyPressMsg {
	if do.Name == EraseWord {
		return tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
}

// Movement returns the keys that move through a list. thing is the noun for an item, such as "session".
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
