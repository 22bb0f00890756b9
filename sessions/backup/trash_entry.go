package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
)

// TrashKind is the kind of action that moved backups to the trash.
type TrashKind string

// The kinds of trash entries.
const (
	TrashDiscard TrashKind = "discard" // the user discarded the backups
	TrashPrune   TrashKind = "prune"   // the backups were old
)

var (
	// ErrNoEntry is returned if the trash has no such entry.
	ErrNoEntry = errors.New("nothing to undo")
	// ErrBadEntry is returned for a deed.json that is damaged or from another program. The entry stays.
	ErrBadEntry = errors.New("damaged, or not written by continuo")
	// ErrChanged is returned if a file changed after the plan. No file was changed then.
	ErrChanged = change.ErrChanged
	// ErrNotBackup is returned for a path that isn't a raw backup of this project.
	ErrNotBackup = errors.New("not a raw backup of this project")
	// ErrLive is returned if Claude Code has the session open.
	ErrLive = change.ErrLive
)

// Move is a backup to move to the trash or back.
type Move struct {
	Path     string // path of the backup outside the trash
	Name     string // Path relative to the memory, with slashes
	Bytes    int64
	Modified time.Time // modification time of the file
}

// KeptMarker is a removed marker that can be restored.
type KeptMarker struct {
	Name   string // file name in the memory
	Text   string // text of the marker, as in the file
	Kind   MarkerKind
	State  MarkerState // valid, stale or empty when planned
	Target string      // the same as Marker.Target
}

// TrashEntry is a discard or prune that can be undone. It is the directory <memory>/trash/<stamp>Z-<kind>[-N]. Its
// deed.json is written before any file is moved.
type TrashEntry struct {
	ID      string // name of the directory
	Path    string // path of the directory
	Kind    TrashKind
	At      time.Time    // UTC, whole seconds
	Moves   []Move       // backups that were moved
	Markers []KeptMarker // markers that were removed
	// Unfinished is true after an interrupted action, when some backups aren't in the trash. An undo moves back those
	// that are.
	Unfinished bool
}

// Bytes returns the total size of the backups in the entry.
func (d *TrashEntry) Bytes() int64 { return total(d.Moves) }

func total(moves []Move) int64 {
	var n int64
	for i := range moves {
		n += moves[i].Bytes
	}
	return n
}

// backupName reports whether name is the path of a raw backup, relative to the memory and with slashes. A deed.json
// or marker could contain any path.
func backupName(name string) bool {
	dir, base := path.Split(name)
	return slices.Contains(rawDirs(), filepath.FromSlash(strings.TrimSuffix(dir, "/"))) && isBackupName(base) &&
		filepath.IsLocal(base) && !strings.ContainsAny(base, "\x00"+string(filepath.Separator))
}

// check returns an error for an invalid entry or plan.
func (d *TrashEntry) check() error {
	names := make(map[string]bool, len(d.Moves)+len(d.Markers))
	for i := range d.Moves {
		if name := d.Moves[i].Name; !backupName(name) || names[name] || d.Moves[i].Bytes < 0 {
			return fmt.Errorf("backup %q: %w", name, ErrNotBackup)
		}
		names[d.Moves[i].Name] = true
	}
	for i := range d.Markers {
		k := &d.Markers[i]
		_, ok := parseMarkerName(k.Name)
		known := k.State == MarkerValid || k.State == MarkerStale || k.State == MarkerEmpty
		if !ok || !known || names[k.Name] || len(k.Text) > maxTarget {
			return fmt.Errorf("marker %q: %w", k.Name, errNotMarker)
		}
		names[k.Name] = true
	}
	if d.Kind != TrashDiscard && d.Kind != TrashPrune {
		return fmt.Errorf("%q: %w", d.Kind, errNotEntry)
	}
	return nil
}

var (
	errNotMarker = errors.New("not a marker")
	errNotEntry  = errors.New("not a trash entry")
)

