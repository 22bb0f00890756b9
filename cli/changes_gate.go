package cli

import (
	"context"

	"github.com/continuo-tui/continuo/tui"
)

// planHandoff plans the record of a handoff.
func (c browserChanges) planHandoff(_ context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Write the handoff"
	return nil, &failure{what: "The handoff cannot be written from here yet."}
}

// planEvidence plans the fix of a finding.
func (c browserChanges) planEvidence(_ context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Mend the evidence"
	return nil, &failure{what: "The fix cannot be applied from here yet. Write it yourself."}
}
