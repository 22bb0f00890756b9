package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
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

func newSaveCmd(d *deps, g *globals) *cobra.Command {
	var ask saveAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use: "save",
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo save --help"
			if len(args) > 0 {
				return usage("save takes a session with --session, and not "+quoted(args[0])+" alone.", hint)
			}
			if f := cmd.Flags(); f.Changed("session") && ask.session == "" || f.Changed("to") && ask.to == "" {
				return usage("--session and --to take something, and this is empty. Is a variable not set?", hint)
			}
			if ask.status != "" && !slices.Contains(statuses(), ask.status) {
				return usage("--status takes completed, in-progress or blocked, not "+quoted(ask.status)+".", hint)
			}
			for _, t := range ask.tags {
				if name := transcript.CleanLine(t); name == "" || len([]rune(name)) > tagRunes || len(ask.tags) > tagsMost {
					return usage("--tag takes a word or two, at most 20 times, not "+quoted(t)+".", hint)
				}
			}
			ask.line, ask.undo = commandLine(cmd, args), g.undoLater()
			return d.saveCommand(cmd.Context(), g, &ask, w)
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

func (d *deps) saveCommand(ctx context.Context, g *globals, ask *saveAsk, w writeFlags) error {
	row, _, err := d.find(ctx, g, sessionArg{word: ask.session, latest: ask.session == ""})
	if err != nil {
		return err
	}
	conf, err := d.config()
	if err != nil {
		return err
	}
	ask.dirs, _ = d.claudeDirs(g, conf)
	s, err := d.lookSave(ctx, &row, ask)
	if err != nil {
		return err
	}
	p := &deedPlan{line: ask.line, parts: s.parts, report: deedJSON{Action: "save", Document: s.report()}}
	if g.json && w.dryRun {
		p.report.Document.Text = string(s.request.Text)
	}
	return d.proceed(ctx, g, w, p, func(ctx context.Context) ([]string, error) {
		saved, but, err := d.saveDocument(ctx, s)
		if err != nil {
			return nil, err
		}
		if but != "" {
			p.report.Problems = append(p.report.Problems, but)
		}
		p.report.Document.Path, p.report.Made = saved.Path, []string{saved.Path}
		return []string{d.savedWords(saved), "To take it back: " + g.command("undo", s.id)}, nil
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
	r := &savedJSON{Path: s.plan.Path, Session: s.row.ID, Bytes: len(s.request.Text)}
	if s.plan.Context {
		r.Context = s.plan.Written[0].Path
	}
	return r
}

// savedWords says what was saved.
func (d *deps) savedWords(saved backup.SavedDocument) string {
	if !saved.Context {
		return "Saved " + d.tilde(saved.Path) + "; active-context.md was left as it is."
	}
	return "Saved " + d.tilde(saved.Path) + ", after active-context.md."
}

// saveDocument writes a document as it was planned, and what takes it back before that. but is what went wrong besides.
func (d *deps) saveDocument(ctx context.Context, s *saving) (saved backup.SavedDocument, but string, err error) {
	m, err := d.openMemory(s.project)
	if err != nil {
		return saved, "", err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	if err := m.Guard(); err != nil {
		but = sentence(err.Error())
	}
	var a *action
	r := s.request
	r.Before = func(will []backup.WrittenFile) error {
		entry := journal.Entry{Kind: journal.Save, What: "Saved " + baseName(s.plan.Path), Where: []string{s.project}}
		for _, f := range will {
			entry.Made = append(entry.Made, journal.Made{Path: f.Path, Sum: f.Sum, Before: f.Before, Mode: uint32(f.Mode.Perm())})
		}
		earlier := a
		a = d.begin(ctx, entry)
		if s.id = a.entry.ID; a.lost != nil {
			return &failure{
				what:  "What a save changes is kept before, so that it can be taken back, and that failed: " + reason(a.lost) + ". Nothing was saved.",
				facts: []string{d.tilde(d.journalDir())}, cause: a.lost,
			}
		}
		if earlier != nil {
			_ = earlier.end(ctx, true) // it says what the new one says
		}
		return nil
	}
	saved, err = m.SaveDocument(ctx, r)
	but = joinSentences(but, a.endSave(ctx, &saved, err))
	for _, problem := range saved.Problems {
		but = joinSentences(but, sentence(problem.Error()))
	}
	if err != nil {
		return saved, but, d.saveFailure(s, saved, err)
	}
	return saved, but, nil
}

// endSave tells the journal what was saved. Where an error came after something was written it was interrupted, and can
// be taken back. The answer is that of end.
func (a *action) endSave(ctx context.Context, saved *backup.SavedDocument, err error) string {
	nothing := saved.Path == "" && !saved.Context
	if a == nil || a.lost != nil || err != nil && !nothing {
		return ""
	}
	return a.end(ctx, nothing)
}

func joinSentences(a, b string) string { return strings.TrimSpace(a + " " + b) }

// saveFailure says why no document was written, and what was.
func (d *deps) saveFailure(s *saving, saved backup.SavedDocument, err error) error {
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	const hint = "continuo undo   takes that back"
	switch {
	case saved.Path != "":
		return &failure{
			what:  d.tilde(saved.Path) + " is written, and may not last through a crash: " + reason(err) + ". active-context.md does not name it.",
			hints: []string{hint}, cause: err,
		}
	case saved.Context:
		return &failure{
			what:  "The document could not be written: " + reason(err) + ". active-context.md is up to date, and names none.",
			hints: []string{hint}, cause: err,
		}
	}
	return d.memoryFailure(s.project, err)
}

// planSave plans a document of the session that the browser asks for.
func (c browserChanges) planSave(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	rows := plan.Change.Rows
	if len(rows) != 1 {
		return nil, &failure{what: "A document is written from one session. Choose it."}
	}
	s, err := c.d.lookSave(ctx, &rows[0], &saveAsk{undo: c.undoKey()})
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Save a document", render.Title(&rows[0]), "save"
	plan.Command = c.g.command("save", "--session", rows[0].ID)
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		saved, but, err := c.d.saveDocument(ctx, s)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: c.d.savedWords(saved) + " " + c.undoKey() + " takes it back.", But: but}, nil
	})
	return &deedPlan{parts: s.parts}, nil
}
