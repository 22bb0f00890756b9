package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// heldDir is the subdirectory of the state directory for records of blocked compactions.
const heldDir = "held"

// gateHook runs the gate hook and returns its exit code.
func gateHook(ctx context.Context, env *place.Env, o *out.Output, in hook.In) int {
	held := hook.OpenHeld("")
	if dir := env.StateDir(); dir != "" {
		held = hook.OpenHeld(filepath.Join(dir, heldDir))
	}
	r := hook.Gate(ctx, in, GateJudge{env}, held)
	Print(o.Out, r.Out)
	Print(o.Err, r.Err)
	noteRun(env, r.Run)
	if r.Held {
		return out.ExitFailed
	}
	return out.ExitDone
}

// GateJudge reads ledgers for the gate hook.
type GateJudge struct{ Env *place.Env }

// ledgerOf returns the ledger of a folder, and whether it has content.
func (j GateJudge) ledgerOf(dir string) (p ledger.Project, has bool, err error) {
	if p, err = ledger.Find(place.RealPath(dir), j.Env.LedgerEnv()); err != nil {
		return p, false, fmt.Errorf("look for the ledger: %w", err)
	}
	fi, err := os.Stat(p.Trajectory)
	return p, p.Has() || err == nil && fi.IsDir(), nil
}

// Holds implements hook.Judge.
func (j GateJudge) Holds(_ context.Context, dir string) (bool, error) {
	p, has, err := j.ledgerOf(dir)
	return has && p.Config.Checkpoint.Enabled && (p.Config.Grounding.Enforcement == ledger.Strict || unsureStrict(&p) != nil), err
}

// unsureStrict returns a config error that may hide a strict enforcement, or nil. A key of higher precedence
// makes errors in other keys harmless.
func unsureStrict(p *ledger.Project) *ledger.ConfigError {
	if p.Config.Grounding.Enforcement == ledger.Strict {
		return nil
	}
	keys := []string{"grounding_enforcement", "grounding", "synthesis_checkpoint"} // by precedence
	for _, err := range p.Problems() {
		ce, ok := errors.AsType[*ledger.ConfigError](err)
		if !ok {
			continue
		}
		if ce.File == filepath.Join(p.Root, ledger.ConfigName) && (ce.Line == 0 || strings.HasPrefix(ce.What, "it ") || strings.HasPrefix(ce.What, "continuo ")) {
			return ce // the error is about the whole file, or about a merge key (<<), which can set any key
		}
		for _, key := range keys {
			about, _, _ := strings.Cut(ce.What, " ")
			if about == key || strings.HasPrefix(about, key+".") && strings.HasSuffix(about, "enforcement") {
				return ce
			}
			if source := p.Config.Grounding.EnforcementSource; source == key || strings.HasPrefix(source, key+".") {
				break
			}
		}
	}
	return nil
}

// slipText formats a config error on one line, without a full stop.
func slipText(slip *ledger.ConfigError) string {
	text := strings.Replace(slip.Error(), slip.File, ledger.ConfigName, 1) + ". " + slip.Help
	return transcript.CleanLine(strings.TrimSuffix(text, "."))
}

// Reasons implements hook.Judge. An unchecked step is a reason only with strict enforcement.
func (j GateJudge) Reasons(ctx context.Context, dir string, full bool) ([]hook.Reason, error) {
	p, has, err := j.ledgerOf(dir)
	if err != nil || !has {
		return nil, err
	}
	if slip := unsureStrict(&p); slip != nil && p.Config.Checkpoint.Enabled {
		return nil, errors.New(slipText(slip))
	}
	if p.Config.Grounding.Enforcement == ledger.Disabled {
		return nil, nil
	}
	look, err := ledgers.LookGate(ctx, j.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Full: full}, Dir: dir})
	if err != nil {
		return nil, err
	}
	r := &look.Report
	if r.Verdict == gate.Passed || r.Verdict == gate.Unsure && r.Enforcement != ledger.Strict {
		return nil, nil
	}
	return gateReasons(r.Reasons()), nil
}

// gateReasons parses the lines of a report. Indented lines belong to the step above.
func gateReasons(lines []string) []hook.Reason {
	var all []hook.Reason
	for _, line := range lines {
		if help, ok := strings.CutPrefix(line, "  "); ok && len(all) > 0 {
			last := &all[len(all)-1]
			last.Help = append(last.Help, help)
			continue
		}
		all = append(all, hook.Reason{Step: line})
	}
	if len(all) == 0 { // a failed gate needs a reason
		all = append(all, hook.Reason{Step: "continuo gate says why"})
	}
	return all
}

// gateActs says where the gate hook is installed and whether it blocks anything; "" without --gate.
func gateActs(env *place.Env, v *setupView) string {
	if v.plan.Gate == "" {
		return ""
	}
	where := " The gate in " + env.Tilde(v.plan.Gate)
	if v.plan.Gate == v.plan.Acts {
		where = " The gate there"
	}
	if v.waits(v.plan.Gate) {
		return where + " blocks nothing until then."
	}
	text := where + " blocks a compaction if the enforcement is strict in " + ledger.ConfigName
	if v.plan.Project == "" {
		return text + "."
	}
	p, has, err := GateJudge{env}.ledgerOf(v.plan.Project)
	g := &p.Config.Grounding
	switch {
	case !has || err != nil:
		return text + "; there is no ledger here yet."
	case unsureStrict(&p) != nil:
		return text + "; here the enforcement is unknown, so the hook blocks. continuo gate prints the reason."
	case g.Enforcement != ledger.Strict:
		return text + "; here it is " + string(g.Enforcement) + ", so nothing is blocked. grounding_enforcement: strict changes that."
	}
	return text + ", as here by " + g.EnforcementSource + "."
}
