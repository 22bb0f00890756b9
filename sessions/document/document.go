// Package document parses and writes the texts of the documents in the memory of a project: session-*.md,
// active-context.md and project-memory.md (spec 000). Read and New make a Document from a file. Compose makes a session
// document from a digest. BackupNote and ContextNote add notes to the text of active-context.md. The package doesn't
// open files; package backup does that.
//
// Documents are untrusted. If a front matter isn't valid YAML, it is read line by line. Every text of a Document is one
// clean line. Text of a session that is written to a document can't begin a heading, a fence or a comment.
package document

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// The beginning and the end of the name of a session document.
const (
	Prefix = "session-"
	Suffix = ".md"
)

// Stamp is the layout of all times that are written, in UTC, such as 2026-11-21T11:02:13Z.
const Stamp = time.RFC3339

// Kind is the kind of a document in the memory of a project.
type Kind string

// The kinds of documents (spec 000).
const (
	KindSession       Kind = "session"        // session-*.md: one archived session
	KindActiveContext Kind = "active-context" // active-context.md: the current state
	KindProjectMemory Kind = "project-memory" // project-memory.md: permanent knowledge
)

// Document is a document in the memory of a project. Its key is its Path. Missing values are "". Every text is one
// clean line of at most 500 runes.
type Document struct {
	Path    string
	Project string // the directory given to backup.Find
	Kind    Kind
	// Title is the title in the front matter, else the first H1, else the Summary without emphasis, else the file
	// name without .md. Real documents have neither of the first two.
	Title string
	// Date is the date in the front matter, else in the line "> Last Updated:", else in the file name, else the
	// modification time.
	Date        time.Time
	Status      string // as written: completed, in-progress, blocked or any other text
	Tags        []string
	ProjectName string // name of the project in the front matter
	Previous    string // previous_session of the front matter: file name of the previous document
	Branch      string
	Session     string // session ID, which only continuo writes; "" if unknown
	// Never reports that the line "> Last Updated:" has no date, as in the file that `continuo init` writes. Date is
	// then the modification time, which a hook may have changed.
	Never bool
	// Malformed reports that the front matter isn't valid; Problem has the reason. The keys of the specs are then
	// read line by line.
	Malformed bool
	Todos     []sessions.Todo // todos in all sections Remaining Todos, at most 200
	Next      []string        // next steps in all sections Next Steps, at most 100
	Summary   string          // first line of Session Summary (or Current Task in the active context), without a bullet
	Bytes     int64
	Modified  time.Time // modification time of the file
	Problem   string    // why the file or its front matter couldn't be read; the other fields are valid
}

// nothingIn is the Problem of an empty document.
const nothingIn = "empty"

// New returns the document of a file that was read. p.Info must be set.
func New(kind Kind, project, path string, p *Reading, zone *time.Location) Document {
	d := Document{Path: path, Project: project, Kind: kind, Bytes: p.Info.Size(), Modified: p.Info.ModTime()}
	name := filepath.Base(path)
	d.describe(p, zone)
	if p.Err != nil {
		d.Problem = transcript.CleanLine(p.Err.Error())
	}
	if d.Bytes == 0 && d.Problem == "" {
		d.Problem = nothingIn
	}
	if d.Title == "" {
		d.Title = strings.TrimSpace(strings.TrimSuffix(sessions.PlainText(d.Summary), "."))
	}
	if d.Title == "" {
		d.Title = oneLine(strings.TrimSuffix(name, Suffix))
	}
	if d.Date.IsZero() {
		d.Date = parseName(name, zone)
	}
	if d.Date.IsZero() {
		d.Date = d.Modified
	}
	return d
}

// describe sets the fields that come from the text.
func (d *Document) describe(p *Reading, zone *time.Location) {
	m, err := readFrontMatter(p.front)
	switch {
	case p.unclosed != nil:
		m = salvageFrontMatter(p.front)
		d.Malformed, d.Problem = true, p.unclosed.Error()
	case err != nil:
		if d.Problem = oneLine("front matter: " + err.Error()); m == nil {
			m, d.Malformed = salvageFrontMatter(p.front), true
		}
	}
	if err := d.take(m, zone); err != nil && d.Problem == "" {
		d.Problem = oneLine("front matter: " + err.Error())
	}
	if p.Left > 0 && d.Problem == "" {
		d.Problem = "longer than 8 MB: only the first 8 MB were read"
	}
	b := &p.body
	if d.Title == "" {
		d.Title = oneLine(b.title)
	}
	d.Summary = oneLine(b.summary)
	if d.Date.IsZero() {
		d.Date, _ = parseDate(b.updated, zone)
	}
	d.Never = d.Date.IsZero() && b.updated != "" && !strings.ContainsAny(b.updated, "0123456789")
	d.Todos, d.Next = b.todos.todos(), b.next.steps()
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// maxLine is the maximum length of a text, the same as for the prompt of a session. A row shows less.
const maxLine = 500 // runes

// oneLine returns a foreign text as one clean line.
func oneLine(s string) string {
	s = transcript.CleanLine(s)
	if len(s) <= maxLine {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > maxLine {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}
