package gate

import (
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// listed is the maximum number of listed findings of a step.
const listed = 50

// Facts is the input of Run.
type Facts struct {
	Mode   Mode
	Now    time.Time
	Config ledger.Config
	// ConfigTrouble has the errors of the config, each as a sentence. If ConfigUnsure is true, the gate may be less
	// strict than the user wants.
	ConfigTrouble []string
	ConfigUnsure  bool

	Agent  string // the agent of the records that continuo writes
	Judged string // the only agent whose claims are judged; "" means all agents
	Day    string // day of the trajectory, such as 2026-02-06
	Claims Claims
	// Unjudged has the claims of the agents that aren't judged.
	Unjudged Claims
	// TrajectoryTrouble says why the trajectory can't be read, as a sentence.
	TrajectoryTrouble string
	Others            []string // agents that aren't judged and have a trajectory of the day

	NotesFile    string       // absolute path
	Notes        *notes.Notes // nil if NotesTrouble has a reason, or without a file
	NotesTrouble string
	// Evidence has the results of checking the evidence of Notes.Decisions.
	Evidence [][]ledger.Check
	Gone     map[string]string // path of a deleted file → its commit; "" if unknown

	Beads        *beads.Graph // nil: none
	BeadProgram  string       // br or bd; "" if neither is installed
	BeadInstall  string       // the programs to install: "br or bd", "bd"
	BeadsTrouble string

	Session Session
	Size    func(bytes int64) string // formats a size, such as "41 kB"
}

// Run runs the gate and returns its report. It has no side effects.
func Run(f *Facts) Report {
	c := &f.Config
	r := Report{
		Mode: f.Mode, Enforcement: c.Grounding.Enforcement, Source: c.Grounding.EnforcementSource, Agent: f.Agent, Judged: f.Judged, Agents: f.Claims.Agents, Day: f.Day, At: f.Now,
		Ratio: min(f.Claims.Tally.Ratio(), 1), Threshold: c.Grounding.Threshold, Tally: f.Claims.Tally, Original: f.Claims.Original,
		Remarks: slices.Clone(f.ConfigTrouble),
	}
	if b := f.bead(); b != nil {
		r.Bead = b.ID
	}
	if f.Notes != nil {
		r.Decisions = len(f.Notes.DecisionTitles())
	}
	r.Scenarios = f.scenarios()
	if !c.Checkpoint.Enabled {
		r.Remarks = append(r.Remarks, "synthesis_checkpoint.enabled is off in "+ledger.ConfigName+", so no step blocks.")
	}
	r.Steps = []Step{grounding(f), negative(f), decisions(f)}
	if f.Mode == Full {
		r.Steps = append(r.Steps, bead(f), handoff(f), decay(f), scenarios(f, r.Scenarios))
	}
	r.judge(f)
	return r
}

// judge decides which steps block, and sets the verdict.
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

// blocks reports whether a failure of a step rejects the gate. The steps in gate.block do. With strict enforcement,
// step 1 does too. So do step 2 with strict_mode_blocks, and step 7 without edd.warn_only. If
// synthesis_checkpoint.enabled is false, no step does.
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

// Reasons returns the lines that explain a rejection, with the first fixes.
func (r *Report) Reasons() []string {
	const most = 3 // findings of each step
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
		all = append(all, r.Remarks...)
	}
	return all
}

// noteBlocks is the note of a step that rejects the gate.
const noteBlocks = "blocks"

// hardOf returns the number of findings that fail a step.
func hardOf(list []Finding) int {
	n := 0
	for i := range list {
		if !list[i].Mild {
			n++
		}
	}
	return n
}

// sentence returns a finding as one line.
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
