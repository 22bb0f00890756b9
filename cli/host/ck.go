package host

import (
	"context"
	"strconv"
	"time"
)

const (
	ckLimit = 20 * time.Second // it may build an index first
	ckHits  = 20
	ckBytes = 4 << 20 // of an answer
)

// Ck has ck search the files of a directory, in the root of a project, and returns what it prints with --jsonl for up to
// 20 hits, and the last line of what it says. Its exit code is 1 for no match and for an error. The error is ErrNoProgram,
// that of ctx, ErrSilent after 20 seconds, or that of its end, unless it says nothing. --topk is its flag, not --top-k, and no threshold is
// given: the scores of --hybrid lie below 0.05 (ck 0.7.11).
func (h Host) Ck(ctx context.Context, dir, root, query string) (out []byte, said string, err error) {
	program, err := h.LookPath("ck")
	if err != nil {
		return nil, "", err
	}
	p, err := h.inProject(ctx, ckLimit, root, ckBytes, []string{program, "--hybrid", query, "--topk", strconv.Itoa(ckHits), "--jsonl", dir})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case p.late:
		return nil, "", ErrSilent
	}
	if len(p.said) == 0 { // its exit code is 1 for no match and for an error
		err = nil
	}
	return p.out, lastLine(p.said), err
}
