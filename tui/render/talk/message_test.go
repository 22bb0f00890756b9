package talk

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func block(kind transcript.BlockKind, text string) transcript.Block {
	return transcript.Block{Kind: kind, Text: text}
}

func messagesForTest() []transcript.Message {
	at := time.Date(2026, 11, 21, 14, 2, 0, 0, time.UTC)
	call := func(id, name, input string) transcript.Block {
		return transcript.Block{Kind: transcript.BlockToolUse, ID: id, Name: name, Input: json.RawMessage(input)}
	}
	result := func(id, text string, failed bool) transcript.Block {
		return transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: text, Failed: failed}
	}
	text := func(s string) transcript.Block { return block(transcript.BlockText, s) }
	msg := func(kind transcript.MessageKind, blocks ...transcript.Block) transcript.Message {
		return transcript.Message{Kind: kind, Time: at, Blocks: blocks}
	}
	damaged := msg(transcript.Answer)
	damaged.Err, damaged.Gap, damaged.Unread = "line 812 has changed since it was listed", true, 3
	compacted := msg(transcript.Boundary, text("Conversation compacted"))
	compacted.Compaction = &transcript.Compaction{Auto: true, Before: 168_200, After: 21_300}
	elided := result("9", "head and tail", false)
	elided.Bytes = 1_400_000
	return []transcript.Message{
		msg(transcript.Prompt, text("Tokens issued right before midnight cannot be refreshed.\nFind out why and fix it."),
			transcript.Block{Kind: transcript.BlockImage, Media: "image/png", Bytes: 48_200}),
		msg(transcript.Answer, block(transcript.BlockThinking, "Which clock?\nThe other one."), call("1", "Grep", `{"pattern":"claims\\.Exp","path":"/home/ada/x"}`), result("1", "a\nb\n", false)),
		msg(transcript.Answer, call("2", "Read", `{"file_path":"/home/ada/code/teahouse/src/auth/jwt.go"}`), result("2", "", false)),
		msg(transcript.Answer, text("The check compares **whole days**, and the two sides disagree about `which day` it is. This is long enough to be wrapped."),
			call("3", "Bash", `{"command":"go test ./...\nls","description":"Run it"}`), result("3", "FAIL", true)),
		msg(transcript.Answer, call("4", "mcp__calendar__list_events", `{"from":1,"to":{"x":[2]}}`), call("5", "Odd", `"text"`), call("6", "", ``), call("9", "WebFetch", `{"url":"https://example.com/"}`), elided),
		msg(transcript.Prompt, text("<command-message>init</command-message>\n<command-name>/init</command-name>\n<command-args>now</command-args>")),
		msg(transcript.Notice, text("<local-command-stdout>Set model to opus\nand more</local-command-stdout>")),
		msg(transcript.Notice, text("[Request interrupted by user]")),
		msg(transcript.Boundary, text("Conversation compacted")),
		compacted,
		msg(transcript.Summary, text("This session is being continued.\n1. Request: tokens.")),
		msg(transcript.System, text("API Error: 529 overloaded")),
		msg(transcript.System, transcript.Block{Kind: transcript.BlockUnknown, Name: "turn_duration"}),
		msg(transcript.Answer, transcript.Block{Kind: transcript.BlockUnknown, Raw: json.RawMessage(`{"type":"progress-v3"}`)}, result("77", "lost", false), block("hologram", "")),
		damaged,
		msg(transcript.Answer),
		msg(transcript.Prompt, text("! <bash-input>make</bash-input>"), text(" \n")),
	}
}

