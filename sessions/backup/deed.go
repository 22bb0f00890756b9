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

// DeedKind is what was done.
type DeedKind string

// The kinds of deeds.
const (
	DeedDiscard DeedKind = "discard" // backups went to the trash, with the markers that named them
	DeedPrune   DeedKind = "prune"   // old backups went to the trash
)

var (
	// ErrNoDeed says that no deed has the id that was asked for, or that there is none left to take back.
	ErrNoDeed = errors.New("nothing to undo")
	// ErrBadDeed says that a deed.json is damaged, or says what ours never say. Nothing is done for it.
	ErrBadDeed = errors.New("damaged, or not written by continuo")
	// ErrChanged says that a file is not what it was when it was planned for. Nothing was done.
	ErrChanged = change.ErrChanged
	// ErrNotBackup says that a path is not that of a raw backup of this project.
	ErrNotBackup = errors.New("not a raw backup of this project")
	// ErrLive says that a client has the session open.
	ErrLive = change.ErrLive
)

// Move is a backup on its way to the trash or from it.
type Move struct {
	Path     string    // where the backup lies when it is not in the trash
	Name     string    // the same below the memory, with slashes
	Bytes    int64     // size
	Modified time.Time // of the file
}

// KeptMarker is a marker that is removed, kept with what it takes to bring it back.
type KeptMarker struct {
	Name   string // of the file, which lies in the memory
	Text   string // all bytes of it, foreign
	Kind   MarkerKind
	State  MarkerState // as it was planned for: valid, stale or empty
	Target string      // as in Marker: the path that it names, "" none
}

// Deed is something that was done to the backups of a project and can be taken back: one directory of the trash,
// <memory>/trash/<stamp>Z-<kind>[-N], with a deed.json that was written before anything else happened.
type Deed struct {
	ID      string // name of the directory
	Path    string // of the directory
	Kind    DeedKind
	At      time.Time    // UTC, whole seconds
	Moves   []Move       // of a discard or a prune
	Markers []KeptMarker // that were removed
	// Unfinished says that it was interrupted, or taking it back was: not all of its backups are in the trash.
	// Undo takes back what was done.
	Unfinished bool
}

// Bytes is the size of its backups together.
func (d *Deed) Bytes() int64 { return total(d.Moves) }

func total(moves []Move) int64 {
	var n int64
	for i := range moves {
		n += moves[i].Bytes
	}
	return n
}

// backupName reports whether a name below the memory, with slashes, is that of a raw backup as Find lists them. It is
// asked of every name that is about to be moved: one from a deed.json or a marker may be anything.
func backupName(name string) bool {
	dir, base := path.Split(name)
	return slices.Contains(rawDirs(), filepath.FromSlash(strings.TrimSuffix(dir, "/"))) && isBackupName(base) &&
		filepath.IsLocal(base) && !strings.ContainsAny(base, "\x00"+string(filepath.Separator))
}

// check holds a deed, or a plan on its way to become one, to what deeds of its kind can be.
func (d *Deed) check() error {
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
	if d.Kind != DeedDiscard && d.Kind != DeedPrune {
		return fmt.Errorf("%q: %w", d.Kind, errNotDeed)
	}
	return nil
}

var (
	errNotMarker = errors.New("not a marker")
	errNotDeed   = errors.New("not a trash entry")
)

// splitMade takes the path of a transcript apart: <projects>/<slug>/<id>.jsonl.
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

// deedID is the name of a deed: its stamp, its kind, and a number from the second one of a second on, of whatever kind,
// so that the newest is known.
func deedID(at time.Time, kind DeedKind, n int) string {
	id := at.UTC().Format(backupStamp) + "Z-" + string(kind)
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// parseDeedID is the reverse of deedID.
func parseDeedID(id string) (at time.Time, kind DeedKind, n int, ok bool) {
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
	kind = DeedKind(word)
	ok = (kind == DeedDiscard || kind == DeedPrune) && deedID(at, kind, n) == id
	return at, kind, n, ok
}

// deedFile is deed.json. Only what cannot be told from the names is in it.
type deedFile struct {
	Version int          `json:"version"`
	Kind    DeedKind     `json:"kind"`
	At      time.Time    `json:"at"`
	Moves   []deedMove   `json:"moves,omitempty"`
	Markers []deedMarker `json:"markers,omitempty"`
}

type deedMove struct {
	Name     change.Verbatim `json:"name"`
	Bytes    int64           `json:"bytes"`
	Modified time.Time       `json:"modified"`
}

type deedMarker struct {
	Name  string          `json:"name"`
	Text  change.Verbatim `json:"text"`
	State MarkerState     `json:"state"`
}

const deedVersion = 1

// encode is the deed as deed.json has it.
func (d *Deed) encode() ([]byte, error) {
	f := deedFile{Version: deedVersion, Kind: d.Kind, At: d.At}
	for i := range d.Moves {
		v := &d.Moves[i]
		f.Moves = append(f.Moves, deedMove{change.Verbatim(v.Name), v.Bytes, v.Modified.UTC()})
	}
	for i := range d.Markers {
		k := &d.Markers[i]
		f.Markers = append(f.Markers, deedMarker{k.Name, change.Verbatim(k.Text), k.State})
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("deed %s: %w", d.ID, err)
	}
	return append(text, '\n'), nil
}

// decodeDeed reads what encode wrote, and nothing else.
func (m *Memory) decodeDeed(id string, text []byte) (Deed, error) {
	at, kind, _, ok := parseDeedID(id)
	if !ok {
		return Deed{}, errNotDeed
	}
	var f deedFile
	if err := json.Unmarshal(text, &f); err != nil {
		return Deed{}, err
	}
	if f.Version != deedVersion {
		return Deed{}, fmt.Errorf("version %d: %w", f.Version, errNotDeed)
	}
	if f.Kind != kind || !f.At.Equal(at) {
		return Deed{}, fmt.Errorf("%s of %s: %w", f.Kind, f.At.Format(time.RFC3339), errNotDeed)
	}
	d := Deed{ID: id, Path: m.at(path.Join(trashDir, id)), Kind: kind, At: at}
	for _, v := range f.Moves {
		d.Moves = append(d.Moves, Move{m.at(string(v.Name)), string(v.Name), v.Bytes, v.Modified})
	}
	for _, k := range f.Markers {
		name, _ := parseMarkerName(k.Name)
		text := string(k.Text)
		d.Markers = append(d.Markers, KeptMarker{k.Name, text, name.kind, k.State, m.target(text)})
	}
	return d, d.check()
}

// target is the path that the text of a marker names.
func (m *Memory) target(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return ""
	case !filepath.IsAbs(text):
		text = filepath.Join(m.project, text)
	}
	return filepath.Clean(text)
}
