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

// Verdict is the result of Verify.
type Verdict string

// The verdicts, from best to worst.
const (
	VerdictSum        Verdict = "ok-by-sum"        // the recorded sum matches
	VerdictTranscript Verdict = "ok-by-transcript" // no recorded sum; the transcript contains the backup completely
	VerdictDiffers    Verdict = "differs"          // no recorded sum; the transcript doesn't contain the backup completely
	VerdictNoRecord   Verdict = "no-record"        // no recorded sum, and no readable transcript
	VerdictMismatch   Verdict = "mismatch"         // the recorded sum differs
	VerdictUnreadable Verdict = "unreadable"       // the backup is unreadable; see the error
)

// Verify reads a whole backup and checks it. sum is the recorded SHA-256 in hex, and live the path of the transcript.
// Both may be "". With a sum, Verify ignores the transcript: its beginning also matches a truncated copy. The error
// is set only with VerdictUnreadable, and wraps ctx.Err() if ctx has ended.
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
	// An unreadable transcript proves nothing. If the two differ, either may be wrong.
	r, err := Compare(ctx, backup, live, true)
	switch {
	case ctx.Err() != nil:
		return VerdictUnreadable, err
	case r == sessions.RelationSame, r == sessions.RelationGrown:
		return VerdictTranscript, nil
	case r == sessions.RelationRewritten:
		return VerdictDiffers, nil
	}
	if err != nil { // which file is unreadable?
		if _, err := sumAgain(ctx, backup); err != nil {
			return VerdictUnreadable, err
		}
	}
	return VerdictNoRecord, nil
}

// sumAgain returns the SHA-256 of a backup in hex.
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
