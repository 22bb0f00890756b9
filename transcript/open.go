package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ErrNotRegular is returned for a directory, a pipe, a device, or any other file that isn't regular.
var ErrNotRegular = errors.New("not a regular file")

// OpenFile opens a regular file for reading. For any other file the error is ErrNotRegular. It never blocks on a pipe.
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

// ErrRewritten is returned by Follow if the file was not only appended to: it was replaced by another file, became
// shorter, or the bytes before its previous end have changed.
var ErrRewritten = errors.New("file was rewritten")

// Transcript is one open transcript: its outline, and its messages decoded on demand. It is safe for concurrent
// use, except for Outline.
type Transcript struct {
	src     io.ReaderAt
	close   func() error
	decoded atomic.Int64

	following sync.Mutex  // one Follow at a time; taken before mu
	path      string      // "" if created by New
	seen      os.FileInfo // info of the file at the last Follow; identifies the file
	rewritten bool

	mu   sync.Mutex // guards out and mark
	out  *Outline
	mark []byte // the last bytes before out.Size, at most markSize
}

// markSize is the number of bytes before the previous end of the file that Follow compares to detect a rewrite.
const markSize = 4 << 10

// Open reads the outline of the file at path and keeps the file open. The error is ErrNotRegular, an error of the
// operating system, or ctx.Err(). A damaged file isn't an error: the outline counts its bad lines.
func Open(ctx context.Context, path string) (*Transcript, error) {
	f, info, err := OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	t, err := New(ctx, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read transcript %s: %w", path, err), f.Close())
	}
	t.close, t.path, t.seen = f.Close, path, info
	return t, nil
}

// New reads the outline from src. The caller must keep src open: messages are decoded from it later.
func New(ctx context.Context, src io.ReaderAt) (*Transcript, error) { return NewEach(ctx, src, nil) }

// NewEach does what New does, and calls each for every record; see Outline.Each.
func NewEach(ctx context.Context, src io.ReaderAt, each func(*Record, *Envelope)) (*Transcript, error) {
	t := &Transcript{out: NewOutline(), src: src, close: func() error { return nil }}
	t.out.Each = each
	_, err := t.Follow(ctx)
	return t, err
}

// Follow reads the bytes that were appended since the last read. It returns the number of bytes read, including those
// compared to detect a rewrite. If the file hasn't changed, Follow only calls stat. If the file was deleted, Follow
// still reads from the open file, because another program may still write to it.
//
// The error is ErrRewritten, an error of the read, or ctx.Err(). After ErrRewritten, the outline no longer changes
// and every later call returns the same error.
func (t *Transcript) Follow(ctx context.Context) (int64, error) {
	t.following.Lock()
	defer t.following.Unlock()
	if t.rewritten {
		return 0, ErrRewritten
	}
	now := t.seen
	if t.path != "" {
		info, err := os.Stat(t.path)
		switch {
		case err != nil: // deleted or not accessible: read on from the open file
		case !os.SameFile(info, t.seen):
			t.rewritten = true
			return 0, ErrRewritten
		case info.Size() == t.seen.Size() && info.ModTime().Equal(t.seen.ModTime()):
			return 0, nil
		default:
			now = info
		}
	}
	n, err := t.extend(ctx)
	t.rewritten = errors.Is(err, ErrRewritten)
	if err == nil {
		t.seen = now
	}
	return n, err
}

// extend checks that the bytes before the previous end are unchanged, and reads the bytes after it.
func (t *Transcript) extend(ctx context.Context) (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := make([]byte, len(t.mark))
	n, err := io.ReadFull(io.NewSectionReader(t.src, t.out.Size-int64(len(was)), int64(len(was))), was)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), err == nil && !bytes.Equal(was, t.mark):
		return int64(n), ErrRewritten
	case err != nil:
		return int64(n), err
	}
	from := t.out.Size
	read, err := t.out.Extend(ctx, NewReader(io.NewSectionReader(t.src, from, 1<<62), from))
	total := int64(n) + read
	if t.out.Size > from {
		was = make([]byte, min(markSize, t.out.Size))
		n, failed := io.ReadFull(io.NewSectionReader(t.src, t.out.Size-int64(len(was)), int64(len(was))), was)
		t.mark, total = was[:n], total+int64(n)
		if err == nil {
			err = failed
		}
	}
	return total, err
}

// View calls do with the outline; Follow waits until do returns. do may keep Messages and Threads, because Follow
// replaces these slices. Follow changes all other fields in place.
func (t *Transcript) View(do func(o *Outline)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do(t.out)
}

// Outline returns the current outline. Follow changes it, so don't use the outline while Follow runs; View is safe
// then.
func (t *Transcript) Outline() *Outline { return t.out }

