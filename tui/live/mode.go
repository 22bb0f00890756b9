package live

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// askMode offers permission modes and models. If the key Q only detaches, it also offers to end the session.
func (p *Talk) askMode() []screen.Effect {
	var items []dialog.Offer
	for _, mode := range [][3]string{
		{"d", "default", "asks before it edits or runs something"},
		{"a", "acceptEdits", "edits files without asking"},
		{"p", "plan", "reads and plans, changes nothing"},
		{"u", "auto", "Claude Code decides when to ask"},
	} {
		items = append(items, dialog.Offer{Key: mode[0], Name: "Mode " + mode[1], Note: mode[2], Do: screen.Reply{Msg: modeMsg(mode[1])}})
	}
	for _, model := range []string{"opus", "sonnet", "haiku"} {
		items = append(items, dialog.Offer{Key: model[:1], Name: "Model " + model, Note: "from the next request on", Do: screen.Reply{Msg: modelMsg(model)}})
	}
	items[4].Gap = true
	items = append(items, dialog.Offer{Key: "m", Name: "Another model", Note: "type its name", Do: screen.Reply{Msg: otherModelMsg{}}})
	if p.opts.Keeper {
		items = append(items, dialog.Offer{Key: "e", Name: "End the session", Note: "ends Claude Code; the transcript stays", Gap: true, Do: screen.Reply{Msg: endMsg{}}})
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(dialog.MenuOptions{Title: "Mode and model", About: p.setting(), Items: items, Verb: "set"})}}
}

func (p *Talk) askModel() []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewLine(dialog.LineOptions{
		Title: "Model", Hint: "An alias or a full name", Most: 200, Verb: "set",
		Take: func(text string) screen.Effect { return screen.Reply{Msg: modelMsg(strings.TrimSpace(text))} },
	})}}
}

// change sets the mode or the model of the session.
func (p *Talk) change(do func(ctx context.Context, source Source, id string) error) []screen.Effect {
	id, source := p.opts.ID, p.opts.Source
	return append([]screen.Effect{screen.CloseDialogs{}}, p.call(func(ctx context.Context) error { return do(ctx, source, id) })...)
}

// setting returns the model and the permission mode, if they are known.
func (p *Talk) setting() string {
	var facts []string
	if s := transcript.CleanLine(p.state.Model); s != "" {
		facts = append(facts, s)
	}
	if s := transcript.CleanLine(p.state.Mode); s != "" {
		facts = append(facts, "mode "+s)
	}
	return strings.Join(facts, " · ")
}
