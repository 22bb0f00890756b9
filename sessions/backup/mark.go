package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// mark gives a drafted marker its name, and never makes another backup forgotten: it takes the name of the spec if that
// is free, else that of the hook. Who has that one gets a number, unless the new backup holds what his does. The caller
// holds the lock.
func (v *saving) mark(draft *disk.Temp) (path string, err error) {
	f := &finder{project: v.m.project, zone: time.UTC, buf: make([]byte, headBytes)}
	p := v.m.place()
	spec := markerName{name: markerPrefix, kind: MarkerLegacy}
	typed := v.typedName()
	for _, name := range []markerName{spec, typed, typed} { // again where one without the lock just took it
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

// markAlone is mark without the lock: it takes the first name that nothing has, that of the spec or one with a number,
// for linking never writes over another one. Those that want the lock leave a name alone that is there.
func (v *saving) markAlone(draft *disk.Temp) (path string, err error) {
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

// typedName returns the name of the marker of the hook's kind.
func (v *saving) typedName() markerName {
	kind := MarkerExit
	if v.r.By == ByCompact {
		kind = MarkerCompact
	}
	return markerName{name: markerPrefix + "-" + string(kind), kind: kind}
}

// typedText returns the text of the marker of the hook's kind, "" if it can't be read.
func (v *saving) typedText() string {
	text, _, _ := v.m.read(v.typedName().name, maxTarget)
	return string(text)
}

// isLast reports whether no other hook of the kind has written the marker of the kind since this one wrote its own. A
// backup by command writes that marker too, but no note: the log tells the two apart.
func (v *saving) isLast() bool {
	text := v.typedText()
	if text == v.typed || text == "" {
		return true
	}
	log, _ := v.m.readEnd(logName, headBytes) // an unreadable log tells nothing apart
	target := transcript.CleanLine(strings.TrimSuffix(text, "\n"))
	for line := range strings.Lines(string(log)) {
		if strings.HasSuffix(line, " "+target+"\n") {
			return strings.Contains(line, "] "+string(ByPerson)+" (")
		}
	}
	return false
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

// number gives a marker a second name, whatever it is: the first number that is free. The first name is there until the
// next marker takes it, so nobody else can.
func (m *Memory) number(name string) error {
	for n := 2; ; n++ {
		numbered := name + "-" + strconv.Itoa(n)
		err := m.root.Link(name, numbered)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil { // not every file system can link, nor every kind of file be linked
			if _, there := m.root.Lstat(numbered); there == nil {
				continue
			}
			err = m.root.Rename(name, numbered)
		}
		if err != nil {
			return fmt.Errorf("move %s to %s: %w", m.at(name), filepath.Base(numbered), cause(err))
		}
		return nil
	}
}
