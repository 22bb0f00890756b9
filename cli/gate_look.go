package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// gateAgent is whose trajectory is looked at when nobody is named (fact sheet 002, grounding-check.sh).
const gateAgent = "implementing-tasks"

// gateAsk is which gate is run, and of what.
type gateAsk struct {
	dir     string // folder of the project
	full    bool
	agent   string // "" gateAgent
	day     string // 2026-02-06; "" today, local
	session string // of which the handoff is, as it is typed; "" the newest of the project
	most    int64  // bytes that are read of each file of the trajectory; 0 loggedMost
}

// gateLook is a run of the gate. It wrote nothing.
type gateLook struct {
	Report  gate.Report
	Project ledger.Project
	Handoff trajectory.Handoff // that a run of all steps appends
	File    string             // of the trajectory, that records are appended to
	Session gate.Session
	facts   gate.Facts
}

// lookGate runs the gate on the project of a folder, now. What could not be checked is said in the report; the error is that
// there is nothing to check, or of the folder, the session or ctx.
func lookGate(ctx context.Context, env *Env, ask gateAsk) (gateLook, error) {
	l, err := lookLedger(ctx, env, ask.dir, survey.LedgerHow{Evidence: true})
	if err != nil {
		return gateLook{}, err
	}
	p := &l.Project
	k := gateLook{Project: *p}
	f := &k.facts
	*f = gate.Facts{
		Mode: gate.Simplified, Now: env.now(), Config: p.Config, ConfigTrouble: gateConfig(env, p), ConfigUnsure: gateUnsure(p),
		Agent: ask.agent, Day: ask.day, NotesFile: p.Notes, Notes: l.Notes, NotesTrouble: l.Trouble, Evidence: evidenceOf(&l),
		Beads: l.Beads, BeadsTrouble: l.BeadsBad, Size: render.Size,
	}
	if ask.full {
		f.Mode = gate.Full
	}
	if f.Agent == "" {
		f.Agent = gateAgent
	}
	if f.Day == "" {
		f.Day = f.Now.Local().Format(time.DateOnly)
	}
	k.File = filepath.Join(p.Trajectory, trajectory.Name(f.Agent, f.Day))
	files := lookLogged(ctx, env, p, f, ask.most)
	if ctx.Err() != nil {
		return gateLook{}, ctx.Err()
	}
	if l.None && files == 0 && f.TrajectoryTrouble == "" && f.BeadsTrouble == "" {
		return gateLook{}, nothingToCheck(env, p)
	}
	if path, ok := env.host.BrProgram(); ok {
		f.BeadProgram = strings.TrimSuffix(filepath.Base(path), ".exe")
	}
	if ask.full { // before /compact it has to be quick
		f.Gone = goneSince(ctx, env, p, &l)
		if f.Session, err = gateSession(ctx, env, p, &ask); err != nil {
			return gateLook{}, err
		}
	}
	k.Report, k.Session = gate.Run(f), f.Session
	k.Handoff = f.Handoff(&k.Report, p.NotesName())
	return k, ctx.Err()
}

// nothingToCheck says that there is no ledger, and how one begins.
func nothingToCheck(env *Env, p *ledger.Project) error {
	return &failure{
		what:  "There is nothing to check in " + env.tilde(p.Root) + ": no NOTES.md, no beads, no trajectory. Note the first decision.",
		hints: []string{"continuo note decision --help", "continuo gate --project PATH   checks another project"},
	}
}

// gateUnsure reports whether something is wrong with what the gate goes by: its keys of the config, or where the ledger is.
// It may be stricter there than a default is.
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

// gateConfig says what is wrong with the config, and what would be right.
func gateConfig(env *Env, p *ledger.Project) []string {
	var said []string
	for _, err := range p.Problems() {
		text := sentence(transcript.CleanLine(err.Error()))
		if ce, ok := errors.AsType[*ledger.ConfigError](err); ok {
			text = strings.TrimSpace(strings.Replace(text, transcript.CleanLine(ce.File), env.tilde(ce.File), 1) + " " + transcript.CleanLine(ce.Help))
		}
		said = append(said, text)
	}
	return said
}

