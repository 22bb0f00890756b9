package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
)

func TestSaid(t *testing.T) {
	t.Parallel()
	m := answered("# A\n\n- *b*\n", " \n", "c")
	m.Blocks = append(m.Blocks,
		transcript.Block{Kind: transcript.BlockThinking, Text: "hm"},
		transcript.Block{Kind: transcript.BlockToolUse, Name: "Bash", Input: []byte(`{"command":"ls"}`)},
		transcript.Block{Kind: transcript.BlockToolResult, Text: "x"})
	if got := m.Said(); got != "# A\n\n- *b*\n\n\nc" {
		t.Errorf("got %q", got)
	}
	m.Model = "<synthetic>"
	if got := m.Said(); got != "" {
		t.Errorf("text of the client: %q", got)
	}
	m = answered("x")
	m.Kind = transcript.Notice
	if got := m.Said(); got != "" {
		t.Errorf("a notice: %q", got)
	}
	m = answered()
	if got := m.Said() + m.Code(); got != "" {
		t.Errorf("empty message: %q", got)
	}
}

// calling returns an answer with a call in block 1. Block 2 is the result, if there is one.
func calling(tool, input string, result *transcript.Block) transcript.Message {
	m := answered("text")
	m.Blocks = append(m.Blocks, transcript.Block{Kind: transcript.BlockToolUse, ID: "c1", Name: tool, Input: []byte(input)})
	if result != nil {
		result.Kind, result.CallID = transcript.BlockToolResult, "c1"
		m.Blocks = append(m.Blocks, *result)
	}
	return m
}

// hunk returns a hunk that starts at line 7. Its first change is in line 9.
func hunk() transcript.Hunk {
	return transcript.Hunk{OldStart: 7, OldLines: 99, NewStart: 7, NewLines: 99, Lines: []string{" a", "", "-b", "+c", "+d", `\ No newline at end of file`}}
}

