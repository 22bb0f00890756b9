package sessions

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Cache stores the figures of earlier scans and receives the results of new scans. It is safe for concurrent use.
type Cache interface {
	// Figures sets the fields of ses that come from the file to exact figures. It returns false if no figures are
	// stored, or if the file has changed since the figures were stored.
	Figures(path string, info fs.FileInfo, ses *Session) bool
	// Begin is called when a scan of the whole file begins. It returns the receiver of the results, or nil to skip
	// them.
	Begin(path string, info fs.FileInfo) Scan
}

// Scan receives the results of a scan of one file.
type Scan interface {
	// Record is called for each record, in file order. Its arguments are valid only during the call.
	Record(r *transcript.Record, e *transcript.Envelope)
	// End is called once. The first size bytes of the file contain complete records. If err isn't nil, the scan is
	// incomplete.
	End(ses *Session, size int64, err error)
}

// cached sets the figures of a session from the cache. It returns false if the cache has no figures for the file.
func (s *Set) cached(ses *Session, f *file) bool {
	if s.opts.Cache == nil || f.info == nil {
		return false
	}
	found := *ses
	found.Flags = nil
	if !s.opts.Cache.Figures(f.path, f.info, &found) {
		return false
	}
	ses.keepFlags(&found, FlagTornTail, FlagHiddenBranch, FlagSDK)
	found.Flags = ses.Flags
	// ses.Picker is set if this path is a link. The cached scan may have read the file by another path.
	found.Picker = cmp.Or(ses.Picker, found.Picker)
	found.lookContinued()
	*ses = found
	return true
}

// begin returns the receiver of a scan, or nil if there is none.
func (s *Set) begin(f *file) Scan {
	if s.opts.Cache == nil {
		return nil
	}
	return s.opts.Cache.Begin(f.path, f.info)
}

// Scanner scans single files into a cache. It isn't safe for concurrent use.
type Scanner struct {
	opts   Options
	peeker peeker
}

// NewScanner returns a scanner that stores its results in cache. It drops times that aren't Plausible at the time now.
func NewScanner(cache Cache, now time.Time) *Scanner {
	return &Scanner{opts: Options{Now: now, Cache: cache}}
}

// Read returns one session with exact figures, like the function Read. If the cache contains the figures, Read doesn't
// scan the file.
func (s *Scanner) Read(ctx context.Context, path string) Session {
	if info, err := os.Stat(path); err == nil {
		f := newFile(path)
		f.info = info
		set := newSet(s.opts)
		if ses := set.base(f); set.cached(&ses, f) {
			return ses
		}
	}
	return readInto(ctx, path, s.opts, &s.peeker)
}
