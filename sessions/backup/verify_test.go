package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := jsonLines(2*compareBlock + 5)
	of := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	copied, cut := writeBytes(t, dir, "copy", data), writeBytes(t, dir, "cut", data[:100])
	grown := writeBytes(t, dir, "grown", append(data[:len(data):len(data)], "{}\n"...))
	rewritten := writeBytes(t, dir, "rewritten", flipped(data, len(data)/2))
	gone := filepath.Join(dir, "gone")
	tests := []struct {
		name, backup, sum, live string
		want                    Verdict
	}{
		{"sum", copied, of(data), "", VerdictSum},
		{"sum in capitals", copied, strings.ToUpper(of(data)), "", VerdictSum},
		{"sum, rewritten", copied, of(data), rewritten, VerdictSum},
		{"another sum", copied, of(data[1:]), "", VerdictMismatch},
		{"a copy cut short is in the transcript", cut, of(data), grown, VerdictMismatch},
		{"no sum at all", copied, "none", copied, VerdictMismatch},
		{"same", copied, "", copied, VerdictTranscript},
		{"grown", copied, "", grown, VerdictTranscript},
		{"rewritten", copied, "", rewritten, VerdictDiffers},
		{"transcript gone", copied, "", gone, VerdictNoRecord},
		{"nothing", copied, "", "", VerdictNoRecord},
		{"transcript unreadable", copied, "", dir, VerdictNoRecord},
		{"gone, sum", gone, of(data), copied, VerdictUnreadable},
		{"gone", gone, "", copied, VerdictUnreadable},
		{"directory", dir, "", copied, VerdictUnreadable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Verify(t.Context(), test.backup, test.sum, test.live)
			if got != test.want || (err != nil) != (got == VerdictUnreadable) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
	if _, err := Verify(t.Context(), gone, "", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, sum := range []string{"", of(data)} {
		if got, err := Verify(ctx, copied, sum, copied); got != VerdictUnreadable || !errors.Is(err, context.Canceled) {
			t.Errorf("ended: %q, %v", got, err)
		}
	}
}
