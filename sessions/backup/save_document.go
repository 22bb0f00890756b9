package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// documentStamp is the time in the name of a document; the Z behind it says that it is UTC.
const documentStamp = "2006-01-02-1504"

// DocumentRequest is a document to save.
type DocumentRequest struct {
	At       time.Time // in its name
	Text     []byte
	Note     ContextNote
	Previous string // the newest document when Text was made (Memory.NewestDocument at At)
	To       string // absolute path of its file; "" in the memory, under a name of its own
	// Before is called before the first byte is written, with all that will be. It is called anew, with something else,
	// when a file has changed just then. Its error stops the save, and then nothing has been written.
	Before func(will []WrittenFile) error
}

// WrittenFile is a file that a save makes or changes.
type WrittenFile struct {
	Path   string      // absolute
	Sum    string      // SHA-256 in hex, of what is written
	Before []byte      // what it was, nil where there was none
	Mode   fs.FileMode // permissions of what it was
}

// SavedDocument is a document that was written.
type SavedDocument struct {
	Path    string // absolute; "" it was not. With an error it is there, and may not last through a crash
	Context bool   // active-context.md was: also where the document then could not be
	Written []WrittenFile
	// Problems is what went wrong besides: an active-context.md that is no file to write to, or its last line.
	Problems []error
}

