package gate

import (
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// listed is how many findings of a step a report has, at most.
const listed = 50

// Facts is the input of Run.
type Facts struct {
	Mode   Mode
	Now    time.Time
	Config ledger.Config
	// ConfigTrouble has the errors of the config, each as a sentence. ConfigUnsure reports whether one of them is
	// about a key of the gate, which may then be less strict than intended.
	ConfigTrouble []string
	ConfigUnsure  bool

	Agent  string // the agent for the records that continuo writes
	Judged string // the only agent whose claims are judged; "" means all agents
	Day    string // day of the trajectory, such as 2026-02-06
	Claims Claims
	// Unjudged has the claims of the agents that aren't judged.
	Unjudged Claims
	// TrajectoryTrouble is a sentence that says why the trajectory can't be read; "" if it was read or doesn't exist.
	TrajectoryTrouble string
	Others            []string // agents that aren't judged and that have a trajectory of the day

	NotesFile    string       // absolute path
	Notes        *notes.Notes // nil if it is missing, or if NotesTrouble says why it can't be read
	NotesTrouble string
	// Evidence has the results of checking the evidence of Notes.Decisions, in the same order.
	Evidence [][]ledger.Check
	Gone     map[string]string // path of a deleted file → the commit that deleted it; "" if unknown

	Beads        *beads.Graph // nil: none
	BeadProgram  string       // br or bd; "" if it isn't installed, so beads can't be written
	BeadInstall  string       // the programs that could be installed: "br or bd", "bd"
	BeadsTrouble string

	Session Session
	Size    func(bytes int64) string // returns a size in words, such as "41 kB"
}

// Run runs the gate and returns its report. It writes nothing.
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
		r.Remarks = append(r.Remarks, "synthesis_checkpoint.enabled is off in "+ledger.ConfigName+", so nothing blocks.")
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

// blocks reports whether a failure of a step rejects the gate. Steps in gate.block always do. With strict
// enforcement, step 1 does, step 2 unless strict_mode_blocks is false, and step 7 if edd.warn_only is false. If
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

// Reasons returns lines for a reader who doesn't see the report: the steps that block, the steps that couldn't be
// checked, and how to fix their first findings.
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

// hardOf returns how many of the findings fail a step.
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
