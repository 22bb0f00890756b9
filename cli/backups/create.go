// Package backups implements the backup commands and the command save. It also stages recoveries.
package backups

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// Reasons of backups that a person makes, as part of the backup's name.
const (
	reasonManual = "manual"
	ReasonMissed = "missed"
)

// NewCreateCmd returns the command continuo backup create.
func NewCreateCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	var missed bool
	cmd := &cobra.Command{
		Use:   "create SESSION...",
		Short: "Back up sessions now",
		Long: `Back up sessions into the memory of their project, byte for byte. The project needs
.claude/memory: continuo init creates it. A session with an identical backup gets no
second one. The backup is pending until you restore, keep or discard it.

Exit codes: 0 done, or nothing was missed; 1 you said no; 2 an error, or there is no
terminal to ask in; 3 no such session.`,
		Example: `  continuo backup create 3f9ac1e0
  continuo backup create --missed --yes`,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return find.SessionsFor(cmd.Context(), env, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo backup create --help"
			switch {
			case missed && len(args) > 0:
				return out.Usage("--missed takes no session: it backs up every session without a backup.", hint)
			case !missed && ask.Project != "":
				return out.Usage("--project needs --missed: a named session has its own project.", hint)
			case !missed && len(args) == 0:
				return out.Usage("create takes a session: an ID or ID prefix, a title, a path, or --missed.", "continuo list   shows the IDs", hint)
			}
			ask.Words, ask.Line = args, writing.CommandLine(cmd, args)
			return createBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	cmd.Flags().StringVar(&ask.Project, "project", "", "with --missed: only projects at or below `PATH`")
	find.CompleteFolder(cmd, "project")
	writing.AddFlags(cmd, &w)
	cmd.Flags().BoolVar(&missed, "missed", false, "back up every session that ended without a backup")
	return cmd
}

// ToCreate is a session to back up, and the folder whose memory gets the backup.
type ToCreate struct {
	Row     sessions.Row
	Project string
	marker  string // expected name of the marker
}

// createBackups backs up the named sessions. With --missed, these are all that ended without a backup.
func createBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags) error {
	rows, err := sessionsToCreate(ctx, env, ask)
	if err != nil {
		return err
	}
	missed := len(ask.Words) == 0
	p := &writing.Plan{Line: ask.Line, Report: writing.Report{Action: "create"}}
	found := map[string]*backup.Found{}
	var list []ToCreate
	var same []string
	for _, row := range rows {
		project := MemoryOf(ctx, env, &row)
		if project == "" && missed { // the memory was removed after the listing
			p.Report.Problems = append(p.Report.Problems, "session "+row.ID+": its project has no .claude/memory any more")
			continue
		}
		if project == "" {
			return &out.Failure{
				What:  "The project of " + out.Quoted(render.Title(&row)) + " has no .claude/memory. Create it.",
				Facts: []string{env.Tilde(row.Workdir)}, Hints: []string{"continuo init   in the project"},
			}
		}
		if found[project] == nil {
			// An unreadable backup doesn't prevent a new one.
			f, _ := backup.Find(ctx, project, env.Now().Location())
			found[project] = &f
		}
		if info, err := os.Stat(row.Path); err == nil {
			row.Bytes = info.Size()
		}
		if b := backupOf(ctx, &row, found[project].Backups); b != nil {
			same = append(same, strings.TrimSuffix(place.BaseName(b.Path), ".jsonl")+" of "+place.BaseName(project))
			p.Report.Kept = append(p.Report.Kept, writing.ReportedKept{Path: b.Path, Reason: "identical"})
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		list = append(list, ToCreate{row, project, markerFor(found[project])})
	}
	if len(list) == 0 && len(same) > 0 {
		return nothingToDo(o, p, "Nothing to do: "+sameText(same)+".")
	}
	if len(list) == 0 {
		return nothingToDo(o, p, "No session ended without a backup in the projects with .claude/memory.")
	}
	createPlan(p, list, same)
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) { return createAll(ctx, env, p, list) })
}

