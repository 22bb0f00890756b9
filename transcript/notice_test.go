package transcript

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// listed reads records and returns a line for each message: "kind: blocks".
func listed(t *testing.T, records ...string) string {
	t.Helper()
	tr, err := New(context.Background(), strings.NewReader(strings.Join(records, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range tr.Outline().Messages {
		m := tr.Message(i)
		var parts []string
		for _, b := range m.Blocks {
			text := string(b.Kind)
			if b.Notice != "" {
				text = string(b.Notice)
			}
			for _, s := range []string{b.Name, b.Title, string(b.Denied), b.Reason, b.Text} {
				if s != "" && (b.Kind != BlockToolResult || s != b.Text) {
					text += "|" + s
				}
			}
			if b.Failed {
				text += "|failed"
			}
			parts = append(parts, text)
		}
		kinds := map[MessageKind]string{Prompt: "prompt", Answer: "answer", Notice: "notice", System: "system"}
		lines = append(lines, kinds[m.Kind]+": "+strings.Join(parts, " + "))
	}
	return strings.Join(lines, "\n")
}

func userRecord(text, more string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u1","message":{"role":"user","content":%q}%s}`, text, more)
}

func attached(fields string) string {
	return `{"type":"attachment","uuid":"a9","parentUuid":"u9","attachment":{` + fields + `}}`
}

// TestNotices: a text of a program isn't a prompt. Its notice names the sender.
func TestNotices(t *testing.T) {
	t.Parallel()
	const boilerplate = "\n\nThis came from another Claude session — not typed by your user, but very likely working on their behalf."
	tests := map[string]struct{ record, want string }{
		"typed":          {userRecord("do it", `,"origin":{"kind":"human"}`), "prompt: text|do it"},
		"old client":     {userRecord("do it", ``), "prompt: text|do it"},
		"peer by origin": {userRecord("please rebase", `,"origin":{"kind":"peer","from":"uds:1","name":"reviewer"}`), "notice: message|reviewer|please rebase"},
		"other origin":   {userRecord("Implement this plan.", `,"origin":{"kind":"auto-continuation"}`), "notice: continuation|Implement this plan."},
		"approved plan":  {userRecord("Implement the following plan:\n\n# Tides", `,"origin":{"kind":"auto-continuation"}`), "notice: continuation|the approved plan|Implement the following plan:\n\n# Tides"},
		"meta":           {userRecord("Stop hook feedback:\nrun the tests", `,"isMeta":true`), "notice: text|Stop hook feedback:\nrun the tests"},
		"agent": {
			userRecord("Another Claude session sent a message:\n<agent-message from=\"a80403d7fcf4619f1\">\n[Subagent hand-back] The text below is its report. The report follows:\n  # Done\n\n  All <b>green</b>.\n</agent-message>\n\nThat \"other Claude session\" is an agent working inside this same session", ``),
			"notice: message|a80403d7fcf4619f1|# Done\n\nAll <b>green</b>.",
		},
		"teammates": {
			userRecord("Another Claude session sent a message while you were working:\n<teammate-message teammate_id=\"zed\" color=\"blue\" summary=\"Tests &amp; lint\">\nAll green.\n</teammate-message>\n\n<teammate-message teammate_id=\"ann\">\n{\"type\":\"idle_notification\",\"from\":\"ann\"}\n</teammate-message>"+boilerplate, ``),
			`notice: message|zed|Tests & lint|All green. + message|ann|idle notification|{"type":"idle_notification","from":"ann"}`,
		},
		"asked about one": {
			userRecord("Another Claude session sent a message: what does that mean?", ``),
			"prompt: text|Another Claude session sent a message: what does that mean?",
		},
		"text behind a frame": {
			userRecord("<teammate-message teammate_id=\"zed\">\nhi\n</teammate-message>\n\nsomething new", ``),
			"prompt: text|<teammate-message teammate_id=\"zed\">\nhi\n</teammate-message>\n\nsomething new",
		},
		"a frame that a person quotes": {
			userRecord("<channel source=\"x\">hi</channel>", `,"origin":{"kind":"human"},"promptSource":"typed"`), `prompt: text|<channel source="x">hi</channel>`,
		},
		"advice, then more": {
			userRecord("<teammate-message teammate_id=\"zed\">\nhi\n</teammate-message>"+boilerplate+"\n\nhidden", `,"origin":{"kind":"peer","from":"zed"}`),
			"notice: message|zed|<teammate-message teammate_id=\"zed\">\nhi\n</teammate-message>" + boilerplate + "\n\nhidden",
		},
		"frames with advice between": {
			userRecord("<teammate-message teammate_id=\"zed\">\nhi\n</teammate-message>"+boilerplate+"\n\n<teammate-message teammate_id=\"eve\">\nho\n</teammate-message>", ``),
			"notice: message|zed|hi + message|eve|ho",
		},
		"its own end inside":     {userRecord("<agent-message from=\"a\">\n  use </agent-message>\n  as the end\n</agent-message>", ``), "notice: message|a|use </agent-message>\nas the end"},
		"CR LF":                  {userRecord("Another Claude session sent a message:\r\n<agent-message from=\"a\">\r\nhi\r\n</agent-message>", ``), "notice: message|a|hi"},
		"white space in the tag": {userRecord("\t<agent-message\n from=\"a\">hi</agent-message>", ``), "notice: message|a|hi"},
		"a result and a note": {
			`{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"},{"type":"text","text":"[Request interrupted by user]"}]}}`,
			"notice: tool_result + text|[Request interrupted by user]",
		},
		"task": {
			userRecord("<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>Agent \"A &amp; B\" failed</summary>\n<result>Out of <memory></result>\n<usage><total_tokens>9</total_tokens></usage>\n</task-notification>", `,"origin":{"kind":"task-notification"}`),
			`notice: notification|Agent "A & B" failed|Out of <memory>|failed`,
		},
		"task with a preamble": {
			userRecord("[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated event.\n\n<task-notification>\n<summary>Done</summary>\n</task-notification>\nRead the output file to retrieve the result: /tmp/x", ``),
			"notice: notification|Done",
		},
		"task cut off":         {userRecord("<task-notification>\n<task-id>b1</task-id>\n<to…[elided 629 chars]", `,"origin":{"kind":"task-notification"}`), "notice: notification|<to…[elided 629 chars]"},
		"queued task":          {attached(`"type":"queued_command","commandMode":"task-notification","prompt":"<task-notification><summary>Done</summary></task-notification>"`), "notice: notification|Done"},
		"queued prompt":        {attached(`"type":"queued_command","commandMode":"prompt","prompt":"and this"`), "prompt: text|and this"},
		"queued peer":          {attached(`"type":"queued_command","commandMode":"prompt","isMeta":true,"origin":{"kind":"peer","from":"ann"},"prompt":"look"`), "notice: message|ann|look"},
		"async hook":           {attached(`"type":"async_hook_response","hookName":"PostToolUse:Edit","exitCode":1,"stdout":"","stderr":"lint failed\n"`), "notice: hook|PostToolUse:Edit|failed|lint failed|failed"},
		"blocking async hook":  {attached(`"type":"async_hook_response","hookName":"Stop","exitCode":0,"response":{"decision":"block","reason":"not yet"}`), "notice: hook|Stop|blocked|not yet|failed"},
		"hook with a text":     {attached(`"type":"hook_blocking_error","hookName":"Stop","blockingError":"no"`), "notice: hook|Stop|blocked|no|failed"},
		"queued shell command": {attached(`"type":"queued_command","commandMode":"bash","prompt":"ls"`), ""},
		"file without a name":  {attached(`"type":"file"`), "notice: file"},
		"quiet hook":           {attached(`"type":"async_hook_response","hookName":"PostToolUse:Edit","exitCode":0,"stdout":"ok"`), ""},
		"stop hook":            {attached(`"type":"hook_blocking_error","hookName":"Stop","toolUseID":"x","blockingError":{"blockingError":"[check]: tests are red","command":"check"}`), "notice: hook|Stop|blocked|[check]: tests are red|failed"},
		"slow hook":            {attached(`"type":"hook_cancelled","hookName":"SessionStart:startup","timedOut":true`), "notice: hook|SessionStart:startup|timed out|failed"},
		"odd hook":             {attached(`"type":"hook_non_blocking_error","hookName":"UserPromptSubmit","stderr":"no such file","exitCode":1`), "notice: hook|UserPromptSubmit|failed|no such file|failed"},
		"file":                 {attached(`"type":"file","filename":"/srv/a.md","content":{"type":"text"}`), "notice: file|/srv/a.md"},
		"selection":            {attached(`"type":"selected_lines_in_ide","lineStart":58,"lineEnd":70,"filename":"/srv/x.yaml","displayPath":"x.yaml","content":"a: b"`), "notice: selection|x.yaml|lines 58 to 70|a: b"},
		"skills":               {attached(`"type":"invoked_skills","skills":[{"name":"tdd","content":"…"},{"name":"review"}]`), "notice: skills|tdd, review"},
		"diagnostics": {
			attached(`"type":"diagnostics","files":[{"uri":"file:///srv/a.go","diagnostics":[{"message":"no\nsuch","severity":"Error","range":{"start":{"line":80}}}]}]`),
			"notice: diagnostics|/srv/a.go:81: error: no such",
		},
		"for the model only": {attached(`"type":"skill_listing","content":"…"`), ""},
		"scheduled":          {`{"type":"system","subtype":"scheduled_task_fire","content":"Nightly check","uuid":"s1"}`, "system: text|Nightly check"},
		"image twice":        {`{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"data":"AA=="}},{"type":"image","source":{"data":"AA=="}},{"type":"image","source":{"data":"BB=="}}]}}`, "prompt: text|see + image + image"},
		"image noted again":  {userRecord("[Image: source: /tmp/x.png]", `,"isMeta":true`), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := listed(t, test.record); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestHookUnderCall: a hook's error is in the answer with the call that triggered it.
func TestHookUnderCall(t *testing.T) {
	t.Parallel()
	got := listed(t,
		userRecord("go", ""),
		`{"type":"assistant","uuid":"b1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{}}]}}`,
		`{"type":"user","uuid":"u2","parentUuid":"b1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`,
		`{"type":"attachment","uuid":"a1","parentUuid":"u2","attachment":{"type":"hook_blocking_error","hookName":"PostToolUse:Edit","toolUseID":"t1","hookEvent":"PostToolUse","blockingError":{"blockingError":"[lint]: red"}}}`,
		`{"type":"assistant","uuid":"b2","parentUuid":"a1","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"mended"}]}}`,
	)
	want := "prompt: text|go\nanswer: tool_use|Edit + tool_result + hook|PostToolUse:Edit|blocked|[lint]: red|failed\nanswer: text|mended"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDenials: a text with which the user refused a call is also a prompt.
func TestDenials(t *testing.T) {
	t.Parallel()
	const rejection = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
	tests := map[string]struct{ text, fields, want string }{
		"no word":       {rejection + " STOP what you are doing and wait for the user to tell you how to proceed.", ``, "tool_result|user-rejected|failed"},
		"words":         {rejection + " To tell you how to proceed, the user said:\nuse the helper", ``, "tool_result|user-rejected|use the helper|failed\nprompt: text|use the helper"},
		"words, note":   {rejection + " To tell you how to proceed, the user said:\nuse the helper\n\nNote: The user's next message may contain a correction or preference. Pay close attention", ``, "tool_result|user-rejected|use the helper|failed\nprompt: text|use the helper"},
		"a dialog":      {rejection + " To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means", ``, "tool_result|user-rejected|failed"},
		"feedback":      {"Permission denied.", `,"toolDenialKind":"user-rejected","userFeedback":"not there"`, "tool_result|user-rejected|not there|failed\nprompt: text|not there"},
		"a rule":        {"Permission to use Bash with command rm has been denied.\nmore", `,"toolDenialKind":"permission-rule"`, "tool_result|permission-rule|Permission to use Bash with command rm has been denied.|failed"},
		"auto mode":     {"Permission for this action was denied by the Claude Code auto mode classifier. Reason: Deletes a branch. If you have other tasks, go on.", `,"toolDenialKind":"automode-blocked"`, "tool_result|automode-blocked|Deletes a branch|failed"},
		"not failed":    {rejection + " To tell you how to proceed, the user said:\nno", `,"is":"ok"`, "tool_result"},
		"only the note": {rejection + " To tell you how to proceed, the user said:\n\n\nNote: The user's next message may contain a correction or preference. Pay", ``, "tool_result|user-rejected|failed"},
		"blank words":   {rejection, `,"toolDenialKind":"user-rejected","userFeedback":" \n"`, "tool_result|user-rejected|failed"},
		"null":          {rejection + " To tell you how to proceed, the user said:\nno", `,"userFeedback":null`, "tool_result|user-rejected|no|failed\nprompt: text|no"},
		"a rule, words": {rejection + " To tell you how to proceed, the user said:\nno", `,"toolDenialKind":"permission-rule"`, "tool_result|permission-rule|" + rejection + " To tell you how to proceed, the user said:|failed"},
		"just an error": {"exit 1", ``, "tool_result|failed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := listed(t,
				`{"type":"assistant","uuid":"b1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{}}]}}`,
				fmt.Sprintf(`{"type":"user","uuid":"u2","parentUuid":"b1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":%v,"content":%q}]}%s}`, name != "not failed", test.text, test.fields),
			)
			if want := "answer: tool_use|Edit + " + test.want; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func FuzzNotices(f *testing.F) {
	f.Add("Another Claude session sent a message:\n<agent-message from=\"a\">\n  x\n</agent-message>")
	f.Add("<task-notification><task-id>a</task-id><su")
	f.Add("[SYSTEM NOTIFICATION - NOT USER INPUT]\n\n<teammate-message teammate_id=\"\">{\"type\":\"x\"}</teammate-message>\n\nThis came from another Claude session")
	f.Fuzz(func(t *testing.T, text string) {
		for _, b := range noticesIn(text) {
			if b.Kind != BlockNotice || b.Notice != NoticePeer && b.Notice != NoticeTask || len(b.Text) > len(text) {
				t.Errorf("%q: %+v", text, b)
			}
		}
	})
}

// TestFeedbackAlone: a text with which the user rejected a call is a prompt. The call may be missing.
func TestFeedbackAlone(t *testing.T) {
	t.Parallel()
	result := func(id, said string) string {
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":%q}`, id, rejected+" To tell you how to proceed, the user said:\n"+said)
	}
	got := listed(t, `{"type":"user","uuid":"u2","message":{"role":"user","content":[`+result("t1", "\n")+","+result("t2", "use it")+","+result("t3", "and that")+`]}}`)
	if want := "prompt: text|use it\n\nand that"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTypedBesideResult: a record has a result, and a text that the user typed meanwhile.
func TestTypedBesideResult(t *testing.T) {
	t.Parallel()
	record := `{"type":"user","uuid":"u2","parentUuid":"b1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"},{"type":"text","text":"and log it?"}]}}`
	got := listed(t, userRecord("go", ""),
		`{"type":"assistant","uuid":"b1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{}}]}}`,
		record, `{"type":"assistant","uuid":"b2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Yes."}]}}`)
	if want := "prompt: text|go\nanswer: tool_use|Edit + tool_result\nprompt: text|and log it?\nanswer: text|Yes."; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := listed(t, record), "notice: tool_result\nprompt: text|and log it?"; got != want {
		t.Errorf("without the call: got\n%s\nwant\n%s", got, want)
	}
}

// TestEventsDecideNothing: attachments don't start branches. They don't hide that a file is of a sub-agent.
func TestEventsDecideNothing(t *testing.T) {
	t.Parallel()
	file := `{"type":"attachment","uuid":"e1","parentUuid":"u1","attachment":{"type":"file","filename":"/x"}}`
	for name, records := range map[string][]string{
		"agent": {
			`{"type":"user","uuid":"u1","isSidechain":true,"agentId":"a","message":{"role":"user","content":"task"}}`, file,
			`{"type":"assistant","uuid":"b1","parentUuid":"e1","isSidechain":true,"agentId":"a","message":{"id":"m","content":[{"type":"text","text":"done"}]}}`,
		},
		"early children": {
			`{"type":"user","uuid":"u0","message":{"role":"user","content":"first"}}`,
			`{"type":"user","uuid":"u2","parentUuid":"b1","message":{"role":"user","content":"more"}}`,
			`{"type":"attachment","uuid":"e1","parentUuid":"b1","attachment":{"type":"file","filename":"/x"}}`,
			`{"type":"assistant","uuid":"b1","parentUuid":"u0","message":{"id":"m","content":[{"type":"text","text":"done"}]}}`,
		},
	} {
		tr, err := New(context.Background(), strings.NewReader(strings.Join(records, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		if o := tr.Outline(); len(o.Threads) != 1 || o.Hidden || o.Turns != len(records)-1 {
			t.Errorf("%s: %d threads, %d turns", name, len(o.Threads), o.Turns)
		}
	}
}

// TestAgentTask: the task of a sub-agent isn't a prompt, but counts as a turn.
func TestAgentTask(t *testing.T) {
	t.Parallel()
	task := `{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"agentId":"a1","message":{"role":"user","content":"count"}}`
	for name, c := range map[string]struct {
		records []string
		want    string
		turns   int
	}{
		"session": {[]string{userRecord("go", ""), task}, "prompt: text|go\nnotice: message|the main agent|count", 1},
		"its own": {[]string{task}, "notice: message|the main agent|count", 1},
	} {
		if got := listed(t, c.records...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		tr, err := New(t.Context(), strings.NewReader(strings.Join(c.records, "\n")))
		if err != nil || tr.Outline().Turns != c.turns {
			t.Errorf("%s: %d turns, %v", name, tr.Outline().Turns, err)
		}
	}
}

// TestQueuedTask: a queued notification is shown once, even if the client never used it.
func TestQueuedTask(t *testing.T) {
	t.Parallel()
	const frame = "<task-notification>\n<summary>Done</summary>\n</task-notification>"
	queued := fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue","content":%q}`, frame)
	if got, want := listed(t, userRecord("go", ""), queued), "prompt: text|go\nnotice: notification|Done"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	later := strings.Replace(userRecord(frame, ""), "u1", "u2", 1)
	if got, want := listed(t, userRecord("go", ""), queued, later), "prompt: text|go\nnotice: notification|Done"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
