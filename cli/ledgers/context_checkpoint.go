package ledgers

import (
	"context"
	"os"
	"strconv"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/transcript"
)

// contextCheck is one of the four checks of the simplified checkpoint.
type contextCheck struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Checked bool   `json:"checked"` // false if unknown; Passed is then false
	Text    string `json:"text"`
}

// contextChecks runs the four checks. The script searches br's output for "behind", which br never prints.
// continuo counts the unwritten changes instead.
func contextChecks(ctx context.Context, c *contextLook, program *place.Beads) []contextCheck {
	either := func(name string, ok bool, good, bad string) contextCheck {
		if ok {
			return contextCheck{name, true, true, good}
		}
		return contextCheck{name, false, true, bad}
	}
	return []contextCheck{
		either("trajectory", c.Today > 0, "Trajectory logged ("+strconv.Itoa(c.Today)+" entries today)", "No trajectory entries today - consider logging decisions"),
		either("session_continuity", c.Continuity, "Session Continuity section present", "Session Continuity section missing"),
		either("decision_log", c.Decisions, "Decision Log section present", "Decision Log section missing"),
		beadsCheck(ctx, c.ledger.Project.Beads, program),
	}
}

// beadsCheck checks that issues.jsonl has all changes. If this is unknown, the check fails.
func beadsCheck(ctx context.Context, dir string, program *place.Beads) contextCheck {
	const name = "beads"
	if _, err := os.Stat(dir); err != nil {
		return contextCheck{name, false, false, "No beads here - skipping"}
	}
	switch n, err := program.Unwritten(ctx); {
	case err != nil:
		return contextCheck{name, false, false, "Beads not checked: " + transcript.CleanLine(err.Error())}
	case n > 0:
		return contextCheck{name, false, true, "Beads may need sync: " + out.Count(n, "change") + " not written out. Run: " + program.Flush()}
	}
	return contextCheck{name, true, true, "Beads synchronized"}
}

// contextCheckpoint prints the four checks and the three manual steps.
func contextCheckpoint(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	c, err := LookContext(ctx, env, std, ask)
	if err != nil {
		return err
	}
	program := place.BeadsOf(env.Host, &c.ledger.Project)
	checks := contextChecks(ctx, c, program)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	passed, unchecked := 0, ""
	for _, check := range checks {
		if check.Passed {
			passed++
		}
		if !check.Checked {
			unchecked = ", 1 not checked" // only beads can be unchecked
		}
	}
	least := strconv.Itoa(c.ledger.Project.Config.Checkpoint.MinTestScenarios)
	if std.JSON {
		return std.PrintJSON(out.NewRecord().Set("automated", checks).Set("passed", passed).Set("total", len(checks)).
			Set("manual", []string{"Verify Decision Log updated", "Verify Bead updated", "Verify EDD test scenarios"}))
	}
	o := contextPage(std, "Simplified Checkpoint Process")
	o.head("Automated Checks:")
	for _, check := range checks {
		if !check.Checked {
			o.info("[AUTO] " + check.Text)
			continue
		}
		o.mark(check.Passed, "[AUTO] "+check.Text, "[AUTO] "+check.Text)
	}
	o.line("\nAutomated: " + strconv.Itoa(passed) + "/" + strconv.Itoa(len(checks)) + " passed" + unchecked)
	o.head("Manual Steps (Verify Before Compaction):")
	o.line("\n  1. Verify Decision Log updated\n     - Check NOTES.md has today's key decisions\n     - Each decision should have rationale and grounding")
	o.line("\n  2. Verify Bead updated\n     - Run: continuo beads\n     - Ensure current task is tracked\n     - Close completed beads: " + program.Advised() + " close <id>")
	o.line("\n  3. Verify EDD test scenarios\n     - At least " + least + " test scenarios per decision\n     - Run tests if applicable\n")
	o.info("These checks only look for sections and never fail. continuo gate reads their content: it counts grounded")
	o.line("  claims, searches for ghosts and checks the evidence of decisions in the code. In strict mode it can fail.")
	if ask.dry {
		o.info("Dry run complete")
	} else {
		o.head("When all steps are verified:")
		o.line("  - Use Claude Code /compact command\n  - Or use /clear to reset the context")
	}
	o.end()
	return nil
}
