package cli

import (
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// gateActs says where the gate is, and whether it holds anything here; "" when it was not asked for.
func (d *deps) gateActs(v *setupView) string {
	if v.plan.Gate == "" {
		return ""
	}
	where := " The gate in " + d.tilde(v.plan.Gate)
	if v.plan.Gate == v.plan.Acts {
		where = " The gate there"
	}
	if v.waits(v.plan.Gate) {
		return where + " holds nothing until then."
	}
	text := where + " holds a compaction where the enforcement is strict in " + ledger.ConfigName
	if v.plan.Project == "" {
		return text + "."
	}
	p, has, err := gateJudge{d}.ledgerOf(v.plan.Project)
	g := &p.Config.Grounding
	switch {
	case !has || err != nil:
		return text + "; here is no ledger yet."
	case unsureStrict(&p) != nil:
		return text + "; here that cannot be told, so it holds: continuo gate says why."
	case g.Enforcement != ledger.Strict:
		return text + "; here it is " + string(g.Enforcement) + ", so nothing is held. grounding_enforcement: strict makes it so."
	}
	return text + ", as here by " + g.EnforcementSource + "."
}

// gateChecks are the checks of the hooks of the gate, where they are installed.
func (d *deps) gateChecks(f *hookFacts) []check {
	if len(f.settings.Gates) == 0 {
		return nil
	}
	site := &f.settings.Gates[0]
	install := initCommand(site.Scope) + " --gate"
	c := check{Name: "gate", Note: d.tilde(site.Path)}
	if text, fix := d.brokenProgram(site, hook.EventGate); text != "" {
		if c.State, c.Text, c.Fix = verdictFinding, text, fix; fix == initCommand(site.Scope) {
			c.Fix = install
		}
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
		d.enforcedCheck(f.project, &c)
	}
	return []check{c}
}

// enforcedCheck says where the gate holds nothing in a project, or may not be meant to.
func (d *deps) enforcedCheck(project string, c *check) {
	if project == "" || c.State == verdictWarning {
		return
	}
	p, has, err := gateJudge{d}.ledgerOf(project)
	switch {
	case !has || err != nil:
	case unsureStrict(&p) != nil:
		c.State, c.Text, c.Fix = verdictWarning, "holds what may not be meant to be held: "+slipText(unsureStrict(&p)), "continuo gate --dry-run"
	case p.Config.Grounding.Enforcement != ledger.Strict:
		c.State, c.Text = verdictNote, "holds nothing: the enforcement is "+string(p.Config.Grounding.Enforcement)+" here"
	}
}
