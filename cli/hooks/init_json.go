package hooks

import (
	"strings"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// setupJSON describes a plan of init or uninstall for programs.
type setupJSON struct {
	Action  string `json:"action"` // init or uninstall
	Done    bool   `json:"done"`
	Project string `json:"project"` // "" without a project
	// Scope of the hooks that will run here, or "".
	Scope       setup.Scope   `json:"scope"`
	Settings    string        `json:"settings"` // their settings file
	Changes     []setupChange `json:"changes"`
	Directories []string      `json:"directories"` // to create or remove
	// Files that an uninstall keeps, without Memory.
	Stays    []setupStay  `json:"stays"`
	Memory   *setupMemory `json:"memory"` // memory files that an uninstall keeps
	Warnings []string     `json:"warnings"`
}

type setupChange struct {
	Path    string `json:"path"`
	Real    string `json:"real"` // the target of a link
	Action  string `json:"action"`
	Added   int    `json:"added"` // in lines
	Removed int    `json:"removed"`
	Diff    string `json:"diff"`
}

type setupStay struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

type setupMemory struct {
	Path      string `json:"path"`
	Backups   int    `json:"backups"`
	Pending   int    `json:"pending"`
	Documents int    `json:"documents"`
}

// setupReport describes the plan for programs.
func setupReport(env *place.Env, v *setupView, done bool) setupJSON {
	p := v.plan
	r := setupJSON{
		Action: "init", Done: done, Project: p.Project, Scope: p.Scope, Settings: p.Acts,
		Changes: []setupChange{}, Directories: []string{}, Stays: []setupStay{}, Warnings: []string{},
	}
	for _, w := range p.Warnings {
		r.Warnings = append(r.Warnings, strings.TrimSpace(w.Text+" "+warningRun(env, &w)))
	}
	if v.removes {
		r.Action = "uninstall"
		r.Memory = &setupMemory{p.Kept.Path, p.Kept.Backups, p.Kept.Pending, p.Kept.Documents}
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		diff := change.Diff(c.Before, c.After)
		added, removed := change.Counts(diff)
		var b strings.Builder
		for _, line := range diff {
			b.WriteString(line.Text + "\n")
		}
		r.Changes = append(r.Changes, setupChange{c.Path, c.Real, changeAction(c), added, removed, b.String()})
	}
	for _, dir := range p.Dirs {
		r.Directories = append(r.Directories, dir.Path)
	}
	for _, s := range p.Stays {
		r.Stays = append(r.Stays, setupStay(s))
	}
	return r
}
