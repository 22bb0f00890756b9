package talk

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// called returns an answer with a call. If result isn't nil, the call has this result.
func called(name string, input any, result *transcript.Block) transcript.Message {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	m := transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{
		{Kind: transcript.BlockToolUse, ID: "c", Name: name, Input: raw},
	}}
	if result != nil {
		result.Kind, result.CallID = transcript.BlockToolResult, "c"
		m.Blocks = append(m.Blocks, *result)
	}
	return m
}

func numbered(n int, line string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%s %d\n", line, i)
	}
	return b.String()
}

type drawCase struct {
	name string
	m    transcript.Message
}

type object = map[string]any

func drawCases() []drawCase {
	ok := func(text string) *transcript.Block { return &transcript.Block{Text: text} }
	failed := func(text string) *transcript.Block { return &transcript.Block{Text: text, Failed: true} }
	hunks := []transcript.Hunk{
		{OldStart: 41, OldLines: 3, NewStart: 41, NewLines: 3, Lines: []string{
			" \tclaims := tok.Claims()", "-\tif claims.Exp < now.Truncate(day).Unix() {", "+\tif claims.Exp+leeway < now.UTC().Unix() { // one second of skew between two hosts is enough to lose a session", " \t\treturn nil, ErrExpired",
		}},
		{OldStart: 99, OldLines: 1, NewStart: 99, NewLines: 2, Lines: []string{" }", `\ No newline at end of file`, "+", "+// end"}},
	}
	old := "a\nb\nc\nd\nfunc f() {\n\treturn 1\n}\ne\nf\ng\nh"
	msg := func(kind transcript.MessageKind, blocks ...transcript.Block) transcript.Message {
		return transcript.Message{Kind: kind, Time: time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC), Blocks: blocks}
	}
	long := "The check compares whole days, and the two sides disagree about which day it is: one counts in UTC and the other where the server stands. "
	todo := func(content, status string) object {
		return object{"content": content, "status": status, "activeForm": content}
	}
	asked := func(question, label, description string) object {
		return object{"question": question, "header": "H", "options": []object{{"label": label, "description": description}, {"label": "Neither"}}}
	}
	noticed := func(kind transcript.NoticeKind, name, title, text string) transcript.Block {
		return transcript.Block{Kind: transcript.BlockNotice, Notice: kind, Name: name, Title: title, Text: text}
	}
	hook := noticed(transcript.NoticeHook, "PostToolUse:Edit", "blocked", "[check]: tests are red\n"+numbered(14, "FAIL"))
	hook.Failed = true
	denied := func(kind transcript.DenialKind, reason string) *transcript.Block {
		return &transcript.Block{Text: "Text for the model.", Failed: true, Denied: kind, Reason: reason}
	}
	hooked := called("Edit", object{"file_path": "/srv/a.go", "old_string": "a", "new_string": "b"}, ok("done"))
	under := hook
	under.CallID = "c"
	hooked.Blocks = append(hooked.Blocks, under, block(transcript.BlockText, "Mended."))
	script := "set -e\nfor f in *.go; do\n\tgofmt -l \"$f\"\ndone"
	return []drawCase{
		{"bash", called("Bash", object{"command": "ls", "description": "List"}, ok("a.go\nb.go\n"))},
		{"bash, silent", called("Bash", object{"command": "true"}, ok(""))},
		{"bash, running", called("Bash", object{"command": "sleep 60"}, nil)},
		{"bash, of many lines", called("Bash", object{"command": script}, ok("a.go"))},
		{"bash, a long command", called("Bash", object{"command": "go test " + strings.Repeat("./package --number=1 ", 12)}, ok("ok"))},
		{"bash, 53 lines", called("Bash", object{"command": "make"}, ok(numbered(53, "\x1b[32mline\x1b[m\tof")))},
		{"bash, colours", called("Bash", object{"command": "make"}, ok("\x1b[1mgo\x1b[22m \x1b[38;5;1mbad\n\tstill bad\x1b[0m\x1b[2J \x1b[42mgood\x1b]0;title\x07\x1b[m\n"))},
		{"bash, failed with colours", called("Bash", object{"command": "make"}, failed(numbered(40, "\x1b[31m--- FAIL\x1b[39m: Test")))},
		{"edit of many words", called("Edit", object{"file_path": "x.py", "old_string": "def f(a):\n    return a", "new_string": "def f(a, b):\n    # add\n    return a + b"}, ok("updated"))},
		{"bash, failed", called("Bash", object{"command": "go test ./..."}, failed("Exit code 1\n"+numbered(40, "--- FAIL: Test")+"FAIL"))},
		{"bash, failed in 12 lines", called("Bash", object{"command": "go test ./..."}, failed(numbered(12, "FAIL")))},
		{"bash, one long line", called("Bash", object{"command": "cat x.json"}, ok(strings.Repeat(`{"key":"value"},`, 110)))},
		{"bash, failed in one long line", called("Bash", object{"command": "cat x.json"}, failed("begin "+strings.Repeat("words ", 180)+"end"))},
		{"edit with a patch", called("Edit", object{"file_path": "/home/ada/src/auth/jwt.go", "old_string": "x", "new_string": "y"}, &transcript.Block{Text: "updated", Patch: hunks})},
		{"edit without", called("Edit", object{"file_path": "/home/ada/x.go", "old_string": old, "new_string": strings.Replace(old, "return 1", "x := 2\n\treturn x", 1)}, ok("updated"))},
		{"edit, failed", called("Edit", object{"file_path": "/home/ada/x.go", "old_string": "a", "new_string": "b"}, failed("<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>"))},
		{"edit, running", called("Edit", object{"file_path": "/home/ada/x.go", "old_string": "a", "new_string": "b"}, nil)},
		{"edit of another shape", called("Edit", object{"file_path": "/home/ada/x.go", "old_string": 1}, ok("updated"))},
		{"multi edit", called("MultiEdit", object{"file_path": "/home/ada/x.go", "edits": []object{{"old_string": "a\nb", "new_string": "a\nc"}, {"old_string": "d", "new_string": ""}}}, ok("Applied 2 edits"))},
		{"write", called("Write", object{"file_path": "/home/ada/" + strings.Repeat("long/", 24) + "y.go", "content": "package y\n\n// Y is why.\nconst Y = 1\n"}, ok("File created"))},
		{"notebook", called("NotebookEdit", object{"notebook_path": "/home/ada/n.ipynb", "new_source": "print(1)"}, ok("Updated"))},
		{"read", called("Read", object{"file_path": "/home/ada/x.go", "offset": 3, "limit": 2}, ok("     3→package x\n     4→\n"))},
		{"read, beyond line 9", called("Read", object{"file_path": "/home/ada/x.go", "offset": 9, "limit": 2}, ok("9\tfunc f() {\n10\t\treturn "+strings.Repeat("call(x) + ", 14)+"0\n11\t}\n\n<system-reminder>Other files changed.</system-reminder>"))},
		{"grep", called("Grep", object{"pattern": `claims\.Exp`, "path": "/home/ada", "glob": "*.go", "-n": true, "output_mode": "content"}, ok("a.go:1:x\nb.go:2:y"))},
		{"todos", called("TodoWrite", object{"todos": []object{todo("Read the plan", "completed"), todo("Write the code. "+long, "in_progress"), todo("Test it", "pending")}}, ok("Todos have been modified"))},
		{"todos, none begun", called("TodoWrite", object{"todos": []object{todo("Read", "completed"), todo("Write", "pending")}}, nil)},
		{"todos of another shape", called("TodoWrite", object{"todos": "none"}, ok("no"))},
		{"question", called("AskUserQuestion", object{"questions": []object{asked("Which clock?", "UTC", "that of the server")}}, ok(`User has answered your questions: "Which clock?"="UTC". You can now continue with the user's answers in mind.`))},
		{"questions", called("AskUserQuestion", object{"questions": []object{asked("Which clock?", "UTC", "that of the server"), asked("When?", "Now", "")}},
			ok(`User has answered your questions: "Which clock?"="mine" user notes: it is late, "When?"="Now". You can now continue with the user's answers in mind.`))},
		{"question, not answered", called("AskUserQuestion", object{"questions": []object{asked("Which clock?", "UTC", "")}}, failed("The person would rather talk."))},
		{"task update", called("TaskUpdate", object{"taskId": "1", "status": "completed"}, ok("Updated task #1 status"))},
		{"scalars and a list", called("Odd", object{"a": 1, "b": true, "c": []int{1}, "d": long}, ok("done"))},
		{"no scalar", called("Odd", object{"c": []int{1}}, ok("done"))},
		{"task", called("Task", object{"description": "Find callers", "prompt": long + long + "\n\nSay where.", "subagent_type": "explorer"}, ok("Three callers keep their own copy."))},
		{"mcp", called("mcp__linear__create_issue", object{"title": "Tokens", "labels": []string{"bug", "auth"}, "description": strings.Repeat(long+"\n", 4)}, ok("Done.\n[image image/png, 24000 bytes]"))},
		{"unknown tool", called("Odd", object{}, ok(""))},
		{"thought", msg(transcript.Answer, block(transcript.BlockThinking, long+"\n\n"+numbered(14, "And")))},
		{"thoughts without words and a text", msg(transcript.Answer, block(transcript.BlockThinking, ""), block(transcript.BlockText, "Done."), block(transcript.BlockThinking, " "))},
		{"prompt and an open file", msg(transcript.Prompt, block(transcript.BlockText, "<ide_opened_file>The user opened jwt.go.\nIt may not matter.</ide_opened_file>"), block(transcript.BlockText, "Fix <b>it</b>"))},
		{"prompt and what came after", msg(transcript.Prompt, block(transcript.BlockText, "Fix it"), block(transcript.BlockText, "<system-reminder>One</system-reminder>\n<system-reminder>Two</system-reminder>"))},
		{"prompt of nothing else", msg(transcript.Prompt, block(transcript.BlockText, "<ide_selection>x := 1</ide_selection>"))},
		{"prompt after an interruption", msg(transcript.Prompt, block(transcript.BlockText, "Go on"), block(transcript.BlockText, "[Request interrupted by user for tool use]"))},
		{"typed", msg(transcript.Notice, block(transcript.BlockText, "<command-name>/model</command-name>\n  <command-message>model</command-message>\n  <command-args></command-args>"))},
		{"typed, of many lines", msg(transcript.Notice, block(transcript.BlockText, "<command-name>/goal</command-name>\n<command-args>Simplify it.\n\n"+long+"</command-args>"))},
		{"typed, long", msg(transcript.Notice, block(transcript.BlockText, "<command-name>/goal</command-name>\n<command-args>"+long+"</command-args>"))},
		{"compact", command("/compact", "", "<local-command-stdout>\x1b[2mCompacted (ctrl+o to see full summary)\x1b[22m</local-command-stdout>")},
		{"clear", command("/clear", "", "<local-command-stdout></local-command-stdout>")},
		{"model", command("/model", "opus", "<local-command-stdout>Set model to \x1b[1mopus\x1b[22m</local-command-stdout>")},
		{"context", command("/context", "", "<local-command-stdout>"+numbered(14, "Context")+"</local-command-stdout>")},
		{"goal", command("/goal", "Simplify it.\n\n"+long, "<local-command-stderr>"+long+"</local-command-stderr>")},
		{"interrupted", msg(transcript.Notice, block(transcript.BlockText, "[Request interrupted by user for tool use]"))},
		{"no output", msg(transcript.Notice, block(transcript.BlockText, "<bash-stdout></bash-stdout><bash-stderr> </bash-stderr>"))},
		{"caveat", msg(transcript.Notice, block(transcript.BlockText, "<local-command-caveat>The command below was run directly.</local-command-caveat>"))},
		{"notification", msg(transcript.Notice, block(transcript.BlockText, "<task-notification>\n<task-id>a9</task-id>\n<summary>Agent came to rest</summary>\n</task-notification>"))},
		{"message of an agent", msg(transcript.Notice, noticed(transcript.NoticePeer, "a80403d7fcf4619f1", "", "# Report\n\nAll green."))},
		{"message of a teammate", msg(transcript.Notice, noticed(transcript.NoticePeer, "zed", "idle notification", `{"type":"idle_notification"}`))},
		{"task", msg(transcript.Notice, noticed(transcript.NoticeTask, "", `Agent "Security review" completed`, long))},
		{"hook", msg(transcript.Notice, hook)},
		{"files", msg(transcript.Notice, noticed(transcript.NoticeFile, "/srv/docs/memo.md", "", ""), noticed(transcript.NoticeSelection, "x.yaml", "lines 58 to 70", "a: b\nc: d"),
			noticed(transcript.NoticeSkills, "tdd, review", "", ""), noticed(transcript.NoticeDiagnostics, "", "", "a.go:81: error: no\na.go:82: error: such"))},
		{"hook under its call", hooked},
		{"rejected", called("Edit", object{"file_path": "/srv/a.go", "old_string": "a", "new_string": "b"}, denied(transcript.DeniedByPerson, "use the helper"))},
		{"denied by a rule", called("Bash", object{"command": "rm -rf x"}, denied(transcript.DeniedByRule, "Permission to use Bash with command rm has been denied."))},
		{"blocked", called("Bash", object{"command": "git push -f"}, denied(transcript.DeniedByAuto, "Rewrites a shared branch"))},
		{"thought without words", msg(transcript.Answer, block(transcript.BlockThinking, ""))},
		{"summary", msg(transcript.Summary, block(transcript.BlockText, long+"\n1. Request"))},
		{"notice", msg(transcript.Notice, block(transcript.BlockText, "<local-command-stdout>"+numbered(14, "Set model")+"</local-command-stdout>"))},
		{"system", msg(transcript.System, block(transcript.BlockText, "API Error: 529"))},
		{"system without words", msg(transcript.System, transcript.Block{Kind: transcript.BlockUnknown, Name: "turn_duration"})},
		{"unknown", msg(transcript.Answer, transcript.Block{Kind: transcript.BlockUnknown, Name: "progress-v3", Raw: json.RawMessage(`{"type":"progress-v3","a":[1,{"b":"\u001b[2J\u202e"}]}`)})},
		{"result without its call", msg(transcript.Answer, transcript.Block{Kind: transcript.BlockToolResult, CallID: "gone", Text: "out\nput"})},
		{"patch without its call", msg(transcript.Answer, transcript.Block{Kind: transcript.BlockToolResult, CallID: "gone", Text: "updated", Patch: hunks[:1]})},
		{"boundary", msg(transcript.Boundary, block(transcript.BlockText, "Conversation compacted"))},
		{"all of it", msg(transcript.Answer, block(transcript.BlockThinking, "Hm."), block(transcript.BlockText, "Let me look."),
			transcript.Block{Kind: transcript.BlockToolUse, ID: "1", Name: "Bash", Input: json.RawMessage(`{"command":"ls"}`)},
			transcript.Block{Kind: transcript.BlockToolUse, ID: "2", Name: "Bash", Input: json.RawMessage(`{"command":"pwd"}`)},
			transcript.Block{Kind: transcript.BlockToolResult, CallID: "2", Text: "/home"},
			transcript.Block{Kind: transcript.BlockToolResult, CallID: "1", Text: "x"},
			transcript.Block{Kind: transcript.BlockImage, Media: "image/png"}, block(transcript.BlockText, "Done."))},
	}
}

