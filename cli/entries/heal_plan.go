package entries

import (
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/transcript"
)

// newHealJSON describes a heal for programs.
func newHealJSON(h *HealLook) *writing.Heal {
	j := &writing.Heal{Root: h.ledger.Project.Root, Issues: heal.Issues(h.Steps), Git: h.noGit, Parts: []writing.HealPart{}, Disagreements: NewDisagreementsJSON(&h.ledger.Truth)}
	for i := range h.Steps {
		s := &h.Steps[i]
		part := writing.HealPart{Part: s.Part, Path: s.Path, State: s.State, Do: s.Do, From: "", With: s.With, Files: []string{}, Named: out.OrEmpty(s.Named), Why: []string{}}
		for _, f := range s.Files {
			part.From, part.Files = f.From, append(part.Files, f.Path)
		}
		if s.Why != "" {
			part.Why = append(part.Why, s.Why)
		}
		part.Why = append(part.Why, s.Left...)
		if s.Held != "" {
			part.Why = append(part.Why, "git restores it: "+s.Held)
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

// healPlan returns the plan of a heal.
func healPlan(env *place.Env, h *HealLook, ask *healAsk) *writing.Plan {
	p := &writing.Plan{Report: writing.Report{Action: "heal", Heal: newHealJSON(h)}}
	found, but, held := healFound(env, h, ask.verbose)
	p.Add("Found", found...)
	if ask.check {
		p.Add("Disagree", truthPlan(&h.ledger.Truth)...)
	}
	if !ask.check {
		p.Add("Touched", healTouched(env, h, ask)...)
	}
	if h.noGit != "" && heal.Issues(h.Steps) > 0 {
		but = append(but, writing.Warning("git was not asked: "+h.noGit))
	}
	for _, problem := range h.ledger.Problems {
		but = append(but, writing.Warning(problem))
	}
	if !isProject(&h.ledger.Project) {
		but = append(but, writing.Warning("no .git, .beads or grimoire is above this folder, so this folder counts as the root of its project"))
	}
	p.Add("But", but...)
	p.Add("By git", held...)
	if ask.check || !h.mends() {
		return p
	}
	p.Add("Stays", change.Line{Mark: change.Good, Text: "existing files, the index and the commits of git"})
	if !slices.ContainsFunc(h.Steps, func(s heal.Step) bool { return len(s.Files) > 0 }) {
		return p // an empty folder can't be undone
	}
	p.Add("Undo", change.Line{Text: ask.undo + " removes the files and the folders made for them, unless they were changed since."})
	return p
}

// healFound returns a line for each part, the reasons against a restore, and git commands.
func healFound(env *place.Env, h *HealLook, verbose bool) (found, but, held []change.Line) {
	var reasons []string
	used := false
	for i := range h.Steps {
		s := &h.Steps[i]
		if s.Part == heal.Index && s.State == heal.Unused && !verbose {
			continue
		}
		line := change.Line{Mark: change.Good, Text: healWords(s)}
		switch {
		case s.Issue():
			line.Mark = change.Bad
		case s.State != heal.There:
			line.Mark = change.Note
		}
		if s.State != heal.Unused {
			used, line.Right = true, healPlace(env, h, s)
		}
		found = append(found, line)
		for _, why := range s.Left {
			if !slices.Contains(reasons, why) { // two parts may have the same reason
				reasons, but = append(reasons, why), append(but, writing.Warning(transcript.CleanLine(why)))
			}
		}
		if s.Held != "" {
			held = append(held, change.Line{Text: transcript.CleanLine(s.Held), Whole: true})
		}
	}
	if !used {
		found = append(found, change.Line{Mark: change.Note, Text: "This project has no ledger. continuo note creates one."})
	}
	return found, but, held
}

// healPlace returns the path of a part relative to the root.
func healPlace(env *place.Env, h *HealLook, s *heal.Step) string {
	below, err := filepath.Rel(h.ledger.Project.Root, s.Path)
	if err != nil || !filepath.IsLocal(below) {
		return transcript.CleanLine(env.Tilde(s.Path))
	}
	return transcript.CleanLine(filepath.ToSlash(below))
}

// healWords describes a part on one line: present, missing or not used.
func healWords(s *heal.Step) string {
	name := string(s.Part)
	switch {
	case s.State == heal.Wrong:
		return name + " cannot be healed here. " + transcript.CleanLine(s.Why)
	case s.State == heal.Unused:
		return name + " is not used"
	case s.State == heal.There:
		return name + " is present"
	case s.Do == heal.Nothing:
		return name + " is present, without files"
	}
	text := name + " is " + string(s.State)
	if len(s.Named) == 0 { // an empty NOTES.md
		return text
	}
	return text + ": " + s.Named[0]
}
