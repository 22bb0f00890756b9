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
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// MarkerKind names the hook that wrote a marker.
type MarkerKind string

// The kinds of markers. In the spec, both hooks write the same file. Now each hook writes its own file, so that it
// doesn't overwrite the file of the other hook.
const (
	MarkerExit    MarkerKind = "exit"    // .pending-backup-exit, written by SessionEnd; older markers have a number
	MarkerCompact MarkerKind = "compact" // .pending-backup-compact, written by PreCompact; older markers have a number
	MarkerLegacy  MarkerKind = "legacy"  // .pending-backup, written by either hook
)

// MarkerState is the state of a marker.
type MarkerState string

// The states of a marker.
const (
	MarkerValid MarkerState = "valid" // its target is a backup in a directory of raw backups
	MarkerStale MarkerState = "stale" // its target is the path of a backup that doesn't exist
	MarkerEmpty MarkerState = "empty" // the marker contains no path
	// MarkerOutside means that the target isn't a backup in a directory of raw backups. continuo never changes such a
	// marker.
	MarkerOutside MarkerState = "outside"
	// MarkerUnreadable means that the marker or its target couldn't be read, or that the marker has several lines. The
	// reason is in Found.Problems. Such a marker isn't stale.
	MarkerUnreadable MarkerState = "unreadable"
)

// Marker is a file that marks a backup as pending (spec 000).
type Marker struct {
	Path string
	Kind MarkerKind
	N    int // number in the name, as in .pending-backup-exit-2; at least 2, or 0 if none
	// Target is the path in the marker, trimmed, and made absolute if it is relative to the project; "" if the marker
	// has no path. If the project was renamed after the marker was written, Target is the backup of that name in this
	// project.
	Target  string
	State   MarkerState
	written string // the path in the marker; "" if that is Target
}

// maxTarget is the size limit of a marker in bytes. Linux limits a path to 4096 bytes.
const maxTarget = 8 << 10

// markerPrefix is the start of every marker name. It is also the complete name of the marker in the spec.
const markerPrefix = ".pending-backup"

// markerName is the parsed file name of a marker.
type markerName struct {
	name string
	kind MarkerKind
	n    int // 0 without a number
}

// plainMarkers returns the marker names that have no number, in the order in which their backups have to be handled.
func plainMarkers() []markerName {
	return []markerName{
		// The backup of an exit comes first. It was made after the backup of the compaction and contains that backup.
		{name: markerPrefix + "-exit", kind: MarkerExit},
		{name: markerPrefix + "-compact", kind: MarkerCompact},
		{name: markerPrefix, kind: MarkerLegacy},
	}
}

// parseMarkerName parses .pending-backup[-exit|-compact[-N]]. N is at least 2.
func parseMarkerName(name string) (markerName, bool) {
	base, n := cutNumber(name)
	for _, m := range plainMarkers() {
		if m.name == base && (n == 0 || m.kind != MarkerLegacy) {
			return markerName{name, m.kind, n}, true
		}
	}
	return markerName{}, false
}

// If a name ends with "-" and a number that is at least 2, cutNumber splits them off. n is 0 if the name has no number.
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

// markerNames lists the markers of a memory in the order of Found.Markers. If the memory can't be listed, markerNames
// returns the result of plainMarkers, and the error.
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

// markers reads the markers and sets Pending and Marker of the backups, which must have been listed before.
func (f *finder) markers(ctx context.Context, p *place) error {
	names, _ := markerNames(p) // FindDocuments lists the same directory and reports the error
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

// readMarker reads a marker and checks its target. It returns the FileInfo of the target if the target is valid. If the
// marker doesn't exist, its State is "".
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

// isSeveral reports whether the text of a marker is more than one path. The path of the project itself may contain line
// breaks.
func (f *finder) isSeveral(target string) bool {
	return strings.ContainsAny(strings.TrimPrefix(target, f.project), "\r\n")
}

// judge returns the state of a marker, and the info of a valid target.
func (f *finder) judge(p *place, m *Marker) (fs.FileInfo, MarkerState) {
	if m.Target == "" {
		return nil, MarkerEmpty
	}
	name, ok := f.inRaw(p, m.Target)
	if !ok {
		if name, ok = renamed(m.Target); ok {
			m.written, m.Target = m.Target, filepath.Join(p.path, name)
		}
	}
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

// inRaw returns the name of a target relative to p, if the target is in a directory of raw backups. The project may
// have several paths, and the hook may have written another one than the path that was given to Find. So inRaw also
// tries the path without links, and finally compares the directories themselves. The directory of the target may be any
// path, so inRaw accesses it only if a backup with the same file name is known.
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

// goneLimit is the time limit for a look at the old place of a renamed project, which may be on a dead mount.
const goneLimit = 100 * time.Millisecond

// renamed handles the target of a marker in a project that was renamed or moved: the marker contains the old path. If the
// target is in a directory of raw backups and no longer exists, renamed returns its name, relative to the memory.
func renamed(target string) (name string, ok bool) {
	for _, dir := range rawDirs() {
		if !strings.HasSuffix(filepath.Dir(target), filepath.Join(string(filepath.Separator), ".claude", "memory", dir)) {
			continue
		}
		gone, known := sessions.InTime(context.Background(), goneLimit, func(context.Context) bool {
			_, err := os.Lstat(target)
			return isAbsent(err)
		})
		return filepath.Join(dir, filepath.Base(target)), gone && known
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

// IsMarker reports whether a file name is the name of a marker.
func IsMarker(name string) bool {
	_, ok := parseMarkerName(name)
	return ok
}

// markerTarget returns the absolute path in the text of a marker, "" if none.
func markerTarget(project, text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return ""
	case !filepath.IsAbs(text):
		text = filepath.Join(project, text)
	}
	return filepath.Clean(text)
}
