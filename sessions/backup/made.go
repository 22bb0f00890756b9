package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// This file knows the transcripts that a restore makes, outside of the memory.

// openProjects opens a projects directory of the client, to be written to as a memory is.
func openProjects(projects string) (*Memory, error) {
	root, err := disk.Open(projects)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", projects, cause(err))
	}
	return &Memory{root: root, path: projects}, nil
}

// copyOut copies a backup into a directory of dst, under a name of its own, and fills in its sum.
func (m *Memory) copyOut(ctx context.Context, made *Made, dst *Memory, dir string) (*disk.Temp, error) {
	src, _, err := m.place().open(made.From, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	if err != nil {
		return nil, fmt.Errorf("backup %s: %w", m.at(made.From), cause(err))
	}
	defer src.Close()
	if err := dst.mkdir(dir); err != nil {
		return nil, err
	}
	temp, err := dst.create(dir)
	if err != nil {
		return nil, err
	}
	n, sum, err := temp.CopyFrom(ctx, src, made.Bytes)
	if err == nil && n != made.Bytes {
		err = ErrChanged
	}
	if err != nil {
		temp.Drop()
		return nil, fmt.Errorf("copy %s to %s: %w", m.at(made.From), dst.at(dir), cause(err))
	}
	made.Sum = sum
	return temp, nil
}

// sumOf is the SHA-256 of a file in hex; "" where none is.
func (m *Memory) sumOf(ctx context.Context, name string) (string, error) {
	fi, err := m.root.Lstat(name)
	if isAbsent(err) {
		return "", nil
	}
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	f, _, err := m.place().open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	defer f.Close()
	sum, err := disk.Sum(ctx, f)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	return sum, nil
}

// asidePrefix begins the name of a made transcript that is looked at for the last time; the id of its deed follows.
const asidePrefix = ".continuo-"

// madeFile is a made transcript that is to go.
type madeFile struct {
	Made
	projects string
	name     string // below projects
	aside    string // the same, while it is looked at for the last time
	gone     bool   // only its directory may have to go
}

// lookMade looks at the file that a restore made. It is nil where that is gone, and its directory is not to go.
func (m *Memory) lookMade(ctx context.Context, d *Deed, client Client) (*madeFile, error) {
	projects, slug, id, err := splitMade(d.Made.Path)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(client.Projects, func(p string) bool { return filepath.Clean(p) == projects }) {
		return nil, fmt.Errorf("file %s: %w", d.Made.Path, ErrNoPlace)
	}
	dst, err := openProjects(projects)
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dst.Close()
	f := &madeFile{Made: *d.Made, projects: projects, name: path.Join(slug, id+backupSuffix)}
	f.aside = path.Join(slug, asidePrefix+d.ID)
	sum, err := dst.sumOf(ctx, f.name)
	if err != nil {
		return nil, err
	}
	left, err := dst.sumOf(ctx, f.aside)
	switch {
	case err != nil:
		return nil, err
	case sum == "" && left == "" && !f.NewDir:
		return nil, nil
	case sum == "" && left == "":
		f.gone = true
		return f, nil
	case sum != "" && (sum != f.Sum || left != ""):
		return nil, fmt.Errorf("file %s: %w", f.Path, ErrChanged)
	case client.Live == nil || client.Live(id):
		return nil, fmt.Errorf("file %s: %w", f.Path, ErrLive)
	}
	if _, err := m.plain(f.From); err != nil {
		return nil, fmt.Errorf("backup %s: %w", m.at(f.From), cause(err))
	}
	if sum, err = m.sumOf(ctx, f.From); err == nil && sum != f.Sum {
		err = fmt.Errorf("backup %s: %w", m.at(f.From), ErrChanged)
	}
	return f, err
}

// remove takes the file away from the client, makes sure that it holds nothing but what was made, and deletes it; its
// directory too, if that was made for it and is empty.
func (f *madeFile) remove(ctx context.Context) error {
	dst, err := openProjects(f.projects)
	if err != nil {
		return err
	}
	defer dst.Close()
	if !f.gone {
		if err := f.removeFile(ctx, dst); err != nil {
			return err
		}
	}
	if dir := path.Dir(f.name); f.NewDir && dst.plainDir(dir) == nil && dst.root.Remove(dir) == nil {
		return dst.syncDir(".")
	}
	return nil
}

func (f *madeFile) removeFile(ctx context.Context, dst *Memory) error {
	if _, err := dst.root.Lstat(f.aside); err != nil { // else it was interrupted here
		if err := dst.root.Rename(f.name, f.aside); err != nil {
			return fmt.Errorf("file %s: %w", f.Path, cause(err))
		}
	}
	sum, err := dst.sumOf(ctx, f.aside)
	if err == nil && sum != f.Sum {
		err = fmt.Errorf("file %s: %w", f.Path, ErrChanged)
	}
	if err != nil {
		return errors.Join(err, dst.failed("write", f.name, dst.root.Move(f.aside, f.name)))
	}
	if err := dst.root.Remove(f.aside); err != nil {
		return fmt.Errorf("file %s: %w", f.Path, cause(err))
	}
	return dst.syncDir(path.Dir(f.name))
}
