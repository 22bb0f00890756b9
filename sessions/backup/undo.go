package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Client is what Undo has to know of the client's side, where a restore made its file.
type Client struct {
	// Projects are the projects directories of the config dirs. A made file is looked for only below them: a deed
	// lies in a repository, and may name what it likes.
	Projects []string
	// Live reports whether a client has a session open. Where it is nil, each counts as live.
	Live func(sessionID string) bool
}

// Undone is what taking back a deed did, or would do.
type Undone struct {
	Deed    Deed
	Moves   []Move       // backups that go back to their places, or are there already
	Markers []KeptMarker // that come back; where another marker took the name meanwhile, it is one with a number
	Gone    []Move       // backups that are neither in the trash nor in their places
	Removed string       // path of the made file; "" of a deed that made none, or whose file is gone
}

// TakenError says that other files lie where something has to be put.
type TakenError struct {
	Paths []string
}

// Error names the files.
func (e *TakenError) Error() string {
	return "another file is in the place of " + strings.Join(e.Paths, ", ")
}

// PlanUndo says what Undo would do. Nothing is touched.
func (m *Memory) PlanUndo(ctx context.Context, id string, client Client) (Undone, error) {
	b, err := m.planBack(ctx, id, client)
	return b.Undone, err
}

// Undo takes a deed back: the backups go to where they were, the markers get their text, and a file that a restore
// made goes if it is still what was made, nobody has it open, and its backup is there to make it of again. "" is the
// newest deed. Then the deed is gone from the trash. All is looked at first, and nothing done where something cannot
// be taken back; what was interrupted can be taken back again.
//
// The error is ErrNoDeed, ErrBadDeed, *TakenError, ErrLive, ErrChanged for a made file that was written to since,
// ErrNoPlace for one that is not of this client, ErrLocked, or that of the system.
func (m *Memory) Undo(ctx context.Context, id string, client Client) (Undone, error) {
	unlock, err := m.lock(ctx)
	if err != nil {
		return Undone{}, err
	}
	defer unlock()
	b, err := m.planBack(ctx, id, client)
	if err != nil {
		return b.Undone, err
	}
	return b.Undone, m.goBack(ctx, &b)
}

func (m *Memory) planBack(ctx context.Context, id string, client Client) (back, error) {
	if err := ctx.Err(); err != nil {
		return back{}, fmt.Errorf("trash of %s: %w", m.project, err)
	}
	var d Deed
	if id == "" {
		deeds, err := m.Deeds(ctx)
		if len(deeds) == 0 {
			return back{}, errors.Join(fmt.Errorf("trash of %s: %w", m.project, ErrNoDeed), err)
		}
		d = deeds[0]
	} else {
		var err error
		if d, err = m.readDeed(id); err != nil {
			return back{}, err
		}
	}
	return m.lookBack(ctx, &d, client)
}

// back is the way back from a deed.
type back struct {
	Undone
	moves   []int        // of the deed, that are in the trash
	markers []KeptMarker // that have to be written
	made    *madeFile    // that has to go
}

