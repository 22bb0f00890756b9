package backup

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// publishMarker gives a new marker its final name, so that all unhandled backups stay pending. It uses the name of the
// spec if that is free, and otherwise the name for this hook. If an older marker has that name, and the new backup
// contains the backup of the older marker, the new marker replaces it. Otherwise the older marker first gets a name
// with a number. The caller must hold the lock.
func (v *saving) publishMarker(draft *disk.Temp) (path string, err error) {
	f := &finder{project: v.m.project, zone: time.UTC, buf: make([]byte, headBytes)}
	p := v.m.openDir
	spec := markerName{name: markerPrefix, kind: MarkerLegacy}
	typed := v.typedName()
	for _, name := range []markerName{spec, typed, typed} { // typed is tried again, because a writer without the lock may take it meanwhile
		old, info := f.resolve(p, name)
		switch {
		case old.State == "":
			if err = v.m.publish(draft, name.name); errors.Is(err, fs.ErrExist) {
				continue
			}
		case old.isFree(), name == typed && v.holds(f, p, old, info):
			err = v.m.adopt(draft, name.name)
		case name == typed:
			if err = v.m.number(name.name); err == nil {
				err = v.m.adopt(draft, name.name)
			}
		default:
			continue
		}
		if err == nil {
			return v.m.at(name.name), nil
		}
		break
	}
	draft.Drop()
	return "", err
}

// publishMarkerUnlocked works like publishMarker, but without the lock. It uses the name of the spec if that is free,
// and otherwise the name for this hook with the first free number. A link never replaces a file. A writer that has the
// lock doesn't change a new marker with one of these names.
func (v *saving) publishMarkerUnlocked(draft *disk.Temp) (path string, err error) {
	typed := v.typedName().name
	name := markerPrefix
	for n := 2; ; n++ {
		if err = v.m.link(draft, name); err == nil {
			return v.m.at(name), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			draft.Drop()
			return "", err
		}
		name = typed + "-" + strconv.Itoa(n)
	}
}

// typedName returns the name of the markers of this hook: .pending-backup-exit or .pending-backup-compact.
func (v *saving) typedName() markerName {
	kind := MarkerExit
	if v.r.By == ByCompact {
		kind = MarkerCompact
	}
	return markerName{name: markerPrefix + "-" + string(kind), kind: kind}
}

// typedText returns the text of the marker with the name of typedName, or "" if the marker can't be read.
func (v *saving) typedText() string {
	text, _, _ := v.m.read(v.typedName().name, maxTarget)
	return string(text)
}

// isLast reports whether no later hook of the same kind has written the marker. `continuo backup` writes a marker with
// the same name, but no note. The log shows that a marker is from this command, and isLast ignores it.
func (v *saving) isLast() bool {
	text := v.typedText()
	if text == v.typed || text == "" {
		return true
	}
	log, _ := v.m.readEnd(logName, headBytes) // a log that can't be read counts as empty
	target := transcript.CleanLine(strings.TrimSuffix(text, "\n"))
	for line := range strings.Lines(string(log)) {
		if strings.HasSuffix(line, " "+target+"\n") {
			return strings.Contains(line, "] "+string(ByPerson)+" (")
		}
	}
	return false
}

// isFree reports whether the name of a marker may be used for a new one: the marker doesn't exist, is stale or is
// empty.
func (m *Marker) isFree() bool {
	return m.State == "" || m.State == MarkerStale || m.State == MarkerEmpty
}

// holds reports whether the new backup contains the backup of an older marker. Claude Code only appends to a
// transcript, so this is true if both are from the same session and the new one isn't shorter.
func (v *saving) holds(f *finder, p *openDir, old Marker, info fs.FileInfo) bool {
	if old.State != MarkerValid || info.Size() > v.saved.Bytes || v.r.SessionID == "" {
		return false
	}
	name, ok := f.inRaw(p, old.Target)
	if !ok {
		return false
	}
	g := p.peek(name, f.buf)
	return g.err == nil && sessionID(g.head) == v.r.SessionID
}