// TestAPIErrors: failed requests are one line with their number, their times and the last known cause.
func TestAPIErrors(t *testing.T) {
	t.Parallel()
	at := func(minute int, cause string) transcript.Block {
		return transcript.Block{Kind: transcript.BlockUnknown, Name: "api_error", Title: cause, Time: time.Date(2026, 11, 21, 15, minute, 0, 0, time.UTC)}
	}
	for want, blocks := range map[string][]transcript.Block{
		"1 API error at 15:48: overloaded":                       {at(48, "overloaded")},
		"3 API errors, 15:48 to 15:51: request timed out":        {at(48, "overloaded"), at(49, "request\x1b[2J timed out"), at(51, "")},
		"2 API errors at 15:48":                                  {at(48, ""), at(48, "")},
		"1 API error at 15:48: " + strings.Repeat("x", 71) + "…": {at(48, strings.Repeat("x", 200))},
	} {
		m := transcript.Message{Kind: transcript.System, Role: transcript.RoleSystem, Time: blocks[0].Time, Blocks: blocks}
		got := Message(&m, Prose, Options{Width: 100, Left: 2, Styles: render.NewStyles(render.None)})
		if len(got) == 0 || strings.TrimSpace(ansi.Strip(got[len(got)-1])) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	msgs := messagesForTest()
	var b strings.Builder
	for _, o := range []Options{
		{Width: 80},
		{Width: 80, Folds: func(int) Fold { return Whole }, Dir: "/home/ada/code/teahouse", Home: "/home/ada"},
		{Width: 72, Left: 2, Home: "/home/ada"},
		{Width: 40, Left: 2, Dir: "/home/ada/code/teahouse/"},
	} {
		var lines []string
		after := Start
		for i := range msgs {
			d := Draw(&msgs[i], after, o)
			lines, after = append(lines, d.Lines...), d.End
		}
		lines = append(lines, ThreadHeading(&transcript.Thread{Kind: transcript.Branch, Name: "branch 1", Messages: []int{1, 2}}, o)...)
		lines = append(lines, ThreadHeading(&transcript.Thread{Kind: transcript.Sidechain, Name: "sidechain 1", Messages: []int{1}}, o)...)
		for _, line := range lines {
			if strings.HasSuffix(line, " ") {
				t.Errorf("trailing blanks: %q", line)
			}
			b.WriteString(line + "\n")
		}
		b.WriteString(strings.Repeat("=", o.Width) + "\n")
	}
	golden(t, "lines", b.String())
}

func TestLinesFit(t *testing.T) {
	t.Parallel()
	msgs := messagesForTest()
	for width := 0; width < 125; width += 1 + width/20 { // with all widths below 20
		for _, theme := range []render.Theme{render.None, render.Dark} {
			o := Options{Width: width, Left: 2, Styles: render.NewStyles(theme), Folds: func(int) Fold { return Fold(width % 4) }}
			o.Markdown = func(text string, prose, code int) []string { return render.Markdown(text, prose, code, o.Styles) }
			if width%10 > 1 {
				o.Markdown = nil
			}
			after := Start
			for i := range msgs {
				d := Draw(&msgs[i], after, o)
				if len(d.Lines) == 0 {
					t.Fatalf("message %d has no line", i)
				}
				for _, line := range d.Lines {
					if ansi.StringWidth(line) > width {
						t.Fatalf("width %d, message %d: %q", width, i, line)
					}
				}
				after = d.End
			}
		}
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	msgs := messagesForTest()
	for i := range msgs {
		for fold := Shut; fold <= Whole; fold++ {
			folds := func(int) Fold { return fold }
			if got, drawn := EndWith(&msgs[i], Options{Folds: folds}), Draw(&msgs[i], Start, Options{Width: 80, Folds: folds}).End; got != drawn {
				t.Errorf("message %d: End returns %d, Draw %d", i, got, drawn)
			}
		}
	}
}

// FuzzMessage checks that no line is too wide, and that lines have only text and styles.
func FuzzMessage(f *testing.F) {
	f.Add("plain", "Bash", `{"command":"ls"}`, uint8(80))
	f.Add("\x1b]0;t\x07\u009b31m<x>\x1b[8m</x>\r\n\t\u202e", "\x1b[2J", `{"command":"\u001b[2J"}`, uint8(20))
	f.Add("<command-name>\x1b</command-name>", "x", "{", uint8(0))
	f.Fuzz(func(t *testing.T, text, name, input string, width uint8) {
		for kind := transcript.Prompt; kind <= transcript.System; kind++ {
			m := transcript.Message{Kind: kind, Err: text, Gap: true, Time: time.UnixMilli(1), Blocks: []transcript.Block{
				block(transcript.BlockText, text), block(transcript.BlockThinking, text),
				{Kind: transcript.BlockToolUse, ID: text, Name: name, Input: json.RawMessage(input)},
				{Kind: transcript.BlockToolResult, CallID: name, Text: text, Failed: true},
				{Kind: transcript.BlockImage, Media: text, Bytes: 1},
				{Kind: transcript.BlockUnknown, Raw: json.RawMessage(input)},
				block(transcript.BlockKind(name), text),
				{Kind: transcript.BlockNotice, Notice: transcript.NoticeKind(name), Name: name, Title: text, Text: input, CallID: text},
			}}
			for _, theme := range []render.Theme{render.None, render.Mono} {
				o := Options{Width: int(width), Styles: render.NewStyles(theme), Home: "/home/ada", Dir: name, Folds: func(int) Fold { return Fold(kind % 4) }}
				for _, line := range Message(&m, Prose, o) {
					if bad := unsafe(line); bad != "" || theme == render.None && strings.Contains(line, "\x1b") {
						t.Fatalf("kind %d doesn't remove %q: %q", kind, bad, line)
					}
					if ansi.StringWidth(line) > int(width) {
						t.Fatalf("kind %d: wider than %d: %q", kind, width, line)
					}
				}
			}
		}
	})
}

// TestGist: the line for a machine text has no tags. The line for a notification is its summary.
func TestGist(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<task-notification>\n<task-id>a9</task-id>\n<status>completed</status>\n<summary>Agent \"A &amp; B\" completed</summary>": `▸ Agent "A & B" completed`,
		"<bash-stdout>one</bash-stdout><bash-stderr></bash-stderr>":                                                                "▸ one",
		"a < b and <T>": "▸ a < b and <T>",
		"<T> is a type": "▸ <T> is a type",
		"<status>":      "▸ <status>",
		"<task-notification>\n<task-id>a9</task-id>\n<output-file>/x/a9.output</output-file>\n<status>failed</status>\nRead it.</task-notification>": "▸ failed Read it.",
		"<task-id>a9</task-id> <to…[elided 629 chars]":                                    "▸ …[elided 629 chars]",
		"<tools-used-before-summary>Bash</tools-used-before-summary>":                     "▸ Bash",
		"<objective>\nFind it.\n</objective>\n<process>Look.</process>":                   "▸ Find it. Look.",
		"<local-command-stdout></local-command-stdout>":                                   "▸ No output",
		"<bash-stdout></bash-stdout><bash-stderr>no</bash-stderr>":                        "▸ no",
		"<local-command-caveat>The command below was run directly</local-command-caveat>": "▸ Note to Claude about local commands",
		"Caveat: The messages below were generated by the user while running":             "▸ Note to Claude about local commands",
		"[Request interrupted by user]":                                                   "Interrupted by you",
		"[Request interrupted by user] and more":                                          "▸ [Request interrupted by user] and more",
		"<bash-input>ls -l</bash-input>":                                                  "❯ ! ls -l",
		"<command-name>/model</command-name><command-args>opus</command-args>":            "❯ /model opus",
	} {
		m := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}}}
		if got := strings.TrimSpace(Message(m, Start, Options{Width: 80})[0]); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestFirstLine: the first line of a prompt is the text that the user typed.
