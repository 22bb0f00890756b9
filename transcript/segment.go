package transcript

import (
	"bytes"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Part is a part of a line: one record, or bytes that aren't a record.
type Part struct {
	Start, End int // indexes in Line.Data; a squeezed line has one part
	Verdict    Verdict
}

// maxResync is the maximum number of places where resync looks for a record in a broken part. Usually the next record
// begins at one of the first few places.
const maxResync = 64

// Parts calls on for every part of a line in order, with the envelope if the part is a record. Most lines are one
// record. Two records without a newline between them are two parts. After a broken part (a record cut by a crash, NULs
// from a full disk), Parts finds the next record. A blank line has no parts.
//
// Parts reads the line from left to right. How a record is read doesn't depend on the bytes after it. So a file has the
// same parts if it is read in two halves.
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

// wholeRecords returns the length of the complete records at the start of a line, including blanks around them. The
// last of these records may be complete even if no newline follows.
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

// recordEnd returns the index after the JSON object that starts at i, or invalid.
func recordEnd(b []byte, i int) int {
	if b[i] != '{' {
		return jsonlex.Invalid
	}
	return jsonlex.SkipValue(b, i, 0)
}

// resync returns the index of the next record in a broken part that starts at i, or the end of the line. A candidate
// must begin like a record and end at the end of the line or before another record. So objects inside a torn record
// aren't candidates.
func resync(b []byte, i int) int {
	work := 4 * (len(b) - i) // limits the work, which would be quadratic for nested candidates
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

// recordStart reports whether an object begins with a key with which records of the client begin (97 versions).
func recordStart(b []byte) bool {
	for _, key := range [...]string{"parentUuid", "type", "uuid", "sessionId", "logicalParentUuid", "isSidechain", "message", "timestamp", "leafUuid"} {
		if len(b) > len(key)+2 && b[len(key)+2] == '"' && string(b[2:2+len(key)]) == key {
			return true
		}
	}
	return false
}
