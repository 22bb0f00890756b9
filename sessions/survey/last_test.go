package survey

import (
	"context"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// talk is an open transcript with the given messages.
type talk []transcript.Message

func (d talk) Outline() []transcript.MessageRef {
	refs := make([]transcript.MessageRef, len(d))
	for i := range d {
		refs[i].Kind = d[i].Kind
	}
	return refs
}

func (talk) Threads() []transcript.Thread { return []transcript.Thread{{Kind: transcript.Main}} }

func (d talk) Messages(_ context.Context, from, to int) ([]transcript.Message, error) {
	return d[from:to], nil
}

func (talk) Close() error { return nil }

// talkOf returns a transcript of prompts ("? text") and answers ("! text"). "." is an empty answer.
func talkOf(texts ...string) talk {
	var doc talk
	for _, text := range texts {
		m := transcript.Message{Kind: transcript.Answer, Role: transcript.RoleAssistant, Blocks: []transcript.Block{{Kind: transcript.BlockThinking, Text: "hm"}}}
		switch {
		case strings.HasPrefix(text, "? "):
			m = transcript.Message{Kind: transcript.Prompt, Role: transcript.RoleUser}
			fallthrough
		case strings.HasPrefix(text, "! "):
			m.Blocks = []transcript.Block{{Kind: transcript.BlockText, Text: text[2:]}}
		}
		doc = append(doc, m)
	}
	return doc
}

// countedDoc counts decoded messages.
type countedDoc struct {
	talk
	decoded *int
}

func (c countedDoc) Messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	*c.decoded += to - from
	return c.talk.Messages(ctx, from, to)
}

func TestProjectLast(t *testing.T) {
	t.Parallel()
	silent := make([]string, 3*lastDecoded)
	for name, tt := range map[string]struct {
		texts         []string
		prompt, reply string
		decoded       int
	}{
		"nothing":            {nil, "", "", 0},
		"prompt and answer":  {[]string{"? one", "! two"}, "one", "two", 2},
		"not answered yet":   {[]string{"? one", "! two", "? three"}, "three", "", 1},
		"still at work":      {[]string{"? one", "! two", ".", "."}, "one", "two", 4},
		"first paragraphs":   {[]string{"? one\n\nmore", "! two\nlines\n\nthree\n\nfour"}, "one", "two\nlines\nthree", 2},
		"the last that says": {[]string{"? old", "! gone", "? one", "! first", "! last"}, "one", "last", 2},
		"escape sequences":   {[]string{"? a\x1b[31mb\u202e", "! \x1b]0;title\x07c"}, "ab", "c", 2},
		"work without end":   {append([]string{"? one"}, silent...), "", "", lastDecoded},
	} {
		decoded := 0
		open := func(context.Context, sessions.Row) (Doc, error) {
			return countedDoc{talkOf(tt.texts...), &decoded}, nil
		}
		prompt, reply, err := lastOf(t.Context(), open, sessions.Row{})
		if err != nil || prompt != tt.prompt || reply != tt.reply || decoded != tt.decoded {
			t.Errorf("%s: %q, %q, %d decoded, %v", name, prompt, reply, decoded, err)
		}
	}
	long := paragraphs(strings.Repeat("日", 10_000), 2)
	if len(long) > lastBytes+len("…") || !strings.HasSuffix(long, "日…") {
		t.Errorf("%d bytes, ends in %q", len(long), long[len(long)-8:])
	}
}
