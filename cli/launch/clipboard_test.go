package launch

import (
	"context"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

func TestClipboardRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		code             int
	}{
		{"nothing that is seen", "\x1b[2J\u200b", "There is no text in this. Nothing was copied.", out.ExitNo},
		{"nothing", "", "There is no text in this. Nothing was copied.", out.ExitNo},
		{"too much", strings.Repeat("x", ClipboardMost+1), "This has 8.0 MB, and at most 8.0 MB are copied. Print it into a file instead.", out.ExitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var printed strings.Builder
			called := false
			_, err := ToClipboard(t.Context(), c.text, func(context.Context, string) error { called = true; return nil }, &printed)
			if err == nil || err.Error() != c.want || out.AsFailure(err).ExitCode() != c.code || called || printed.Len() > 0 {
				t.Errorf("%v, tmux asked %v, %d bytes written", err, called, printed.Len())
			}
		})
	}
}
