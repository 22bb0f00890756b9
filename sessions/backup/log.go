package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	logName = ".backup-log"
	// maxLog is the limit of the log in bytes, about 8,000 lines. shortenLog deletes the older half of a larger log.
	maxLog = 1 << 20

	logTries = 3
)

// logLine returns the line of this backup for .backup-log (spec 000).
func (v *saving) logLine() string {
	return fmt.Sprintf("[%s] %s (%s): Saved backup to %s",
		v.r.At.UTC().Format(document.Stamp), v.r.By, v.r.Reason, transcript.CleanLine(v.saved.Path))
}

// log appends a line to the log, without the lock. If shortenLog replaces the file meanwhile and the line is missing,
// log appends it again.
func (m *Memory) log(line string) error {
	for range logTries {
		if err := m.appendLine(logName, line); err != nil {
			return err
		}
		if text, err := m.readEnd(logName, headBytes); err != nil || bytes.Contains(text, []byte(line)) {
			break // after an error, the log may have been removed
		}
	}
	return nil
}

// shortenLog keeps the newer half of a log that is longer than maxLog. The caller must hold the lock.
func (m *Memory) shortenLog() error {
	if fi, err := m.root.Lstat(logName); err != nil || fi.Size() <= maxLog {
		return nil // log has already reported the error
	}
	f, fi, err := m.openOwn(logName)
	if err != nil {
		return err
	}
	defer f.Close()
	newer, err := endOf(f, fi.Size(), maxLog/2)
	if err != nil {
		return fmt.Errorf("read %s: %w", m.at(logName), cause(err))
	}
	from := fi.Size() - int64(len(newer))
	newer = newer[:bytes.LastIndexByte(newer, '\n')+1] // the last line may be half written
	if err := m.replace(logName, newer, fi.Mode().Perm()); err != nil {
		return err
	}
	// Hooks append without the lock, so copy their new lines from the old file. A hook whose line comes even later
	// notices the loss.
	late, err := io.ReadAll(io.NewSectionReader(f, from+int64(len(newer)), maxLog))
	for line := range strings.Lines(string(late)) {
		if line, whole := strings.CutSuffix(line, "\n"); whole {
			err = errors.Join(err, m.appendLine(logName, line))
		}
	}
	return err
}

// endOf returns the lines in the last n bytes of a file of the given size.
func endOf(f io.ReaderAt, size, n int64) ([]byte, error) {
	text := make([]byte, min(size, n))
	got, err := f.ReadAt(text, size-int64(len(text)))
	if text = text[:got]; errors.Is(err, io.EOF) {
		err = nil
	}
	if size > n { // the first line may be incomplete
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text, err
}
