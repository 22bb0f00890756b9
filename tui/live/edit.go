package live

import (
	"encoding/json"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/screen"
)

// edit is a text in the input of a tool that a person edits before the tool runs.
type edit struct {
	q     keeper.Attention
	field string // the field of the input
	text  string // its text before the edit

	draft field.Lines // what the composer had
}

// edited is the input of a question after an edit.
type edited struct {
	id    string // of the question
	input json.RawMessage
}

// editLines is how many lines an edited text may have.
const editLines = 500

// editName returns the name of a field for users.
func editName(field string) string {
	if field == "command" {
		return "the command"
	}
	return "the new text"
}

// startEdit puts a text into the composer.
func (p *Talk) startEdit(e edit) []screen.Effect {
	in := field.NewText(editLines, promptLine)
	if !in.Set(e.text) {
		return []screen.Effect{screen.Tell{Text: "This can't be edited here: it is too long or has control characters. Deny it, and say what to change.", Wrong: true}}
	}
	e.draft, p.in, p.edit, p.writing = p.in, in, &e, true
	return []screen.Effect{screen.CloseDialogs{}}
}

// stopEdit discards the edit, if there is one.
func (p *Talk) stopEdit() {
	if p.edit != nil {
		p.in, p.edit, p.writing = p.edit.draft, nil, false
	}
}

// finishEdit asks the question again, with the edited input.
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
