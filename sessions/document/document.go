// Package document parses and writes the texts of documents in a project's memory directory: session-*.md,
// active-context.md and project-memory.md (spec 000). Read and New make a Document from a file. ComposeHandover makes
// a session document. BackupNote and ContextNote add notes to an active-context.md. Package backup opens the files.
//
// Documents can't be trusted. Invalid YAML is read line by line. Every text of a Document is one clean line. In a
// written document, a text of a session never begins a heading, a fence or a comment.
package document

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Prefix and Suffix of the file name of a session document.
const (
	Prefix = "session-"
	Suffix = ".md"
)

// Stamp is the layout of the times in written documents, in UTC, such as 2026-11-21T11:02:13Z.
const Stamp = time.RFC3339

// Kind is the kind of a document.
type Kind string

// The kinds of documents (spec 000).
const (
	KindSession       Kind = "session"        // session-*.md: one archived session
	KindActiveContext Kind = "active-context" // active-context.md: the current state
	KindProjectMemory Kind = "project-memory" // project-memory.md: permanent knowledge
)

// Document is a parsed document of a project. Its key is its Path. Missing values are "". Every text is a clean line
// of at most 500 runes.
type Document struct {
	Path    string
	Project string // project directory, as given to backup.Find
	Kind    Kind
	// Title is the title in the front matter, otherwise the first H1, otherwise Summary without emphasis, otherwise
	// the file name without .md.
	Title string
	// Date is the first known of these: the date in the front matter, the line "> Last Updated:", the date in the
	// file name, the modification time.
	Date        time.Time
	Status      string // as written, such as completed, in-progress or blocked
	Tags        []string
	ProjectName string // name of the project in the front matter
	Previous    string // file name of the previous document (previous_session in the front matter)
	Branch      string
	Session     string // session ID, which only continuo writes; "" if unknown
	// Never is true if the line "> Last Updated:" has no date, as in a new file from `continuo init`. Date is then
	// the modification time, which hooks change.
	Never bool
	// Malformed is true for invalid YAML; Problem has the reason. The keys of the specs are then read line by line.
	Malformed bool
	Todos     []sessions.Todo // entries of all sections Remaining Todos, at most 200
	Next      []string        // entries of all sections Next Steps, at most 100
	Summary   string          // first line of Session Summary (in active-context.md: of Current Task), without a bullet
	Bytes     int64
	Modified  time.Time // modification time of the file
	Problem   string    // why the file or its front matter couldn't be read; "" if there is no problem
}

// nothingIn is the Problem of an empty document.
const nothingIn = "empty"

// New makes a Document from the Reading of a file. p.Info must be set.
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

// describe sets the fields that are from the text.
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

// maxLine is the limit of a text, as for the prompt of a session.
const maxLine = 500 // runes

// oneLine returns a text as one clean line of at most maxLine runes.
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
