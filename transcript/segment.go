package transcript

import (
	"bytes"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Part is a part of a line: a record, or other bytes.
type Part struct {
	Start, End int // indexes in Line.Data; a squeezed line has one part
	Verdict    Verdict
}

// maxResync is the maximum number of positions at which resync looks for a record.
const maxResync = 64

// Parts calls on for every part of a line, with an envelope for a record. Most lines are one record. Two records may
// have no newline between them. After a broken part, such as a cut record, Parts finds the next record. A blank line
// has no parts.
//
// The bytes after a record don't matter. So a file has the same parts if it is read in two halves.
func Parts(l Line, e *Envelope, on func(Part, *Envelope)) {
	b := l.Data
	if l.Squeezed && b != nil && len(b) == 0 {
		return // a blank line
	}
	if l.Squeezed {
		on(Part{0, len(b), Scan(b, e)}, e)
		return
	}
	for i := jsonlex.SkipSpace(b, 0); i < len(b); i = jsonlex.SkipSpace(b, i) {
		p := Part{Start: i, End: len(b)}
		if p.Verdict = Scan(b[i:], e); p.Verdict != Invalid {
			p.End = len(b) - trailingSpace(b)
			on(p, e)
			return
		}
		if end := recordEnd(b, i); end != jsonlex.Invalid {
			p.End = end
		} else {
			p.End = resync(b, i)
			on(p, e)
			i = p.End
			continue
		}
		p.Verdict = Scan(b[i:p.End], e)
		on(p, e)
		i = p.End
	}
}

// wholeRecords returns the length of the complete records at the start of a line.
func wholeRecords(b []byte) int {
	i := jsonlex.SkipSpace(b, 0)
	for i < len(b) {
		end := recordEnd(b, i)
		if end == jsonlex.Invalid {
			return i
		}
		i = jsonlex.SkipSpace(b, end)
	}
	return i
}

func trailingSpace(b []byte) int {
	n := 0
	for n < len(b) && jsonlex.IsSpace(b[len(b)-1-n]) {
		n++
	}
	return n
}

// recordEnd returns the index after the JSON object at i.
func recordEnd(b []byte, i int) int {
	if b[i] != '{' {
		return jsonlex.Invalid
	}
	return jsonlex.SkipValue(b, i, 0)
}

// resync returns the index of the next record after a broken part at i; the end of the line if there is none. The
// record must start like a record of the client. It must end before another record or at the end of the line.
func resync(b []byte, i int) int {
	work := 4 * (len(b) - i) // avoids quadratic time for nested candidates
	for at, n := i+1, 0; n < maxResync && work > 0; n++ {
		k := bytes.Index(b[min(at, len(b)):], []byte(`{"`))
		if k < 0 {
			break
		}
		at += k
		if recordStart(b[at:]) {
			end := recordEnd(b, at)
			if end == jsonlex.Invalid {
				work -= len(b) - at
			} else {
				work -= end - at
				if next := jsonlex.SkipSpace(b, end); next == len(b) || b[next] == '{' {
					return at
				}
			}
		}
		at++
	}
	return len(b)
}

// recordStart reports whether the first key of an object is one of the client (97 versions).
func recordStart(b []byte) bool {
	for _, key := range [...]string{"parentUuid", "type", "uuid", "sessionId", "logicalParentUuid", "isSidechain", "message", "timestamp", "leafUuid"} {
		if len(b) > len(key)+2 && b[len(key)+2] == '"' && string(b[2:2+len(key)]) == key {
			return true
		}
	}
	return false
}
