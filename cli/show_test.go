package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// conversation returns a document with all kinds of messages and blocks.
func conversation() fakeDoc {
	at := time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC)
	text := func(s string) []transcript.Block { return []transcript.Block{{Kind: transcript.BlockText, Text: s}} }
	return fakeDoc{
		threads: []transcript.Thread{{Name: "main"}, {Kind: transcript.Branch, Name: "branch 1", From: 0, Messages: []int{3}}},
		refs:    []transcript.MessageRef{{Kind: transcript.Prompt, Turn: true}, {Kind: transcript.Answer, Turn: true}, {Kind: transcript.Boundary}, {Kind: transcript.Prompt, Thread: 1, Gap: true, Turn: true}},
		messages: []transcript.Message{
			{ID: "u1", Role: transcript.RoleUser, Kind: transcript.Prompt, Time: at, Thread: "main", Blocks: text("Fix\x1b[2J it \u202eplease")},
			{ID: "m1", Role: transcript.RoleAssistant, Kind: transcript.Answer, Time: at, Model: "opus", Thread: "main", Blocks: []transcript.Block{
				{Kind: transcript.BlockText, Text: "I look."},
				{Kind: transcript.BlockToolUse, ID: "t1", Name: "Bash", Input: json.RawMessage(`{"command":"go test","description":"run"}`)},
				{Kind: transcript.BlockText, Text: "Done."},
				{Kind: transcript.BlockToolResult, CallID: "t1", Text: "ok 1\nok 2\n"},
				{Kind: transcript.BlockUnknown, Raw: json.RawMessage(`{"type":"tide","x":"\u007f` + "\u009b" + `"}`)},
				{Kind: transcript.BlockToolUse, ID: "t2", Name: "Read", Input: json.RawMessage(`{"file_pa`)},
			}},
			{ID: "b1", Role: transcript.RoleSystem, Kind: transcript.Boundary, Thread: "main"},
			{ID: "u2", Role: transcript.RoleUser, Kind: transcript.Prompt, Thread: "branch 1", Gap: true, Blocks: text("Or not"), Err: "it changed"},
		},
		counts: transcript.Counts{Types: map[string]int{"user": 3, "assistant": 4}, Unparsed: 1, NotObjects: 2},
	}
}

func TestShowJSON(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := testRun{src: fakeSource{rows: teahouse(), doc: conversation()}, args: []string{"show", "3f9", "--json"}}.do(t)
	want := strings.Join([]string{
		`{"id":"u1","role":"user","kind":"prompt","time":"2026-11-21T14:02:00Z","model":"","thread":"main","gap":false,"blocks":[{"type":"text","text":"Fix\u001b[2J it \u202eplease"}]}`,
		`{"id":"m1","role":"assistant","kind":"answer","time":"2026-11-21T14:02:00Z","model":"opus","thread":"main","gap":false,"blocks":[{"type":"text","text":"I look."},` +
			`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test","description":"run"}},{"type":"text","text":"Done."},` +
			`{"type":"tool_result","text":"ok 1\nok 2\n","toolUseId":"t1"},{"type":"unknown","raw":{"type":"tide","x":"\u007f\u009b"}},` +
			`{"type":"tool_use","id":"t2","name":"Read","input":"{\"file_pa"}]}`,
		`{"id":"b1","role":"system","kind":"boundary","time":null,"model":"","thread":"main","gap":false,"blocks":[]}`,
		`{"id":"u2","role":"user","kind":"prompt","time":null,"model":"","thread":"branch 1","gap":true,"blocks":[{"type":"text","text":"Or not"}],"error":"it changed"}`,
		`{"records":{"assistant":4,"user":3},"unparsed":1,"notObjects":2}`,
	}, "\n") + "\n"
	if code != out.ExitDone || stdout != want || stderr != "" {
		t.Errorf("exit code %d\n%swant\n%s%s", code, stdout, want, stderr)
	}
}

