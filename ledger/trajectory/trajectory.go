// Package trajectory reads the logs of agents and appends to them (spec 002). A log has a file for each day below
// grimoires/loa/a2a/trajectory. Its records are JSON objects. Most are on one line, but some have several lines.
// In real files, the time is `ts` or `timestamp`, and a phase is a word or a number. Old files are compressed
// (.jsonl.gz).
//
// While a file is read, only the current record is in memory. The package reads no clock.
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
	Day   string // such as 2026-02-06, from the name of the file (2026-02-06 or 20260206); "" if it has none
	Size  int64  // bytes on disk
	Mod   time.Time
	Zip   bool // the file is a .jsonl.gz
}

// Record is one entry of a trajectory.
type Record struct {
	At    time.Time // value of ts, timestamp or time; zero if unknown
	Agent string    // from the record, or else from the name of the file
	Phase string    // the field phase, with a number as text, or else the field type
	// Fields has all fields by key. If a key occurs twice, the last value counts. The texts may contain control
	// characters.
	Fields map[string]json.RawMessage
	Raw    []byte // the record as written
	File   string
	Line   int // number of the first line, from 1; 0 if unknown
	Lines  int // how many lines the record has
}

// Stats are the counts of one Scan.
type Stats struct {
	Records int
	Bad     int   // number of parts that aren't records, because they aren't complete, are too long, or aren't objects
	Long    int   // number of these parts that are longer than maxRecord
	FirstAt int   // number of the line with the first of these parts
	Bytes   int64 // bytes after decompression
	// Torn means that the last bad part is at the end of the file. So it may only be incomplete because it is still
	// being written.
	Torn bool
	Cut  bool // the file is longer than Options.Most
}
