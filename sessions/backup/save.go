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
	// ErrNothing is returned for a missing or empty transcript.
	ErrNothing = errors.New("no transcript to save")
	// errShrank is in Saved.Problems if the transcript became shorter during the copy. The copied bytes stay.
	errShrank = errors.New("the transcript became shorter during the copy")
)

// By names the maker of a backup in .backup-log (spec 000).
type By string

// The values of By.
const (
	ByEnd     By = "SessionEnd" // the hook
	ByCompact By = "PreCompact" // the hook
	ByPerson  By = "continuo"   // the command `continuo backup`
)

// Request describes a backup to make.
type Request struct {
	Transcript string // absolute
	By         By
	Reason     string // why the session ended, or the trigger of the compaction, as received from Claude Code
	SessionID  string // used if the first 64 KB have no session ID; "" if unknown
	At         time.Time
	Unmarked   bool // the backup isn't pending, and active-context.md gets no note
}

// Saved is a backup that was made.
type Saved struct {
	Path   string // absolute
	Name   string // file name in raw
	Bytes  int64
	Sum    string // SHA-256 of the copy in hex
	Marker string // path of the new marker; "" without one
	// Problems has the errors after the copy got its final name: write errors, errShrank or ErrLocked. After
	// ErrLocked, active-context.md isn't updated, and the marker may have a number.
	Problems []error
}

// Op returns the op that made the backup, for the journal.
func (s *Saved) Op() change.Op {
	memory := filepath.Dir(filepath.Dir(s.Path))
	return change.Op{
		Verb: change.Make, Dir: memory, Name: filepath.Join(rawDir, s.Name), Lock: lockName, Bytes: s.Bytes, Sum: s.Sum, Mode: fileMode,
	}
}

// Save copies a transcript into the memory, up to its size at the time of opening. The copy keeps the modification
// time. Unless r.Unmarked is set, the copy becomes pending (spec 000). After the copy has its final name, Save writes
// its sum, a line in .backup-log, the marker and a note in active-context.md. The errors of these steps are in
// Saved.Problems.
//
// The error is ErrNothing, transcript.ErrNotRegular, ErrLinkedOut, or a system error. After an error, no copy was
// made.
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

// saving is the state of Save after the copy.
type saving struct {
	m     *Memory
	r     Request // Reason is clean; SessionID is set if known
	c     copied
	saved Saved
	typed string // result of typedText after the marker is written; see isLast
}

func (v *saving) problem(err error) {
	if err != nil {
		v.saved.Problems = append(v.saved.Problems, err)
	}
}

// settle gives the copy its final name. It needs the lock only without hard links, so it seldom waits.
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

// usedNames returns a function that reports whether an earlier backup had a name. That backup may be restored from
// the trash, and its sum is kept, so the name isn't reused.
func (m *Memory) usedNames() func(name string) bool {
	sums, _ := m.Sums() // an unreadable file counts as empty
	entries, _, _ := m.list(trashDir)
	return func(name string) bool {
		_, summed := sums[name]
		return summed || slices.ContainsFunc(entries, func(entry string) bool { return m.isThere(filepath.Join(trashDir, entry, rawDir, name)) })
	}
}

// freeName tries names until take succeeds. It skips used names, and names for which take returns fs.ErrExist.
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

// record writes the sum, the log line, the marker and the note. Claude Code may kill a waiting hook, so sum and log
// line come first. They need no lock.
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

// recordLocked takes the lock, publishes the marker and shortens the log. Without the lock, it gives the marker a
// free name and returns false.
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

// cleanReason makes a text from the client safe for a file name: ASCII letters, digits, _ and - stay. A number at the
// end, as in "exit-2", becomes "exit_2", because "-2" means a second backup in the same second.
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
