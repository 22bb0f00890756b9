package cli

import (
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// enforcement is how the gate of a project's ledger is enforced, and whether there is a ledger; "" is no project.
func (d *deps) enforcement(project string) (ledger.Enforcement, bool) {
	if project == "" {
		return "", false
	}
	p, has, err := gateJudge{d}.ledgerOf(project)
	return p.Config.Grounding.Enforcement, has && err == nil
}

// gateActs says where the gate is, and whether it holds anything here; "" when it was not asked for.
func (d *deps) gateActs(v *setupView) string {
	if v.plan.Gate == "" {
		return ""
	}
	where := " The gate in " + d.tilde(v.plan.Gate)
	if v.plan.Gate == v.plan.Acts {
		where = " The gate there"
	}
	text := where + " holds a compaction where grounding_enforcement is strict in " + ledger.ConfigName
	enforced, ok := d.enforcement(v.plan.Project)
	switch {
	case v.plan.Project == "":
		return text + "."
	case !ok:
		return text + "; here is no ledger yet."
	case enforced != ledger.Strict:
		return text + "; here it is " + string(enforced) + ", so nothing is held."
	}
	return text + ", as here."
}

// gateChecks are the checks of the hooks of the gate, where they are installed.
func (d *deps) gateChecks(f *hookFacts) []check {
	if len(f.settings.Gates) == 0 {
		return nil
	}
	site := &f.settings.Gates[0]
	install := initCommand(site.Scope) + " --gate"
	c := check{Name: "gate", Note: d.tilde(site.Path)}
	if text, _ := d.brokenProgram(site, hook.EventGate); text != "" {
		c.State, c.Text, c.Fix = verdictFinding, text, install
		return []check{c}
	}
	switch {
	case len(site.Missing) > 0:
		c.State, c.Text, c.Fix = verdictFinding, "is not installed at "+andList(site.Missing), install
	case len(f.settings.Gates) > 1:
		c.State, c.Text = verdictWarning, "is installed twice: in "+d.tilde(site.Path)+" and "+d.tilde(f.settings.Gates[1].Path)
		c.Note, c.Fix = "", "continuo uninstall --"+string(site.Scope)+" --hooks"
	default:
		d.firedCheck(f, hook.EventGate, site.Since, &c)
		if enforced, ok := d.enforcement(f.project); ok && enforced != ledger.Strict && c.State != verdictWarning {
			c.State, c.Text = verdictNote, "holds nothing: grounding_enforcement is "+string(enforced)+" here"
		}
	}
	return []check{c}
}
