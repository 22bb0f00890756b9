package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// ErrNotRegular is returned for what is no regular file: a directory, a pipe, a device.
var ErrNotRegular = errors.New("not a regular file")

// OpenFile opens a regular file for reading. It neither follows a pipe into a wait nor reads a device.
func OpenFile(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, fi, nil
}

// Transcript is one open transcript: its outline, and its messages decoded on demand.
// It is safe for concurrent use.
type Transcript struct {
	mu      sync.Mutex // guards out and reader
	out     *Outline
	src     io.ReaderAt
	close   func() error
	reader  Reader
	decoded int
}

// Open reads the outline of the file at path and keeps the file open. The error is of the operating
// system, or ErrNotRegular; damage inside the file is in the outline.
func Open(ctx context.Context, path string) (*Transcript, error) {
	f, _, err := OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	t, err := New(ctx, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read transcript %s: %w", path, err), f.Close())
	}
	t.close = f.Close
	return t, nil
}

// New reads the outline from src, which stays in use.
func New(ctx context.Context, src io.ReaderAt) (*Transcript, error) {
	t := &Transcript{out: NewOutline(), src: src, close: func() error { return nil }}
	_, err := t.Follow(ctx)
	return t, err
}

// Follow reads what was appended since the last read, once, and returns how many bytes that took.
func (t *Transcript) Follow(ctx context.Context) (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reader.Reset(io.NewSectionReader(t.src, t.out.Size, 1<<62), t.out.Size)
	return t.out.Extend(ctx, &t.reader)
}

// Outline returns the outline as it is now. Follow changes it: do not use both at the same time.
func (t *Transcript) Outline() *Outline { return t.out }

// Decoded counts the records that went through encoding/json, for tests that guard the work.
func (t *Transcript) Decoded() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.decoded
}

// Close lets the file go.
func (t *Transcript) Close() error { return t.close() }

// Message decodes message i of the outline. It never fails as a whole: what cannot be read any more
// (the file shrank or changed underneath) is said in Message.Err.
func (t *Transcript) Message(i int) Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	ref := &t.out.Messages[i]
	m := Message{
		ID: t.out.Name(ref.ID), Kind: ref.Kind, Time: At(ref.Time), Gap: ref.Gap,
		Role: roleOf(ref.Kind), Thread: t.out.Threads[ref.Thread].Name,
	}
	for _, n := range ref.Records {
		rec := &t.out.Records[n]
		line, err := t.line(rec)
		if err == nil {
			t.decoded++
			err = decodeInto(&m, line)
		}
		if err != nil {
			m.Err = err.Error()
		}
	}
	return m
}

// line reads a record again. The outline remembers only where it is.
func (t *Transcript) line(rec *Record) ([]byte, error) {
	src := io.NewSectionReader(t.src, rec.Offset, rec.Length)
	if !rec.Has(FlagElided) {
		b := make([]byte, rec.Length)
		if _, err := io.ReadFull(src, b); err != nil {
			return nil, fmt.Errorf("record at byte %d: file is shorter now: %w", rec.Offset, err)
		}
		return b, nil
	}
	var r Reader
	r.Reset(src, rec.Offset)
	l, err := r.Next()
	if err != nil {
		return nil, fmt.Errorf("record at byte %d: %w", rec.Offset, err)
	}
	return l.Data, nil
}

func roleOf(k MessageKind) Role {
	switch k {
	case Answer:
		return RoleAssistant
	case Boundary, System:
		return RoleSystem
	case Prompt, Notice, Summary:
	}
	return RoleUser
}