func TestFirstLine(t *testing.T) {
	t.Parallel()
	note := block(transcript.BlockText, "<ide_opened_file>The user opened x.go.</ide_opened_file>")
	for _, test := range []struct {
		blocks []transcript.Block
		want   string
	}{
		{[]transcript.Block{note, block(transcript.BlockText, "Fix\nit")}, "Fix it"},
		{[]transcript.Block{note}, "The user opened x.go."},
		{[]transcript.Block{block(transcript.BlockText, "<command-message>init</command-message><command-name>/init</command-name>")}, "/init"},
	} {
		if got := FirstLine(&transcript.Message{Kind: transcript.Prompt, Blocks: test.blocks}, 80); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestTypedInk(t *testing.T) {
	t.Parallel()
	s := render.NewStyles(render.Dark)
	for text, want := range map[string]string{
		"<bash-input>ls</bash-input>":    s.Paint(render.Accent, "❯") + s.Paint(render.Text, " ") + s.Paint(render.Text, "! ls"),
		"<bash-stdout>out</bash-stdout>": s.Paint(render.Text, "  ") + s.Paint(render.Faint, "▸ out"),
	} {
		m := &transcript.Message{Kind: transcript.Notice, Blocks: []transcript.Block{block(transcript.BlockText, text)}}
		if got := Message(m, Start, Options{Width: 80, Styles: s})[0]; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestWrapHyphens(t *testing.T) {
	t.Parallel()
	const text = "look at aws-us-east-2.example.com and --no-verify and well-known-x"
	for width := 28; width < 60; width++ { // fits the longest word and the blanks of a cell
		for name, lines := range map[string][]string{
			"plain":    render.Wrap(text, width),
			"markdown": render.Markdown("- "+text+"\n\n"+text, width, width, render.NewStyles(render.None)),
			"a table":  render.Markdown("| a |\n|---|\n| "+text+" |\n", width, width, render.NewStyles(render.None)),
		} {
			got := strings.Join(lines, "\n")
			for _, word := range []string{"aws-us-east-2.example.com", "--no-verify", "well-known-x"} {
				if !strings.Contains(got, word) {
					t.Errorf("%s, width %d: %s is broken:\n%s", name, width, word, got)
				}
			}
		}
	}
	if got := strings.Join(render.Wrap("one\u2011two three-four", 12), "|"); got != "one\u2011two|three-four" {
		t.Errorf("a hyphen of the text: %q", got)
	}
}
