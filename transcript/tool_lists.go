package transcript

import "strings"

// Todo is an entry of the list of a TodoWrite (clients 1.0.24 to 2.1.330).
type Todo struct {
	Content  string `json:"content"`
	Status   string `json:"status"`   // pending, in_progress, completed; other values are possible
	Priority string `json:"priority"` // high, medium, low; "" none
}

// Todos returns the list with which the call replaces the previous one; ok is false for other calls and other formats.
func (c *Call) Todos() (todos []Todo, ok bool) {
	if c.Kind != ToolTodos || !c.Params.decode("todos", &todos) {
		return nil, false
	}
	return todos, true
}

// Question is a question that the call asks the user, with the answer (client 2.1.330).
type Question struct {
	Text    string   `json:"question"`
	Options []Option `json:"options"`

	Answered bool   `json:"-"`
	Answer   string `json:"-"`
	Notes    string `json:"-"` // added by the user, "" none
}

// Option is one of the answers that a question offers.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Questions returns the questions of the call; nil for other calls and other formats.
func (c *Call) Questions() []Question {
	var asked []Question
	if c.Kind != ToolQuestions || !c.Params.decode("questions", &asked) {
		return nil
	}
	if c.Outcome() == OutcomeDone {
		answer(asked, c.Result.Text)
	}
	return asked
}

// answer sets the answers from the result, which the client writes as "question"="answer", "question"="answer". Notes
// of the user follow an answer without quotes. All parts may contain any text, so an answer extends to the next
// question.
func answer(asked []Question, result string) {
	const most = 8 // questions with an answer; the client asks at most 4
	asked = asked[:min(len(asked), most)]
	for i := range asked {
		q := &asked[i]
		_, rest, ok := strings.Cut(result, `"`+q.Text+`"="`)
		if !ok || q.Text == "" {
			continue
		}
		for k := range asked {
			if k != i {
				rest, _, _ = strings.Cut(rest, `, "`+asked[k].Text+`"="`)
			}
		}
		if at := strings.LastIndex(rest, ". You can now continue with"); at >= 0 {
			rest = rest[:at]
		}
		q.Answered = true
		q.Answer, q.Notes, _ = strings.Cut(strings.TrimSuffix(rest, `"`), `" user notes: `)
	}
}
