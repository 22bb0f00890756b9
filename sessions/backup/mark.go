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

// publishMarker gives a new marker its final name: the name of the spec if free, otherwise the name for this hook. An
// older marker with that name is replaced if the new backup contains its backup. Otherwise the older marker first
// gets a number. The caller must hold the lock.
func (v *saving) publishMarker(draft *disk.Temp) (path string, err error) {
	f := &finder{project: v.m.project, zone: time.UTC, buf: make([]byte, headBytes)}
	p := v.m.openDir
	spec := markerName{name: markerPrefix, kind: MarkerLegacy}
	typed := v.typedName()
	for _, name := range []markerName{spec, typed, typed} { // typed comes twice, because a writer without the lock may take the name
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

// publishMarkerUnlocked is publishMarker without the lock. The new marker gets the name of the spec if free,
// otherwise this hook's name with the first free number. It never replaces a file, and writers with the lock don't
// change it.
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

// typedText returns the text of this hook's marker, or "" if the marker can't be read.
func (v *saving) typedText() string {
	text, _, _ := v.m.read(v.typedName().name, maxTarget)
	return string(text)
}

// isLast reports whether no later hook of the same kind has written the marker. Markers of `continuo backup` don't
// count: this command writes no note. The log shows which markers it wrote.
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

// isFree reports whether a new marker may take the name of m: m is missing, stale or empty.
func (m *Marker) isFree() bool {
	return m.State == "" || m.State == MarkerStale || m.State == MarkerEmpty
}

// holds reports whether the new backup contains the backup of an older marker. This is so if both are from the same
// session and the new one isn't shorter, because Claude Code only appends.
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
