// Package trajectory reads what agents logged of their work, and appends to it (spec 002): JSON objects in files of a
// day below grimoires/loa/a2a/trajectory, one a line, though some are written over several. Real files have `ts` or
// `timestamp`, phases that are words or numbers, and are packed (.jsonl.gz) when they are old.
//
// Reading streams: nothing is held but the record at hand. The package reads no clock.
package trajectory

import (
	"encoding/json"
	"time"
)

// maxRecord is the limit in bytes of one record; longer ones count as bad.
const maxRecord = 1 << 20

// File is one file of a trajectory.
type File struct {
	Path  string
	Agent string // from its name; "" without one
	Day   string // 2026-02-06, from its name (2026-02-06 or 20260206); "" without one
	Size  int64  // bytes on disk
	Mod   time.Time
	Zip   bool // .jsonl.gz
}

// Record is one entry of a trajectory.
type Record struct {
	At    time.Time // of ts, timestamp or time; zero unknown
	Agent string    // of the record, else of the name of its file
	Phase string    // of phase, a number as text; else of type
	// Fields are all fields by key; the last one counts if a key occurs twice. They are foreign text.
	Fields map[string]json.RawMessage
	Raw    []byte // as written
	File   string
	Line   int // its first, from 1; 0 unknown
	Lines  int // that it is written over
}

// Stats are the counts of one Scan.
type Stats struct {
	Records int
	Bad     int   // parts that aren't records: incomplete, too long, not an object
	Long    int   // of those, the ones that are longer than maxRecord
	FirstAt int   // line of the first bad one
	Bytes   int64 // unpacked
	// Torn reports that the last bad part is at the end of the file: it may still be being written.
	Torn bool
	Cut  bool // there is more than was asked for
}
