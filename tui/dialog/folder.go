package dialog

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Folders completes the paths of folders.
type Folders interface {
	// Folders returns the folders that match typed, best match first. It searches the disk and known.
	Folders(ctx context.Context, typed string, known []string) []string
}

// FolderOptions are the options of NewFolder.
type FolderOptions struct {
	Context context.Context // ends with the program
	Folders Folders
	Title   string   // title of the dialog
	Verb    string   // label of the key enter, such as "start here"
	About   string   // subject, shown on the upper edge
	Known   []string // folders of sessions, newest first
	Text    string   // initial text of the field
	// Take returns the effect to carry out with the chosen folder.
	Take func(folder string) screen.Effect
}

// Folder asks for a folder and completes the typed path.
type Folder struct {
	base
	opts    FolderOptions
	in      field.Field
	gen     int         // generation of the typed text
	finding bool        // a query is running; there is at most one
	of      int         // generation of the text of found, or 0
	found   []string    // the folders that match
	list    blocks.List // At is -1 while the field has the bar
}

// foundMsg is the answer to a query.
type foundMsg struct {
	gen     int
	folders []string
}

const (
	folderRows   = 8
	folderColumn = 4
	complete     = "folder-complete"
)

// NewFolder returns a dialog that asks for a folder.
func NewFolder(o FolderOptions) *Folder {
	d := &Folder{opts: o, in: field.New(field.Path), gen: 1}
	d.show(nil)
	d.in.Set(o.Text)
	return d
}

// Open implements screen.Screen.
func (d *Folder) Open() []screen.Effect { return d.find() }

// Keys implements screen.Screen.
func (d *Folder) Keys() []screen.Binding {
	return append([]screen.Binding{
		on(enter, 0, "enter"), on(complete, 0, "tab"), on(by, -1, "up", "ctrl+p"), on(by, 1, "down", "ctrl+n"), on(closeIt, 0, "esc"),
	}, screen.Common(screen.Quit)...)
}

// Fit implements screen.Screen.
func (d *Folder) Fit(f screen.Frame) []screen.Effect {
	d.f = f
	d.list.Rows = d.shape().rows
	d.list.Fit()
	return nil
}

// Do implements screen.Screen.
func (d *Folder) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.take()
	case complete:
		return d.complete()
	case by: // the field is above the first folder
		if d.list.Rows > 0 {
			d.list.At = min(max(d.list.At+do.N, -1), len(d.found)-1)
			d.list.Reveal()
		}
	case closeIt:
		return pop()
	}
	return nil
}

// Typed implements screen.Typed. A typed / or ~ replaces the unchanged initial text.
func (d *Folder) Typed(msg tea.Msg) []screen.Effect {
	text := ""
	switch in := msg.(type) {
	case tea.PasteMsg:
		in.Content = strings.TrimRight(in.Content, "\r\n")
		text, msg = in.Content, in
	case tea.KeyPressMsg:
		text = in.Text
	}
	if d.in.Text() == d.opts.Text && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~")) {
		d.in.Set("")
	}
	if d.in.Type(msg) {
		return d.changed()
	}
	return nil
}

// Click implements screen.Screen.
func (*Folder) Click(int, int) []screen.Effect { return pop() }

// set replaces the text of the field.
func (d *Folder) set(text string) []screen.Effect {
	d.in.Set(text)
	return d.changed()
}

// changed requests a query for the new text.
func (d *Folder) changed() []screen.Effect {
	d.list.At = -1
	d.gen++
	if d.finding { // Took starts the next query
		return nil
	}
	return d.find()
}

// find starts a query. The initial text matches all known folders.
func (d *Folder) find() []screen.Effect {
	d.finding = true
	ctx, folders, typed, known, gen := d.opts.Context, d.opts.Folders, d.in.Text(), d.opts.Known, d.gen
	if typed == d.opts.Text {
		typed = ""
	}
	return []screen.Effect{screen.Cmd(func() tea.Msg { return foundMsg{gen, folders.Folders(ctx, typed, known)} })}
}

// Took implements screen.Screen. If the text has changed meanwhile, another query starts.
func (d *Folder) Took(msg tea.Msg) []screen.Effect {
	found, ok := msg.(foundMsg)
	if !ok {
		return nil
	}
	if d.finding = false; found.gen != d.gen {
		return d.find()
	}
	d.of = found.gen
	d.show(found.folders)
	return nil
}

// show lists folders, and moves the bar to the field.
func (d *Folder) show(folders []string) {
	d.found, d.list = folders, blocks.List{Items: blocks.Choices(len(folders)), At: -1, Rows: d.list.Rows}
}

