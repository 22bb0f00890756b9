package survey

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// GateAgent is the default agent of the trajectory (spec 002, grounding-check.sh).
const GateAgent = "implementing-tasks"

// GateAsk has the arguments of GateOf: the gate to run, and its inputs.
type GateAsk struct {
	Full  bool   // run all steps, as for a /clear; otherwise those for a /compact
	Agent string // judge only this agent's claims and write as this agent; "" judges all and writes as GateAgent
	Day   string // such as 2026-02-06; "" means today in local time
	Most  int64  // limit in bytes for reading each trajectory file; 0 means 1 GB

	// Program returns the program for a project's beads, or "", and the programs that could be installed. If Program
	// is nil, both are unknown.
	Program func(p *ledger.Project) (name, install string)
	// Session returns the session of the handoff, or nil. The full gate calls it.
	Session func(ctx context.Context, root string) (*sessions.Row, error)
	// Gone returns the commit that deleted a file, or "". The full gate calls it.
	Gone func(ctx context.Context, root, path string) string
}

// Gate is the result of a gate. A gate writes no files.
type Gate struct {
	Report  gate.Report
	Project ledger.Project
	Session gate.Session       // session of the handoff
	Handoff trajectory.Handoff // the record that a full gate appends
	File    string             // the trajectory file to append records to
}

// NoLedgerError is returned for a project without a ledger.
type NoLedgerError struct{ Root string }

// Error implements error.
func (e *NoLedgerError) Error() string { return "there is no ledger in " + e.Root }

// GateOf runs the gate for the project of a folder. The report has the checks that couldn't be made. The error is
// that of FindLedger or ask.Session, a *NoLedgerError, or ctx.Err().
func GateOf(ctx context.Context, at Place, ask *GateAsk) (Gate, error) {
	l, err := LedgerOf(ctx, at, LedgerHow{Evidence: true})
	if err != nil {
		return Gate{}, err
	}
	p := &l.Project
	f := &gate.Facts{
		Mode: gate.Simplified, Now: at.Now, Config: p.Config, ConfigTrouble: at.configTrouble(p), ConfigUnsure: gateUnsure(p),
		Agent: cmp.Or(ask.Agent, GateAgent), Judged: ask.Agent, Day: cmp.Or(ask.Day, at.Now.Local().Format(time.DateOnly)),
		NotesFile: p.Notes, Notes: l.Notes, NotesTrouble: l.Trouble, Evidence: evidenceOf(&l),
		Beads: l.Beads, BeadsTrouble: l.BeadsBad, Size: words.Size,
	}
	if ask.Program != nil {
		f.BeadProgram, f.BeadInstall = ask.Program(p)
	}
	files := at.claims(ctx, p, f, cmp.Or(ask.Most, claimsMost))
	if ctx.Err() != nil {
		return Gate{}, ctx.Err()
	}
	if l.None && files == 0 && f.TrajectoryTrouble == "" && f.BeadsTrouble == "" {
		return Gate{}, &NoLedgerError{p.Root}
	}
	if ask.Full { // a quick gate needs no session and no deleted files
		f.Mode = gate.Full
		f.Gone = goneOf(ctx, &l, ask.Gone)
		if f.Session, err = at.gateSession(ctx, p, ask); err != nil {
			return Gate{}, err
		}
	}
	g := Gate{Report: gate.Run(f), Project: *p, Session: f.Session, File: filepath.Join(p.Trajectory, trajectory.Name(f.Agent, f.Day))}
	g.Handoff = f.Handoff(&g.Report, p.NotesName())
	return g, ctx.Err()
}

// gateUnsure reports whether a config problem can affect the gate or the ledger's paths. The defaults may be less
// strict than the user's config.
func gateUnsure(p *ledger.Project) bool {
	return slices.ContainsFunc(p.Problems(), func(err error) bool {
		ce, ok := errors.AsType[*ledger.ConfigError](err)
		if !ok || ce.Line == 0 {
			return true
		}
		return slices.ContainsFunc([]string{"it ", "continuo ", "grounding", "synthesis_checkpoint", "gate", "paths", "memory"}, func(about string) bool {
			return strings.HasPrefix(ce.What, about)
		})
	})
}

// configTrouble returns the problems of the config with their solutions.
func (at *Place) configTrouble(p *ledger.Project) []string {
	var list []string
	for _, err := range p.Problems() {
		text := words.Sentence(transcript.CleanLine(err.Error()))
		if ce, ok := errors.AsType[*ledger.ConfigError](err); ok {
			text = strings.TrimSpace(strings.Replace(text, transcript.CleanLine(ce.File), at.tilde(ce.File), 1) + " " + transcript.CleanLine(ce.Help))
		}
		list = append(list, text)
	}
	return list
}

