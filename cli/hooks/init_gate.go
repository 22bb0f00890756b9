package hooks

import (
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// gateActs returns a sentence that says where the gate hook is installed, and whether it blocks anything here.
// Without --gate, it returns "".
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
		return text + "; here the enforcement is unknown, so it blocks: continuo gate says why."
	case g.Enforcement != ledger.Strict:
		return text + "; here it is " + string(g.Enforcement) + ", so nothing is blocked. grounding_enforcement: strict changes that."
	}
	return text + ", as here by " + g.EnforcementSource + "."
}

// GateChecks returns the checks of the gate hooks that are installed.
func GateChecks(env *place.Env, f *survey.HookFacts) []survey.Check {
	if len(f.Settings.Gates) == 0 {
		return nil
	}
	site := &f.Settings.Gates[0]
	install := survey.InitCommand(site.Scope) + " --gate"
	c := survey.Check{Name: "gate", Note: env.Tilde(site.Path)}
	if text, fix := f.BrokenProgram(site, hook.EventGate); text != "" {
		if c.State, c.Text, c.Fix = survey.VerdictFinding, text, fix; fix == survey.InitCommand(site.Scope) {
			c.Fix = install
		}
		return []survey.Check{c}
	}
	switch {
	case len(site.Missing) > 0:
		c.State, c.Text, c.Fix = survey.VerdictFinding, "is not installed at "+words.AndList(site.Missing), install
	case len(f.Settings.Gates) > 1:
		c.State, c.Text = survey.VerdictWarning, "is installed twice: in "+env.Tilde(site.Path)+" and "+env.Tilde(f.Settings.Gates[1].Path)
		c.Note, c.Fix = "", "continuo uninstall --"+string(site.Scope)+" --hooks"
	default:
		f.FiredCheck(hook.EventGate, site.Since, &c)
		enforcedCheck(env, f.At.Project, &c)
	}
	return []survey.Check{c}
}

// enforcedCheck adds to a check how the gate acts in the project: c becomes a note if the gate blocks nothing, and a
// warning if it is unknown whether the enforcement is strict.
func enforcedCheck(env *place.Env, project string, c *survey.Check) {
	if project == "" || c.State == survey.VerdictWarning {
		return
	}
	p, has, err := GateJudge{env}.ledgerOf(project)
	switch {
	case !has || err != nil:
	case unsureStrict(&p) != nil:
		c.State, c.Text, c.Fix = survey.VerdictWarning, "may block more than intended: "+slipText(unsureStrict(&p)), "continuo gate --dry-run"
	case p.Config.Grounding.Enforcement != ledger.Strict:
		c.State, c.Text = survey.VerdictNote, "blocks nothing: the enforcement is "+string(p.Config.Grounding.Enforcement)+" here"
	}
}
