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
	Day   string // such as 2026-02-06; from the name of the file, which may have 20260206 instead; "" if it has none
	Size  int64  // bytes on disk
	Mod   time.Time
	Zip   bool // the file is a .jsonl.gz
}

// Record is one entry of a trajectory.
type Record struct {
	At    time.Time // value of ts, timestamp or time; zero if unknown
	Agent string    // from the record; if it has none, from the name of the file
	Phase string    // the field phase, or type if there is no phase
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
	Bad     int   // number of texts that aren't records: incomplete, too long, or not an object
	Long    int   // how many of them are longer than maxRecord
	FirstAt int   // line number of the first of them
	Bytes   int64 // bytes after decompression
	// Torn means that the file ends with a bad part, which may still be being written.
	Torn bool
	Cut  bool // the file is longer than Options.Most
}
