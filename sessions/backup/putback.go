package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/change"
)

// Undone is the plan or the result of undoing a trash entry.
type Undone struct {
	Entry   TrashEntry
	Moves   []Move       // backups to move back, or moved back
	Markers []KeptMarker // markers to restore; a marker whose name is taken gets a number
	Gone    []Move       // backups that are missing both in the trash and at their old paths
}

// TakenError is returned if a path to restore exists.
type TakenError = change.TakenError

// PutBack returns the ops that undo a trash entry: move the backups back, restore the markers and remove the entry.
// If a marker's name is taken, a valid marker gets a number, and a stale or empty one isn't restored. An empty id
// means the newest entry.
//
// The error is ErrNoEntry, ErrBadEntry, *TakenError, or a system error.
func (t Trash) PutBack(ctx context.Context, id string) (Undone, []change.Op, error) {
	if err := ctx.Err(); err != nil {
		return Undone{}, nil, fmt.Errorf("trash of %s: %w", t.project, err)
	}
	var d TrashEntry
	if id == "" {
		entries, err := t.Entries(ctx)
		if len(entries) == 0 {
			return Undone{}, nil, errors.Join(fmt.Errorf("trash of %s: %w", t.project, ErrNoEntry), err)
		}
		d = entries[0]
	} else {
		var err error
		if d, err = t.readEntry(id); err != nil {
			return Undone{}, nil, err
		}
	}
	u := Undone{Entry: d}
	ops, err := t.moveBack(&u)
	if err == nil {
		var marks []change.Op
		marks, err = t.markBack(&u)
		ops = append(ops, marks...)
	}
	if o, ok := t.forgetOp(change.Remove, &d); ok && err == nil {
		ops = append(ops, o)
	}
	return u, ops, err
}

// moveBack returns the ops that move the backups back. It sets Moves and Gone.
func (t Trash) moveBack(u *Undone) (ops []change.Op, err error) {
	d := &u.Entry
	var taken TakenError
	for i := range d.Moves {
		v := d.Moves[i]
		here, err := t.info(v.Name)
		if err != nil {
			return nil, err
		}
		trashed, err := t.info(d.inTrash(i))
		switch same := here != nil && trashed != nil && os.SameFile(here, trashed); {
		case err != nil:
			return nil, err
		case here != nil && trashed != nil && !same:
			taken.Paths = append(taken.Paths, v.Path)
		case trashed != nil:
			o := t.op(change.Move, d.inTrash(i))
			o.To, o.Bytes, o.Modified, o.Empty = filepath.FromSlash(v.Name), trashed.Size(), trashed.ModTime(), d.below()
			ops, u.Moves = append(ops, o), append(u.Moves, v)
		case here != nil && here.Size() == v.Bytes && here.ModTime().Equal(v.Modified):
			u.Moves = append(u.Moves, v)
		default:
			u.Gone = append(u.Gone, v)
		}
	}
	if len(taken.Paths) > 0 {
		return nil, &taken
	}
	return ops, nil
}

// markBack returns the ops that restore the markers. It sets Markers.
func (t Trash) markBack(u *Undone) (ops []change.Op, err error) {
	for _, k := range u.Entry.Markers {
		text, taken, err := t.markerText(k.Name)
		if err != nil {
			return nil, err
		}
		if taken && text != k.Text && k.State != MarkerValid {
			continue
		}
		u.Markers = append(u.Markers, k)
		if taken && text == k.Text {
			continue
		}
		o := t.op(change.Make, k.Name)
		o.Text, o.Next, o.Loose = []byte(k.Text), nextMarker(k.Name), true
		ops = append(ops, o)
	}
	return ops, nil
}

// markerText reads a marker. taken is true if the name exists, readable or not.
func (t Trash) markerText(name string) (text string, taken bool, err error) {
	if _, err := t.root.Lstat(name); err != nil {
		if isAbsent(err) {
			return "", false, nil
		}
		return "", false, fmt.Errorf("marker %s: %w", t.at(name), cause(err))
	}
	data, _, err := t.read(name, maxTarget)
	if err != nil {
		return "\x00", true, nil // no marker has this text
	}
	return string(data), true, nil
}
