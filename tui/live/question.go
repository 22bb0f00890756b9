package live

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Replies of the dialogs.
type (
	// answeredMsg has the answer to a question.
	answeredMsg struct {
		id     string
		answer keeper.Answer
	}
	// reasonMsg requests the field for the reason of a denial.
	reasonMsg struct{ id string }
	// editMsg requests the composer with a text from the tool's input.
	editMsg edit
	// ownMsg requests the field for an answer that isn't among the options.
	ownMsg struct {
		q       keeper.Attention
		answers map[string]string
		n       int
		chosen  []string // selected labels, if question n allows several
	}
	// nextMsg has the answers to the first n questions of a call.
	nextMsg  ownMsg
	modeMsg  string
	modelMsg string
	// otherModelMsg requests the field for the name of a model.
	otherModelMsg struct{}
	endMsg        struct{}
)

// reasonMost is the maximum length of a reason or an answer, in bytes.
const reasonMost = 2000

// question shows the oldest open question.
func (p *Talk) question() []screen.Effect {
	open := p.asks()
	if open == nil {
		return nil
	}
	q, allow := new(*open), keeper.Answer{Allow: true}
	if p.edited.id == q.ID {
		q.Input, allow.Input = p.edited.input, p.edited.input
	}
	if q.Kind == keeper.AttentionQuestion {
		return p.ask(nextMsg{q: *q, answers: map[string]string{}})
	}
	o := p.about(q)
	if q.Kind == keeper.AttentionPlan {
		o.Title = "Carry out this plan?"
		o.Choices = []dialog.Offer{p.choice("o", "Approve", "Claude carries it out", q, allow)}
	} else {
		o.Title = mayIt(q.Tool)
		if allow.Input != nil {
			o.Title += " (changed by you)"
		}
		o.Choices = []dialog.Offer{p.choice("o", "Allow once", "only this call", q, allow)}
		for i, s := range q.Suggestions[:min(len(q.Suggestions), 9)] {
			always := keeper.Answer{Allow: true, Input: allow.Input, Always: []json.RawMessage{s}}
			o.Choices = append(o.Choices, p.choice(strconv.Itoa(i+1), "Allow always", suggestion(s), q, always))
		}
		if field, text := keeper.Editable(q.Input); field != "" {
			o.Choices = append(o.Choices, dialog.Offer{Key: "e", Name: "Change it first", Note: "edit " + editName(field) + ", then decide", Do: screen.Reply{Msg: editMsg{q: *q, field: field, text: text}}})
		}
	}
	deny := "Deny"
	if q.Kind == keeper.AttentionPlan {
		deny = "Keep planning"
	}
	o.Choices = append(o.Choices,
		dialog.Offer{Key: "n", Name: deny, Note: "give a reason; Claude reads it and continues", Do: screen.Reply{Msg: reasonMsg{q.ID}}},
		p.choice("x", "Deny and interrupt", "the turn ends", q, keeper.Answer{Interrupt: true}))
	return []screen.Effect{screen.Open{Dialog: dialog.NewQuestion(o)}}
}

// mayIt returns the title of the question about a tool call.
func mayIt(tool string) string {
	switch tool {
	case "Bash":
		return "May it run this command?"
	case "Edit", "Write", "NotebookEdit":
		return "May it edit this file?"
	}
	return "May it do this?"
}

func (p *Talk) choice(key, name, note string, q *keeper.Attention, a keeper.Answer) dialog.Offer {
	return dialog.Offer{Key: key, Name: name, Note: note, Do: screen.Reply{Msg: answeredMsg{q.ID, a}}}
}

// about returns a dialog that shows a call in full.
func (p *Talk) about(q *keeper.Attention) dialog.QuestionOptions {
	open := 0
	for i := range p.state.Open {
		if p.state.Open[i].Asks() {
			open++
		}
	}
	about := "since " + q.At.In(p.frame.Now.Location()).Format("15:04")
	if open > 1 {
		about = fmt.Sprintf("question 1 of %d · %s", open, about)
	}
	f, dir := p.frame, p.state.Dir
	return dialog.QuestionOptions{
		About: about, ID: q.ID, Open: p.isOpen,
		Body: func(width int) []string { return drawCall(q, dir, width, &f) },
	}
}

// ask shows question n of an AskUserQuestion call, or sends the answers.
func (p *Talk) ask(m nextMsg) []screen.Effect {
	call, _ := callOf(&m.q)
	questions := call.Questions()
	if m.n >= len(questions) {
		input, err := keeper.Answered(m.q.Input, m.answers)
		if err != nil || len(questions) == 0 {
			return []screen.Effect{screen.Tell{Text: "continuo can't answer this kind of question. Deny it, or answer it in a terminal.", Wrong: true}}
		}
		return p.reply(answeredMsg{m.q.ID, keeper.Answer{Allow: true, Input: input}})
	}
	q := questions[m.n]
	o := p.about(&m.q)
	o.Title = "Claude asks"
	if len(questions) > 1 {
		o.Title = fmt.Sprintf("Claude asks: question %d of %d", m.n+1, len(questions))
	}
	o.Body = func(width int) []string {
		lines := render.Wrap(q.Text, max(width-6, 1))
		for i := range lines {
			lines[i] = "   " + lines[i]
		}
		return lines
	}
	for i, option := range q.Options[:min(len(q.Options), 9)] {
		c := dialog.Offer{
			Key: strconv.Itoa(i + 1), Name: transcript.CleanLine(option.Label), Note: transcript.CleanLine(option.Description),
			Do: screen.Reply{Msg: m.with(q.Text, option.Label)},
		}
		if q.Multi {
			box := "[ ] "
			if slices.Contains(m.chosen, option.Label) {
				box = "[x] "
			}
			c.Name, c.Do = box+c.Name, screen.Reply{Msg: m.toggled(option.Label)}
		}
		o.Choices = append(o.Choices, c)
	}
	if len(m.chosen) > 0 {
		o.Choices = append(o.Choices, dialog.Offer{
			Key: "s", Name: "Answer", Note: "with " + words.Counted(len(m.chosen), "option", "options"), Do: screen.Reply{Msg: m.with(q.Text, strings.Join(m.chosen, ", "))},
		})
	}
	o.Choices = append(o.Choices,
		dialog.Offer{Key: "t", Name: "Something else", Note: "type an answer", Do: screen.Reply{Msg: ownMsg(m)}},
		dialog.Offer{Key: "n", Name: "Don't answer", Note: "give a reason; Claude reads it and continues", Do: screen.Reply{Msg: reasonMsg{m.q.ID}}})
	return []screen.Effect{screen.Open{Dialog: dialog.NewQuestion(o)}}
}