func command(name, args, output string) transcript.Message {
	return transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{
		{Kind: transcript.BlockText, Text: "<command-name>" + name + "</command-name>\n<command-args>" + args + "</command-args>"},
		{Kind: transcript.BlockText, Text: output},
	}}
}

// checkDrawing checks that the parts are in order, the lines fit, and the ending is the one of EndWith.
func checkDrawing(t *testing.T, what string, d Drawing, m *transcript.Message, o Options) {
	t.Helper()
	if len(d.Lines) == 0 || len(d.Parts) == 0 {
		t.Fatalf("%s: %d lines, %d parts", what, len(d.Lines), len(d.Parts))
	}
	at := 0
	for _, p := range d.Parts {
		if p.From < at || p.To <= p.From || p.To > len(d.Lines) || p.Block < -1 || p.Block >= len(m.Blocks) {
			t.Fatalf("%s: part %+v after line %d of %d", what, p, at, len(d.Lines))
		}
		for _, l := range d.Lines[at:p.From] {
			if l != "" {
				t.Fatalf("%s: %q belongs to no part", what, l)
			}
		}
		if p.More && p.Fold != Open || p.Fold != Fixed && o.Folds != nil && p.Fold != o.Folds(p.Block) {
			t.Fatalf("%s: part %+v", what, p)
		}
		at = p.To
	}
	if at != len(d.Lines) {
		t.Fatalf("%s: lines after the last part", what)
	}
	for _, l := range d.Lines {
		if w := ansi.StringWidth(l); w > o.Width {
			t.Fatalf("%s: %d cells in %d: %q", what, w, o.Width, l)
		}
		if bad := unsafe(l); bad != "" {
			t.Fatalf("%s: doesn't remove %q: %q", what, bad, l)
		}
	}
	if end := EndWith(m, o); end != d.End {
		t.Fatalf("%s: EndWith returns %d, Draw %d", what, end, d.End)
	}
}

