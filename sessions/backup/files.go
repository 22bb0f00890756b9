package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// files accesses an opened memory directory. Names are relative to this directory, and errors have the full path.
type files struct{ *openDir }

// at returns the full path of a file in the memory directory.
func (d files) at(name string) string { return filepath.Join(d.path, name) }

// failed adds the operation and the full path to an error.
func (d files) failed(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, d.at(name), cause(err))
}

// lock takes the lock of the memory directory. Until unlock, no other writer can have the lock. The error is
// ErrLocked, ctx.Err() or a system error. ErrLocked means that one process has the lock for two seconds, or several
// for ten seconds.
func (d files) lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = d.root.Lock(ctx, lockName)
	return unlock, d.failed("lock", lockName, err)
}

// mkdir creates a directory if it doesn't exist. The error is ErrLinkedOut for a link that points outside.
func (d files) mkdir(dir string) error {
	err := d.root.MkdirAll(dir, dirMode)
	if err == nil {
		return nil
	}
	if fi, there := d.root.Lstat(dir); there == nil && fi.Mode()&fs.ModeSymlink != 0 {
		err = ErrLinkedOut
	}
	return d.failed("directory", dir, err)
}

// op returns an op on a file of the memory directory. name has slashes.
func (d files) op(verb change.Verb, name string) change.Op {
	return change.Op{Verb: verb, Dir: d.path, Name: filepath.FromSlash(name), Lock: lockName, Mode: fileMode, DirMode: dirMode}
}

// openOwn opens a regular file for reading. It refuses links.
func (d files) openOwn(name string) (*os.File, fs.FileInfo, error) {
	fi, err := d.root.Lstat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	var f *os.File
	if err == nil {
		f, fi, err = d.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", d.at(name), cause(err))
	}
	return f, fi, nil
}

var errTooLong = errors.New("too long")

// read reads a regular file of at most limit bytes. It refuses links.
func (d files) read(name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, fi, err := d.openOwn(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		text, err = nil, errTooLong
	}
	if err != nil {
		return text, fi, fmt.Errorf("read %s: %w", d.at(name), cause(err))
	}
	return text, fi, nil
}

// readEnd reads the whole lines in the last n bytes of a regular file.
func (d files) readEnd(name string, n int64) ([]byte, error) {
	f, fi, err := d.openOwn(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := endOf(f, fi.Size(), n)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", d.at(name), cause(err))
	}
	return text, nil
}

func (d files) isThere(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// errLink is returned for links, which continuo doesn't move or delete.
var errLink = errors.New("a link")

// plainDir returns nil for a directory without links in its path. name is relative to the memory directory.
func (d files) plainDir(name string) error {
	for i, c := range name + "/" {
		if c != '/' {
			continue
		}
		fi, err := d.root.Lstat(name[:i])
		switch {
		case err != nil:
			return err
		case fi.Mode()&fs.ModeSymlink != 0:
			return errLink
		case !fi.IsDir():
			return errNotDirectory
		}
	}
	return nil
}

// plain returns the info of a regular file without links in its path.
func (d files) plain(name string) (fs.FileInfo, error) {
	if dir := path.Dir(name); dir != "." {
		if err := d.plainDir(dir); err != nil {
			return nil, err
		}
	}
	fi, err := d.root.Lstat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	return fi, err
}

// info is plain, but returns nil for a missing file.
func (d files) info(name string) (fs.FileInfo, error) {
	fi, err := d.plain(name)
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("backup %s: %w", d.at(name), cause(err))
	}
	return fi, nil
}

// create creates a temporary file in a directory.
func (d files) create(dir string) (*disk.Temp, error) {
	temp, err := d.root.Create(dir, fileMode)
	return temp, d.failed("write", dir, err)
}

// draft writes and fsyncs a temporary file beside name. The caller must publish or adopt it.
func (d files) draft(name string, text []byte, mode fs.FileMode) (*disk.Temp, error) {
	temp, err := d.root.Draft(name, text, mode)
	return temp, d.failed("write", name, err)
}

// adopt renames a draft to its final name, over an existing file. After an error, the draft is removed.
func (d files) adopt(temp *disk.Temp, name string) error {
	defer temp.Drop()
	return d.failed("write", name, temp.Replace(name))
}

// replace replaces a file atomically, even if the system crashes.
func (d files) replace(name string, text []byte, mode fs.FileMode) error {
	return d.failed("write", name, d.root.Replace(name, text, mode))
}

// publish gives a finished temporary file its final name. The error is fs.ErrExist if the name is taken. The caller
// must hold the lock, because a file system without hard links needs two steps. The caller must then call syncDir to
// make the name durable.
func (d files) publish(temp *disk.Temp, name string) error {
	return d.failed("write", name, temp.Publish(name))
}

// link is publish without the lock. Without hard links, its error isn't fs.ErrExist.
func (d files) link(temp *disk.Temp, name string) error {
	return d.failed("write", name, temp.Link(name))
}

// syncDir fsyncs a directory, so that new names survive a crash. Some systems can't do this.
func (d files) syncDir(dir string) error {
	return d.failed("directory", dir, d.root.SyncDir(dir))
}

func (d files) setTime(name string, modified time.Time) error {
	return d.failed("time of", name, d.root.SetTime(name, modified))
}

// appendLine appends a line to a regular file in one write, without the lock. If the last line is incomplete, the new
// line begins after a newline.
func (d files) appendLine(name, line string) error {
	return d.failed("write", name, d.root.AppendLine(name, []byte(line), fileMode))
}

// flush fsyncs a file to which lines were appended.
func (d files) flush(name string) error { return d.failed("write", name, d.root.Flush(name)) }

// number gives a marker a second name with the first free number, such as .pending-backup-exit-2. The first name
// stays until the next marker replaces it, so no other writer can take the name.
func (d files) number(name string) error {
	for n := 2; ; n++ {
		numbered := name + "-" + strconv.Itoa(n)
		err := d.root.Link(name, numbered)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil { // perhaps the file system has no hard links
			if _, there := d.root.Lstat(numbered); there == nil {
				continue
			}
			err = d.root.Rename(name, numbered)
		}
		if err != nil {
			return fmt.Errorf("move %s to %s: %w", d.at(name), filepath.Base(numbered), cause(err))
		}
		return nil
	}
}
