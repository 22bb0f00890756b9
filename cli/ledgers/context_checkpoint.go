package ledgers

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// contextCheck is one of the four checks of the simplified checkpoint.
type contextCheck struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	Text   string `json:"text"`
}

// contextChecks runs the four checks. The script searches the output of br for "behind", but br never prints that.
// If br is installed, continuo asks br how many changes it hasn't written out.
func contextChecks(ctx context.Context, env *place.Env, c *contextLook) []contextCheck {
	either := func(name string, ok bool, good, bad string) contextCheck {
		if ok {
			return contextCheck{name, true, good}
		}
		return contextCheck{name, false, bad}
	}
	all := []contextCheck{
		either("trajectory", c.Today > 0, "Trajectory logged ("+strconv.Itoa(c.Today)+" entries today)", "No trajectory entries today - consider logging decisions"),
		either("session_continuity", c.Continuity, "Session Continuity section present", "Session Continuity section missing"),
		either("decision_log", c.Decisions, "Decision Log section present", "Decision Log section missing"),
	}
	synced := contextCheck{"beads", true, "Beads not installed - skipping"}
	if path, ok := env.Host.BrProgram(); ok {
		synced.Text = "Beads synchronized"
		// Bd sync would commit and push.
		if _, err := os.Stat(c.ledger.Project.Beads); err == nil && !strings.HasPrefix(place.BaseName(path), "bd") {
			printed, err := place.AskBr(ctx, env.Host, place.BrLook, c.ledger.Project.Root, "tell whether it is in sync", "sync", "--status", "--json")
			var status struct {
				Dirty int `json:"dirty_count"`
			}
			if err == nil && json.Unmarshal(printed, &status) == nil && status.Dirty > 0 {
				synced = contextCheck{"beads", false, "Beads may need sync: " + out.Count(status.Dirty, "change") + " not written out"}
			}
		}
	}
	return append(all, synced)
}

// contextCheckpoint prints the four checks and the three manual steps.
func contextCheckpoint(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	c, err := LookContext(ctx, env, std, ask)
	if err != nil {
		return err
	}
	checks := contextChecks(ctx, env, c)
	passed := 0
	for _, check := range checks {
		if check.Passed {
			passed++
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
		o.mark(check.Passed, "[AUTO] "+check.Text, "[AUTO] "+check.Text)
	}
	o.line("\nAutomated: " + strconv.Itoa(passed) + "/" + strconv.Itoa(len(checks)) + " passed")
	o.head("Manual Steps (Verify Before Compaction):")
	o.line("\n  1. Verify Decision Log updated\n     - Check NOTES.md has today's key decisions\n     - Each decision should have rationale and grounding")
	o.line("\n  2. Verify Bead updated\n     - Run: continuo beads\n     - Ensure current task is tracked\n     - Close completed beads: br close <id>")
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