// complete copies the selected folder to the field. If the bar is on the field, it appends the common start of all
// listed folders.
func (d *Folder) complete() []screen.Effect {
	switch {
	case d.of != d.gen || len(d.found) == 0: // found belongs to an older text
	case d.list.At >= 0:
		return d.set(d.found[d.list.At] + "/")
	case len(d.found) == 1:
		return d.set(d.found[0] + "/")
	default:
		common, typed := []rune(d.found[0]), d.in.Text()
		for _, k := range d.found {
			for !strings.HasPrefix(k, string(common)) {
				common = common[:len(common)-1]
			}
		}
		if all := string(common); len(all) > len(typed) && strings.EqualFold(all[:len(typed)], typed) {
			return d.set(all)
		}
	}
	return nil
}

// take chooses the selected folder or, if the bar is on the field, the typed folder.
func (d *Folder) take() []screen.Effect {
	folder := d.in.Text()
	if d.list.At >= 0 && d.list.At < len(d.found) {
		folder = d.found[d.list.At]
	}
	if strings.TrimSpace(folder) == "" {
		return tell("Enter a folder first.")
	}
	return append(pop(), d.opts.Take(folder))
}

// folderShape is the layout of a Folder dialog.
type folderShape struct {
	inner int  // cells between the borders
	small bool // the dialog covers the whole screen
	head  int  // lines above the field
	gap   int  // blank lines below the field
	rows  int  // visible folders
}

func (d *Folder) shape() folderShape {
	if d.f.Width >= From && d.f.Height >= 8 {
		return folderShape{inner: min(menuWidth, d.f.Width-2) - 2, gap: 1, rows: min(folderRows, d.f.Height-6)}
	}
	g := folderShape{inner: d.f.Width, small: true}
	if d.f.Height >= 7 {
		g.head = 2
	}
	if d.f.Height >= 5 {
		g.gap = 1
	}
	g.rows = max(d.f.Height-g.head-g.gap-2, 0) // minus the field and the keys
	return g
}

// Cursor implements screen.Dialog.
func (d *Folder) Cursor() (x, y int, ok bool) {
	g := d.shape()
	_, before := d.in.Seen(max(g.inner-folderColumn-2, 1))
	x = min(folderColumn+before, g.inner-1)
	if g.small {
		return x, g.head, d.f.Height > g.head
	}
	return x + (d.f.Width-g.inner)/2, max((d.f.Height-g.rows-6)/2, 0) + 1, true
}

// Over implements screen.Dialog.
func (d *Folder) Over(under []string) {
	g := d.shape()
	line := func() *render.Line { return d.line(g.inner) }
	title, about := d.opts.Title, d.opts.About
	typed, _ := d.in.Seen(max(g.inner-folderColumn-2, 1))
	var drawn []*render.Line
	if g.head > 0 {
		drawn = append(drawn, d.headLine(title, about), line())
	}
	drawn = append(drawn, line().To(folderColumn-2).Put(render.AccentBold, "❯ ").Put(render.Accent, typed))
	if g.gap > 0 {
		drawn = append(drawn, line())
	}
	full := len(drawn) + g.rows
	for _, s := range d.list.Visible() {
		chosen := s.Item == d.list.At
		l := line().Select(chosen)
		if chosen {
			l.Put(render.AccentBold, "▌")
		}
		l.To(folderColumn).Put(render.Text, words.CutMiddle(transcript.CleanLine(d.found[s.Item]), max(g.inner-folderColumn-2, 1)))
		if chosen {
			l.To(g.inner)
		}
		drawn = append(drawn, l)
	}
	if nothing := d.of == d.gen && len(d.found) == 0; nothing && g.rows > 0 && d.in.Text() != d.opts.Text && !strings.HasSuffix(d.in.Text(), "/") {
		drawn = append(drawn, line().To(folderColumn).Put(render.Faint, "No folder starts with this."))
	}
	last := d.orMessage(d.keysLine(g.inner), g.inner)
	if g.small {
		d.cover(under, drawn, last)
		return
	}
	for len(drawn) < full {
		drawn = append(drawn, line())
	}
	d.float(under, d.box(append(drawn, line(), last), g.inner, title, about), g.inner+2)
}

// keysLine draws the last line of the dialog.
func (d *Folder) keysLine(width int) *render.Line {
	l := d.line(width).To(min(2, width/8)).Put(render.Strong, "enter").Put(render.Muted, " "+d.opts.Verb)
	tab := []render.Span{{Ink: render.Strong, Text: "   tab"}, {Ink: render.Muted, Text: " complete"}}
	esc := []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " cancel"}}
	if l.At()+render.SpansWidth(tab)+2+render.SpansWidth(esc) < width {
		l.Spans(tab...)
	}
	return l.Right(width-1, esc...)
}