// with returns the message for the next question, with one more answer.
func (m nextMsg) with(question, answer string) nextMsg {
	answers := map[string]string{question: answer}
	for k, v := range m.answers {
		answers[k] = v
	}
	return nextMsg{q: m.q, answers: answers, n: m.n + 1}
}

// toggled returns the message with a label added to or removed from the selected ones.
func (m nextMsg) toggled(label string) nextMsg {
	m.chosen = slices.Clone(m.chosen)
	if i := slices.Index(m.chosen, label); i >= 0 {
		m.chosen = slices.Delete(m.chosen, i, i+1)
	} else {
		m.chosen = append(m.chosen, label)
	}
	return m
}

// replied handles a reply from a dialog. ok is false for other messages.
func (p *Talk) replied(msg tea.Msg) (effects []screen.Effect, ok bool) {
	switch msg := msg.(type) {
	case answeredMsg:
		return p.reply(msg), true
	case reasonMsg:
		return []screen.Effect{screen.Open{Dialog: dialog.NewLine(dialog.LineOptions{
			Title: "Deny", Hint: "The reason (optional). Claude reads it and continues.", Most: reasonMost, Verb: "deny and send",
			Take: func(text string) screen.Effect {
				return screen.Reply{Msg: answeredMsg{msg.id, keeper.Answer{Message: strings.TrimSpace(text)}}}
			},
		})}}, true
	case ownMsg:
		call, _ := callOf(&msg.q)
		question := call.Questions()[msg.n].Text
		return []screen.Effect{screen.Open{Dialog: dialog.NewLine(dialog.LineOptions{
			Title: "Answer", Hint: question, Most: reasonMost, Verb: "answer",
			Take: func(text string) screen.Effect {
				return screen.Reply{Msg: nextMsg(msg).with(question, strings.Join(append(slices.Clip(msg.chosen), text), ", "))}
			},
		})}}, true
	case nextMsg:
		return p.ask(msg), true
	case editMsg:
		return p.startEdit(edit(msg)), true
	case modeMsg:
		return p.change(func(ctx context.Context, source Source, id string) error { return source.SetMode(ctx, id, string(msg)) }), true
	case modelMsg:
		return p.change(func(ctx context.Context, source Source, id string) error {
			return source.SetModel(ctx, id, string(msg))
		}), true
	case otherModelMsg:
		return p.askModel(), true
	case endMsg:
		id, source := p.opts.ID, p.opts.Source
		return append(p.call(func(context.Context) error { return source.End(id) }), screen.CloseDialogs{}), true
	case failedMsg:
		return []screen.Effect{screen.Fail{Err: msg.err}}, true
	}
	return nil, false
}

// reply answers a question.
func (p *Talk) reply(msg answeredMsg) []screen.Effect {
	id, source := p.opts.ID, p.opts.Source
	return append([]screen.Effect{screen.CloseDialogs{}}, p.call(func(context.Context) error { return source.Answer(id, msg.id, msg.answer) })...)
}

// askEnd asks whether the session should end.
func (p *Talk) askEnd() []screen.Effect {
	note := "Its transcript stays, and you can resume it."
	if p.state.Status != keeper.StatusIdle {
		note = "The running turn is interrupted. " + note
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(dialog.MenuOptions{
		Title: "End the session", About: screen.ShortID(p.opts.ID), Note: note, Verb: "end",
		Items: []dialog.Offer{{Key: "e", Name: "End it", Note: "ends Claude Code", Do: screen.Reply{Msg: endMsg{}}}},
	})}}
}

// suggestion describes a suggested permission rule: what is allowed, and where the rule is saved.
func suggestion(raw json.RawMessage) string {
	var s struct {
		Type, Mode, Destination string
		Rules                   []struct{ ToolName, RuleContent string }
		Directories             []string
	}
	if json.Unmarshal(raw, &s) != nil {
		return "as Claude Code suggests"
	}
	var what []string
	for _, r := range s.Rules {
		rule := r.ToolName
		if r.RuleContent != "" {
			rule += "(" + r.RuleContent + ")"
		}
		what = append(what, rule)
	}
	what = append(what, s.Directories...)
	if s.Mode != "" {
		what = append(what, "mode "+s.Mode)
	}
	where := map[string]string{
		"session": "this session", "localSettings": ".claude/settings.local.json", "projectSettings": ".claude/settings.json", "userSettings": "~/.claude/settings.json",
	}[s.Destination]
	return transcript.CleanLine(strings.Join(what, ", ") + " · " + where)
}
