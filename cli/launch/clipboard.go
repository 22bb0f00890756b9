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
	// clipboardSure is the longest text that terminals take: hterm, and others after it, read 100,000 bytes of such
	// a sequence, which is this much before base64.
	clipboardSure = 74_994
	// clipboardMost is the longest text that is copied at all.
	clipboardMost = 8_000_000
)

// CopyText cleans a text and copies it to the clipboard: inside tmux through a tmux buffer, elsewhere by writing an
// OSC 52 sequence to osc52. No terminal confirms a copy; the note says if it may have failed or if characters were
// removed, "" otherwise.
func CopyText(ctx context.Context, env *place.Env, text string, osc52 io.Writer) (note string, err error) {
	var load loadBuffer
	if env.Host.Getenv("TMUX") != "" {
		load = env.Host.Tmux().Copy
	}
	return toClipboard(ctx, text, load, osc52)
}

// CopyBeside copies a text for a command that prints something else. With --json stdout isn't available for OSC 52.
// instead says where else to find the text, and name is the command.
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

// loadBuffer copies a text to a tmux buffer and to the clipboard of its terminal.
type loadBuffer func(ctx context.Context, text string) error

// toClipboard is copy with load, nil outside of tmux. What tmux does not take is tried with OSC 52: an older one hands
// that on where set-clipboard is on. The text is foreign and is cleaned here, because a terminal pastes it as it is: an
// ESC [201~ in it would end the bracketed paste, and a shell would run the lines behind it.
func toClipboard(ctx context.Context, text string, load loadBuffer, osc52 io.Writer) (note string, err error) {
	given := strings.ReplaceAll(text, "\r\n", "\n")
	text = transcript.Clean(text)
	switch n := int64(len(text)); {
	case n == 0: // would clear the clipboard
		return "", &out.Failure{Code: out.ExitNo, What: "The text is empty. Nothing was copied."}
	case n > clipboardMost:
		return "", &out.Failure{What: "This has " + words.Size(n) + ", and at most " + words.Size(clipboardMost) + " are copied. Print it into a file instead."}
	case n > clipboardSure:
		note = "Some terminals take no more than " + words.Size(clipboardSure) + ", and this has " + words.Size(n) + ". Look at the end of what you paste."
	}
	if text != given {
		note = out.JoinSentences(note, "Control and invisible characters were left out.")
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
