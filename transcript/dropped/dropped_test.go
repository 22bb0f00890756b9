package dropped

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

func call(tool, result string, failed bool, params map[string]any) transcript.Message {
	input, _ := json.Marshal(params) // can't fail for strings
	return transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{
		{Kind: transcript.BlockText, Text: "Now."},
		{Kind: transcript.BlockToolUse, Name: tool, ID: "c", Input: input},
		{Kind: transcript.BlockToolResult, CallID: "c", Text: result, Failed: failed},
	}}
}

func bash(command string, failed bool) transcript.Message {
	return call("Bash", "out", failed, map[string]any{"command": command})
}

func file(tool, path string) transcript.Message {
	return call(tool, "ok", false, map[string]any{"file_path": path})
}

func asked(question, answer string) transcript.Message {
	result := fmt.Sprintf("Your questions have been answered: %q=%q. You can now continue with these answers in mind.", question, answer)
	return call("AskUserQuestion", result, false, map[string]any{"questions": []any{map[string]any{"question": question, "options": []any{}}}})
}

func listed(summary string, msgs ...transcript.Message) []string {
	b := Before{}
	for i := range msgs {
		msgs[i].ID = "m" + strconv.Itoa(i)
		b.Add(i, &msgs[i])
	}
	var got []string
	for _, it := range b.NotIn(&transcript.Message{Kind: transcript.Summary, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: summary}}}) {
		text := fmt.Sprintf("%s %s", it.Kind, it.Text)
		if it.Said != "" {
			text += ": " + it.Said
		}
		for _, n := range []struct {
			n    int
			name string
		}{{it.Edits, "edits"}, {it.Reads, "reads"}, {it.Runs, "runs"}} {
			if n.n > 0 {
				text += fmt.Sprintf(", %d %s", n.n, n.name)
			}
		}
		if it.Failed {
			text += ", failed"
		}
		got = append(got, text+" @"+strconv.Itoa(it.At))
	}
	return got
}

