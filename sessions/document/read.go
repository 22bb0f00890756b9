package document

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions"
)

// Limit is how much of a document is read: the longest seen has 178 KB.
const Limit = 8 << 20

// lineLimit is how much of a line is looked at: more than any field shows, whatever it is made of.
const lineLimit = 16 << 10

// Reading is what one reading of a document gave: nothing at all if the file is not there. Read fills in what the text says,
// and whoever opened the file the rest.
type Reading struct {
	Info fs.FileInfo // nil if it is no regular file
	Left int64       // bytes that were not read, for the file is longer than Limit
	Err  error       // why it is no regular file or could not be read

	front    []byte // nil without a front matter
	unclosed error  // of the front matter
	body     outline
}

// IsOpen reports whether the text has a front matter without an end, as one that is being written.
func (g *Reading) IsOpen() bool { return g.unclosed != nil }

// Read reads a document line by line, no more than Limit of it. The memory it takes does not depend on how long it is. The
// error is that of r, and comes with what was read before.
func Read(r io.Reader, kind Kind) (*Reading, error) {
	head := make([]byte, maxFrontMatter+lineLimit)
	n, err := io.ReadFull(r, head)
	g := &Reading{}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return g, err
	}
	head = head[:n]
	var body []byte
	g.front, body, g.unclosed = SplitFrontMatter(head)
	g.front = bytes.Clone(g.front)
	g.body.heading = "session summary"
	if kind == KindActiveContext {
		g.body.heading = "current task"
	}
	rest := io.LimitReader(r, Limit-int64(len(head)))
	lines := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(body), rest), lineLimit)
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
