package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/disk"
)

// UnlistedError is returned for a directory in projects/ that couldn't be listed.
type UnlistedError struct {
	Path string // <config dir>/projects/<slug>, or <config dir>/projects
	Slug string // "" for all of projects
	Err  error
}

// Error implements error.
func (e *UnlistedError) Error() string { return fmt.Sprintf("project directory %s: %v", e.Path, e.Err) }

// Unwrap returns the wrapped error.
func (e *UnlistedError) Unwrap() error { return e.Err }

// MayConcern reports whether the directory may have sessions of a folder or its subfolders (see Named).
func (e *UnlistedError) MayConcern(folder string) bool { return e.Slug == "" || Named(folder)(e.Slug) }

// FilesOf returns the transcripts with an ID in all config dirs. unlisted has the unreadable directories that may
// have more. If the ID isn't a UUID, paths is empty.
func FilesOf(dirs []string, id string) (paths []string, unlisted []*UnlistedError) {
	for _, dir := range dirs {
		projects := filepath.Join(dir, "projects")
		entries, err := os.ReadDir(projects)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			unlisted = append(unlisted, &UnlistedError{Path: projects, Err: disk.Cause(err)})
		}
		for _, e := range entries {
			there, err := hasFile(projects, e, id)
			if err != nil {
				unlisted = append(unlisted, &UnlistedError{Path: filepath.Join(projects, e.Name()), Slug: e.Name(), Err: disk.Cause(err)})
			}
			if there {
				paths = append(paths, filepath.Join(projects, e.Name(), id+".jsonl"))
			}
		}
	}
	return paths, unlisted
}

// hasFile reports whether a project directory has the transcript with an ID. A directory that can't be listed is an
// error.
func hasFile(projects string, e fs.DirEntry, id string) (bool, error) {
	dir := filepath.Join(projects, e.Name())
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && e.Type()&fs.ModeSymlink == 0:
		return false, nil // the directory was deleted meanwhile
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, nil
	}
	if IsUUID(id) { // any other ID may be unsafe in a file name
		if _, err = os.Lstat(filepath.Join(dir, id+".jsonl")); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err == nil, err
		}
	}
	f, err := os.Open(dir) // Lstat of the transcript isn't enough: it can work without a listing
	if err != nil {
		return false, err
	}
	return false, f.Close()
}

// ConfigDirFor returns the config dir that knows a folder, otherwise the first one. Without dirs, it returns "".
func ConfigDirFor(dirs []string, workdir string) string {
	for _, dir := range dirs {
		if info, err := os.Stat(filepath.Join(dir, "projects", Slug(workdir))); err == nil && info.IsDir() {
			return dir
		}
	}
	if len(dirs) == 0 {
		return ""
	}
	return dirs[0]
}
