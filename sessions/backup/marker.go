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

// The kinds of markers. The spec has one file for both hooks. In continuo, each hook has its own file, so that no
// hook overwrites another's marker.
const (
	MarkerExit    MarkerKind = "exit"    // .pending-backup-exit, written by SessionEnd; older markers have a number
	MarkerCompact MarkerKind = "compact" // .pending-backup-compact, written by PreCompact; older markers have a number
	MarkerLegacy  MarkerKind = "legacy"  // .pending-backup, written by either hook
)

// MarkerState is the state of a marker.
type MarkerState string

// The states of a marker.
const (
	MarkerValid MarkerState = "valid" // the marker names a backup in raw
	MarkerStale MarkerState = "stale" // the marker names a missing file in raw
	MarkerEmpty MarkerState = "empty" // the marker contains no path
	// MarkerOutside means that the target isn't in raw or isn't a backup. continuo never changes such a marker.
	MarkerOutside MarkerState = "outside"
	// MarkerUnreadable means that the marker has several lines, or that the marker or its target is unreadable. The
	// reason is in Found.Problems.
	MarkerUnreadable MarkerState = "unreadable"
)

// Marker is a file that marks a backup as pending (spec 000).
type Marker struct {
	Path string
	Kind MarkerKind
	N    int // number in the name, as in .pending-backup-exit-2; at least 2, or 0 without a number
	// Target is the absolute path in the marker; "" without one. If the project was renamed, Target is the path in
	// the renamed project.
	Target  string
	State   MarkerState
	written string // the path in the marker if it isn't Target, otherwise ""
}

// maxTarget is the limit of a marker in bytes. Paths on Linux have at most 4096.
const maxTarget = 8 << 10

// markerPrefix is the beginning of every marker name, and the whole name in the spec.
const markerPrefix = ".pending-backup"

// markerName is the parsed file name of a marker.
type markerName struct {
	name string
	kind MarkerKind
	n    int // 0 without a number
}

// plainMarkers returns the marker names without numbers, in the order in which backups must be handled.
func plainMarkers() []markerName {
	return []markerName{
		// exit comes first, because its backup contains that of a compaction.
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

// cutNumber splits the number from a name such as "exit-2". Without a number, n is 0.
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

// markerNames lists the markers in the order of Found.Markers. If the directory can't be listed, it returns
// plainMarkers and the error.
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

// markers reads the markers, and sets Pending and Marker of the backups. The backups must be listed already.
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

// readMarker reads a marker and checks its target. It also returns the info of a valid target. Without a marker,
// State is "".
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

// isSeveral reports whether a marker has several lines. The project's path may also contain line breaks.
func (f *finder) isSeveral(target string) bool {
	return strings.ContainsAny(strings.TrimPrefix(target, f.project), "\r\n")
}

// checkTarget returns the state of a marker and the info of a valid target.
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

// inRaw returns the path of a target relative to p, if the target is in a raw directory. The hook may have used
// another path of the project, so inRaw compares real paths and then inodes. A marker may contain any path. So inRaw
// accesses the directory only if p has a backup with this file name.
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

// goneLimit is the time limit for a stat of a renamed project's old path, which may be on a dead mount.
const goneLimit = 100 * time.Millisecond

// renamed handles a marker with the old path of a renamed project. It returns the target relative to the memory
// directory, if the target is in a raw directory and no longer exists.
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

// markerTarget returns the absolute path in a marker, or "".
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
