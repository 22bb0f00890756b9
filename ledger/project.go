package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Env has the environment variables of a ledger; "" if unset. They take precedence over the config, which takes
// precedence over the defaults (spec 002).
type Env struct {
	ProjectRoot string // PROJECT_ROOT
	Grimoire    string // LOA_GRIMOIRE_DIR
	Beads       string // LOA_BEADS_DIR
	Home        string // the home directory, at which the search for a root ends
}

// Project is a folder that has a ledger, or in which a ledger may be created. All paths are absolute.
type Project struct {
	Root       string // the git or Loa root, which is the value of ${PROJECT_ROOT}
	Grimoire   string // the directory of NOTES.md
	Notes      string // the first path of NotesPlaces that exists, or the path for a new file
	Beads      string // path of .beads
	Trajectory string // the directory of the trajectory
	Config     Config
	ConfigFile string // path of .loa.config.yaml, "" if there is none
	Set        Set
	// Problem joins the problems of the config (*ConfigError) and of the environment variables. A key with a problem
	// keeps its default.
	Problem error
}

// Set has the setting of each path: a key of the config or an environment variable; "" for the default.
type Set struct{ Grimoire, Notes, Beads, Trajectory string }

// ConfigName is the name of the config file in the root of a project.
const ConfigName = ".loa.config.yaml"

const notesName = "NOTES.md"

// Has reports whether NOTES.md or .beads exists.
func (p *Project) Has() bool {
	if fi, err := os.Stat(p.Notes); err == nil && fi.Mode().IsRegular() && p.inside(p.Notes) {
		return true
	}
	fi, err := os.Stat(p.Beads)
	return err == nil && fi.IsDir() && p.inside(p.Beads)
}

// Problems returns the errors that Problem joins.
func (p *Project) Problems() []error { return Parts(p.Problem) }

// Find returns the project of a folder: its root, its config and its paths. The root is PROJECT_ROOT or the nearest
// folder, from dir upwards, with .loa.config.yaml, a grimoire, .beads or .git. If there is none, the root is dir. The
// search ends below the home directory.
//
// If a link leads out of the root, Problem has an error about its path. dir doesn't have to exist. Find returns an
// error only for a relative dir.
func Find(dir string, env Env) (Project, error) {
	if !filepath.IsAbs(dir) {
		return Project{Root: dir, Config: DefaultConfig()}, fmt.Errorf("folder %q: not an absolute path", dir)
	}
	dir = filepath.Clean(dir)
	p := Project{Config: DefaultConfig()}
	if env.ProjectRoot != "" {
		if err := holds(env.ProjectRoot, dir); err != nil {
			p.note(fmt.Errorf("PROJECT_ROOT is %s: %w", env.ProjectRoot, err))
		} else {
			p.Root = filepath.Clean(env.ProjectRoot)
		}
	}
	if p.Root == "" {
		p.Root = rootOf(dir, env.Home)
	}
	p.setPaths(env, p.readConfig())
	return p, nil
}

func (p *Project) note(err error) { p.Problem = errors.Join(append(p.Problems(), err)...) }

var (
	errNoDirectory = errors.New("not a directory")
	errElsewhere   = errors.New("does not contain this folder")
)

// holds returns nil if dir is root or below root. It compares the paths as given, and then without links.
func holds(root, dir string) error {
	if !filepath.IsAbs(root) {
		return errors.New("not an absolute path")
	}
	if fi, err := os.Stat(root); err != nil || !fi.IsDir() {
		return errNoDirectory
	}
	if within(filepath.Clean(root), dir) {
		return nil
	}
	if root, err := filepath.EvalSymlinks(root); err == nil {
		if dir, err := filepath.EvalSymlinks(dir); err == nil && within(root, dir) {
			return nil
		}
	}
	return errElsewhere
}

