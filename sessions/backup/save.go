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
)

var (
	// ErrNothing says that there is nothing to save: the transcript is missing or empty.
	ErrNothing = errors.New("no transcript to save")
	// ErrShrank is a problem of a backup: its transcript became shorter while it was copied. What was there is kept.
	ErrShrank = errors.New("it became shorter while it was copied")
)

// By is who asks for a backup, as .backup-log names it (spec 000).
type By string

// Those who ask for backups.
const (
	ByEnd     By = "SessionEnd" // the hook
	ByCompact By = "PreCompact" // the hook
	ByPerson  By = "continuo"   // somebody, by a command
)

// Request is what to save and why.
type Request struct {
	Transcript string // absolute
	By         By
	Reason     string // of the end, or what triggered the compaction, as the client gave it; foreign
	SessionID  string // for a transcript that does not say it in its first 64 KB; "" unknown
	At         time.Time
}

// Saved is a backup that was made.
type Saved struct {
	Path   string // absolute
	Name   string // in raw
	Bytes  int64
	Sum    string // SHA-256 in hex, of the copy
	Marker string // path of the marker that names it; "" where none could be written
	// Problems is what went wrong after the copy was safe under its name: ErrLocked, which leaves out active-context.md
	// and may cost a marker of its own; ErrShrank; or what could not be written.
	Problems []error
}

// Save copies a transcript into the memory, byte for byte as far as it reached when it was opened, and makes the copy
// pending (spec 000). The copy keeps the time of the transcript. First the copy is safe under its name, then come its
// sum, its marker, its line of .backup-log and active-context.md: what fails of these is a problem, never a lost copy.
//
// The error is ErrNothing, transcript.ErrNotRegular, ErrLinkedOut, or that of the system, and then nothing was saved.
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
	unlock, err := v.settle(ctx)
	if err != nil {
		_ = m.root.Remove(c.temp)
		return Saved{}, err
	}
	v.record(ctx, unlock)
	m.sweep(c.made)
	return v.saved, nil
}

// saving is one run of Save from where the copy is made.
type saving struct {
	m     *Memory
	r     Request // with a clean reason, and the session that is known
	c     copied
	saved Saved
}

func (v *saving) problem(err error) {
	if err != nil {
		v.saved.Problems = append(v.saved.Problems, err)
	}
}

// settle gives the copy its name. It does so without the lock, for then the copy is safe whoever holds that and
// whenever the client loses its patience; where there are no links it takes the lock and hands it on.
func (v *saving) settle(ctx context.Context) (unlock func(), err error) {
	base := v.r.At.UTC().Format(backupStamp) + "Z_" + v.r.Reason
	if v.r.By == ByCompact {
		base = v.r.At.UTC().Format(backupStamp) + "Z_compact"
	}
	used := v.m.usedNames()
	name, err := freeName(base, used, func(name string) error { return v.m.link(v.c.temp, filepath.Join(rawDir, name)) })
	if err != nil {
		if unlock, err = v.m.lock(ctx); err != nil {
			return nil, err
		}
		name, err = freeName(base, used, func(name string) error { return v.m.publish(v.c.temp, filepath.Join(rawDir, name)) })
	}
	if err != nil {
		unlock()
		return nil, err
	}
	v.saved = Saved{Path: v.m.at(filepath.Join(rawDir, name)), Name: name, Bytes: v.c.bytes, Sum: v.c.sum}
	return unlock, nil
}

// usedNames tells the names that were those of backups before: what is in the trash comes back under its name, and a
// sum is kept for good.
func (m *Memory) usedNames() func(name string) bool {
	sums, _ := m.Sums() // what cannot be read says nothing
	deeds, _, _ := m.place().list(trashDir)
	return func(name string) bool {
		_, summed := sums[name]
		return summed || slices.ContainsFunc(deeds, func(deed string) bool { return m.isThere(filepath.Join(trashDir, deed, rawDir, name)) })
	}
}

// freeName takes the first name that is free.
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

// record writes down what was saved. The lock is taken if there is none to give back.
func (v *saving) record(ctx context.Context, unlock func()) {
	m := v.m
	v.problem(v.c.problem)
	v.problem(m.setTime(filepath.Join(rawDir, v.saved.Name), v.c.modified))
	v.problem(m.syncDir(rawDir))
	v.problem(m.Guard())
	// Written before the lock is there: it is waiting for the disk that takes long.
	marker, err := m.draft(markerPrefix, []byte(v.saved.Path+"\n"), fileMode)
	v.problem(err)
	if unlock == nil {
		if unlock, err = m.lock(ctx); err != nil {
			v.problem(err)
			v.recordAlone(marker)
			return
		}
	}
	summed := m.addSum(v.saved.Name, v.saved.Sum)
	v.problem(summed)
	if marker != "" {
		v.saved.Marker, err = v.mark(marker)
		v.problem(err)
	}
	logged := m.log(v.logLine())
	v.problem(logged)
	unlock()
	if summed == nil { // outside the lock: it waits for the disk
		v.problem(m.flush(filepath.Join(rawDir, sumsName)))
	}
	v.problem(v.noteContext(ctx, logged == nil))
	v.problem(m.syncDir("."))
}

// recordAlone writes down what can be without the lock, so that the backup is not forgotten.
func (v *saving) recordAlone(marker string) {
	m := v.m
	if marker != "" {
		var err error
		v.saved.Marker, err = v.markAlone(marker)
		v.problem(err)
	}
	summed := m.addSum(v.saved.Name, v.saved.Sum)
	v.problem(summed)
	v.problem(m.appendLine(logName, v.logLine()))
	if summed == nil {
		v.problem(m.flush(filepath.Join(rawDir, sumsName)))
	}
	v.problem(m.syncDir("."))
}

// maxReason bounds what a foreign text adds to a name.
const maxReason = 40 // bytes

// cleanReason makes a foreign text part of a file name: what is no letter, digit, _ or - becomes _, and what would look
// like the number of a taken name does not.
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
