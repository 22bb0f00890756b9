// Package trajectory reads and appends to the logs of agents (spec 002). A log has one file per day below
// grimoires/loa/a2a/trajectory. Its records are JSON objects, usually one per line, but some span several lines. In
// real files the time is `ts` or `timestamp`, and a phase is a word or a number. Old files are compressed (.jsonl.gz).
//
// Reading streams: only the current record is in memory. The package reads no clock.
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
	Size  int64  // size on disk in bytes
	Mod   time.Time
	Zip   bool // .jsonl.gz
}

// Record is one entry of a trajectory.
type Record struct {
	At    time.Time // value of ts, timestamp or time; zero unknown
	Agent string    // from the record, else from the file name
	Phase string    // field phase, numbers as text; else field type
	// Fields has all fields by key. If a key occurs twice, the last value counts. The texts aren't cleaned.
	Fields map[string]json.RawMessage
	Raw    []byte // as written
	File   string
	Line   int // first line, from 1; 0 unknown
	Lines  int // number of lines
}

// Stats are the counts of one Scan.
type Stats struct {
	Records int
	Bad     int   // parts that aren't records: incomplete, too long, not an object
	Long    int   // number of bad parts that are longer than maxRecord
	FirstAt int   // line of the first bad part
	Bytes   int64 // unpacked
	// Torn reports that the last bad part is at the end of the file, so it may be incomplete because it is still being
	// written.
	Torn bool
	Cut  bool // the file is longer than Options.Most
}