func TestNotIn(t *testing.T) {
	t.Parallel()
	got := listed("# Files\n- `src/auth/jwt.go`: see guest.go.\n- web/index.ts\n\nThe tests pass: `go test ./...`, then npm run build.\nLeeway stays at\u00a030 s.\nTokens keep their own issuer for guests.",
		file("Edit", "/p/src/auth/jwt.go"), file("Read", "/p/src/auth/guest.go"), // named
		file("Read", "/p/deploy/cron.yaml"), file("Read", "/p/src/clock.go"), file("Edit", "/p/src/clock.go"), file("Read", "/p/src/clock.go"),
		file("Write", "/p/t.go"),                                         // only a piece of guest.go
		file("Read", "/p/web/index.ts"), file("Read", "/p/api/index.ts"), // two files with the same name; the summary names one of them
		bash("cd /p && go test -run Skew ./src", true), bash("FOO=1 npm run build --all", false), // named
		bash("go vet ./src", false), bash("go vet ./...", true), bash("git status", false), bash("git push", false),
		asked("How long is the leeway?", "30 s"), asked("Who issues guest tokens?", "Guest tokens keep their own issuer"), // said
		asked("Which cache?", "Redis, one for each region"),
		file("Edit", ""), call("Edit", "no", true, map[string]any{"file_path": "/p/failed.go"}),
	)
	want := []string{
		"decision Which cache?: Redis, one for each region @17",
		"file /p/src/clock.go, 1 edits, 2 reads @4",
		"file /p/t.go, 1 edits @6",
		"file /p/deploy/cron.yaml, 1 reads @2",
		"file /p/api/index.ts, 1 reads @8",
		"command go vet ./..., 2 runs, failed @12",
		"command git push, 1 runs @14",
		"command git status, 1 runs @13",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestKept: an item isn't listed if the compaction kept its message.
func TestKept(t *testing.T) {
	t.Parallel()
	kept := file("Edit", "/p/a.go")
	kept.Known = true
	if got := listed("", file("Read", "/p/a.go"), kept, file("Read", "/p/b.go")); !slices.Equal(got, []string{"file /p/b.go, 1 reads @2"}) {
		t.Errorf("got %q", got)
	}
}

// TestSpans: the messages of a summary start after the previous compaction.
func TestSpans(t *testing.T) {
	t.Parallel()
	var refs []transcript.MessageRef
	for _, kind := range strings.Split("P A B S A B A B S S P", " ") {
		kinds := map[string]transcript.MessageKind{"P": transcript.Prompt, "A": transcript.Answer, "B": transcript.Boundary, "S": transcript.Summary}
		refs = append(refs, transcript.MessageRef{Kind: kinds[kind]})
	}
	refs = append(refs, transcript.MessageRef{Kind: transcript.Answer, Thread: 1}, transcript.MessageRef{Kind: transcript.Summary, Thread: 1})
	if got, want := Spans(refs), []Span{{0, 3}, {7, 8}, {9, 9}, {11, 12}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFirstWords(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test -run Skew ./src":                    "go test",
		"cd /p && A=1 sudo go build ./...":           "go build",
		"npm run build":                              "npm run build",
		"python -m pytest -q":                        "python -m pytest",
		"python3 tools/gen.py --all":                 "python3 tools/gen.py",
		"timeout 60 make":                            "make",
		"gh pr create --title x":                     "gh pr create",
		"git checkout main":                          "git checkout",
		"v=$(git rev-parse HEAD) && echo $v":         "git rev-parse",
		"./run.sh all":                               "./run.sh all",
		"git add -A && git commit -m x":              "git commit",
		`"C:\Program Files\x.exe" /y`:                `"C:\Program`,
		"ls | wc":                                    "ls",
		"sleep 5 && cd x && tail -5 log && rm -rf x": "tail",
		"":         "",
		"A=1":      "A=1",
		"sudo":     "sudo",
		"cd x && ": "",
	} {
		if got := firstWords(command); got != want {
			t.Errorf("firstWords(%q) = %q, want %q", command, got, want)
		}
	}
}

// TestNames: a name isn't found inside a longer one. The name of a short program isn't found in prose.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		summary, command string
		named            bool
	}{
		{"I make sure of it.", "make", false},
		{"Run `make` first.", "make", true},
		{"First:\n$ make", "make", true},
		{"We ran pytest.", "pytest", true},
		{"go testing", "go test", false},
		{"go  test.", "go test", true},
		{"cargo test", "go test", false},
	} {
		if got := newText(tt.summary).namesCommand(tt.command); got != tt.named {
			t.Errorf("%q names %q: %v", tt.summary, tt.command, got)
		}
	}
	for file, named := range map[string]bool{"/p/a.go": true, "/p/b.go": false, `C:\p\c.go`: true, "/p/.env": true, "/p/env": false} {
		if got := newText("a.go, bb.go; x/c.go.\n.env").namesFile(file, false); got != named {
			t.Errorf("%s is named: %v", file, got)
		}
	}
}

// TestSays checks which lines of a summary contain a decision.
func TestSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		summary, question, answer string
		said                      bool
	}{
		{"The model is a hybrid one.", "Which approach?", "Hybrid", false},
		{"User chose: Hybrid", "Which approach?", "Hybrid", true},
		{"The approach is hybrid.", "Which approach?", "Hybrid", true},
		{"Redis is used.\nOne region.", "Which cache?", "Redis, one for each region", false},
		{"Redis for each region.", "Which cache?", "Redis, one for each region", true},
		{"The plan: mend the crane.", "Plan: the crane", "", true},
		{"Done.", "Plan: the crane", "", false},
		{"So.", "Why?", "No", false},
	} {
		if got := newText(tt.summary).says(tt.question, tt.answer); got != tt.said {
			t.Errorf("%q says %q: %v", tt.summary, tt.answer, got)
		}
	}
}
