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

// Plan is the plan of an installation or an uninstall.
type Plan struct {
	Project  string   // "" if none
	Scope    Scope    // scope of the hooks after the plan; "" if none
	Acts     string   // settings file with the hooks after the plan
	Gate     string   // settings file for the gate hooks; "" if not requested
	Snapshot string   // settings file for the snapshot hook; "" if not requested
	Tasks    string   // settings file for the task hooks; "" if not requested
	Changes  []Change // in the order in which they are made
	Dirs     []Dir    // directories to create before the files, or to remove after them if empty
	Warnings []Warning
	Stays    []Stay   // files that an uninstall keeps, besides those in Kept
	Lost     []string // paths that an uninstall deletes permanently
	Kept     Kept     // backups and documents that an uninstall keeps

	notes   []*record // records to write before the files, or to delete after them
	keep    []*record // records that an uninstall keeps for a file that can't be restored
	removes bool      // this is an uninstall
	hooks   bool      // this is an uninstall of the hooks only
	records string    // directory of the installation records
	lock    *Change   // with Purge: lock file of the memory; nil if there is none
}

// Extras returns the requested settings files for the gate, the snapshot and tasks.
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
	Mode   fs.FileMode // permissions of the new file

	was      fs.FileMode // permissions of the old file
	modified time.Time
	base     string // existing directory that contains Real
	private  bool   // the user's settings, which only the user may read
	purged   bool   // file of a purged memory, which can't be restored
}

// Warning is a problem that may stop the hooks.
type Warning struct {
	Text string // one or more sentences
	Run  string // command that fixes the problem; "" if none
	Dir  string // directory in which to run the command; "" for the current directory
}

// Stay is a file that an uninstall keeps.
type Stay struct{ Path, Why string }

// Dir is a directory that is created or removed.
type Dir struct {
	Path string

	base, real string // for removals: base as in Change, and Path without links
}

// Kept counts the files in the memory that an uninstall keeps.
type Kept struct {
	Path               string
	Backups, Documents int
	Pending            int // number of pending backups
}

// Empty reports whether the plan changes no files.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 && len(p.Dirs) == 0 }

// Refusal is the error for an impossible plan.
type Refusal struct {
	Path   string   // the file with the problem; "" if none
	What   string   // the problem, without a full stop
	Do     string   // what to do, as a sentence
	Run    string   // a command that does this; "" if none
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

// maxFile is the maximum size in bytes of a file that is read.
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

// physical resolves all links in a path. Its last elements may not exist.
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

// lookFile reads a file that the plan may change. The error is a *Refusal for an unreadable file, or a link out of
// the project.
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

// writable returns a *Refusal for a read-only file, which would otherwise be replaced.
func (c *Change) writable() error {
	if c.There && c.was&0o200 == 0 {
		return &Refusal{Path: c.Path, What: errReadOnly.Error(), Do: "Make it writable, then run this again."}
	}
	return nil
}

// add adds a change and the directories that it needs.
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

// dirModeOf returns 0700 in the memory, and 0755 elsewhere in a project.
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
