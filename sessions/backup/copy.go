package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// rawDir is where backups are written, below the memory.
const rawDir = "raw"

// copied is a transcript that was copied into raw and has no name yet.
type copied struct {
	temp     *disk.Temp
	bytes    int64
	sum      string    // SHA-256 in hex
	session  string    // id of it; "" where its head does not say
	modified time.Time // of the transcript
	problem  error
}

// copyIn copies a transcript. Of a copy that fails nothing is left.
func (m *Memory) copyIn(ctx context.Context, path string) (copied, error) {
	if !filepath.IsAbs(path) {
		return copied{}, fmt.Errorf("transcript %q: not an absolute path", path)
	}
	src, fi, err := transcript.OpenFile(path)
	if isAbsent(err) || err == nil && fi.Size() == 0 {
		err = ErrNothing
	}
	if err != nil {
		if src != nil {
			_ = src.Close()
		}
		return copied{}, fmt.Errorf("transcript %s: %w", path, cause(err))
	}
	defer src.Close()
	if err := ctx.Err(); err != nil { // before a directory is made that nothing would lie in
		return copied{}, fmt.Errorf("transcript %s: %w", path, err)
	}
	if err := m.mkdir(rawDir); err != nil {
		return copied{}, err
	}
	if err := m.ignoreAll(rawDir); err != nil {
		return copied{}, err
	}
	temp, err := m.create(rawDir)
	if err != nil {
		return copied{}, err
	}
	c := copied{temp: temp, modified: fi.ModTime()}
	if err := c.fill(ctx, temp, src, fi.Size()); err != nil {
		temp.Drop()
		return copied{}, fmt.Errorf("copy %s to %s: %w", path, m.at(rawDir), cause(err))
	}
	if c.bytes < fi.Size() {
		c.problem = fmt.Errorf("transcript %s: %w", path, ErrShrank)
	}
	return c, nil
}

// fill copies the first size bytes of a transcript, and takes down what is to know of them.
func (c *copied) fill(ctx context.Context, dst *disk.Temp, src *os.File, size int64) (err error) {
	if c.bytes, c.sum, err = transfer(ctx, dst, src, size); err != nil {
		return err
	}
	if c.bytes == 0 {
		return ErrNothing
	}
	head, err := readHead(io.NewSectionReader(dst, 0, c.bytes), make([]byte, min(headBytes, c.bytes)))
	if err != nil {
		return err
	}
	c.session = sessionID(head)
	return nil
}

const (
	// transferChunk is how much the kernel copies at once, sharing the blocks where the file system can. 1 MB and
	// 16 MB take the same time.
	transferChunk = 4 << 20
	hashBuffer    = 256 << 10
	// transferAhead is how many chunks the copy may be ahead of its sum, whatever size a file says that it has.
	transferAhead = 1024
)

// transfer copies the first size bytes of src, or as many as there are, and makes them last. The sum is of what dst
// holds: it is read back from memory while the rest is copied and the disk writes, so that 100 MB take 0.10 s, the time
// of cp and sync, though hashing alone takes 0.07.
func transfer(ctx context.Context, dst *disk.Temp, src *os.File, size int64) (n int64, sum string, err error) {
	landed := make(chan int64, transferAhead)
	type answer struct {
		sum string
		err error
	}
	hashed := make(chan answer, 1)
	go func() {
		var a answer
		a.sum, a.err = hashLanded(dst, landed)
		hashed <- a
	}()
	for n < size && err == nil {
		chunk := min(transferChunk, size-n)
		var copied int64
		copied, err = io.Copy(dst.File, io.LimitReader(src, chunk))
		startFlush(dst.File, n, copied)
		n += copied
		landed <- n
		if copied < chunk {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
	}
	close(landed)
	if err == nil {
		err = dst.Sync()
	}
	a := <-hashed
	return n, a.sum, errors.Join(err, a.err)
}

// hashLanded hashes a file as far as it is said to reach.
func hashLanded(f io.ReaderAt, landed <-chan int64) (string, error) {
	h, buf := sha256.New(), make([]byte, hashBuffer)
	var at int64
	var err error
	for to := range landed {
		if err == nil {
			_, err = io.CopyBuffer(h, io.NewSectionReader(f, at, to-at), buf)
			at = to
		}
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// setTime gives a file the time of another.
func (m *Memory) setTime(name string, modified time.Time) error {
	return m.failed("time of", name, m.root.SetTime(name, modified))
}
