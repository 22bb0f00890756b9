package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
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
		{"message from zed", []int{7}}, // as it is drawn
		{"a\nlee", []int{2}},           // as it reads, not as it is written
		{"", nil},
		{"30", []int{4}},
	}
	for _, test := range tests {
		if got := NewNeedle(test.text).Blocks(m); !slices.Equal(got, test.want) {
			t.Errorf("%q is in %v, want %v", test.text, got, test.want)
		}
	}
	notice := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "leeway"}}}
	if got := NewNeedle("leeway").Blocks(notice); !slices.Equal(got, []int{-1}) {
		t.Errorf("a notice has it in %v", got)
	}
}

// TestLight: a match is lit across styles, and the cells stay as they are.
func TestLight(t *testing.T) {
	t.Parallel()
	s := NewStyles(Dark)
	for _, line := range []string{
		"no lee here", "the leeway and the LEEWAY", s.Paint(Muted, "one lee") + s.Paint(Strong, "way two") + " leewayleeway", "İleeway", "予leeway予",
	} {
		got := NewNeedle("leeway").Light(line, s)
		if ansi.Strip(got) != ansi.Strip(line) {
			t.Errorf("%q became %q", ansi.Strip(line), ansi.Strip(got))
		}
		want := strings.Count(strings.ToLower(ansi.Strip(line)), "leeway")
		if len(strings.ToLower(ansi.Strip(line))) != len(ansi.Strip(line)) {
			want = 0 // offsets would not fit
		}
		if n := strings.Count(got, s.on[Match]); n != want {
			t.Errorf("%d matches are lit in %q, want %d", n, got, want)
		}
	}
	if got := NewNeedle("way").Light(s.Paint(Muted, "leeway on"), s); !strings.HasSuffix(got, reset+s.on[Muted]+" on"+reset) {
		t.Errorf("the style does not go on behind the match: %q", got)
	}
}
