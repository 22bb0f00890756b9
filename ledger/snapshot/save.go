package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// MaxFile is the maximum size of a snapshot in bytes. The journal can't undo changes of larger files.
const MaxFile = 1 << 20

// ErrNoTasks is returned if a save has no task.
var ErrNoTasks = errors.New("no tasks to save")

// Masker masks secrets, e-mail addresses and home directories in a text, or in all strings of a JSON value.
type Masker interface {
	Text(s string) string
	JSON(raw []byte) []byte
}

// Request is what a save writes.
type Request struct {
	Dir      string // directory of the file
	At       time.Time
	Handover *handover.Handover // its field Git describes the repository
	Parts    []*Snapshot        // added after the handover
	Mask     Masker
}

// Saved describes a save.
type Saved struct {
	Snapshot *Snapshot
	Path     string
	New      bool   // there was no file
	Corrupt  error  // why the old file was copied to Backup; nil if it could be read
	Backup   string // path
	Bytes    int
}

// Read returns the snapshot in a directory. The error is a LoadError, fs.ErrNotExist, or another error of
// ledger.ReadText.
func Read(ctx context.Context, dir string) (*Snapshot, error) {
	text, _, err := ledger.ReadText(ctx, dir, filepath.Join(dir, Name), MaxFile)
	if errors.Is(err, ledger.ErrNotText) {
		return nil, ErrJSON
	}
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Save plans a save. It merges the handover into the current file, consolidates completed tasks, and masks secrets.
// The change has no Kind. Its Report is a *Saved. The error is ErrNoTasks, or an error of ledger.ReadText and
// ledger.ReplaceOp.
func Save(ctx context.Context, r *Request) (change.Change, error) {
	path := filepath.Join(r.Dir, Name)
	saved := &Saved{Path: path}
	was, _, err := ledger.ReadText(ctx, r.Dir, path, MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		saved.New, was = true, nil
	case err != nil:
		return change.Change{}, err
	}
	s := &Snapshot{Created: r.At}
	if !saved.New {
		old, err := Parse(was)
		if saved.Corrupt = err; err == nil {
			s = old
		}
	}
	r.update(s)
	if len(s.Tasks) == 0 {
		return change.Change{}, ErrNoTasks
	}
	text, err := s.Text()
	if err != nil {
		return change.Change{}, fmt.Errorf("write %s: %w", path, err)
	}
	text = r.Mask.JSON(text)
	if saved.Snapshot, err = Parse(text); err != nil {
		return change.Change{}, fmt.Errorf("read back %s: %w", path, err)
	}
	saved.Bytes = len(text)
	c := change.Change{What: "Saved " + Name, Where: []string{r.Dir}, Report: saved}
	if saved.Corrupt != nil {
		op, err := ledger.ReplaceOp(r.Dir, filepath.Join(r.Dir, backupName), nil, was)
		if err != nil {
			return c, err
		}
		op.Next = op.Name
		saved.Backup = op.Path()
		c.Ops = append(c.Ops, op)
	}
	op, err := ledger.ReplaceOp(r.Dir, path, was, text)
	op.Loose = true // another save in the meantime does no harm
	c.Ops = append(c.Ops, op)
	return c, err
}

// update merges a request into a snapshot. Handover.Done only completes existing tasks, because an entry may be a
// commit message.
func (r *Request) update(s *Snapshot) {
	h := *r.Handover
	h.Items = slices.DeleteFunc(slices.Clone(h.Items), func(i handover.Item) bool { return s.isOldOfLedger(&i, r.Mask) })
	for _, part := range append([]*Snapshot{FromHandover(&h)}, r.Parts...) {
		masked := *part
		masked.Tasks, masked.Blocks = slices.Clone(part.Tasks), slices.Clone(part.Blocks)
		for i := range masked.Tasks {
			masked.Tasks[i].Title = r.Mask.Text(masked.Tasks[i].Title)
		}
		for i := range masked.Blocks {
			b := &masked.Blocks[i]
			b.Title, b.Content = r.Mask.Text(b.Title), r.Mask.Text(b.Content)
		}
		s.merge(&masked, r.At)
	}
	for _, title := range h.Done {
		if i := s.titled(r.Mask.Text(oneLine(title))); i >= 0 {
			s.Tasks[i].setStatus(Completed, firstTime(time.Time{}, r.At))
		}
	}
	s.relate()
	s.consolidate(r.At)
	s.Updated, s.Branch, s.Commit = firstTime(time.Time{}, r.At), h.Git.Branch, h.Git.Commit
	s.Created = firstTime(s.Created, r.At)
}

// isOldOfLedger reports whether an item of the ledger is completed and has no task. The ledger keeps such items
// forever.
func (s *Snapshot) isOldOfLedger(i *handover.Item, m Masker) bool {
	inLedger := func(mark handover.Mark) bool { return mark == handover.MarkBead || mark == handover.MarkNotes }
	return i.Status == handover.Done && len(i.Marks) > 0 && !slices.ContainsFunc(i.Marks, func(mark handover.Mark) bool { return !inLedger(mark) }) &&
		s.titled(m.Text(taskOfItem(i).Title)) < 0
}
