package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// browser opens the full-screen browser and returns when the person leaves it.
type browser func(ctx context.Context, source tui.Source, actions tui.Actions, opts tui.Options) error

// browser runs the full-screen browser over the catalogue. Signals are the browser's own from here on: it
// restores the terminal on one, and lets it pass while another program has the terminal.
func (d *deps) browser(ctx context.Context, g *globals) error {
	opts, err := d.catalogOptions(g)
	if err != nil {
		return err
	}
	project := d.projectHere(ctx, opts.Dirs)
	d.stopSignals()
	// A terminal that hangs up ends the browser as well, so that it is not left raw for whoever gets it next.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGHUP)
	defer stop()
	err = d.browse(ctx, browserSource{catalog.New(opts)}, browserActions{d}, tui.Options{
		Home: d.home, Project: project, Dirs: opts.Dirs, Now: d.now,
		NoColor: d.out.styles.Theme >= render.Mono, Input: d.stdin, Output: d.out.w,
	})
	if p, ok := errors.AsType[*tui.PanicError](err); ok {
		return d.panicked(p.Value, p.Stack)
	}
	return err
}

// projectHere is the project that the browser opens on: that of the current directory when the client has been
// in it, "" for all of them. It goes by the names of the directories, so it costs no look at a transcript.
func (d *deps) projectHere(ctx context.Context, dirs []string) string {
	if d.dir == "" {
		return ""
	}
	here, project, repository := d.placeOf(ctx, d.dir)
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
	return ""
}

// browserSource is the catalogue as the browser looks at it.
type browserSource struct{ *catalog.Catalog }

// Open implements tui.Source.
func (s browserSource) Open(ctx context.Context, row sessions.Row) (tui.Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// browserActions are the things that the browser can have done with a row.
type browserActions struct{ d *deps }

// Resume implements tui.Actions.
func (a browserActions) Resume(ctx context.Context, row sessions.Row) (tui.Takeover, error) {
	run, err := a.d.resume(ctx, row)
	if err != nil {
		return nil, err
	}
	return run, nil
}
