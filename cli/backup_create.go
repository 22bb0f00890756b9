package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpBackupCreate = `
continuo backup create SESSION… backs sessions up now, byte for byte, into the memory of their project.

  --missed                  every session that ended without a backup where backups are made
  --project PATH            with --missed: those of one project, or of every one below a directory
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup)

A SESSION is an id or its start, a title, or a path. Its project needs a .claude/memory: continuo init makes one. The
transcript is only read. The backup is pending until it is dealt with. Where a backup has the session as it is, byte for
byte, none is made.

Exit: 0 also when none was missed · 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when
there is no such session.
`

// The reasons of the backups that a person asks for, as their names say them.
const (
	reasonManual = "manual"
	reasonMissed = "missed"
)

func newBackupCreateCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	var missed bool
	cmd := &cobra.Command{
		Use:  "create",
		Long: helpBackupCreate,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo backup create --help"
			switch {
			case missed && len(args) > 0:
				return out.Usage("--missed takes no session: it backs up every one that was missed.", hint)
			case !missed && ask.project != "":
				return out.Usage("--project goes with --missed: a session has its own project.", hint)
			case !missed && len(args) == 0:
				return out.Usage("create takes a session: an id or its start, a title, a path, or --missed.", "continuo list   shows the ids", hint)
			}
			ask.words, ask.line = args, commandLine(cmd, args)
			return createBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	cmd.Flags().BoolVar(&missed, "missed", false, "")
	return cmd
}

// toCreate is a session and the folder whose memory is to have a backup of it.
type toCreate struct {
	row     sessions.Row
	project string
	marker  string // the name that its marker is going to have, as far as is known before
}

// createBackups backs up the sessions that are named, or those that were missed when none is.
func createBackups(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, w writeFlags) error {
	rows, err := sessionsToCreate(ctx, env, ask)
	if err != nil {
		return err
	}
	missed := len(ask.words) == 0
	p := &deedPlan{line: ask.line, report: deedJSON{Action: "create"}}
	found := map[string]*backup.Found{}
	var list []toCreate
	var same []string
	for _, row := range rows {
		project := memoryOf(ctx, env, &row)
		if project == "" && missed { // since it was listed
			p.report.Problems = append(p.report.Problems, "session "+row.ID+": its project has no .claude/memory any more")
			continue
		}
		if project == "" {
			return &out.Failure{
				What:  "The project of " + out.Quoted(render.Title(&row)) + " has no .claude/memory, so nothing is kept there. Set it up.",
				Facts: []string{env.tilde(row.Workdir)}, Hints: []string{"continuo init   in the project"},
			}
		}
		if found[project] == nil {
			f, _ := backup.Find(ctx, project, env.now().Location()) // what cannot be read keeps no backup from being made
			found[project] = &f
		}
		if info, err := os.Stat(row.Path); err == nil {
			row.Bytes = info.Size()
		}
		if b := backupOf(ctx, &row, found[project].Backups); b != nil {
			same = append(same, strings.TrimSuffix(baseName(b.Path), ".jsonl")+" of "+baseName(project))
			p.report.Kept = append(p.report.Kept, deedKept{b.Path, "identical"})
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		list = append(list, toCreate{row, project, markerFor(found[project])})
	}
	if len(list) == 0 && len(same) > 0 {
		return nothingToDo(o, p, "Nothing to do: "+sameText(same)+".")
	}
	if len(list) == 0 {
		return nothingToDo(o, p, "No session ended without a backup where backups are made.")
	}
	createPlan(p, list, same)
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) { return createAll(ctx, env, p, list) })
}

// backupOf is the backup that has every byte of a session, and no more; nil when there is none.
func backupOf(ctx context.Context, row *sessions.Row, among []backup.Backup) *backup.Backup {
	for i := range among {
		if isKept(ctx, row, among[i:i+1]) {
			return &among[i]
		}
	}
	return nil
}

// markerFor is the name of the marker that the next backup of a person gets (spec 000), and takes it.
func markerFor(f *backup.Found) string {
	const spec = ".pending-backup"
	for i := range f.Markers {
		m := &f.Markers[i]
		if filepath.Base(m.Path) == spec && m.State != backup.MarkerStale && m.State != backup.MarkerEmpty {
			return spec + "-" + string(backup.MarkerExit)
		}
	}
	f.Markers = append(f.Markers, backup.Marker{Path: spec, State: backup.MarkerValid})
	return spec
}

// sameText says which backups have a session as it is.
func sameText(names []string) string {
	if len(names) == 1 {
		return names[0] + " has the session as it is, byte for byte"
	}
	return firstOf(names) + " have the sessions as they are, byte for byte"
}

// sessionsToCreate are the sessions, each once.
func sessionsToCreate(ctx context.Context, env *Env, ask *backupAsk) ([]sessions.Row, error) {
	var rows []sessions.Row
	have := map[string]bool{}
	for _, name := range ask.words {
		row, _, err := findSession(ctx, env, sessionArg{word: name})
		switch {
		case err != nil:
			return nil, err
		case row.Kind != sessions.KindSession || memoryProject(row.Path) != "":
			return nil, &out.Failure{What: out.Quoted(name) + " is no session, but a copy or a document of one. Name a session.", Hints: []string{"continuo list   shows the ids"}}
		case !have[row.Path]:
			have[row.Path] = true
			rows = append(rows, row)
		}
	}
	if len(ask.words) > 0 {
		return rows, nil
	}
	opts, err := catalogOptions(env)
	if err != nil {
		return nil, err
	}
	all, problem := env.open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s := scope{}
	if ask.project != "" {
		if err := checkProject(ctx, env, &backupRows{rows: all}, ask.project); err != nil {
			return nil, err
		}
		s = scopeOf(ctx, env, all, listOptions{project: ask.project})
	}
	for i := range all {
		if s.holds(&all[i]) && all[i].Kind == sessions.KindSession && all[i].Has(sessions.FlagNoBackup) {
			rows = append(rows, all[i])
		}
	}
	if len(rows) == 0 {
		return nil, incomplete(problem, s)
	}
	return rows, nil
}

