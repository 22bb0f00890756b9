package host

import (
	"context"
	"strconv"
	"time"
)

const (
	ckLimit = 20 * time.Second // ck may have to build an index first
	ckHits  = 20
	ckBytes = 4 << 20 // maximum bytes of output
)

// Ck runs ck search on a directory. It returns the output of --jsonl with up to 20 hits, and the last line of
// stderr. The exit code 1 means that there is no match or that there was an error. Ck returns ErrNoProgram,
// ctx.Err(), ErrSilent after 20 s, or the error of the exit if stderr isn't empty. The flag is --topk, not
// --top-k. No threshold is set, because the scores of --hybrid are below 0.05 (ck 0.7.11).
func (h Host) Ck(ctx context.Context, dir, root, query string) (out []byte, message string, err error) {
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
	if len(p.stderr) == 0 { // the exit code 1 also means that there is no match
		err = nil
	}
	return p.stdout, lastLine(p.stderr), err
}
