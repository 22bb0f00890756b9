package backup

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/document"
)

// documentStamp is the format of the time in the name of a document, followed by Z for UTC.
const documentStamp = "2006-01-02-1504"

// DocumentRequest describes a document to save.
type DocumentRequest struct {
	At       time.Time            // time in the file name
	Text     []byte               // the document; nil to write active-context.md only
	Note     document.ContextNote // the note in active-context.md; zero to write the document only
	Previous string               // Memory.NewestDocument(At) when Text was composed
	To       string               // absolute path of the document; "" for a new file in the memory
}

// SavedDocument is a saved document.
type SavedDocument struct {
	Path    string // absolute
	Context string // path of active-context.md; "" if unchanged
	Fresh   bool   // active-context.md is new
	Problem error  // why active-context.md stays: a link, not a text file, or larger than 1 MB
}

// NewestDocument returns the file name of the newest session document (spec 000), or "". It is the name that sorts
// last, without links. Names without a date (session-template.md) and names with a future date sort first.
func (m *Memory) NewestDocument(at time.Time) string {
	newest, dated := "", false
	for _, dir := range []string{".", "sessions"} {
		names, _, _ := m.list(dir) // an unreadable directory counts as empty
		for _, name := range names {
			if !strings.HasPrefix(name, document.Prefix) || !strings.HasSuffix(name, document.Suffix) {
				continue
			}
			is := isDated(name, at)
			if is == dated && !laterName(name, newest) || dated && !is {
				continue
			}
			if fi, err := m.root.Lstat(filepath.Join(dir, name)); err == nil && fi.Mode().IsRegular() {
				newest, dated = name, is
			}
		}
	}
	return newest
}

// isDated reports whether a document name has a date that has begun in some time zone.
func isDated(name string, at time.Time) bool {
	day := strings.TrimPrefix(name, document.Prefix)
	t, err := time.Parse(time.DateOnly, day[:min(len(day), len(time.DateOnly))])
	return err == nil && !t.After(at.Add(14*time.Hour))
}

// laterName reports whether the document name a sorts after b. Numbers are compared as numbers: session-…Z-10 sorts
// after session-…Z-2.
func laterName(a, b string) bool {
	base, n := cutTaken(a)
	other, k := cutTaken(b)
	if base != other {
		return base > other
	}
	return n > k
}

// cutTaken splits the number from a document name such as session-…Z-2. The minutes of a name aren't such a number.
func cutTaken(name string) (base string, n int) {
	name = strings.TrimSuffix(name, document.Suffix)
	if base, n = cutNumber(name); len(base) < len(document.Prefix+documentStamp) {
		return name, 0
	}
	return base, n
}

// PlanDocument plans to save a session document (spec 000) in three ops. The first writes active-context.md without
// the document's name. The second writes the document. The third adds the name to active-context.md, which therefore
// never names a missing document.
//
// The error is ErrChanged if another document was saved since the text was made, *TakenError if To exists, or a
// system error. If active-context.md can't be written, SavedDocument.Problem has the reason.
func (m *Memory) PlanDocument(r DocumentRequest) (change.Change, SavedDocument, error) {
	var saved SavedDocument
	if newest := m.NewestDocument(r.At); newest != r.Previous {
		return change.Change{}, saved, fmt.Errorf("directory %s: %w", m.path, ErrChanged)
	}
	c := change.Change{Kind: "save", Where: []string{m.project}}
	called := ""
	if r.Text != nil {
		made, name, err := m.documentOp(&r)
		if err != nil {
			return change.Change{}, saved, err
		}
		made.Text, saved.Path, called = r.Text, made.Path(), name
		c.What, c.Ops = "Saved "+filepath.Base(saved.Path), []change.Op{made}
	}
	if r.Note.IsZero() {
		return c, saved, nil
	}
	first, last, err := m.contextOps(&r.Note, called)
	if err != nil {
		saved.Problem = err
		return c, saved, nil
	}
	saved.Context, saved.Fresh = last.Path(), first.Verb == change.Make
	if saved.Fresh || !bytes.Equal(first.Before, first.Text) {
		c.Ops = append([]change.Op{first}, c.Ops...)
	}
	if called != "" {
		c.Ops = append(c.Ops, last)
	}
	return c, saved, nil
}

// contextOps returns the two ops that write active-context.md. The second one also writes called, the document's
// name.
func (m *Memory) contextOps(note *document.ContextNote, called string) (first, last change.Op, err error) {
	first = m.op(change.Make, contextName)
	text, fi, err := m.read(contextName, maxContext)
	switch {
	case isAbsent(err):
		text, err = []byte(document.NewContext), nil
	case err == nil && bytes.IndexByte(text, 0) >= 0:
		return first, last, fmt.Errorf("read %s: %w", m.at(contextName), errNotText)
	case err != nil:
		return first, last, err
	default:
		first.Verb, first.Loose = change.Replace, true
		first.Before, first.Mode, first.Chmod = append([]byte{}, text...), fi.Mode().Perm(), fi.Mode().Perm()
	}
	first.Text = note.Write(text, "")
	last = first
	last.Verb, last.Loose, last.Chmod = change.Replace, true, first.Mode
	last.Before, last.Text = first.Text, note.Write(first.Text, called)
	if len(last.Text) > maxContext {
		err = fmt.Errorf("write %s: %w", m.at(contextName), errTooLong)
	}
	return first, last, err
}

// documentOp returns the op that creates the document, and the document's name in active-context.md.
func (m *Memory) documentOp(r *DocumentRequest) (o change.Op, called string, err error) {
	if r.To == "" {
		base := document.Prefix + r.At.UTC().Format(documentStamp) + "Z"
		name := base + document.Suffix
		for n := 2; m.isThere(name) || m.isThere(filepath.Join("sessions", name)); n++ {
			name = base + "-" + strconv.Itoa(n) + document.Suffix
		}
		return m.op(change.Make, name), name, nil
	}
	to := filepath.Clean(r.To)
	dir, name := filepath.Dir(to), filepath.Base(to)
	in, err := os.Stat(dir)
	if err == nil && !in.IsDir() {
		err = errNotDirectory
	}
	if err != nil {
		return o, "", fmt.Errorf("directory %s: %w", dir, cause(err))
	}
	if _, err := os.Lstat(to); err == nil {
		return o, "", &TakenError{Paths: []string{to}}
	}
	if memory, err := m.root.Stat("."); err == nil && os.SameFile(in, memory) {
		return m.op(change.Make, name), name, nil
	}
	return change.Op{Verb: change.Make, Dir: dir, Name: name, Mode: fileMode}, to, nil
}