// TestShowJSONEmpty: the field records must not be null.
func TestShowJSONEmpty(t *testing.T) {
	t.Parallel()
	_, stdout, _ := testRun{src: fakeSource{rows: teahouse()}, args: []string{"show", "3f9", "--json"}}.do(t)
	if want := `{"records":{},"unparsed":0,"notObjects":0}` + "\n"; stdout != want {
		t.Errorf("got %q, want %q", stdout, want)
	}
}

func TestShowText(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse(), doc: conversation()}
	code, stdout, stderr := testRun{src: src, args: []string{"show", "3f9", "--width", "70"}}.do(t)
	if code != out.ExitDone || stderr != "3 messages in 2 threads from 7 records. 3 lines could not be read as records.\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	at := -1
	for _, want := range []string{
		"Fix refresh token race at midnight\n", "on fix/token-race · 3 messages · /home/ada/code/teahouse", "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35\n",
		"Fix it please", "14:02\n", "I look.", "▸ Bash   go test ", "Done.",
		"tide", "Read", "Branch 1", "it changed", "Or not",
	} {
		i := strings.Index(stdout[at+1:], want)
		if i < 0 {
			t.Fatalf("no %q, or not in its place, in\n%s", want, stdout)
		}
		at += 1 + i
	}
	if strings.Count(stdout, "not in this file") != 1 || strings.Count(stdout, "it changed") != 1 {
		t.Errorf("printed twice:\n%s", stdout)
	}
}

func TestShowWidth(t *testing.T) {
	t.Parallel()
	doc := conversation()
	doc.messages[1].Blocks[0].Text = strings.Repeat("wide 日本語 words ", 40) + "\n\n\tcode" + strings.Repeat("x", 200)
	doc.messages[1].Blocks[3].Text = strings.Repeat("out\tput", 50)
	for _, width := range []string{"20", "40", "80", "133"} {
		for _, terminal := range []bool{false, true} {
			_, stdout, _ := testRun{src: fakeSource{rows: teahouse(), doc: doc}, terminal: terminal, args: []string{"show", "3f9", "--width", width}}.do(t)
			limit := map[string]int{"20": 20, "40": 40, "80": 80, "133": 133}[width]
			for line := range strings.Lines(stdout) {
				if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > limit {
					t.Errorf("width %s, terminal %v: %d cells: %q", width, terminal, n, line)
				}
			}
		}
	}
}

// TestShowTerminal: show folds tool results, and prints the summary on stdout.
func TestShowTerminal(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := testRun{src: fakeSource{rows: teahouse(), doc: conversation()}, terminal: true, args: []string{"show", "3f9"}}.do(t)
	if code != out.ExitDone || stderr != "" || strings.Contains(stdout, "│ ok 1") || !strings.Contains(stdout, "Bash") ||
		!strings.HasSuffix(stdout, "\n3 messages in 2 threads from 7 records. 3 lines could not be read as records.\n") {
		t.Errorf("exit code %d, stderr %q\n%s", code, stderr, stdout)
	}
	if strings.Contains(stdout, "\x1b") {
		t.Errorf("colour in a terminal that has none: %q", stdout)
	}
	_, stdout, _ = testRun{src: fakeSource{rows: teahouse(), doc: conversation()}, args: []string{"show", "3f9", "--color", "always"}}.do(t)
	if !strings.Contains(stdout, "\x1b[") || strings.Contains(stdout, "\x1b[2J") {
		t.Errorf("--color always printed %q", stdout)
	}
}

