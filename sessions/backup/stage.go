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
	"strings"
	"time"
	"unicode/utf16"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
)

// A staged recovery is a file in the memory. The next session prints its text. In spec 002, the user pastes the
// recovery instead. The first line of the file has the time of the staging and the sum of the text:
//
//	continuo-staged 1 2026-11-21T18:50:00Z sha256=<64 hex digits>
//
// The text follows on the next lines.
const (
	stagedName  = ".staged-recovery"
	stagedTitle = "continuo-staged 1 "

	// MaxStaged is the limit of a staged text in UTF-16 code units. Claude Code (2.1.330) truncates a hook's output
	// after about 10,000 units. The heading and the lines on pending backups need up to 2,000.
	MaxStaged = 8000
	// StagedFor is how long a staged recovery is valid. It describes the work of one day.
	StagedFor = 24 * time.Hour
	// stagedAhead is how far in the future a recovery may be, because clocks differ.
	stagedAhead = 5 * time.Minute
	// maxStagedFile is the limit of the file in bytes: the first line, and MaxStaged characters of three bytes.
	maxStagedFile = 3*MaxStaged + 256
)

var (
	// ErrStagedLong is returned for a text longer than MaxStaged.
	ErrStagedLong = errors.New("too long to stage")
	// ErrStagedDamaged is returned for a damaged recovery or another format version.
	ErrStagedDamaged = errors.New("damaged, or not written by continuo")
	// ErrStagedOld is returned for a recovery that was staged more than StagedFor ago.
	ErrStagedOld = errors.New("staged more than 24 hours ago")
	// ErrStagedAhead is returned for a recovery with a time in the future.
	ErrStagedAhead = errors.New("staged in the future: the clock was changed")
)

// Staged is a recovery that the next session prints once.
type Staged struct {
	At   time.Time // time of the staging; zero if the file has none
	Text string    // clean, whole lines; "" if the recovery must not be printed
}

// StagedPath returns the path of the staged recovery in the memory of a project.
func StagedPath(project string) string {
	return filepath.Join(project, ".claude", "memory", stagedName)
}

// StagedLen returns the length of a text in UTF-16 code units.
func StagedLen(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// NewStaged returns a recovery with the cleaned text. The error is ErrStagedLong, or an error for an empty text.
func NewStaged(text string, at time.Time) (Staged, error) {
	text = strings.TrimRight(strings.TrimLeft(transcript.Clean(text), "\n"), " \t\n")
	if text == "" {
		return Staged{}, errors.New("nothing to stage")
	}
	text += "\n"
	if n := StagedLen(text); n > MaxStaged {
		return Staged{}, fmt.Errorf("text of %d characters: %w", n, ErrStagedLong)
	}
	return Staged{At: at.UTC().Truncate(time.Second), Text: text}, nil
}

// Encode returns the contents of the staged file.
func (s *Staged) Encode() []byte {
	sum := sha256.Sum256([]byte(s.Text))
	return []byte(stagedTitle + s.At.UTC().Format(time.RFC3339) + " sha256=" + hex.EncodeToString(sum[:]) + "\n" + s.Text)
}

// decodeStaged parses the staged file and cleans the text, because a matching sum doesn't prove that continuo wrote
// it. s.At may be set even with ErrStagedDamaged.
func decodeStaged(file []byte) (s Staged, err error) {
	head, text, whole := bytes.Cut(file, []byte("\n"))
	rest, ours := strings.CutPrefix(string(head), stagedTitle)
	stamp, sum, _ := strings.Cut(rest, " ")
	if !ours {
		return s, ErrStagedDamaged
	}
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return s, ErrStagedDamaged
	}
	s.At = at.UTC()
	want := sha256.Sum256(text)
	if !whole || sum != "sha256="+hex.EncodeToString(want[:]) {
		return s, ErrStagedDamaged
	}
	clean, err := NewStaged(string(text), at)
	if err != nil {
		return s, ErrStagedDamaged
	}
	return clean, nil
}

