package trajectory

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Reading reads files of a trajectory, one after the other, up to a number of bytes.
type Reading struct {
	Left  int64 // how many bytes may still be read
	Whole bool  // nothing was left out; the caller sets it to true at the start
}

// file yields the records of a file. If the file is longer than Left, it yields only the records at its end, which
// are the newest. It then reads half of Left bytes, so that the next files get some too. An error ends the file. A
// missing file has no records.
func (l *Reading) file(ctx context.Context, p *ledger.Project, f *File, yield func(r *Record)) {
	most := l.Left
	if f.Size > most {
		most /= 2
	}
	if most <= 0 {
		l.Whole = l.Whole && f.Size == 0
		return
	}
	stats, err := Scan(ctx, p.Root, f.Path, Options{Most: most}, func(r *Record) bool {
		yield(r)
		return true
	})
	l.Left -= stats.Bytes
	l.Whole = l.Whole && !stats.Cut && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// Since yields the records of all files of a trajectory that were written since a time, newest file first. It reads
// at most limit bytes; whole reports whether that was enough.
func Since(ctx context.Context, p *ledger.Project, since time.Time, limit int64, yield func(r *Record)) (whole bool) {
	files, err := Files(p.Trajectory)
	l := Reading{Left: limit, Whole: err == nil}
	for i := range files {
		if !files[i].Mod.Before(since) {
			l.file(ctx, p, &files[i], yield)
		}
	}
	return l.Whole
}

// handoffBytes is how many bytes NewestHandoff reads in total. A day of logs has a few megabytes. Of a larger plain
// file, it reads the end; it skips a larger compressed file.
const handoffBytes = 8 << 20

// NewestHandoff returns the time of the last handoff of the newest day that has one, and the name of its file. If
// there is none, or it can't be read, the time is zero.
func NewestHandoff(ctx context.Context, p *ledger.Project) (at time.Time, where string) {
	if p.CheckDir(p.Trajectory) != nil {
		return at, ""
	}
	files, _ := Files(p.Trajectory) // after an error, the files before it are used
	l, day := Reading{Left: handoffBytes}, ""
	for i := range files {
		f := &files[i]
		if !at.IsZero() && f.Day != day || l.Left <= 0 {
			break
		}
		if f.Zip || f.Agent == SystemAgent {
			continue
		}
		l.file(ctx, p, f, func(r *Record) {
			if (r.Phase == PhaseHandoff || r.Phase == phaseHandedOver) && r.At.After(at) {
				at, where, day = r.At, filepath.Base(f.Path), f.Day
			}
		})
	}
	return at, where
}