func foldAll(f Fold) func(int) Fold { return func(int) Fold { return f } }

// TestDraw draws all kinds of parts at three widths and with all folds.
func TestDraw(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 114} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, c := range drawCases() {
				fmt.Fprintf(&b, "== %s\n", c.name)
				for fold := Shut; fold <= Whole; fold++ {
					o := Options{Width: width, Left: 2, Home: "/home/ada", Folds: foldAll(fold)}
					d := Draw(&c.m, Start, o)
					checkDrawing(t, c.name, d, &c.m, o)
					if fold == Whole && slices.Equal(d.Lines, Draw(&c.m, Start, Options{Width: width, Left: 2, Home: "/home/ada", Folds: foldAll(Open)}).Lines) {
						continue
					}
					fmt.Fprintf(&b, "-- %s %s\n", []string{"", "shut", "open", "whole"}[fold], outlineOf(d))
					for _, l := range d.Lines {
						b.WriteString(strings.TrimRight(l, " ") + "\n")
					}
					o.Code = func(_ int, file string, texts [][]string) [][][]render.Span { return render.Highlight(file, texts...) }
					for _, theme := range []render.Theme{render.Dark, render.Light, render.Dark256, render.Light256, render.Dark16, render.Light16, render.Mono} {
						o.Styles = render.NewStyles(theme)
						other := Draw(&c.m, Start, o)
						for i := range other.Lines {
							other.Lines[i] = ansi.Strip(other.Lines[i])
						}
						if !slices.Equal(d.Lines, other.Lines) || !slices.Equal(d.Parts, other.Parts) {
							t.Errorf("%s: theme %d prints another text", c.name, theme)
						}
					}
				}
			}
			golden(t, fmt.Sprint("draw-", width), b.String())
		})
	}
}

