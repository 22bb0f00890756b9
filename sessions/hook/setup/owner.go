package setup

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions"
)

// checkPlace returns a *Refusal for shared directories. A directory of another user gets a warning, because that user
// can change commands that Claude Code runs.
func (s Options) checkPlace(p *Plan) error {
	const do = "Change to a project directory, then run this again."
	info, err := os.Stat(s.Project)
	switch {
	case filepath.Dir(s.Project) == s.Project:
		return &Refusal{Path: s.Project, What: "this is the root directory, not a project", Do: do}
	case err != nil:
		return nil // a later check returns a better error
	case sessions.SameFile(s.Project, os.TempDir()), info.Mode()&fs.ModeSticky != 0 && info.Mode()&0o002 != 0:
		return &Refusal{Path: s.Project, What: "this is a directory for temporary files, not a project", Do: do}
	case isOthers(info):
		p.warn("%s belongs to another user, who can change the commands that the hooks run as you.", s.Project)
	}
	return nil
}
