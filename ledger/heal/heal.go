// Package heal plans how to restore missing parts of a ledger (spec 002, Scenario 3): grimoire, NOTES.md, .beads and
// trajectory, in this order. A part counts as missing only if git, a setting or another part names it. The index of
// the program ck is never restored.
//
// The package does no I/O. It turns facts about the disk and git into steps. It never overwrites a file with text. A
// part that can't be restored doesn't stop the other parts.
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
	Index      Part = ".ck" // search index of the program ck
)

// State is the state of a part on disk.
type State string

// The states.
const (
	There   State = "there"
	Missing State = "missing" // in a Fact: not on disk
	Unused  State = "unused"  // in a Step: not on disk, and not named by git, a setting or another part
	Empty   State = "empty"   // NOTES.md has only white space, or a folder has no files
	Wrong   State = "wrong"   // the wrong file type
)

// Source is where a restored file comes from.
type Source string

// The sources, best first.
const (
	Head     Source = "HEAD"     // the last commit
	Staged   Source = "index"    // staged changes in git
	Template Source = "template" // the text for a new NOTES.md
)

// File is a file to restore.
type File struct {
	Path string // absolute path
	Text []byte
	From Source
}

// Fact describes a part on disk and in git.
type Fact struct {
	Part  Part
	Path  string // absolute path
	State State
	Why   string   // for Wrong: the problem and the fix
	Named []string // for Missing: reasons to expect the part, such as "git has it"
	Kept  []File   // versions in git, best first
	Left  []string // sentences about files in git that aren't restored
	Held  string   // a git command that restores the files of Left
}

// Do is the action for a part.
type Do string

// The actions.
const (
	Nothing Do = ""         // the part is fine, or isn't used
	Restore Do = "restore"  // restore from git, or together with another part
	Fill    Do = "template" // write a new NOTES.md
	Make    Do = "make"     // create the folder
	Leave   Do = "leave"    // can't be healed here
)

// Step is the plan for one part.
type Step struct {
	Fact
	Do    Do
	Files []File // in the order in which they are written
	With  Part   // the part is restored together with this part
}

// Issue reports whether the part has a problem.
func (s *Step) Issue() bool { return s.Do != Nothing }

// Plan returns the steps for the given facts. template is the text for a new NOTES.md.
func Plan(facts []Fact, template []byte) []Step {
	facts = slices.Clone(facts)
	connect(facts)
	notes := ""
	if f := of(facts, Notes); f != nil {
		notes = f.Path
	}
	steps := make([]Step, 0, len(facts))
	for _, f := range facts {
		s := Step{Fact: f}
		switch {
		case f.State == There:
		case f.State == Wrong:
			s.Do = Leave
		case f.State == Missing && (len(f.Named) == 0 || f.Part == Index):
			s.State, s.Held = Unused, ""
		default:
			s.mend(steps, notes, template)
		}
		steps = append(steps, s)
	}
	return steps
}

// connect adds to Named the reasons that follow from other parts. A grimoire is a reason for its NOTES.md. A part
// with a reason is a reason for the grimoire around it.
func connect(facts []Fact) {
	grimoire, notes := of(facts, Grimoire), of(facts, Notes)
	if grimoire == nil || notes == nil {
		return
	}
	for _, part := range []Part{Notes, Trajectory} {
		if f := of(facts, part); len(grimoire.Named) == 0 && f != nil && f.State == Missing && len(f.Named) > 0 && within(grimoire.Path, f.Path) {
			grimoire.Named = []string{string(part) + " belongs in it"}
		}
	}
	if used := grimoire.State == There || len(grimoire.Named) > 0; used && len(notes.Named) == 0 && within(grimoire.Path, notes.Path) {
		notes.Named = []string{"it belongs in the grimoire"}
	}
}

// of returns the fact about a part; nil if there is none.
func of(facts []Fact, part Part) *Fact {
	if i := slices.IndexFunc(facts, func(f Fact) bool { return f.Part == part }); i >= 0 {
		return &facts[i]
	}
	return nil
}

// mend decides how to restore a part: with an earlier part, from git, or new.
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
	case s.Held != "": // a new file or folder would hide the version in git
		s.Do = Leave
	case s.Part == Notes:
		s.Do, s.Files = Fill, []File{{Path: s.Path, Text: template, From: Template}}
	case s.State == Missing:
		s.Do = Make
	}
}

// Issues returns the number of parts that have a problem.
func Issues(steps []Step) int {
	n := 0
	for i := range steps {
		if steps[i].Issue() {
			n++
		}
	}
	return n
}

// within reports whether a file is at a path or below it.
func within(path, file string) bool {
	rel, err := filepath.Rel(path, file)
	return err == nil && filepath.IsLocal(rel)
}
