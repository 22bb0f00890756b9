package handing

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// SaveAsk has the arguments of continuo save.
type SaveAsk struct {
	session, To, status string
	tags                []string
	Dirs                []string // Claude config directories; To must be outside
	line                string   // the command line
}

// NewSaveCmd returns the command continuo save.
func NewSaveCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask SaveAsk
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "save",
		Short: "Save a session document from a transcript",
		Long: `Save a session document from a transcript in .claude/memory of its project: the handover
of the session, written only into the document and active-context.md. It quotes and
counts; no model is used. Known secret formats are masked, others may remain: read the
document before you commit it.

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
			if ask.status != "" && !slices.Contains(statuses(), ask.status) {
				return out.Usage("--status takes completed, in-progress or blocked, not "+out.Quoted(ask.status)+".", hint)
			}
			for _, t := range ask.tags {
				if name := transcript.CleanLine(t); name == "" || len([]rune(name)) > tagRunes || len(ask.tags) > tagsMost {
					return out.Usage("--tag takes a word or two, at most 20 times, not "+out.Quoted(t)+".", hint)
				}
			}
			ask.line = writing.CommandLine(cmd, args)
			return saveCommand(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.session, "session", "", "save this `SESSION` (default the newest of this project)")
	f.StringVar(&ask.To, "to", "", "write to `PATH`, a file or a directory")
	f.StringVar(&ask.status, "status", "", "`STATUS` of the work: completed, in-progress or blocked (default in-progress)")
	f.StringArrayVar(&ask.tags, "tag", nil, "add a `TAG`; repeat for several")
	writing.AddFlags(cmd, &w)
	find.CompleteFlag(cmd, "status", statuses()...)
	return cmd
}

const (
	tagRunes = 60
	tagsMost = 20 // keeps the front matter below 4 KB
)

// statuses returns the statuses of spec 000.
func statuses() []string { return []string{"completed", "in-progress", "blocked"} }

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
	s, err := PlanSave(ctx, env, &row, ask)
	if err != nil {
		return err
	}
	p := s.Plan(env, env.UndoLater(), false)
	p.Line, p.Report = ask.line, writing.Report{Action: "save", Document: s.saved()}
	if o.JSON && w.DryRun {
		p.Report.Document.Text = string(s.write(stores.Document).After)
	}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		_, but, err := s.Write(ctx, env)
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if err != nil {
			return nil, err
		}
		p.Report.Document = s.saved()
		p.Report.Made = []string{p.Report.Document.Path}
		return []string{s.Saved(env), "To undo: " + env.Command("undo", s.ID)}, nil
	})
}

// PlanSave plans to write a session's handover into a document and into active-context.md.
func PlanSave(ctx context.Context, env *place.Env, row *sessions.Row, ask *SaveAsk) (*Planned, error) {
	name := out.Quoted(render.Title(row))
	if row.Kind != sessions.KindSession || place.MemoryProject(row.Path) != "" {
		return nil, &out.Failure{What: name + " is a backup or document, not a session. Name a session.", Hints: []string{"continuo list   shows the IDs"}}
	}
	project := backups.MemoryOf(ctx, env, row)
	if project == "" {
		return nil, &out.Failure{
			What:  "The project of " + name + " has no .claude/memory. Create it.",
			Facts: []string{env.Tilde(row.Workdir)}, Hints: []string{"continuo init   in the project"},
		}
	}
	l, err := LookAt(ctx, env, project, row)
	if err == nil {
		err = l.unread
	}
	if err != nil {
		return nil, err
	}
	l.Place.Memory, l.Place.Known.Tags = project, ask.tags
	if ask.status != "" {
		l.Value.Outcome = ask.status
	}
	if ask.To != "" {
		to := env.Abs(ask.To)
		if os.IsPathSeparator(ask.To[len(ask.To)-1]) {
			to += string(filepath.Separator)
		}
		if l.Place.To, err = backup.CheckDocumentPath(to, l.Place.At, ask.Dirs); err != nil {
			return nil, documentPathFailure(env, err)
		}
	}
	if doc := savedBefore(ctx, env, row, project); doc != "" {
		l.but = append(l.but, doc+" is from this session, and there are no newer messages")
	}
	return l.Plan(ctx, env, l.Value, []stores.Name{stores.Context, stores.Document})
}

// Saved says where the document is.
func (k *Planned) Saved(env *place.Env) string {
	r := k.saved()
	if r.Context == "" {
		return "Saved " + env.Tilde(r.Path) + "; active-context.md is unchanged."
	}
	return "Saved " + env.Tilde(r.Path) + ", after active-context.md."
}

// write returns the planned write of a store.
func (k *Planned) write(name stores.Name) *stores.Write {
	return &k.Writes[slices.IndexFunc(k.Writes, func(w stores.Write) bool { return w.Store == name })]
}

// saved describes a save for programs.
func (k *Planned) saved() *writing.Saved {
	context, doc := k.write(stores.Context), k.write(stores.Document)
	r := &writing.Saved{Path: doc.Path, Context: context.Path, Session: k.look.Row.ID, Bytes: len(doc.After)}
	if context.Problem != nil {
		r.Context = ""
	}
	return r
}

func documentPathFailure(env *place.Env, err error) error {
	if taken, ok := errors.AsType[*backup.TakenError](err); ok {
		return &out.Failure{What: "The file " + env.Tilde(taken.Paths[0]) + " already exists. Name another one with --to.", Cause: err}
	}
	if errors.Is(err, backup.ErrNoDocumentPlace) {
		_, why, _ := strings.Cut(err.Error(), backup.ErrNoDocumentPlace.Error()+": ")
		return &out.Failure{What: "A document can't be written there: " + why + ". Name a .md file in a directory for notes.", Cause: err}
	}
	return &out.Failure{What: "No document can be written there: " + out.Reason(err) + ". Name a file in an existing directory.", Cause: err}
}

// savedBefore returns the name of the session's newest document if it has the last message, else "".
func savedBefore(ctx context.Context, env *place.Env, row *sessions.Row, project string) string {
	list := survey.DocumentsOf(ctx, project, env.Now())
	i := slices.IndexFunc(list, func(doc document.Document) bool {
		return doc.Kind == document.KindSession && doc.Session != "" && doc.Session == row.ID
	})
	if i < 0 || row.Last.IsZero() || row.Last.After(list[i].Date) {
		return ""
	}
	return filepath.Base(list[i].Path)
}
