package backups

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
	"github.com/continuo-tui/continuo/transcript/mask"
	"github.com/continuo-tui/continuo/tui/render"
)

// saving is the plan of a session document.
type saving struct {
	row     sessions.Row
	project string // the project whose memory will have the document
	Request backup.DocumentRequest
	plan    backup.SavedDocument // the planned result
	Parts   []change.Part
	id      string // ID of the entry in the journal, which is known after the save
}

// LookSave reads the session and plans the document.
func LookSave(ctx context.Context, env *place.Env, row *sessions.Row, ask *SaveAsk) (*saving, error) {
	name := out.Quoted(render.Title(row))
	if row.Kind != sessions.KindSession || place.MemoryProject(row.Path) != "" {
		return nil, &out.Failure{What: name + " is a backup or document, not a session. Name a session.", Hints: []string{"continuo list   shows the IDs"}}
	}
	project := MemoryOf(ctx, env, row)
	if project == "" {
		return nil, &out.Failure{
			What:  "The project of " + name + " has no .claude/memory, so nothing is kept there. Set it up.",
			Facts: []string{env.Tilde(row.Workdir)}, Hints: []string{"continuo init   in the project"},
		}
	}
	known, err := ReadKnownOf(ctx, env, row, project)
	if err != nil {
		return nil, err
	}
	known.Status, known.Tags = ask.status, ask.tags
	s := &saving{row: *row, project: project, Request: backup.DocumentRequest{At: known.At}}
	if ask.To != "" {
		to := env.Abs(ask.To)
		if os.IsPathSeparator(ask.To[len(ask.To)-1]) {
			to += string(filepath.Separator)
		}
		if s.Request.To, err = backup.CheckDocumentPath(to, known.At, ask.Dirs); err != nil {
			return nil, documentPathFailure(env, err)
		}
	}
	m, err := openMemory(env, project)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing was written
	known.Previous = m.NewestDocument(known.At)
	s.Request.Previous, s.Request.Text, s.Request.Note = known.Previous, document.Compose(known), document.NoteOf(known)
	if _, s.plan, err = m.PlanDocument(s.Request); err != nil {
		return nil, MemoryFailure(env, project, err)
	}
	savePlan(env, s, ask.Undo, savedBefore(ctx, env, row, project))
	return s, nil
}

// ReadKnownOf makes a digest of the session, and asks git about the project.
func ReadKnownOf(ctx context.Context, env *place.Env, row *sessions.Row, project string) (*document.Known, error) {
	fail := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &out.Failure{What: env.Tilde(row.Path) + " cannot be read: " + out.Reason(err) + ". Nothing was saved.", Cause: err}
	}
	t, err := transcript.Open(ctx, row.Path)
	if err != nil {
		return nil, fail(err)
	}
	defer func() { _ = t.Close() }() // the transcript was only read
	found, err := digest.Read(ctx, t)
	if err != nil {
		return nil, fail(err)
	}
	if found.Asked == 0 && found.Answered == 0 {
		return nil, &out.Failure{What: out.Quoted(render.Title(row)) + " has no messages, so there is nothing to save. Choose another session.", Hints: []string{"continuo list   shows the IDs"}}
	}
	return &document.Known{
		At: env.Now(), Session: row.ID, Name: mask.Secrets(render.Title(row)), Live: row.Live != nil || row.Has(sessions.FlagLive),
		Project: filepath.Base(project), Root: project, Digest: found, Git: gitOf(ctx, env, project, &found),
	}, nil
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

