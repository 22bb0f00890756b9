// Package journal keeps what continuo has written: the last 20 actions with what takes each of them back. It knows
// files of its own only; package act writes down what is about to happen, and reads it to take it back.
//
// An entry is one file of its directory, <stamp>Z-<kind>[-N].json, 0600 in a 0700 directory: two programs that act at
// once do not touch the same file. It is written before anything happens and again after that, so an action that was
// interrupted is known, and is taken back as far as it went. A file gets its name when it is whole and on the disk: who
// is killed leaves a file in the making at most, which is swept later. Nothing is read or written through a link.
//
// An entry is a JSON object of at most 64 MB:
//
//	version  2; what has another one is left alone
//	kind     as in the name: words of lower-case letters with hyphens between them; an unknown one is undone like any other
//	at       RFC 3339, UTC, as in the name
//	what     in words, one line
//	where    folders
//	ops      the steps, as package change has them, without the texts that a sum tells
//	of       id of another entry, or ""
//	done     true when it came to its end
//	stuck    true when it was interrupted and a file of it was changed since, so that it stays half done
//	undone   id of another entry, or ""
//
// A path that is not UTF-8 is {"base64":…}. Other fields of the object are kept when it is written again.
//
// The package reads neither the environment nor the clock.
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
	// Most is how many entries are kept.
	Most = 20
	// MaxBefore bounds what is kept of one file, in bytes.
	MaxBefore = 1 << 20
	// maxQuiet bounds what is kept of a file that is bookkeeping, in bytes. It is what sessions/act edits at most.
	maxQuiet = 16 << 20
)

var (
	// ErrTooLarge says that more would have to be kept than an entry takes: nothing was written.
	ErrTooLarge = errors.New("too large to be kept")
	// ErrNotEntry says that a file is damaged, or not one that this package wrote.
	ErrNotEntry = errors.New("damaged or not made here")
)

// Kind is what was done: words of lower-case letters with hyphens between them.
type Kind string

// The kinds of entries that code asks for.
const (
	Discard    Kind = "discard"     // backups went to the trash of their project
	Prune      Kind = "prune"       // old ones did
	Restore    Kind = "restore"     // a transcript was made of a backup
	Backup     Kind = "backup"      // a transcript was backed up
	Save       Kind = "save"        // a document was written
	Stage      Kind = "stage"       // a recovery was put where the next start of a session prints it, or taken away
	Init       Kind = "init"        // hooks and files were installed
	Note       Kind = "note"        // the ledger of a project was written to; without a file: a comment of br
	Undo       Kind = "undo"        // another entry was taken back
	EmptyTrash Kind = "empty-trash" // cannot be taken back
)

// isKind reports whether a kind is words of lower-case letters with hyphens between them, so that the number behind it in the
// name of an entry isn't taken for a part of it. It may be one that this package doesn't know.
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
	ID     string    // of the file, without .json
	At     time.Time // UTC, whole seconds
	Kind   Kind
	What   string      // in words, one clean line: "Discarded 2 backups"
	Where  []string    // folders whose memory it is about; of a Note the root of the project
	Ops    []change.Op // what was done to files
	Stuck  bool        // it was interrupted, and can't be taken back as a whole
	Of     string      // the entry that an Undo took back, or the Undo that this one took back
	Done   bool        // it came to its end; else it was interrupted, and may have gone any part of the way
	Undone string      // entry that took it back, "" it was not
}

// Dead reports whether the action was begun and neither done nor taken back: it is under way, or its program was killed.
func (e *Entry) Dead() bool { return len(e.Ops) > 0 && !e.Done && !e.Stuck }

// stampLayout is the time in the name of an entry, UTC.
const stampLayout = "20060102_150405"

// entryID is the name of an entry: its stamp, its kind, and a number from the second one of a second on, of whatever
// kind, so that the newest is known.
func entryID(at time.Time, kind Kind, n int) string {
	id := at.UTC().Format(stampLayout) + "Z-" + string(kind)
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// parseID is the reverse of entryID.
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

// KindOf is the kind of the entry that has an id, and when it was made; "" for what is no id.
func KindOf(id string) (kind Kind, at time.Time) {
	at, kind, _, _ = parseID(id)
	return kind, at
}

// newer orders the ids of entries, the newest first.
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

// check holds an entry to what one can be, and cleans its line.
func (e *Entry) check() error {
	bad := func(what string, value any) error { return fmt.Errorf("%s %q: %w", what, value, ErrNotEntry) }
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

// isKept reports whether an entry takes an op. The Text of a Make or a Replace isn't kept.
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
