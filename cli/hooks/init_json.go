package hooks

import (
	"strings"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// setupJSON is an installation plan for programs.
type setupJSON struct {
	Action      string        `json:"action"` // init or uninstall
	Done        bool          `json:"done"`
	Project     string        `json:"project"`  // "" without a project
	Scope       setup.Scope   `json:"scope"`    // scope of the hooks that run here after the change; "" if none
	Settings    string        `json:"settings"` // settings file with these hooks
	Changes     []setupChange `json:"changes"`
	Directories []string      `json:"directories"` // created or removed
	Stays       []setupStay   `json:"stays"`       // files that an uninstall keeps, except those counted in memory
	Memory      *setupMemory  `json:"memory"`      // files in the memory that an uninstall keeps
	Warnings    []string      `json:"warnings"`
}

type setupChange struct {
	Path    string `json:"path"`
	Real    string `json:"real"` // target of a link
	Action  string `json:"action"`
	Added   int    `json:"added"` // lines
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

// setupReport returns the plan for programs.
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