func TestQuoteCall(t *testing.T) {
	t.Parallel()
	patch := func(failed bool) *transcript.Block {
		return &transcript.Block{Text: "updated", Failed: failed, Patch: []transcript.Hunk{hunk()}}
	}
	const edit = `{"file_path":"/x/y.go","old_string":"b","new_string":"c\nd"}`
	for _, c := range []struct {
		name, tool, input string
		result            *transcript.Block
		want              string
	}{
		{"command", "Bash", `{"description":"lists","command":"ls \\\n  -l"}`, &transcript.Block{Text: "a\nb\n"}, "ls \\\n  -l\n\na\nb\n"},
		{"command, still running", "Bash", `{"command":"ls"}`, nil, "ls"},
		{"command that said nothing", "Bash", `{"command":"ls"}`, &transcript.Block{Text: "\n"}, "ls"},
		{"command that failed", "Bash", `{"command":"ls"}`, &transcript.Block{Text: "no", Failed: true}, "ls\n\nno"},
		{"edit with a patch", "Edit", edit, patch(false), "--- /x/y.go\n+++ /x/y.go\n@@ -7,3 +7,4 @@\n a\n \n-b\n+c\n+d\n\\ No newline at end of file"},
		{"edit without", "Edit", edit, &transcript.Block{Text: "updated"}, "c\nd"},
		{"edit that failed", "Edit", edit, patch(true), "c\nd\n\nupdated"},
		{"edit of another shape", "Edit", `{"file_path":7,"new_string":[]}`, &transcript.Block{Text: "updated"}, "file_path: 7\nnew_string: []\n\nupdated"},
		{"several edits", "MultiEdit", `{"file_path":"x","edits":[{"new_string":"a"},{"old_string":"z","new_string":"b"}]}`, nil, "a\n\nb"},
		{"several edits of another shape", "MultiEdit", `{"edits":"x"}`, nil, "x"},
		{"write", "Write", `{"file_path":"x","content":"package x\n"}`, &transcript.Block{Text: "created"}, "package x\n"},
		{"notebook", "NotebookEdit", `{"notebook_path":"x","new_source":"1+1"}`, nil, "1+1"},
		{"only one parameter", "WebSearch", `{"query":"go \"iter\""}`, &transcript.Block{Text: "hits"}, "go \"iter\"\n\nhits"},
		{"one that is no string", "X", `{"n":[1, 2]}`, nil, "[1, 2]"},
		{"several", "Agent", `{"description":"find it","prompt":"Look.\nAnd look.","n":{"a":null}}`, nil, "description: find it\nprompt: Look.\nAnd look.\nn: {\"a\":null}"},
		{"named twice", "Bash", `{"command":"a","command":"b"}`, nil, "b"},
		{"nothing", "X", `{}`, &transcript.Block{Text: "ok"}, "ok"},
		{"no object", "X", `"just so"`, &transcript.Block{Text: "ok"}, "\"just so\"\n\nok"},
		{"cut in half", "Bash", `{"command":"ls","x":`, nil, `{"command":"ls","x":`},
		{"no input", "X", ``, &transcript.Block{Text: "ok"}, "ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := calling(c.tool, c.input, c.result)
			if got := m.Quote(1); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	stray := transcript.Block{Kind: transcript.BlockToolResult, CallID: "gone", Text: "out", Patch: []transcript.Hunk{hunk()}}
	failed := stray
	failed.Failed = true
	for _, c := range []struct {
		name  string
		role  transcript.Role
		block transcript.Block
		want  string
	}{
		{"text", transcript.RoleAssistant, transcript.Block{Kind: transcript.BlockText, Text: " *a*\x1b[2J\n"}, " *a*\x1b[2J\n"},
		{"prompt", transcript.RoleUser, transcript.Block{Kind: transcript.BlockText, Text: " a\n"}, " a\n"},
		{"slash command", transcript.RoleUser, transcript.Block{Kind: transcript.BlockText, Text: "<command-name>/model</command-name>\n<command-args>opus</command-args>"}, "/model opus"},
		{"thought", transcript.RoleAssistant, transcript.Block{Kind: transcript.BlockThinking, Text: "hm"}, "hm"},
		{"result that failed", transcript.RoleAssistant, failed, "out"},
		{"result with a patch", transcript.RoleAssistant, stray, "@@ -7,3 +7,4 @@\n a\n \n-b\n+c\n+d\n\\ No newline at end of file"},
		{"image", transcript.RoleUser, transcript.Block{Kind: transcript.BlockImage, Media: "image/png", Bytes: 7}, ""},
		{"unknown", transcript.RoleAssistant, transcript.Block{Kind: transcript.BlockUnknown, Raw: []byte(`{"type":"new"}`)}, `{"type":"new"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := transcript.Message{Role: c.role, Blocks: []transcript.Block{c.block}}
			if got := m.Quote(0); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := m.Quote(1) + m.Quote(-1); got != "" {
				t.Errorf("outside: %q", got)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	at := func(h ...transcript.Hunk) *transcript.Block { return &transcript.Block{Patch: h} }
	start := func(n int) *transcript.Block { h := hunk(); h.NewStart = n; return at(h) }
	failed := start(7)
	failed.Failed = true
	const file = `{"file_path":"src/x.go","offset":12}`
	for _, c := range []struct {
		name, tool, input string
		result            *transcript.Block
		file              string
		line              int
	}{
		{"edit", "Edit", file, at(hunk(), hunk()), "src/x.go", 9},
		{"edit at the start", "Edit", file, at(transcript.Hunk{NewStart: 1, Lines: []string{"+a"}}), "src/x.go", 1},
		{"write", "Write", file, start(1), "src/x.go", 3},
		{"edit still running", "Edit", file, nil, "src/x.go", 0},
		{"edit that failed", "MultiEdit", file, failed, "src/x.go", 0},
		{"all of it taken out", "Edit", file, start(0), "src/x.go", 0},
		{"a number below", "Edit", file, start(-5), "src/x.go", 0},
		{"a number beyond", "Edit", file, start(int(^uint(0) >> 1)), "src/x.go", 0},
		{"read", "Read", file, nil, "src/x.go", 12},
		{"read, a string", "Read", `{"file_path":"/x","offset":"12"}`, nil, "/x", 12},
		{"read, no number", "Read", `{"file_path":"/x","offset":{}}`, nil, "/x", 0},
		{"read, from below", "Read", `{"file_path":"/x","offset":-1}`, nil, "/x", 0},
		{"read from the start", "Read", `{"file_path":"/x"}`, nil, "/x", 0},
		{"notebook", "NotebookEdit", `{"notebook_path":"/x.ipynb"}`, nil, "/x.ipynb", 0},
		{"language server", "LSP", `{"operation":"hover","filePath":"a.go","line":4}`, nil, "a.go", 4},
		{"another tool", "mcp__fs__read", `{"path":"/a","offset":3}`, nil, "/a", 0},
		{"search", "Grep", `{"pattern":"x","path":"/a.go"}`, nil, "", 0},
		{"names", "Glob", `{"pattern":"x","path":"/a"}`, nil, "", 0},
		{"command", "Bash", `{"command":"cat /x"}`, nil, "", 0},
		{"blank", "Read", `{"file_path":" ","offset":3}`, nil, "", 0},
		{"no string", "Read", `{"file_path":["/x"]}`, nil, "", 0},
		{"no object", "Read", `"/x"`, nil, "", 0},
		{"no input", "Read", ``, nil, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := calling(c.tool, c.input, c.result)
			if f, l := m.Target(1); f != c.file || l != c.line {
				t.Errorf("got %q line %d, want %q line %d", f, l, c.file, c.line)
			}
			for _, i := range []int{-1, 0, 2, 3} {
				if f, l := m.Target(i); f != "" || l != 0 {
					t.Errorf("block %d: %q line %d", i, f, l)
				}
			}
		})
	}
}

// TestQuoteCorpus checks Quote and Target for each block of real transcripts.
func TestQuoteCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	quoted, targets, codes := 0, 0, 0
	for _, path := range corpusFiles(t) {
		tr, err := transcript.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tr.Outline().Messages {
			m := tr.Message(i)
			if code := m.Code(); code != "" {
				codes++
				for line := range strings.Lines(code) {
					if !strings.Contains(m.Said(), strings.TrimSpace(line)) {
						t.Errorf("%s %s: %q is not in the answer", path, m.ID, line)
					}
				}
			}
			for k := range m.Blocks {
				b := &m.Blocks[k]
				if q := m.Quote(k); q != "" {
					quoted++
				} else if b.Text != "" {
					t.Errorf("%s %s: no text of %+v", path, m.ID, b)
				}
				if file, line := m.Target(k); file != "" {
					targets++
					if b.Kind != transcript.BlockToolUse || line < 0 {
						t.Errorf("%s %s: %q line %d", path, m.ID, file, line)
					}
				}
			}
		}
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if quoted == 0 || targets == 0 || codes == 0 {
		t.Error(fmt.Sprint(quoted, " quoted, ", targets, " targets, ", codes, " blocks of code"))
	}
	t.Log(quoted, "quoted,", targets, "targets,", codes, "blocks of code")
}
