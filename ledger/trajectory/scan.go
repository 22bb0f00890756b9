package trajectory

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// errNoObject is returned for a record that isn't a JSON object.
var errNoObject = errors.New("not an object")

// MaxUnpacked is the maximum size in bytes of a decompressed file. A day of logs has a few megabytes.
const MaxUnpacked = 4 << 30

// ErrPacked is returned for a damaged or incomplete compressed file, after its valid records.
var ErrPacked = errors.New("the compressed data is damaged")

// Options are the options of Scan.
type Options struct {
	// Line, if set, is called with each line of the text, without its line break. A line is cut at maxRecord bytes.
	// The bytes are valid only during the call.
	Line func(line []byte)
	// Most is the maximum number of bytes to read; 0 means no limit. Of a longer file, Scan reads the end, or the
	// start if the file is compressed. It sets Stats.Cut. Line numbers at the end are unknown, and 0.
	Most int64

	within bool // the text may start inside a line or a record
}

// Scan reads a file of a trajectory below a root. It yields the records in order, until yield returns false. Text
// that isn't a record is counted and skipped. Only one record and one block of the file are in memory.
//
// Records before an error are valid. The error may be fs.ErrNotExist, ledger.ErrOutside, transcript.ErrNotRegular,
// ErrPacked, the error of ctx, or ledger.ErrTooLong for more than MaxUnpacked decompressed bytes.
func Scan(ctx context.Context, root, path string, how Options, yield func(*Record) bool) (Stats, error) {
	f, err := ledger.Open(root, path)
	if err != nil {
		return Stats{}, err
	}
	defer f.Close()
	name, _ := named(path)
	var stats Stats
	if how.Most > 0 && !name.Zip {
		stats, err = readLast(ctx, f, &name, how, yield)
	} else {
		stats, err = read(ctx, f, &name, how, yield)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	return stats, err
}

// read is Scan for an open file.
func read(ctx context.Context, f io.Reader, name *File, how Options, yield func(*Record) bool) (Stats, error) {
	if !name.Zip {
		return scan(ctx, f, name, how, yield)
	}
	z, err := gzip.NewReader(f)
	if errors.Is(err, io.EOF) {
		return Stats{}, nil // an empty file, for example after a crash
	}
	if err != nil {
		return Stats{Bad: 1, FirstAt: 1}, unpackError(err)
	}
	text := &unpacked{from: z, left: MaxUnpacked}
	if how.Most > 0 {
		text.left, text.most = min(how.Most, MaxUnpacked), true
	}
	stats, err := scan(ctx, text, name, how, yield)
	if stats.Cut = text.cut; text.cut && stats.Torn { // the limit has cut off the record
		stats.Torn = false
		stats.Bad--
	}
	return stats, err
}

// readLast is Scan for the last how.Most bytes of a plain file.
func readLast(ctx context.Context, f *os.File, name *File, how Options, yield func(*Record) bool) (Stats, error) {
	fi, err := f.Stat()
	if err != nil {
		return Stats{}, err
	}
	if fi.Size() <= how.Most {
		return scan(ctx, f, name, how, yield)
	}
	if _, err := f.Seek(-how.Most-1, io.SeekEnd); err != nil { // the byte before shows whether a line starts there
		return Stats{}, err
	}
	how.within = true
	stats, err := scan(ctx, f, name, how, func(r *Record) bool {
		r.Line = 0
		return yield(r)
	})
	stats.Cut, stats.FirstAt = true, 0
	return stats, err
}

// unpackError returns ErrPacked for errors of a damaged file, and other errors unchanged.
func unpackError(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok || errors.Is(err, os.ErrClosed) {
		return err
	}
	return ErrPacked
}

// unpacked is the decompressed text of a file, up to a maximum.
type unpacked struct {
	from io.Reader
	left int64
	most bool // Read returns io.EOF at the maximum, not an error
	cut  bool // the text is longer than the maximum
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.left == 0 && u.most {
		n, _ := u.from.Read(p[:1])
		u.cut = n > 0
		return 0, io.EOF
	}
	if u.left == 0 {
		return 0, ledger.ErrTooLong
	}
	n, err := u.from.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unpackError(err)
	}
	return n, err
}

// scan reads a text and yields its records.
func scan(ctx context.Context, text io.Reader, name *File, how Options, yield func(*Record) bool) (stats Stats, err error) {
	var keys keyring
	s := newSplitter(&stats, func(raw []byte, line, lines int) bool {
		stats.Records++
		return yield(newRecord(raw, line, lines, name, &keys))
	})
	s.lost = how.within
	readable := &readable{Reader: text}
	lines := transcript.NewPartReader(readable, maxRecord)
	further := false // the block continues a line
	for n := 0; !s.stopped; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return stats, ctx.Err()
		}
		l, end := lines.Next()
		stats.Bytes = lines.BytesRead()
		if end != nil { // io.EOF, or the error of the reader
			break
		}
		if how.Line != nil && !further {
			how.Line(l.Data[:min(len(l.Data), maxRecord)])
		}
		further = l.Part
		s.took(l.Data, !l.Part && !l.Open)
	}
	s.end()
	return stats, readable.err
}

// readable is a reader that stores an error and returns io.EOF instead.
type readable struct {
	io.Reader

	err error
}

// Read implements io.Reader.
func (r *readable) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err, err = err, io.EOF
	}
	return n, err
}
