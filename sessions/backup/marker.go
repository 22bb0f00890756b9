package backup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// MarkerKind is the hook that a marker comes from.
type MarkerKind string

// The kinds of markers. The spec has one file for both hooks; there are two since one overwrote the other's.
const (
	MarkerExit    MarkerKind = "exit"    // .pending-backup-exit, of SessionEnd, and older ones with a number
	MarkerCompact MarkerKind = "compact" // .pending-backup-compact, of PreCompact, and older ones with a number
	MarkerLegacy  MarkerKind = "legacy"  // .pending-backup, of whoever came first
)

// MarkerState says whether a marker still means something.
type MarkerState string

// The states of a marker.
const (
	MarkerValid MarkerState = "valid" // its target is a backup in a directory of raw ones
	MarkerStale MarkerState = "stale" // its target would be one, and is gone
	MarkerEmpty MarkerState = "empty" // it names nothing
	// MarkerOutside names what is no backup in <memory>/raw. Nothing is ever to be touched for it.
	MarkerOutside MarkerState = "outside"
	// MarkerUnreadable could not be read, or its target not be looked at, or it has several lines: a Problem says why.
	// That is no reason to take it for stale.
	MarkerUnreadable MarkerState = "unreadable"
)

// Marker is a file that calls a backup pending: nobody dealt with it yet (spec 000).
type Marker struct {
	Path   string
	Kind   MarkerKind
	N      int    // 2 and more of .pending-backup-exit-2 and the like; 0 without a number
	Target string // the path it names, trimmed and absolute: a relative one counts from the project; "" none
	State  MarkerState
}

// maxTarget bounds a path; Linux takes 4096 bytes.
const maxTarget = 8 << 10

// markerPrefix begins the name of every marker; alone it is that of the spec.
const markerPrefix = ".pending-backup"

// markerName is the file name of a marker, taken apart.
type markerName struct {
	name string
	kind MarkerKind
	n    int // 0 without a number
}

// plainMarkers are the markers without a number, in the order in which their backups are to be dealt with.
func plainMarkers() []markerName {
	return []markerName{
		// The backup of an exit comes first: it is the later one and holds what the compaction's has.
		{name: markerPrefix + "-exit", kind: MarkerExit},
		{name: markerPrefix + "-compact", kind: MarkerCompact},
		{name: markerPrefix, kind: MarkerLegacy},
	}
}

// parseMarkerName reads .pending-backup[-exit|-compact[-N]]. The numbers begin at 2, for the first has none.
func parseMarkerName(name string) (markerName, bool) {
	base, n := cutNumber(name)
	for _, m := range plainMarkers() {
		if m.name == base && (n == 0 || m.kind != MarkerLegacy) {
			return markerName{name, m.kind, n}, true
		}
	}
	return markerName{}, false
}

// cutNumber takes the -N off a name that was taken: N is 2 or more. It is 0 where there is none.
func cutNumber(name string) (base string, n int) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return name, 0
	}
	n, err := strconv.Atoi(name[i+1:])
	if err != nil || n < 2 || strconv.Itoa(n) != name[i+1:] {
		return name, 0
	}
	return name[:i], n
}

// markerNames lists the markers of a memory in the order of Found.Markers. Where the memory cannot be listed they are
// those without a number.
func markerNames(p *place) ([]markerName, error) {
	names, _, err := p.list(".")
	if err != nil {
		return plainMarkers(), err
	}
	var found []markerName
	for _, name := range names {
		if m, ok := parseMarkerName(name); ok {
			found = append(found, m)
		}
	}
	rank := func(k MarkerKind) int {
		return slices.IndexFunc(plainMarkers(), func(m markerName) bool { return m.kind == k })
	}
	slices.SortFunc(found, func(a, b markerName) int {
		return cmp.Or(cmp.Compare(rank(a.kind), rank(b.kind)), cmp.Compare(a.n, b.n))
	})
	return found, nil
}

