package stats_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
)

// sums is the result of a second count, which uses only encoding/json.
type sums struct {
	tokens                 transcript.Usage
	calls, failed, prompts int
}

// line has the fields of a record that the second count uses.
type line struct {
	Type, UUID, RequestID, ToolDenialKind, PromptSource      string
	IsAPIErrorMessage, IsMeta, IsSidechain, IsCompactSummary bool
	Origin                                                   *struct{ Kind string }
	ToolUseResult, Content                                   json.RawMessage
	Message                                                  json.RawMessage
	Attachment                                               struct {
		Type, CommandMode string
		IsMeta            bool
		Origin            *struct{ Kind string }
		Prompt            json.RawMessage
	}
}

// message has the fields of a message that the second count uses.
type message struct {
	ID, Model string
	Usage     *struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Read   int64 `json:"cache_read_input_tokens"`
		Write  int64 `json:"cache_creation_input_tokens"`
	}
	Content json.RawMessage
}

// block has the fields of a content block that the second count uses.
type block struct {
	Type, ID, Text string
	CallID         string `json:"tool_use_id"`
	IsError        bool   `json:"is_error"`
	Content        json.RawMessage
}

// blocksOf returns the blocks of a content. Strings become blocks of text.
func blocksOf(content json.RawMessage) (list []block) {
	parts := []json.RawMessage{content}
	_ = json.Unmarshal(content, &parts)
	for _, p := range parts {
		var b block
		if json.Unmarshal(p, &b.Text) == nil {
			b.Type = "text"
		} else if json.Unmarshal(p, &b) != nil {
			continue
		}
		list = append(list, b)
	}
	return list
}

// sumsOf counts tokens per message and request ID, and calls per tool ID.
func sumsOf(data []byte) sums {
	usage, calls, answered, prompts := map[string]transcript.Usage{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	failed, launched := map[string]bool{}, map[string]string{} // launched: task ID → call
	for _, raw := range bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) {
		for dec := json.NewDecoder(bytes.NewReader(raw)); dec.More(); {
			var r line
			if dec.Decode(&r) != nil {
				break
			}
			var m message
			if json.Unmarshal(r.Message, &m) != nil {
				m.Content = r.Message // one old client wrote only the content
			}
			blocks := blocksOf(m.Content)
			for _, b := range blocks {
				switch {
				case r.Type == "assistant" && strings.HasSuffix(b.Type, "tool_use"):
					calls[b.ID] = true
				case strings.HasSuffix(b.Type, "tool_result") && !answered[b.CallID]:
					answered[b.CallID] = true
					bad := b.IsError || b.Type != "tool_result" && bytes.Contains(b.Content, []byte(`"error_code"`)) // run by the API
					failed[b.CallID] = bad && !r.refused(b) && !skipped(b)
					if id := r.task(); id != "" {
						launched[id] = b.CallID
					}
				}
				if task, ok := endedBadly(b.Text); ok && launched[task] != "" && (r.Type == "user" || r.Type == "attachment") {
					failed[launched[task]] = true
				}
			}
			for _, queued := range []json.RawMessage{r.Attachment.Prompt, r.Content} {
				if task, ok := endedBadly(strings.ReplaceAll(string(queued), `\u003c`, "<")); ok && launched[task] != "" {
					failed[launched[task]] = true
				}
			}
			if u := m.Usage; r.Type == "assistant" && u != nil && !r.IsAPIErrorMessage && m.Model != "<synthetic>" {
				key := m.ID + " " + r.RequestID
				if m.ID == "" {
					key = r.UUID
				}
				usage[key] = transcript.Usage{Input: u.Input, Output: u.Output, CacheRead: u.Read, CacheWrite: u.Write}
			}
			if r.prompt(blocks) {
				prompts[r.UUID+string(m.Content)] = true // counted once, even if the line occurs twice
			}
		}
	}
	s := sums{calls: len(calls), prompts: len(prompts)}
	for id := range calls {
		if failed[id] {
			s.failed++
		}
	}
	for _, u := range usage {
		s.tokens = s.tokens.Add(u)
	}
	return s
}

