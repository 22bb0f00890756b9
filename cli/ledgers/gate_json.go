package ledgers

import (
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// gateJSON is a run of the gate for programs.
type gateJSON struct {
	Verdict     gate.Verdict        `json:"verdict"`
	Exit        int                 `json:"exit"`
	Mode        gate.Mode           `json:"mode"`
	Enforcement ledger.Enforcement  `json:"enforcement"`
	Source      *string             `json:"source"` // config key; null for the default
	Root        string              `json:"root"`
	Agent       string              `json:"agent"`
	Day         string              `json:"day"`
	At          out.Time            `json:"at"`
	Ratio       float64             `json:"ratio"`
	Threshold   float64             `json:"threshold"`
	Claims      tallyJSON           `json:"claims"`
	Original    tallyJSON           `json:"original"` // counted like the script of spec 002
	Steps       []gateStepJSON      `json:"steps"`
	Decisions   int                 `json:"decisions"`
	Scenarios   int                 `json:"scenarios"`
	Bead        *string             `json:"bead"`
	Session     *string             `json:"session"` // with --full
	Handoff     *trajectory.Handoff `json:"handoff"` // with --full: the record, even if it isn't written
	DryRun      bool                `json:"dryRun"`
	Written     []gateWritten       `json:"written"`
	Said        []string            `json:"said"`
	Problems    []string            `json:"problems"` // write errors
}

type tallyJSON struct {
	Claims      int     `json:"claims"`
	Grounded    int     `json:"grounded"`
	Citations   int     `json:"citations"`
	References  int     `json:"references"`
	UserInput   int     `json:"userInput"`
	Assumptions int     `json:"assumptions"`
	Ratio       float64 `json:"ratio"`
}

type gateStepJSON struct {
	N        int               `json:"n"`
	Name     string            `json:"name"`
	Status   gate.Status       `json:"status"`
	Blocks   bool              `json:"blocks"`
	Figure   string            `json:"figure"`
	Note     string            `json:"note"`
	More     []string          `json:"more"`
	Findings []gateFindingJSON `json:"findings"`
	Left     int               `json:"left"` // number of findings left out
}

type gateFindingJSON struct {
	Title string   `json:"title"`
	When  out.Time `json:"when"`
	Ref   string   `json:"ref"`
	What  string   `json:"what"`
	Fix   string   `json:"fix"`
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Was   string   `json:"was"` // text replaced by an applicable fix
	Now   string   `json:"now"`
	Mild  bool     `json:"mild"` // doesn't fail the step
}

func newTallyJSON(t gate.Tally) tallyJSON {
	return tallyJSON{t.Claims, t.Grounded(), t.Citations, t.References, t.UserInput, t.Assumptions, t.Ratio()}
}

func newGateJSON(run *GateRun, dry bool) gateJSON {
	r := &run.Report
	j := gateJSON{
		Verdict: r.Verdict, Exit: r.Exit(), Mode: r.Mode, Enforcement: r.Enforcement, Source: orNull(r.Source), Root: run.Project.Root, Agent: r.Agent,
		Day: r.Day, At: out.Time(r.At), Ratio: r.Ratio, Threshold: r.Threshold, Claims: newTallyJSON(r.Tally), Original: newTallyJSON(r.Original),
		Steps: []gateStepJSON{}, Decisions: r.Decisions, Scenarios: r.Scenarios, Bead: orNull(r.Bead), Session: orNull(run.Session.ID),
		DryRun: dry, Written: out.OrEmpty(run.Written), Said: out.OrEmpty(r.Said), Problems: out.OrEmpty(run.But),
	}
	if r.Mode == gate.Full {
		j.Handoff = &run.Handoff
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		step := gateStepJSON{s.N, s.Name, s.Status, s.Blocks, s.Figure, s.Note, out.OrEmpty(s.Remarks()), []gateFindingJSON{}, s.Left}
		for k := range s.Findings {
			x := &s.Findings[k]
			step.Findings = append(step.Findings, gateFindingJSON{x.Title, out.Time(x.When), x.Ref, x.What, x.Fix, x.File, x.Line, x.Was, x.Now, x.Mild})
		}
		j.Steps = append(j.Steps, step)
	}
	return j
}

// orNull returns nil for "".
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