// NewestDocument is the file name of the session document that comes last by its name (spec 000); "" none. A link is
// none. One with a date comes after those without, and after those of days that at a time have not come anywhere: else
// session-template.md would be the last one for ever.
func (m *Memory) NewestDocument(at time.Time) string {
	newest, dated := "", false
	for _, dir := range []string{".", "sessions"} {
		names, _, _ := m.place().list(dir) // what cannot be listed has none
		for _, name := range names {
			if !strings.HasPrefix(name, documentPrefix) || !strings.HasSuffix(name, documentSuffix) {
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

// isDated reports whether the name of a document begins with a day, and one that has come somewhere on earth.
func isDated(name string, at time.Time) bool {
	day := strings.TrimPrefix(name, documentPrefix)
	t, err := time.Parse(time.DateOnly, day[:min(len(day), len(time.DateOnly))])
	return err == nil && !t.After(at.Add(14*time.Hour))
}

// laterName reports whether the name of a document comes after another one: session-…Z-10 after session-…Z-2.
func laterName(a, b string) bool {
	base, n := cutTaken(a)
	other, k := cutTaken(b)
	if base != other {
		return base > other
	}
	return n > k
}

// cutTaken takes the number off the name of a document that had to have one. The minutes of another are none.
func cutTaken(name string) (base string, n int) {
	name = strings.TrimSuffix(name, documentSuffix)
	if base, n = cutNumber(name); len(base) < len(documentPrefix+documentStamp) {
		return name, 0
	}
	return base, n
}

// SaveDocument writes a session document (spec 000), active-context.md first: that is read at every start, and has what
// counts when the rest does not come to be. It names the document last, when that is there under its name, so at no
// point does one speak of what is not. All is done under the lock of the memory.
//
// The error is ErrChanged where another document has come since its text was made, *TakenError where the path of To is
// taken, ErrLocked, that of Before or ctx, or that of the system. An active context that cannot be written to (a link,
// over 1 MB, no text) stays as it is, and is a problem.
func (m *Memory) SaveDocument(ctx context.Context, r DocumentRequest) (SavedDocument, error) {
	unlock, err := m.lock(ctx)
	if err != nil {
		return SavedDocument{}, err
	}
	defer unlock()
	if newest := m.NewestDocument(r.At); newest != r.Previous {
		return SavedDocument{}, fmt.Errorf("directory %s: %w", m.path, ErrChanged)
	}
	var noted []WrittenFile
	for range contextTries {
		s := &savingDocument{m: m, r: r, noted: noted, saved: SavedDocument{Context: len(noted) > 0}}
		err := s.look()
		if err == nil {
			err = s.write(ctx)
		}
		s.close()
		if !errors.Is(err, errMoved) {
			return s.saved, err
		}
		noted = s.noted
	}
	return SavedDocument{Context: len(noted) > 0, Written: noted}, fmt.Errorf("write %s: %w", m.path, errBusy)
}

// PlanDocument says what SaveDocument would write now. Nothing is touched.
func (m *Memory) PlanDocument(r DocumentRequest) (SavedDocument, error) {
	s := &savingDocument{m: m, r: r}
	err := s.look()
	s.close()
	if err == nil {
		s.saved.Path, s.saved.Context = s.dst.at(s.name), !s.skip
	}
	return s.saved, err
}

// errMoved says that what was looked at is something else by now.
var errMoved = errors.New("it has changed just now")

// savingDocument is one try of SaveDocument.
type savingDocument struct {
	m     *Memory
	r     DocumentRequest
	dst   *Memory       // directory of the document: the memory, or where To is
	name  string        // of the document in it
	noted []WrittenFile // what was written of active-context.md before the document could not have its name
	saved SavedDocument

	skip         bool        // active-context.md is left alone
	there        bool        // there is one
	before       []byte      // what it is
	first, after []byte      // what it will be: without the name of the document, and with it
	mode         fs.FileMode // of active-context.md
}

func (s *savingDocument) close() {
	if s.dst != nil && s.dst != s.m {
		_ = s.dst.Close() // what is written is synced
	}
}

// look finds out what will be written.
func (s *savingDocument) look() error {
	m := s.m
	text, fi, err := m.read(contextName, maxContext)
	switch {
	case isAbsent(err):
		text, s.mode = []byte(newContext), fileMode
	case err == nil && bytes.IndexByte(text, 0) >= 0:
		err = fmt.Errorf("read %s: %w", m.at(contextName), errNotText)
		fallthrough
	case err != nil:
		s.skip = true
		s.saved.Problems = append(s.saved.Problems, err)
	default:
		s.there, s.before, s.mode = true, text, fi.Mode().Perm()
	}
	if err := s.place(); err != nil {
		return err
	}
	if !s.skip {
		s.first = s.r.Note.write(text, "")
		s.after = s.r.Note.write(s.first, s.called())
		if len(s.after) > maxContext {
			s.skip = true
			s.saved.Problems = append(s.saved.Problems, fmt.Errorf("write %s: %w", m.at(contextName), errTooLong))
		}
	}
	will := slices.Clone(s.noted)
	if !s.skip && !s.isNoted() {
		first := WrittenFile{Path: m.at(contextName), Sum: sumBytes(s.first), Mode: s.mode}
		if s.there {
			first.Before = append([]byte{}, s.before...)
		}
		will = append(will, first)
	}
	will = append(will, WrittenFile{Path: s.dst.at(s.name), Sum: sumBytes(s.r.Text), Mode: fileMode})
	if !s.skip {
		will = append(will, WrittenFile{Path: m.at(contextName), Sum: sumBytes(s.after), Before: s.first, Mode: s.mode})
	}
	s.saved.Written = will
	return nil
}

// isNoted reports whether active-context.md says it all but the name.
func (s *savingDocument) isNoted() bool { return s.there && bytes.Equal(s.before, s.first) }

// called is how active-context.md names the document.
func (s *savingDocument) called() string {
	in, err := s.dst.root.Stat(".")
	if memory, failed := s.m.root.Stat("."); err == nil && failed == nil && os.SameFile(in, memory) {
		return s.name
	}
	return s.dst.at(s.name)
}

// place finds the directory and the name of the document.
func (s *savingDocument) place() error {
	if s.r.To == "" {
		s.dst = s.m
		base := documentPrefix + s.r.At.UTC().Format(documentStamp) + "Z"
		s.name = base + documentSuffix
		for n := 2; s.m.isThere(s.name) || s.m.isThere(filepath.Join("sessions", s.name)); n++ {
			s.name = base + "-" + strconv.Itoa(n) + documentSuffix
		}
		return nil
	}
	to := filepath.Clean(s.r.To)
	p, err := enter(filepath.Dir(to))
	if err != nil {
		return err
	}
	if p == nil {
		return fmt.Errorf("directory %s: %w", filepath.Dir(to), fs.ErrNotExist)
	}
	s.dst, s.name = &Memory{root: p.root, path: p.path}, filepath.Base(to)
	if s.dst.isThere(s.name) {
		return &TakenError{Paths: []string{to}}
	}
	return nil
}

// write does what look has found. The error is errMoved as long as nothing was written.
func (s *savingDocument) write(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.r.Before != nil {
		if err := s.r.Before(slices.Clone(s.saved.Written)); err != nil {
			return err
		}
	}
	doc, err := s.dst.draft(s.name, s.r.Text, fileMode)
	if err != nil {
		return err
	}
	defer doc.Drop()
	if !s.skip && !s.isNoted() {
		if err := s.writeContext(); err != nil {
			return err
		}
	}
	if err := s.publish(doc); err != nil {
		return err
	}
	if s.skip {
		return nil
	}
	// Whoever wrote the active context meanwhile keeps what they wrote.
	last := func(text []byte) []byte { return s.r.Note.write(text, s.called()) }
	if err := s.m.editContext(last); err != nil {
		s.saved.Problems = append(s.saved.Problems, err)
	}
	return nil
}

// writeContext writes active-context.md without the name of the document, if it still is what was looked at.
func (s *savingDocument) writeContext() error {
	m := s.m
	temp, err := m.draft(contextName, s.first, s.mode)
	if err != nil {
		return err
	}
	defer temp.Drop()
	now, _, err := m.read(contextName, maxContext)
	switch {
	case !s.there && isAbsent(err):
		if err = m.link(temp, contextName); err != nil && !errors.Is(err, fs.ErrExist) { // where there are no links
			err = m.publish(temp, contextName)
		}
		if errors.Is(err, fs.ErrExist) {
			err = errMoved
		}
	case s.there && err == nil && bytes.Equal(now, s.before):
		err = m.adopt(temp, contextName)
	default:
		err = errMoved
	}
	if err != nil {
		return err
	}
	s.saved.Context = true
	s.noted = s.saved.Written[:len(s.noted)+1]
	return m.syncDir(".")
}

// publish gives the document its name. Where somebody took that since, one in the memory gets the next.
func (s *savingDocument) publish(doc *disk.Temp) error {
	err := s.dst.publish(doc, s.name)
	if err == nil {
		s.saved.Path = s.dst.at(s.name)
		return s.dst.syncDir(".")
	}
	switch {
	case !errors.Is(err, fs.ErrExist):
		return err
	case s.dst == s.m:
		return errMoved
	}
	return &TakenError{Paths: []string{s.dst.at(s.name)}}
}

func sumBytes(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
