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

// publishMarker publishes a draft of a marker without losing another backup. It uses the name in the spec if that
// name is free, or else the name for the hook. If an older marker has the name for the hook, and the new backup
// contains the backup of the older marker, the new marker replaces the older one. Otherwise the older marker gets a
// name with a number first. The caller must hold the lock.
func (v *saving) publishMarker(draft *disk.Temp) (path string, err error) {
	f := &finder{project: v.m.project, zone: time.UTC, buf: make([]byte, headBytes)}
	p := v.m.place
	spec := markerName{name: markerPrefix, kind: MarkerLegacy}
	typed := v.typedName()
	for _, name := range []markerName{spec, typed, typed} { // typed twice: a writer without the lock may have just taken it
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

// publishMarkerUnlocked publishes a draft of a marker without the lock. It uses the name in the spec if that name is
// free, or else the name for the hook with the first free number. This is safe, because linking never replaces a
// file, and because a writer that has the lock doesn't change a new marker that has one of these names.
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

// typedName returns the name of the markers of this hook: for exits or for compactions.
func (v *saving) typedName() markerName {
	kind := MarkerExit
	if v.r.By == ByCompact {
		kind = MarkerCompact
	}
	return markerName{name: markerPrefix + "-" + string(kind), kind: kind}
}

// typedText returns the text of the marker with that name, or "" if the marker can't be read.
func (v *saving) typedText() string {
	text, _, _ := v.m.read(v.typedName().name, maxTarget)
	return string(text)
}

// isLast reports whether this hook was the last of its kind to write the marker. `continuo backup` writes a marker with
// the same name, but no note, so isLast ignores its markers. The log shows which program wrote a marker.
func (v *saving) isLast() bool {
	text := v.typedText()
	if text == v.typed || text == "" {
		return true
	}
	log, _ := v.m.readEnd(logName, headBytes) // an unreadable log counts as empty
	target := transcript.CleanLine(strings.TrimSuffix(text, "\n"))
	for line := range strings.Lines(string(log)) {
		if strings.HasSuffix(line, " "+target+"\n") {
			return strings.Contains(line, "] "+string(ByPerson)+" (")
		}
	}
	return false
}

// isFree reports whether the name of a marker may be reused: the marker is missing or meaningless. If the marker points
// outside or can't be read, its name isn't free.
func (m *Marker) isFree() bool {
	return m.State == "" || m.State == MarkerStale || m.State == MarkerEmpty
}

// holds reports whether the new backup contains the backup of an older marker. Claude Code only appends to a
// transcript, so holds returns true if both backups are from the same session and the new one isn't shorter.
func (v *saving) holds(f *finder, p *place, old Marker, info fs.FileInfo) bool {
	if old.State != MarkerValid || info.Size() > v.saved.Bytes || v.r.SessionID == "" {
		return false
	}
	name, ok := f.inRaw(p, old.Target)
	if !ok {
		return false
	}
	g := p.look(name, f.buf)
	return g.err == nil && sessionID(g.head) == v.r.SessionID
}
