package ledger

import (
	"bytes"
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Status is the result of checking a code reference.
type Status string

// The statuses.
const (
	Holds   Status = "holds"    // the file and the line exist, and the file contains the quote at this line
	Moved   Status = "moved"    // the quote is at another line; Check.At is the nearest one
	NoQuote Status = "no-quote" // the file doesn't contain the quote
	NoLine  Status = "no-line"  // the file ends before the line; Check.Lines is its number of lines
	// The file doesn't exist. Check.To is the only other file of this name.
	NoFile     Status = "no-file"
	Outside    Status = "outside"    // the path is outside of the project and wasn't read
	Unreadable Status = "unreadable" // Check.Problem has the reason
)

// Check is the result of checking a code reference. If there is a quote but no line number, only the quote counts.
type Check struct {
	Status  Status
	Quoted  bool   // the reference has a quote
	At      int    // line of the quote, for Moved and NoFile
	To      string // for NoFile: the probable new path below the root, with slashes
	Lines   int    // for NoLine: the number of lines in the file
	Problem string
}

// Bad reports whether the check failed.
func (c Check) Bad() bool { return c.Status != Holds }

// The limits of a Checker. Without limits, checking could take minutes.
const (
	maxSource     = 4 << 20  // size of a file in bytes; a typical source file has 10 KB
	maxSources    = 200      // maximum number of files
	maxSourceSum  = 64 << 20 // memory for all files in bytes
	maxEntries    = 20_000   // number of directory entries to search for a missing file
	maxCandidates = 8        // number of files of the same name to search for a quote
)

// NewChecker returns a Checker for the code references of a project.
func (p *Project) NewChecker() *Checker {
	return &Checker{root: p.Root, sources: map[string]*source{}, sums: maxSourceSum}
}

// Checker checks code references. It caches the files, so create a new one each time a ledger is read. It is safe for
// concurrent use. A file of more than 4 MB is Unreadable, as is every file after 200 files or 64 MB.
type Checker struct {
	root string

	mu      sync.Mutex
	sources map[string]*source // by the path of the file
	names   map[string][]string
	partial bool  // names is incomplete, because of maxEntries
	sums    int64 // number of bytes that may still be read
	reads   int   // number of files that were opened
	entries int   // number of directory entries that were visited
}

// source is the result of reading a file.
type source struct {
	status  Status // Holds means that the file was read
	problem string
	text    string // lines of the file, each without white space at both ends
	starts  []int  // offset of each line in text
}

// Check checks whether the file of a code reference exists and has its lines or its quote. A quote may be a part of a
// line, or several lines. White space around each line is ignored. Check.At is the first line of the quote. A path
// outside the root, or one that starts with ~, is Outside.
func (c *Checker) Check(ctx context.Context, ref Ref, quote string) Check {
	quote = trimLines(quote)
	found := Check{Quoted: quote != ""}
	if err := ctx.Err(); err != nil {
		found.Status, found.Problem = Unreadable, err.Error()
		return found
	}
	file := filepath.FromSlash(ref.Path)
	if ref.Form == FormHome || ref.Form == FormHard && !filepath.IsAbs(file) || file == "" {
		found.Status = Outside
		return found
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ref.To = max(ref.From, ref.To)
	s := c.source(ctx, file)
	switch s.status {
	case Holds:
		found.look(s, ref, quote)
	case NoFile:
		found.Status = NoFile
		found.To, found.At = c.elsewhere(ctx, path.Base(filepath.ToSlash(file)), quote)
	default:
		found.Status, found.Problem = s.status, s.problem
	}
	return found
}

// look searches a file for the quote or the lines, and sets the status.
func (f *Check) look(s *source, ref Ref, quote string) {
	lines := len(s.starts)
	inRange := ref.To <= lines
	at := 0
	if quote != "" {
		at = s.find(quote, ref.From, ref.To)
	}
	switch {
	case quote != "" && at > 0:
		if f.Status = Holds; ref.From > 0 && (at < ref.From || at > ref.To) {
			f.Status, f.At = Moved, at
		}
	case !inRange:
		f.Status, f.Lines = NoLine, lines
	case quote != "":
		f.Status = NoQuote
	default:
		f.Status = Holds
	}
}

// find returns the number of the line at which a quote starts; 0 if there is none. It prefers a match between the
// lines from and to, and then the nearest match.
func (s *source) find(quote string, from, to int) int {
	start := len(s.text)
	if from = max(from, 1); from <= len(s.starts) {
		start = s.starts[from-1]
	}
	after, before := 0, 0
	if at := strings.Index(s.text[start:], quote); at >= 0 {
		if after = s.line(start + at); after <= to {
			return after
		}
	}
	if at := strings.LastIndex(s.text[:min(max(start-1, 0)+len(quote), len(s.text))], quote); at >= 0 && at < start {
		before = s.line(at)
	}
	if after == 0 || before > 0 && from-before < after-from {
		return before
	}
	return after
}

// line returns the number of the line that contains the byte at an offset.
func (s *source) line(at int) int { return sort.SearchInts(s.starts, at+1) }

// trimLines removes white space around each line, and empty lines at both ends.
func trimLines(s string) string {
	if !strings.Contains(s, "\n") {
		return strings.TrimSpace(s)
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// newSource splits a text into trimmed lines.
func newSource(text []byte) *source {
	s := &source{status: Holds}
	var b strings.Builder
	b.Grow(len(text))
	for line := range bytes.Lines(text) {
		if len(s.starts) > 0 {
			b.WriteByte('\n')
		}
		s.starts = append(s.starts, b.Len())
		b.Write(bytes.TrimSpace(line))
	}
	s.text = b.String()
	return s
}

// source returns a file, from the cache if possible.
func (c *Checker) source(ctx context.Context, file string) *source {
	s := c.sources[file]
	if s == nil {
		if s = c.read(ctx, file); ctx.Err() == nil {
			c.sources[file] = s
		}
	}
	return s
}

func (c *Checker) read(ctx context.Context, file string) *source {
	base, rel, err := resolve(c.root, file)
	switch {
	case errors.Is(err, ErrOutside):
		return &source{status: Outside}
	case disk.IsAbsent(err):
		return &source{status: NoFile}
	case err != nil:
		return &source{status: Unreadable, problem: disk.Cause(err).Error()}
	}
	r, err := disk.Open(base)
	if err != nil {
		return &source{status: Unreadable, problem: disk.Cause(err).Error()}
	}
	defer r.Close()
	fi, err := r.Lstat(rel)
	switch {
	case disk.IsAbsent(err):
		return &source{status: NoFile}
	case err == nil && (c.reads >= maxSources || fi.Mode().IsRegular() && fi.Size() <= maxSource && fi.Size() > c.sums):
		return &source{status: Unreadable, problem: "not checked: the ledger refers to too many files"}
	}
	c.reads++
	text, _, err := readIn(ctx, r, rel, maxSource)
	// Without the offsets, a file of empty lines could use more memory than the limit.
	c.sums -= int64(len(text) + 8*bytes.Count(text, []byte("\n")))
	if err == nil && bytes.IndexByte(text[:min(len(text), textHead)], 0) >= 0 {
		err = ErrNotText // source code has no NUL byte
	}
	if err != nil {
		return &source{status: Unreadable, problem: disk.Cause(err).Error()}
	}
	return newSource(text)
}

// elsewhere searches the project for another file with the name of a missing file. With a quote, the file must
// contain the quote, and at is the quote's line. to is "" unless exactly one file matches.
func (c *Checker) elsewhere(ctx context.Context, name, quote string) (to string, at int) {
	if c.names == nil {
		c.walk(ctx)
	}
	all := c.names[name]
	if quote == "" {
		if len(all) != 1 || c.partial {
			return "", 0
		}
		return all[0], 0
	}
	if len(all) > maxCandidates {
		return "", 0
	}
	for _, file := range all {
		s := c.source(ctx, filepath.FromSlash(file))
		if s.status != Holds {
			continue
		}
		if line := s.find(quote, 1, 1); line > 0 {
			if to != "" {
				return "", 0 // more than one file matches
			}
			to, at = file, line
		}
	}
	return to, at
}

// walk collects the paths of all files by base name, breadth first. Links aren't followed.
func (c *Checker) walk(ctx context.Context) {
	c.names = map[string][]string{}
	r, err := disk.Open(c.root)
	if err != nil {
		return
	}
	defer r.Close()
	skip := []string{".git", "node_modules", "vendor", "target", "dist"}
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		if ctx.Err() != nil {
			c.names, c.partial = nil, false // the next call will walk again
			return
		}
		if c.entries >= maxEntries {
			c.partial = true
			return
		}
		dir, err := r.Open(filepath.FromSlash(dirs[0]))
		if err != nil {
			continue // the files in an unreadable directory count as missing
		}
		// After an error, use the entries that ReadDir could read.
		entries, _ := dir.ReadDir(maxEntries - c.entries)
		_ = dir.Close()
		c.entries += len(entries)
		for _, e := range entries {
			switch at := path.Join(dirs[0], e.Name()); {
			case e.IsDir() && !slices.Contains(skip, e.Name()):
				dirs = append(dirs, at)
			case e.Type().IsRegular():
				c.names[e.Name()] = append(c.names[e.Name()], at)
			}
		}
	}
}