// savePlan sets s.Parts, which are the parts of the plan. undo is the command that undoes the save. The lines of
// but are warnings.
func savePlan(env *place.Env, s *saving, undo string, but []change.Line) {
	p := &writing.Plan{}
	var touched []change.Line
	file := func(text, path string) {
		touched = append(touched, change.Line{Text: text}, change.Line{Tone: change.Muted, Text: env.Tilde(path), Whole: true})
	}
	if s.plan.Context != "" {
		text := "active-context.md first: status lines at the top and the continuo section"
		if s.plan.Fresh {
			text = "1 new file first, active-context.md, with the continuo section"
		}
		file(text, s.plan.Context)
		touched = append(touched, change.Line{})
	}
	file("1 new file, "+words.Size(int64(len(s.Request.Text)))+", a document of the session", s.plan.Path)
	touched = append(touched, change.Line{Text: place.ShortID(s.row.ID) + "  " + render.Title(&s.row), Right: words.Size(s.row.Bytes), Cut: true})
	p.Add("Touched", touched...)
	if err := s.plan.Problem; err != nil {
		but = append(but, change.Line{Mark: change.Warn, Text: "active-context.md doesn't change: " + out.Reason(err)})
	}
	but = append(but, change.Line{
		Mark: change.Warn,
		Text: "it contains prompt text, and git doesn't ignore it. Known secret formats are masked; others may remain",
	})
	p.Add("But", but...)
	stays := []change.Line{{Mark: change.Good, Text: "the transcript is only read"}}
	if s.plan.Context != "" && !s.plan.Fresh {
		stays = append(stays, change.Line{Mark: change.Good, Text: "all other lines of active-context.md, byte for byte"})
	}
	if s.row.Live != nil {
		stays = append(stays, change.Line{Mark: change.Note, Text: "the session is live: later messages aren't included"})
	}
	p.Add("Stays", append(stays, change.Line{Mark: change.Note, Text: "sections that need your knowledge stay empty: /document-and-save in the session fills them"})...)
	p.Add("Undo", change.Line{Text: undo + " undoes it and restores active-context.md byte for byte."})
	s.Parts = p.Parts
}

// The limits for the section about git.
const (
	gitCommits = 30
	gitChanged = 40
)

// gitOf returns what git says about a project since the session began. It returns nil if there is no repository or
// git fails. While git runs, it starts no program that the configuration of the repository names.
func gitOf(ctx context.Context, env *place.Env, project string, found *digest.Digest) *document.Git {
	ask := func(args ...string) (string, bool) {
		out, err := env.Host.Git(ctx, project, args...)
		return out, err == nil
	}
	inside, ok := ask("rev-parse", "--is-inside-work-tree")
	if !ok || strings.TrimSpace(inside) != "true" {
		return nil
	}
	g := &document.Git{}
	branch, _ := ask("symbolic-ref", "--quiet", "--short", "HEAD") // "" if HEAD is detached
	g.Branch = transcript.CleanLine(branch)
	if !found.Start.IsZero() {
		// A repository without commits has no HEAD, so there is nothing to show.
		since := "--since=" + found.Start.UTC().Format("2006-01-02T15:04:05Z")
		log, _ := ask("log", "--no-show-signature", "--no-color", "--max-count=1000", since, "--format=%h%x00%s", "HEAD")
		for l := range strings.Lines(log) {
			hash, subject, _ := strings.Cut(strings.TrimSpace(l), "\x00")
			switch {
			case hash == "":
			case len(g.Commits) == gitCommits:
				g.CommitsLeft++
			default:
				g.Commits = append(g.Commits, digest.Commit{Hash: hash, Subject: words.Cut(mask.Secrets(transcript.CleanLine(subject)), 200)})
			}
		}
	}
	status, err := env.Host.GitStatus(ctx, project, "--porcelain=v1", "-z", "--no-renames")
	g.Unsure = err != nil
	for entry := range strings.SplitSeq(status, "\x00") {
		switch {
		case len(entry) < 4:
		case len(g.Changed) == gitChanged:
			g.ChangedLeft++
		default:
			g.Changed = append(g.Changed, entry[3:])
		}
	}
	return g
}

// savedBefore warns if the newest document of the session already covers the last message.
func savedBefore(ctx context.Context, env *place.Env, row *sessions.Row, project string) []change.Line {
	list := survey.DocumentsOf(ctx, project, env.Now())
	i := slices.IndexFunc(list, func(doc document.Document) bool {
		return doc.Kind == document.KindSession && doc.Session != "" && doc.Session == row.ID
	})
	if i < 0 || row.Last.IsZero() || row.Last.After(list[i].Date) {
		return nil
	}
	text := filepath.Base(list[i].Path) + " is from this session, and there are no newer messages"
	return []change.Line{{Mark: change.Warn, Text: text}}
}
