package act

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

// errMoved is returned if another program wrote to a file between the comparison and the rename. The op changed
// nothing.
var errMoved = fmt.Errorf("%w: another program has just written to the file", change.ErrChanged)

// each carries out ops in order and returns how many are complete. A series of moves is synced at its end.
func (r *run) each(ctx context.Context, ops []change.Op) (n int, err error) {
	for i := range ops {
		o := &ops[i]
		if o.Verb != change.Move {
			if err := r.sync(); err != nil {
				return i, err
			}
		}
		if err := r.one(ctx, o); err != nil {
			if root, gone := r.root(o); gone == nil {
				rmdirs(root, o.Dirs)
			}
			return i, o.Fail(disk.Cause(err))
		}
	}
	return len(ops), r.sync()
}

// sync syncs the directories of moved files, each once. A thousand syncs would take seconds.
func (r *run) sync() error {
	for root, dirs := range r.dirty {
		for _, dir := range dirs {
			if err := root.SyncDir(dir); err != nil && !disk.IsAbsent(err) {
				return fmt.Errorf("directory %s: %w", root.At(dir), disk.Cause(err))
			}
		}
	}
	clear(r.dirty)
	return nil
}

func (r *run) one(ctx context.Context, o *change.Op) error {
	if o.Verb == change.Run {
		return r.store.Run(ctx, o)
	}
	root, err := r.root(o)
	if err == nil {
		err = plainPath(root, o.Name)
	}
	if err != nil {
		return err
	}
	switch o.Verb {
	case change.Make:
		return r.make(root, o)
	case change.Move:
		return r.move(root, o)
	case change.Remove:
		if o.From != "" {
			return r.removeCopy(ctx, root, o)
		}
		return r.edit(root, o)
	case change.Delete:
		return r.delete(root, o)
	case change.Replace, change.Insert, change.Cut, change.Run:
	}
	return r.edit(root, o)
}

func (r *run) make(root *disk.Root, o *change.Op) error {
	if err := mkdirs(root, filepath.Dir(o.Name), o.DirMode); err != nil {
		return err
	}
	c := r.copies[o.Path()]
	if c == nil {
		c = &copied{}
		var err error
		if c.temp, err = r.draft(root, o); err != nil {
			return err
		}
		defer c.temp.Drop()
	}
	if !o.Time.IsZero() {
		if err := root.SetTime(c.temp.Name(), o.Time); err != nil {
			return err
		}
	}
	switch err := c.temp.Publish(o.Name); {
	case errors.Is(err, fs.ErrExist) && o.Next != "":
		return errMoved // the next attempt uses the next free name
	case errors.Is(err, fs.ErrExist):
		return &change.TakenError{Paths: []string{o.Path()}}
	case err != nil:
		return err
	}
	c.temp = nil
	return root.SyncDir(filepath.Dir(o.Name))
}

// draft writes the text of an op to a temporary file.
func (r *run) draft(root *disk.Root, o *change.Op) (temp *disk.Temp, err error) {
	mode := cmp.Or(o.Chmod, o.Mode)
	if !o.Hidden {
		return root.Draft(o.Name, o.Text, mode)
	}
	if temp, err = root.CreateHidden(filepath.Dir(o.Name), mode); err != nil {
		return nil, err
	}
	if _, err = temp.Write(o.Text); err == nil && o.Chmod != 0 {
		err = temp.Chmod(mode) // the umask may have removed bits
	}
	if err == nil {
		err = temp.Sync()
	}
	if err != nil {
		temp.Drop()
		return nil, err
	}
	return temp, nil
}

func (r *run) move(root *disk.Root, o *change.Op) error {
	fi, err := root.Lstat(o.Name)
	switch there, taken := root.Lstat(o.To); {
	case err == nil && taken == nil && os.SameFile(fi, there): // both names exist: an earlier move was interrupted
		err = root.Remove(o.Name)
	case err == nil && taken == nil:
		return &change.TakenError{Paths: []string{o.ToPath()}}
	case err != nil:
	case !fi.Mode().IsRegular():
		err = disk.ErrNotRegular
	case fi.Size() != o.Bytes || !fi.ModTime().Equal(o.Modified):
		err = change.ErrChanged
	default:
		if err = mkdirs(root, filepath.Dir(o.To), o.DirMode); err == nil {
			err = root.Move(o.Name, o.To)
		}
		if errors.Is(err, fs.ErrExist) {
			err = &change.TakenError{Paths: []string{o.ToPath()}}
		}
		if both, there := root.Lstat(o.Name); err == nil && there == nil && os.SameFile(fi, both) { // the old directory isn't writable, so both names exist
			if err = root.Remove(o.Name); err != nil {
				_ = root.Remove(o.To) // after an error, an undo removes the new name
			}
		}
	}
	if err != nil {
		return err
	}
	rmdirs(root, o.Empty)
	for _, dir := range []string{filepath.Dir(o.To), filepath.Dir(o.Name)} {
		if !slices.Contains(r.dirty[root], dir) {
			r.dirty[root] = append(r.dirty[root], dir)
		}
	}
	return nil
}

func (r *run) delete(root *disk.Root, o *change.Op) error {
	fi, err := root.Lstat(o.Name)
	switch {
	case disk.IsAbsent(err):
		rmdirs(root, o.Empty)
		return nil
	case err != nil:
		return err
	case fi.IsDir():
		rmdirs(root, append([]string{o.Name}, o.Empty...))
		return nil
	case !fi.Mode().IsRegular():
		return disk.ErrNotRegular
	case fi.Size() != o.Bytes || !fi.ModTime().Equal(o.Modified):
		return change.ErrChanged
	}
	if err := root.Remove(o.Name); err != nil {
		return err
	}
	rmdirs(root, o.Empty)
	return nil
}

