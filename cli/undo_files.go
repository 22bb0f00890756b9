package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// fileBack is a document that goes back to what it was: its text comes back, or the file goes.
type fileBack struct {
	made journal.Made
	was  journal.Made // that takes this back: what the file is now
	same bool         // it is as it was already
}

// lookFiles plans to put back what was before a save, the last file first. All of it goes back or nothing.
func (l *pastLook) lookFiles(w *wayBack) {
	left := 0
	for _, made := range byFile(w.entry.Made) {
		f, err := lookFile(made)
		path := l.d.tilde(f.made.Path)
		switch {
		case errors.Is(err, backup.ErrChanged):
			w.refuse("changed since", path+" was changed since, so it is left alone.")
		case errors.Is(err, backup.ErrTooLong):
			w.refuse("too large", path+" is larger than 1 MB, and what is there now could not be kept. Move it away yourself.")
		case err != nil:
			w.refuse("cannot be read", path+": "+reason(err)+".")
		case !f.same:
			left++
			w.made.Made = append(w.made.Made, f.was)
		}
		w.files = append(w.files, f)
	}
	switch {
	case len(w.files) == 0:
		w.refuse("nothing done", nothingDone)
	case w.off == "" && left == 0 && w.entry.Kind == journal.Stage && len(w.files[0].was.Before) == 0:
		w.refuse("as it was", "It is not staged any more: the start of a session has printed it, or it was taken away.")
	case w.off == "" && left == 0:
		w.refuse("as it was", "Every file is as it was before.")
	}
}

// byFile are the files of a save, each with all that was done to it, the one that was written last first: a save writes
// active-context.md twice.
func byFile(list []journal.Made) [][]journal.Made {
	var files [][]journal.Made
	for _, made := range slices.Backward(list) {
		i := slices.IndexFunc(files, func(f []journal.Made) bool { return f[0].Path == made.Path })
		if i < 0 {
			files = append(files, nil)
			i = len(files) - 1
		}
		files[i] = append(files[i], made)
	}
	return files
}

// drawFiles draws what comes back and what goes.
func (l *pastLook) drawFiles(w *wayBack) {
	var back, gone []render.PlanLine
	for i := range w.files {
		f := &w.files[i]
		line := render.PlanLine{Ink: render.Faint, Text: l.d.tilde(f.made.Path), Whole: true}
		switch {
		case f.same:
		case f.made.Before == nil:
			line.Right = render.Size(int64(len(f.was.Before)))
			gone = append(gone, line)
			w.plan.report.Deleted = append(w.plan.report.Deleted, f.made.Path)
		default:
			line.Right = render.Size(int64(len(f.made.Before)))
			back = append(back, line)
			w.plan.report.Made = append(w.plan.report.Made, f.made.Path)
		}
	}
	if n := len(back); n > 0 {
		back = append([]render.PlanLine{{Text: render.Counted(n, "file gets the text that it had", "files get the text that they had")}}, back...)
	}
	if n := len(gone); n > 0 {
		gone = append([]render.PlanLine{{Text: render.Counted(n, "file that was made, and not changed since", "files that were made, and not changed since")}}, gone...)
	}
	w.plan.add("Touched", back...)
	w.plan.add("Removed", gone...)
}

// lookFile looks what is there now, and holds it to what was written: any of that, as a save that was interrupted left
// it. What it was before the first goes back.
func lookFile(done []journal.Made) (f fileBack, err error) {
	f = fileBack{made: done[len(done)-1]}
	p, err := backup.OpenDocument(f.made.Path)
	if errors.Is(err, fs.ErrNotExist) && f.made.Before == nil {
		f.same = true
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer func() { _ = p.Close() }() // it is only read
	now, mode, err := p.Read()
	if err != nil {
		return f, err
	}
	f.was = journal.Made{Path: f.made.Path, Sum: sumOf(f.made.Before), Before: now, Mode: uint32(mode)}
	switch sum := sumOf(now); {
	case sum == f.was.Sum:
		f.same = true
	case !slices.ContainsFunc(done, func(m journal.Made) bool { return m.Sum == sum }):
		return f, backup.ErrChanged
	}
	return f, nil
}

// sumOf is the SHA-256 of a text in hex; "" of none.
func sumOf(text []byte) string {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// put puts a document back to what it was, if it is what was seen.
func (f *fileBack) put(ctx context.Context) error {
	p, err := backup.OpenDocument(f.made.Path)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }() // what is written is synced
	mode := fs.FileMode(f.made.Mode)
	if mode == 0 {
		mode = 0o600
	}
	return p.Put(ctx, f.was.Before, f.made.Before, mode)
}
