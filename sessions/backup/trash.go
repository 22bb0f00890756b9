package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

const (
	trashDir  = "trash"
	entryName = "deed.json"
	// maxEntry is the limit of deed.json in bytes: 100,000 backups of 150 bytes.
	maxEntry = 16 << 20
)

// Trash is the directory of a memory for discarded backups. Each discard or prune makes one entry, a directory.
type Trash struct {
	files
	project string
}

// Entries returns the entries that can be undone, from newest to oldest. The error names damaged entries and other
// directories.
func (t Trash) Entries(ctx context.Context) ([]TrashEntry, error) {
	names, problem := t.trashed()
	problems := []error{problem}
	var entries []TrashEntry
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("trash of %s: %w", t.project, err)
		}
		d, err := t.readEntry(name)
		switch {
		case err == nil:
			entries = append(entries, d)
		case errors.Is(err, ErrNoEntry) && t.isUnstarted(name):
		case errors.Is(err, ErrNoEntry):
			problems = append(problems, fmt.Errorf("trash %s: %w", t.at(path.Join(trashDir, name)), ErrBadEntry))
		default:
			problems = append(problems, err)
		}
	}
	slices.SortFunc(entries, newerEntry)
	return entries, errors.Join(problems...)
}

func newerEntry(a, b TrashEntry) int {
	if c := b.At.Compare(a.At); c != 0 {
		return c
	}
	_, _, i, _ := parseEntryID(a.ID)
	_, _, j, _ := parseEntryID(b.ID)
	if i != j {
		return j - i
	}
	return strings.Compare(a.ID, b.ID)
}

