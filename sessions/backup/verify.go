package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Verdict is the result of checking a backup against its recorded sum.
type Verdict string

// The verdicts, from good to bad.
const (
	VerdictSum        Verdict = "ok-by-sum"        // its sum is the one recorded when it was made
	VerdictTranscript Verdict = "ok-by-transcript" // no recorded sum, but the live transcript contains every byte
	VerdictDiffers    Verdict = "differs"          // no recorded sum, and the transcript lacks some bytes
	VerdictNoRecord   Verdict = "no-record"        // there is nothing to compare it with
	VerdictMismatch   Verdict = "mismatch"         // its sum differs from the recorded one
	VerdictUnreadable Verdict = "unreadable"       // the error has the reason
)

// Verify reads a whole backup. sum is the recorded SHA-256 in hex, live the path of the transcript; both may be "". If
// there is a recorded sum, it alone decides, because a truncated copy matches the beginning of its transcript too. The
// error is the reason of VerdictUnreadable, or wraps ctx.Err(), which is checked every 256 KB.
func Verify(ctx context.Context, backup, sum, live string) (Verdict, error) {
	if sum != "" {
		got, err := sumAgain(ctx, backup)
		switch {
		case err != nil:
			return VerdictUnreadable, err
		case !strings.EqualFold(got, sum):
			return VerdictMismatch, nil
		}
		return VerdictSum, nil
	}
	// An unreadable transcript proves nothing. A rewritten one doesn't prove which of the two is right.
	r, err := Compare(ctx, backup, live, true)
	switch {
	case ctx.Err() != nil:
		return VerdictUnreadable, err
	case r == sessions.RelationSame, r == sessions.RelationGrown:
		return VerdictTranscript, nil
	case r == sessions.RelationRewritten:
		return VerdictDiffers, nil
	}
	if err != nil { // find out which of the two is unreadable
		if _, err := sumAgain(ctx, backup); err != nil {
			return VerdictUnreadable, err
		}
	}
	return VerdictNoRecord, nil
}

// sumAgain returns the SHA-256 of a backup in hexadecimal, as sha256sum prints it.
func sumAgain(ctx context.Context, backup string) (string, error) {
	f, _, err := transcript.OpenFile(backup)
	if err != nil {
		return "", fmt.Errorf("verify %s: %w", backup, cause(err))
	}
	defer f.Close()
	h, buf := sha256.New(), make([]byte, compareBlock)
	for {
		if err := ctx.Err(); err != nil {
			return "", fmt.Errorf("verify %s: %w", backup, err)
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			return "", fmt.Errorf("verify %s: %w", backup, cause(err))
		}
	}
}