// outlineOf returns the parts of a drawing as text: "2:5-7▾" is the open block 2 with the lines 5 and 6.
func outlineOf(d Drawing) string {
	var b strings.Builder
	for _, p := range d.Parts {
		more := ""
		if p.More {
			more = "…"
		}
		fmt.Fprintf(&b, "%d:%d-%d%s%s ", p.Block, p.From, p.To, []string{"", "▸", "▾", "▾▾"}[p.Fold], more)
	}
	return strings.TrimSpace(b.String())
}

func TestDrawWidths(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, c := range drawCases() {
		for width := 1; width <= 130; width++ {
			for fold := Shut; fold <= Whole; fold++ {
				o := Options{Width: width, Left: 2, Styles: render.NewStyles(render.Theme(width % 8)), Folds: foldAll(fold)}
				checkDrawing(t, fmt.Sprintf("%s at %d", c.name, width), Draw(&c.m, Prose, o), &c.m, o)
			}
		}
	}
}

// TestDrawFolds: Draw calls Folds once for each part that can be opened.
func TestDrawFolds(t *testing.T) {
	t.Parallel()
	cases := drawCases()
	m := &cases[len(cases)-1].m
	asked := map[int]int{}
	d := Draw(m, Start, Options{Width: 80, Folds: func(block int) Fold {
		asked[block]++
		if block == 3 {
			return Open
		}
		return Fixed // drawn like Shut
	}})
	if got, want := outlineOf(d), "0:0-1▸ 1:2-3 2:4-5▸ 3:5-7▾ 6:7-8 7:9-10"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	if len(asked) != 3 || asked[0]*asked[2]*asked[3] != 1 {
		t.Errorf("Folds was called for %v", asked)
	}
	if got := Draw(m, Start, Options{Width: 80, Folds: foldAll(200)}).Parts[0].Fold; got != Whole {
		t.Errorf("beyond the last fold: %d", got)
	}
}

