package cli

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// fileBack is a document that goes back to what it was: its text comes back, or the file goes.
type fileBack struct {
	made journal.Made
	was  journal.Made // that takes this back: what the file is now
	same bool         // it is as it was already
}

var (
	errChangedSince = errors.New("changed since")
	errKept         = errors.New("larger than 1 MB")
)

// lookFiles plans to put back what was before a save, the last file first. All of it goes back or nothing.
func (l *pastLook) lookFiles(w *wayBack) {
	left := 0
	for _, made := range byFile(w.entry.Made) {
		f, err := lookFile(made)
		path := l.d.tilde(f.made.Path)
		switch {
		case errors.Is(err, errChangedSince):
			w.refuse("changed since", path+" was changed since, so it is left alone.")
		case errors.Is(err, errKept):
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
		w.refuse("nothing done", "It was interrupted before anything was done.")
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
	p, err := openPlace(f.made.Path)
	if errors.Is(err, fs.ErrNotExist) && f.made.Before == nil {
		f.same = true
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer p.close()
	now, mode, err := p.read()
	if err != nil {
		return f, err
	}
	f.was = journal.Made{Path: f.made.Path, Sum: sumOf(f.made.Before), Before: now, Mode: mode}
	switch sum := sumOf(now); {
	case sum == f.was.Sum:
		f.same = true
	case !slices.ContainsFunc(done, func(m journal.Made) bool { return m.Sum == sum }):
		return f, errChangedSince
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
func (f *fileBack) put() error {
	p, err := openPlace(f.made.Path)
	if err != nil {
		return err
	}
	defer p.close()
	now, _, err := p.read()
	if err != nil {
		return err
	}
	if sumOf(now) != sumOf(f.was.Before) {
		return errChangedSince
	}
	if f.made.Before == nil {
		if err := p.root.Remove(p.name); err != nil {
			return err
		}
		return p.sync()
	}
	mode := fs.FileMode(f.made.Mode)
	if mode == 0 {
		mode = 0o600
	}
	return p.write(f.made.Before, mode, now != nil)
}

// filePlace is where a document lies: the memory of its project, or its directory. No link leads out of it, and none is
// followed to the file.
type filePlace struct {
	root *os.Root
	name string // of the file in root
}

// openPlace opens the place of a document.
func openPlace(path string) (*filePlace, error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	memory := filepath.Join(".claude", "memory") + string(filepath.Separator)
	if project, below, ok := strings.Cut(path, string(filepath.Separator)+memory); ok {
		m, err := backup.OpenMemory(project) // which says where a memory may lead
		if err != nil {
			return nil, err
		}
		dir, name = m.Path(), below
		_ = m.Close() // it was only looked at
	} else if fi, err := os.Lstat(dir); err != nil {
		return nil, err
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("directory %s: it is a link", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &filePlace{root, name}, nil
}

func (p *filePlace) close() { _ = p.root.Close() }

// read reads the file; nil is none.
func (p *filePlace) read() (text []byte, mode uint32, err error) {
	fi, err := p.root.Lstat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	case !fi.Mode().IsRegular():
		return nil, 0, transcript.ErrNotRegular
	case fi.Size() > journal.MaxBefore:
		return nil, 0, errKept
	}
	f, is, err := transcript.OpenFile(filepath.Join(p.root.Name(), p.name))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if !os.SameFile(fi, is) { // somebody has put another one there
		return nil, 0, errChangedSince
	}
	text, err = io.ReadAll(io.LimitReader(f, journal.MaxBefore+1))
	if err == nil && len(text) > journal.MaxBefore {
		err = errKept
	}
	return text, uint32(fi.Mode().Perm()), err
}

// write gives the file a text, whole or not at all. Where none is expected one that is there stays.
func (p *filePlace) write(text []byte, mode fs.FileMode, there bool) error {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	temp := filepath.Join(filepath.Dir(p.name), ".continuo-"+hex.EncodeToString(random[:])+".tmp")
	f, err := p.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = p.root.Remove(temp) }() // it has its name by then, if all went well
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if there {
		err = p.root.Rename(temp, p.name)
	} else if err = p.root.Link(temp, p.name); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, absent := p.root.Lstat(p.name); errors.Is(absent, fs.ErrNotExist) { // not every file system can link
			err = p.root.Rename(temp, p.name)
		}
	}
	if err != nil {
		return err
	}
	return p.sync()
}

// sync makes the name last. Not every system can.
func (p *filePlace) sync() error {
	f, err := p.root.Open(filepath.Dir(p.name))
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}
