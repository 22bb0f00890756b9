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

// Status is the result of checking an identifier.
type Status string

// The statuses.
const (
	Holds      Status = "holds"      // the file exists, the line is in range, and the quote, if any, is there
	Moved      Status = "moved"      // the quote is at another line, the nearest is Check.At
	NoQuote    Status = "no-quote"   // the file no longer has the quote
	NoLine     Status = "no-line"    // the file has fewer lines: Check.Lines
	NoFile     Status = "no-file"    // the file doesn't exist; Check.To is set if exactly one other file has its name
	Outside    Status = "outside"    // it points outside the project, and was not looked at
	Unreadable Status = "unreadable" // Check.Problem has the reason
)

// Check is the result of checking an identifier. With a quote, Status is about the quote, not about the line.
type Check struct {
	Status  Status
	Quoted  bool   // there was a quote to look for
	At      int    // of Moved, and of NoFile with To and a quote: the line where the quote is now
	To      string // of NoFile: where it may be now, below the root, with slashes; "" not known
	Lines   int    // of NoLine: how many the file has
	Problem string
}

// Bad reports whether an identifier does not lead where it says.
func (c Check) Bad() bool { return c.Status != Holds }

// The bounds of one Checker: a NOTES.md may name any file, and any number of them.
const (
	maxSource     = 4 << 20  // bytes of a file; one of code has some 10 KB
	maxSources    = 200      // files
	maxSourceSum  = 64 << 20 // bytes of all, and 8 for each line
	maxEntries    = 20_000   // entries of the tree to search for a missing file
	maxCandidates = 8        // of its name, looked through for a quote
)

// NewChecker makes a Checker for the identifiers of a project.
func (p *Project) NewChecker() *Checker {
	return &Checker{root: p.Root, sources: map[string]*source{}, sums: maxSourceSum}
}

// Checker checks identifiers and caches the files that it reads, for one look at a ledger. It is safe for concurrent
// use. Files over 4 MB, and all files after 200 files or 64 MB, are Unreadable.
type Checker struct {
	root string

	mu      sync.Mutex
	sources map[string]*source // by path
	names   map[string][]string
	partial bool  // not all of the tree is in names
	sums    int64 // bytes that may still be read
	reads   int   // files that were opened
	entries int   // of the tree that were seen
}

// source is a file that was looked for.
type source struct {
	status  Status // Holds: it was read
	problem string
	text    string // its lines without the blanks around them
	starts  []int  // of the lines in text
}

// Check looks at the place that an identifier names. A quote is compared word for word but for the blanks around its
// lines; it may be a part of a line, or several lines, the first of which counts. Without a quote the lines have to be
// there, without a line the file. What is not below the root is Outside, an identifier with ~ always.
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

// look looks for the lines or the quote in a file that was read.
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

// find returns the line of a quote: the first one between two lines, else the one nearest to the first of them; 0 if
// the file doesn't have it.
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

// line is the number of the line that has a byte of the text.
func (s *source) line(at int) int { return sort.SearchInts(s.starts, at+1) }

// trimLines removes the white space around each line of a text, and the empty lines at both ends.
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

// newSource is a text by its trimmed lines.
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

// source reads a file, or remembers it.
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
		return &source{status: Unreadable, problem: "not checked: too many files are referenced"}
	}
	c.reads++
	text, _, err := readIn(ctx, r, rel, maxSource)
	c.sums -= int64(len(text) + 8*bytes.Count(text, []byte("\n"))) // a file of empty lines is more in memory than on disk
	if err == nil && bytes.IndexByte(text[:min(len(text), textHead)], 0) >= 0 {
		err = ErrNotText // in any encoding, code has no NUL
	}
	if err != nil {
		return &source{status: Unreadable, problem: disk.Cause(err).Error()}
	}
	return newSource(text)
}

// elsewhere returns the only file that has the name of a missing one, and the line of the quote in it.
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
				return "", 0 // either
			}
			to, at = file, line
		}
	}
	return to, at
}

// walk records the paths of the files of each name, upper folders first. It doesn't follow links.
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
			c.names, c.partial = nil, false // the next one asks again
			return
		}
		if c.entries >= maxEntries {
			c.partial = true
			return
		}
		dir, err := r.Open(filepath.FromSlash(dirs[0]))
		if err != nil {
			continue // an unreadable file counts as missing
		}
		entries, _ := dir.ReadDir(maxEntries - c.entries) // after an error, the entries read so far
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