// Decoded returns the number of records decoded with encoding/json, for tests that limit it.
func (t *Transcript) Decoded() int { return int(t.decoded.Load()) }

// Close closes the file.
func (t *Transcript) Close() error { return t.close() }

// Message decodes message i of the current outline; see Decode.
func (t *Transcript) Message(i int) Message {
	t.mu.Lock()
	ref := t.out.Messages[i]
	thread := t.out.Threads[ref.Thread].Name
	t.mu.Unlock()
	return t.Decode(&ref, thread)
}

// Decode decodes a message of this outline or of an earlier state of it: record indexes never change. thread is the
// name of the message's thread. If a record can't be read any more, because the file shrank or changed, Message.Err has
// the reason and the other records are still decoded.
func (t *Transcript) Decode(ref *MessageRef, thread string) Message {
	records := make([]Record, len(ref.Records))
	t.mu.Lock()
	m := Message{
		ID: t.out.Name(ref.ID), Kind: ref.Kind, Time: At(ref.Time), Gap: ref.Gap, Unread: ref.Unread, Known: ref.Known, Role: roleOf(ref.Kind), Thread: thread,
	}
	for i, n := range ref.Records {
		records[i] = t.out.Records[n]
	}
	t.mu.Unlock()
	for i := range records {
		line, err := t.line(&records[i])
		from := len(m.Blocks)
		if err == nil {
			t.decoded.Add(1)
			err = decodeInto(&m, line)
		}
		if err != nil {
			m.Err = err.Error()
		}
		t.date(m.Blocks[from:], ref.Records[i])
	}
	return m
}

// date sets the facts that the blocks of a record need from other records: how long a thought took, the title and list of
// tasks, the end of a task in the background.
func (t *Transcript) date(blocks []Block, record int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &t.out.Records[record]
	for i := range blocks {
		b := &blocks[i]
		b.Time = At(r.Time)
		switch {
		case b.Kind == BlockThinking && b.Took == 0:
			b.Took = t.out.since(record)
		case b.Kind == BlockToolUse && toolOf(b.Name).kind == ToolTaskChange:
			b.taskTitle = t.out.taskTitle(paramsOf(b.Input).String("taskId"), record)
		case b.Kind == BlockToolResult && b.details.Background:
			b.details.End = t.out.endOf(record)
		case b.Kind == BlockToolResult && b.details.Task != "":
			b.details.list = t.out.tasksAt(record)
		case b.Notice == NoticeTask:
			b.CallID = t.out.callOf(b, record)
		}
	}
}

// since returns the time from the previous record of the conversation to a record; 0 if it isn't known.
func (o *Outline) since(record int32) time.Duration {
	const most = 64 // records to look at
	r := &o.Records[record]
	for i := record - 1; i >= max(record-most, 0) && r.Time != 0; i-- {
		switch p := &o.Records[i]; p.Kind {
		case KindPrompt, KindNotice, KindToolResult, KindAssistant, KindSummary:
			if p.Time != 0 && p.Has(FlagSidechain) == r.Has(FlagSidechain) && p.Agent == r.Agent {
				return milliseconds(r.Time - p.Time)
			}
		case KindOther, KindBoundary, KindSystem, KindEvent, KindAttachment:
		}
	}
	return 0
}

// May reports whether the function contains returns true for the raw bytes of any record of a message, so that a search
// decodes only messages that can match. It also returns true for a message whose texts are shown differently from the
// file, and after a read error. buf is reused memory for the bytes.
func (t *Transcript) May(ref *MessageRef, contains func(line []byte) bool, buf *[]byte) bool {
	if ref.Kind != Prompt && ref.Kind != Answer {
		return true
	}
	for _, n := range ref.Records {
		t.mu.Lock()
		rec := t.out.Records[n]
		t.mu.Unlock()
		if rec.Has(FlagElided) || rec.Kind != KindPrompt && rec.Kind != KindAssistant && rec.Kind != KindToolResult {
			return true
		}
		*buf = slices.Grow((*buf)[:0], int(rec.Length))[:rec.Length]
		if _, err := t.src.ReadAt(*buf, rec.Offset); err != nil || contains(*buf) {
			return true
		}
	}
	return false
}

// line reads the bytes of a record from the file; the outline only has its offset.
func (t *Transcript) line(rec *Record) ([]byte, error) {
	src := io.NewSectionReader(t.src, rec.Offset, rec.Length)
	if !rec.Has(FlagElided) {
		b := make([]byte, rec.Length)
		if _, err := io.ReadFull(src, b); err != nil {
			return nil, fmt.Errorf("record at byte %d: the file became shorter: %w", rec.Offset, err)
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
