package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	logName = ".backup-log"
	// maxLog is what the log may grow to: some 8000 lines. Then the older half goes.
	maxLog = 1 << 20
	// contentStamp is that of all times in what is written.
	contentStamp = time.RFC3339 // of UTC: 2026-11-21T11:02:13Z
)

// logLine is that of spec 000.
func (v *saving) logLine() string {
	return fmt.Sprintf("[%s] %s (%s): Saved backup to %s",
		v.r.At.UTC().Format(contentStamp), v.r.By, v.r.Reason, transcript.CleanLine(v.saved.Path))
}

// log appends a line to the log, and keeps it short. The caller holds the lock.
func (m *Memory) log(line string) error {
	if err := m.appendLine(logName, line); err != nil {
		return err
	}
	fi, err := m.root.Lstat(logName)
	if err != nil || fi.Size() <= maxLog {
		return cause(err)
	}
	newer, err := m.readEnd(logName, maxLog/2)
	if err != nil {
		return err
	}
	return m.replace(logName, newer, fi.Mode().Perm())
}

// isLast reports whether no other hook of the kind has logged since. Where the log says nothing, it is.
func (v *saving) isLast() bool {
	text, err := v.m.readEnd(logName, headBytes)
	if err != nil {
		return true
	}
	for _, line := range slices.Backward(strings.Split(string(text), "\n")) {
		if strings.Contains(line, "] "+string(v.r.By)+" (") {
			return line == v.logLine()
		}
	}
	return true
}

// appendLine appends one line to a regular file in one write, whole or not at all, whatever its last writer left. It
// needs no lock.
func (m *Memory) appendLine(name, line string) (err error) {
	if fi, there := m.root.Lstat(name); there == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("write %s: %w", m.at(name), transcript.ErrNotRegular)
	}
	f, err := m.root.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND|nonblock, fileMode)
	if err != nil {
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && size > 0 {
		var last [1]byte
		if _, err = f.ReadAt(last[:], size-1); last[0] != '\n' {
			line = "\n" + line
		}
	}
	if err == nil {
		var n int
		if n, err = f.WriteString(line + "\n"); err != nil {
			// What another one appended meanwhile stays, and begins a line.
			if now, failed := f.Seek(0, io.SeekEnd); failed == nil && now == size+int64(n) {
				err = errors.Join(err, f.Truncate(size))
			}
		}
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	return nil
}

// flush makes what was appended to a file last.
func (m *Memory) flush(name string) error {
	f, _, err := m.openOwn(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	return nil
}

var errTooLong = errors.New("too long")

// read reads a regular file that is at most limit bytes long. A link is none.
func (m *Memory) read(name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, fi, err := m.openOwn(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		text, err = nil, errTooLong
	}
	if err != nil {
		return text, fi, fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	return text, fi, nil
}

// readEnd reads the whole lines in the last n bytes of a regular file.
func (m *Memory) readEnd(name string, n int64) ([]byte, error) {
	f, fi, err := m.openOwn(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, fi.Size()-n), n))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	if fi.Size() > n { // the first line may have lost its beginning
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text, nil
}

// openOwn opens a regular file for reading. A link is none.
func (m *Memory) openOwn(name string) (*os.File, fs.FileInfo, error) {
	fi, err := m.root.Lstat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	var f *os.File
	if err == nil {
		f, fi, err = m.place().open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", m.at(name), cause(err))
	}
	return f, fi, nil
}
