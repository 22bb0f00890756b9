package backup

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MarkerKind is the hook that a marker comes from.
type MarkerKind string

// The kinds of markers. The spec has one file for both hooks; there are two since one overwrote the other's.
const (
	MarkerExit    MarkerKind = "exit"    // .pending-backup-exit, of SessionEnd
	MarkerCompact MarkerKind = "compact" // .pending-backup-compact, of PreCompact
	MarkerLegacy  MarkerKind = "legacy"  // .pending-backup
)

// MarkerState says whether a marker still means something.
type MarkerState string

// The states of a marker.
const (
	MarkerValid MarkerState = "valid" // its target is a file below a directory of raw backups
	MarkerStale MarkerState = "stale" // its target would be one, and is gone
	MarkerEmpty MarkerState = "empty" // it names nothing
	// MarkerOutside names a path that is not below <memory>/raw. Nothing there is ever to be touched for it.
	MarkerOutside MarkerState = "outside"
	// MarkerUnreadable could not be read, or its target not be looked at: a Problem says why. That is no reason to
	// take it for stale.
	MarkerUnreadable MarkerState = "unreadable"
)

// Marker is a file that calls a backup pending: nobody dealt with it yet (spec 000).
type Marker struct {
	Path   string
	Kind   MarkerKind
	Target string // the path it names, trimmed and absolute: a relative one counts from the project; "" none
	State  MarkerState
}

// maxTarget bounds a path; Linux takes 4096 bytes.
const maxTarget = 8 << 10

// markerName is the file name of a kind of marker.
type markerName struct {
	name string
	kind MarkerKind
}

// markerNames are the markers in the order in which their backups are to be dealt with.
func markerNames() []markerName {
	return []markerName{
		// The backup of an exit comes first: it is the later one and holds what the compaction's has.
		{".pending-backup-exit", MarkerExit},
		{".pending-backup-compact", MarkerCompact},
		{".pending-backup", MarkerLegacy},
	}
}

// markers reads the markers; the backups are known by now.
func (f *finder) markers(ctx context.Context, p *place) error {
	for _, m := range markerNames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		marker, target := f.readMarker(p, m.name, m.kind)
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
func (f *finder) readMarker(p *place, name string, kind MarkerKind) (Marker, fs.FileInfo) {
	g := p.look(name, f.buf)
	if g.info == nil && g.err == nil {
		return Marker{}, nil
	}
	m := Marker{Path: filepath.Join(p.path, name), Kind: kind, State: MarkerUnreadable}
	if g.err == nil && len(g.head) > maxTarget {
		g.err = fmt.Errorf("read %s: %d bytes are no path", m.Path, g.info.Size())
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
	return m, target
}

// judge looks at the target of a marker. The file is that of a valid one.
func (f *finder) judge(p *place, m *Marker) (fs.FileInfo, MarkerState) {
	if m.Target == "" {
		return nil, MarkerEmpty
	}
	name, ok := f.inRaw(p, m.Target)
	if !ok {
		return nil, MarkerOutside
	}
	info, err := p.root.Stat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		return info, MarkerValid
	case err == nil, isAbsent(err):
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
