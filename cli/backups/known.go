package backups

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
	"github.com/continuo-tui/continuo/transcript/mask"
	"github.com/continuo-tui/continuo/tui/render"
)

// ReadKnownOf summarises the session, and asks git about the project.
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
	defer func() { _ = t.Close() }() // nothing was written
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

// The limits for the section about git.
const (
	gitCommits = 30
	gitChanged = 40
)

// gitOf returns the state of the project's git repository since the session began. It returns nil without a
// repository, or if git fails. git may not start programs from the repository's config.
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
		// Without commits, there is nothing to show.
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
