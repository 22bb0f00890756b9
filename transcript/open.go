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

// ErrNotRegular is returned for a directory, a pipe, a device, or another special file.
var ErrNotRegular = errors.New("not a regular file")

// OpenFile opens a regular file for reading. The error is ErrNotRegular or a system error. It doesn't block on a
// pipe.
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

// ErrRewritten is returned by Follow if the file isn't a longer version of the read file.
var ErrRewritten = errors.New("file was rewritten")

// Transcript is an open transcript. It decodes messages on demand. Its methods except Outline are safe for concurrent
// use.
type Transcript struct {
	src     io.ReaderAt
	close   func() error
	decoded atomic.Int64

	following sync.Mutex  // locked during Follow; lock it before mu
	path      string      // "" if created by New
	seen      os.FileInfo // file info at the last Follow
	rewritten bool

	mu   sync.Mutex // guards out and tail
	out  *Outline
	tail []byte // the last bytes before out.Size, at most tailSize
}

// tailSize is the number of bytes before the previous end that Follow compares.
const tailSize = 4 << 10

// Open reads the outline of a file and keeps the file open. The error is ErrNotRegular, a system error, or ctx.Err().
// Bad lines are no error.
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

// New reads the outline from src. The caller keeps src open.
func New(ctx context.Context, src io.ReaderAt) (*Transcript, error) { return NewEach(ctx, src, nil) }

// NewEach is New with a function that is called for each record; see Outline.Each.
func NewEach(ctx context.Context, src io.ReaderAt, each func(*Record, *Envelope)) (*Transcript, error) {
	t := &Transcript{out: NewOutline(), src: src, close: func() error { return nil }}
	t.out.Each = each
	_, err := t.Follow(ctx)
	return t, err
}

// Follow reads the bytes that were appended since the last read. It returns the number of bytes read. If the file
// hasn't changed, Follow only calls stat. If the file was deleted, Follow reads on, because another program may still
// write to it.
//
// The error is ErrRewritten, an error of the read, or ctx.Err(). After ErrRewritten, the outline stays the same, and
// every later call returns this error.
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
		case err != nil: // deleted or not accessible: read the open file
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

// extend reads the bytes after the previous end. The bytes before the end must be unchanged.
func (t *Transcript) extend(ctx context.Context) (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := make([]byte, len(t.tail))
	n, err := io.ReadFull(io.NewSectionReader(t.src, t.out.Size-int64(len(was)), int64(len(was))), was)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), err == nil && !bytes.Equal(was, t.tail):
		return int64(n), ErrRewritten
	case err != nil:
		return int64(n), err
	}
	from := t.out.Size
	read, err := t.out.Extend(ctx, NewReader(io.NewSectionReader(t.src, from, 1<<62), from))
	total := int64(n) + read
	if t.out.Size > from {
		was = make([]byte, min(tailSize, t.out.Size))
		n, failed := io.ReadFull(io.NewSectionReader(t.src, t.out.Size-int64(len(was)), int64(len(was))), was)
		t.tail, total = was[:n], total+int64(n)
		if err == nil {
			err = failed
		}
	}
	return total, err
}

// View calls do with the outline. Follow waits until do returns. do may keep the slices Messages and Threads, but no
// other field.
func (t *Transcript) View(do func(o *Outline)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do(t.out)
}

// Outline returns the current outline. While Follow may run, use View.
func (t *Transcript) Outline() *Outline { return t.out }

// Decoded returns the number of records that were decoded with encoding/json, for tests.
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

// Decode decodes a message of this outline, or of an earlier state. thread is the name of the message's thread. If a
// record can't be read, Message.Err has the reason. The other records are still decoded.
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

// date sets the fields of blocks that depend on other records, such as the duration of a thought.
func (t *Transcript) date(blocks []Block, record int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &t.out.Records[record]
	for i := range blocks {
		b := &blocks[i]
		b.Time = At(r.Time)
		if b.Kind == BlockToolResult && (t.out.cleared[t.out.ids[b.CallID]] || b.Text == clearedText) {
			b.Cleared = true
		}
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

// since returns the time from the previous record of the conversation to a record; 0 if unknown.
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

// May reports whether a message can match a search, without decoding it. contains is called with the raw bytes of
// each record. May also returns true after a read error, and for a message whose texts aren't shown as in the file.
// buf is reused.
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

// line reads the bytes of a record from the file.
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