// backupOf returns a backup that is identical to the session, or nil.
func backupOf(ctx context.Context, row *sessions.Row, among []backup.Backup) *backup.Backup {
	for i := range among {
		if IsKept(ctx, row, among[i:i+1]) {
			return &among[i]
		}
	}
	return nil
}

// markerFor returns the name of the next marker for a requested backup (spec 000), and reserves it in f.
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

// sameText says which backups are identical to their sessions.
func sameText(names []string) string {
	if len(names) == 1 {
		return names[0] + " is identical to the session"
	}
	return writing.FirstOf(names) + " are identical to their sessions"
}

// sessionsToCreate returns the sessions to back up, without duplicates.
func sessionsToCreate(ctx context.Context, env *place.Env, ask *Ask) ([]sessions.Row, error) {
	var rows []sessions.Row
	have := map[string]bool{}
	for _, name := range ask.Words {
		row, _, err := find.Session(ctx, env, find.SessionArg{Word: name})
		switch {
		case err != nil:
			return nil, err
		case row.Kind != sessions.KindSession || place.MemoryProject(row.Path) != "":
			return nil, &out.Failure{What: out.Quoted(name) + " is a backup or document, not a session. Name a session.", Hints: []string{"continuo list   shows the IDs"}}
		case !have[row.Path]:
			have[row.Path] = true
			rows = append(rows, row)
		}
	}
	if len(ask.Words) > 0 {
		return rows, nil
	}
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	all, problem := env.Open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s := find.Scope{}
	if ask.Project != "" {
		if err := checkProject(ctx, env, &Rows{Rows: all}, ask.Project); err != nil {
			return nil, err
		}
		s = find.ScopeOf(ctx, env, all, find.Options{Project: ask.Project})
	}
	for i := range all {
		if s.Holds(&all[i]) && all[i].Kind == sessions.KindSession && all[i].Has(sessions.FlagNoBackup) {
			rows = append(rows, all[i])
		}
	}
	if len(rows) == 0 {
		return nil, find.Incomplete(problem, s)
	}
	return rows, nil
}

// createPlan adds the new backups to the plan.
func createPlan(p *writing.Plan, list []ToCreate, same []string) {
	var lines []change.Line
	var markers []string
	var bytes int64
	project := 0 // in cells
	for _, c := range list {
		project = max(project, min(ansi.StringWidth(place.BaseName(c.Project)), writing.PlanName)+2)
	}
	for _, c := range list {
		bytes += c.Row.Bytes
		lines = append(lines, change.Line{
			Text:  render.Pad(place.ShortID(c.Row.ID), 10) + render.Pad(words.Cut(place.BaseName(c.Project), writing.PlanName), project) + render.Title(&c.Row),
			Right: words.Size(c.Row.Bytes), Cut: true,
		})
		if m := c.marker + " in " + place.BaseName(c.Project); !slices.Contains(markers, m) {
			markers = append(markers, m)
		}
		p.Report.Backups = append(p.Report.Backups, writing.ReportedBackup{Transcript: c.Row.Path, Session: c.Row.ID, Bytes: c.Row.Bytes})
		p.Report.Markers = append(p.Report.Markers, filepath.Join(c.Project, ".claude", "memory", c.marker))
	}
	of, offers, undo := ", in the memory of the session's project", " makes the backup pending: Claude offers it at the next start", "it"
	if len(list) > 1 {
		of, offers, undo = ", in the memories of the sessions' projects", " make the backups pending: Claude offers them at the next start", "one"
	}
	lines = append(lines, change.Line{Tone: change.Muted, Text: words.AndList(markers) + offers})
	p.Add("Touched", append([]change.Line{{Text: out.Count(len(list), "new file") + ", " + words.Size(bytes) + of}}, lines...)...)
	stays := []change.Line{{Mark: change.Good, Text: "the transcripts are only read"}}
	if len(same) > 0 {
		stays = append(stays, change.Line{Mark: change.Note, Text: sameText(same)})
	}
	p.Add("Stays", stays...)
	p.Add("Undo", change.Line{Text: "continuo backup discard NAME moves " + undo + " to the trash."})
}