// within reports whether a path is dir or below dir. It doesn't follow links.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// rootOf returns the nearest directory that is a root, or dir.
func rootOf(dir, home string) string {
	if home = filepath.Clean(home); dir == home {
		return dir
	}
	for at := dir; at != home; at = filepath.Dir(at) {
		if IsRoot(at) {
			return at
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return dir
}

// IsRoot reports whether a directory is a root. A root contains .loa.config.yaml, a grimoire, .beads or .git.
func IsRoot(dir string) bool {
	for _, name := range []string{ConfigName, filepath.Join("grimoires", "loa"), "loa-grimoire", ".beads", ".git"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// readConfig reads the config file in the root. It returns the line number of each key.
func (p *Project) readConfig() (lines map[string]int) {
	file := filepath.Join(p.Root, ConfigName)
	text, _, err := readFile(context.Background(), p.Root, file, maxConfig)
	if disk.IsAbsent(err) {
		return nil
	}
	p.ConfigFile = file
	if err != nil {
		p.note(&ConfigError{File: file, What: disk.Cause(err).Error(), Help: "Until it can be read, every key keeps its default."})
		return nil
	}
	p.Config, lines, err = parseConfig(file, text)
	p.Problem = errors.Join(append(p.Problems(), Parts(err)...)...)
	return lines
}

// setPaths sets the paths of the stores. lines has the line number of each key in the config.
func (p *Project) setPaths(env Env, lines map[string]int) {
	c, defaults := &p.Config, DefaultConfig().Paths
	key := func(name, path string) candidate {
		return candidate{name, path, &ConfigError{File: p.ConfigFile, Line: lines[name]}, false}
	}
	notes := key("memory.notes_file", c.Memory.NotesFile)
	notes.markdown = true
	p.Grimoire, p.Set.Grimoire = p.first(filepath.Join(p.Root, defaults.Grimoire), candidate{who: "LOA_GRIMOIRE_DIR", path: env.Grimoire}, key("paths.grimoire", c.Paths.Grimoire))
	p.Beads, p.Set.Beads = p.first(filepath.Join(p.Root, defaults.Beads), candidate{who: "LOA_BEADS_DIR", path: env.Beads}, key("paths.beads", c.Paths.Beads))
	p.Trajectory, p.Set.Trajectory = p.first(filepath.Join(p.Grimoire, "a2a", "trajectory"), key("memory.trajectory_dir", c.Memory.TrajectoryDir))
	p.Notes, p.Set.Notes = p.first(filepath.Join(p.Grimoire, notesName), notes)
	for _, path := range p.NotesPlaces() {
		if fi, err := os.Stat(path); err == nil && !fi.IsDir() && p.inside(path) {
			p.Notes = path
			break
		}
	}
	for _, path := range []string{p.Grimoire, p.Beads, p.Trajectory, p.Notes} {
		if !p.inside(path) && (path == p.Grimoire || !within(p.Grimoire, path) || p.inside(p.Grimoire)) {
			p.note(fmt.Errorf("link %s: %w", path, ErrOutside))
		}
	}
}

// NotesPlaces returns the possible paths of NOTES.md, in order of precedence. These are in the config, in the
// grimoire, at the place of Loa before v0.12, and in the root. A path may occur twice.
func (p *Project) NotesPlaces() []string {
	return []string{
		p.Notes, filepath.Join(p.Grimoire, notesName),
		filepath.Join(p.Root, "loa-grimoire", notesName),
		filepath.Join(p.Root, notesName),
	}
}

// inside reports whether a path is inside the root after all links are resolved.
func (p *Project) inside(path string) bool {
	_, _, err := resolve(p.Root, path)
	return !errors.Is(err, ErrOutside)
}

// candidate is a path from the config or from an environment variable.
type candidate struct {
	who, path string
	key       *ConfigError // the error to report; nil for an environment variable
	markdown  bool         // the name must end in .md or .markdown
}

// first returns the first path that is set and allowed, and the name of its setting. Without one, it returns
// otherwise and "".
func (p *Project) first(otherwise string, all ...candidate) (path, set string) {
	for _, f := range all {
		if f.path == "" {
			continue
		}
		path := filepath.FromSlash(f.path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Root, path)
		}
		path = filepath.Clean(path)
		if f.key != nil && f.key.Line == 0 { // the default
			return path, ""
		}
		err := p.unfit(path, f.markdown)
		switch {
		case err == nil:
			return path, f.who
		case f.key == nil:
			p.note(fmt.Errorf("%s is %s: %w", f.who, short(f.path), err))
			continue
		case errors.Is(err, ErrReserved):
			f.key.What, f.key.Help = "is in .git or .claude", "A ledger cannot be there."
		case errors.Is(err, errNoMarkdown):
			f.key.What, f.key.Help = "is not a Markdown file", "The name must end in .md or .markdown."
		default:
			f.key.What, f.key.Help = "is outside the project", "Must be a path below the project root."
		}
		f.key.What = fmt.Sprintf("%s is %q, which %s", f.who, short(f.path), f.key.What)
		p.note(f.key)
	}
	return otherwise, ""
}

var errNoMarkdown = errors.New("not a Markdown file")

// Unfit returns ErrOutside or ErrReserved if no file of a ledger may be at a path, and nil otherwise.
func (p *Project) Unfit(path string) error { return p.unfit(path, false) }

// unfit returns the reason if no store of a ledger may be at a path. A config that comes with a checkout can name any
// path.
func (p *Project) unfit(path string, markdown bool) error {
	ending := strings.ToLower(filepath.Ext(path))
	switch {
	case path == p.Root || !p.inside(path):
		return ErrOutside
	case p.reserved(path):
		return ErrReserved
	case markdown && ending != ".md" && ending != ".markdown":
		return errNoMarkdown
	}
	return nil
}

func (p *Project) reserved(path string) bool {
	named, _ := filepath.Rel(p.Root, path) // "" if Rel fails; real is always checked
	_, real, _ := resolve(p.Root, path)
	return reserved(named) || reserved(real)
}