// task returns the ID of the background task that a call started; "" if there is none.
func (r *line) task() string {
	var launch struct {
		BackgroundTaskID, AgentID string
		IsAsync                   bool
	}
	if json.Unmarshal(r.ToolUseResult, &launch) == nil && launch.IsAsync && launch.BackgroundTaskID == "" {
		return launch.AgentID
	}
	return launch.BackgroundTaskID
}

// endedBadly returns the ID of a failed task in a notification.
func endedBadly(text string) (task string, ok bool) {
	if !strings.Contains(text, "<task-notification>") || !strings.Contains(text, "<status>failed</status>") {
		return "", false
	}
	_, rest, _ := strings.Cut(text, "<task-id>")
	task, _, ok = strings.Cut(rest, "</task-id>")
	return task, ok
}

func (r *line) refused(b block) bool {
	return r.ToolDenialKind == "user-rejected" || string(r.ToolUseResult) == `"User rejected tool use"` ||
		bytes.Contains(b.Content, []byte("The user doesn't want to proceed with this tool use."))
}

// skipped reports whether the client skipped the call after the failure of another call.
func skipped(b block) bool {
	return bytes.Contains(b.Content, []byte("Sibling tool call errored")) || bytes.Contains(b.Content, []byte("Cancelled: parallel tool call"))
}

// prompt reports whether a record is from the user. The reason for a refusal counts too.
func (r *line) prompt(blocks []block) bool {
	if r.IsSidechain || r.IsMeta || r.IsCompactSummary {
		return false
	}
	human := r.Origin == nil || r.Origin.Kind == "human"
	switch a := &r.Attachment; {
	case r.Type == "attachment" && a.Type == "queued_command" && a.CommandMode == "prompt" && !a.IsMeta && (a.Origin == nil || a.Origin.Kind == "human"):
		blocks = blocksOf(a.Prompt)
	case r.Type != "user" || !human || r.PromptSource == "system":
		return false
	}
	media, results := 0, 0
	for _, b := range blocks {
		switch b.Type {
		case "text":
			if typed(b.Text) {
				return true
			}
		case "tool_result":
			results++
			if _, said, ok := strings.Cut(string(b.Content), "the user said:\\n"); ok && b.IsError && r.refused(b) && !strings.HasPrefix(said, "The user wants to clarify") {
				return true
			}
		default:
			media++
		}
	}
	return media > 0 && results == 0
}

// typed reports whether the user typed a text.
func typed(text string) bool {
	text = strings.TrimSpace(text)
	for _, start := range []string{
		"<system-reminder>", "<local-command-", "<bash-stdout>", "<bash-stderr>", "<task-notification>", "<ide_", "<command-name>",
		"[Request interrupted by user", "Caveat: The messages below",
	} {
		if strings.HasPrefix(text, start) {
			return false
		}
	}
	return text != ""
}

// TestCorpus compares stats with the second count, and the messages with the outline.
func TestCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := append(filepath.SplitList(os.Getenv("CONTINUO_CORPUS")), filepath.Join("..", "testdata"))
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") && filepath.Base(path) != "history.jsonl" {
				files++
				compare(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files == 0 {
		t.Fatal("no transcript")
	}
}

func compare(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tally stats.Tally
	if err := stats.NewCounter(time.Time{}, time.Time{}).Count(t.Context(), &tally, path, false); err != nil {
		t.Fatal(err)
	}
	f, want := tally.Figures(), sumsOf(data)
	calls, failed := f.Calls()
	if got := (sums{f.Tokens(), calls, failed, f.Prompts}); got != want {
		t.Errorf("%s: %+v; the second count has %+v", filepath.Base(path), got, want)
	}
	o := transcript.NewOutline()
	if _, err := o.Extend(t.Context(), transcript.NewReader(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	if f.Messages != o.Turns {
		t.Errorf("%s: %d messages, the outline has %d", filepath.Base(path), f.Messages, o.Turns)
	}
}
