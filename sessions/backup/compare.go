package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	compareEnds  = 64 << 10  // bytes at each end that a quick comparison reads
	compareBlock = 256 << 10 // bytes that are read at a time
)

// Compare compares a backup with the transcript at the path live. live may be "" for no transcript. If whole is true,
// Compare reads every byte of the backup. Otherwise it compares the sizes and the first and last 64 KB, and misses
// changes between them. The error is a read error or ctx.Err().
func Compare(ctx context.Context, backup, live string, whole bool) (sessions.Relation, error) {
	copied, info, err := transcript.OpenFile(backup)
	if err != nil {
		return "", fmt.Errorf("compare %s: %w", backup, cause(err))
	}
	defer copied.Close()
	if live == "" {
		return sessions.RelationGone, nil
	}
	now, liveInfo, err := transcript.OpenFile(live)
	if isAbsent(err) {
		return sessions.RelationGone, nil
	}
	if err != nil {
		return "", fmt.Errorf("compare %s: %w", live, cause(err))
	}
	defer now.Close()
	r, err := compare(ctx, extent{copied, info.Size()}, extent{now, liveInfo.Size()}, whole)
	if err != nil {
		return "", fmt.Errorf("compare %s with %s: %w", backup, live, cause(err))
	}
	return r, nil
}

// extent is an open file with its size at the time of opening.
type extent struct {
	io.ReaderAt
	size int64
}

// compare compares two open files.
func compare(ctx context.Context, copied, live extent, whole bool) (sessions.Relation, error) {
	if live.size < copied.size {
		return sessions.RelationRewritten, nil
	}
	parts := [][2]int64{{0, copied.size}}
	if !whole && copied.size > 2*compareEnds {
		parts = [][2]int64{{0, compareEnds}, {copied.size - compareEnds, copied.size}}
	}
	for _, p := range parts {
		same, err := sameBytes(ctx, copied, live, p[0], p[1])
		if err != nil {
			return "", err
		}
		if !same {
			return sessions.RelationRewritten, nil
		}
	}
	if live.size > copied.size {
		return sessions.RelationGrown, nil
	}
	return sessions.RelationSame, nil
}

// sameBytes reports whether two files have the same bytes between two offsets. A backup that ends too early is an
// error. A transcript that ends too early is a difference.
func sameBytes(ctx context.Context, copied, live extent, from, to int64) (bool, error) {
	n := min(compareBlock, to-from)
	a, b := make([]byte, n), make([]byte, n)
	for ; from < to; from += n {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n = min(n, to-from)
		if err := readFull(copied, a[:n], from); err != nil {
			return false, err
		}
		switch err := readFull(live, b[:n], from); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return false, nil
		case err != nil:
			return false, err
		case !bytes.Equal(a[:n], b[:n]):
			return false, nil
		}
	}
	return true, nil
}

// readFull fills buf from an offset. For a truncated file, the error is io.ErrUnexpectedEOF.
func readFull(r io.ReaderAt, buf []byte, at int64) error {
	n, err := r.ReadAt(buf, at)
	switch {
	case n == len(buf):
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}

// TornTail reports whether the last line of a backup is incomplete, because the copy was interrupted. An incomplete
// line has no newline and isn't JSON. TornTail reads at most 64 KB, and returns false for a longer line.
func TornTail(backup string) (bool, error) {
	f, info, err := transcript.OpenFile(backup)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", backup, cause(err))
	}
	defer f.Close()
	tail := make([]byte, min(info.Size(), compareEnds))
	if err := readFull(f, tail, info.Size()-int64(len(tail))); err != nil {
		return false, fmt.Errorf("read %s: %w", backup, cause(err))
	}
	i := bytes.LastIndexByte(tail, '\n')
	if i < 0 && info.Size() > int64(len(tail)) {
		return false, nil
	}
	last := bytes.TrimSpace(tail[i+1:])
	return len(last) > 0 && !json.Valid(last), nil
}
