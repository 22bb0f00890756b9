package backup

import (
	"bytes"
	"path/filepath"
)

const (
	ignoreName = ".gitignore"
	// ignoreTitle tells whether a .gitignore has our block.
	ignoreTitle = "# continuo: transcripts hold secrets"
	ignoreBlock = ignoreTitle + `
raw/
trash/
.pending-backup*
.backup-log
.lock
` + tempPrefix + "*" + tempSuffix + "\n"
	// maxIgnore is far above any that somebody wrote.
	maxIgnore = 1 << 20
)

// Guard keeps git away from what is private in the memory: it makes the .gitignore files of the memory, of raw and of
// the trash where they are missing. Those of the two directories ignore all there, which none above can undo. To one
// of the memory that is there already our lines are appended once. It needs no lock, for all write the same, and it
// waits for the disk. The error is ErrLinkedOut or that of the system.
func (m *Memory) Guard() error {
	if m.isThere(ignoreName) && m.isThere(filepath.Join(rawDir, ignoreName)) && m.isThere(filepath.Join(trashDir, ignoreName)) {
		return nil // whatever became of our lines: somebody may not want them
	}
	text, fi, err := m.read(ignoreName, maxIgnore)
	mode := fileMode | 0o044 // git may read it on behalf of others
	switch {
	case isAbsent(err):
	case err != nil:
		return err
	default:
		mode = fi.Mode().Perm()
	}
	if !bytes.Contains(text, []byte(ignoreTitle)) {
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		if err := m.replace(ignoreName, append(text, ignoreBlock...), mode); err != nil {
			return err
		}
	}
	for _, dir := range []string{rawDir, trashDir} {
		if err := m.mkdir(dir); err != nil {
			return err
		}
		if err := m.ignoreAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// ignoreAll makes the .gitignore of a directory that git must never see into.
func (m *Memory) ignoreAll(dir string) error {
	name := filepath.Join(dir, ignoreName)
	if m.isThere(name) {
		return nil
	}
	return m.replace(name, []byte("*\n"), fileMode)
}

func (m *Memory) isThere(name string) bool {
	_, err := m.root.Lstat(name)
	return err == nil
}
