package backup

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

var (
	// ErrNothing is returned if the transcript is missing or empty.
	ErrNothing = errors.New("no transcript to save")
	// errShrank is a problem of a backup, not an error of Save: the transcript became shorter during the copy. The
	// bytes that were copied are kept.
	errShrank = errors.New("the transcript became shorter during the copy")
)

// By names the program that made a backup, as written in .backup-log (spec 000).
type By string

// The values of By.
const (
	ByEnd     By = "SessionEnd" // the hook
	ByCompact By = "PreCompact" // the hook
	ByPerson  By = "continuo"   // a user with the command `continuo backup`
)

// Request describes a backup to make.
type Request struct {
	Transcript string // absolute
	By         By
	Reason     string // why the session ended, or what triggered the compaction, as given by Claude Code; unfiltered
	SessionID  string // session ID to use if the first 64 KB of the transcript contain none; "" if unknown
	At         time.Time
	Unmarked   bool // the backup doesn't become pending, and active-context.md gets no note
}

// Saved is a backup that was made.
type Saved struct {
	Path   string // absolute
	Name   string // file name in raw
	Bytes  int64
	Sum    string // SHA-256 in hex, of the copy
	Marker string // path of the marker for it; "" if unmarked or none could be written
	// Problems lists the errors after the copy got its name: ErrLocked (active-context.md isn't updated, and the marker
	// may get a number), errShrank, or write errors.
	Problems []error
}

// Op returns the op that made the backup, for the journal.
func (s *Saved) Op() change.Op {
	memory := filepath.Dir(filepath.Dir(s.Path))
	return change.Op{
		Verb: change.Make, Dir: memory, Name: filepath.Join(rawDir, s.Name), Lock: lockName, Bytes: s.Bytes, Sum: s.Sum, Mode: fileMode,
	}
}

// Save copies a transcript into the memory and makes the copy pending (spec 000), unless r.Unmarked is set. It copies byte for byte, up to the
// size of the transcript when it was opened. The copy keeps the time of the transcript. When the copy is safe under its
// name, Save writes the sum, the line of .backup-log, the marker and active-context.md. If one of these writes fails,
// the error is in Saved.Problems, and the copy stays.
//
// The error is ErrNothing, transcript.ErrNotRegular, ErrLinkedOut, or a system error. If Save returns an error, it has
// saved nothing.
func (m *Memory) Save(ctx context.Context, r Request) (Saved, error) {
	c, err := m.copyIn(ctx, r.Transcript)
	if err != nil {
		return Saved{}, err
	}
	v := &saving{m: m, r: r, c: c}
	v.r.Reason = cleanReason(r.Reason)
	if c.session != "" {
		v.r.SessionID = c.session
	}
	if err := v.settle(ctx); err != nil {
		c.temp.Drop()
		return Saved{}, err
	}
	v.record(ctx)
	m.root.Sweep(trashDir)
	return v.saved, nil
}

// saving is the state of one call of Save after the transcript is copied.
type saving struct {
	m     *Memory
	r     Request // Reason is clean; SessionID is set if known
	c     copied
	saved Saved
	typed string // result of typedText right after this call wrote its marker; see isLast
}

func (v *saving) problem(err error) {
	if err != nil {
		v.saved.Problems = append(v.saved.Problems, err)
	}
}

// settle gives the copy its final name. It takes the lock only on a file system without links. So the copy usually gets
// its name even if another process has the lock, or if Claude Code kills the hook soon.
func (v *saving) settle(ctx context.Context) error {
	base := v.r.At.UTC().Format(backupStamp) + "Z_" + v.r.Reason
	if v.r.By == ByCompact {
		base = v.r.At.UTC().Format(backupStamp) + "Z_compact"
	}
	used := v.m.usedNames()
	name, err := freeName(base, used, func(name string) error { return v.m.link(v.c.temp, filepath.Join(rawDir, name)) })
	if err != nil {
		var unlock func()
		if unlock, err = v.m.lock(ctx); err != nil {
			return err
		}
		name, err = freeName(base, used, func(name string) error { return v.m.publish(v.c.temp, filepath.Join(rawDir, name)) })
		unlock()
	}
	if err != nil {
		return err
	}
	v.saved = Saved{Path: v.m.at(filepath.Join(rawDir, name)), Name: name, Bytes: v.c.bytes, Sum: v.c.sum}
	return nil
}

