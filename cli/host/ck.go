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

// Ck searches a directory with ck. It returns the output, with up to 20 hits in the format of --jsonl, and the last
// line of stderr. ck exits with 1 if nothing matches, and also after an error. So Ck returns the error of the exit only
// if stderr isn't empty. Other errors are ErrNoProgram, ctx.Err(), and ErrSilent after 20 s. The flag is --topk, not
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
	if len(p.stderr) == 0 { // exit code 1 without a message means that nothing matches
		err = nil
	}
	return p.stdout, lastLine(p.stderr), err
}
