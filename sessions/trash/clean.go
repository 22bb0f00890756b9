package trash

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
)

// Reason is the reason why a session can be cleaned up.
type Reason string

// The reasons.
const (
	ReasonEmpty     Reason = "empty"     // the file contains only blanks, or nothing
	ReasonStub      Reason = "stub"      // the session has no messages
	ReasonDuplicate Reason = "duplicate" // the file has the same bytes as another session
)

// Proposal is a session that can be cleaned up.
type Proposal struct {
	Row    sessions.Row
	Reason Reason
	Of     string // for a duplicate: path of the session to keep
}

// Proposals returns the empty, stub and duplicate sessions, in the order of rows. rows must contain all sessions. Of
// several equal transcripts, one stays: that in the directory of its own folder, otherwise the newest. A session that
// may be running is never proposed. Unreadable files count as different. The error is ctx.Err().
func Proposals(ctx context.Context, rows []sessions.Row, running func(*sessions.Row) bool) ([]Proposal, error) {
	var list []Proposal
	bySize := map[int64][]*sessions.Row{}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Kind != sessions.KindSession || running(r):
		case r.State == sessions.StateEmpty:
			list = append(list, Proposal{Row: *r, Reason: ReasonEmpty})
		case r.State == sessions.StateStub:
			list = append(list, Proposal{Row: *r, Reason: ReasonStub})
		case r.State != sessions.StateUnreadable && r.Bytes > 0:
			bySize[r.Bytes] = append(bySize[r.Bytes], r)
		}
	}
	for i := range rows { // in the order of the list
		same := bySize[rows[i].Bytes]
		at := slices.Index(same, &rows[i])
		if at < 0 || len(same) < 2 {
			continue
		}
		for _, other := range same {
			if other == &rows[i] || !stays(other, &rows[i]) {
				continue
			}
			equal, err := equalFiles(ctx, rows[i].Path, other.Path)
			if err != nil {
				return nil, err
			}
			if equal {
				list = append(list, Proposal{Row: rows[i], Reason: ReasonDuplicate, Of: other.Path})
				break
			}
		}
	}
	return list, nil
}

// stays reports which of two equal sessions is kept: true for a, false for b.
func stays(a, b *sessions.Row) bool {
	own := func(r *sessions.Row) bool { return filepath.Base(filepath.Dir(r.Path)) == sessions.Slug(r.Workdir) }
	switch ownA, ownB := own(a), own(b); {
	case ownA != ownB:
		return ownA
	case !a.Modified.Equal(b.Modified):
		return a.Modified.After(b.Modified)
	}
	return a.Path < b.Path
}

// equalFiles reports whether two files have the same bytes. It returns false for an unreadable file, and for two hard
// links to one file. The error is ctx.Err().
func equalFiles(ctx context.Context, a, b string) (bool, error) {
	const chunk = 1 << 16
	x, err := os.Open(a)
	if err != nil {
		return false, ctx.Err()
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false, ctx.Err()
	}
	defer y.Close()
	if infoX, err := x.Stat(); err == nil {
		if infoY, err := y.Stat(); err == nil && os.SameFile(infoX, infoY) {
			return false, ctx.Err() // hard links to one file
		}
	}
	p, q := make([]byte, chunk), make([]byte, chunk)
	for ctx.Err() == nil {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		switch {
		case n != m || !bytes.Equal(p[:n], q[:m]):
			return false, nil
		case errX != nil || errY != nil:
			return isEnd(errX) && isEnd(errY), nil
		}
	}
	return false, ctx.Err()
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
