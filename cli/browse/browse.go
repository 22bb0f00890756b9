// Package browse runs the browser. It implements the interfaces of tui.
package browse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/stats"
	"github.com/continuo-tui/continuo/cli/tasks"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	figures "github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// Run runs the browser on the full screen.
func Run(ctx context.Context, env *place.Env, o *out.Output) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	return reported(env, browseOver(ctx, env, o, opts))
}

// browseOver runs the browser. If ctx ends, it restores the terminal and returns nil. Signals.ExitCode then has
// the exit code.
func browseOver(ctx context.Context, env *place.Env, o *out.Output, opts catalog.Options) error {
	all := catalog.New(opts)
	conf, err := place.LoadConfig(env)
	if err != nil {
		return err
	}
	source := catalogSource{
		Catalog: all, seen: func(path string) { place.MarkSeen(env, path) },
		complete: func(roots []string) {
			if env.Host.Getenv("GOGC") == "" {
				debug.SetGCPercent(100) // the default; main sets more
			}
			if len(env.ClaudeDirs) == 0 {
				place.RememberProjects(env, roots)
			}
		},
	}
	shown := &ShownRows{}
	searches := NewSearches(env, shown)
	ended, end := context.WithCancel(ctx)
	var running sync.WaitGroup
	var bug *sessions.PanicError
	running.Go(func() {
		if bug = sessions.Catch(func() { searches.Run(ended) }); bug != nil {
			end() // ends the browser, which restores the terminal
		}
	})
	running.Go(func() { tasks.ReapOrphans(ended, env, env.Dir) })
	project := ProjectHere(ctx, env, opts.Dirs)
	folder := folderHere(env, project)
	branch, header := func() string { return sessions.Branch(folder) }, ""
	if env.MadeUp {
		branch, header = nil, "demo with made-up sessions"
	}
	looked := find.LookedPlaces(ctx, env, opts)
	var choices []tui.Choice
	if looked != nil { // there is nothing to list
		choices = choicesOf(ctx, env, o, conf)
	}
	images := &launch.Images{}
	defer func() { _ = images.Clear() }() // ignore the error: the images are temporary
	driven, isKeeper, closeDriver := newDriver(ctx, env, o)
	var left error // the result of the last change
	err = env.Browse(ended, tui.World{
		Source: pagedSource{source, shown, env.Now, &place.Attentions{Env: env}, searches.Changed}, Actions: Actions{env, o, all, images, driven}, Changes: Changes{env, o, opts.Dirs, all.LookAgain}, Projects: Projects{env, opts, all, shown},
		Ledgers: Ledgers{env, o, &Timelines{}, &Answers{Now: env.Now}}, Tasks: Tasks{env}, Searcher: searches, Live: Clients{env, driven},
	}, tui.Options{
		Home: env.Home, Project: project, Folder: folder, Header: header, Branch: branch, Dirs: opts.Dirs, Looked: looked, Choices: choices, Saved: place.SavedSearches(env), SaveSearch: func(ctx context.Context, text string) ([]string, bool, error) {
			return place.SaveSearch(ctx, env, text)
		}, Now: env.Now,
		NoColor: o.Out.Styles.Theme >= render.Mono, ASCII: o.Out.ASCII, Tmux: env.Host.Getenv("TMUX") != "",
		Popup: env.Host.Getenv("TMUX") != "" && env.Host.Getenv("TMUX_PANE") == "", Keeper: isKeeper, Bell: conf.Bell == place.BellOn, Theme: conf.Theme, Keys: conf.Keys, Prices: conf.Prices, Highlight: render.Highlight,
		Input: o.Stdin, Output: o.Out.W, Ended: func(done tui.Done, err error) { left = sayEnded(o, done, err) },
	})
	closeDriver()
	end()
	running.Wait()
	if bug != nil {
		return bug
	}
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return left
	}
	return err
}

// reported writes a report for a panic. It returns other errors unchanged.
func reported(env *place.Env, err error) error {
	if p, ok := errors.AsType[*tui.PanicError](err); ok {
		return place.WritePanic(env, p.Value, p.Stack)
	}
	if p, ok := errors.AsType[*sessions.PanicError](err); ok {
		return place.WritePanic(env, p, p.Stack)
	}
	return err
}

// ProjectHere returns the project of the current directory, or "". The project needs sessions or a ledger.
// ProjectHere reads no transcript and no NOTES.md.
func ProjectHere(ctx context.Context, env *place.Env, dirs []string) string {
	if env.Dir == "" {
		return ""
	}
	here, project, repository := survey.RepoAt(ctx, env.Dir, env.Home)
	slug := sessions.Slug(project)
	for _, dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(dir, "projects"))
		if err != nil {
			continue // the browser reports the error
		}
		for _, e := range entries {
			if name := e.Name(); name == slug || name == sessions.Slug(here) || repository && strings.HasPrefix(name, slug+"-") {
				return project
			}
		}
	}
	// Beads in the home directory belong to no project: they are bd's registry.
	if p, err := ledger.Find(project, env.LedgerEnv()); err == nil && p.Root != place.RealPath(env.Home) && p.Has() {
		return project
	}
	return ""
}

