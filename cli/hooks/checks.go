package hooks

import (
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ExtraChecks returns the checks of the hooks for the gate, the snapshot and tasks.
func ExtraChecks(env *place.Env, f *survey.HookFacts) []survey.Check {
	var checks []survey.Check
	for _, extra := range []struct {
		name, event, flag string
		sites             []setup.Site
	}{
		{"gate", hook.EventGate, " --gate", f.Settings.Gates},
		{"snapshot", hook.EventSnapshot, " --snapshot", f.Settings.Snapshot},
		{"tasks", hook.EventTask, " --tasks", f.Settings.Tasks},
	} {
		if len(extra.sites) == 0 {
			continue
		}
		site := &extra.sites[0]
		again := survey.InitCommand(site.Scope)
		c := survey.Check{Name: extra.name, Note: env.Tilde(site.Path)}
		text, fix := f.BrokenProgram(site, extra.event)
		switch {
		case text != "":
			if c.State, c.Text, c.Fix = survey.VerdictFinding, text, fix; fix == again {
				c.Fix += extra.flag
			}
		case len(site.Missing) > 0:
			c.State, c.Text, c.Fix = survey.VerdictFinding, "is not installed at "+words.AndList(site.Missing), again+extra.flag
		case len(extra.sites) > 1:
			c.State, c.Text = survey.VerdictWarning, "is installed twice: in "+env.Tilde(site.Path)+" and "+env.Tilde(extra.sites[1].Path)
			c.Note, c.Fix = "", "continuo uninstall --"+string(site.Scope)+" --hooks"
		default:
			if f.FiredCheck(extra.event, site.Since, &c); extra.event == hook.EventGate {
				enforcedCheck(env, f.At.Project, &c)
			}
		}
		checks = append(checks, c)
	}
	return checks
}

// enforcedCheck completes the check of the gate hook. A gate that blocks nothing is a note, and unknown
// enforcement a warning.
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
