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

// findMoved looks for the record of this project under a former path. A record matches if its project no longer
// exists, and all its recorded files are here, unchanged. If exactly one matches, findMoved returns it. Otherwise it
// returns here, with the matching records in here.several, and in here.doubt the files whose originals may be in one
// of them.
func (s Options) findMoved(here *note) *note {
	entries, _ := os.ReadDir(s.Records) // if the folder can't be read, no record matches
	var fit, gone []*note
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

// move changes the paths of a record to those of the project of here. It returns false if the record has no files, or
// a path outside of its project.
func (n *note) move(here *note) bool {
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
func (n *note) isHere() bool {
	return !slices.ContainsFunc(n.Files, func(f noted) bool {
		text, _, err := readWhole(f.Path)
		return err != nil || f.Sum != sum(text)
	})
}

// tellMoved adds a warning if the record of a moved project is used, or if several records match.
func (p *Plan) tellMoved(n *note) {
	if n.moved.file != "" {
		p.warn("This project was moved from %s. Its installation record is used.", n.moved.from)
	}
	if len(n.several) > 0 {
		p.warn("This project may have been moved here. Several installation records match, so none is used: %s.", strings.Join(n.several, ", "))
	}
}

// also adds an earlier version of a file to the record, unless the record already contains that version.
func (f *noted) also(text []byte) {
	same := func(other []byte) bool { return bytes.Equal(other, text) }
	if f.There && same(f.Before) || slices.ContainsFunc(f.Also, same) {
		return
	}
	f.Also = append(slices.Clone(f.Also), text)
}

// hold keeps the record of a file during an uninstall, and adds a Stay with the path and the reason.
func (p *Plan) hold(n *note, file, path, why string) {
	p.Stays = append(p.Stays, Stay{path, why})
	if n.held = append(n.held, file); !slices.Contains(p.keep, n) {
		p.keep = append(p.keep, n)
	}
}

// keepSettings keeps the record of the original settings.json if its hooks may have called replaced scripts of
// another program, and if it differs from now, the text after the uninstall.
func (p *Plan) keepSettings(n *note, old *noted, now []byte) {
	if old == nil || !old.Held && !isReplaced(n) {
		return
	}
	other := func(text []byte) bool { return !bytes.Equal(text, now) }
	if old.There && other(old.Before) || slices.ContainsFunc(old.Also, other) {
		p.hold(n, old.Path, n.file, "the original "+old.Path+", which was edited later")
	}
}
