package browse

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/cli/export"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
	format "github.com/continuo-tui/continuo/transcript/export"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// planExport plans to write a conversation to a new file. A transcript may be larger than the memory, so the
// export streams it. The journal records the complete file.
func (c Changes) planExport(_ context.Context, plan *tui.Plan) (*writing.Plan, error) {
	ask := plan.Change.Export
	if ask == nil || ask.File == "" || len(plan.Change.Rows) != 1 {
		return nil, &out.Failure{What: "An export needs a session and a file. Name a file."}
	}
	row, path := &plan.Change.Rows[0], c.Env.TypedPath(ask.File)
	switch fi, err := os.Lstat(path); {
	case err == nil && fi.IsDir():
		return nil, &out.Failure{What: c.Env.Tilde(path) + " is a folder. Name a new file in it."}
	case err == nil:
		return nil, &out.Failure{What: c.Env.Tilde(path) + " exists. Name another file."}
	}
	if fi, err := os.Stat(filepath.Dir(path)); err != nil || !fi.IsDir() {
		return nil, &out.Failure{What: c.Env.Tilde(filepath.Dir(path)) + " isn't a folder. Name a file in an existing one."}
	}
	plan.Title, plan.About, plan.Verb = "Export", render.Title(row), "export"
	told := []string{"export", cmp.Or(row.ID, row.Path), "--format", ask.Format, "-o", path}
	if ask.Redact {
		told = append(told, "--redact")
	}
	plan.Command = c.Env.Command(told...)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) { return c.export(ctx, row, ask, path) })
	return c.exportPlan(row, ask, path), nil
}

// exportPlan describes an export.
func (c Changes) exportPlan(row *sessions.Row, ask *tui.ExportAs, path string) *writing.Plan {
	p := &writing.Plan{}
	p.Add("Touched", change.Line{Text: "1 new file, " + formatName(ask.Format)}, change.Line{Tone: change.Muted, Text: c.Env.Tilde(path), Whole: true},
		change.Line{Text: cmp.Or(place.ShortID(row.ID), "sub-agent") + "  " + render.Title(row), Right: words.Size(row.Bytes), Cut: true})
	if ask.Redact {
		p.Add("But", writing.Warning("secrets of known formats, e-mail addresses and home directories are masked. Others may remain: read the file before you share it"))
	} else {
		p.Add("But", writing.Warning("it contains prompts, commands and outputs, and nothing is masked"))
	}
	stays := []change.Line{{Mark: change.Good, Text: "the transcript is only read"}}
	if row.Live != nil {
		stays = append(stays, change.Line{Mark: change.Note, Text: "the session is live: later messages aren't included"})
	}
	p.Add("Stays", stays...)
	p.Add("Undo", change.Line{Text: c.undoKey() + " deletes the file if it has at most " + words.Size(journal.MaxBefore) + "."})
	return p
}

// formatName returns the name of a format for a sentence.
func formatName(f string) string {
	switch format.Format(f) {
	case format.HTML:
		return "one HTML page"
	case format.JSON:
		return "JSON"
	case format.JSONL:
		return "the records as JSONL"
	case format.Markdown:
	}
	return "markdown"
}

// export writes the file, and adds it to the journal.
func (c Changes) export(ctx context.Context, row *sessions.Row, ask *tui.ExportAs, path string) (tui.Done, error) {
	w, err := export.ToFile(ctx, c.Env, row, format.Format(ask.Format), ask.Redact, path)
	if err != nil {
		return tui.Done{}, err
	}
	dir, name := filepath.Split(w.Path)
	dir = filepath.Clean(dir)
	_, lost := writing.Store(c.Env).Record(ctx, &change.Change{
		Kind: "export", What: "Exported " + out.Quoted(render.Title(row)) + " to " + out.CleanPath(name), Where: []string{dir},
		Ops: []change.Op{{Verb: change.Make, Dir: dir, Name: name, Bytes: w.Bytes, Sum: w.Sum}},
	})
	said := "Exported to " + c.Env.Tilde(w.Path) + ", " + words.Size(w.Bytes) + "."
	if ask.Redact {
		said += " Masked " + out.Count(w.Masked, "value") + "."
	}
	if lost == nil && w.Bytes <= journal.MaxBefore { // small enough for a redo
		said += " " + c.undoKey() + " deletes it."
	}
	return tui.Done{Said: said, But: writing.LostBy(&act.Done{Lost: lost})}, nil
}
