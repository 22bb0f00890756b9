package launch

import (
	"context"
	"encoding/base64"
	"errors"
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
		{"invisible", "\x1b[2J\u200b", "The text is empty. Nothing was copied.", out.ExitNo},
		{"nothing", "", "The text is empty. Nothing was copied.", out.ExitNo},
		{"too much", strings.Repeat("x", clipboardMost+1), "The text has 8.0 MB; at most 8.0 MB can be copied. Write it to a file instead.", out.ExitFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var printed strings.Builder
			called := false
			_, err := toClipboard(t.Context(), c.text, func(context.Context, string) error { called = true; return nil }, &printed)
			if err == nil || err.Error() != c.want || out.AsFailure(err).ExitCode() != c.code || called || printed.Len() > 0 {
				t.Errorf("%v, tmux asked %v, %d bytes written", err, called, printed.Len())
			}
		})
	}
}

func osc52Text(t *testing.T, written string) string {
	t.Helper()
	data, ok := strings.CutPrefix(written, "\x1b]52;c;")
	data, ended := strings.CutSuffix(data, "\a")
	text, err := base64.StdEncoding.DecodeString(data)
	if !ok || !ended || err != nil {
		t.Fatalf("%.80q isn't an OSC 52 sequence: %v", written, err)
	}
	return string(text)
}

func TestClipboard(t *testing.T) {
	t.Parallel()
	hostile, harmless := "a\x1b]52;c;eA==\a\x1b[201~\x00\xff\u202e\u200b\u009b2J\r\n\tb", "a\uFFFD\n\tb"
	sure, most := strings.Repeat("x", clipboardSure), strings.Repeat("x", clipboardMost)
	for _, c := range []struct {
		name, text, want, note string // note is only a prefix
	}{
		{"short", "x", "x", ""},
		{"hostile", hostile, harmless, "Control characters and invisible characters were removed."},
		{"lines of Windows", "a\r\nb\r\n", "a\nb\n", ""},
		{"as long as all take", sure, sure, ""},
		{"longer", sure + "x", sure + "x", "Some terminals accept at most 75 kB; this text has 75 kB."},
		{"as long as it may be", most, most, "Some terminals accept at most 75 kB; this text has 8.0 MB."},
		{"not longer when clean", "\x1b[m" + most, most, "Some terminals accept at most 75 kB; this text has 8.0 MB. Check the end of the pasted text. Control"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := func(where, note, text string, err error) {
				t.Helper()
				if err != nil || text != c.want || !strings.HasPrefix(note, c.note) || (note == "") != (c.note == "") {
					t.Errorf("%s: %d bytes, note %q, %v", where, len(text), note, err)
				}
			}
			var out strings.Builder
			note, err := toClipboard(t.Context(), c.text, nil, &out)
			check("terminal", note, osc52Text(t, out.String()), err)

			out.Reset()
			var loaded string
			note, err = toClipboard(t.Context(), c.text, func(_ context.Context, text string) error { loaded = text; return nil }, &out)
			check("tmux", note, loaded, err)
			if out.Len() > 0 {
				t.Errorf("tmux has the text, but %.80q was written to the terminal", out.String())
			}
		})
	}
	t.Run("tmux fails", func(t *testing.T) {
		t.Parallel()
		var out strings.Builder
		note, err := toClipboard(t.Context(), hostile, func(context.Context, string) error { return errors.New("no server") }, &out)
		if err != nil || osc52Text(t, out.String()) != harmless || !strings.Contains(note, "removed. tmux refused the text") {
			t.Errorf("%q, %v", note, err)
		}
	})
	t.Run("the terminal is gone", func(t *testing.T) {
		t.Parallel()
		if _, err := toClipboard(t.Context(), "x", nil, hungUp{}); err == nil || err.Error() != "write to terminal: hung up" {
			t.Errorf("%v", err)
		}
	})
}

// hungUp is a closed terminal.
type hungUp struct{}

func (hungUp) Write([]byte) (int, error) { return 0, errors.New("hung up") }
