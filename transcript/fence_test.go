package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/transcript"
)

func answered(texts ...string) transcript.Message {
	m := transcript.Message{Kind: transcript.Answer, Role: transcript.RoleAssistant, Model: "claude-opus-4-8"}
	for _, t := range texts {
		m.Blocks = append(m.Blocks, transcript.Block{Kind: transcript.BlockText, Text: t})
	}
	return m
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"no block", "text\nmore", ""},
		{"one", "a\n```\nx\n```\nb", "x"},
		{"info string", "```go title=\"x\"\nx\n\n  y\n```", "x\n\n  y"},
		{"the last of two", "```\n1\n```\n~~~\n2\n~~~\n", "2"},
		{"an empty one behind it", "```\n1\n```\n```\n \n```\n", "1"},
		{"not closed", "a\n```sh\nx\ny", "x\ny"},
		{"not closed and empty", "```\n1\n```\ntext\n```\n", "1"},
		{"closed at the end of the text", "```\nx\n```", "x"},
		{"longer fence around", "````md\n```go\nx\n```\n````\n", "```go\nx\n```"},
		{"closed by a longer one", "```\nx\n`````\ny", "x"},
		{"other fence inside", "~~~\n```\nx\n```\n~~~", "```\nx\n```"},
		{"a fence with words does not close", "```\nx\n``` go\ny\n```", "x\n``` go\ny"},
		{"two fences in a line do not close", "```\nx\n``` ```\ny\n```", "x\n``` ```\ny"},
		{"blanks behind the end", "```\nx\n``` \t\ny", "x"},
		{"inline code", "```a``` b\n", ""},
		{"two marks", "``\nx\n``", ""},
		{"tilde with info", "~~~ a `b` ~\nx\n~~~", "x"},
		{"indented", "  ```\n  x\n   y\n z\n  ```\nb", "x\n y\nz"},
		{"an indented end is code", "```\nx\n    ```\n```", "x\n    ```"},
		{"in a list", "- a\n\n  ```\n  x\n\n    y\n  ```\n- b", "x\n\n  y"},
		{"deep in a list", "1. a\n   - b\n     ```sh\n     x\n     ```\n   - c", "x"},
		{"behind the mark of a list", "10. ```\n    x\n    ```\n", "x"},
		{"behind two marks", "- 1) ```\n     x\n     ```\n", "x"},
		{"no mark of a list", "a. ```\nx\n", ""},
		{"with tabs", "-\tb\n\n\t```\n\tx\n\t\ty\n\t```", "x\n\ty"},
		{"a tab that is too wide", "  ```\n\tx\n  ```", "  x"},
		{"quoted", "> a\n> ```\n> x\n>\n>  y\n> ```\n", "x\n\n y"},
		{"quoted twice, in a list", "- > > ```\n  > > x\n  > > ```", "x"},
		{"the quotation ends it", "> ```\n> x\ntext\n```\ny\n```\n", "y"},
		{"the quotation ends it last", "```\ny\n```\n> ```\n> x\ntext", "x"},
		{"CR LF", "a\r\n```go\r\nx\r\ny\r\n```\r\n", "x\r\ny"},
		{"controls are kept", "```\n\x1b[31mx\x00\n```", "\x1b[31mx\x00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := answered(c.text)
			if got := m.Code(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("the last text that has one", func(t *testing.T) {
		t.Parallel()
		m := answered("```\n1\n```", "```\n2", "3")
		if got := m.Code(); got != "2" {
			t.Errorf("got %q", got)
		}
		m.Kind = transcript.Prompt
		if got := m.Code(); got != "" {
			t.Errorf("of a prompt %q", got)
		}
	})
}

func FuzzCode(f *testing.F) {
	f.Add("- ```go\n  x\n  ```\n> ~~~\n> y\n")
	f.Add("\t1. > `````\n\t\x00\r\n``` \n> ")
	f.Fuzz(func(t *testing.T, text string) {
		m := answered(text)
		code := m.Code()
		for line := range strings.Lines(code) {
			if !strings.Contains(text, strings.TrimSpace(line)) {
				t.Errorf("%q is not in %q", line, text)
			}
		}
		if code != "" && strings.TrimSpace(code) == "" {
			t.Errorf("blank code from %q", text)
		}
	})
}

func TestUnfenced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "",
		"a\r\nb":                             "a|b",
		"a\n```go\nx\n```\nb\n":              "a|b",
		"a\n~~~\n```\nx\n~~~~\nb":            "a|b",
		"- a\n  ```\n  x\n  ```\n- b":        "- a|- b",
		"> ```\n> x\nb":                      "b",
		"a\n```\nx\nnever closed":            "a",
		"a ``` b\n    ```indented\nx\n```\n": "a ``` b",
	} {
		if got := strings.Join(slices.Collect(mark.Unfenced(text)), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
