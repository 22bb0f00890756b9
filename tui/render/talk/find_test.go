package talk

import (
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestNeedle(t *testing.T) {
	t.Parallel()
	m := &transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{
		{Kind: transcript.BlockThinking, Text: "Which Leeway?"},
		{Kind: transcript.BlockText, Text: "None."},
		{Kind: transcript.BlockToolUse, ID: "1", Name: "Bash", Input: []byte(`{"command":"echo \"a\nleeway\""}`)},
		{Kind: transcript.BlockToolResult, CallID: "1", Text: "nothing"},
		{Kind: transcript.BlockToolUse, ID: "2", Name: "Read", Input: []byte(`{"file_path":"x"}`)},
		{Kind: transcript.BlockToolResult, CallID: "2", Text: "const leeway = 30"},
		{Kind: transcript.BlockUnknown, Raw: []byte(`{"leeway":1}`)},
		{Kind: transcript.BlockNotice, Notice: transcript.NoticePeer, Name: "zed", Text: "Done."},
	}}
	tests := []struct {
		text string
		want []int
	}{
		{"leeway", []int{0, 2, 4, 6}},
		{"Leeway", []int{0}},
		{"message from zed", []int{7}}, // the drawn text is searched
		{"a\nlee", []int{2}},           // the decoded text is searched, not the JSON
		{"", nil},
		{"30", []int{4}},
	}
	for _, test := range tests {
		if got := Find(render.NewNeedle(test.text), m); !slices.Equal(got, test.want) {
			t.Errorf("%q is found in %v, want %v", test.text, got, test.want)
		}
	}
	notice := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "leeway"}}}
	if got := Find(render.NewNeedle("leeway"), notice); !slices.Equal(got, []int{-1}) {
		t.Errorf("found in %v of a notice", got)
	}
}