// TestDrawBlocks: Blocks renders the text of an answer. If Blocks is nil, Markdown does.
func TestDrawBlocks(t *testing.T) {
	t.Parallel()
	m := transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{block(transcript.BlockText, "one"), block(transcript.BlockText, "two")}}
	o := Options{Width: 80, Markdown: func(string, int, int) []string { return []string{"markdown"} }}
	if got := strings.Join(Draw(&m, Start, o).Lines, "|"); got != "  markdown||  markdown" {
		t.Error(got)
	}
	o.Blocks = func(block int, text string, prose, code int) []string {
		if block == 0 {
			return nil
		}
		return []string{fmt.Sprint(block, text, prose, code)}
	}
	if got := strings.Join(Draw(&m, Start, o).Lines, "|"); got != "  one||  1two70 78" {
		t.Error(got)
	}
}

// striped highlights code by giving neighbouring characters different inks.
func striped(_ int, _ string, texts [][]string) [][][]render.Span {
	out := make([][][]render.Span, len(texts))
	for i, lines := range texts {
		out[i] = make([][]render.Span, len(lines))
		for k, line := range lines {
			for at, r := range line {
				out[i][k] = append(out[i][k], render.Span{Ink: render.Keyword + render.Ink(at%4), Text: string(r)})
			}
		}
	}
	return out
}

