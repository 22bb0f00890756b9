package demo

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path"
	"time"
)

// Versions of the client whose records are written here. The order of the fields changed between them.
const (
	versionNow     = "2.1.329"
	versionSpring  = "2.1.218"
	versionTodo    = "2.1.19" // the last ones with TodoWrite; summary records
	versionSidecar = "1.0.98" // sub-agents inside the file of their session
)

// talk is one transcript while it is written. Lines are rendered at once, so its size is always exact;
// only the times are filled in by finish, because the last record's is given and the first one's follows.
type talk struct {
	rng    *rand.Rand
	buf    []byte
	stamps []patch
	lines  int
	broken int           // lines that are no JSON object
	at     time.Duration // since the start, whole milliseconds

	id      string
	cwd     string
	branch  string
	version string
	sdk     bool
	agent   string // agent id, in a sub-agent's transcript
	side    bool
	slug    string // written on every record after a compaction

	wireShape string // hash of the first request to the API

	parent     string // uuid of the record that the next one follows
	promptID   string
	lastPrompt string
	prompts    int // of the person
	context    int // tokens, estimated
	title      string
	custom     string
	summary    string
	first      string // first prompt

	files  map[string]string // what is in the made-up files by now
	todos  []object
	tasks  int // of TaskCreate
	agents []*talk
	meta   string // side file of a sub-agent
	shapes []Shape
	pool   *pool
}

// patch is a place in buf that gets a time.
type patch struct {
	pos int
	at  time.Duration
}

// old reports whether the records have the field order of the clients before 2.1.100.
func (t *talk) old() bool { return t.version == versionTodo || t.version == versionSidecar }

func (t *talk) mark(s Shape) {
	for _, have := range t.shapes {
		if have == s {
			return
		}
	}
	t.shapes = append(t.shapes, s)
}

// wait lets time pass: at least least, and up to as much again.
func (t *talk) wait(least time.Duration) {
	t.at += (least + time.Duration(t.rng.Int64N(int64(least)))).Truncate(time.Millisecond)
}

// line writes one record.
func (t *talk) line(parts ...object) {
	t.appendObject(parts...)
	t.buf = append(t.buf, '\n')
	t.lines++
}

// finish fills in the times so that the last one is end, and returns the time of the start.
func (t *talk) finish(end time.Time) time.Time {
	base := end.Add(-t.at)
	t.fillTimes(base)
	for _, a := range t.agents {
		a.fillTimes(base)
	}
	return base
}

func (t *talk) fillTimes(base time.Time) {
	var b [len(stampLayout)]byte
	for _, p := range t.stamps {
		copy(t.buf[p.pos:], base.Add(p.at).UTC().AppendFormat(b[:0], stampLayout))
	}
}

// path returns where a file of the project is said to be.
func (t *talk) path(name string) string { return path.Join(t.cwd, name) }

// pick returns one of the texts.
func (t *talk) pick(texts ...string) string { return texts[t.rng.IntN(len(texts))] }

// between returns a number from low to high, both included.
func (t *talk) between(low, high int) int { return low + t.rng.IntN(high-low+1) }

// uuid returns a version 4 UUID.
func (t *talk) uuid() string { return newUUID(t.rng) }

func newUUID(rng *rand.Rand) string {
	a, b := rng.Uint64(), rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x",
		a>>32, a>>16&0xffff, a&0xfff, b>>48&0x3fff|0x8000, b&0xffffffffffff)
}

// apiID returns an id as the API makes them: msg_01…, req_01…, toolu_01…
func (t *talk) apiID(prefix string) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789"
	b := make([]byte, 0, 32)
	b = append(b, prefix...)
	b = append(b, "_01"...)
	for range 22 {
		b = append(b, letters[t.rng.IntN(len(letters))])
	}
	return string(b)
}

// hex returns n random hexadecimal digits.
func (t *talk) hex(n int) string {
	b := make([]byte, (n+1)/2)
	for i := range b {
		b[i] = byte(t.rng.Uint32())
	}
	return hex.EncodeToString(b)[:n]
}
