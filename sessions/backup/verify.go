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

// Verdict is what is known of a backup: whether it is still what was copied.
type Verdict string

// The verdicts, from good to bad.
const (
	VerdictSum        Verdict = "ok-by-sum"        // it has the sum that was recorded when it was made
	VerdictTranscript Verdict = "ok-by-transcript" // no sum was recorded; every byte of it is in the live transcript
	VerdictDiffers    Verdict = "differs"          // no sum was recorded, and its transcript does not have all of it
	VerdictNoRecord   Verdict = "no-record"        // there is nothing to compare it with
	VerdictMismatch   Verdict = "mismatch"         // it has another sum than was recorded
	VerdictUnreadable Verdict = "unreadable"       // the error says why
)

// Verify reads a backup whole. sum is the recorded SHA-256 in hexadecimal, "" for none; live is the path of the
// transcript, "" for none. A recorded sum decides alone: the beginning of a transcript is also what a copy is that was
// cut short. The error is that of VerdictUnreadable, or of ctx, which is asked at every 256 KB.
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
	// A transcript that cannot be read proves nothing, and one that was rewritten not which of the two is right.
	r, err := Compare(ctx, backup, live, true)
	switch {
	case ctx.Err() != nil:
		return VerdictUnreadable, err
	case r == sessions.RelationSame, r == sessions.RelationGrown:
		return VerdictTranscript, nil
	case r == sessions.RelationRewritten:
		return VerdictDiffers, nil
	}
	if err != nil { // which of the two it was
		if _, err := sumAgain(ctx, backup); err != nil {
			return VerdictUnreadable, err
		}
	}
	return VerdictNoRecord, nil
}

// sumAgain is the SHA-256 of a backup in hexadecimal, as sha256sum prints it.
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
