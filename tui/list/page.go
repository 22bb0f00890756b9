package list

import (
	"cmp"
	"context"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Options are the facts and interfaces that the lists need.
type Options struct {
	Context context.Context // context of the program
	Source  preview.Source
	Window  preview.WindowOf
	Project string   // the project that is listed first, or ""
	Home    string   // the home directory, shown as ~
	Looked  []Place  // searched places; shown if there are no sessions
	Choices []Choice // what the list offers if there are no sessions
	Pages   bool     // each project has a page
	Resumes bool     // rows can be resumed
	Answers Markdown // renders the text of an answer
	Prose   Markdown // renders the text of a document
	// HasLedger reports whether a project is known to have a ledger.
	HasLedger func(dir string) bool
}

// Place is a directory or variable where the program looked for sessions.
type Place struct {
	Path    string // a path, or the name of a variable
	Note    string // what was found there, in a few words
	Missing bool   // the place doesn't exist or can't be read
}

// Markdown renders a text. Prose and code have their own widths. It returns no lines to keep the text plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Page is the screen of the lists. It shows the list of one kind and a preview of the selected row.
type Page struct {
	lists
	opts  Options
	run   run // the run of the filter for the shown list
	frame screen.Frame
	built built // the inputs of the current items

	choices    choices
	preview    preview.Pane
	inPreview  bool // the keys act on the preview
	previewOff bool
	flipped    bool // the preview replaces the list
	split      int  // column of the divider; 0 for the default
	dragging   bool // the divider is being dragged
}

// NewPage returns a page that shows the sessions.
func NewPage(opts Options) *Page {
	p := &Page{opts: opts, choices: choices{list: opts.Choices}}
	p.scope = scope{project: opts.Project, home: opts.Home}
	for i, kind := range kinds() {
		p.panes[i] = newPane(kind, &p.scope)
	}
	p.pane = p.panes[0]
	return p
}

func kinds() [3]sessions.Kind {
	return [3]sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument}
}

// Open implements screen.Screen.
func (p *Page) Open() []screen.Effect { return nil }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect { return nil }

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape {
	return screen.Shape{
		List: true, Preview: p.hasPreview(), Flip: p.flipped && p.pane.tally.InScope > 0,
		Typing: p.pane.typing, Wide: p.pane.kind == sessions.KindBackup, Split: p.split,
	}
}

// hasPreview reports whether the preview is switched on and the list has rows.
func (p *Page) hasPreview() bool { return !p.previewOff && p.pane.tally.InScope > 0 }

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	var s screen.Subject
	if !p.onHead() {
		s.Row = p.pane.actsOn(p.pane.selectedRow())
	}
	switch {
	case s.Row != nil:
		s.Dir = cmp.Or(s.Row.Project, s.Row.Workdir)
	case !p.scope.wide():
		s.Dir = p.scope.project
	}
	if p.pane.marks.any() {
		s.Marks, s.Marked = len(p.pane.marked()), p.pane.marked
	}
	if s.Row != nil && s.Row.Kind == sessions.KindDocument {
		s.Edit = editOf(p.opts.Source, *s.Row, p.pane.todo())
	}
	return s
}

// editOf returns the effect that opens a document in the editor. If text is set, the editor opens at this open todo.
func editOf(source preview.Source, row sessions.Row, text string) *screen.Edit {
	e := &screen.Edit{Row: row, File: row.Path}
	if text != "" {
		e.Find = func(ctx context.Context) (string, int, error) {
			doc, err := source.Open(ctx, row)
			if err != nil {
				return row.Path, 0, nil
			}
			file := opened.New(doc)
			_, line := file.Find(ctx, 0, len(doc.Outline()), text)
			return row.Path, line, file.Close()
		}
	}
	return e
}
