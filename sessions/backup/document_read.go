package backup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	// documentLimit is how much of a document is read: the longest seen has 178 KB.
	documentLimit = 8 << 20
	// documentLine is how much of a line is looked at: more than any field shows, whatever it is made of.
	documentLine = 16 << 10
	// documentTries is how often a document is read that somebody is writing: one that has changed meanwhile, or whose
	// front matter has no end yet and that was written to within documentYoung. Then documentWait lies between.
	documentTries = 6
	documentYoung = 500 * time.Millisecond
	documentWait  = 20 * time.Millisecond
	// documentWaits bounds those of one Find together, 200 ms: whoever looks at a project waits for no more, however
	// many of its documents are written.
	documentWaits = 10
)

// patience waits between two readings of a document, up to a number of times.
type patience int

// wait reports whether there was time left to wait.
func (n *patience) wait(ctx context.Context) bool {
	if *n <= 0 {
		return false
	}
	*n--
	select {
	case <-ctx.Done():
		return false
	case <-time.After(documentWait):
		return true
	}
}

// reading is what one reading of a document gave: nothing at all if the file is not there.
type reading struct {
	info     fs.FileInfo // nil if it is no regular file
	front    []byte      // nil without a front matter
	unclosed error       // of the front matter
	body     outline
	left     int64 // bytes that were not read, for the file is too long
	err      error // why it is no regular file or could not be read
}

// read reads a document. Claude and editors write it where it is, so it may be seen half written, and is read again
// while there is patience.
func (p *place) read(ctx context.Context, name string, kind DocumentKind, left *patience) *reading {
	fail := func(err error) error {
		return fmt.Errorf("read %s: %w", filepath.Join(p.path, name), cause(err))
	}
	var g *reading
	for range documentTries {
		if _, err := p.root.Lstat(name); err != nil {
			if isAbsent(err) {
				return &reading{}
			}
			return &reading{err: fail(err)}
		}
		f, fi, err := p.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
		if err != nil {
			return &reading{info: fi, err: fail(err)}
		}
		g, err = readDocument(f, kind)
		g.info, g.left = fi, max(0, fi.Size()-documentLimit)
		now, statErr := f.Stat()
		if err = errors.Join(err, statErr, f.Close()); err != nil {
			g.err = fail(err)
			return g
		}
		if now.Size() != fi.Size() || !now.ModTime().Equal(fi.ModTime()) {
			continue
		}
		if age := time.Since(fi.ModTime()); g.unclosed == nil && fi.Size() > 0 || age < 0 || age > documentYoung || !left.wait(ctx) {
			break
		}
	}
	return g
}

// readDocument reads a document line by line, no more than documentLimit of it. The memory it takes does not depend on
// how long it is.
func readDocument(r io.Reader, kind DocumentKind) (*reading, error) {
	head := make([]byte, maxFrontMatter+documentLine)
	head, err := readHead(r, head)
	g := &reading{}
	if err != nil {
		return g, err
	}
	var body []byte
	g.front, body, g.unclosed = SplitFrontMatter(head)
	g.front = bytes.Clone(g.front)
	g.body.heading = "session summary"
	if kind == KindActiveContext {
		g.body.heading = "current task"
	}
	rest := io.LimitReader(r, documentLimit-int64(len(head)))
	lines := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(body), rest), documentLine)
	begun := false // the line was longer than the buffer: its beginning is all that counts
	for {
		line, err := lines.ReadSlice('\n')
		if !begun {
			g.body.add(string(line))
		}
		begun = errors.Is(err, bufio.ErrBufferFull)
		switch {
		case errors.Is(err, io.EOF):
			return g, nil
		case err != nil && !begun:
			return g, err
		}
	}
}

// outline is what the body of a document gives to its row, line by line: its first H1, the line "> Last Updated:", the
// first line below the H2 that begins with heading, and the lists below those of todos and next steps, whatever their
// case. Code and comments do not count.
type outline struct {
	heading string

	title, updated, summary string
	todos, next             list

	lines  mark.Reader
	inside bool  // the section of the heading
	list   *list // that of the section; nil in any other one
}

func (o *outline) add(raw string) {
	l := o.lines.Next(raw)
	line := strings.TrimSpace(raw)
	switch {
	case l.Kind != mark.Text || line == "" || strings.HasPrefix(line, "<!--"):
		o.list.end()
	case l.Level == 1 || l.Level == 2:
		o.begin(l.Level, l.Title)
	case l.Level == 0 && o.inside && o.summary == "":
		_, o.summary, _ = sessions.CutBullet(line)
	case o.list != nil:
		o.list.add(raw)
	case o.updated == "" && hasPrefixFold(line, "> last updated:"):
		o.updated = strings.TrimSpace(line[len("> last updated:"):])
	}
}

// begin takes a heading of the first two levels.
func (o *outline) begin(level int, heading string) {
	if level == 1 && o.title == "" {
		o.title = heading
	}
	o.inside = level == 2 && hasPrefixFold(heading, o.heading)
	o.list.end()
	o.list = nil
	if level == 2 {
		o.list = o.listOf(heading)
	}
}

// listOf is the list that a heading of the second level begins.
func (o *outline) listOf(heading string) *list {
	switch {
	case hasPrefixFold(heading, "remaining todo"):
		o.todos.most = maxTodos
		return &o.todos
	case hasPrefixFold(heading, "next steps"):
		o.next.most = maxSteps
		return &o.next
	}
	return nil
}
