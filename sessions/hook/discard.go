package hook

import (
	"context"
	"fmt"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// The lines that discard-backup.sh prints (spec 000). Those from sayOutside on are continuo's: the script deleted any
// path in a marker, and reported it before it was done.
const (
	sayDiscarded = "Session backup discarded (%s): %s"
	sayGone      = "Backup file not found (%s, already cleaned up): %s"
	sayEmpty     = "Cleaned up empty %s marker."
	sayNone      = "No pending backup to discard."
	sayOutside   = "Marker left alone (%s), it names no raw backup of this project: %s"
	sayFailed    = "Session backup not discarded (%s): %s: %s"
	sayStuck     = "Marker not removed (%s): %s: %s"
	sayUnread    = "Marker left alone (%s), it could not be read: %s"
)

// Discard is discard-backup.sh: it moves the backups that markers name to the trash of the memory, and removes the
// markers. It returns the lines that the script prints, clean.
func Discard(ctx context.Context, in In) (lines []string) {
	dir := directoryOf(in, payload{})
	project, ok := ProjectOf(dir, in.Home)
	if !ok {
		return []string{sayNone}
	}
	m, err := backup.OpenMemory(project)
	if err != nil {
		return []string{"No backup discarded: " + errorText(err)}
	}
	defer m.Close()
	markers, err := m.Pending(ctx)
	switch {
	case len(markers) > 0: // includes other unreadable files
	case err != nil:
		return []string{"No backup discarded: " + errorText(err)}
	default:
		return []string{sayNone}
	}
	d := discarding{in: in, markers: markers, said: make([]string, len(markers))}
	d.clean(ctx, m)
	d.move(ctx, m)
	return d.said
}

// discarding is one run of Discard: it collects the lines for each marker by index.
type discarding struct {
	in      In
	markers []backup.Marker
	said    []string
}

func (d *discarding) say(i int, format string, more ...any) {
	d.said[i] = oneLine(fmt.Sprintf(format, more...))
}

// clean removes the meaningless markers, and reports why others are left alone.
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
			d.say(i, sayStuck, marker.Kind, marker.Path, errorText(err))
		case marker.State == backup.MarkerEmpty:
			d.say(i, sayEmpty, marker.Kind)
		case marker.State == backup.MarkerStale:
			d.say(i, sayGone, marker.Kind, marker.Target)
		case marker.State == backup.MarkerOutside:
			d.say(i, sayOutside, marker.Kind, marker.Target)
		case marker.State == backup.MarkerUnreadable:
			d.say(i, sayUnread, marker.Kind, marker.Path)
		}
	}
}

// move discards the backups of the valid markers, all in one trash entry.
func (d *discarding) move(ctx context.Context, m *backup.Memory) {
	var paths []string
	for i, marker := range d.markers {
		if marker.State != backup.MarkerValid {
			continue
		}
		if slices.ContainsFunc(paths, func(path string) bool { return sessions.SameFile(path, marker.Target) }) {
			d.say(i, sayGone, marker.Kind, marker.Target) // as when the script comes to the second of two
			continue
		}
		paths = append(paths, marker.Target)
		d.say(i, sayDiscarded, marker.Kind, marker.Target)
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
			d.say(i, sayFailed, marker.Kind, marker.Target, errorText(err))
		}
	}
}
