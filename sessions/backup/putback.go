package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/change"
)

// Undone is what taking back a deed did, or would do.
type Undone struct {
	Deed    Deed
	Moves   []Move       // backups that go back to their places, or are there already
	Markers []KeptMarker // that come back; where another marker took the name meanwhile, it is one with a number
	Gone    []Move       // backups that are neither in the trash nor in their places
}

// TakenError says that other files lie where something has to be put.
type TakenError = change.TakenError

// PutBack returns what takes an entry of the trash back: the backups go to where they were, the markers get their text, and
// the entry is gone. Where another marker has the name of one by now, it gets the next name with a number; what named nothing
// stays away then. "" is the newest entry.
//
// The error is ErrNoDeed, ErrBadDeed, *TakenError, or that of the system.
func (m *Memory) PutBack(ctx context.Context, id string) (Undone, []change.Op, error) {
	if err := ctx.Err(); err != nil {
		return Undone{}, nil, fmt.Errorf("trash of %s: %w", m.project, err)
	}
	var d Deed
	if id == "" {
		deeds, err := m.Deeds(ctx)
		if len(deeds) == 0 {
			return Undone{}, nil, errors.Join(fmt.Errorf("trash of %s: %w", m.project, ErrNoDeed), err)
		}
		d = deeds[0]
	} else {
		var err error
		if d, err = m.readDeed(id); err != nil {
			return Undone{}, nil, err
		}
	}
	u := Undone{Deed: d}
	ops, err := m.moveBack(&u)
	if err == nil {
		var marks []change.Op
		marks, err = m.markBack(&u)
		ops = append(ops, marks...)
	}
	if o, ok := m.forgetOp(change.Remove, &d); ok && err == nil {
		ops = append(ops, o)
	}
	return u, ops, err
}

// moveBack looks at the backups of an entry.
func (m *Memory) moveBack(u *Undone) (ops []change.Op, err error) {
	d := &u.Deed
	var taken TakenError
	for i := range d.Moves {
		v := d.Moves[i]
		here, err := m.whether(v.Name)
		if err != nil {
			return nil, err
		}
		trashed, err := m.whether(d.inTrash(i))
		switch same := here != nil && trashed != nil && os.SameFile(here, trashed); {
		case err != nil:
			return nil, err
		case here != nil && trashed != nil && !same:
			taken.Paths = append(taken.Paths, v.Path)
		case trashed != nil:
			o := m.op(change.Move, d.inTrash(i))
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

// markBack looks at the markers of an entry.
func (m *Memory) markBack(u *Undone) (ops []change.Op, err error) {
	for _, k := range u.Deed.Markers {
		text, taken, err := m.markerText(k.Name)
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
		o := m.op(change.Make, k.Name)
		o.Text, o.Next, o.Loose = []byte(k.Text), nextMarker(k.Name), true
		ops = append(ops, o)
	}
	return ops, nil
}

// whether looks at a regular file that may be there, and is nil where none is.
func (m *Memory) whether(name string) (fs.FileInfo, error) {
	fi, err := m.plain(name)
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("backup %s: %w", m.at(name), cause(err))
	}
	return fi, nil
}

// markerText reads a marker. One that cannot be read, or is none, takes its name all the same.
func (m *Memory) markerText(name string) (text string, taken bool, err error) {
	if _, err := m.root.Lstat(name); err != nil {
		if isAbsent(err) {
			return "", false, nil
		}
		return "", false, fmt.Errorf("marker %s: %w", m.at(name), cause(err))
	}
	data, _, err := m.read(name, maxTarget)
	if err != nil {
		return "\x00", true, nil // no marker of ours has this text
	}
	return string(data), true, nil
}
