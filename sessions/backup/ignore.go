package backup

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	ignoreName = ".gitignore"
	// ignoreTitle tells whether a .gitignore has our block.
	ignoreTitle = "# continuo: transcripts hold secrets"
	// ignoreBefore is what the block was before there was anything staged. Those that have it get the rest with the
	// first recovery that is staged there.
	ignoreBefore = ignoreTitle + `
raw/
trash/
.pending-backup*
.backup-log
.lock
` + disk.TempPattern + "\n"
	ignoreBlock = ignoreBefore + stagedName + "\n"
	// maxIgnore is far above any that somebody wrote.
	maxIgnore = 1 << 20
)

// ignoreEverything is the whole .gitignore of a directory that git must never see into.
const ignoreEverything = "*\n"

// Guard keeps git away from what is private in the memory. The .gitignore of raw and that of the trash ignore all
// there, which none above can undo: whatever else has their names is replaced. That of the memory is made where it is
// missing or empty, or has our title and none of our lines; to one that somebody wrote our lines are appended once,
// before there is a trash, and a link stays. It needs no lock, for all write the same, and it waits for the disk. The
// error is ErrLinkedOut or that of the system.
func (m *Memory) Guard() error {
	first := !m.isThere(filepath.Join(trashDir, ignoreName)) || !m.isThere(filepath.Join(rawDir, ignoreName))
	for _, dir := range []string{rawDir, trashDir} {
		if err := m.mkdir(dir); err != nil {
			return err
		}
		if err := m.ignoreAll(dir); err != nil {
			return err
		}
	}
	return m.ignoreOurs(first)
}

// ignoreOurs sees to the .gitignore of the memory. What it keeps out of git besides the two directories is no secret,
// so whatever is there on purpose stays.
func (m *Memory) ignoreOurs(first bool) error {
	text, fi, err := m.read(ignoreName, maxIgnore)
	mode := fileMode | 0o044 // git may read it on behalf of others
	switch {
	case isAbsent(err):
	case errors.Is(err, transcript.ErrNotRegular):
		return nil
	case err != nil:
		return err
	default:
		mode = fi.Mode().Perm()
	}
	lines := strings.Fields(ignoreBlock[len(ignoreTitle):])
	ours := func(line []byte) bool { return slices.Contains(lines, string(bytes.TrimSpace(line))) }
	switch titled := bytes.Contains(text, []byte(ignoreTitle)); {
	case len(bytes.TrimSpace(text)) == 0:
	case titled && slices.ContainsFunc(slices.Collect(bytes.Lines(text)), ours):
		return nil
	case !titled && !first:
		return nil
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return m.replace(ignoreName, append(text, ignoreBlock...), mode)
}

// ignoreAll makes the .gitignore of a directory that git must never see into. git follows no link that has this name.
func (m *Memory) ignoreAll(dir string) error {
	name := filepath.Join(dir, ignoreName)
	if text, _, err := m.read(name, int64(len(ignoreEverything))); err == nil && string(text) == ignoreEverything {
		return nil
	}
	return m.replace(name, []byte(ignoreEverything), fileMode)
}

func (m *Memory) isThere(name string) bool {
	_, err := m.root.Lstat(name)
	return err == nil
}

// HasCopies reports whether the memory of a project holds what git must never see: a backup, one in the making,
// anything in the trash, or a marker that may name a backup. What cannot be looked at counts. The project is an
// absolute path. The error is that of Find.
func HasCopies(ctx context.Context, project string) (bool, error) {
	found, err := Find(ctx, project, nil)
	if err != nil {
		return false, err
	}
	if len(found.Backups)+len(found.Problems) > 0 || slices.ContainsFunc(found.Markers, func(m Marker) bool { return !m.isFree() }) {
		return true, nil
	}
	p, err := enter(filepath.Join(project, ".claude", "memory"))
	if p == nil {
		return err != nil, nil
	}
	defer p.root.Close()
	for _, dir := range append(rawDirs(), trashDir) {
		if !p.nothingIn(dir) {
			return true, nil
		}
	}
	return false, nil
}

// nothingIn reports whether there is nothing in a directory but what keeps git away, sums, and what was in the making
// when its writer was killed.
func (p *place) nothingIn(dir string) bool {
	names, _, err := p.list(dir)
	if err != nil {
		return false
	}
	left := map[string]bool{ignoreName: true, sumsName: true}
	for _, temp := range p.root.Temps(dir) {
		left[filepath.Base(temp.Path)] = !temp.Alive
	}
	for _, name := range names {
		hollow := dir == trashDir && isDeedID(name) && p.nothingIn(filepath.Join(dir, name))
		if !left[name] && !hollow {
			return false
		}
	}
	return true
}
