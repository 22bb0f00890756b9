package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// note is what is kept of an installation, so that an uninstall can put back what was there: one file for the settings
// of the user, and one for each project. It is private: a settings.json can hold keys.
type note struct {
	Version int       `json:"version"` // 1
	Scope   Scope     `json:"scope"`
	Path    string    `json:"path"` // the settings.json of the user, or the project
	Made    time.Time `json:"made"`
	Files   []noted   `json:"files"`
	Dirs    []string  `json:"dirs"` // that were made

	file string // where it is kept
	old  []byte // what was kept there before
	has  bool   // there is such a file
	part bool   // an uninstall leaves some of it

	held  []string            // of Files, that an uninstall leaves in it
	moved moved               // where the project was before
	doubt map[string][]string // of files, the records that may have what was there before
	// several are the records that fit a project without one.
	several []string
}

// noted is one file of an installation.
type noted struct {
	Path   string      `json:"path"`
	There  bool        `json:"there"`           // before the installation
	Before []byte      `json:"before"`          // base64
	Mode   fs.FileMode `json:"mode"`            // before
	Sum    string      `json:"sum"`             // SHA-256 of what was written
	Part   string      `json:"part,omitempty"`  // of our part of it, where the file is shared
	Trace  trace       `json:"trace,omitempty"` // of a settings.json
	Also   [][]byte    `json:"also,omitempty"`  // what else it was before it was replaced again
	Held   bool        `json:"held,omitempty"`  // an uninstall could not bring it back
}

const (
	noteVersion = 1
	maxNote     = 64 << 20 // bytes; it holds every file that was taken over, in base64
)

// notePath is the file of a note: <hash of scope and path>.json.
func (s Setup) notePath(scope Scope, path string) string {
	return filepath.Join(s.Records, sum([]byte(string(scope) + "\x00" + path))[:32]+".json")
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// readNote reads the note of an installation. Without one it is empty.
func (s Setup) readNote(scope Scope, path string) (*note, error) {
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
			Do: "It says what was there before the installation. Mend it, or move it away to go on without it.",
		}
	}
	return n, nil
}

var errNoNote = errors.New("it is no record of this installation")

// noteIn reads one file of notes.
func (s Setup) noteIn(name string) (*note, error) {
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

// of is what is noted of a file; nil for nothing.
func (n *note) of(path string) *noted {
	for i := range n.Files {
		if n.Files[i].Path == path {
			return &n.Files[i]
		}
	}
	return nil
}

// put notes a file, in the place of what was noted of it before.
func (n *note) put(f noted) {
	if old := n.of(f.Path); old != nil {
		*old = f
		return
	}
	n.Files = append(n.Files, f)
}

// putDir notes a directory that is made.
func (n *note) putDir(path string) {
	if !slices.Contains(n.Dirs, path) {
		n.Dirs = append(n.Dirs, path)
	}
}

// write keeps the note.
func (n *note) write(now time.Time) error {
	n.Made = now.UTC()
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return fmt.Errorf("record %s: %w", n.file, err)
	}
	if err := n.replace(append(text, '\n')); err != nil {
		return err
	}
	return n.moved.remove()
}

// replace writes the file whole or not at all.
func (n *note) replace(text []byte) error {
	root, err := disk.Make(filepath.Dir(n.file), 0o700)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	defer root.Close()
	if err := root.Replace(filepath.Base(n.file), text, 0o600); err != nil {
		return fmt.Errorf("record %s: %w", n.file, err)
	}
	return nil
}

// takeBack makes the note as it was.
func (n *note) takeBack() error {
	if n.moved.file != "" {
		back := note{file: n.moved.file}
		return errors.Join(back.replace(n.old), removeRecord(n.file))
	}
	if n.has {
		return n.replace(n.old)
	}
	return n.remove()
}

// leave forgets what is taken out by some changes and directories, and keeps the rest.
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

// remove forgets the installation.
func (n *note) remove() error {
	if err := removeRecord(n.file); err != nil {
		return err
	}
	return n.moved.remove()
}

// removeRecord removes a record, if it is there.
func removeRecord(file string) error {
	root, err := disk.Open(filepath.Dir(file))
	if err == nil {
		defer root.Close()
		err = root.Remove(filepath.Base(file))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}
