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
	// ignoreTitle is the comment above the block of continuo in a .gitignore.
	ignoreTitle = "# continuo: transcripts hold secrets"
	// ignoreBefore is the block of early versions, without the line for staged recoveries. A later staged recovery
	// adds the line.
	ignoreBefore = ignoreTitle + `
raw/
trash/
.pending-backup*
.backup-log
.lock
` + disk.TempPattern + "\n"
	ignoreBlock = ignoreBefore + stagedName + "\n"
	// maxIgnore is the limit of a .gitignore in bytes. Real ones are much smaller.
	maxIgnore = 1 << 20
)

// ignoreEverything is the .gitignore of a directory that git must never see.
const ignoreEverything = "*\n"

// Guard hides the private files of the memory from git.
//
// The .gitignore files of raw and trash ignore everything there. A .gitignore in a parent directory can't reverse
// this.
//
// The .gitignore of the memory itself gets a block with the names of our files. Guard doesn't add the block to a file
// that has a part of it, or if the user removed the block. It doesn't change a link.
//
// Guard takes no lock, because all writers write the same text. The error is ErrLinkedOut or a system error.
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

// ignoreOurs creates or extends the .gitignore of the memory directory. Existing lines stay, even if they include our
// files: the secrets are in raw and trash.
func (m *Memory) ignoreOurs(first bool) error {
	text, fi, err := m.read(ignoreName, maxIgnore)
	mode := fileMode | 0o044 // readable by everyone, because git may run as another user
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

// ignoreAll writes a .gitignore that ignores a whole directory. It replaces a link, because git doesn't follow a
// .gitignore that is a link.
func (m *Memory) ignoreAll(dir string) error {
	name := filepath.Join(dir, ignoreName)
	if text, _, err := m.read(name, int64(len(ignoreEverything))); err == nil && string(text) == ignoreEverything {
		return nil
	}
	return m.replace(name, []byte(ignoreEverything), fileMode)
}

// HasCopies reports whether the memory directory has files that git must not see: backups, unfinished backups, trash,
// or markers that may name a backup. An unreadable directory counts as such a file. project must be an absolute path.
// The error is that of Find.
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

// nothingIn reports whether a directory has only a .gitignore, the file of sums, and temporary files of killed
// writers. Entries of the trash may also have such files.
func (p *openDir) nothingIn(dir string) bool {
	names, _, err := p.list(dir)
	if err != nil {
		return false
	}
	left := map[string]bool{ignoreName: true, sumsName: true}
	for _, temp := range p.root.Temps(dir) {
		left[filepath.Base(temp.Path)] = !temp.Alive
	}
	for _, name := range names {
		onlyTemps := dir == trashDir && isEntryID(name) && p.nothingIn(filepath.Join(dir, name))
		if !left[name] && !onlyTemps {
			return false
		}
	}
	return true
}
