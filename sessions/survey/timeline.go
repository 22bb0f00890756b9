package survey

import "time"

// Timeline holds the records that agents logged of their work in a project, newest first.
type Timeline struct {
	Root    string // root of the project
	Dir     string // folder of the trajectory; it may be missing
	Files   int    // files in Dir
	Bare    bool   // the project has no trajectory, no other part of a ledger, and no config
	Older   int    // older files that were skipped because of TimelineAsk.Most
	Unread  int    // files that couldn't be read completely; see Problems
	Records int    // records in the files that were read, matching or not
	Bad     int    // parts of the text that could not be parsed
	Bytes   int64  // bytes that were read, unpacked
	Today   int    // records on the day of At
	Earlier int
	Agents  []NameCount // most records first
	Phases  []NameCount
	Entries []TimelineEntry // matching records, newest first
	Left    int             // matching records that are not in Entries
	// Problems has one sentence for each file with a problem.
	Problems []string
	At       time.Time // time of the look-up
}

// NameCount is the number of records with a name.
type NameCount struct {
	Name string // clean
	N    int
}

// TimelineEntry is one record. All fields but Raw are clean and on one line.
type TimelineEntry struct {
	At time.Time // zero: the record has no time
	// Stands is the time for sorting: At, else the time of the previous record, else the day of the file.
	Stands time.Time
	Agent  string
	Phase  string
	What   string
	File   string // absolute
	Line   int    // line number in File, from 1
	Raw    string // as written, not clean
}

// None reports whether the project has no trajectory.
func (t *Timeline) None() bool { return t.Files == 0 }
