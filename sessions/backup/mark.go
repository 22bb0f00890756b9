package backup

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"
)

// mark gives a drafted marker its name, and never makes another backup forgotten: it takes the name of the spec if that
// is free, else that of the hook. Who has that one gets a number, unless the new backup holds what his does. The caller
// holds the lock.
func (v *saving) mark(draft string) (path string, err error) {
	f := &finder{project: v.m.project, zone: time.UTC, buf: make([]byte, headBytes)}
	p := v.m.place()
	spec := markerName{name: markerPrefix, kind: MarkerLegacy}
	typed := markerName{name: markerPrefix + "-exit", kind: MarkerExit}
	if v.r.By == ByCompact {
		typed = markerName{name: markerPrefix + "-compact", kind: MarkerCompact}
	}
	name := spec.name
	if old, _ := f.resolve(p, spec); !old.isFree() {
		name = typed.name
		old, info := f.resolve(p, typed)
		if !old.isFree() && !v.holds(f, p, old, info) {
			err = v.m.number(name)
		}
	}
	if err != nil {
		v.m.drop(draft)
		return "", err
	}
	if err := v.m.adopt(draft, name); err != nil {
		return "", err
	}
	return v.m.at(name), nil
}

// isFree reports whether the name of a marker can be taken: there is none, or it means nothing. One that is outside
// or cannot be read may mean something to somebody.
func (m *Marker) isFree() bool {
	return m.State == "" || m.State == MarkerStale || m.State == MarkerEmpty
}

// holds reports whether the new backup holds what that of an older marker does: it is of the same session and no
// shorter, and a client only ever appends to a transcript.
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

// number moves a marker out of the way, whatever it is: to the first number that is free.
func (m *Memory) number(name string) error {
	for n := 2; ; n++ {
		numbered := name + "-" + strconv.Itoa(n)
		_, err := m.root.Lstat(numbered)
		if err == nil {
			continue
		}
		if isAbsent(err) {
			err = m.root.Rename(name, numbered)
		}
		if err != nil {
			return fmt.Errorf("move %s to %s: %w", m.at(name), filepath.Base(numbered), cause(err))
		}
		return nil
	}
}
