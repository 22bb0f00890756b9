package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpBackupCreate = `
continuo backup create SESSION… backs sessions up now, byte for byte, into the memory of their project.

  --missed                  every session that ended without a backup where backups are made
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object

A SESSION is an id or its start, a title, or a path. Its project needs a .claude/memory: continuo init makes one. The
transcript is only read. The backup is pending until it is dealt with.

Exit: 0 also when none was missed · 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when
there is no such session.
`

// The reasons of the backups that a person asks for, as their names say them.
const (
	reasonManual = "manual"
	reasonMissed = "missed"
)

func newBackupCreateCmd(d *deps, g *globals) *cobra.Command {
	var w writeFlags
	var missed bool
	cmd := &cobra.Command{
		Use: "create",
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo backup create --help"
			switch {
			case missed && len(args) > 0:
				return usage("--missed is all that were missed, and "+quoted(args[0])+" one of them, or another. Say one of the two.", hint)
			case !missed && len(args) == 0:
				return usage("create takes a session: an id or its start, a title, a path, or --missed.", "continuo list   shows the ids", hint)
			}
			return d.createBackups(cmd.Context(), g, args, commandLine(cmd, args), w)
		},
	}
	addWriteFlags(cmd, &w)
	cmd.Flags().BoolVar(&missed, "missed", false, "")
	return cmd
}

// toCreate is a session and the folder whose memory is to have a backup of it.
type toCreate struct {
	row     sessions.Row
	project string
}

// createBackups backs up the sessions that are named, or those that were missed when none is.
func (d *deps) createBackups(ctx context.Context, g *globals, names []string, line string, w writeFlags) error {
	rows, err := d.sessionsToCreate(ctx, g, names)
	if err != nil {
		return err
	}
	why := reasonManual
	if len(names) == 0 {
		why = reasonMissed
	}
	p := &deedPlan{line: line, report: deedJSON{Action: "create"}}
	var list []toCreate
	for _, row := range rows {
		project := d.memoryOf(ctx, &row)
		if project == "" && why == reasonMissed { // since it was listed
			p.report.Problems = append(p.report.Problems, "session "+row.ID+": its project has no .claude/memory any more")
			continue
		}
		if project == "" {
			return &failure{
				what:  "The project of " + quoted(render.Title(&row)) + " has no .claude/memory, so nothing is kept there. Set it up.",
				facts: []string{d.tilde(row.Workdir)}, hints: []string{"continuo init   in the project"},
			}
		}
		list = append(list, toCreate{row, project})
	}
	if len(list) == 0 {
		return d.nothingToDo(g, p, "No session ended without a backup where backups are made.")
	}
	d.createPlan(p, list)
	return d.proceed(ctx, g, w, p, func(ctx context.Context) ([]string, error) { return d.create(ctx, p, list, why) })
}

// sessionsToCreate are the sessions, each once.
func (d *deps) sessionsToCreate(ctx context.Context, g *globals, names []string) ([]sessions.Row, error) {
	var rows []sessions.Row
	have := map[string]bool{}
	for _, name := range names {
		row, _, err := d.find(ctx, g, sessionArg{word: name})
		switch {
		case err != nil:
			return nil, err
		case row.Kind != sessions.KindSession || memoryProject(row.Path) != "":
			return nil, &failure{what: quoted(name) + " is no session, but a copy or a document of one. Name a session.", hints: []string{"continuo list   shows the ids"}}
		case !have[row.Path]:
			have[row.Path] = true
			rows = append(rows, row)
		}
	}
	if len(names) > 0 {
		return rows, nil
	}
	opts, err := d.catalogOptions(g)
	if err != nil {
		return nil, err
	}
	all, problem := d.open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range all {
		if all[i].Kind == sessions.KindSession && all[i].Has(sessions.FlagNoBackup) {
			rows = append(rows, all[i])
		}
	}
	if len(rows) == 0 && problem != nil {
		return nil, incomplete(problem)
	}
	return rows, nil
}

// createPlan draws what is going to be made.
func (d *deps) createPlan(p *deedPlan, list []toCreate) {
	var lines []planLine
	var bytes int64
	project := 0 // cells
	for _, c := range list {
		project = max(project, min(ansi.StringWidth(baseName(c.project)), planName)+2)
	}
	for _, c := range list {
		bytes += c.row.Bytes
		lines = append(lines, planLine{
			text:  render.Pad(shortID(c.row.ID), 10) + render.Pad(baseName(c.project), project) + render.Cut(render.Title(&c.row), 50),
			right: render.Size(c.row.Bytes),
		})
		p.report.Backups = append(p.report.Backups, deedBackup{Path: c.row.Path, Session: c.row.ID, Bytes: c.row.Bytes})
	}
	of := ", a copy of a session in the memory of its project"
	if len(list) > 1 {
		of = ", copies of sessions in the memory of their projects"
	}
	p.add("Touched", append([]planLine{{text: count(len(list), "new file") + ", " + render.Size(bytes) + of}}, lines...)...)
	p.add("Stays", planLine{glyph: render.Span{Ink: render.Good, Text: "✓"}, text: "the transcripts are only read"})
	p.add("Undo", planLine{text: "continuo backup discard moves a backup to the trash."})
}

// create backs up one session after the other. One that has no byte yet is left out.
func (d *deps) create(ctx context.Context, p *deedPlan, list []toCreate, why string) (said []string, err error) {
	for _, c := range list {
		saved, err := d.save(ctx, &c, why)
		switch {
		case errors.Is(err, backup.ErrNothing):
			p.report.Problems = append(p.report.Problems, "session "+c.row.ID+": there is nothing in it to back up")
			continue
		case err != nil:
			return said, after(d.memoryFailure(c.project, err), said)
		}
		for _, problem := range saved.Problems {
			p.report.Problems = append(p.report.Problems, problem.Error())
		}
		p.report.Made = append(p.report.Made, saved.Path)
		if saved.Marker != "" {
			p.report.Markers = append(p.report.Markers, saved.Marker)
		}
		said = append(said, "Backed up "+shortID(c.row.ID)+" of "+baseName(c.project)+": "+cleanPath(filepath.Base(saved.Path)))
	}
	return said, nil
}

func (d *deps) save(ctx context.Context, c *toCreate, why string) (backup.Saved, error) {
	m, err := backup.OpenMemory(c.project)
	if err != nil {
		return backup.Saved{}, err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	return m.Save(ctx, backup.Request{
		Transcript: c.row.Path, By: backup.ByPerson, Reason: why, SessionID: c.row.ID, At: d.now(),
	})
}
