package sessions

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Cache stores the exact figures of sessions. It is safe for concurrent use.
type Cache interface {
	// Figures sets the exact figures of ses from the cache. It returns false if the cache has none for this state of
	// the file.
	Figures(path string, info fs.FileInfo, ses *Session) bool
	// Begin is called when a scan of the whole file begins. It returns a Scan for the results, or nil.
	Begin(path string, info fs.FileInfo) Scan
}

// Scan receives the results of a scan of one file.
type Scan interface {
	// Record is called for each record, in file order. The arguments are valid during the call.
	Record(r *transcript.Record, e *transcript.Envelope)
	// End is called once, at the end of the scan. size is the end of the last complete record in bytes. After an
	// error, the scan is incomplete.
	End(ses *Session, size int64, err error)
}

// cached sets the figures of a session from the cache. It returns false without any.
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
	// Keep ses.Picker: this path may be a link, unlike the path of the cached scan.
	found.Picker = cmp.Or(ses.Picker, found.Picker)
	found.updateContinued()
	*ses = found
	return true
}

// begin returns the Scan for the results, or nil.
func (s *Set) begin(f *file) Scan {
	if s.opts.Cache == nil {
		return nil
	}
	return s.opts.Cache.Begin(f.path, f.info)
}

// Scanner scans single files and stores their figures in a cache. It isn't safe for concurrent use.
type Scanner struct {
	opts   Options
	peeker peeker
}

// NewScanner returns a Scanner that uses cache. It drops times that aren't Plausible at the time now.
func NewScanner(cache Cache, now time.Time) *Scanner {
	return &Scanner{opts: Options{Now: now, Cache: cache}}
}

// Read returns the session in a file with exact figures, from the cache if possible.
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
