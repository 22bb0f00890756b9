// Package journal stores the last 20 actions of continuo, and the data to undo them. It accesses only its own files.
// Package act records actions and undoes them.
//
// Each entry is one file, <stamp>Z-<kind>[-N].json, so two programs never write the same file. The file has mode
// 0600, the directory 0700. An entry is written before its action and again afterwards. So an interrupted action has
// an entry with done=false, and can be undone. Files are written under a temporary name and renamed. The next writer
// deletes temporary files of a killed one. Links aren't followed.
//
// An entry is a JSON object of at most 64 MB:
//
//	version  2; an entry with another version can't be read
//	kind     as in the file name, such as "empty-trash"; actions of unknown kinds can be undone, too
//	at       time in RFC 3339, UTC, as in the file name
//	what     one line for the user, such as "Discarded 2 backups"
//	where    folders of projects
//	ops      the ops, as encoded by package change
//	of       id of the entry that this one undid, or ""
//	done     true if the action was completed
//	stuck    true if the action was interrupted and can't be undone, because another program has changed a file
//	undone   id of the entry that undid this one, or ""
//
// A path that isn't UTF-8 has the form {"base64":…}. Unknown fields are kept.
//
// The package doesn't read the environment or the clock.
package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	// Most is the maximum number of entries that are kept.
	Most = 20
	// MaxBefore is the maximum size in bytes of a file whose old contents an entry may keep.
	MaxBefore = 1 << 20
	// maxQuiet is MaxBefore for bookkeeping files (change.Op.Quiet), the limit of a file that package act edits.
	maxQuiet = 16 << 20
)

var (
	// errTooLarge is returned if an entry is larger than maxEntry.
	errTooLarge = errors.New("too large (limit 64 MB)")
	// errNotEntry is returned if a file is damaged or wasn't written by this package.
	errNotEntry = errors.New("damaged or not written by continuo")
)

// Kind is the kind of an action: lower-case words joined by hyphens.
type Kind string

// The kinds that code refers to.
const (
	Discard    Kind = "discard"     // backups were moved to the trash
	Prune      Kind = "prune"       // old backups were moved to the trash
	Restore    Kind = "restore"     // a transcript was created from a backup
	Fork       Kind = "fork"        // a transcript was created from the messages of another transcript
	Backup     Kind = "backup"      // a transcript was backed up
	Handover   Kind = "handover"    // a handover was written into the stores of a project
	Stage      Kind = "stage"       // a recovery was staged for the next session, or unstaged
	Init       Kind = "init"        // hooks and files were installed
	Note       Kind = "note"        // the ledger of a project was changed, or a comment was added through br
	Undo       Kind = "undo"        // another entry was undone
	EmptyTrash Kind = "empty-trash" // can't be undone
	Delete     Kind = "delete"      // sessions were moved to the trash of their config directory
)

// isKind reports whether a kind consists of lower-case words with hyphens. Without digits, the number in an entry's
// name is unambiguous: "empty-trash-2".
func (k Kind) isKind() bool {
	for word := range strings.SplitSeq(string(k), "-") {
		if word == "" || strings.ContainsFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }) {
			return false
		}
	}
	return true
}

// Entry is one action.
type Entry struct {
	ID     string    // file name without .json
	At     time.Time // UTC, whole seconds
	Kind   Kind
	What   string      // describes the action on one clean line, such as "Discarded 2 backups"
	Where  []string    // folders of the projects
	Ops    []change.Op // changes to files
	Stuck  bool        // the action was interrupted and can't be undone completely
	Of     string      // ID of the entry that this entry undid; "" if none
	Done   bool        // the action was completed; if false, only some ops may have been carried out
	Undone string      // ID of the entry that undid this entry; "" if none
}

// Dead reports whether the action was started, but isn't completed or undone. It may still be running.
func (e *Entry) Dead() bool { return len(e.Ops) > 0 && !e.Done && !e.Stuck }

// stampLayout is the layout of the time in the name of an entry, in UTC.
const stampLayout = "20060102_150405"

// entryID returns the ID of an entry: its time and kind. Entries of the same time get a number n > 1:
// "20261121_155200Z-note-2". They are sorted by this number.
func entryID(at time.Time, kind Kind, n int) string {
	id := at.UTC().Format(stampLayout) + "Z-" + string(kind)
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// parseID is the inverse of entryID.
func parseID(id string) (at time.Time, kind Kind, n int, ok bool) {
	stamp, rest, ok := strings.Cut(id, "Z-")
	at, err := time.Parse(stampLayout, stamp)
	if !ok || err != nil {
		return time.Time{}, "", 0, false
	}
	kind, n = Kind(rest), 1
	if i := strings.LastIndexByte(rest, '-'); i >= 0 {
		if number, err := strconv.Atoi(rest[i+1:]); err == nil {
			kind, n = Kind(rest[:i]), number
		}
	}
	if !kind.isKind() || entryID(at, kind, n) != id {
		return time.Time{}, "", 0, false
	}
	return at, kind, n, true
}

// KindOf returns the kind and time in the ID of an entry. kind is "" if id isn't valid.
func KindOf(id string) (kind Kind, at time.Time) {
	at, kind, _, _ = parseID(id)
	return kind, at
}

// newer compares two entry IDs for sorting: the newer entry comes first.
func newer(a, b string) int {
	at, _, i, _ := parseID(a)
	bt, _, j, _ := parseID(b)
	if c := bt.Compare(at); c != 0 {
		return c
	}
	if i != j {
		return j - i
	}
	return strings.Compare(a, b)
}

// check validates an entry and cleans What.
func (e *Entry) check() error {
	bad := func(what string, value any) error { return fmt.Errorf("%s %q: %w", what, value, errNotEntry) }
	e.What = transcript.CleanLine(e.What)
	if !e.Kind.isKind() {
		return bad("kind", e.Kind)
	}
	if _, _, _, ok := parseID(entryID(e.At, e.Kind, 1)); !ok || !e.At.Equal(e.At.Truncate(time.Second)) {
		return bad("time", e.At.Format(time.RFC3339Nano))
	}
	for _, dir := range e.Where {
		if !filepath.IsAbs(dir) {
			return bad("folder", dir)
		}
	}
	if i := slices.IndexFunc(e.Ops, func(o change.Op) bool { return !isKept(&o) }); i >= 0 {
		return bad("step", e.Ops[i].Path())
	}
	for _, id := range []string{e.Of, e.Undone} {
		if _, _, _, ok := parseID(id); id != "" && !ok {
			return bad("entry", id)
		}
	}
	return nil
}

// isKept reports whether the texts of an op are small enough for an entry. The Text of a Make or a Replace isn't in
// the entry.
func isKept(o *change.Op) bool {
	text := len(o.Text)
	if o.Verb == change.Make || o.Verb == change.Replace {
		text = 0
	}
	most := MaxBefore
	if o.Quiet {
		most = maxQuiet
	}
	return filepath.IsAbs(o.Dir) && o.Verb != "" && len(o.Before) <= most && text <= most
}