// createPlan draws what is going to be made.
func createPlan(p *deedPlan, list []toCreate, same []string) {
	var lines []change.Line
	var markers []string
	var bytes int64
	project := 0 // cells
	for _, c := range list {
		project = max(project, min(ansi.StringWidth(baseName(c.project)), planName)+2)
	}
	for _, c := range list {
		bytes += c.row.Bytes
		lines = append(lines, change.Line{
			Text:  render.Pad(shortID(c.row.ID), 10) + render.Pad(words.Cut(baseName(c.project), planName), project) + render.Title(&c.row),
			Right: words.Size(c.row.Bytes), Cut: true,
		})
		if m := c.marker + " in " + baseName(c.project); !slices.Contains(markers, m) {
			markers = append(markers, m)
		}
		p.report.Backups = append(p.report.Backups, deedBackup{Transcript: c.row.Path, Session: c.row.ID, Bytes: c.row.Bytes})
		p.report.Markers = append(p.report.Markers, filepath.Join(c.project, ".claude", "memory", c.marker))
	}
	of, offers, undo := ", a copy of a session in the memory of its project", " makes it pending: Claude offers it at its next start", "it"
	if len(list) > 1 {
		of, offers, undo = ", copies of sessions in the memory of their projects", " make them pending: Claude offers them at its next start", "one"
	}
	lines = append(lines, change.Line{Tone: change.Muted, Text: words.AndList(markers) + offers})
	p.add("Touched", append([]change.Line{{Text: out.Count(len(list), "new file") + ", " + words.Size(bytes) + of}}, lines...)...)
	stays := []change.Line{{Mark: change.Good, Text: "the transcripts are only read"}}
	if len(same) > 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: sameText(same)})
	}
	p.add("Stays", stays...)
	p.add("Undo", change.Line{Text: "continuo backup discard NAME moves " + undo + " to the trash."})
}

// createAll backs up one session after the other. One that has no byte yet is left out.
func createAll(ctx context.Context, env *Env, p *deedPlan, list []toCreate) (said []string, err error) {
	var made []backup.Saved
	said, err = createEach(ctx, env, p, list, &made)
	if lost := recordBackups(ctx, env, list, made); lost != "" {
		p.report.Problems = append(p.report.Problems, lost)
	}
	return said, err
}

func createEach(ctx context.Context, env *Env, p *deedPlan, list []toCreate, made *[]backup.Saved) (said []string, err error) {
	p.report.Markers = nil // they are what was planned
	name := ""
	for i := range list {
		c := &list[i]
		saved, err := saveOne(ctx, env, c)
		switch {
		case errors.Is(err, backup.ErrNothing):
			p.report.Problems = append(p.report.Problems, "session "+c.row.ID+": there is nothing in it to back up")
			continue
		case err != nil:
			return said, after(memoryFailure(env, c.project, err), said)
		}
		*made = append(*made, saved)
		for _, problem := range saved.Problems {
			p.report.Problems = append(p.report.Problems, problem.Error())
		}
		p.report.Backups[i].Path, p.report.Backups[i].Bytes = saved.Path, saved.Bytes
		p.report.Made = append(p.report.Made, saved.Path)
		if saved.Marker != "" {
			p.report.Markers = append(p.report.Markers, saved.Marker)
		}
		name = strings.TrimSuffix(saved.Name, ".jsonl")
		said = append(said, "Backed up "+shortID(c.row.ID)+" of "+baseName(c.project)+": "+out.CleanPath(saved.Name))
	}
	switch len(said) {
	case 0:
	case 1:
		said = append(said, "To take it back: "+env.command("backup", "discard", name))
	default:
		said = append(said, "To take one back: "+env.command("backup", "discard")+" NAME")
	}
	return said, nil
}

// recordBackups tells the journal which backups were made. The answer is a sentence where it could not be told; a backup that
// it doesn't know of is pending all the same.
func recordBackups(ctx context.Context, env *Env, list []toCreate, made []backup.Saved) string {
	if len(made) == 0 {
		return ""
	}
	c := change.Change{Kind: string(journal.Backup), What: backedUp(list, len(made))}
	for i := range list {
		c.Where = append(c.Where, list[i].project)
	}
	for i := range made {
		c.Ops = append(c.Ops, made[i].Op())
	}
	_, err := actStore(env).Record(ctx, &c)
	return lostBy(&act.Done{Lost: err})
}

// backedUp says what n backups of some sessions are.
func backedUp(list []toCreate, n int) string {
	if len(list) == 1 {
		return "Backed up " + words.Cut(render.Title(&list[0].row), titleCells)
	}
	return "Backed up " + out.Count(n, "session")
}

// saveOne makes a backup.
func saveOne(ctx context.Context, env *Env, c *toCreate) (backup.Saved, error) {
	m, err := backup.OpenMemory(c.project)
	if err != nil {
		return backup.Saved{}, err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	return m.Save(ctx, backup.Request{
		Transcript: c.row.Path, By: backup.ByPerson, Reason: reasonFor(&c.row), SessionID: c.row.ID, At: env.now(),
	})
}

// after adds to a failure what was done before it.
func after(err error, said []string) error {
	f := out.AsFailure(err)
	if len(said) > 0 {
		f.Facts = append(append(f.Facts, "What was done before that:"), said...)
	}
	return f
}