// evidenceOf returns the results of the evidence checks, one slice for each decision.
func evidenceOf(l *Ledger) [][]ledger.Check {
	if l.Notes == nil {
		return nil
	}
	all := l.Notes.Decisions()
	found := make([][]ledger.Check, len(all))
	for i := range all {
		for k := range all[i].Evidence {
			found[i] = append(found[i], l.Evidence[BackingOf(&all[i].Evidence[k])])
		}
	}
	return found
}

// The limits of goneOf. git searches the history for each file, which is slow.
const (
	goneMost  = 8           // maximum number of files
	goneLimit = time.Second // time limit for all files
)

// goneOf returns the commits that deleted files in the evidence, as far as git finds them in time.
func goneOf(ctx context.Context, l *Ledger, ask func(ctx context.Context, root, path string) string) map[string]string {
	if l.Notes == nil || ask == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, goneLimit)
	defer cancel()
	gone := map[string]string{}
	all := l.Notes.Decisions()
	for i := range all {
		for k := range all[i].Evidence {
			e := &all[i].Evidence[k]
			if _, asked := gone[e.Ref.Path]; asked || len(gone) >= goneMost || l.Evidence[BackingOf(e)].Status != ledger.NoFile {
				continue
			}
			gone[e.Ref.Path] = ask(ctx, l.Project.Root, e.Ref.Path)
		}
	}
	return gone
}

// claimsMost is the limit of a trajectory file in bytes. A day has a few megabytes, but a file could be endless.
const claimsMost = 1 << 30

// claims reads the records that the gate needs. It returns the number of all trajectory files.
func (at *Place) claims(ctx context.Context, p *ledger.Project, f *gate.Facts, most int64) (files int) {
	trouble := func(path string, err error) {
		if f.TrajectoryTrouble == "" && ctx.Err() == nil {
			f.TrajectoryTrouble = "The trajectory " + at.tilde(path) + " cannot be read: " + trajectory.Reason(err) + "."
		}
	}
	if err := p.CheckDir(p.Trajectory); err != nil {
		trouble(p.Trajectory, err)
		return 0
	}
	all, err := trajectory.Files(p.Trajectory)
	if err != nil {
		trouble(p.Trajectory, err)
	}
	if path := trajectory.Odd(p.Trajectory, f.Agent, f.Day); path != "" {
		trouble(path, transcript.ErrNotRegular)
	}
	c, rest := gate.NewCollector(f.Judged, f.Day, f.Agent), gate.NewCollector("", f.Day, "")
	for i := range all {
		file := &all[i]
		into := c
		if !c.Wants(file) {
			if !rest.Wants(file) {
				continue
			}
			if agent := transcript.CleanLine(file.Agent); !slices.Contains(f.Others, agent) {
				f.Others = append(f.Others, agent)
			}
			into = rest
		}
		into.Open(file)
		stats, err := trajectory.Scan(ctx, p.Root, file.Path, trajectory.Options{Line: into.Line, Most: most}, func(r *trajectory.Record) bool {
			into.Record(r)
			return true
		})
		into.Shut(file, stats)
		if err != nil {
			trouble(file.Path, err)
		}
	}
	f.Claims, f.Unjudged = c.Claims(), rest.Claims()
	return len(all)
}

// gateReads is the time limit for reading a gate's session. 80 MB take 1 s.
const gateReads = 10 * time.Second

// gateSession returns the session of the handoff with the contents that the gate checks.
func (at *Place) gateSession(ctx context.Context, p *ledger.Project, ask *GateAsk) (gate.Session, error) {
	if ask.Session == nil {
		return gate.Session{}, nil
	}
	row, err := ask.Session(ctx, p.Root)
	if row == nil || err != nil {
		return gate.Session{}, err
	}
	type answer struct {
		s   gate.Session
		err error
	}
	a, ok := sessions.InTime(ctx, gateReads, func(ctx context.Context) answer {
		s, err := gate.ReadSession(ctx, row.Path, p)
		return answer{s, err}
	})
	switch {
	case ctx.Err() != nil:
		return gate.Session{}, ctx.Err()
	case !ok:
		a.s.Trouble = "The session " + sessions.ShortID(row.ID) + " was not read in time."
	case a.err != nil:
		a.s.Trouble = "The session " + at.tilde(row.Path) + " cannot be read: " + ledger.Reason(a.err) + "."
	}
	a.s.ID = row.ID
	return a.s, nil
}
