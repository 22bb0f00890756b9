package digest

import (
	"encoding/json"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// The sentences of the client around what the person decided (clients 2.1.6 to 2.1.330).
const (
	refusal      = "The user doesn't want to proceed with this tool use."
	refusalSaid  = "the user said:\n"
	refusalNote  = "\n\nNote: The user's next message may contain"
	clarifying   = "The user wants to clarify these questions."
	approval     = "User has approved"
	approvedPlan = "## Approved Plan:"
	answersEnd   = ". You can now continue"
	answersNotes = `" user notes: `
)

// isRefusal reports whether the person did not let a call be made.
func isRefusal(result *transcript.Block) bool {
	return result.Failed && strings.HasPrefix(strings.TrimPrefix(strings.TrimSpace(result.Text), "Error: "), refusal)
}

func (r *reading) decided(d Decision) { r.Decisions.add(decisionsFirst, decisionsLast, d) }

// refused takes a call that the person did not let be made, with what they said. A question that was not answered is
// no refusal of what it asks.
func (r *reading) refused(m *transcript.Message, i int, result *transcript.Block) {
	b := &m.Blocks[i]
	_, words, _ := strings.Cut(result.Text, refusalSaid)
	words, _, _ = strings.Cut(words, refusalNote)
	if b.Name == "AskUserQuestion" {
		if strings.HasPrefix(strings.TrimSpace(words), clarifying) {
			words = "" // they are the client's
		}
		for _, q := range questionsOf(b) {
			r.decided(Decision{Kind: Unanswered, About: line(q, decisionRunes), Said: text(words, decisionRunes)})
		}
		return
	}
	d := Decision{Kind: Refused, About: line(b.Name, 80), Said: text(words, decisionRunes)}
	if b.Name == "ExitPlanMode" {
		d.About = "the plan " + planTitle(planOf(b, ""))
	} else if what := about(m, i); what != "" {
		d.About += " " + what
	}
	r.decided(d)
}

// questionsOf are the questions of an AskUserQuestion.
func questionsOf(b *transcript.Block) []string {
	var in struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	if json.Unmarshal(b.Input, &in) != nil {
		return nil
	}
	var list []string
	for _, q := range in.Questions {
		if q.Question != "" && len(list) < 8 { // the client asks at most 4
			list = append(list, q.Question)
		}
	}
	return list
}

// asked takes the answers of an AskUserQuestion: "question"="answer", one behind the other. Both may hold anything, so
// an answer ends where the next question that was asked begins.
func (r *reading) asked(b, result *transcript.Block) {
	questions := questionsOf(b)
	rest := result.Text
	for i, q := range questions {
		d := Decision{Kind: Unanswered, About: line(q, decisionRunes)}
		if _, answer, ok := strings.Cut(rest, `"`+q+`"="`); ok {
			rest = answer
			for _, next := range questions[i+1:] {
				answer, _, _ = strings.Cut(answer, `", "`+next+`"="`)
			}
			if at := strings.LastIndex(answer, answersEnd); at >= 0 {
				answer = answer[:at]
			}
			before, notes, ok := strings.Cut(answer, answersNotes)
			answer = strings.TrimSuffix(before, `"`)
			if notes = strings.TrimSpace(notes); ok && notes != answer {
				answer += " (" + notes + ")"
			}
			if d.Said = text(answer, decisionRunes); d.Said != "" {
				d.Kind = Answered
			}
		}
		r.decided(d)
	}
}

// planned takes a plan that the person approved.
func (r *reading) planned(b, result *transcript.Block) {
	if strings.HasPrefix(strings.TrimSpace(result.Text), approval) {
		plan := planOf(b, result.Text)
		r.decided(Decision{Kind: Approved, About: planTitle(plan), Said: text(plan, planRunes)})
	}
}

// planOf is the plan of an ExitPlanMode: older clients have it in the call, later ones in a file, and then in the
// result.
func planOf(b *transcript.Block, result string) string {
	var in struct {
		Plan string `json:"plan"`
	}
	if json.Unmarshal(b.Input, &in) == nil && strings.TrimSpace(in.Plan) != "" {
		return in.Plan
	}
	_, plan, _ := strings.Cut(result, approvedPlan)
	return plan
}

// planTitle is the first line of a plan, without the marks of a heading.
func planTitle(plan string) string {
	return line(strings.TrimLeft(firstLine(plan), "# "), decisionRunes)
}
