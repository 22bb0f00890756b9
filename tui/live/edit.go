package live

import (
	"encoding/json"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/screen"
)

// edit is a text in a tool's input that the user edits before the tool runs.
type edit struct {
	q     keeper.Attention
	field string // the field of the input
	text  string // text of the field before the edit

	draft field.Lines // text that was in the composer before the edit
}

// edited is a question with an edited input.
type edited struct {
	id    string // ID of the question
	input json.RawMessage
}

// editLines is the maximum number of lines of an edited text.
const editLines = 500

func editName(field string) string {
	if field == "command" {
		return "the command"
	}
	return "the new text"
}

// startEdit moves a text to the composer.
func (p *Talk) startEdit(e edit) []screen.Effect {
	in := field.NewText(editLines, promptLine)
	if !in.Set(e.text) {
		return []screen.Effect{screen.Tell{Text: "The text is too long or has control characters, so you can't edit it here. Deny the call and write what to change.", Wrong: true}}
	}
	e.draft, p.in, p.edit, p.writing = p.in, in, &e, true
	return []screen.Effect{screen.CloseDialogs{}}
}

// stopEdit discards the current edit, if any.
func (p *Talk) stopEdit() {
	if p.edit != nil {
		p.in, p.edit, p.writing = p.edit.draft, nil, false
	}
}

// finishEdit shows the question again, with the edited input.
func (p *Talk) finishEdit() []screen.Effect {
	e := p.edit
	input, err := keeper.Edited(e.q.Input, e.field, p.in.Text())
	if err != nil {
		return []screen.Effect{screen.Fail{Err: err}}
	}
	p.edited = edited{e.q.ID, input}
	p.stopEdit()
	return p.question()
}