// edit replaces or removes a file that is unchanged since the plan.
func (r *run) edit(root *disk.Root, o *change.Op) error {
	now, fi, err := root.ReadFile(o.Name, maxText)
	if disk.IsAbsent(err) {
		return r.editNone(root, o)
	}
	if err != nil {
		return err
	}
	next, err := edited(o, fileOf(now))
	if err == nil && o.Chmod == 0 {
		err = root.Writable(o.Name, fi)
	}
	if err != nil {
		return err
	}
	var temp *disk.Temp
	if next != nil {
		if temp, err = r.replacement(root, o, next, fi); err != nil {
			return err
		}
		defer temp.Drop()
	}
	// Compare directly before the rename. Only a write within the fraction of a millisecond between them is lost.
	again, after, err := root.ReadFile(o.Name, maxText)
	if err != nil || !os.SameFile(fi, after) || fi.Mode() != after.Mode() || !bytes.Equal(now, again) {
		return errMoved
	}
	if next != nil {
		err = temp.Replace(o.Name)
	} else if err = root.Remove(o.Name); err == nil {
		rmdirs(root, o.Empty)
	}
	if err != nil {
		return err
	}
	return syncParent(root, o.Name)
}

// editNone creates the missing file of an op.
func (r *run) editNone(root *disk.Root, o *change.Op) error {
	next, err := edited(o, nil)
	if err != nil || next == nil {
		return err
	}
	if err := mkdirs(root, filepath.Dir(o.Name), o.DirMode); err != nil {
		return err
	}
	temp, err := r.draft(root, &change.Op{Name: o.Name, Text: next, Mode: o.Mode, Hidden: o.Hidden})
	if err != nil {
		return err
	}
	defer temp.Drop()
	if err := temp.Publish(o.Name); errors.Is(err, fs.ErrExist) {
		return errMoved
	} else if err != nil {
		return err
	}
	return syncParent(root, o.Name)
}

// syncParent syncs the directory of a file, if it still exists.
func syncParent(root *disk.Root, name string) error {
	if err := root.SyncDir(filepath.Dir(name)); !disk.IsAbsent(err) {
		return err
	}
	return nil
}

// replacement writes a temporary file that will replace a file. It gets the owner and mode of that file or, for an op
// with Chmod, the default owner and that mode.
func (r *run) replacement(root *disk.Root, o *change.Op, text []byte, fi fs.FileInfo) (temp *disk.Temp, err error) {
	if o.Chmod != 0 {
		return r.draft(root, &change.Op{Name: o.Name, Text: text, Chmod: o.Chmod, Hidden: o.Hidden})
	}
	dir := filepath.Dir(o.Name)
	if o.Hidden {
		temp, err = root.CreateHidden(dir, fi.Mode().Perm())
	} else {
		temp, err = root.Create(dir, fi.Mode().Perm())
	}
	if err != nil {
		return nil, err
	}
	if err = temp.Own(fi); err == nil {
		_, err = temp.Write(text)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err != nil {
		temp.Drop()
		return nil, err
	}
	return temp, nil
}

// fileOf returns a copy of a text. It isn't nil, because nil means a missing file.
func fileOf(text []byte) []byte { return append([]byte{}, text...) }

// edited returns the contents of a file after an op. now is the contents before. nil means a missing file. If now
// isn't as planned, the error is errMoved.
func edited(o *change.Op, now []byte) ([]byte, error) {
	switch o.Verb {
	case change.Remove:
		if change.Sum(now) != o.Sum {
			return nil, errMoved
		}
		return nil, nil
	case change.Replace:
		if now == nil || !bytes.Equal(now, o.Before) {
			return nil, errMoved
		}
		return fileOf(o.Text), nil
	case change.Insert:
		if change.Sum(now) != o.Was || o.At > int64(len(now)) {
			return nil, errMoved
		}
		return slices.Concat(now[:o.At], o.Text, now[o.At:]), nil
	case change.Cut:
		if end := o.At + int64(len(o.Text)); end > int64(len(now)) || !bytes.Equal(now[o.At:end], o.Text) {
			return nil, errMoved
		}
		next := append(append([]byte{}, now[:o.At]...), now[o.At+int64(len(o.Text)):]...)
		if len(next) == 0 && o.New {
			return nil, nil
		}
		return next, nil
	case change.Make, change.Move, change.Delete, change.Run:
	}
	return nil, fs.ErrInvalid
}

// removeCopy deletes a file with the planned sum. It renames the file first, so that it compares and deletes the same
// file.
func (r *run) removeCopy(ctx context.Context, root *disk.Root, o *change.Op) error {
	aside := aside(o.Name)
	if _, err := root.Lstat(aside); err != nil { // otherwise an earlier removal was interrupted after the rename
		if err := root.Rename(o.Name, aside); err != nil {
			return err
		}
	}
	sum, err := r.sum(ctx, root, aside)
	if err == nil && sum != o.Sum {
		err = change.ErrChanged
	}
	if err != nil {
		return cmp.Or(root.Move(aside, o.Name), err)
	}
	if err := root.Remove(aside); err != nil {
		return err
	}
	rmdirs(root, o.Empty)
	return syncParent(root, o.Name)
}

// aside returns the temporary name of removeCopy. A sweep doesn't delete such files.
func aside(name string) string {
	return filepath.Join(filepath.Dir(name), ".continuo-"+filepath.Base(name))
}

// sum returns the SHA-256 of a file in hex, or "" without a file.
func (r *run) sum(ctx context.Context, root *disk.Root, name string) (string, error) {
	f, _, err := root.OpenFile(name)
	if disk.IsAbsent(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	return disk.Sum(ctx, f)
}