// markers reads the markers; the backups are known by now.
func (f *finder) markers(ctx context.Context, p *place) error {
	names, _ := markerNames(p) // the documents are listed there too, and tell of the error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		marker, target := f.readMarker(p, name)
		if marker.State == "" {
			continue
		}
		for i, info := range f.infos {
			if b := &f.found.Backups[i]; target != nil && os.SameFile(info, target) {
				b.Pending = true
				if b.Marker == "" {
					b.Marker = marker.Path
				}
			}
		}
		f.found.Markers = append(f.found.Markers, marker)
	}
	return ctx.Err()
}

// readMarker reads a marker and looks at what it names. The file is the target of a valid one; there is no state where
// there is no marker.
func (f *finder) readMarker(p *place, name markerName) (Marker, fs.FileInfo) {
	g := p.look(name.name, f.buf)
	if g.info == nil && g.err == nil {
		return Marker{}, nil
	}
	m := Marker{Path: filepath.Join(p.path, name.name), Kind: name.kind, N: name.n, State: MarkerUnreadable}
	switch {
	case g.err != nil:
	case len(g.head) > maxTarget:
		g.err = fmt.Errorf("read %s: %d bytes, too long for a path", m.Path, g.info.Size())
	case bytes.IndexByte(g.head, 0) >= 0:
		g.err = fmt.Errorf("read %s: binary file", m.Path)
	}
	if g.err != nil {
		f.problem(g.err)
		return m, nil
	}
	m.Target = strings.TrimSpace(string(g.head))
	if m.Target != "" {
		if !filepath.IsAbs(m.Target) {
			m.Target = filepath.Join(f.project, m.Target)
		}
		m.Target = filepath.Clean(m.Target)
	}
	var target fs.FileInfo
	target, m.State = f.judge(p, &m)
	if (m.State == MarkerStale || m.State == MarkerOutside) && f.isSeveral(m.Target) {
		f.problem(fmt.Errorf("read %s: %w", m.Path, errSeveral))
		m.Target, m.State = "", MarkerUnreadable
	}
	return m, target
}

var errSeveral = errors.New("more than one line")

// isSeveral reports whether the text of a marker is more than one path. The path of a project may have several lines.
func (f *finder) isSeveral(target string) bool {
	return strings.ContainsAny(strings.TrimPrefix(target, f.project), "\r\n")
}

// judge looks at the target of a marker. The file is that of a valid one.
func (f *finder) judge(p *place, m *Marker) (fs.FileInfo, MarkerState) {
	if m.Target == "" {
		return nil, MarkerEmpty
	}
	name, ok := f.inRaw(p, m.Target)
	if !ok || !backupName(filepath.ToSlash(name)) {
		return nil, MarkerOutside
	}
	info, err := p.root.Lstat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		return info, MarkerValid
	case err == nil:
		return nil, MarkerOutside
	case isAbsent(err):
		return nil, MarkerStale
	}
	f.problem(fmt.Errorf("read %s: its backup %s: %w", m.Path, m.Target, cause(err)))
	return nil, MarkerUnreadable
}

// inRaw returns the target's name in p if it lies below a directory of raw backups. The hook may have reached the
// project by another path than Find, so the path without links counts too, and as a last resort the directory
// itself. That one is a foreign path, so it is asked for only where the backup's name is known.
func (f *finder) inRaw(p *place, target string) (name string, ok bool) {
	bases := []string{p.path}
	if physical, err := filepath.EvalSymlinks(p.path); err == nil {
		bases = append(bases, physical)
	}
	for _, dir := range rawDirs() {
		for _, base := range bases {
			rel, err := filepath.Rel(filepath.Join(base, dir), target)
			if err == nil && rel != "." && filepath.IsLocal(rel) {
				return filepath.Join(dir, rel), true
			}
		}
		name := filepath.Join(dir, filepath.Base(target))
		if f.has(filepath.Join(p.path, name)) && sameDir(p, dir, filepath.Dir(target)) {
			return name, true
		}
	}
	return "", false
}

func (f *finder) has(backup string) bool {
	for i := range f.found.Backups {
		if f.found.Backups[i].Path == backup {
			return true
		}
	}
	return false
}

// sameDir reports whether path is the directory dir of p.
func sameDir(p *place, dir, path string) bool {
	a, err := p.root.Stat(dir)
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// IsMarker reports whether a name is that of a marker.
func IsMarker(name string) bool {
	_, ok := parseMarkerName(name)
	return ok
}
