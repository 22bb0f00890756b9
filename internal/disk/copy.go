package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

const (
	// CopyChunk is the number of bytes that CopyFrom copies in one step. 1 MB and 16 MB take the same time.
	CopyChunk  = 4 << 20
	hashBuffer = 256 << 10
	// copyAhead is the maximum number of chunks that wait to be hashed.
	copyAhead = 1024
)

// CopyFrom appends up to size bytes of src to an empty temporary file, and fsyncs it. sum is the SHA-256 of the new
// file in hex. Copying and hashing overlap: 100 MB take 0.10 s, as long as cp and sync.
func (t *Temp) CopyFrom(ctx context.Context, src *os.File, size int64) (n int64, sum string, err error) {
	if err := t.root.step("write", t.name); err != nil {
		return 0, "", err
	}
	landed := make(chan int64, copyAhead)
	type answer struct {
		sum string
		err error
	}
	hashed := make(chan answer, 1)
	go func() {
		var a answer
		a.sum, a.err = hashLanded(t, landed)
		hashed <- a
	}()
	for n < size && err == nil {
		chunk := min(CopyChunk, size-n)
		var copied int64
		copied, err = io.Copy(t.File, io.LimitReader(src, chunk))
		startFlush(t.File, n, copied)
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
		err = t.Sync()
	}
	a := <-hashed
	return n, a.sum, errors.Join(err, a.err)
}

// hashLanded hashes a file while it is written. landed receives the number of bytes written so far.
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

// Sum returns the SHA-256 in hex of the unread bytes of r.
func Sum(ctx context.Context, r io.Reader) (string, error) {
	h := sha256.New()
	var err error
	for err == nil {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(h, r, CopyChunk)
		}
	}
	if !errors.Is(err, io.EOF) {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