func checkAll(t *testing.T, m *transcript.Message, width int) {
	t.Helper()
	for fold := Shut; fold <= Whole; fold++ {
		o := Options{Width: width, Left: width % 4, Styles: render.NewStyles(render.Theme(width % 8)), Home: m.ID, Dir: m.Model, Folds: foldAll(fold), Code: striped}
		checkDrawing(t, fmt.Sprintf("fold %d at %d", fold, width), Draw(m, Ending(width%3), o), m, o)
	}
}

// FuzzDraw checks that no line is too wide, lines have only text and styles, and parts have the right lines.
func FuzzDraw(f *testing.F) {
	for _, c := range drawCases() {
		data, err := json.Marshal(c.m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m transcript.Message
		if len(data) <= 16<<10 && json.Unmarshal(data, &m) == nil {
			for _, width := range []int{1, 9, 33, 64, 100} {
				checkAll(t, &m, width)
			}
		}
	})
}

// FuzzDrawTool does the same as FuzzDraw, for calls with any input and any result.
func FuzzDrawTool(f *testing.F) {
	for _, c := range drawCases() {
		b := c.m.Blocks[0]
		f.Add(b.Name, string(b.Input), c.m.Blocks[len(c.m.Blocks)-1].Text, "-a\n+\tb\n c", 41, false, uint8(80))
	}
	f.Add("Edit", `{"file_path":"\u001b[2J","old_string":"\u001b]0;x","new_string":"\r\u2028\n\ud83d"}`, "\x1b[31\r\n\x9b", "-\x1b[\n+\u202e\n\\", -1, true, uint8(30))
	f.Fuzz(func(t *testing.T, name, input, text, patch string, start int, failed bool, width uint8) {
		if len(input)+len(text)+len(patch) > 16<<10 {
			return
		}
		m := transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{
			{Kind: transcript.BlockToolUse, ID: "c", Name: name, Input: json.RawMessage(input)},
			{Kind: transcript.BlockToolResult, CallID: "c", Text: text, Failed: failed},
			{Kind: transcript.BlockToolResult, CallID: "d", Text: text, Failed: !failed},
			{Kind: transcript.BlockUnknown, Raw: json.RawMessage(input)},
		}}
		checkAll(t, &m, int(width))
		m.Blocks[1].Patch = []transcript.Hunk{{OldStart: start, NewStart: 1, NewLines: start, Lines: strings.Split(patch, "\n")}, {}}
		m.Blocks[2].Patch = m.Blocks[1].Patch
		checkAll(t, &m, int(width))
	})
}

// TestCorpusDraw draws every message of the config directories in $CONTINUO_CORPUS.
func TestCorpusDraw(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	drawn := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			tr, err := transcript.Open(t.Context(), path)
			if err != nil {
				return err
			}
			for i := range tr.Outline().Messages {
				m := tr.Message(i)
				drawn++
				fold := Open + Fold(i%2)
				o := Options{Width: []int{30, 74, 114}[i%3], Left: 2, Styles: render.NewStyles(render.Mono), Folds: foldAll(fold)}
				checkDrawing(t, fmt.Sprintf("%s: message %d, fold %d", path, i, fold), Draw(&m, Prose, o), &m, o)
				o.Folds = nil
				folded := Draw(&m, Prose, o)
				checkDrawing(t, fmt.Sprintf("%s: message %d, folded", path, i), folded, &m, o)
				checkFolded(t, fmt.Sprintf("%s: message %d", path, i), &m, folded)
			}
			return tr.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if drawn == 0 {
		t.Fatal("no message in CONTINUO_CORPUS")
	}
}
