package ledger

import "errors"

// Env is what the environment says of a ledger (spec 002, fact sheet: environment before config before default). Empty
// is not set.
type Env struct {
	ProjectRoot string // PROJECT_ROOT
	Grimoire    string // LOA_GRIMOIRE_DIR
	Beads       string // LOA_BEADS_DIR
}

// Project is a folder with a ledger, or with the places where one would be. All paths are absolute.
type Project struct {
	Root       string // git or Loa root: what ${PROJECT_ROOT} stands for
	Grimoire   string // directory of NOTES.md
	Notes      string // NOTES.md, whether it is there or not: the first that is there of those that are looked for
	Beads      string // .beads
	Trajectory string // directory of the trajectory
	Config     Config
	ConfigFile string // .loa.config.yaml; "" there is none
	// Problem is what is wrong with the config (a *ConfigError); what of it could not be read has its default.
	Problem error
}

// Has reports whether a project has any part of a ledger: NOTES.md or beads.
func (p *Project) Has() bool { return false } // replaced with the package

// Find looks for the root above a folder (that of the environment, else the nearest with .loa.config.yaml, a grimoire,
// .beads or .git, else the folder itself), reads its config and says where everything is. Links are not followed out of
// the root: such a part counts as missing and is named in Problem.
func Find(dir string, env Env) (Project, error) { return Project{Root: dir}, errors.ErrUnsupported }
