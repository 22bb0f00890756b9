package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
)

// moved is the old path of a project, and its installation record.
type moved struct{ from, file string }

// findMoved searches for a record of this project from before a move. A record matches if its own project is missing,
// and all its files are here and unchanged. findMoved returns a single match, otherwise here. here.several then has
// the matches, and here.doubt the files with originals in records of missing projects.
func (s Options) findMoved(here *record) *record {
	entries, _ := os.ReadDir(s.Records) // if the directory is unreadable, no record matches
	var fit, gone []*record
	for _, e := range entries {
		n, err := s.noteIn(e.Name())
		if err != nil || n.Scope != ScopeProject || !filepath.IsAbs(n.Path) || sessions.MayExist(n.Path, os.Stat) || !n.move(here) {
			continue
		}
		gone = append(gone, n)
		if n.isHere() {
			fit = append(fit, n)
		}
	}
	if len(fit) == 1 {
		return fit[0]
	}
	here.doubt = map[string][]string{}
	for _, n := range gone {
		for _, f := range n.Files {
			if f.There {
				here.doubt[f.Path] = append(here.doubt[f.Path], n.moved.file)
			}
		}
	}
	for _, n := range fit {
		here.several = append(here.several, n.moved.file)
	}
	return here
}

// move changes the paths in a record to paths in the project of here. It returns false for a record without files, or
// with a path outside its project.
func (n *record) move(here *record) bool {
	paths := make([]*string, 0, len(n.Files)+len(n.Dirs))
	for i := range n.Files {
		paths = append(paths, &n.Files[i].Path)
	}
	for i := range n.Dirs {
		paths = append(paths, &n.Dirs[i])
	}
	for _, path := range paths {
		if !inside(*path, n.Path) {
			return false
		}
		rel, _ := filepath.Rel(n.Path, *path)
		*path = filepath.Join(here.Path, rel)
	}
	n.moved = moved{from: n.Path, file: n.file}
	n.Path, n.file = here.Path, here.file
	return len(n.Files) > 0
}

// isHere reports whether all recorded files exist and are unchanged.
func (n *record) isHere() bool {
	return !slices.ContainsFunc(n.Files, func(f fileRecord) bool {
		text, _, err := readWhole(f.Path)
		return err != nil || f.Sum != sum(text)
	})
}

// tellMoved warns if the record is from before a move, or if several records match.
func (p *Plan) tellMoved(n *record) {
	if n.moved.file != "" {
		p.warn("This project was moved from %s. Its installation record is used.", n.moved.from)
	}
	if len(n.several) > 0 {
		p.warn("This project may have been moved here. Several installation records match, so none is used: %s.", strings.Join(n.several, ", "))
	}
}

// also adds a replaced version of a file to the record once.
func (f *fileRecord) also(text []byte) {
	same := func(other []byte) bool { return bytes.Equal(other, text) }
	if f.There && same(f.Before) || slices.ContainsFunc(f.Also, same) {
		return
	}
	f.Also = append(slices.Clone(f.Also), text)
}

// hold makes an uninstall keep the record of a file. It adds a Stay with path and reason.
func (p *Plan) hold(n *record, file, path, why string) {
	p.Stays = append(p.Stays, Stay{path, why})
	if n.held = append(n.held, file); !slices.Contains(p.keep, n) {
		p.keep = append(p.keep, n)
	}
}

// keepSettings keeps the original of a settings.json in the record if two conditions are met. Its hooks may call
// replaced scripts, and it differs from now, the text after the uninstall.
func (p *Plan) keepSettings(n *record, old *fileRecord, now []byte) {
	if old == nil || !old.Held && !isReplaced(n) {
		return
	}
	other := func(text []byte) bool { return !bytes.Equal(text, now) }
	if old.There && other(old.Before) || slices.ContainsFunc(old.Also, other) {
		p.hold(n, old.Path, n.file, "the original "+old.Path+", which was edited later")
	}
}
