// Package trajectory reads the logs of agents and appends to them (spec 002). The directory
// grimoires/loa/a2a/trajectory has a log file for each day. Records are JSON objects. Real files differ from the
// spec: the time is `ts` or `timestamp`, a phase is a word or a number, and records may have several lines. Old files
// are compressed (.jsonl.gz).
//
// The package keeps only the current record in memory, and reads no clock.
package trajectory

import (
	"encoding/json"
	"time"
)

// maxRecord is the maximum size of a record in bytes. A longer record counts as bad.
const maxRecord = 1 << 20

// File is one file of a trajectory.
type File struct {
	Path  string
	Agent string // from the name of the file; "" if it has none
	Day   string // such as 2026-02-06, from the file name; "" if it has none
	Size  int64  // bytes on disk
	Mod   time.Time
	Zip   bool // the file is a .jsonl.gz
}

// Record is one entry of a trajectory.
type Record struct {
	At    time.Time // value of ts, timestamp or time; zero if unknown
	Agent string    // from the record, or from the file name
	Phase string    // value of phase, or of type
	// Fields has all fields by key. The last value of a key counts. The texts may contain control characters.
	Fields map[string]json.RawMessage
	Raw    []byte // the record as written
	File   string
	Line   int // number of the first line, from 1; 0 if unknown
	Lines  int // number of lines
}

// Stats are the counts of one Scan.
type Stats struct {
	Records int
	Bad     int   // number of unusable records: incomplete, too long, or not an object
	Long    int   // number of records longer than maxRecord, a part of Bad
	FirstAt int   // line number of the first bad record
	Bytes   int64 // bytes after decompression
	// Torn is true if the file ends with an incomplete record, perhaps still being written.
	Torn bool
	Cut  bool // the file is longer than Options.Most
}
