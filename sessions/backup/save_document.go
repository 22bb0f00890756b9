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
	Text     []byte               // the document; if nil, only active-context.md is written
	Note     document.ContextNote // the note in active-context.md; if zero, only the document is written
	Previous string               // Memory.NewestDocument(At) at the time when Text was composed
	To       string               // absolute path of the document; "" for a new file in the memory
}

// SavedDocument is a saved document.
type SavedDocument struct {
	Path    string // absolute
	Context string // path of active-context.md, which names the document; "" if unchanged
	Fresh   bool   // active-context.md is new
	Problem error  // why active-context.md isn't written: it is a link, isn't a text file, or is larger than 1 MB
}

// NewestDocument returns the file name of the newest session document (spec 000), or "" if there is no document. It
// skips links. The newest document has the name that sorts last. Names without a date and names with a future date sort
// first. Otherwise session-template.md, for example, would always be the newest.
func (m *Memory) NewestDocument(at time.Time) string {
	newest, dated := "", false
	for _, dir := range []string{".", "sessions"} {
		names, _, _ := m.list(dir) // a directory that can't be read counts as empty
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

// isDated reports whether a document name contains a date that isn't in the future. A date counts as soon as it has
// begun in any time zone.
func isDated(name string, at time.Time) bool {
	day := strings.TrimPrefix(name, document.Prefix)
	t, err := time.Parse(time.DateOnly, day[:min(len(day), len(time.DateOnly))])
	return err == nil && !t.After(at.Add(14*time.Hour))
}

// laterName reports whether the document name a sorts after the document name b. Numbers are compared as numbers:
// session-…Z-10 sorts after session-…Z-2.
func laterName(a, b string) bool {
	base, n := cutTaken(a)
	other, k := cutTaken(b)
	if base != other {
		return base > other
	}
	return n > k
}

// cutTaken splits the number from the name of a document whose original name was taken, such as session-…Z-2. It
// doesn't split the minutes from a name.
func cutTaken(name string) (base string, n int) {
	name = strings.TrimSuffix(name, document.Suffix)
	if base, n = cutNumber(name); len(base) < len(document.Prefix+documentStamp) {
		return name, 0
	}
	return base, n
}

// PlanDocument plans to save a session document (spec 000). The first op writes active-context.md without the name of
// the document: every session reads that file, so it must be complete even if the other ops fail. The second op writes
// the document. The last op adds the name of the document to active-context.md, so that the file never names a missing
// document.
//
// The error is ErrChanged if another document was saved since the text was made, *TakenError if the path To exists, or
// a system error. If active-context.md can't be written, the plan doesn't change it, and SavedDocument.Problem has the
// reason.
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

// contextOps returns the two ops that write active-context.md. Both write the note. The last one also writes called,
// the name of the document.
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

// documentOp returns the op that creates the document, and the name by which active-context.md refers to it.
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
