package trajectory

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Reading reads files of a trajectory one after the other, up to a number of bytes.
type Reading struct {
	Left  int64 // bytes that may still be read
	Whole bool  // everything was read; the caller sets Whole to true at the start
}

// file yields the records of a file. If the file is longer than Left, only its end is read, which has the newest
// records, and only half of Left bytes, to leave some for the next files. A read error ends the file. A missing file
// has no records.
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

// Since yields the records of the files of a trajectory that were written since a time, newest file first. It reads up
// to most bytes. whole reports whether all these records were read.
func Since(ctx context.Context, p *ledger.Project, since time.Time, most int64, yield func(r *Record)) (whole bool) {
	files, err := Files(p.Trajectory)
	l := Reading{Left: most, Whole: err == nil}
	for i := range files {
		if !files[i].Mod.Before(since) {
			l.file(ctx, p, &files[i], yield)
		}
	}
	return l.Whole
}

// handoffBytes is the maximum number of bytes that NewestHandoff reads; a day of logs has a few megabytes. Larger files
// are read from their end, compressed ones are skipped.
const handoffBytes = 8 << 20

// NewestHandoff returns the time of the last handoff on the newest day with a handoff, and the name of its file. The
// time is zero if no handoff is found or can be read.
func NewestHandoff(ctx context.Context, p *ledger.Project) (at time.Time, where string) {
	if p.CheckDir(p.Trajectory) != nil {
		return at, ""
	}
	files, _ := Files(p.Trajectory) // after an error, those listed so far
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
