package host

import (
	"context"
	"strconv"
	"time"
)

const (
	ckLimit = 20 * time.Second // ck may build an index first
	ckHits  = 20
	ckBytes = 4 << 20 // maximum bytes of output
)

// Ck searches a directory with ck. It returns up to 20 hits as JSON lines, and the last line of stderr. The error is
// an *ExitError, ErrNoProgram, ctx.Err(), or ErrSilent after 20 s. The scores of --hybrid are below 0.05 (ck 0.7.11),
// so no threshold is set.
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
	if len(p.stderr) == 0 { // exit code 1 without a message: nothing matches
		err = nil
	}
	return p.stdout, lastLine(p.stderr), err
}
