package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// bound is a key as it is now, with what it does.
type bound struct {
	screen.Binding
	do func() tea.Cmd // nil: it is only shown
}

// now is what is known of a binding, for what is here.
func (b *binding) now(m *model) screen.Binding {
	n := b.fixed()
	if n.Gone = b.when != nil && !b.when(m); n.Gone {
		return n
	}
	say := func(f func(*model) string) string {
		if f == nil {
			return ""
		}
		return f(m)
	}
	n.Off, n.More, n.Extra, n.As = say(b.off), say(b.more), say(b.extra), say(b.as)
	n.Quiet = b.quiet != nil && b.quiet(m)
	return n
}

// fixed is what of a binding is the same everywhere.
func (b *binding) fixed() screen.Binding {
	return screen.Binding{
		Name: b.name, Pair: b.pair, Keys: b.keys, Show: b.show, Label: b.label, Help: b.help, Group: b.group, Needs: b.needs,
		IsHelp: b.isHelp, Needed: b.needed,
	}
}

// bindings are the keys of the place where they act now.
func (m *model) bindings() []bound {
	return m.keysOf(*m.front())
}

// keysBehind are those of the screen in front, whatever dialog is over it: footer, help and palette speak of them.
func (m *model) keysBehind() []bound {
	return m.keysOf(*m.top())
}

func (m *model) keysOf(s shown) []bound {
	return m.usable(m.expand(s.screen.Keys(), func(do screen.Intent) tea.Cmd { return m.carry(s.id, s.screen.Do(do)) }))
}

// expand adds what is common to the keys of a screen, and what they do.
func (m *model) expand(keys []screen.Binding, do func(screen.Intent) tea.Cmd) []bound {
	var list []bound
	for _, k := range keys {
		intent := k.Do
		if !k.Common {
			b := bound{Binding: k}
			if intent.Name != "" {
				b.do = func() tea.Cmd { return m.perform(intent, do) }
			}
			list = append(list, b)
			continue
		}
		for i := range m.common[intent.Name] {
			c := &m.common[intent.Name][i]
			b := bound{Binding: c.now(m)}
			b.Needed = cmp.Or(k.Needed, b.Needed)
			switch {
			case intent.Name == screen.Fresh:
				b.do = func() tea.Cmd { return do(intent) }
			case c.do != nil:
				b.do = func() tea.Cmd { return c.do(m) }
			}
			list = append(list, b)
		}
	}
	return list
}

// perform carries out what the program does itself, and leaves the rest to the screen.
func (m *model) perform(do screen.Intent, rest func(screen.Intent) tea.Cmd) tea.Cmd {
	switch do.Name {
	case screen.StepTab:
		return m.leaveByStep(do.N)
	case screen.ToTab:
		return m.leaveForTab(do.N)
	case screen.Note:
		return m.noteDialog(m.top().screen.Subject().Dir)
	case screen.Clear:
		if m.status.bad {
			m.status = status{}
			return nil
		}
	case screen.Leave:
		m.status = status{}
	}
	return rest(do)
}

// ofPlace are the keys of a place that is no screen.
func (m *model) ofPlace(p place) []bound {
	var list []bound
	for i := range m.keys[p] {
		b := &m.keys[p][i]
		k := bound{Binding: b.now(m)}
		if b.do != nil {
			k.do = func() tea.Cmd { return b.do(m) }
		}
		list = append(list, k)
	}
	return list
}

// usable leaves the keys that have what they need, as they were bound.
func (m *model) usable(list []bound) []bound {
	list = slices.DeleteFunc(list, func(b bound) bool { return !m.has(b.Needs) })
	rebind(list, func(b *bound) *screen.Binding { return &b.Binding }, m.opts.Keys)
	return list
}

// intentOf is the one function that turns a key into what it does; nil when it does nothing here.
func (m *model) intentOf(key string) (do func() tea.Cmd, why string) {
	for _, b := range m.bindings() {
		if b.do == nil || !slices.Contains(b.Keys, key) {
			continue
		}
		if b.Gone { // another one may be there
			if why == "" && b.Needed != "" {
				why = b.says(b.Needed)
			}
			continue
		}
		if b.Off != "" {
			return nil, b.says(b.Off)
		}
		return b.do, ""
	}
	return nil, why
}

// says is why the key does nothing, with its name.
func (b *bound) says(why string) string {
	return strings.TrimSpace(cmp.Or(b.Show, b.Keys[0])+" "+cmp.Or(b.Label, b.Help)) + ": " + why
}

// keyIn is the key of an action in a place that can be taken now, "" when it cannot. Only that action is asked.
func (m *model) keyIn(p place, name string) string {
	for i := range m.keys[p] {
		b := &m.keys[p][i]
		if b.name != name || !m.has(b.needs) || b.when != nil && !b.when(m) {
			continue
		}
		if name != "undo" && b.off != nil && b.off(m) != "" {
			continue
		}
		if other := m.opts.Keys[name]; len(other) > 0 {
			return screen.ShowKey(other[0])
		}
		return b.show
	}
	return ""
}
