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

// note is the record of an installation, with the originals that an uninstall restores. There is one for the user's
// settings, and one for each project. Only the user can read it, because a settings.json can contain keys.
type note struct {
	Version int       `json:"version"` // 1
	Scope   Scope     `json:"scope"`
	Path    string    `json:"path"` // the user's settings.json, or the project
	Made    time.Time `json:"made"`
	Files   []noted   `json:"files"`
	Dirs    []string  `json:"dirs"` // directories that were created

	file string // path of the record
	old  []byte // content of the record when it was read
	has  bool   // the file of the record exists
	part bool   // an uninstall keeps a part of the record

	held  []string            // paths of Files whose records are kept by an uninstall
	moved moved               // the previous path of the project
	doubt map[string][]string // path of a file → records that may have its original
	// several has the records that match this project, if it has no record and more than one matches.
	several []string
}

// noted is the record of one file of an installation.
type noted struct {
	Path   string      `json:"path"`
	There  bool        `json:"there"`           // the file existed before the installation
	Before []byte      `json:"before"`          // original content in base64
	Mode   fs.FileMode `json:"mode"`            // original mode
	Sum    string      `json:"sum"`             // SHA-256 of the file that continuo wrote
	Part   string      `json:"part,omitempty"`  // for a file that has other text, too: SHA-256 of the continuo section
	Trace  trace       `json:"trace,omitempty"` // for a settings.json
	Also   [][]byte    `json:"also,omitempty"`  // versions that later installations replaced
	Held   bool        `json:"held,omitempty"`  // an uninstall couldn't restore the file
}

const (
	noteVersion = 1
	maxNote     = 64 << 20 // limit in bytes; a record has all replaced files in base64
)

// notePath returns the path of a record. Its name is a hash of scope and path.
func (s Options) notePath(scope Scope, path string) string {
	return filepath.Join(s.Records, sum([]byte(string(scope) + "\x00" + path))[:32]+".json")
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// readNote reads the record of an installation. If there is no record, it returns the result of findMoved.
func (s Options) readNote(scope Scope, path string) (*note, error) {
	name := filepath.Base(s.notePath(scope, path))
	n, err := s.noteIn(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n = &note{Version: noteVersion, Scope: scope, Path: path, file: s.notePath(scope, path)}
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
			Do: "This record has the files from before the installation. Fix it, or move it away to continue without the record.",
		}
	}
	return n, nil
}

var errNoNote = errors.New("not a record of this installation")

// noteIn reads the record in the file with a name.
func (s Options) noteIn(name string) (*note, error) {
	n := &note{file: filepath.Join(s.Records, name), has: true}
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

// of returns the record of a file, or nil if there is none.
func (n *note) of(path string) *noted {
	for i := range n.Files {
		if n.Files[i].Path == path {
			return &n.Files[i]
		}
	}
	return nil
}

// put adds the record of a file, or replaces the existing record.
func (n *note) put(f noted) {
	if old := n.of(f.Path); old != nil {
		*old = f
		return
	}
	n.Files = append(n.Files, f)
}

// putDir records a directory that is created.
func (n *note) putDir(path string) {
	if !slices.Contains(n.Dirs, path) {
		n.Dirs = append(n.Dirs, path)
	}
}

// keep returns the ops that write the record and, for a moved project, delete the old one.
func (n *note) keep(now time.Time) []change.Op {
	n.Made = now.UTC()
	text, _ := json.MarshalIndent(n, "", "  ") // these types can always be encoded
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

// forget returns the op that deletes the record. Its undo doesn't overwrite the record of a newer installation.
func (n *note) forget() change.Op {
	o := recordOp(change.Remove, cmp.Or(n.moved.file, n.file), n.old)
	o.Sum, o.Loose = sum(n.old), true
	return o
}

// recordOp returns an op on a record. The record directory is beside the journal directory. The caller must hold the
// lock of the journal, and must have created both directories.
func recordOp(verb change.Verb, file string, text []byte) change.Op {
	state := filepath.Dir(filepath.Dir(file))
	return change.Op{Verb: verb, Dir: state, Name: below(state, file), Text: text, Mode: 0o600, DirMode: 0o700, Quiet: true}
}

// leave removes files and directories from the record, except those that it must keep.
func (n *note) leave(changes []Change, dirs []Dir) {
	n.Files = slices.DeleteFunc(n.Files, func(f noted) bool {
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
