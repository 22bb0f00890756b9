// Package journal keeps what continuo has written: the last 20 actions with what takes each of them back. It knows
// files of its own only; whoever acts writes down what is about to happen, and whoever takes back reads it.
//
// An entry is one file of its directory, <stamp>Z-<kind>[-N].json, 0600: two programs that act at once do not touch the
// same file. It is written before anything happens and again after that, so an action that was interrupted is known,
// and is taken back as far as it went.
package journal

import "time"

// Most is how many entries are kept.
const Most = 20

// Kind is what was done.
type Kind string

// The kinds of entries.
const (
	Discard    Kind = "discard"     // backups went to the trash of their project
	Prune      Kind = "prune"       // old ones did
	Restore    Kind = "restore"     // a transcript was made of a backup
	Backup     Kind = "backup"      // a transcript was backed up
	Save       Kind = "save"        // a document was written
	Undo       Kind = "undo"        // another entry was taken back
	EmptyTrash Kind = "empty-trash" // cannot be taken back
)

// Entry is one action.
type Entry struct {
	ID     string    // of the file, without .json
	At     time.Time // UTC, whole seconds
	Kind   Kind
	What   string   // in words, one clean line: "Discarded 2 backups"
	Where  []string // folders whose memory it is about
	Deeds  []Deed   // that take it back
	Made   []Made   // files that it made or changed, in the order in which it did
	Of     string   // of an Undo: the entry that was taken back
	Done   bool     // it came to its end; else it was interrupted, and may have gone any part of the way
	Undone string   // entry that took it back, "" it was not
}

// Deed is an entry of the trash of a project (package backup).
type Deed struct {
	Project string `json:"project"`
	ID      string `json:"id"`
}

// Made is a file that was made or changed.
type Made struct {
	Path   string
	Sum    string // SHA-256 in hex of what was written: what is something else by now is not touched
	Before []byte // what it was before; nil: it was not there
	Mode   uint32 // permissions of before
}
