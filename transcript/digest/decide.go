package digest

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// The texts with which the client reports decisions of the user (clients 2.1.6 to 2.1.330).
const (
	approval     = "User has approved"
	approvedPlan = "## Approved Plan:"
)

func (r *reading) decided(d Decision) { r.Decisions.add(decisionsFirst, decisionsLast, d) }

// refused adds a refused call and the reason, or an unanswered question.
func (r *reading) refused(c *transcript.Call) {
	reason := text(c.Result.Reason, decisionRunes)
	if c.Kind == transcript.ToolQuestions {
		for _, q := range questionsOf(c) {
			r.decided(Decision{Kind: Unanswered, About: line(q.Text, decisionRunes), Said: reason})
		}
		return
	}
	d := Decision{Kind: Refused, About: line(c.Name, 80), Said: reason}
	if c.Kind == transcript.ToolPlan {
		d.About = "the plan " + planTitle(planOf(c, ""))
	} else if what := about(c); what != "" {
		d.About += " " + what
	}
	r.decided(d)
}

// questionsOf returns the questions of a call that have text.
func questionsOf(c *transcript.Call) []transcript.Question {
	const most = 8 // maximum number of questions; the client asks at most 4
	list := slices.DeleteFunc(c.Questions(), func(q transcript.Question) bool { return q.Text == "" })
	return list[:min(len(list), most)]
}

// asked adds questions with their answers.
func (r *reading) asked(c *transcript.Call) {
	for _, q := range questionsOf(c) {
		d := Decision{Kind: Unanswered, About: line(q.Text, decisionRunes)}
		answer := q.Answer
		if notes := strings.TrimSpace(q.Notes); notes != "" && notes != answer {
			answer += " (" + notes + ")"
		}
		if d.Said = text(answer, decisionRunes); d.Said != "" {
			d.Kind = Answered
		}
		r.decided(d)
	}
}

// planned adds a plan that the user approved.
func (r *reading) planned(c *transcript.Call) {
	if strings.HasPrefix(strings.TrimSpace(c.Result.Text), approval) {
		plan := planOf(c, c.Result.Text)
		r.decided(Decision{Kind: Approved, About: planTitle(plan), Said: text(plan, planRunes)})
	}
}

// planOf returns the plan of an ExitPlanMode call. Newer clients write it into the result.
func planOf(c *transcript.Call, result string) string {
	if plan := c.Params.String("plan"); strings.TrimSpace(plan) != "" {
		return plan
	}
	_, plan, _ := strings.Cut(result, approvedPlan)
	return plan
}

// planTitle returns the first line of a plan, without heading marks.
func planTitle(plan string) string {
	return line(strings.TrimLeft(firstLine(plan), "# "), decisionRunes)
}
