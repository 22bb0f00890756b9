package entries

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// Planned is the plan of a command, for the browser.
type Planned struct {
	Parts   []change.Part
	Root    string
	Verb    string   // "" if there is nothing to write: Parts is then a report
	Command []string // arguments of the command for this action, without --project
	// Write carries out the plan. It returns a message and a warning, or "".
	Write func(ctx context.Context) (said, but string, err error)
}

// PlanHeal returns the plan of continuo heal. undo is the key or the command for undo.
func PlanHeal(ctx context.Context, env *place.Env, dir, undo string) (*Planned, error) {
	h, err := LookHeal(ctx, env, dir)
	if err != nil {
		return nil, err
	}
	p := &Planned{Parts: healPlan(env, h, &healAsk{undo: undo}).Parts, Root: h.ledger.Project.Root, Command: []string{"heal"}}
	if !h.mends() {
		return p, nil
	}
	p.Verb = "heal"
	p.Write = func(ctx context.Context) (said, but string, err error) {
		done, err := RunHeal(ctx, env, h)
		if err != nil {
			return "", "", err
		}
		said = healedWords(h, &done)
		if done.ID != "" {
			said += " " + undo + " undoes this."
		}
		return said, strings.Join(done.Problems, " "), nil
	}
	return p, nil
}

// healedWords returns the message about a heal.
func healedWords(h *HealLook, done *Healed) string {
	return "Healed: " + words.Counted(heal.Issues(h.Steps)-h.Stuck()-done.Failed, "part", "parts") + " of the ledger."
}

// PlanDelta returns the plan of continuo delta for a session. "" means the project's newest session.
func PlanDelta(ctx context.Context, env *place.Env, dir, session, undo string) (*Planned, error) {
	k, err := lookDelta(ctx, env, &deltaAsk{dir: dir, session: session, agent: survey.GateAgent, undo: undo})
	if err != nil {
		return nil, err
	}
	p := &Planned{Parts: deltaPlan(env, k), Root: k.Ledger.Project.Root, Verb: "write", Command: []string{"delta"}}
	if session != "" {
		p.Command = append(p.Command, "--session", session)
	}
	p.Write = func(ctx context.Context) (said, but string, err error) {
		err = writeDelta(ctx, env, k)
		if !k.wrote && !k.logged {
			return "", "", err
		}
		if err != nil {
			k.problems = append(k.problems, out.AsFailure(err).What)
		}
		said = strings.Join(k.said(), " ")
		if k.id != "" && k.wrote {
			said += " " + undo + " removes it from NOTES.md."
		}
		return said, strings.Join(k.problems, " "), nil
	}
	return p, nil
}

// PlanLint returns the plan of continuo notes lint --fix. If nothing can be corrected, it lists the findings.
func PlanLint(ctx context.Context, env *place.Env, dir, undo string) (*Planned, error) {
	l, err := lookLint(ctx, env, dir)
	if err != nil {
		return nil, err
	}
	l.undo = undo
	p := &Planned{Root: l.project.Root, Command: []string{"notes", "lint"}}
	n := l.able()
	if n == 0 {
		p.Parts = lintReport(env, l).Parts
		return p, nil
	}
	now := l.parsed.Fix(l.found)
	plan := &writing.Plan{}
	lintPlan(env, plan, l, now, len(l.found)-n)
	p.Parts, p.Verb, p.Command = plan.Parts, "correct "+words.Count(n), append(p.Command, "--fix")
	p.Write = func(ctx context.Context) (said, but string, err error) {
		but, err = writeLint(ctx, env, l, now)
		return "Corrected " + out.Count(n, "path identifier") + ". " + undo + " undoes this.", but, err
	}
	return p, nil
}
