package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// tornWait is the time for which AppendLine waits for another process to finish a line.
const tornWait = 20 * time.Millisecond

// AppendLine appends a line to a regular file in one write, without a lock. line has no newline. A missing file is
// created with the mode less the umask. After an incomplete last line, the new line starts on its own line. If the
// write fails, AppendLine removes what it wrote, unless another process has appended since. The error is
// ErrNotRegular for a link or a special file. Call Flush if the line must survive a power failure.
func (r *Root) AppendLine(name string, line []byte, mode fs.FileMode) error {
	if fi, err := r.root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
		return ErrNotRegular
	}
	f, err := r.root.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND|nonblock, mode)
	if err != nil {
		return err
	}
	if err = r.step("write", name); err == nil {
		err = addLine(f, line)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func addLine(f *os.File, line []byte) error {
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return errors.Join(err, ErrNotRegular)
	}
	size, torn, err := lineEnd(f, func() (int64, error) { return f.Seek(0, io.SeekEnd) }, func() { settleWrite(f) })
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(line)+2)
	if torn {
		text = append(text, '\n')
	}
	n, err := f.Write(append(append(text, line...), '\n'))
	if err != nil {
		// Another process may have appended a line since.
		if now, failed := f.Seek(0, io.SeekEnd); failed == nil && now == size+int64(n) {
			err = errors.Join(err, f.Truncate(size))
		}
	}
	return err
}

// lineEnd returns the size of a file, and whether its last line is incomplete. It calls settle so that another
// process can finish the line.
func lineEnd(f io.ReaderAt, size func() (int64, error), settle func()) (end int64, torn bool, err error) {
	for before := int64(0); ; before = end {
		if end, err = size(); err != nil || end == 0 {
			return end, false, err
		}
		var last [1]byte
		if _, err = f.ReadAt(last[:], end-1); err != nil || last[0] == '\n' || end == before {
			return end, err == nil && last[0] != '\n', err
		}
		settle()
	}
}

// settleWrite waits for another process that is writing to the file. The kernel locks a file during a write, and
// Chmod waits for this lock. The pause is for systems without such a lock.
func settleWrite(f *os.File) {
	time.Sleep(tornWait)
	if fi, err := f.Stat(); err == nil {
		_ = f.Chmod(fi.Mode())
	}
}
