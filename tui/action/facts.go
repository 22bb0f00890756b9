package action

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Facts shows the figures of a session or backup that the preview leaves out.
type Facts struct{ desk *Desk }

// NewFacts returns the action for a desk.
func NewFacts(d *Desk) *Facts { return &Facts{d} }

// Keys implements Action.
func (a *Facts) Keys(intent string) []screen.Binding {
	if intent != screen.Facts {
		return nil
	}
	return []screen.Binding{{
		Name: intent, Keys: []string{"i"}, Show: "i", Help: "facts: size, tokens, file", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.has(), Needed: "choose a session or backup",
	}}
}

func (a *Facts) has() bool { return a.desk.Row != nil && a.desk.Row.Kind != sessions.KindDocument }

// Do implements Action.
func (a *Facts) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Facts {
		return nil, false
	}
	if !a.has() {
		return nil, true
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewFacts(render.Title(a.desk.Row), facts(a.desk.Row, a.desk.Home))}}, true
}

// Took implements Action.
func (*Facts) Took(tea.Msg) []screen.Effect { return nil }

// facts returns the figures of a row. It leaves out the unknown ones.
func facts(row *sessions.Row, home string) []dialog.Fact {
	var list []dialog.Fact
	add := func(label, value string) {
		if value != "" {
			list = append(list, dialog.Fact{Label: label, Value: transcript.CleanLine(value)})
		}
	}
	if row.Counted() {
		add("Messages", words.Count(row.Messages))
		add("Tokens", tokens(row.Tokens))
	}
	if row.ContextTokens > 0 {
		add("Context", render.Tokens(row.ContextTokens)+" tokens after the last answer")
	}
	if n := len(row.Agents); n > 0 {
		add("Sub-agents", words.Count(n))
	}
	add("Models", strings.Join(row.Models, ", "))
	add("Client", row.Version)
	add("Size", words.Size(row.Bytes))
	add("ID", row.ID)
	add("Folder", render.Folder(row.Workdir, home))
	add("File", render.Folder(row.Path, home))
	return list
}

// tokens returns the parts of a usage: "31.4k input, 76.1k output, 4.1M cache read".
func tokens(u transcript.Usage) string {
	var parts []string
	for _, part := range []struct {
		n    int64
		kind string
	}{{u.Input, "input"}, {u.Output, "output"}, {u.CacheWrite, "cache write"}, {u.CacheRead, "cache read"}} {
		if part.n > 0 {
			parts = append(parts, render.Tokens(part.n)+" "+part.kind)
		}
	}
	return strings.Join(parts, ", ")
}
