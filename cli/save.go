package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpSave = `
continuo save writes a session document from a transcript, into the .claude/memory of its project.

  --session SESSION         an id or its start, a title, or a path; else the newest session of this project
  --to PATH                 write it there; a directory gets it under its name
  --status STATUS           completed, in-progress or blocked; in-progress unless you say so
  --tag TAG                 a tag, once or more
  --dry-run                 the plan, and nothing else; with --json it has the text
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object

No model is asked. What was asked, changed, run, refused and left to do is quoted and counted; what only somebody who was
there can say is left open, in one line. Secrets of usual shapes are masked, others are not, and git does not ignore a
document: read it before you commit it. active-context.md is written first: its two lines of quotation, and a section of
continuo's own. Of a live session the document has what was said so far. continuo undo takes it back.

Exit: 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when there is no such session.
`

// saveAsk is what a document is to be made of.
type saveAsk struct {
	session, to, status string
	tags                []string
	dirs                []string // Claude config directories: to is in none
	line                string   // the command line of this run
	undo                string   // what takes it back
}

func newSaveCmd(env *Env, o *out.Output) *cobra.Command {
	var ask saveAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use:  "save",
		Long: helpSave,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo save --help"
			if len(args) > 0 {
				return out.Usage("save takes a session with --session, and not "+out.Quoted(args[0])+" alone.", hint)
			}
			if f := cmd.Flags(); f.Changed("session") && ask.session == "" || f.Changed("to") && ask.to == "" {
				return out.Usage("--session and --to take something, and this is empty. Is a variable not set?", hint)
			}
			if ask.status != "" && !slices.Contains(statuses(), ask.status) {
				return out.Usage("--status takes completed, in-progress or blocked, not "+out.Quoted(ask.status)+".", hint)
			}
			for _, t := range ask.tags {
				if name := transcript.CleanLine(t); name == "" || len([]rune(name)) > tagRunes || len(ask.tags) > tagsMost {
					return out.Usage("--tag takes a word or two, at most 20 times, not "+out.Quoted(t)+".", hint)
				}
			}
			ask.line, ask.undo = commandLine(cmd, args), env.undoLater()
			return saveCommand(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.session, "session", "", "")
	f.StringVar(&ask.to, "to", "", "")
	f.StringVar(&ask.status, "status", "", "")
	f.StringArrayVar(&ask.tags, "tag", nil, "")
	addWriteFlags(cmd, &w)
	return cmd
}

const (
	tagRunes = 60
	tagsMost = 20 // so that the front matter stays within its 4 KB
)

// statuses are those of spec 000.
func statuses() []string { return []string{"completed", "in-progress", "blocked"} }

func saveCommand(ctx context.Context, env *Env, o *out.Output, ask *saveAsk, w writeFlags) error {
	row, _, err := findSession(ctx, env, sessionArg{word: ask.session, latest: ask.session == ""})
	if err != nil {
		return err
	}
	conf, err := loadConfig(env)
	if err != nil {
		return err
	}
	ask.dirs, _ = searchDirs(env, conf)
	s, err := lookSave(ctx, env, &row, ask)
	if err != nil {
		return err
	}
	p := &deedPlan{line: ask.line, parts: s.parts, report: deedJSON{Action: "save", Document: s.report()}}
	if o.JSON && w.dryRun {
		p.report.Document.Text = string(s.request.Text)
	}
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		saved, but, err := saveDocument(ctx, env, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.report.Problems = append(p.report.Problems, but)
		}
		p.report.Document.Path, p.report.Made = saved.Path, []string{saved.Path}
		return []string{savedWords(env, saved), "To take it back: " + env.command("undo", s.id)}, nil
	})
}

// savedJSON is a session document that is saved, or would be.
type savedJSON struct {
	Path    string `json:"path"`
	Context string `json:"context"` // active-context.md, "" it is left as it is
	Session string `json:"session"`
	Bytes   int    `json:"bytes"`
	Text    string `json:"text,omitempty"` // with --dry-run
}

func (s *saving) report() *savedJSON {
	r := &savedJSON{Path: s.plan.Path, Context: s.plan.Context, Session: s.row.ID, Bytes: len(s.request.Text)}
	return r
}

// savedWords says what was saved.
func savedWords(env *Env, saved backup.SavedDocument) string {
	if saved.Context == "" {
		return "Saved " + env.tilde(saved.Path) + "; active-context.md was left as it is."
	}
	return "Saved " + env.tilde(saved.Path) + ", after active-context.md."
}

// saveDocument writes a document as it was planned. but is what went wrong besides.
func saveDocument(ctx context.Context, env *Env, s *saving) (saved backup.SavedDocument, but string, err error) {
	m, err := openMemory(env, s.project)
	if err != nil {
		return saved, "", err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	if err := m.Guard(); err != nil {
		but = out.Sentence(err.Error())
	}
	done, err := changeMemory(ctx, env, s.project, func(context.Context) (c change.Change, err error) {
		c, saved, err = m.PlanDocument(s.request)
		return c, err
	}, func(err error) error { return unkept(env, "What a save changes", err, "Nothing was saved.") })
	if err != nil {
		return saved, but, err
	}
	s.id = done.ID
	if but = joinSentences(but, lostBy(&done)); saved.Problem != nil {
		but = joinSentences(but, out.Sentence(saved.Problem.Error()))
	}
	return saved, but, nil
}

// changeMemory plans a change of the memory of a project anew, and carries it out. unkept explains why there is no journal.
func changeMemory(ctx context.Context, env *Env, project string, plan act.Plan, unkept func(error) error) (act.Done, error) {
	done, err := planOnly(ctx, env, plan)
	if kept, ok := errors.AsType[*act.NotKeptError](err); ok {
		return done, unkept(kept.Err)
	}
	return done, actFailure(env, err, "", func(err error) error { return memoryFailure(env, project, err) })
}

func joinSentences(a, b string) string { return strings.TrimSpace(a + " " + b) }

// planSave plans a document of the session that the browser asks for.
func (c browserChanges) planSave(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	rows := plan.Change.Rows
	if len(rows) != 1 {
		return nil, &out.Failure{What: "A document is written from one session. Choose it."}
	}
	s, err := lookSave(ctx, c.env, &rows[0], &saveAsk{undo: c.undoKey()})
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Save a document", render.Title(&rows[0]), "save"
	plan.Command = c.env.command("save", "--session", rows[0].ID)
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		saved, but, err := saveDocument(ctx, c.env, s)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: savedWords(c.env, saved) + " " + c.undoKey() + " takes it back.", But: but}, nil
	})
	return &deedPlan{parts: s.parts}, nil
}
