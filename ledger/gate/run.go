package gate

import (
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// listed is how many findings of a step a report has.
const listed = 50

// Facts is what is known when the gate is run.
type Facts struct {
	Mode   Mode
	Now    time.Time
	Config ledger.Config
	// ConfigTrouble is what is wrong with the config, one sentence each. ConfigUnsure says that some of it is about what the
	// gate goes by, so that it may be stricter than this run knows.
	ConfigTrouble []string
	ConfigUnsure  bool

	Agent  string // whose trajectory
	Day    string // of which day, 2026-02-06
	Claims Claims
	// TrajectoryTrouble is why the trajectory cannot be read, one sentence; "" it can, or there is none.
	TrajectoryTrouble string
	Others            []string // other agents that have a trajectory of the day, when this one has none

	NotesFile    string       // absolute
	Notes        *notes.Notes // nil: there is none, or NotesTrouble says why it cannot be read
	NotesTrouble string
	// Evidence is what was found at the evidence of Notes.Decisions, in their order and in that of their evidence.
	Evidence [][]ledger.Check
	Gone     map[string]string // by the path of a file that is gone: the commit that took it away, where that is known

	Beads        *beads.Graph // nil: none
	BeadProgram  string       // br or bd, whichever is there; "" neither, so nothing can be written to a bead
	BeadsTrouble string

	Session Session
	Size    func(bytes int64) string // words for a size, such as 41 kB
}

// Run runs the gate. It changes nothing.
func Run(f *Facts) Report {
	c := &f.Config
	r := Report{
		Mode: f.Mode, Enforcement: c.Grounding.Enforcement, Source: c.Grounding.EnforcementSource, Agent: f.Agent, Day: f.Day, At: f.Now,
		Ratio: min(f.Claims.Tally.Ratio(), 1), Threshold: c.Grounding.Threshold, Tally: f.Claims.Tally, Original: f.Claims.Original,
		Said: slices.Clone(f.ConfigTrouble),
	}
	if b := f.bead(); b != nil {
		r.Bead = b.ID
	}
	if f.Notes != nil {
		r.Decisions = len(f.Notes.DecisionTitles())
	}
	r.Scenarios = f.scenarios()
	if !c.Checkpoint.Enabled {
		r.Said = append(r.Said, "synthesis_checkpoint.enabled is off in "+ledger.ConfigName+", so nothing blocks.")
	}
	r.Steps = []Step{grounding(f), negative(f), decisions(f)}
	if f.Mode == Full {
		r.Steps = append(r.Steps, bead(f), handoff(f), decay(f), scenarios(f, r.Scenarios))
	}
	r.judge(f)
	return r
}

// judge settles what of the steps blocks, and the verdict.
func (r *Report) judge(f *Facts) {
	for i := range r.Steps {
		s := &r.Steps[i]
		s.N = i + 1
		s.Blocks = f.blocks(s.N) && s.Status != Off
		if s.Status == Warning && s.Blocks {
			s.Status = Fail
		}
		s.leftHard = s.Left
		if over := len(s.Findings) - listed; over > 0 {
			s.leftHard += hardOf(s.Findings[listed:])
			s.Findings, s.Left = s.Findings[:listed], s.Left+over
		}
	}
	switch {
	case r.Count(Fail) > 0:
		r.Verdict = Rejected
	case r.Count(Unknown) > 0, f.ConfigUnsure:
		r.Verdict = Unsure
	default:
		r.Verdict = Passed
	}
}

// blocks reports whether a step that does not hold rejects: the first in strict, the second there unless the config has it
// otherwise, the last in strict where the config wants more than a warning, and those of gate.block in either.
func (f *Facts) blocks(step int) bool {
	c := &f.Config
	if !c.Checkpoint.Enabled {
		return false
	}
	if slices.Contains(c.Gate.Block, step) {
		return true
	}
	switch step {
	case 1:
		return c.Grounding.Enforcement == ledger.Strict
	case 2:
		return c.Grounding.Enforcement == ledger.Strict && c.Grounding.Negative.StrictModeBlocks
	case 7:
		return c.Grounding.Enforcement == ledger.Strict && !c.Checkpoint.EDDWarnOnly
	}
	return false
}

// Reasons are why the gate is not passed, one line each, for a person who sees nothing else of the report: the steps that
// block, what could not be checked, and what to do about the first findings of them.
func (r *Report) Reasons() []string {
	const most = 3 // findings of a step
	var all []string
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Status != Fail && s.Status != Unknown {
			continue
		}
		line := s.Name + ": " + s.Figure
		if s.Note != "" && s.Note != noteBlocks {
			line += ", " + s.Note
		}
		all = append(all, line)
		if s.Status == Unknown && len(s.More) > 0 {
			all = append(all, "  "+s.More[0])
		}
		shown := 0
		for k := range s.Findings {
			x := &s.Findings[k]
			if x.Mild {
				continue
			}
			if shown++; shown > most {
				break
			}
			all = append(all, "  "+x.sentence())
		}
		if more := s.leftHard + hardOf(s.Findings) - most; more > 0 {
			all = append(all, "  and "+counted(more, "more", "more"))
		}
	}
	if r.Verdict == Unsure && r.Count(Unknown) == 0 {
		all = append(all, r.Said...)
	}
	return all
}

// noteBlocks stands at the right of a step that rejects.
const noteBlocks = "blocks"

// hardOf is how many of some findings keep a step from passing.
func hardOf(list []Finding) int {
	n := 0
	for i := range list {
		if !list[i].Mild {
			n++
		}
	}
	return n
}

// sentence is a finding on one line.
func (x *Finding) sentence() string {
	line := x.Title
	if x.Ref != "" {
		line += ": " + x.Ref
	}
	if x.What != "" {
		line += ": " + x.What
	}
	if x.Fix != "" {
		line += "; " + x.Fix
	}
	return line
}

func number(n int) string { return strconv.Itoa(n) }

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}
