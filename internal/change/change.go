// Package change describes how an action changes files. A domain package plans a Change. Package sessions/act carries
// it out, records it in the journal, and can undo it. This package does no I/O.
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
	// ErrTwice is returned if an inserted text occurs several times, but not at its offset.
	ErrTwice = errors.New("the text occurs twice")
	// ErrBelow is returned if newer text below a heading needs the heading.
	ErrBelow = errors.New("newer text follows the heading")
	// ErrLive is returned if a client has the session of a transcript open.
	ErrLive = errors.New("the session is live")
	// ErrGone is returned if a file to move back is missing.
	ErrGone = errors.New("no longer there")
	// ErrTooLarge is returned if a file is too large to be stored in the journal.
	ErrTooLarge = errors.New("too large to be kept for an undo")
)

// TakenError is returned if files already have the names that an op needs.
type TakenError struct {
	Paths []string
}

// Error implements error.
func (e *TakenError) Error() string {
	return "already exists: " + strings.Join(e.Paths, ", ")
}

// Change is one action.
type Change struct {
	Kind  string   // name in the journal, such as "discard" or "note"
	What  string   // one line in the past tense, such as "Discarded 2 backups"
	Where []string // absolute folders of the projects
	Of    string   // ID of the action that this action undoes; "" if none
	Ops   []Op     // in the order in which they are carried out
	// Unkept means that the change loses no data. It is carried out even if the journal can't be written.
	Unkept bool
	// Report describes the change for its domain package. It isn't in the journal.
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
	Remove  Verb = "remove"  // deletes a file, which can be restored from Text or From
	Delete  Verb = "delete"  // deletes a file or an empty directory; can't be undone
	Run     Verb = "run"     // runs another program with Args; can't be undone
)

// Op is one step of a Change. It changes only files in Dir, and follows no links in Dir.
type Op struct {
	Verb Verb   `json:"verb"`
	Dir  string `json:"dir"`            // absolute
	Name string `json:"name"`           // below Dir
	To   string `json:"to,omitempty"`   // below Dir
	Lock string `json:"lock,omitempty"` // lock file in Dir; "." means Dir itself; "" if none

	Text   []byte `json:"text,omitempty"`
	Before []byte `json:"before,omitempty"`
	At     int64  `json:"at,omitempty"`
	// From is the absolute path of the file that a Make copies. An undone Remove has one too.
	From string `json:"from,omitempty"`
	// Bytes and Modified are the size and time of the file that is moved, deleted or copied.
	Bytes    int64     `json:"bytes,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
	// Was and Sum are the SHA-256 of the file in hex, before and after the op. "" means no file. A plan sets only Was
	// of an Insert and Sum of a Remove.
	Was string `json:"was,omitempty"`
	Sum string `json:"sha256,omitempty"`

	Mode    fs.FileMode `json:"mode,omitempty"`     // mode of a new file; an existing file keeps its mode
	Chmod   fs.FileMode `json:"chmod,omitempty"`    // exact mode of the new file; 0 if none
	DirMode fs.FileMode `json:"dir_mode,omitempty"` // mode of new directories, less the umask
	Time    time.Time   `json:"time,omitzero"`      // modification time of a new file
	Dirs    []string    `json:"dirs,omitempty"`     // directories that are created for the file, innermost first
	Empty   []string    `json:"empty,omitempty"`    // directories to remove if they are empty afterwards

	// Next is used if the Name of a Make is taken. It is tried with -2, -3 and so on. If Next is "", the Make fails.
	Next string `json:"next,omitempty"`
	// Session is the session ID of a transcript. While a client has the session open, the file isn't removed.
	Session string `json:"session,omitempty"`
	// Away means that a Move takes the transcript of Session out of projects/.
	Away bool     `json:"away,omitempty"`
	Args []string `json:"args,omitempty"`

	Hidden bool `json:"hidden,omitempty"` // git must not see the temporary file of the op
	New    bool `json:"new,omitempty"`    // an Insert creates the file; a Cut removes it if it is empty
	Stays  bool `json:"stays,omitempty"`  // undo doesn't reverse the op
	Quiet  bool `json:"quiet,omitempty"`  // bookkeeping that plans don't show
	// Loose means that Same ignores the op. It is set for files that other programs may change at any time.
	Loose bool `json:"loose,omitempty"`
}

// Path returns the absolute path of the file.
func (o *Op) Path() string { return filepath.Join(o.Dir, o.Name) }

// ToPath returns the absolute new path of a Move.
func (o *Op) ToPath() string { return filepath.Join(o.Dir, o.To) }

// Refusal is an op that can't be undone, and the reason.
type Refusal struct {
	Op  Op
	Err error
}

// Sum returns the SHA-256 of a text in hex. It returns "" for nil.
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

// Fail wraps an error in an OpError.
func (o *Op) Fail(err error) error {
	if err == nil {
		return nil
	}
	return &OpError{o.Verb, o.Path(), err}
}

// Same reports whether two plans have the same effect. It ignores Loose ops and the offsets of insertions.
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
