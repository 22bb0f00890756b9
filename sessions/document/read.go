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

// Limit is the limit of a document in bytes. The longest known document has 178 KB.
const Limit = 8 << 20

// lineLimit is the limit of a line in bytes. Fields are shorter.
const lineLimit = 16 << 10

// Reading is the result of reading a document. The zero value is a missing file. Read sets the unexported fields. The
// caller sets Info, Left and Err.
type Reading struct {
	Info fs.FileInfo // nil if it isn't a regular file
	Left int64       // number of bytes after Limit, which aren't read
	Err  error       // set if the file can't be read or isn't a regular file

	front    []byte // nil without front matter
	unclosed error  // why the end of the front matter is missing; nil if it isn't
	body     outline
}

// IsOpen reports whether the end of the front matter is missing, because another program may still be writing.
func (g *Reading) IsOpen() bool { return g.unclosed != nil }

// Read reads a document line by line, up to Limit, with constant memory. The error is that of r. After an error, the
// Reading has the values so far.
func Read(r io.Reader, kind Kind) (*Reading, error) { return read(r, kind, false) }

// ReadWhole is Read, but keeps the text of the sections for Handover.
func ReadWhole(r io.Reader, kind Kind) (*Reading, error) { return read(r, kind, true) }

func read(r io.Reader, kind Kind, whole bool) (*Reading, error) {
	head := make([]byte, maxFrontMatter+lineLimit)
	n, err := io.ReadFull(r, head)
	g := &Reading{body: outline{whole: whole}}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return g, err
	}
	head = head[:n]
	var body []byte
	g.front, body, g.unclosed = SplitFrontMatter(head)
	g.front = bytes.Clone(g.front)
	g.body.heading = "session summary"
	if kind == KindActiveContext {
		g.body.heading, g.body.labels = "current task", true
	}
	rest := io.LimitReader(r, Limit-int64(len(head)))
	lines := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(body), rest), lineLimit)
	begun := false // skip the rest of a long line
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

// outline collects values from the body of a document. It ignores case, and skips code and comments. The values are:
//
//   - the first H1
//   - the line "> Last Updated:"
//   - the first line below the H2 that starts with heading
//   - the lists of todos and next steps
//
// In active-context.md, labels such as "**Next:**" also begin next steps.
type outline struct {
	heading string

	title, updated, summary string
	todos, next             list

	lines  mark.Reader
	inside bool  // the current section is named heading
	list   *list // list of the current section; nil for other sections
	labels bool  // labels count
	inNext nextLabel

	whole    bool // the sections are kept
	sections []section
}

// section is a section below an H2.
type section struct {
	heading string
	lines   []sectionLine
}

type sectionLine struct {
	mark.Line

	raw string
}

func (o *outline) add(raw string) {
	l := o.lines.Next(raw)
	line := strings.TrimSpace(raw)
	if o.whole {
		o.keep(l, raw)
	}
	switch {
	case l.Kind != mark.Text || line == "" || strings.HasPrefix(line, "<!--"):
		o.end()
		return
	case l.Level > 0:
		o.begin(l.Level, l.Title)
		return
	}
	labelled := o.labels && o.list == nil && o.label(raw, l)
	switch {
	case o.inside && o.summary == "":
		_, o.summary, _ = sessions.CutBullet(line)
	case labelled:
	case o.list != nil:
		o.list.add(raw)
	case o.updated == "" && hasPrefixFold(line, "> last updated:"):
		o.updated = strings.TrimSpace(line[len("> last updated:"):])
	}
}

// keep adds a line to the current section.
func (o *outline) keep(l mark.Line, raw string) {
	switch last := len(o.sections) - 1; {
	case l.Kind == mark.Text && (l.Level == 1 || l.Level == 2):
		o.sections = append(o.sections, section{heading: l.Title})
	case last >= 0 && l.Kind != mark.Comment:
		o.sections[last].lines = append(o.sections[last].lines, sectionLine{l, raw})
	}
}

// begin starts a new section at an H1 or H2.
func (o *outline) begin(level int, heading string) {
	o.end()
	if o.inNext.on = false; level > 2 {
		return
	}
	if level == 1 && o.title == "" {
		o.title = heading
	}
	o.inside = level == 2 && hasPrefixFold(heading, o.heading)
	o.list = nil
	if level == 2 {
		o.list = o.listOf(heading)
	}
}

// end ends the current entries of all lists.
func (o *outline) end() {
	o.todos.lines.End()
	o.next.lines.End()
}

// listOf returns the list that belongs to an H2: the todos, the next steps, or nil.
func (o *outline) listOf(heading string) *list {
	switch {
	case hasPrefixFold(heading, "remaining todo"):
		o.todos.most = maxTodos
		return &o.todos
	case isNext(heading):
		o.next.most = maxSteps
		return &o.next
	}
	return nil
}
