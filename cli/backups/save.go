package backups

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/transcript"
)

// SaveAsk has the arguments of continuo save.
type SaveAsk struct {
	session, To, status string
	tags                []string
	Dirs                []string // Claude config directories, in which To must not be
	line                string   // the command line of this run
	Undo                string   // the command that undoes the save
}

// NewSaveCmd returns the command continuo save.
func NewSaveCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask SaveAsk
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "save",
		Short: "Save a session document from a transcript",
		Long: `Save a session document from a transcript in .claude/memory of its project. It quotes
and counts what was asked, changed, run, refused and left to do; no model is used. Known
secret formats are masked, others may remain: read it before you commit it. The save
also updates active-context.md.

Exit codes: 1 you said no, 2 an error or there is no terminal to ask in, 3 no such
session.`,
		Example: `  continuo save --dry-run
  continuo save --session 3f9ac1e0 --status completed --tag auth`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo save --help"
			if len(args) > 0 {
				return out.Usage("save takes no argument "+out.Quoted(args[0])+". Name the session with --session.", hint)
			}
			if f := cmd.Flags(); f.Changed("session") && ask.session == "" || f.Changed("to") && ask.To == "" {
				return out.Usage("--session and --to need a value. Is a variable unset?", hint)
			}
			if ask.status != "" && !slices.Contains(Statuses(), ask.status) {
				return out.Usage("--status takes completed, in-progress or blocked, not "+out.Quoted(ask.status)+".", hint)
			}
			for _, t := range ask.tags {
				if name := transcript.CleanLine(t); name == "" || len([]rune(name)) > tagRunes || len(ask.tags) > tagsMost {
					return out.Usage("--tag takes a word or two, at most 20 times, not "+out.Quoted(t)+".", hint)
				}
			}
			ask.line, ask.Undo = writing.CommandLine(cmd, args), env.UndoLater()
			return saveCommand(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.session, "session", "", "save this `SESSION` (default the newest of this project)")
	f.StringVar(&ask.To, "to", "", "write to `PATH`, a file or a directory")
	f.StringVar(&ask.status, "status", "", "`STATUS` of the work: completed, in-progress or blocked (default in-progress)")
	f.StringArrayVar(&ask.tags, "tag", nil, "add a `TAG`; repeat for several")
	writing.AddFlags(cmd, &w)
	find.CompleteFlag(cmd, "status", Statuses()...)
	return cmd
}

const (
	tagRunes = 60
	tagsMost = 20 // with this many tags, the front matter stays below its limit of 4 KB
)

// Statuses returns the statuses of spec 000.
func Statuses() []string { return []string{"completed", "in-progress", "blocked"} }

func saveCommand(ctx context.Context, env *place.Env, o *out.Output, ask *SaveAsk, w writing.Flags) error {
	row, _, err := find.Session(ctx, env, find.SessionArg{Word: ask.session, Latest: ask.session == ""})
	if err != nil {
		return err
	}
	conf, err := place.LoadConfig(env)
	if err != nil {
		return err
	}
	ask.Dirs, _ = place.SearchDirs(env, conf)
	s, err := LookSave(ctx, env, &row, ask)
	if err != nil {
		return err
	}
	p := &writing.Plan{Line: ask.line, Parts: s.Parts, Report: writing.Report{Action: "save", Document: s.report()}}
	if o.JSON && w.DryRun {
		p.Report.Document.Text = string(s.Request.Text)
	}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		saved, but, err := SaveDocument(ctx, env, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		p.Report.Document.Path, p.Report.Made = saved.Path, []string{saved.Path}
		return []string{SavedWords(env, saved), "To undo: " + env.Command("undo", s.id)}, nil
	})
}

func (s *saving) report() *writing.Saved {
	r := &writing.Saved{Path: s.plan.Path, Context: s.plan.Context, Session: s.row.ID, Bytes: len(s.Request.Text)}
	return r
}

// SavedWords returns a text that describes the saved document.
func SavedWords(env *place.Env, saved backup.SavedDocument) string {
	if saved.Context == "" {
		return "Saved " + env.Tilde(saved.Path) + "; active-context.md is unchanged."
	}
	return "Saved " + env.Tilde(saved.Path) + ", after active-context.md."
}

// SaveDocument writes the document of the plan. but is a warning; "" if there is none.
func SaveDocument(ctx context.Context, env *place.Env, s *saving) (saved backup.SavedDocument, but string, err error) {
	m, err := openMemory(env, s.project)
	if err != nil {
		return saved, "", err
	}
	defer func() { _ = m.Close() }() // everything that was written is already synced
	if err := m.Guard(); err != nil {
		but = out.Sentence(err.Error())
	}
	done, err := changeMemory(ctx, env, s.project, func(context.Context) (c change.Change, err error) {
		c, saved, err = m.PlanDocument(s.Request)
		return c, err
	}, func(err error) error { return writing.Unkept(env, "a save", err, "Nothing was saved.") })
	if err != nil {
		return saved, but, err
	}
	s.id = done.ID
	if but = out.JoinSentences(but, writing.LostBy(&done)); saved.Problem != nil {
		but = out.JoinSentences(but, out.Sentence(saved.Problem.Error()))
	}
	return saved, but, nil
}

// changeMemory calls plan, and carries out the change that plan returns. The change is one of the memory of a
// project. If the journal can't be written, unkept converts the error.
func changeMemory(ctx context.Context, env *place.Env, project string, plan act.Plan, unkept func(error) error) (act.Done, error) {
	done, err := writing.Do(ctx, env, plan)
	if kept, ok := errors.AsType[*act.NotKeptError](err); ok {
		return done, unkept(kept.Err)
	}
	return done, writing.Failure(env, err, "", func(err error) error { return MemoryFailure(env, project, err) })
}