// usedNames returns a function that reports whether a name belonged to an earlier backup. Such a name must not be used
// again, because a backup in the trash may be restored under its name, and because sums are kept forever.
func (m *Memory) usedNames() func(name string) bool {
	sums, _ := m.Sums() // an unreadable file of sums counts as empty
	entries, _, _ := m.list(trashDir)
	return func(name string) bool {
		_, summed := sums[name]
		return summed || slices.ContainsFunc(entries, func(entry string) bool { return m.isThere(filepath.Join(trashDir, entry, rawDir, name)) })
	}
}

// freeName calls take with one name after the other until take succeeds, and returns that name. It skips a name if used
// returns true for it. If take fails for another reason than a taken name, freeName returns the error.
func freeName(base string, used func(name string) bool, take func(name string) error) (string, error) {
	name := base + backupSuffix
	for n := 2; ; n++ {
		if !used(name) {
			if err := take(name); !errors.Is(err, fs.ErrExist) {
				return name, err
			}
		}
		name = base + "-" + strconv.Itoa(n) + backupSuffix
	}
}

// record writes the sum, the log line, the marker and the note of a backup. The sum and the log line come first,
// because they need no lock. Claude Code may kill the hook while the hook waits for the disk or for the lock.
func (v *saving) record(ctx context.Context) {
	m := v.m
	v.problem(v.c.problem)
	summed := m.addSum(v.saved.Name, v.saved.Sum)
	v.problem(summed)
	v.problem(m.log(v.logLine()))
	v.problem(m.setTime(filepath.Join(rawDir, v.saved.Name), v.c.modified))
	v.problem(m.syncDir(rawDir))
	if summed == nil {
		v.problem(m.flush(filepath.Join(rawDir, sumsName)))
	}
	v.problem(m.Guard())
	var marker *disk.Temp
	if !v.r.Unmarked {
		var err error
		marker, err = m.draft(markerPrefix, []byte(v.saved.Path+"\n"), fileMode)
		v.problem(err)
	}
	if v.recordLocked(ctx, marker) && !v.r.Unmarked {
		v.problem(v.noteContext(ctx))
	}
	v.problem(m.syncDir("."))
}

// recordLocked takes the lock, gives the drafted marker its final name, and shortens the log. While it has the lock, it
// waits for the disk only to shorten the log. If recordLocked doesn't get the lock, it gives the marker a free name and
// returns false.
func (v *saving) recordLocked(ctx context.Context, marker *disk.Temp) bool {
	publish := v.publishMarker
	unlock, locked := v.m.lock(ctx)
	if locked == nil {
		defer unlock()
	} else {
		v.problem(locked)
		publish = v.publishMarkerUnlocked
	}
	if marker != nil {
		var err error
		v.saved.Marker, err = publish(marker)
		v.problem(err)
	}
	if locked != nil {
		return false
	}
	v.typed = v.typedText()
	v.problem(v.m.shortenLog())
	return true
}

// maxReason is the maximum length of the reason in a file name.
const maxReason = 40 // bytes

// cleanReason makes a text from the client safe for a file name. It keeps ASCII letters, digits, _ and -, and replaces
// other characters by _. If the text ends with a hyphen and a number, as in "-2", cleanReason replaces this hyphen by
// _, because a number that is added to a taken name looks the same.
func cleanReason(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		word := isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '_'
		if b.Len() == maxReason {
			break
		}
		switch {
		case word:
			b.WriteByte(c)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	s = b.String()
	if strings.Trim(s, "_-") == "" {
		return "unknown"
	}
	if base, n := cutNumber(s); n > 0 {
		s = base + "_" + strconv.Itoa(n)
	}
	return s
}