// trashed lists the directories in the trash.
func (t Trash) trashed() ([]string, error) {
	if err := t.plainDir(trashDir); err != nil {
		if isAbsent(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("directory %s: %w", t.at(trashDir), cause(err))
	}
	names, _, err := t.list(trashDir)
	var problems []error
	dirs := names[:0]
	for _, name := range names {
		if strings.HasPrefix(name, ".") { // .gitignore, .DS_Store and similar files
			continue
		}
		if t.plainDir(path.Join(trashDir, name)) != nil {
			problems = append(problems, fmt.Errorf("trash %s: %w", t.at(path.Join(trashDir, name)), ErrBadEntry))
			continue
		}
		dirs = append(dirs, name)
	}
	return dirs, errors.Join(append(problems, err)...)
}

// readEntry reads one entry. The error is ErrNoEntry, ErrBadEntry or a system error.
func (t Trash) readEntry(id string) (TrashEntry, error) {
	dir := path.Join(trashDir, id)
	fail := func(err error) (TrashEntry, error) {
		return TrashEntry{}, fmt.Errorf("trash %s: %w", t.at(dir), err)
	}
	if !filepath.IsLocal(id) || strings.ContainsAny(id, `/\`) {
		return TrashEntry{}, fmt.Errorf("%q: %w", id, ErrNoEntry)
	}
	name := path.Join(dir, entryName)
	fi, err := t.plain(name)
	if err == nil && fi.Size() > maxEntry {
		err = errTooLong
	}
	if isAbsent(err) {
		err = ErrNoEntry
	}
	if err != nil {
		return fail(cause(err))
	}
	text, _, err := t.read(name, maxEntry)
	if err != nil {
		return TrashEntry{}, err
	}
	d, err := t.decodeEntry(id, text)
	if err != nil {
		return fail(fmt.Errorf("%s: %w: %w", entryName, ErrBadEntry, err))
	}
	for i := range d.Moves {
		if _, err := t.plain(d.inTrash(i)); err != nil {
			d.Unfinished = true
		}
	}
	return d, nil
}

// inTrash returns the path of the i-th backup in the trash, relative to the memory.
func (d *TrashEntry) inTrash(i int) string { return path.Join(trashDir, d.ID, d.Moves[i].Name) }

// isUnstarted reports whether an entry has only temporary files of a killed writer. deed.json is written before
// backups are moved in, and deleted after them.
func (t Trash) isUnstarted(id string) bool { return t.unstartedIn(path.Join(trashDir, id)) }

func (t Trash) unstartedIn(dir string) bool {
	names, _, err := t.list(dir)
	return err == nil && !slices.ContainsFunc(names, func(n string) bool {
		sub := path.Join(dir, n)
		return !strings.HasPrefix(n, ".") && (t.plainDir(sub) != nil || !t.unstartedIn(sub))
	})
}

func isEntryID(name string) bool {
	_, _, _, ok := parseEntryID(name)
	return ok
}

// name sets the time and the ID of an entry, and returns its deed.json.
func (t Trash) name(d *TrashEntry, at time.Time) ([]byte, error) {
	d.At = at.UTC().Truncate(time.Second)
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := t.plainDir(trashDir); err != nil && !isAbsent(err) {
		return nil, fmt.Errorf("directory %s: %w", t.at(trashDir), cause(err))
	}
	names, _ := t.trashed() // only the names matter
	n := 1
	for _, name := range names {
		if at, _, other, ok := parseEntryID(name); ok && at.Equal(d.At) {
			n = max(n, other+1)
		}
	}
	d.ID = entryID(d.At, d.Kind, n)
	text, err := d.encode()
	if err == nil && len(text) > maxEntry {
		err = fmt.Errorf("%d backups: %w", len(d.Moves), errTooLong)
	}
	return text, err
}

// trashDirs returns the directories of an entry that have backups, relative to the entry. Inner ones come first.
func (d *TrashEntry) trashDirs() []string {
	var dirs []string
	for i := range d.Moves {
		for dir := path.Dir(d.Moves[i].Name); dir != "."; dir = path.Dir(dir) {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return len(b) - len(a) })
	return dirs
}

// below returns all directories of an entry, relative to the memory. Inner ones come first, the entry last.
func (d *TrashEntry) below() []string {
	var dirs []string
	for _, dir := range append(d.trashDirs(), ".") {
		dirs = append(dirs, filepath.Join(trashDir, d.ID, filepath.FromSlash(dir)))
	}
	return dirs
}

// otherFiles returns files and links that other programs put into an entry, except hidden files. Paths are relative
// to the entry.
func (t Trash) otherFiles(d *TrashEntry) (otherFiles []string) {
	dir, dirs := path.Join(trashDir, d.ID), append(d.trashDirs(), ".")
	ours := map[string]bool{entryName: true}
	for i := range d.Moves {
		ours[d.Moves[i].Name] = true
	}
	for _, sub := range dirs {
		if t.plainDir(path.Join(dir, sub)) != nil {
			continue // the directory is missing, or its parent is in the result
		}
		names, _, err := t.list(path.Join(dir, sub))
		if err != nil {
			otherFiles = append(otherFiles, sub)
		}
		for _, name := range names {
			hidden := strings.HasPrefix(name, ".")
			name = path.Join(sub, name)
			isDir := slices.Contains(dirs, name) && t.plainDir(path.Join(dir, name)) == nil
			if _, err := t.plain(path.Join(dir, name)); !hidden && !isDir && (err != nil || !ours[name]) {
				otherFiles = append(otherFiles, name)
			}
		}
	}
	return otherFiles
}

// forgetOp returns the op that removes deed.json and the directories of the entry. ok is false if the entry has other
// files or its deed.json is unreadable.
func (t Trash) forgetOp(verb change.Verb, d *TrashEntry) (o change.Op, ok bool) {
	if len(t.otherFiles(d)) > 0 {
		return o, false
	}
	dir := path.Join(trashDir, d.ID)
	o = t.op(verb, path.Join(dir, entryName))
	text, fi, err := t.read(path.Join(dir, entryName), maxEntry)
	if err != nil {
		return o, false
	}
	o.Quiet, o.Loose, o.Empty = true, true, d.below()
	if verb == change.Remove {
		o.Text, o.Sum = text, change.Sum(text)
	} else {
		o.Bytes, o.Modified = fi.Size(), fi.ModTime()
	}
	return o, true
}

// Emptied is a plan to delete files from the trash.
type Emptied struct {
	Entries []TrashEntry // entries that are deleted, from newest to oldest
	Files   int          // number of backups
	Bytes   int64        // total size of the backups
	// there[i] has the backups of Entries[i] that are still in the trash.
	there [][]Move
}

// PlanEmpty lists all backups in the trash for EmptyOps. The error joins that of Entries with one for each other
// file. Other files stay.
func (t Trash) PlanEmpty(ctx context.Context) (Emptied, error) {
	entries, err := t.Entries(ctx)
	var e Emptied
	for i := range entries {
		d := &entries[i]
		for _, name := range t.otherFiles(d) {
			err = errors.Join(err, fmt.Errorf("trash %s: %w", t.at(path.Join(trashDir, d.ID, name)), ErrBadEntry))
		}
		there := t.inTrash(d)
		e.Entries, e.there = append(e.Entries, *d), append(e.there, there)
		e.Files += len(there)
		e.Bytes += total(there)
	}
	return e, err
}

// inTrash returns the backups of an entry that are still in the trash.
func (t Trash) inTrash(d *TrashEntry) []Move {
	var there []Move
	for i := range d.Moves {
		if fi, err := t.plain(d.inTrash(i)); err == nil {
			there = append(there, Move{d.Moves[i].Path, d.Moves[i].Name, fi.Size(), fi.ModTime()})
		}
	}
	return there
}

// EmptyOps returns the ops that permanently delete the planned entries. No other function deletes backups. The error
// is ErrChanged if an entry differs from the plan.
func (t Trash) EmptyOps(ctx context.Context, plan *Emptied) (ops []change.Op, err error) {
	now, err := t.Entries(ctx)
	if ctx.Err() != nil {
		return nil, err
	}
	for i := range plan.Entries {
		d := &plan.Entries[i]
		if err := t.stillTrashed(d, plan.there[i], now); err != nil {
			return nil, err
		}
		for _, v := range plan.there[i] {
			o := t.op(change.Delete, path.Join(trashDir, d.ID, v.Name))
			o.Bytes, o.Modified, o.Empty = v.Bytes, v.Modified, d.below()
			ops = append(ops, o)
		}
		if o, ok := t.forgetOp(change.Delete, d); ok {
			ops = append(ops, o)
		}
	}
	return ops, nil
}

// stillTrashed returns an error if an entry differs from the plan.
func (t Trash) stillTrashed(d *TrashEntry, there []Move, now []TrashEntry) error {
	i := slices.IndexFunc(now, func(other TrashEntry) bool { return other.ID == d.ID })
	if i < 0 {
		return fmt.Errorf("trash %s: %w: no longer there", d.Path, ErrChanged)
	}
	was, err := d.encode()
	if err != nil {
		return err
	}
	is, err := now[i].encode()
	if err != nil {
		return err
	}
	if !bytes.Equal(was, is) || !slices.EqualFunc(there, t.inTrash(d), Move.equal) {
		return fmt.Errorf("trash %s: %w", d.Path, ErrChanged)
	}
	return nil
}

func (v Move) equal(w Move) bool {
	return v.Name == w.Name && v.Bytes == w.Bytes && v.Modified.Equal(w.Modified)
}

// InTrash reports whether a path is in the trash. The path is relative to the memory.
func InTrash(name string) bool { return EntryOf(name) != "" }

// EntryOf returns the ID of the trash entry that contains a path, or "". The path is relative to the memory.
func EntryOf(name string) string {
	rest, ok := strings.CutPrefix(filepath.ToSlash(name), trashDir+"/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	return id
}