// TestShowIsTheReader: show prints the lines of the reader, two cells further left.
func TestShowIsTheReader(t *testing.T) {
	t.Parallel()
	doc := conversation()
	doc.messages[1].Time = doc.messages[1].Time.AddDate(0, 0, -1) // the previous day, so that there is a day heading
	doc.messages[1].Blocks[0].Text = "# Tides\n\nThe **clock** of `tides.go` is *late*:\n\n- one that is longer than the line when it is narrow\n\n```go\nx := 1\n```\n"
	for _, width := range []int{24, 40, 62, 80, 120, 150} {
		for _, color := range []string{"always", "never"} {
			args := []string{"show", "3f9", "--width", strconv.Itoa(width), "--color", color}
			_, stdout, _ := testRun{src: fakeSource{rows: teahouse(), doc: doc}, terminal: true, args: args}.do(t)
			if color == "always" != strings.Contains(stdout, "\x1b[") {
				t.Errorf("--color %s: %q", color, stdout)
			}
			styles := render.NewStyles(render.Dark)
			o := talk.Options{
				Width: width + 2, Left: 2, Styles: styles, Zone: now().Location(), Dir: teahouse()[0].Workdir, Home: "/home/ada",
				Markdown: func(text string, prose, code int) []string { return render.Markdown(text, prose, code, styles) },
			}
			lines := talk.Message(&doc.messages[0], talk.Start, o)
			after := talk.End(&doc.messages[0])
			if day := talk.DayHeading(doc.messages[1].Time, doc.messages[0].Time, now(), o); day != nil {
				lines, after = append(lines, day...), talk.Prose
			}
			lines = append(lines, talk.Message(&doc.messages[1], after, o)...)
			if day := talk.DayHeading(doc.messages[0].Time, time.Time{}, now(), o); day != nil {
				lines = append([]string{day[1], ""}, lines...)
			}
			if width >= 62 != (ansi.Strip(lines[0]) == "    Today") {
				t.Errorf("width %d begins with %q", width, lines[0])
			}
			var want []string
			for _, l := range lines {
				want = append(want, strings.TrimRight(strings.TrimPrefix(ansi.Strip(l), "  "), " "))
			}
			if got := ansi.Strip(stdout); !strings.Contains(got, strings.Join(want, "\n")) {
				t.Errorf("width %d: want\n%s\nin\n%s", width, strings.Join(want, "\n"), got)
			}
		}
	}
}

func TestShowDocument(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{row("active-context", "Active Session Context", kind(sessions.KindDocument))}
	src := fakeSource{rows: rows, doc: fakeDoc{markdown: "# Now\n\n- tests \x1b]0;x\a\n"}}
	code, stdout, _ := testRun{src: src, args: []string{"show", "active-context"}}.do(t)
	if code != out.ExitDone || !strings.HasSuffix(stdout, "\n\n# Now\n\n- tests\n") || strings.Contains(stdout, "0 messages") {
		t.Errorf("exit code %d\n%q", code, stdout)
	}
	_, stdout, _ = testRun{src: src, args: []string{"show", "active-context", "--json"}}.do(t)
	want := `{"id":"active-context","role":"","kind":"document","time":null,"model":"","thread":"","gap":false,"blocks":[{"type":"text","text":"# Now\n\n- tests \u001b]0;x\u0007\n"}]}` +
		"\n" + `{"records":{},"unparsed":0,"notObjects":0}` + "\n"
	if stdout != want {
		t.Errorf("got\n%swant\n%s", stdout, want)
	}
}

func TestShowUnreadable(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{row("aa", "", state(sessions.StateUnreadable), func(r *sessions.Row) {
		r.Path, r.Reason = "/p/aa.jsonl", "Permission denied. Check the owner and the mode of the file."
	})}
	code, _, stderr := testRun{src: fakeSource{rows: rows}, args: []string{"show", "aa"}}.do(t)
	if want := "✗ /p/aa.jsonl cannot be read. Permission denied. Check the owner and the mode of the file.\n"; code != out.ExitFailed || stderr != want {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	src := fakeSource{rows: []sessions.Row{row("bb", "", func(r *sessions.Row) { r.Path = "/p/bb.jsonl" })}, open: &fs.PathError{Op: "open", Path: "/p/bb.jsonl", Err: fs.ErrNotExist}}
	code, _, stderr = testRun{src: src, args: []string{"show", "bb"}}.do(t)
	if want := "✗ /p/bb.jsonl cannot be read: file not found. Check the file.\n"; code != out.ExitFailed || stderr != want {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	src.open = errors.New("weird \x1b[31mthing")
	if _, _, stderr = (testRun{src: src, args: []string{"show", "bb"}}).do(t); stderr != "✗ /p/bb.jsonl cannot be read: weird thing. Check the file.\n" {
		t.Errorf("%q", stderr)
	}
}
