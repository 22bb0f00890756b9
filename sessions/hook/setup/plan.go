package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Plan is the plan of an installation or an uninstall. Making it changes no files.
type Plan struct {
	Project  string   // "" if none
	Scope    Scope    // scope of the hooks afterwards; "" if none
	Acts     string   // settings file of the hooks afterwards
	Gate     string   // settings file of the gate hooks; "" if not requested
	Snapshot string   // settings file of the snapshot hook; "" if not requested
	Tasks    string   // settings file of the hook of tasks; "" if not requested
	Changes  []Change // in the order in which they will be made
	Dirs     []Dir    // created before the files, or removed after them if empty
	Warnings []Warning
	Stays    []Stay   // files that an uninstall keeps, without those in Kept
	Lost     []string // paths that an uninstall deletes for good
	Kept     Kept     // files of the memory that an uninstall keeps

	notes   []*note // records; written before the files, or deleted after them
	keep    []*note // records that an uninstall keeps, because something can't be restored
	removes bool    // this is an uninstall
	hooks   bool    // only the hooks are uninstalled
	records string  // directory of the installation records
	lock    *Change // lock file of the memory to purge; nil if there is none
}

// Extras returns the requested settings files of the gate, the snapshot and tasks.
func (p *Plan) Extras() []string {
	return slices.DeleteFunc([]string{p.Gate, p.Snapshot, p.Tasks}, func(path string) bool { return path == "" })
}

// Change is the change of one file.
type Change struct {
	Path   string // may contain links
	Real   string // Path without links
	There  bool   // the file exists
	Before []byte
	Gone   bool // the file will be removed
	After  []byte
	Mode   fs.FileMode // permission bits for the new file

	was      fs.FileMode // permission bits of the old file
	modified time.Time
	base     string // existing directory that must contain Real
	private  bool   // for settings of the user: only the user may read the new file
	purged   bool   // part of the memory, so the removal can't be undone
}

// Warning is a problem that may keep the hooks from working.
type Warning struct {
	Text string // one or more sentences
	Run  string // a command that fixes the problem, "" if none
	Dir  string // directory in which to run the command; "" for the current directory
}

// Stay is a file that an uninstall doesn't change, and the reason.
type Stay struct{ Path, Why string }

// Dir is a directory that is created or removed.
type Dir struct {
	Path string

	base, real string // set for removals: base as in Change; Path without links
}

// Kept counts the files of a project's memory that an uninstall keeps.
type Kept struct {
	Path               string
	Backups, Documents int
	Pending            int // number of pending backups
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 && len(p.Dirs) == 0 }

// Refusal says why a plan isn't possible. Nothing was changed.
type Refusal struct {
	Path   string   // the file with the problem; "" if none
	What   string   // the problem, without a full stop
	Do     string   // what to do, as a sentence
	Run    string   // a command that does it, "" if none
	Facts  []string // more paths
	Choice bool     // another option may work
}

// Error implements error.
func (r *Refusal) Error() string {
	text := r.What
	if r.Path != "" {
		text = r.Path + ": " + text
	}
	return text + ". " + r.Do
}

// maxFile is the limit in bytes for reading one file.
const maxFile = 1 << 20

var (
	errTooLarge = errors.New("too large")
	errDangling = errors.New("a broken link")
	errLeadsOut = errors.New("a link that points outside the project")
	errReadOnly = errors.New("read-only")
	errNoText   = errors.New("not a text file")
)

// readWhole reads a regular file. It follows links.
func readWhole(path string) ([]byte, fs.FileInfo, error) { return readUpTo(path, maxFile) }

func readUpTo(path string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := transcript.OpenFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = errTooLarge
	}
	return text, info, err
}

// physical resolves all links in a path. Missing elements at its end stay as they are.
func physical(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errDangling
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	if parent, err = physical(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// inside reports whether path is dir itself or inside dir.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// lookFile reads a file that the plan may change. It returns a *Refusal if the file can't be read or, in a project,
// if a link leads out of it.
func (s Options) lookFile(path string, scope Scope) (Change, error) {
	c := Change{Path: path, Mode: 0o644}
	refused := func(err error) (Change, error) {
		return c, &Refusal{Path: path, What: reasonOf(err), Do: "Fix it, then run this again."}
	}
	var err error
	if c.Real, err = physical(path); err != nil {
		return refused(err)
	}
	switch scope {
	default:
		c.Mode, c.private = 0o600, true
		for c.base = filepath.Dir(c.Real); !sessions.MayExist(c.base, os.Lstat); c.base = filepath.Dir(c.base) {
		}
	case ScopeProject:
		if c.base, err = filepath.EvalSymlinks(s.Project); err != nil {
			return refused(err)
		}
		if !inside(c.Real, c.base) {
			return refused(errLeadsOut)
		}
	}
	text, info, err := readWhole(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return refused(err)
	}
	c.There, c.Before, c.Mode, c.was, c.modified = true, text, info.Mode().Perm(), info.Mode().Perm(), info.ModTime()
	return c, nil
}

// reasonOf returns the text of an error without the path.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, transcript.ErrNotRegular):
		return "not a regular file"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return err.Error()
}

// writable returns a *Refusal for a read-only file, which could otherwise be replaced.
func (c *Change) writable() error {
	if c.There && c.was&0o200 == 0 {
		return &Refusal{Path: c.Path, What: errReadOnly.Error(), Do: "Make it writable, then run this again."}
	}
	return nil
}

// add adds a change to the plan, and the directories that the change needs.
func (p *Plan) add(c Change) error {
	if !c.There && c.Gone || c.There && !c.Gone && c.Mode == c.was && bytes.Equal(c.Before, c.After) {
		return nil
	}
	if err := c.writable(); err != nil {
		return err
	}
	p.Changes = append(p.Changes, c)
	if c.Gone {
		return nil
	}
	var dirs []Dir
	for dir := filepath.Dir(c.Real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || slices.ContainsFunc(p.Dirs, func(d Dir) bool { return d.Path == dir }) {
			break
		}
		dirs = append(dirs, Dir{Path: dir})
	}
	slices.Reverse(dirs)
	p.Dirs = append(p.Dirs, dirs...)
	return nil
}

// dirModeOf returns 0700 for the memory, and 0755 for shared directories of a project.
func dirModeOf(dir string) fs.FileMode {
	if slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "memory") {
		return 0o700
	}
	return 0o755
}

// warn adds a Warning without a command.
func (p *Plan) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, Warning{Text: fmt.Sprintf(format, args...)})
}
