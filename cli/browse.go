package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// browser opens the full-screen browser and returns when the person leaves it.
type browser func(ctx context.Context, source tui.Source, actions tui.Actions, opts tui.Options) error

// plain reports whether there is no terminal to show the browser in, or JSON was asked for.
func (d *deps) plain(g *globals) bool { return g.json || !d.out.terminal || !d.typing }

// browser runs the full-screen browser over the catalogue.
func (d *deps) browser(ctx context.Context, g *globals) error {
	opts, err := d.catalogOptions(g)
	if err != nil {
		return err
	}
	return d.reported(d.browseOver(ctx, g, opts))
}

// browseOver runs the browser. When ctx ends, by a signal too, it restores the terminal and ends without an
// error: the exit code says the rest.
func (d *deps) browseOver(ctx context.Context, g *globals, opts catalog.Options) error {
	err := d.browse(ctx, browserSource{catalog.New(opts)}, browserActions{d}, tui.Options{
		Home: d.home, Project: d.projectHere(ctx, opts.Dirs), Dirs: opts.Dirs, Looked: d.looked(g, opts), Now: d.now,
		NoColor: d.out.styles.Theme >= render.Mono, ASCII: d.out.ascii, Input: d.stdin, Output: d.out.w,
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// reported makes a report of a panic in the browser; any other error stays what it is.
func (d *deps) reported(err error) error {
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
