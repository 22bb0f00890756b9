package backup

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// StagedIn is Memory.Staged of the memory of a project. Without a staged recovery it only looks for the file.
func StagedIn(project string, now time.Time) (s Staged, ok bool, err error) {
	if _, err := os.Lstat(StagedPath(project)); errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	m, err := OpenMemory(project)
	if err != nil {
		return s, false, err
	}
	defer func() { _ = m.Close() }() // it is only read
	return m.Staged(now)
}
