package tui

import "slices"

// place is where a key acts.
type place uint8

const (
	inList place = iota
	inReader
	whileTyping
	inHelp
	places
)

// binding is one key with all that is known of it: dispatch, footer and help are drawn from this table.
type binding struct {
	keys   []string // as Bubble Tea names them
	show   string   // as it is shown
	label  string   // verb in the footer, "" not there
	help   string   // words in help, "" not there
	group  string   // heading in help
	do     intent
	when   func(*model) bool   // whether it is there at all; nil: always
	off    func(*model) string // why it does nothing for this row, "" when it does something
	isHelp bool
}

// Headings of help.
const (
	groupThis       = "This session"
	groupFind       = "Find"
	groupMove       = "Move"
	groupEverywhere = "Everywhere"
)

// keyTable has the bindings of every place. A key means the same wherever it exists.
func keyTable(canResume bool) [places][]binding {
	resume := binding{keys: []string{"r"}, show: "r", label: "resume", help: "resume", group: groupThis, do: (*model).resume, when: (*model).hasSubject, off: (*model).whyNotResume}
	help := binding{keys: []string{"?", "f1"}, show: "?", label: "help", help: "these keys", group: groupEverywhere, do: (*model).openHelp, isHelp: true}
	quit := binding{keys: []string{"ctrl+c"}, show: "ctrl+c", help: "quit now", group: groupEverywhere, do: (*model).quit}
	closeHelp := help
	closeHelp.keys, closeHelp.do = []string{"?", "f1", "esc", "q"}, (*model).closeHelp
	typingHelp := help
	typingHelp.keys, typingHelp.show = []string{"f1"}, "F1"

	var t [places][]binding
	t[inList] = []binding{
		{keys: []string{"enter"}, show: "enter", label: "read", help: "read", group: groupThis, do: (*model).readSelected, when: (*model).hasSubject},
		resume,
		{keys: []string{"/"}, show: "/", label: "filter", help: "filter this list", group: groupFind, do: (*model).startFilter, when: (*model).hasRows},
		{keys: []string{"a"}, show: "a", label: "all", help: "this project or all", group: groupFind, do: (*model).toggleAll, when: (*model).hasProject},
		{keys: []string{"."}, show: ".", label: "hidden", help: "stubs and -p runs", group: groupFind, do: (*model).toggleHidden, when: (*model).hasRows},
		{keys: []string{"p"}, show: "p", help: "preview on or off", group: groupFind, do: (*model).togglePreview},
		{keys: []string{"ctrl+r"}, show: "ctrl+r", help: "refresh", group: groupEverywhere, do: (*model).refresh},
		{keys: []string{"esc"}, show: "esc", help: "back, close, clear", group: groupEverywhere, do: (*model).clear},
		{keys: []string{"q"}, show: "q", label: "quit", help: "back, then quit", group: groupEverywhere, do: (*model).back},
		help, quit,
	}
	t[inList] = append(t[inList], movement("row")...)
	t[inReader] = []binding{
		{show: "{ }", label: "prompts", help: "previous, next prompt", group: groupMove},
		{keys: []string{"{"}, do: (*model).previousPrompt},
		{keys: []string{"}"}, do: (*model).nextPrompt},
		resume,
		{keys: []string{"q", "esc"}, show: "esc", label: "back", help: "back to the list", group: groupEverywhere, do: (*model).back},
		help, quit,
	}
	t[inReader] = append(t[inReader], movement("line")...)
	t[whileTyping] = []binding{
		{keys: []string{"enter"}, show: "enter", label: "keep the filter", do: (*model).keepFilter},
		{show: "↑ ↓", label: "row"},
		{keys: []string{"up"}, do: by(-1)},
		{keys: []string{"down"}, do: by(1)},
		{keys: []string{"pgup"}, do: (*model).pageUp},
		{keys: []string{"pgdown"}, do: (*model).pageDown},
		{keys: []string{"ctrl+t"}, show: "ctrl+t", label: "wider scope", do: (*model).toggleAll, when: (*model).hasProject},
		{keys: []string{"esc"}, show: "esc", label: "clear", do: (*model).clear},
		{keys: []string{"backspace", "ctrl+h"}, do: (*model).eraseRune},
		{keys: []string{"ctrl+w", "alt+backspace"}, do: (*model).eraseWord},
		{keys: []string{"ctrl+u"}, do: (*model).eraseAll},
		typingHelp, quit,
	}
	t[inHelp] = []binding{closeHelp, quit}
	if !canResume {
		for p := range t {
			t[p] = slices.DeleteFunc(t[p], func(b binding) bool { return slices.Equal(b.keys, resume.keys) })
		}
	}
	return t
}

// movement has the keys that go up and down in a list of things.
func movement(thing string) []binding {
	return []binding{
		{show: "↑ ↓ j k", help: thing, group: groupMove},
		{show: "pgup pgdn", help: "page", group: groupMove},
		{show: "ctrl+u ctrl+d", help: "half a page", group: groupMove},
		{show: "g G", help: "first, last", group: groupMove},
		{keys: []string{"up", "k"}, do: by(-1)},
		{keys: []string{"down", "j"}, do: by(1)},
		{keys: []string{"pgup"}, do: (*model).pageUp},
		{keys: []string{"pgdown"}, do: (*model).pageDown},
		{keys: []string{"ctrl+u"}, do: (*model).halfPageUp},
		{keys: []string{"ctrl+d"}, do: (*model).halfPageDown},
		{keys: []string{"g", "home"}, do: (*model).toFirst},
		{keys: []string{"G", "end"}, do: (*model).toLast},
	}
}

// place is where keys act now: dialogs first, then what is typed into, then the pane.
func (m *model) place() place {
	if m.helpOpen {
		return inHelp
	}
	return m.behind()
}

// behind is the place without the panel that floats over it.
func (m *model) behind() place {
	switch {
	case m.reader != nil:
		return inReader
	case m.list.typing:
		return whileTyping
	}
	return inList
}

func (m *model) bindings() []binding { return m.keys[m.place()] }

// exists reports whether the key is there now.
func (b *binding) exists(m *model) bool { return b.when == nil || b.when(m) }

// intentOf is the one function that turns a key into an intent; nil when it has none here.
func (m *model) intentOf(key string) (intent, string) {
	for _, b := range m.bindings() {
		if b.do == nil || !slices.Contains(b.keys, key) || !b.exists(m) {
			continue
		}
		if b.off != nil {
			if why := b.off(m); why != "" {
				return nil, b.show + " " + b.label + ": " + why
			}
		}
		return b.do, ""
	}
	return nil, ""
}
