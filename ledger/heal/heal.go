// Package heal plans how to restore missing parts of a ledger (spec 002, Scenario 3 and self-heal-state.sh): grimoire,
// NOTES.md, .beads and trajectory, in this order. The index of ck is only mentioned.
//
// The package is pure: it turns facts about the disk and git into steps. It never overwrites a file with text, and a part
// that can't be healed doesn't block the others.
package heal

import (
	"bytes"
	"path/filepath"
	"slices"
)

// Part is a part of a ledger.
type Part string

// The parts, in the order of the spec.
const (
	Grimoire   Part = "grimoire"
	Notes      Part = "NOTES.md"
	Beads      Part = ".beads"
	Trajectory Part = "trajectory"
	Index      Part = ".ck" // search index of ck
)

// State is the state of a part on disk.
type State string

// The states.
const (
	There   State = "there"
	Missing State = "missing"
	Empty   State = "empty" // NOTES.md without a non-blank byte, a folder without a file
	Wrong   State = "wrong" // the wrong file type
)

// Source is the origin of a restored file.
type Source string

// The sources, in order of preference.
const (
	Head     Source = "HEAD"     // the last commit
	Staged   Source = "index"    // staged changes
	Template Source = "template" // a new NOTES.md
)

// File is a file to restore.
type File struct {
	Path string // absolute
	Text []byte
	From Source
}

// Fact describes a part on disk and in git.
type Fact struct {
	Part  Part
	Path  string // absolute
	State State
	Why   string   // for Wrong: the problem and the fix, one or two sentences
	Kept  []File   // versions in git, best first; empty for an existing part
	Left  []string // sentences about files in git that aren't restored
	Held  string   // git command that restores the files in Left; "" none
}

// Do is the action for a part.
type Do string

// The actions.
const (
	Nothing Do = ""         // the part is fine, or there is no source
	Restore Do = "restore"  // restore from git, or together with another part
	Fill    Do = "template" // write a new NOTES.md
	Make    Do = "make"     // create the folder
	Mention Do = "mention"  // mention it; not an issue
	Leave   Do = "leave"    // can't be healed here
)

// Step is the plan for one part.
type Step struct {
	Fact
	Do    Do
	Files []File // in the order of writing
	With  Part   // restored together with this part; "" none
}

// Issue reports whether the part has a problem.
func (s *Step) Issue() bool { return s.Do != Nothing && s.Do != Mention }

// Plan returns the steps for facts, in order. template is the text of a new NOTES.md.
func Plan(facts []Fact, template []byte) []Step {
	notes := ""
	if i := slices.IndexFunc(facts, func(f Fact) bool { return f.Part == Notes }); i >= 0 {
		notes = facts[i].Path
	}
	steps := make([]Step, 0, len(facts))
	for _, f := range facts {
		s := Step{Fact: f}
		switch {
		case f.State == There:
		case f.State == Wrong:
			s.Do = Leave
		case f.Part == Index:
			s.Do = Mention
		default:
			s.mend(steps, notes, template)
		}
		steps = append(steps, s)
	}
	return steps
}

// mend sets the source of a missing or empty part: an earlier step, git, or a new file or folder.
func (s *Step) mend(earlier []Step, notes string, template []byte) {
	if s.State == Missing {
		for i := range earlier {
			if slices.ContainsFunc(earlier[i].Files, func(f File) bool { return within(s.Path, f.Path) }) {
				s.Do, s.With = Restore, earlier[i].Part
				return
			}
		}
	}
	for _, f := range s.Kept {
		says := len(bytes.TrimSpace(f.Text)) > 0
		switch {
		case s.Part == Notes && says:
			s.Do, s.Files = Restore, []File{f}
			return
		case s.Part != Notes && (says || f.Path != notes): // a blank NOTES.md counts as missing
			s.Do, s.Files = Restore, append(s.Files, f)
		}
	}
	switch {
	case s.Do != Nothing:
	case s.Held != "": // a template or an empty folder would hide the version in git
		s.Do = Leave
	case s.Part == Notes:
		s.Do, s.Files = Fill, []File{{Path: s.Path, Text: template, From: Template}}
	case s.State == Missing:
		s.Do = Make
	}
}

// Issues returns the number of parts with a problem.
func Issues(steps []Step) int {
	n := 0
	for i := range steps {
		if steps[i].Issue() {
			n++
		}
	}
	return n
}

// within reports whether a file is at a path or below the path.
func within(path, file string) bool {
	rel, err := filepath.Rel(path, file)
	return err == nil && filepath.IsLocal(rel)
}
