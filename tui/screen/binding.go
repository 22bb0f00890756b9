package screen

import tea "charm.land/bubbletea/v2"

// Binding is a key with its action, and with its texts for the footer, the help and the palette.
type Binding struct {
	Name  string   // name of the action in the config; "" if the user can't change the key
	Pair  []string // names of the actions whose keys are on this line of the help
	Keys  []string // keys in the notation of Bubble Tea
	Show  string   // keys as shown to the user
	Label string   // verb in the footer; "" if the footer leaves it out
	Help  string   // text in the help and the palette; "" if both leave it out
	Group string   // heading in the help
	// Command is the name of the action in the palette. If it is "", the palette uses Help.
	Command string
	Do      Intent
	Needs   Need // part of the program that the key requires
	// Common means that the program fills in all fields except Do, Needed, Quiet and Rank.
	Common bool
	IsHelp bool // shown at the right end of the footer

	// The current state of the key.
	Gone   bool   // the key isn't available
	Needed string // reason that is shown when a Gone key is pressed; may be ""
	Off    string // reason why the key does nothing for the selected row; "" if it works
	As     string // replaces the label; may be ""
	More   string // shown after the label
	Extra  string // shown after the label if the other keys leave room
	Quiet  bool   // not in the footer
	Rank   Rank   // when the footer shows it
}

// Rank is the place of a key in the footer: keys that are used less come later, so that they are the first to be left
// out if there is no room.
type Rank uint8

// The places.
const (
	RankFirst Rank = iota
	RankSecond
	RankThird
)

// At puts bindings at a place in the footer.
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

// Groups returns the headings in the order of the help.
func Groups() []string {
	return []string{GroupThis, GroupRead, GroupFind, GroupMove, GroupEverywhere, GroupTab}
}

// Need is a part of the program that a key needs. If the program doesn't have this part, it doesn't have the key.
type Need uint8

// The needs.
const (
	NeedsNothing Need = iota
	NeedsActions
	NeedsChanges
	NeedsProjects
	NeedsLedgers
)

// Common returns bindings for intents of the program. The program sets the other fields of these bindings.
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

// Typing returns the keys of a screen that work while the user types text.
func Typing() []Binding {
	return append([]Binding{
		{Name: "help", Keys: []string{"f1"}, Show: "F1", Label: "help", Help: "these keys", Group: GroupEverywhere, Do: Intent{Name: Help}, IsHelp: true},
		{Keys: []string{"ctrl+w"}, Show: "ctrl+w", Help: "erase a word", Group: GroupEverywhere, Do: Intent{Name: EraseWord}},
		{Keys: []string{"ctrl+u"}, Show: "ctrl+u", Help: "erase all", Group: GroupEverywhere, Do: Intent{Name: EraseAll}},
	}, Common(Quit)...)
}

// EraseKey returns the key press that a text field understands for the intents EraseWord and EraseAll.
func EraseKey(do Intent) tea.KeyPressMsg {
	if do.Name == EraseWord {
		return tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
}

// Movement returns the keys that move through a list. thing is the noun for the items of the list.
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
