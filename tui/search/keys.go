package search

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents that only this screen has.
const (
	enter  = "enter"
	scope  = "scope" // completes a field or switches the scope
	wider  = "wider"
	finish = "close"
	save   = "save-search"
)

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	do := func(name string) screen.Intent { return screen.Intent{Name: name} }
	return append([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: p.enterWord(), Help: "read, at the match", Group: screen.GroupThis, Do: do(enter), Gone: p.result() == nil, Needed: "nothing is selected"},
		{Show: "↑ ↓", Label: "match", Help: "match", Group: screen.GroupMove},
		{Show: "pgup pgdn", Help: "page", Group: screen.GroupMove},
		{Keys: []string{"up", "ctrl+p"}, Do: screen.Intent{Name: screen.Move, N: -1}},
		{Keys: []string{"down", "ctrl+n"}, Do: screen.Intent{Name: screen.Move, N: 1}},
		{Keys: []string{"pgup"}, Do: screen.Intent{Name: screen.Page, N: -1}},
		{Keys: []string{"pgdown"}, Do: screen.Intent{Name: screen.Page, N: 1}},
		{Keys: []string{"tab"}, Show: "tab", Label: p.tabWord(), Help: "complete a field, or switch the scope", Group: screen.GroupFind, Do: do(scope)},
		{Keys: []string{"ctrl+t"}, Show: "ctrl+t", Label: p.widerWord(), Help: "this project or all", Group: screen.GroupFind, Do: do(wider), Gone: !p.canWiden(), Needed: "the result has no project"},
		{Keys: []string{"ctrl+s"}, Show: "ctrl+s", Label: "save", Help: "save this search, or forget it", Group: screen.GroupFind, Do: do(save), Gone: strings.TrimSpace(p.field.Text()) == "", Needed: "type something first"},
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back", Group: screen.GroupEverywhere, Do: do(finish)},
		{Show: "a b", Help: "both words, in any order", Group: groupQuery},
		{Show: `"a b"`, Help: "the words together", Group: groupQuery},
		{Show: "-a /re/", Help: "exclude a; a regular expression", Group: groupQuery},
		{Show: "project:x", Help: "or branch:x model:x role:x tool:x file:x", Group: groupQuery},
		{Show: "after:3w", Help: "or before:2026-10 is:live is:backup", Group: groupQuery},
	}, screen.Typing()...)
}

const groupQuery = screen.GroupFind

func (p *Page) enterWord() string {
	if p.hit() != nil {
		return "read from the match"
	}
	return "read"
}

func (p *Page) tabWord() string {
	if p.completion() != "" {
		return "complete"
	}
	if p.scope == search.Conversation {
		return "everything"
	}
	return "conversation"
}

// canWiden reports whether the search can switch between all projects and one.
func (p *Page) canWiden() bool {
	r := p.result()
	return p.project != "" || r != nil && r.Project != ""
}

// projectName returns the project that ctrl+t searches: the program's project or, without one, the selected result's
// project.
func (p *Page) projectName() string {
	project := p.project
	if r := p.result(); project == "" && r != nil {
		project = r.Project
	}
	return words.Cut(render.Base(project), mostName)
}

func (p *Page) widerWord() string {
	if p.here {
		return "all projects"
	}
	return p.projectName() + " only"
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case screen.Move:
		p.list.Move(do.N)
	case screen.Page:
		p.list.Move(do.N * max(p.rows-1, 1))
	case screen.EraseWord, screen.EraseAll:
		return p.Typed(screen.EraseKey(do))
	case enter:
		return p.read()
	case scope:
		if rest := p.completion(); rest != "" {
			p.field.Set(p.field.Text() + rest)
			return p.changed()
		}
		p.scope = search.All - p.scope
		return p.changed()
	case save:
		return []screen.Effect{screen.SaveSearch{Text: strings.TrimSpace(p.field.Text())}}
	case wider:
		if p.here = !p.here; p.opts.Project == "" {
			p.project = ""
			if p.here {
				p.project = p.result().Project
			}
		}
		return p.changed()
	case finish, screen.Clear, screen.Leave:
		return []screen.Effect{screen.Pop{}}
	}
	return nil
}

// Typed implements screen.Typed.
func (p *Page) Typed(msg tea.Msg) []screen.Effect {
	if p.field.Type(msg) {
		return p.changed()
	}
	return nil
}

// changed starts a search for the changed query. The bar moves to the first result.
func (p *Page) changed() []screen.Effect {
	p.chosen, p.elsewhere = false, nil
	return p.start()
}

// completion returns the text that completes the last word of the query to a field or a value, or "".
func (p *Page) completion() string {
	text := p.field.Text()
	word := strings.TrimPrefix(text[strings.LastIndexByte(text, ' ')+1:], "-")
	if word == "" || p.field.Before() != text {
		return ""
	}
	name, value, open := strings.Cut(word, ":")
	if !open {
		for _, f := range query.FieldNames() {
			if rest, ok := strings.CutPrefix(f, word); ok && len(word) > 1 {
				return rest + ":"
			}
		}
		return ""
	}
	for _, v := range p.values(name) {
		if len(v) > len(value) && strings.EqualFold(v[:len(value)], value) {
			return v[len(value):] + " "
		}
	}
	return ""
}

// values returns the values that can complete a field.
func (p *Page) values(name string) []string {
	var list []string
	switch name {
	case query.Is:
		return query.IsValues()
	case query.Role:
		return []string{"you", "claude", "summary"}
	case query.Project, query.Branch, query.Model, query.Tag:
	default:
		return nil
	}
	for i := range p.answer.Results {
		row := p.answer.Results[i].Row
		if row == nil {
			continue
		}
		switch name {
		case query.Project:
			list = append(list, row.Project[strings.LastIndexByte(row.Project, '/')+1:])
		case query.Branch:
			list = append(list, row.Branch)
		case query.Model:
			list = append(list, row.Models...)
		case query.Tag:
			list = append(list, row.Described().Tags...)
		}
	}
	list = slices.DeleteFunc(list, func(v string) bool { return strings.ContainsRune(v, ' ') })
	slices.Sort(list)
	return slices.Compact(list)
}

// Click implements screen.Screen.
func (p *Page) Click(_, y int) []screen.Effect {
	i := p.list.Item(y - p.frame.Layout.Body.Y - p.headRows())
	if i >= 0 && p.items[i].kind == resultItem {
		i = p.list.Next(i, 1) // its first match
	}
	if i < 0 || !p.list.Items.Stops(i) {
		return nil
	}
	if i == p.list.At {
		return p.read()
	}
	p.list.Choose(i)
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.list.Scroll(rows)
	return nil
}
