package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// ErrChanged says that a file is not any more as it was when the plan was made.
var ErrChanged = errors.New("it has changed since it was looked at")

// ApplyError is a plan that could not be carried out to its end.
type ApplyError struct {
	Err error
	// Left are the paths that could not be put back to what they were; none when all is as before.
	Left []string
}

// Error implements error.
func (e *ApplyError) Error() string { return e.Err.Error() }

// Unwrap returns what went wrong.
func (e *ApplyError) Unwrap() error { return e.Err }

// ErrBusy says that another continuo is at it and does not come to an end.
var ErrBusy = errors.New("another continuo is installing or uninstalling")

// Apply carries the plan out: all of it, or what was done is put back. The error is an *ApplyError, with ErrChanged
// when somebody has written one of the files meanwhile, and with ErrBusy.
func (p *Plan) Apply(now time.Time) error {
	unlock, err := p.lock()
	if err != nil {
		return &ApplyError{Err: err}
	}
	defer unlock()
	p.sweep()
	if p.memory == "" {
		return p.apply(now)
	}
	done := false
	err = p.inMemory(func() error {
		err := p.apply(now)
		done = err == nil
		return err
	})
	if _, ok := errors.AsType[*ApplyError](err); ok || err == nil {
		return err
	}
	failed := &ApplyError{Err: err}
	if done {
		failed.Left = []string{p.Kept.Path}
	}
	return failed
}

// apply is Apply under the locks.
func (p *Plan) apply(now time.Time) error {
	for i := range p.Changes {
		if err := p.Changes[i].unchanged(); err != nil {
			return &ApplyError{Err: err}
		}
	}
	var undo []func() error
	var what []string
	did := func(path string, back func() error) { undo, what = append(undo, back), append(what, path) }
	err := p.carryOut(now, did)
	if err == nil {
		return nil
	}
	failed := &ApplyError{Err: err}
	for i, back := range slices.Backward(undo) {
		if back() != nil {
			failed.Left = append(failed.Left, what[i])
		}
	}
	return failed
}

// lock keeps others from carrying out a plan. The error is ErrBusy when another one does not come to an end.
func (p *Plan) lock() (unlock func(), err error) {
	root, err := disk.Make(p.records, 0o700)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	release, err := root.Lock(context.Background(), ".lock")
	if errors.Is(err, disk.ErrLocked) {
		err = ErrBusy
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("record %s: %w", p.records, err), root.Close())
	}
	return func() { release(); _ = root.Close() }, nil
}

// carryOut does one step after the other and tells how each is taken back.
func (p *Plan) carryOut(now time.Time, did func(path string, back func() error)) error {
	if !p.removes {
		for _, n := range p.notes {
			did(n.file, n.takeBack)
			if err := n.write(now); err != nil {
				return err
			}
		}
		for _, d := range p.Dirs {
			did(d.Path, d.remove)
			if err := d.make(); err != nil {
				return err
			}
		}
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		did(c.Path, c.takeBack)
		if err := c.carryOut(); err != nil {
			return err
		}
	}
	if !p.removes {
		return nil
	}
	for _, d := range p.Dirs {
		did(d.Path, d.make)
		if err := d.remove(); err != nil && !isNotEmpty(err) {
			return err
		}
	}
	for _, n := range p.keep {
		did(n.file, n.takeBack)
		if err := n.write(now); err != nil {
			return err
		}
	}
	for _, n := range p.notes {
		forget := n.remove
		if n.part {
			forget = func() error { return n.write(now) }
		}
		if err := forget(); err != nil {
			return err
		}
	}
	return nil
}

// open opens the directory that nothing may lead out of, and says by what name a path is in it.
func open(base, path string) (*disk.Root, string, error) {
	name, err := filepath.Rel(base, path)
	if err != nil {
		return nil, "", err
	}
	root, err := disk.Open(base)
	return root, name, err
}

func (d Dir) make() error {
	root, name, err := open(d.base, d.Path)
	if err != nil {
		return fmt.Errorf("directory %s: %w", d.Path, err)
	}
	defer root.Close()
	if err = root.Mkdir(name, d.Mode); err == nil {
		err = root.SyncDir(filepath.Dir(name))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("directory %s: %w", d.Path, err)
	}
	return nil
}

// remove removes the directory when it is empty.
func (d Dir) remove() error {
	root, name, err := open(d.base, d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("directory %s: %w", d.Path, err)
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil
	}
	if d.locked {
		removeLock(root, name)
	}
	if err = root.Remove(name); err != nil {
		return fmt.Errorf("directory %s: %w", d.Path, err)
	}
	return nil
}

func isNotEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist)
}

// unchanged reports whether the file is as the plan saw it.
func (c *Change) unchanged() error {
	real, err := physical(c.Path)
	if err == nil && real != c.Real {
		err = ErrChanged
	}
	if err == nil {
		var text []byte
		text, _, err = readWhole(c.Path)
		switch {
		case !c.There && errors.Is(err, fs.ErrNotExist):
			err = nil
		case err == nil && (!c.There || !bytes.Equal(text, c.Before)), errors.Is(err, fs.ErrNotExist):
			err = ErrChanged
		}
	}
	if err != nil {
		return fmt.Errorf("file %s: %w", c.Path, err)
	}
	return nil
}

func (c *Change) carryOut() error {
	root, name, err := open(c.base, c.Real)
	if err != nil {
		return fmt.Errorf("file %s: %w", c.Path, err)
	}
	defer root.Close()
	check := func() error {
		err := c.unchanged()
		c.begun = err == nil
		return err
	}
	if !c.Gone {
		err = c.replaceIn(root, name, check)
	} else if err = check(); err == nil {
		err = root.Remove(name)
	}
	if err != nil && !errors.Is(err, ErrChanged) {
		err = fmt.Errorf("file %s: %w", c.Path, err)
	}
	return err
}

// takeBack makes the file as it was before, unless somebody has written it since.
func (c *Change) takeBack() error {
	if !c.begun || c.unchanged() == nil {
		return nil // it has not come that far
	}
	back := Change{
		Path: c.Path, Real: c.Real, base: c.base, Mode: c.was, exact: true,
		There: !c.Gone, Before: c.After, Gone: !c.There, After: c.Before,
	}
	return back.carryOut()
}
