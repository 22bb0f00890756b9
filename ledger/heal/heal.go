// Package heal plans how the parts of a ledger that are missing come back (spec 002, Scenario 3 and self-heal-state.sh):
// grimoire, NOTES.md, .beads, trajectory, in this order; the index of ck is only mentioned.
//
// It is pure: what is there and what git keeps of it in, steps out. Nothing that says something is ever written over, and
// a part that cannot be healed never keeps the others from it.
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
	Index      Part = ".ck" // of the search; continuo has its own
)

// State is what was found of a part.
type State string

// The states.
const (
	There   State = "there"
	Missing State = "missing"
	Empty   State = "empty" // NOTES.md without a non-blank byte, a folder without a file
	Wrong   State = "wrong" // something is there, and not what it has to be
)

// Source is where the text of a file comes from.
type Source string

// The sources, the first that has it counts.
const (
	Head     Source = "HEAD"     // the last commit
	Staged   Source = "index"    // what git was told to commit next
	Template Source = "template" // of NOTES.md
)

// File is a file that comes back.
type File struct {
	Path string // absolute
	Text []byte
	From Source
}

// Fact is what was found of a part.
type Fact struct {
	Part  Part
	Path  string // absolute
	State State
	Why   string   // of Wrong, one or two sentences with what to do
	Kept  []File   // what git keeps of it, best first; nothing for a part that is there
	Left  []string // sentences: what git has and does not come back
	Held  string   // the command with which git brings back what of Left could; "" nothing
}

// Do is what is done about a part.
type Do string

// What is done.
const (
	Nothing Do = ""         // it is well, or there is nothing to do it with
	Restore Do = "restore"  // from git, or with another part
	Fill    Do = "template" // NOTES.md is begun anew
	Make    Do = "make"     // the folder is made
	Mention Do = "mention"  // it is said, and counts as no issue
	Leave   Do = "leave"    // it cannot be healed here
)

// Step is what is done about one part.
type Step struct {
	Fact
	Do    Do
	Files []File // in the order of their writing
	With  Part   // it comes back with this part; "" by itself
}

// Issue reports whether something is wrong with the part.
func (s *Step) Issue() bool { return s.Do != Nothing && s.Do != Mention }

// Plan makes of facts the steps, in their order. template is a NOTES.md that nobody has written to.
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

// mend finds what brings a part back that is missing or empty: what an earlier step has, git, or what is made anew.
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
		case s.Part != Notes && (says || f.Path != notes): // a NOTES.md of blanks is none
			s.Do, s.Files = Restore, append(s.Files, f)
		}
	}
	switch {
	case s.Do != Nothing:
	case s.Held != "": // a template or an empty folder in its place would hide what git has
		s.Do = Leave
	case s.Part == Notes:
		s.Do, s.Files = Fill, []File{{Path: s.Path, Text: template, From: Template}}
	case s.State == Missing:
		s.Do = Make
	}
}

// Issues counts the parts with which something is wrong.
func Issues(steps []Step) int {
	n := 0
	for i := range steps {
		if steps[i].Issue() {
			n++
		}
	}
	return n
}

// within reports whether a file is, or is below, a path.
func within(path, file string) bool {
	rel, err := filepath.Rel(path, file)
	return err == nil && filepath.IsLocal(rel)
}
