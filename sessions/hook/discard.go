package hook

import (
	"context"
	"fmt"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// The lines that discard-backup.sh prints (spec 000). The lines from msgOutside on are new: the original script
// deletes any path in a marker.
const (
	msgDiscarded = "Session backup discarded (%s): %s"
	msgGone      = "Backup file not found (%s, already cleaned up): %s"
	msgEmpty     = "Cleaned up empty %s marker."
	msgNone      = "No pending backup to discard."
	msgOutside   = "Marker not removed (%s), because it does not name a raw backup of this project: %s"
	msgFailed    = "Session backup not discarded (%s): %s: %s"
	msgStuck     = "Marker not removed (%s): %s: %s"
	msgUnread    = "Marker not removed (%s), because it could not be read: %s"
)

// Discard implements discard-backup.sh: it moves the pending backups to the trash and removes their markers. It
// returns the clean lines to print.
func Discard(ctx context.Context, in In) (lines []string) {
	dir := directoryOf(in, payload{})
	project, ok := ProjectOf(dir, in.Home)
	if !ok {
		return []string{msgNone}
	}
	m, err := backup.OpenMemory(project)
	if err != nil {
		return []string{"No backup discarded: " + errorText(err)}
	}
	defer m.Close()
	markers, err := m.Pending(ctx)
	switch {
	case len(markers) > 0: // err is about other files
	case err != nil:
		return []string{"No backup discarded: " + errorText(err)}
	default:
		return []string{msgNone}
	}
	d := discarding{in: in, markers: markers, lines: make([]string, len(markers))}
	d.clean(ctx, m)
	d.move(ctx, m)
	return d.lines
}

// discarding is the state of one call of Discard. The line for markers[i] is lines[i].
type discarding struct {
	in      In
	markers []backup.Marker
	lines   []string
}

func (d *discarding) report(i int, format string, more ...any) {
	d.lines[i] = oneLine(fmt.Sprintf(format, more...))
}

// clean removes stale and empty markers. Other invalid markers get a line with the reason.
func (d *discarding) clean(ctx context.Context, m *backup.Memory) {
	var gone []backup.Marker
	var err error
	if slices.ContainsFunc(d.markers, isSpent) {
		gone, err = m.CleanMarkers(ctx)
	}
	for i, marker := range d.markers {
		removed := err == nil || slices.ContainsFunc(gone, func(g backup.Marker) bool { return g.Path == marker.Path })
		switch {
		case isSpent(marker) && !removed:
			d.report(i, msgStuck, marker.Kind, marker.Path, errorText(err))
		case marker.State == backup.MarkerEmpty:
			d.report(i, msgEmpty, marker.Kind)
		case marker.State == backup.MarkerStale:
			d.report(i, msgGone, marker.Kind, marker.Target)
		case marker.State == backup.MarkerOutside:
			d.report(i, msgOutside, marker.Kind, marker.Target)
		case marker.State == backup.MarkerUnreadable:
			d.report(i, msgUnread, marker.Kind, marker.Path)
		}
	}
}

// move moves the backups of all valid markers to one trash entry.
func (d *discarding) move(ctx context.Context, m *backup.Memory) {
	var paths []string
	for i, marker := range d.markers {
		if marker.State != backup.MarkerValid {
			continue
		}
		if slices.ContainsFunc(paths, func(path string) bool { return sessions.SameFile(path, marker.Target) }) {
			d.report(i, msgGone, marker.Kind, marker.Target) // an earlier marker names the same backup
			continue
		}
		paths = append(paths, marker.Target)
		d.report(i, msgDiscarded, marker.Kind, marker.Target)
	}
	if len(paths) == 0 {
		return
	}
	plan, err := m.PlanDiscard(ctx, paths)
	if err == nil {
		err = d.in.Discard(ctx, m, &plan)
	}
	if err == nil {
		return
	}
	for i, marker := range d.markers {
		if marker.State == backup.MarkerValid {
			d.report(i, msgFailed, marker.Kind, marker.Target, errorText(err))
		}
	}
}