// StagedFile returns the unchecked contents and the mode of the staged file. Without a file, the contents are nil.
// The error is transcript.ErrNotRegular, errTooLong for more than 1 MB, or a system error.
func (m *Memory) StagedFile() ([]byte, fs.FileMode, error) {
	file, fi, err := m.read(stagedName, maxContext)
	switch {
	case isAbsent(err):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	return append([]byte{}, file...), fi.Mode().Perm(), nil
}

// PlanStage plans to write file, the new contents from Staged.Encode. A nil file deletes the staged file. shown is
// the contents from StagedFile that the user saw. The error is ErrChanged if the contents aren't shown any more, or
// that of StagedFile. The caller must set What in the returned change.
func (m *Memory) PlanStage(shown, file []byte) (change.Change, error) {
	o := m.op(change.Make, stagedName)
	o.Text = file
	now, mode, err := m.StagedFile()
	switch {
	case err != nil:
		return change.Change{}, err
	case (now == nil) != (shown == nil) || !bytes.Equal(now, shown):
		return change.Change{}, fmt.Errorf("file %s: %w", o.Path(), ErrChanged)
	case file == nil:
		o.Verb, o.Text, o.Sum, o.Mode = change.Remove, shown, change.Sum(shown), mode
	case shown != nil:
		// Replace owner and mode, too: isOwn refuses others.
		o.Verb, o.Before, o.Mode, o.Chmod = change.Replace, shown, mode, fileMode
	}
	return change.Change{Kind: "stage", Where: []string{m.project}, Ops: []change.Op{o}}, nil
}

// Staged returns the staged recovery. ok is true if the file exists. If the recovery must not be printed, its text is
// "" and the error is ErrStagedOld, ErrStagedAhead, ErrStagedDamaged, transcript.ErrNotRegular, or a system error.
func (m *Memory) Staged(now time.Time) (s Staged, ok bool, err error) {
	s, _, err = m.staged(now)
	if isAbsent(err) {
		return Staged{}, false, nil
	}
	return s, true, err
}

// staged is Staged, but also returns the info of the file, or nil if unreadable. For a missing file, the error wraps
// fs.ErrNotExist.
func (m *Memory) staged(now time.Time) (s Staged, fi fs.FileInfo, err error) {
	if fi, err = m.root.Lstat(stagedName); err != nil {
		return s, nil, err
	}
	file, read, err := m.read(stagedName, maxStagedFile)
	switch {
	case errors.Is(err, errTooLong):
		err = ErrStagedDamaged // continuo writes no file of this size
	case err == nil:
		fi = read
		if s, err = decodeStaged(file); !isOwn(fi) {
			err = ErrStagedDamaged // a repository may contain such a file; its text must not reach a session
		}
	}
	switch {
	case err == nil && now.Sub(s.At) > StagedFor:
		err = ErrStagedOld
	case err == nil && s.At.Sub(now) > stagedAhead:
		err = ErrStagedAhead
	}
	if err != nil {
		s.Text = ""
		err = fmt.Errorf("staged recovery %s: %w", m.at(stagedName), err)
	}
	return s, fi, err
}

// TakeStaged deletes the staged recovery and returns it for printing. ok is true for a valid recovery. An invalid one
// stays until it is older than StagedFor, and the error is the reason. The age is that of the time in the file,
// otherwise that of the modification time.
//
// A recovery is printed at most once, even by several processes: TakeStaged takes the lock and renames the file. A
// process that is killed after the rename loses the recovery. The user can make another one from the ledger.
func (m *Memory) TakeStaged(ctx context.Context, now time.Time) (s Staged, ok bool, err error) {
	if _, err := m.root.Lstat(stagedName); isAbsent(err) {
		return Staged{}, false, nil
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return Staged{}, false, err
	}
	defer unlock()
	s, fi, err := m.staged(now)
	switch {
	case isAbsent(err): // another process has taken it
		return Staged{}, false, nil
	case err != nil && !isOverdue(s, fi, now):
		return Staged{}, false, err
	}
	if gone := m.root.Take(stagedName); gone != nil {
		if isAbsent(gone) {
			gone = nil
		}
		return Staged{}, false, errors.Join(err, cause(gone))
	}
	// If syncDir fails, a power failure may bring the file back. Print the recovery anyway.
	return s, err == nil, errors.Join(err, m.syncDir("."))
}

// isOverdue reports whether an invalid staged file is old enough to delete. Directories and links always stay.
func isOverdue(s Staged, fi fs.FileInfo, now time.Time) bool {
	if fi == nil || !fi.Mode().IsRegular() {
		return false
	}
	at := s.At
	if at.IsZero() {
		at = fi.ModTime()
	}
	return now.Sub(at) > StagedFor
}

// NamesStaged reports whether the .gitignore of the memory names the staged file. A .gitignore that is a link counts
// as true, because GuardStaged doesn't change links.
func (m *Memory) NamesStaged() bool {
	text, _, err := m.read(ignoreName, maxIgnore)
	return errors.Is(err, transcript.ErrNotRegular) || err == nil && namesStaged(text)
}

func namesStaged(ignore []byte) bool {
	for line := range bytes.Lines(ignore) {
		if string(bytes.TrimSpace(line)) == stagedName {
			return true
		}
	}
	return false
}

// GuardStaged calls Guard and adds the staged file to the .gitignore of the memory. The .gitignore of an early
// version doesn't have this name. If the .gitignore is a link, GuardStaged returns false.
func (m *Memory) GuardStaged() (ignored bool, err error) {
	if err := m.Guard(); err != nil {
		return false, err
	}
	text, fi, err := m.read(ignoreName, maxIgnore)
	switch {
	case errors.Is(err, transcript.ErrNotRegular):
		return false, nil
	case err != nil:
		return false, err
	}
	if namesStaged(text) {
		return true, nil
	}
	const line = stagedName + "\n"
	switch with, older := bytes.Replace(text, []byte(ignoreBefore), []byte(ignoreBefore+line), 1), bytes.Contains(text, []byte(ignoreBefore)); {
	case older:
		text = with
	case !bytes.HasSuffix(text, []byte("\n")):
		text = append(text, "\n"+line...)
	default:
		text = append(text, line...)
	}
	return true, m.replace(ignoreName, text, fi.Mode().Perm())
}

// StagedIn calls Memory.Staged for a project. Without a staged file, it doesn't open the memory.
func StagedIn(project string, now time.Time) (s Staged, ok bool, err error) {
	if _, err := os.Lstat(StagedPath(project)); errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	m, err := OpenMemory(project)
	if err != nil {
		return s, false, err
	}
	defer func() { _ = m.Close() }() // the file was only read
	return m.Staged(now)
}
