package survey

import "time"

// Timeline has the agents' records of their work in a project, newest first.
type Timeline struct {
	Root    string // root of the project
	Dir     string // folder of the trajectory; need not exist
	Files   int    // number of files in Dir
	Bare    bool   // the project has no ledger: no trajectory, no other part, and no config
	Older   int    // number of older files that were skipped because of TimelineAsk.Most
	Unread  int    // number of files that couldn't be read completely; see Problems
	Records int    // number of records in the files that were read, matching or not
	Bad     int    // number of parts that could not be parsed
	Bytes   int64  // number of bytes that were read, after unpacking
	Today   int    // number of records on the day of At
	Earlier int
	Agents  []NameCount // sorted by number of records, highest first
	Phases  []NameCount
	Entries []TimelineEntry // matching records, newest first
	Left    int             // number of matching records that aren't in Entries
	// Problems has one sentence for each file with a problem.
	Problems []string
	At       time.Time // time of the look-up
}

// NameCount is the number of records with a name.
type NameCount struct {
	Name string // clean
	N    int
}

// TimelineEntry is one record. All fields except Raw are clean and on one line.
type TimelineEntry struct {
	At time.Time // zero if the record has no time
	// Stands is the sort time of the entry: At, otherwise that of the previous record, otherwise the day of the file.
	Stands time.Time
	Agent  string
	Phase  string
	What   string
	File   string // absolute
	Line   int    // line number in File, from 1
	Raw    string // the record as written, not clean
}

// None reports whether the project has no trajectory.
func (t *Timeline) None() bool { return t.Files == 0 }