// evidenceOf is what was found at the evidence of all decisions, in their order.
func evidenceOf(l *survey.Ledger) [][]ledger.Check {
	if l.Notes == nil {
		return nil
	}
	all := l.Notes.Decisions()
	found := make([][]ledger.Check, len(all))
	for i := range all {
		for k := range all[i].Evidence {
			found[i] = append(found[i], l.Evidence[survey.BackingOf(&all[i].Evidence[k])])
		}
	}
	return found
}

// The bounds of goneSince: git walks the history for each file.
const (
	goneMost  = 8
	goneLimit = time.Second
)

// goneSince asks git which commits took away the files that evidence names. What it does not know in time is not said.
func goneSince(ctx context.Context, env *Env, p *ledger.Project, l *survey.Ledger) map[string]string {
	if l.Notes == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, goneLimit)
	defer cancel()
	gone := map[string]string{}
	all := l.Notes.Decisions()
	for i := range all {
		for k := range all[i].Evidence {
			e := &all[i].Evidence[k]
			if _, asked := gone[e.Ref.Path]; asked || len(gone) >= goneMost || l.Evidence[survey.BackingOf(e)].Status != ledger.NoFile {
				continue
			}
			out, err := env.host.Git(ctx, p.Root, "--literal-pathspecs", "log", "-1", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-renames",
				"--diff-filter=D", "--format=%h", "--", e.Ref.Path)
			if err != nil {
				out = ""
			}
			gone[e.Ref.Path] = strings.TrimSpace(out)
		}
	}
	return gone
}

// loggedMost is how much of a file of the trajectory the gate reads, in bytes. A day has some megabytes; this is for a file
// that is none, of holes without an end, and takes some seconds.
const loggedMost = 1 << 30

// lookLogged reads what the gate has to know of the trajectory. files is how many there are, of any agent and day.
func lookLogged(ctx context.Context, env *Env, p *ledger.Project, f *gate.Facts, most int64) (files int) {
	trouble := func(path string, err error) {
		if f.TrajectoryTrouble == "" && ctx.Err() == nil {
			f.TrajectoryTrouble = "The trajectory " + env.tilde(path) + " cannot be read: " + trajectoryReason(err) + "."
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
	for _, name := range trajectory.Names(f.Agent, f.Day) { // a link or a FIFO is no file of it, and not nothing
		path := filepath.Join(p.Trajectory, name)
		if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
			trouble(path, transcript.ErrNotRegular)
		}
	}
	c := gate.NewCollector(f.Agent, f.Day)
	for i := range all {
		file := &all[i]
		if !c.Wants(file) {
			if file.Day == f.Day && file.Agent != "" && file.Agent != trajectory.SystemAgent && !slices.Contains(f.Others, transcript.CleanLine(file.Agent)) {
				f.Others = append(f.Others, transcript.CleanLine(file.Agent))
			}
			continue
		}
		c.Open(file)
		stats, err := trajectory.Scan(ctx, p.Root, file.Path, trajectory.Options{Line: c.Line, Most: cmp.Or(most, loggedMost)}, func(r *trajectory.Record) bool {
			c.Record(r)
			return true
		})
		c.Shut(file, stats)
		if err != nil {
			trouble(file.Path, err)
		}
	}
	f.Claims = c.Claims()
	return len(all)
}

// trajectoryReason is an error of a trajectory in a few words.
func trajectoryReason(err error) string {
	switch {
	case errors.Is(err, trajectory.ErrPacked):
		return "its packing is damaged"
	case errors.Is(err, ledger.ErrOutside):
		return "it leads out of the project"
	case errors.Is(err, ledger.ErrTooLong):
		return "it is too long"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, transcript.ErrNotRegular):
		return "it is a link, or no file"
	}
	return reason(err)
}
