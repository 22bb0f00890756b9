// Package transcript reads one Claude Code conversation: bytes → records → messages → threads.
//
// A transcript is a JSONL file that the client only appends to (checked for client 2.1.330 and 97
// older versions). Four steps, each usable by itself:
//
//	read    Reader      bytes of any length → lines; resumable at a byte offset; never holds a huge line
//	scan    Scan        one line → Envelope: the offsets of its parts, without decoding them
//	thread  Outline     all lines of a file → compact records, messages, threads; one pass
//	decode  Transcript  a message → blocks, through encoding/json, only for messages that are shown
//
// Clean makes untrusted text safe for a terminal.
//
// The package imports no other package of this module, knows no fixed paths and never writes. A bad
// line never hides the rest of the file, and every record is either shown or counted.
package transcript

import (
	"bytes"
	"errors"
	"io"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

const (
	chunkSize = 256 << 10 // one read(2); chunks of 32 KB-1 MB are 15-25 % faster than whole files
	// maxLine is the longest line in bytes that is kept whole. Real lines reach 144 MB (pasted images, tool output);
	// a line longer than maxLine is shortened while it is read (see jsonlex.Shortener).
	maxLine = 8 << 20

	byteOrderMark = "\ufeff" // some editors write it at the start of a UTF-8 file
)

// Line is one line of a transcript. Data is valid until the next call of Next.
type Line struct {
	Offset   int64 // offset of its first byte in the file
	Length   int64 // on disk, without the newline
	Data     []byte
	Squeezed bool // longer than maxLine: Data is the same JSON with its long strings cut
	Part     bool // not the whole line: the next Line continues the line; only from NewPartReader
	Open     bool // the file ends here without a newline
}

// Reader splits a stream into lines of any length. Lines end at \n only (U+2028 is text). It holds at most maxLine plus
// one chunk in memory. It skips a byte order mark at the start of a file.
type Reader struct {
	r      io.Reader
	part   int // length in bytes above which a line is returned in parts; 0: a long line is squeezed instead
	buf    []byte
	start  int   // index of the first unread byte in buf
	end    int   // index after the last byte in buf
	seen   int   // bytes after start that were already searched for a newline
	offset int64 // offset of buf[start] in the file
	total  int64 // bytes read
	err    error
}

// NewReader reads from r, whose first byte is at offset in the file.
func NewReader(r io.Reader, offset int64) *Reader {
	return &Reader{r: r, offset: offset}
}

// NewPartReader reads a file from its start. A line longer than the given number of bytes is not shortened: Next
// returns it in parts of that size.
func NewPartReader(r io.Reader, most int) *Reader {
	return &Reader{r: r, part: most}
}

// Reset makes the reader read from src and reuses its buffer.
func (r *Reader) Reset(src io.Reader, offset int64) {
	*r = Reader{r: src, buf: r.buf, offset: offset}
}

// BytesRead returns the number of bytes read from the stream.
func (r *Reader) BytesRead() int64 { return r.total }

// Next returns the next line, including blank lines, and io.EOF after the last. It returns an error of the stream after
// all lines before it.
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

// squeeze reads and shortens a line longer than maxLine; its first bytes are in the buffer. If its JSON value ends
// before the line does, the rest is returned as the next line, because another record may follow without a newline.
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
