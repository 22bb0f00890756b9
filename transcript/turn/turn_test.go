package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
)

// TestStretches checks which messages are the work of a turn. Each letter is a message: p (prompt), a (answer), c
// (answer with two calls), n (notice), q (quiet notice), t (task of a sub-agent), b (boundary) or s (summary). " "
// starts a thread.
func TestStretches(t *testing.T) {
	t.Parallel()
	kinds := map[rune]transcript.MessageRef{
		'p': {Kind: transcript.Prompt, Turn: true}, 'a': {Kind: transcript.Answer, Turn: true},
		'c': {Kind: transcript.Answer, Turn: true, Calls: 2}, 'n': {Kind: transcript.Notice},
		'q': {Kind: transcript.Notice, Quiet: true}, 't': {Kind: transcript.Notice, Turn: true},
		'b': {Kind: transcript.Boundary}, 's': {Kind: transcript.Summary},
	}
	for messages, want := range map[string]string{
		"":          "",
		"pa":        "",
		"pcca":      "1-3:4",
		"pc":        "1-2:2",
		"pacna":     "1-4:2", // the notice between the call and the answer belongs to the work
		"pcana":     "1-2:2",
		"pcan":      "1-2:2",
		"pqca":      "2-3:2",
		"pcqa":      "1-3:2",
		"pcapca":    "1-2:2 4-5:2",
		"pcbsca":    "1-2:2 4-5:2",
		"tca":       "1-2:2",
		"ca":        "0-1:2",
		"pca|ca":    "1-2:2 3-4:2",
		"pc|pa|tcc": "1-2:2 5-7:4",
	} {
		var refs []transcript.MessageRef
		thread := 0
		for _, r := range messages {
			if r == '|' {
				thread++
				continue
			}
			m := kinds[r]
			m.Thread = thread
			refs = append(refs, m)
		}
		var got []string
		for _, s := range turn.Stretches(refs) {
			got = append(got, fmt.Sprintf("%d-%d:%d", s.From, s.To, s.Calls))
		}
		if list := strings.Join(got, " "); list != want {
			t.Errorf("%s: %s, want %s", messages, list, want)
		}
	}
}