// lookBack looks at everything that taking back a deed touches.
func (m *Memory) lookBack(ctx context.Context, d *Deed, client Client) (back, error) {
	b := back{Undone: Undone{Deed: *d}}
	var taken TakenError
	for i := range d.Moves {
		v := d.Moves[i]
		here, err := m.whether(v.Name)
		if err != nil {
			return b, err
		}
		trashed, err := m.whether(d.inTrash(i))
		switch same := here != nil && trashed != nil && os.SameFile(here, trashed); {
		case err != nil:
			return b, err
		case here != nil && trashed != nil && !same:
			taken.Paths = append(taken.Paths, v.Path)
		case trashed != nil:
			b.moves, b.Moves = append(b.moves, i), append(b.Moves, v)
		case here != nil && here.Size() == v.Bytes && here.ModTime().Equal(v.Modified):
			b.Moves = append(b.Moves, v)
		default:
			b.Gone = append(b.Gone, v)
		}
	}
	if len(taken.Paths) > 0 {
		return b, &taken
	}
	var err error
	if d.Made != nil {
		if b.made, err = m.lookMade(ctx, d, client); err != nil {
			return b, err
		}
		if b.made != nil && !b.made.gone {
			b.Removed = d.Made.Path
		}
	}
	return b, m.lookUnmarked(&b)
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

// lookUnmarked finds the names under which the markers of a deed come back: their own, or, where another marker has
// that by now, the next one with a number, so that neither backup is forgotten. What named nothing stays away then.
func (m *Memory) lookUnmarked(b *back) error {
	texts := make(map[string]string) // of those that come back
	for _, k := range b.Deed.Markers {
		for n := 1; ; n++ {
			name := markerAgain(k.Name, n)
			text, taken := texts[name]
			if !taken {
				var err error
				if text, taken, err = m.markerText(name); err != nil {
					return err
				}
			}
			if taken && text != k.Text {
				if k.State == MarkerValid {
					continue
				}
				break
			}
			k.Name = name
			if !taken {
				b.markers = append(b.markers, k)
				texts[name] = k.Text
			}
			b.Markers = append(b.Markers, k)
			break
		}
	}
	return nil
}

// markerAgain is the nth name for a marker to come back under. That of the spec can have no number.
func markerAgain(name string, n int) string {
	if n == 1 {
		return name
	}
	base, _ := cutNumber(name)
	if base == markerPrefix {
		base = markerPrefix + "-" + string(MarkerExit)
	}
	return base + "-" + strconv.Itoa(n)
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

// goBack goes the way back. What is moved has both names until the old one is sure to last.
func (m *Memory) goBack(ctx context.Context, b *back) error {
	d := &b.Deed
	if b.made != nil {
		if err := b.made.remove(ctx); err != nil {
			return err
		}
	}
	var dirs []string
	for _, i := range b.moves {
		if dir := path.Dir(d.Moves[i].Name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
			if err := m.mkdir(dir); err != nil {
				return err
			}
		}
		if err := m.putBack(d.inTrash(i), d.Moves[i].Name); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		if err := m.syncDir(dir); err != nil {
			return err
		}
	}
	for _, i := range b.moves {
		if err := m.root.Remove(d.inTrash(i)); err != nil && !isAbsent(err) {
			return fmt.Errorf("trash %s: %w", m.at(d.inTrash(i)), cause(err))
		}
	}
	for i := range b.markers {
		if err := m.remark(&b.markers[i]); err != nil {
			return err
		}
	}
	return m.forget(d)
}

// remark writes a marker that comes back. Where a hook without the lock took its name just now, it gets the next one.
func (m *Memory) remark(k *KeptMarker) error {
	temp, err := m.draft(k.Name, []byte(k.Text), fileMode)
	if err != nil {
		return err
	}
	defer temp.Drop()
	for n := 1; ; n++ {
		if err := m.publish(temp, markerAgain(k.Name, n)); !errors.Is(err, fs.ErrExist) {
			if err != nil {
				return err
			}
			return m.syncDir(".")
		}
	}
}

// putBack gives a backup in the trash its old name, and never that of another file: a hook that did not get the lock
// makes one all the same.
func (m *Memory) putBack(from, to string) error {
	err := m.root.Link(from, to)
	if err == nil {
		return nil
	}
	was, failed := m.root.Lstat(from)
	is, absent := m.root.Lstat(to)
	switch {
	case failed != nil:
		err = failed
	case absent == nil && os.SameFile(was, is): // it was interrupted here
		return nil
	case absent == nil:
		return &TakenError{[]string{m.at(to)}}
	default: // not every file system can link
		err = m.root.Rename(from, to)
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", m.at(to), cause(err))
	}
	return nil
}
