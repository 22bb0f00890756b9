package setup

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// record describes an installation, with the original files. The user's settings and each project have one. A
// settings.json can contain keys, so only the user can read the file.
type record struct {
	Version int          `json:"version"` // 1
	Scope   Scope        `json:"scope"`
	Path    string       `json:"path"` // path of the user's settings.json or of the project
	Made    time.Time    `json:"made"`
	Files   []fileRecord `json:"files"`
	Dirs    []string     `json:"dirs"` // directories that the installation created

	file string // path of the record
	old  []byte // contents of the file when it was read
	has  bool   // the file exists
	part bool   // an uninstall keeps some Files or Dirs

	held  []string            // paths of the Files that an uninstall keeps
	moved moved               // the project before it was moved
	doubt map[string][]string // path of a file → records of other projects that may have its original
	// several has the records that match this project, if more than one does and the project has none.
	several []string
}

// fileRecord describes one file of an installation.
type fileRecord struct {
	Path   string      `json:"path"`
	There  bool        `json:"there"`           // the file existed before the installation
	Before []byte      `json:"before"`          // original contents
	Mode   fs.FileMode `json:"mode"`            // original mode
	Sum    string      `json:"sum"`             // SHA-256 of the file that continuo wrote
	Part   string      `json:"part,omitempty"`  // SHA-256 of the continuo section in a file with other text
	Trace  trace       `json:"trace,omitempty"` // for a settings.json
	Also   [][]byte    `json:"also,omitempty"`  // other versions that were replaced
	Held   bool        `json:"held,omitempty"`  // an uninstall couldn't restore the file
}

const (
	noteVersion = 1
	maxNote     = 64 << 20 // maximum size in bytes; a record contains the originals in base64
)

// notePath returns the path of a record, named by a hash of scope and path.
func (s Options) notePath(scope Scope, path string) string {
	return filepath.Join(s.Records, sum([]byte(string(scope) + "\x00" + path))[:32]+".json")
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// readNote reads the record of an installation. For a project without a record, it calls findMoved.
func (s Options) readNote(scope Scope, path string) (*record, error) {
	name := filepath.Base(s.notePath(scope, path))
	n, err := s.noteIn(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n = &record{Version: noteVersion, Scope: scope, Path: path, file: s.notePath(scope, path)}
		if scope == ScopeProject {
			n = s.findMoved(n)
		}
		return n, nil
	case err == nil && (n.Scope != scope || n.Path != path):
		err = errNoNote
	}
	if err != nil {
		return nil, &Refusal{
			Path: s.notePath(scope, path), What: reasonOf(err),
			Do: "This record contains the original files. Fix it, or move it away to continue without the record.",
		}
	}
	return n, nil
}

var errNoNote = errors.New("not a record of this installation")

// noteIn reads the record with a file name.
func (s Options) noteIn(name string) (*record, error) {
	n := &record{file: filepath.Join(s.Records, name), has: true}
	text, _, err := readUpTo(n.file, maxNote)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, n); err != nil || n.Version != noteVersion {
		return nil, errNoNote
	}
	n.old = text
	return n, nil
}

// of returns the record of a file, or nil.
func (n *record) of(path string) *fileRecord {
	for i := range n.Files {
		if n.Files[i].Path == path {
			return &n.Files[i]
		}
	}
	return nil
}

// put adds or replaces the record of a file.
func (n *record) put(f fileRecord) {
	if old := n.of(f.Path); old != nil {
		*old = f
		return
	}
	n.Files = append(n.Files, f)
}

// putDir records a directory that is created.
func (n *record) putDir(path string) {
	if !slices.Contains(n.Dirs, path) {
		n.Dirs = append(n.Dirs, path)
	}
}

// keep returns the ops that write the record. For a moved project, they also delete the old record.
func (n *record) keep(now time.Time) []change.Op {
	n.Made = now.UTC()
	text, _ := json.MarshalIndent(n, "", "  ") // never fails for these types
	text = append(text, '\n')
	switch {
	case n.moved.file != "":
		return []change.Op{recordOp(change.Make, n.file, text), n.forget()}
	case n.has:
		o := recordOp(change.Replace, n.file, text)
		o.Before = n.old
		return []change.Op{o}
	}
	return []change.Op{recordOp(change.Make, n.file, text)}
}

// forget returns the op that deletes the record. Its undo doesn't overwrite a newer record.
func (n *record) forget() change.Op {
	o := recordOp(change.Remove, cmp.Or(n.moved.file, n.file), n.old)
	o.Sum, o.Loose = sum(n.old), true
	return o
}

// recordOp returns an op on a record. The record directory is beside the journal directory. Both must exist, and the
// caller must hold the journal's lock.
func recordOp(verb change.Verb, file string, text []byte) change.Op {
	state := filepath.Dir(filepath.Dir(file))
	return change.Op{Verb: verb, Dir: state, Name: below(state, file), Text: text, Mode: 0o600, DirMode: 0o700, Quiet: true}
}

// leave removes changed files and removed directories from the record, except files to keep.
func (n *record) leave(changes []Change, dirs []Dir) {
	n.Files = slices.DeleteFunc(n.Files, func(f fileRecord) bool {
		return !slices.Contains(n.held, f.Path) && slices.ContainsFunc(changes, func(c Change) bool { return c.Path == f.Path })
	})
	n.Dirs = slices.DeleteFunc(n.Dirs, func(path string) bool {
		return slices.ContainsFunc(dirs, func(d Dir) bool { return d.Path == path })
	})
	for i := range n.Files {
		n.Files[i].Held = n.Files[i].Held || slices.Contains(n.held, n.Files[i].Path)
	}
	n.part = len(n.Files)+len(n.Dirs) > 0
}
