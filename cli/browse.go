package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// browser opens the full-screen browser and returns when the person leaves it.
type browser func(ctx context.Context, world tui.World, opts tui.Options) error

// runBrowser runs the full-screen browser over the catalogue.
func runBrowser(ctx context.Context, env *Env, o *out.Output) error {
	opts, err := catalogOptions(env)
	if err != nil {
		return err
	}
	return reported(env, browseOver(ctx, env, o, opts))
}

// browseOver runs the browser. When ctx ends, by a signal too, it restores the terminal and ends without an
// error: the exit code says the rest.
func browseOver(ctx context.Context, env *Env, o *out.Output, opts catalog.Options) error {
	all := catalog.New(opts)
	conf, err := loadConfig(env)
	if err != nil {
		return err
	}
	source := browserSource{Catalog: all, seen: func(path string) { markSeen(env, path) }}
	if len(env.claudeDirs) == 0 {
		source.remember = func(roots []string) { rememberProjects(env, roots) }
	}
	shown := &shownRows{}
	var tour tui.Takeover
	if !env.madeUp {
		tour = demoTour{ctx, env, o}
	}
	var left error // by what was done last
	err = env.browse(ctx, tui.World{
		Source: pagedSource{source, shown, env.now, &attentions{env: env}}, Actions: browserActions{env, o, all}, Changes: browserChanges{env, o, opts.Dirs, all.LookAgain}, Projects: browserProjects{env, opts, all, shown},
		Ledgers: browserLedgers{env, o, &timelines{}},
	}, tui.Options{
		Home: env.home, Project: env.projectHere(ctx, opts.Dirs), Dirs: opts.Dirs, Looked: lookedPlaces(ctx, env, opts), Demo: tour, Now: env.now,
		NoColor: o.Out.Styles.Theme >= render.Mono, ASCII: o.Out.ASCII, Tmux: env.host.Getenv("TMUX") != "",
		Popup: env.host.Getenv("TMUX") != "" && env.host.Getenv("TMUX_PANE") == "", Theme: conf.Theme, Keys: conf.Keys,
		Input: o.Stdin, Output: o.Out.W, Ended: func(done tui.Done, err error) { left = sayEnded(o, done, err) },
	})
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return left
	}
	return err
}

// reported makes a report of a panic in the browser; any other error stays what it is.
func reported(env *Env, err error) error {
	if p, ok := errors.AsType[*tui.PanicError](err); ok {
		return writePanic(env, p.Value, p.Stack)
	}
	return err
}

// projectHere is the project that the browser opens on: that of the current directory when the client has been
// in it or it has a ledger, "" for all of them. It goes by names, so it costs no look at a transcript or a NOTES.md.
func (e *Env) projectHere(ctx context.Context, dirs []string) string {
	if e.dir == "" {
		return ""
	}
	here, project, repository := survey.RepoAt(ctx, e.dir, e.home)
	slug := sessions.Slug(project)
	for _, dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(dir, "projects"))
		if err != nil {
			continue // the browser says so
		}
		for _, e := range entries {
			if name := e.Name(); name == slug || name == sessions.Slug(here) || repository && strings.HasPrefix(name, slug+"-") {
				return project
			}
		}
	}
	// The home directory holds beads of no project: bd keeps its registry there.
	if p, err := ledger.Find(project, e.ledgerEnv()); err == nil && p.Root != realPath(e.home) && p.Has() {
		return project
	}
	return ""
}

// browserSource is the catalogue as the browser looks at it.
type browserSource struct {
	*catalog.Catalog
	remember func(roots []string) // what a whole list has told of projects; nil: nothing
	seen     func(path string)    // a row was opened for reading
}

// Rows implements tui.Source.
func (s browserSource) Rows(ctx context.Context) <-chan sessions.Batch {
	rows := s.Catalog.Rows(ctx)
	if s.remember == nil {
		return rows
	}
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		var roots []string
		for b := range rows {
			roots = append(roots, memoryRoots(b.Rows)...)
			if b.Done {
				s.remember(roots)
			}
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Open implements tui.Source.
func (s browserSource) Open(ctx context.Context, row sessions.Row) (tui.Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// Opened implements tui.Opened.
func (s browserSource) Opened(row sessions.Row) {
	s.seen(row.Path)
	if row.Unseen {
		s.LookAgain()
	}
}

// browserActions are the things that the browser can have done with a row.
type browserActions struct {
	env     *Env
	o       *out.Output
	catalog *catalog.Catalog
}

// Resume implements tui.Actions.
func (a browserActions) Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (tui.Outcome, error) {
	out, err := resumeSession(ctx, a.env, a.o, row, ask)
	if run, ok := out.Run.(*takeover); ok {
		run.hold = true
		if out.Said != "" {
			out.Said = strings.TrimSuffix(out.Said, ".") + "; " + browserChanges{env: a.env, o: a.o}.undoKey() + " takes that back."
			run.said = out.Said
		}
	}
	return out, err
}

// Folders implements tui.Actions.
func (a browserActions) Folders(ctx context.Context, typed string, known []string) []string {
	return foldersLike(ctx, a.env, typed, known)
}

// Copy implements tui.Actions.
func (a browserActions) Copy(ctx context.Context, row sessions.Row, what tui.Quote) (tui.Copied, error) {
	text, name := what.Text, what.Name
	var note string
	if what.Kind != tui.QuoteText {
		var err error
		if text, note, err = quoteSession(ctx, a.env, catalogSource{a.catalog}, &row, what.Kind); err != nil {
			return tui.Copied{}, err
		}
		name = quoteName(what.Kind)
	}
	var send strings.Builder
	doubt, err := copyText(ctx, a.env, text, &send)
	if err != nil {
		return tui.Copied{}, err
	}
	said := strings.TrimSpace("Copied " + name + ". " + note)
	return tui.Copied{Said: strings.TrimSpace(said + " " + doubt), Send: send.String()}, nil
}

// quoteName is the word for what is copied.
func quoteName(kind tui.QuoteKind) string {
	switch kind {
	case tui.QuoteID:
		return "the id"
	case tui.QuoteCommand:
		return "the command that resumes it"
	case tui.QuotePath:
		return "the path"
	case tui.QuoteAnswer:
		return "the last answer"
	case tui.QuoteCode:
		return "the last block of code"
	case tui.QuoteText:
	}
	return "the text"
}

// Edit implements tui.Actions.
func (a browserActions) Edit(ctx context.Context, row sessions.Row, file string, line int) (tui.Takeover, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(row.Workdir, file)
	}
	run, err := openEditor(ctx, a.env, a.o, file, line)
	if err != nil {
		return nil, err
	}
	return run, nil
}