// folderHere returns the project if the current directory is in it, else the current directory.
func folderHere(env *place.Env, project string) string {
	if project != "" && strings.HasPrefix(sessions.RealPath(env.Dir)+"/", project+"/") {
		return project
	}
	return env.Dir
}

// catalogSource adapts the catalog to tui.Source.
type catalogSource struct {
	*catalog.Catalog
	complete func(roots []string) // called with the projects when a list is complete
	seen     func(path string)    // called when the reader opens a row
}

// Rows implements tui.Source.
func (s catalogSource) Rows(ctx context.Context) <-chan sessions.Batch {
	rows := s.Catalog.Rows(ctx)
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		var roots []string
		for b := range rows {
			roots = append(roots, place.MemoryRoots(b.Rows)...)
			if b.Done {
				s.complete(roots)
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
func (s catalogSource) Open(ctx context.Context, row sessions.Row) (tui.Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// Opened implements tui.Opened.
func (s catalogSource) Opened(row sessions.Row) {
	s.seen(row.Path)
	if row.Unseen {
		s.LookAgain()
	}
}

// Actions implements tui.Actions.
type Actions struct {
	Env     *place.Env
	O       *out.Output
	Catalog *catalog.Catalog
	Images  *launch.Images
	Keeper  driver
}

// Resume implements tui.Actions.
func (a Actions) Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (tui.Outcome, error) {
	switch {
	case row.Kind == sessions.KindSession && !ask.Fork && !ask.New && ask.Pane == "" && a.drives(row.ID):
		return tui.Outcome{Drives: row.ID}, nil
	case ask.In == resume.WhereContinuo && ask.Pane == "":
		return a.drive(ctx, row, ask)
	}
	out, err := launch.ResumeSession(ctx, a.Env, a.O, row, ask)
	if run, ok := out.Run.(*launch.Takeover); ok {
		run.Hold = true
		if out.Said != "" {
			out.Said = strings.TrimSuffix(out.Said, ".") + "; " + Changes{Env: a.Env, O: a.O}.undoKey() + " undoes that."
			run.Said = out.Said
		}
	}
	return out, err
}

// Figures implements tui.Actions.
func (a Actions) Figures(ctx context.Context, row sessions.Row) (figures.Figures, error) {
	f, err := stats.Of(ctx, a.Env, &row)
	return f, inBrowser(err)
}

// FiguresOf implements tui.Actions.
func (a Actions) FiguresOf(ctx context.Context, rows []sessions.Row, from, to time.Time) (figures.Figures, int, error) {
	f, n, err := stats.Between(ctx, a.Env, rows, from, to)
	return f, n, inBrowser(err)
}

// Folders implements tui.Actions.
func (a Actions) Folders(ctx context.Context, typed string, known []string) []string {
	return launch.FoldersLike(ctx, a.Env, typed, known)
}

// Copy implements tui.Actions.
func (a Actions) Copy(ctx context.Context, row sessions.Row, what tui.Quote) (tui.Copied, error) {
	text, name := what.Text, what.Name
	var note string
	if what.Kind != tui.QuoteText {
		var err error
		if text, note, err = launch.QuoteSession(ctx, a.Env, place.CatalogSource{Catalog: a.Catalog}, &row, what.Kind); err != nil {
			return tui.Copied{}, err
		}
		name = quoteName(what.Kind)
	}
	var send strings.Builder
	doubt, err := launch.CopyText(ctx, a.Env, text, &send)
	if err != nil {
		return tui.Copied{}, err
	}
	message := strings.TrimSpace("Copied " + name + ". " + note)
	return tui.Copied{Said: strings.TrimSpace(message + " " + doubt), Send: send.String()}, nil
}

// quoteName returns a noun for the copied text.
func quoteName(kind tui.QuoteKind) string {
	switch kind {
	case tui.QuoteID:
		return "the ID"
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
func (a Actions) Edit(ctx context.Context, row sessions.Row, file string, line int) (tui.Takeover, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(row.Workdir, file)
	}
	run, err := launch.OpenEditor(ctx, a.Env, a.O, file, line)
	if err != nil {
		return nil, err
	}
	return run, nil
}

// View implements tui.Actions.
func (a Actions) View(ctx context.Context, image []byte) (string, error) {
	return a.Images.View(ctx, a.Env, image)
}

// sayEnded prints the result of a change that ended after the browser. If the change failed, it returns the
// error.
func sayEnded(s *out.Output, done tui.Done, err error) error {
	switch {
	case errors.Is(err, tui.ErrNotBegun):
		return &out.Failure{What: "Nothing was done: the browser was closed first.", Cause: err}
	case errors.Is(err, tui.ErrUnfinished):
		return &out.Failure{What: "The browser was closed during a change. Check the actions.", Hints: []string{"continuo undo --list"}, Cause: err}
	case err != nil:
		return err
	}
	if done.Said != "" {
		s.Err.Print(transcript.CleanLine(done.Said) + "\n")
	}
	if done.But != "" {
		return &out.Failure{What: done.But}
	}
	return nil
}
