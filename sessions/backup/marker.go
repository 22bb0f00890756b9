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

// MarkerKind is the kind of hook that wrote a marker.
type MarkerKind string

// The kinds of markers. In the spec, both hooks write the same file. With continuo, each hook has a file of its own, so
// that neither overwrites the marker of the other.
const (
	MarkerExit    MarkerKind = "exit"    // .pending-backup-exit, written by SessionEnd; older markers have a number
	MarkerCompact MarkerKind = "compact" // .pending-backup-compact, written by PreCompact; older markers have a number
	MarkerLegacy  MarkerKind = "legacy"  // .pending-backup, written by either hook
)

// MarkerState is the state of a marker.
type MarkerState string

// The states of a marker.
const (
	MarkerValid MarkerState = "valid" // the target is a backup in raw
	MarkerStale MarkerState = "stale" // the target is a path in raw, but doesn't exist
	MarkerEmpty MarkerState = "empty" // the marker contains no path
	// MarkerOutside means that the target isn't in raw or isn't a backup. continuo never changes such a marker.
	MarkerOutside MarkerState = "outside"
	// MarkerUnreadable means that the marker or its target couldn't be read, or that the marker has several lines. The
	// reason is in Found.Problems.
	MarkerUnreadable MarkerState = "unreadable"
)

// Marker is a file that marks a backup as pending (spec 000).
type Marker struct {
	Path string
	Kind MarkerKind
	N    int // number in the name, as in .pending-backup-exit-2; at least 2, or 0 if none
	// Target is the path in the marker, made absolute; "" if the marker has none. If the project was renamed after the
	// marker was written, Target is the path of the backup in the renamed project.
	Target  string
	State   MarkerState
	written string // the path in the marker, if it differs from Target; otherwise ""
}

// maxTarget is the maximum size of a marker in bytes. On Linux, a path has at most 4096 bytes.
const maxTarget = 8 << 10

// markerPrefix is the beginning of every marker name. Without a suffix, it is the name of the marker in the spec.
const markerPrefix = ".pending-backup"

// markerName is the parsed file name of a marker.
type markerName struct {
	name string
	kind MarkerKind
	n    int // 0 without a number
}

// plainMarkers returns the marker names that have no number, in the order in which their backups must be handled.
func plainMarkers() []markerName {
	return []markerName{
		// An exit comes first: its backup is newer than that of a compaction and contains it.
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

// cutNumber splits the number from a name such as "exit-2". n is at least 2, or 0 if the name has no number.
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

// markerNames lists the markers of a memory directory in the order of Found.Markers. If the directory can't be listed,
// it returns the names of plainMarkers and the error.
func markerNames(p *openDir) ([]markerName, error) {
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

// markers reads the markers and sets Pending and Marker of the backups. The backups must already be listed.
func (f *finder) markers(ctx context.Context, p *openDir) error {
	names, _ := markerNames(p) // FindDocuments reports the same error
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

// readMarker reads a marker and checks its target. If the target is valid, it returns the info of the target. If the
// marker doesn't exist, its State is "".
func (f *finder) readMarker(p *openDir, name markerName) (Marker, fs.FileInfo) {
	g := p.peek(name.name, f.buf)
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
	target, m.State = f.checkTarget(p, &m)
	if (m.State == MarkerStale || m.State == MarkerOutside) && f.isSeveral(m.Target) {
		f.problem(fmt.Errorf("read %s: %w", m.Path, errSeveral))
		m.Target, m.State = "", MarkerUnreadable
	}
	return m, target
}

var errSeveral = errors.New("more than one line")

// isSeveral reports whether a marker contains several lines. The path of the project itself may contain line breaks.
func (f *finder) isSeveral(target string) bool {
	return strings.ContainsAny(strings.TrimPrefix(target, f.project), "\r\n")
}

// checkTarget returns the state of a marker, and the file info of a valid target.
func (f *finder) checkTarget(p *openDir, m *Marker) (fs.FileInfo, MarkerState) {
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

// inRaw returns the path of a target relative to p, if the target is in a raw directory. A project can have several
// paths, and the hook may have written another one than Find got. So inRaw also compares the target with the real path,
// and finally compares the directories by inode. The directory in a marker can be any path, so inRaw accesses it only
// if p has a backup with the same file name.
func (f *finder) inRaw(p *openDir, target string) (name string, ok bool) {
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

// goneLimit is the time limit for a stat of the old path of a renamed project, which may be on a dead mount.
const goneLimit = 100 * time.Millisecond

// renamed handles a marker that contains the old path of a renamed or moved project. If the target is in a raw
// directory and no longer exists, renamed returns its path relative to the memory directory.
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

// sameDir reports whether path is the directory dir in p.
func sameDir(p *openDir, dir, path string) bool {
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

// markerTarget returns the path in the text of a marker, made absolute, or "" if there is none.
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
