package trajectory

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// Reading reads several files of a trajectory, up to a total number of bytes.
type Reading struct {
	Left  int64 // number of bytes that may still be read
	Whole bool  // all records were read; the caller sets it first
}

// file yields the records of a file. If the file is longer than Left, only its newest records are yielded, and half
// of Left is read. After an error, the file ends. A missing file has no records.
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

// Since yields the records of all files that were modified since a time, newest file first. It reads at most limit
// bytes. whole is false if records are missing.
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

// handoffBytes is the maximum number of bytes that NewestHandoff reads. A typical day of logs has a few megabytes.
const handoffBytes = 8 << 20

// NewestHandoff returns the time of the newest handoff, and the name of its file. The time is zero if there is none.
func NewestHandoff(ctx context.Context, p *ledger.Project) (at time.Time, where string) {
	if p.CheckDir(p.Trajectory) != nil {
		return at, ""
	}
	files, _ := Files(p.Trajectory) // after an error, use the files that were found
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
