// Package transcript reads one Claude Code conversation: bytes → records → messages → threads.
//
// A transcript is a JSONL file. The client only appends to it (checked for client 2.1.330 and 97 older versions).
// Reading has four steps, and each step can be used by itself:
//
//	read    Reader      bytes of any length → lines; can start at any offset; shortens huge lines
//	scan    Scan        one line → Envelope: the offsets of its parts, without decoding them
//	thread  Outline     all lines of a file → compact records, messages, threads; one pass
//	decode  Transcript  a message → blocks, through encoding/json, only for messages that are shown
//
// Clean makes untrusted text safe for a terminal.
//
// The package contains no fixed paths and never writes. The lines after a bad line are still read, and every record is
// either shown or counted.
package transcript

import (
	"bytes"
	"errors"
	"io"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

const (
	chunkSize = 256 << 10 // size of a read; 32 KB to 1 MB are 15 to 25 % faster than whole files
	// maxLine is the maximum length in bytes of a line that is kept unchanged. Real lines have up to 144 MB, because
	// of pasted images and tool output.
	maxLine = 8 << 20

	byteOrderMark = "\ufeff" // some editors write it at the start of a UTF-8 file
)

// Line is one line of a transcript. Data is valid until the next call of Reader.Next.
type Line struct {
	Offset   int64 // offset of the first byte in the file
	Length   int64 // length in the file, without the newline
	Data     []byte
	Squeezed bool // the line was longer than maxLine; Data has shortened strings
	Part     bool // the next Line continues this one, with NewPartReader
	Open     bool // the line is the last one, without a newline
}

// Reader splits a stream into lines of any length. Only \n ends a line. A Reader buffers at most maxLine bytes plus
// one chunk. It skips a byte order mark at the start of a file.
type Reader struct {
	r      io.Reader
	part   int // maximum bytes of a whole line; if 0, long lines are squeezed
	buf    []byte
	start  int   // index of the first unread byte in buf
	end    int   // index after the last byte in buf
	seen   int   // number of searched bytes from start
	offset int64 // offset of buf[start] in the file
	total  int64 // bytes read
	err    error
}

// NewReader returns a Reader of r, which starts at offset in the file.
func NewReader(r io.Reader, offset int64) *Reader {
	return &Reader{r: r, offset: offset}
}

// NewPartReader returns a Reader that reads a file from the start. Next returns a line longer than limit in pieces.
func NewPartReader(r io.Reader, limit int) *Reader {
	return &Reader{r: r, part: limit}
}

// Reset makes the reader read from src and reuses its buffer.
func (r *Reader) Reset(src io.Reader, offset int64) {
	*r = Reader{r: src, buf: r.buf, offset: offset}
}

// BytesRead returns the number of bytes read from the stream.
func (r *Reader) BytesRead() int64 { return r.total }

// Next returns the next line, which may be blank. After the last line, it returns io.EOF. It returns all lines before
// an error first.
func (r *Reader) Next() (Line, error) {
	for {
		if r.offset == 0 && bytes.HasPrefix(r.buf[r.start:r.end], []byte(byteOrderMark)) {
			r.advance(len(byteOrderMark))
		}
		if i := bytes.IndexByte(r.buf[r.start+r.seen:r.end], '\n'); i >= 0 {
			n := r.seen + i
			l := Line{Offset: r.offset, Length: int64(n), Data: r.buf[r.start : r.start+n]}
			r.advance(n + 1)
			return l, nil
		}
		r.seen = r.end - r.start
		if r.part > 0 && r.seen > r.part {
			l := Line{Offset: r.offset, Length: int64(r.part), Data: r.buf[r.start : r.start+r.part], Part: true}
			r.advance(r.part)
			return l, nil
		}
		if r.seen > maxLine {
			return r.squeeze()
		}
		if r.err == nil {
			r.fill()
			continue
		}
		if r.seen > 0 && errors.Is(r.err, io.EOF) {
			l := Line{Offset: r.offset, Length: int64(r.seen), Data: r.buf[r.start:r.end], Open: true}
			r.advance(r.seen)
			return l, nil
		}
		return Line{}, r.err
	}
}

func (r *Reader) advance(n int) {
	r.start += n
	r.offset += int64(n)
	r.seen = 0
}

// fill reads one more chunk.
func (r *Reader) fill() {
	if r.start > 0 && (r.start == r.end || len(r.buf)-r.end < chunkSize) {
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.start = 0
	}
	if len(r.buf)-r.end < chunkSize {
		grown := make([]byte, max(2*len(r.buf), r.end+chunkSize))
		copy(grown, r.buf[:r.end])
		r.buf = grown
	}
	n, err := r.r.Read(r.buf[r.end : r.end+chunkSize])
	if n < 0 || n > chunkSize {
		n, err = 0, errors.New("reader returned an impossible count")
	}
	r.end += n
	r.total += int64(n)
	r.err = err
}

// squeeze reads and shortens a line longer than maxLine. Bytes after the JSON value become the next line, because
// they may be a record.
func (r *Reader) squeeze() (Line, error) {
	l := Line{Offset: r.offset, Squeezed: true}
	s := jsonlex.NewShortener()
	for {
		b := r.buf[r.start:r.end]
		i := bytes.IndexByte(b, '\n')
		if i >= 0 {
			b = b[:i]
		}
		n := s.Feed(b)
		l.Length += int64(n)
		r.advance(n)
		if i >= 0 && n == len(b) {
			r.advance(1)
			break
		}
		if n < len(b) || s.Done() {
			break
		}
		if r.err != nil && !errors.Is(r.err, io.EOF) {
			return Line{}, r.err
		}
		if r.err != nil {
			l.Open = true
			break
		}
		r.fill()
	}
	l.Data = s.Finish()
	return l, nil
}