// splitMade splits the path of a transcript, <projects>/<slug>/<id>.jsonl.
func splitMade(file string) (projects, slug, id string, err error) {
	id, ok := strings.CutSuffix(filepath.Base(file), backupSuffix)
	dir := filepath.Dir(file)
	projects, slug = filepath.Dir(dir), filepath.Base(dir)
	if !ok || !sessions.IsUUID(id) || !filepath.IsAbs(file) || filepath.Clean(file) != file ||
		!filepath.IsLocal(slug) || slug == "." || filepath.Base(projects) != "projects" {
		return "", "", "", fmt.Errorf("file %q: %w", file, ErrNoPlace)
	}
	return projects, slug, id, nil
}

// entryID returns the ID of an entry: <stamp>Z-<kind>, and -N if n is at least 2. Entries of one second have
// different numbers, whatever their kind, so that they have an order.
func entryID(at time.Time, kind TrashKind, n int) string {
	id := at.UTC().Format(backupStamp) + "Z-" + string(kind)
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// parseEntryID is the inverse of entryID.
func parseEntryID(id string) (at time.Time, kind TrashKind, n int, ok bool) {
	stamp, rest, ok := strings.Cut(id, "Z-")
	at, err := time.Parse(backupStamp, stamp)
	if !ok || err != nil {
		return time.Time{}, "", 0, false
	}
	word, number, numbered := strings.Cut(rest, "-")
	n = 1
	if numbered {
		n, _ = strconv.Atoi(number)
	}
	kind = TrashKind(word)
	ok = (kind == TrashDiscard || kind == TrashPrune) && entryID(at, kind, n) == id
	return at, kind, n, ok
}

// entryFile is a deed.json. It doesn't repeat facts that names contain.
type entryFile struct {
	Version int           `json:"version"`
	Kind    TrashKind     `json:"kind"`
	At      time.Time     `json:"at"`
	Moves   []entryMove   `json:"moves,omitempty"`
	Markers []entryMarker `json:"markers,omitempty"`
}

type entryMove struct {
	Name     change.Verbatim `json:"name"`
	Bytes    int64           `json:"bytes"`
	Modified time.Time       `json:"modified"`
}

type entryMarker struct {
	Name  string          `json:"name"`
	Text  change.Verbatim `json:"text"`
	State MarkerState     `json:"state"`
}

const entryVersion = 1

// encode returns the contents of deed.json.
func (d *TrashEntry) encode() ([]byte, error) {
	f := entryFile{Version: entryVersion, Kind: d.Kind, At: d.At}
	for i := range d.Moves {
		v := &d.Moves[i]
		f.Moves = append(f.Moves, entryMove{change.Verbatim(v.Name), v.Bytes, v.Modified.UTC()})
	}
	for i := range d.Markers {
		k := &d.Markers[i]
		f.Markers = append(f.Markers, entryMarker{k.Name, change.Verbatim(k.Text), k.State})
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("trash entry %s: %w", d.ID, err)
	}
	return append(text, '\n'), nil
}

// decodeEntry parses a deed.json. It accepts only output of encode.
func (t Trash) decodeEntry(id string, text []byte) (TrashEntry, error) {
	at, kind, _, ok := parseEntryID(id)
	if !ok {
		return TrashEntry{}, errNotEntry
	}
	var f entryFile
	if err := json.Unmarshal(text, &f); err != nil {
		return TrashEntry{}, err
	}
	if f.Version != entryVersion {
		return TrashEntry{}, fmt.Errorf("version %d: %w", f.Version, errNotEntry)
	}
	if f.Kind != kind || !f.At.Equal(at) {
		return TrashEntry{}, fmt.Errorf("%s of %s: %w", f.Kind, f.At.Format(time.RFC3339), errNotEntry)
	}
	d := TrashEntry{ID: id, Path: t.at(path.Join(trashDir, id)), Kind: kind, At: at}
	for _, v := range f.Moves {
		d.Moves = append(d.Moves, Move{t.at(string(v.Name)), string(v.Name), v.Bytes, v.Modified})
	}
	for _, k := range f.Markers {
		name, _ := parseMarkerName(k.Name)
		text := string(k.Text)
		d.Markers = append(d.Markers, KeptMarker{k.Name, text, name.kind, k.State, markerTarget(t.project, text)})
	}
	return d, d.check()
}
