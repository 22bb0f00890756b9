// Package change describes what an action does to files as a value. A domain package plans a Change and writes nothing;
// sessions/act carries it out, journals it and reverses it. The package does no I/O.
package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

var (
	// ErrChanged is returned if a file has changed since the plan was made.
	ErrChanged = errors.New("changed since it was read")
	// ErrTwice is returned if a file contains a text more than once, but not at the offset where it was inserted.
	ErrTwice = errors.New("the text occurs twice")
	// ErrBelow is returned if removing a heading would leave newer text below it without a heading.
	ErrBelow = errors.New("newer text follows the heading")
	// ErrLive is returned if a client has the session of a transcript open.
	ErrLive = errors.New("the session is live")
	// ErrGone is returned if a file to move back is in neither its new nor its old place.
	ErrGone = errors.New("no longer there")
	// ErrTooLarge is returned if a file is too large for the journal to keep its contents.
	ErrTooLarge = errors.New("too large to keep for undo")
)

// TakenError is returned if other files have the names that an op needs.
type TakenError struct {
	Paths []string
}

// Error implements error.
func (e *TakenError) Error() string {
	return "already exists: " + strings.Join(e.Paths, ", ")
}

// Change is one action.
type Change struct {
	Kind  string   // name in the journal: "discard", "note"
	What  string   // one line in the past tense: "Discarded 2 backups"
	Where []string // absolute folders of the projects
	Of    string   // id of the action that this one undoes, "" if none
	Ops   []Op     // in the order in which they are carried out
	// Unkept allows the change even if the journal can't be written, because the change loses no data.
	Unkept bool
	// Report is a value of the domain package that describes the change. The journal doesn't keep it.
	Report any
}

// Verb is the kind of an Op.
type Verb string

// The verbs.
const (
	Make    Verb = "make"    // creates a file with Text, or a copy of From
	Replace Verb = "replace" // replaces the contents Before with Text
	Insert  Verb = "insert"  // inserts Text at the byte At, or creates the file
	Cut     Verb = "cut"     // removes Text that was inserted at the byte At
	Move    Verb = "move"    // renames a file to To
	Remove  Verb = "remove"  // deletes a file; Text or From restores it
	Delete  Verb = "delete"  // deletes a file or an empty directory; can't be undone
	Run     Verb = "run"     // runs another program with Args; can't be undone
)

// Op is one step of a Change. Nothing outside of Dir is touched, and no link below it is followed.
type Op struct {
	Verb Verb   `json:"verb"`
	Dir  string `json:"dir"`            // absolute
	Name string `json:"name"`           // below Dir
	To   string `json:"to,omitempty"`   // below Dir
	Lock string `json:"lock,omitempty"` // lock file in Dir, "." Dir itself, "" if none

	Text   []byte `json:"text,omitempty"`
	Before []byte `json:"before,omitempty"`
	At     int64  `json:"at,omitempty"`
	// From is the absolute path of the file to copy, for a Make and for the inverse of a Remove.
	From string `json:"from,omitempty"`
	// Bytes and Modified are the size and time of the file that is moved, deleted or copied.
	Bytes    int64     `json:"bytes,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
	// Was and Sum are the SHA-256 of the file in hex, before and after the op; "" means no file. The plan sets the current
	// sum: as Was of an Insert, and as Sum of a Remove. All other values are set under the locks.
	Was string `json:"was,omitempty"`
	Sum string `json:"sha256,omitempty"`

	Mode    fs.FileMode `json:"mode,omitempty"`     // mode of a new file; an existing one keeps its mode
	Chmod   fs.FileMode `json:"chmod,omitempty"`    // mode of a new file regardless of the umask; a Replace creates a missing file with Mode; 0 if none
	DirMode fs.FileMode `json:"dir_mode,omitempty"` // mode of missing directories, less the umask
	Time    time.Time   `json:"time,omitzero"`      // modification time of a new file
	Dirs    []string    `json:"dirs,omitempty"`     // directories created for the file, innermost first
	Empty   []string    `json:"empty,omitempty"`    // directories to remove afterwards if empty, innermost first

	// Next is the base of the names that a Make tries if Name is taken: Next-2, Next-3 and so on.
	Next string `json:"next,omitempty"`
	// Session is the ID of the session of a transcript. The file isn't removed while a client has the session open.
	Session string `json:"session,omitempty"`
	// Away says that a Move takes the transcript of Session out of projects/. Its inverse moves it back.
	Away bool     `json:"away,omitempty"`
	Args []string `json:"args,omitempty"`

	Hidden bool `json:"hidden,omitempty"` // git must not see the temporary file of the op
	New    bool `json:"new,omitempty"`    // an Insert creates the file; a Cut removes the file if nothing else is in it
	Stays  bool `json:"stays,omitempty"`  // undo doesn't reverse the op
	Quiet  bool `json:"quiet,omitempty"`  // bookkeeping, not named in plans
	// Loose makes Same ignore the op, because markers may appear or vanish, and other programs may edit the text.
	Loose bool `json:"loose,omitempty"`
}

// Path returns the absolute path of the file.
func (o *Op) Path() string { return filepath.Join(o.Dir, o.Name) }

// ToPath returns the absolute new path of a Move.
func (o *Op) ToPath() string { return filepath.Join(o.Dir, o.To) }

// Refusal is an op that can't be undone.
type Refusal struct {
	Op  Op
	Err error
}

// Sum returns the SHA-256 of a text in hex, "" of nil.
func Sum(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// OpError is the error of an op.
type OpError struct {
	Verb Verb
	Path string // absolute
	Err  error
}

// Error implements error.
func (e *OpError) Error() string { return fmt.Sprintf("%s %s: %v", e.Verb, e.Path, e.Err) }

// Unwrap returns Err.
func (e *OpError) Unwrap() error { return e.Err }

// Fail adds the op to an error.
func (o *Op) Fail(err error) error {
	if err == nil {
		return nil
	}
	return &OpError{o.Verb, o.Path(), err}
}

// Same reports whether two plans have the same effect. It ignores Loose ops and the offsets of inserted texts.
func Same(shown, now *Change) bool {
	a, b := firm(shown.Ops), firm(now.Ops)
	if shown.Kind != now.Kind || shown.Of != now.Of || len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].same(b[i]) {
			return false
		}
	}
	return true
}

func firm(ops []Op) []*Op {
	var list []*Op
	for i := range ops {
		if !ops[i].Loose {
			list = append(list, &ops[i])
		}
	}
	return list
}

func (o *Op) same(p *Op) bool {
	return o.Verb == p.Verb && o.Path() == p.Path() && o.From == p.From && o.Bytes == p.Bytes &&
		o.Modified.Equal(p.Modified) && string(o.Text) == string(p.Text) && string(o.Before) == string(p.Before) &&
		strings.Join(o.Args, "\x00") == strings.Join(p.Args, "\x00")
}
