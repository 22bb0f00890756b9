package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Store reads and writes the entries in a directory. It is safe for concurrent use, even by several programs.
type Store struct{ dir string }

// Open returns the Store for a directory, which may not exist. continuo uses $XDG_STATE_HOME/continuo/journal.
func Open(dir string) *Store { return &Store{dir} }

// lockName is the name of the lock file in the directory.
const lockName = ".lock"

// Lock excludes other actions until unlock. It creates a missing directory. The error is disk.ErrLocked if another
// program keeps the lock too long.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	fail := func(err error) (func(), error) { return nil, fmt.Errorf("journal %s: %w", s.dir, disk.Cause(err)) }
	d, err := makeDirectory(s.dir)
	if err != nil {
		return fail(err)
	}
	release, err := d.Lock(ctx, lockName)
	if err != nil {
		return fail(errors.Join(err, d.Close()))
	}
	return func() { release(); _ = d.Close() }, nil
}

// Begin writes a new entry before its action, and returns it with its ID. At becomes whole seconds. Begin may delete
// an old entry. The error is errTooLarge, errNotEntry for an invalid entry, or a system error.
func (s *Store) Begin(ctx context.Context, e Entry) (Entry, error) {
	fail := func(err error) (Entry, error) { return Entry{}, fmt.Errorf("journal %s: %w", s.dir, disk.Cause(err)) }
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	e.At = e.At.UTC().Truncate(time.Second)
	if err := e.check(); err != nil {
		return fail(err)
	}
	text, err := e.encode(nil)
	if err != nil {
		return fail(err)
	}
	d, err := makeDirectory(s.dir)
	if err != nil {
		return fail(err)
	}
	defer d.Close()
	temp, err := d.Draft(".", text, fileMode)
	if err != nil {
		return fail(err)
	}
	defer temp.Drop()
	names, err := d.Names(".")
	if err != nil {
		return fail(err)
	}
	n := 1
	for _, name := range names {
		if at, _, other, ok := parseID(strings.TrimSuffix(name, suffix)); ok && at.Equal(e.At) {
			n = max(n, other+1)
		}
	}
	for ; ; n++ {
		e.ID = entryID(e.At, e.Kind, n)
		if err = temp.Publish(e.ID + suffix); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		err = d.SyncDir(".")
	}
	if err != nil {
		return fail(err)
	}
	d.rotate(&e)
	return e, nil
}

// Finish writes an entry again after its action. The error wraps fs.ErrNotExist if the entry was deleted meanwhile.
// It doesn't mean that the action failed.
func (s *Store) Finish(ctx context.Context, e Entry) error {
	fail := func(err error) error { return fmt.Errorf("journal %s: %w", s.dir, disk.Cause(err)) }
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	at, kind, _, ok := parseID(e.ID)
	if !ok || kind != e.Kind || !at.Equal(e.At) {
		return fail(fmt.Errorf("%q: %w", e.ID, errNotEntry))
	}
	if err := e.check(); err != nil {
		return fail(err)
	}
	d, err := openDirectory(s.dir)
	if err != nil {
		return fail(err)
	}
	defer d.Close()
	before, err := d.read(e.ID + suffix)
	if err != nil {
		return fail(err)
	}
	text, err := e.encode(before)
	if err != nil {
		return fail(err)
	}
	if err := d.Replace(e.ID+suffix, text, fileMode); err != nil {
		return fail(err)
	}
	return nil
}

// Forget deletes the entry of an action that changed nothing.
func (s *Store) Forget(_ context.Context, id string) error {
	d, err := openDirectory(s.dir)
	if err == nil {
		defer d.Close()
		if _, _, _, ok := parseID(id); !ok {
			err = errNotEntry
		} else if err = d.Remove(id + suffix); err == nil {
			err = d.SyncDir(".")
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("journal %s: %w", s.dir, disk.Cause(err))
	}
	return nil
}

// List returns the last 20 entries, newest first, or 21 during an undo. It also returns an error for each file that
// isn't an entry. A missing directory has no entries and no errors.
func (s *Store) List(ctx context.Context) ([]Entry, []error) {
	fail := func(name string, err error) error { return fmt.Errorf("journal %s: %w", s.at(name), disk.Cause(err)) }
	d, err := openDirectory(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{fail("", err)}
	}
	defer d.Close()
	names, err := d.Names(".")
	var problems []error
	if err != nil {
		problems = append(problems, fail("", err))
	}
	var ids []string
	for _, name := range names {
		id, ok := strings.CutSuffix(name, suffix)
		if ok {
			_, _, _, ok = parseID(id)
		}
		if ok {
			ids = append(ids, id)
		} else if !disk.IsTemp(name) && name != lockName {
			problems = append(problems, fail(name, errNotEntry))
		}
	}
	slices.SortFunc(ids, newer)
	var list []Entry
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return list, append(problems, fail("", err))
		}
		if i > Most {
			break
		}
		text, err := d.read(id + suffix)
		if errors.Is(err, fs.ErrNotExist) { // another program has just deleted the entry
			continue
		}
		var e Entry
		if err == nil {
			e, err = decode(id, text)
		}
		if err != nil {
			problems = append(problems, fail(id+suffix, err))
			continue
		}
		list = append(list, e)
	}
	return newest20(list), problems
}