// createAll backs up the sessions in order, except empty ones. It returns messages about the result.
func createAll(ctx context.Context, env *place.Env, p *writing.Plan, list []ToCreate) (messages []string, err error) {
	var made []backup.Saved
	messages, err = createEach(ctx, env, p, list, &made)
	if lost := Record(ctx, env, list, made); lost != "" {
		p.Report.Problems = append(p.Report.Problems, lost)
	}
	return messages, err
}

func createEach(ctx context.Context, env *place.Env, p *writing.Plan, list []ToCreate, made *[]backup.Saved) (messages []string, err error) {
	p.Report.Markers = nil // replaced by the created markers
	name := ""
	for i := range list {
		c := &list[i]
		saved, err := SaveOne(ctx, env, c)
		switch {
		case errors.Is(err, backup.ErrNothing):
			p.Report.Problems = append(p.Report.Problems, "session "+c.Row.ID+": it is empty, so there is nothing to back up")
			continue
		case err != nil:
			return messages, after(MemoryFailure(env, c.Project, err), messages)
		}
		*made = append(*made, saved)
		for _, problem := range saved.Problems {
			p.Report.Problems = append(p.Report.Problems, problem.Error())
		}
		p.Report.Backups[i].Path, p.Report.Backups[i].Bytes = saved.Path, saved.Bytes
		p.Report.Made = append(p.Report.Made, saved.Path)
		if saved.Marker != "" {
			p.Report.Markers = append(p.Report.Markers, saved.Marker)
		}
		name = strings.TrimSuffix(saved.Name, ".jsonl")
		messages = append(messages, "Backed up "+place.ShortID(c.Row.ID)+" of "+place.BaseName(c.Project)+": "+out.CleanPath(saved.Name))
	}
	switch len(messages) {
	case 0:
	case 1:
		messages = append(messages, "To undo: "+env.Command("backup", "discard", name))
	default:
		messages = append(messages, "To undo one: "+env.Command("backup", "discard")+" NAME")
	}
	return messages, nil
}

// Record adds the backups to the journal. If the journal can't be written, it returns a warning, otherwise "".
// The backups stay pending.
func Record(ctx context.Context, env *place.Env, list []ToCreate, made []backup.Saved) string {
	if len(made) == 0 {
		return ""
	}
	c := change.Change{Kind: string(journal.Backup), What: backedUp(list, len(made))}
	for i := range list {
		c.Where = append(c.Where, list[i].Project)
	}
	for i := range made {
		c.Ops = append(c.Ops, made[i].Op())
	}
	_, err := writing.Store(env).Record(ctx, &c)
	return writing.LostBy(&act.Done{Lost: err})
}

// backedUp describes the backup of n sessions.
func backedUp(list []ToCreate, n int) string {
	if len(list) == 1 {
		return "Backed up " + words.Cut(render.Title(&list[0].Row), titleCells)
	}
	return "Backed up " + out.Count(n, "session")
}

// SaveOne creates one backup.
func SaveOne(ctx context.Context, env *place.Env, c *ToCreate) (backup.Saved, error) {
	m, err := backup.OpenMemory(c.Project)
	if err != nil {
		return backup.Saved{}, err
	}
	defer func() { _ = m.Close() }() // all is synced
	return m.Save(ctx, backup.Request{
		Transcript: c.Row.Path, By: backup.ByPerson, Reason: reasonFor(&c.Row), SessionID: c.Row.ID, At: env.Now(),
	})
}

// after adds the completed steps to an error.
func after(err error, messages []string) error {
	f := out.AsFailure(err)
	if len(messages) > 0 {
		f.Facts = append(append(f.Facts, "Completed before the failure:"), messages...)
	}
	return f
}
