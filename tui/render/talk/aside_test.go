package talk

import (
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// TestCommandOutput: the output of a slash command is drawn as its first line, without key names of the client.
func TestCommandOutput(t *testing.T) {
	t.Parallel()
	const output = "<local-command-stdout>\x1b[2mCompacted (ctrl+o to see full summary)\x1b[22m\n\x1b[2mPreCompact [/opt/hook] completed successfully\x1b[22m</local-command-stdout>"
	m := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: output}}}
	for fold, want := range map[Fold][]string{
		Shut: {"    ▸ Compacted"},
		Open: {"    ▾ Compacted", "        PreCompact [/opt/hook] completed successfully"},
	} {
		got := Message(m, Start, Options{Width: 80, Left: 2, Folds: func(int) Fold { return fold }})
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	typed := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "<command-name>/compact</command-name>"}}}
	if d := Draw(typed, Folded, Options{Width: 80, Left: 2}); !slices.Equal(d.Lines, []string{"", "  ❯ /compact"}) || d.End != Asked || End(typed) != Asked {
		t.Errorf("a typed command is %q, ending %d", d.Lines, d.End)
	}
}
