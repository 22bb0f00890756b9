package launch

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	// clipboardSure is the length in bytes that every terminal accepts. hterm reads only 100,000 bytes of OSC 52, in
	// base64.
	clipboardSure = 74_994
	// clipboardMost is the maximum length in bytes.
	clipboardMost = 8_000_000
)

// CopyText copies a text without control characters to the clipboard. Inside tmux, it uses a tmux buffer, and
// elsewhere it writes OSC 52 to osc52. note is a warning or "".
func CopyText(ctx context.Context, env *place.Env, text string, osc52 io.Writer) (note string, err error) {
	var load loadBuffer
	if env.Host.Getenv("TMUX") != "" {
		load = env.Host.Tmux().Copy
	}
	return toClipboard(ctx, text, load, osc52)
}

// CopyBeside copies a text for a command that also prints something else. With --json, it writes OSC 52 to stderr. For
// errors, instead is a sentence about another way to the text, and name is the command.
func CopyBeside(ctx context.Context, env *place.Env, o *out.Output, text, instead, name string) (note string, err error) {
	if !o.Out.Terminal && env.Host.Getenv("TMUX") == "" {
		return "", &out.Failure{What: "There is no terminal, so the clipboard can't be set. " + instead}
	}
	var osc52 strings.Builder
	if note, err = CopyText(ctx, env, text, &osc52); err != nil {
		return "", err
	}
	to := o.Out
	if o.JSON {
		if to = o.Err; osc52.Len() > 0 && !to.Terminal {
			return "", out.Usage("--copy and --json both need stdout. Use one of them.", "continuo "+name+" --help")
		}
	}
	to.Exact(osc52.String())
	return note, nil
}

// loadBuffer copies a text to a tmux buffer and the terminal's clipboard.
type loadBuffer func(ctx context.Context, text string) error

// toClipboard copies a text without control characters. It uses load or, if load is nil or fails, OSC 52. A pasted ESC
// [201~ would end the bracketed paste, and a shell would run the text after it. tmux before 3.2 passes OSC 52 on.
func toClipboard(ctx context.Context, text string, load loadBuffer, osc52 io.Writer) (note string, err error) {
	given := strings.ReplaceAll(text, "\r\n", "\n")
	text = transcript.Clean(text)
	switch n := int64(len(text)); {
	case n == 0: // would clear the clipboard
		return "", &out.Failure{Code: out.ExitNo, What: "The text is empty. Nothing was copied."}
	case n > clipboardMost:
		return "", &out.Failure{What: "The text has " + words.Size(n) + "; at most " + words.Size(clipboardMost) + " can be copied. Write it to a file instead."}
	case n > clipboardSure:
		note = "Some terminals accept at most " + words.Size(clipboardSure) + "; this text has " + words.Size(n) + ". Check the end of the pasted text."
	}
	if text != given {
		note = out.JoinSentences(note, "Control characters and invisible characters were removed.")
	}
	if load != nil {
		if err := load(ctx, text); err == nil {
			return note, nil
		}
		note = out.JoinSentences(note, "tmux refused the text, so it was sent to the terminal directly. Check the pasted text.")
	}
	if _, err := io.WriteString(osc52, ansi.SetSystemClipboard(text)); err != nil {
		return "", fmt.Errorf("write to terminal: %w", err)
	}
	return note, nil
}
