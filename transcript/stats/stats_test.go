package stats_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
)

const (
	// session has two records of one answer, calls, an edit and two links to one pull request. It has no records
	// between 10:02 and 10:30.
	session = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-21T10:00:00Z","message":{"role":"user","content":"Brew"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","requestId":"r1","timestamp":"2026-11-21T10:01:00Z","message":{"id":"m1","model":"opus","role":"assistant","usage":{"input_tokens":10,"output_tokens":1,"cache_read_input_tokens":80,"cache_creation_input_tokens":10},"content":[{"type":"text","text":"Yes"}]}}
{"type":"assistant","uuid":"u3","parentUuid":"u2","requestId":"r1","timestamp":"2026-11-21T10:01:01Z","message":{"id":"m1","model":"opus","role":"assistant","usage":{"input_tokens":10,"output_tokens":7,"cache_read_input_tokens":80,"cache_creation_input_tokens":10},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}}]}}
{"type":"user","uuid":"u4","parentUuid":"u3","timestamp":"2026-11-21T10:02:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1"}]}}
{"type":"assistant","uuid":"u5","parentUuid":"u4","requestId":"r2","timestamp":"2026-11-21T10:30:00Z","message":{"id":"m2","model":"opus","role":"assistant","usage":{"input_tokens":1,"output_tokens":2},"content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"a.go","old_string":"x\n","new_string":"y\nz\n"}},{"type":"tool_use","id":"t3","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","uuid":"u6","parentUuid":"u5","timestamp":"2026-11-21T10:30:10Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"done"},{"type":"tool_result","tool_use_id":"t3","content":"a.go"}]}}
{"type":"assistant","uuid":"u7","parentUuid":"u6","isApiErrorMessage":true,"timestamp":"2026-11-21T10:31:00Z","message":{"id":"m3","model":"<synthetic>","role":"assistant","usage":{"input_tokens":0,"output_tokens":0},"content":[{"type":"text","text":"API Error: 529"}]}}
{"type":"pr-link","sessionId":"s","prNumber":7,"prUrl":"https://example.com/pull/7","prRepository":"tea/house","timestamp":"2026-11-21T10:31:30Z"}
{"type":"pr-link","sessionId":"s","prNumber":7,"prUrl":"https://example.com/pull/7","prRepository":"tea/house","timestamp":"2026-11-21T10:31:40Z"}
`
	agent = `{"type":"user","isSidechain":true,"agentId":"a","uuid":"a1","parentUuid":null,"timestamp":"2026-11-21T10:32:00Z","message":{"role":"user","content":"Look"}}
{"type":"assistant","isSidechain":true,"agentId":"a","uuid":"a2","parentUuid":"a1","requestId":"r9","timestamp":"2026-11-21T10:33:00Z","message":{"id":"m9","model":"haiku","role":"assistant","usage":{"input_tokens":3,"output_tokens":4},"content":[{"type":"tool_use","id":"t9","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","isSidechain":true,"agentId":"a","uuid":"a3","parentUuid":"a2","timestamp":"2026-11-21T10:34:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"a.go"}]}}
`
)

func at(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

func whole() stats.Figures {
	return stats.Figures{
		First: at("2026-11-21T10:00:00Z"), Last: at("2026-11-21T10:34:00Z"), Active: 6 * time.Minute,
		Messages: 4, Prompts: 1, Errors: 1, Commands: 3, CommandsFailed: 1, Agents: 1,
		Tools: []stats.Tool{{"Bash", 3, 1, 1}, {"Edit", 1, 0, 0}},
		Models: []stats.Model{
			{"opus", false, 2, transcript.Usage{Input: 11, Output: 9, CacheRead: 80, CacheWrite: 10}},
			{"haiku", true, 1, transcript.Usage{Input: 3, Output: 4}},
		},
		Files:    []stats.File{{"a.go", 1, 2, 1, at("2026-11-21T10:30:00Z"), stats.Place{Call: "t2"}}},
		Requests: []stats.PullRequest{{7, "tea/house", "https://example.com/pull/7", at("2026-11-21T10:31:30Z")}},
		Failures: []stats.Failure{{"go test", 1, 1, at("2026-11-21T10:01:00Z"), stats.Place{Call: "t1"}}},
		Context:  []stats.Context{{at("2026-11-21T10:01:01Z"), 107}, {at("2026-11-21T10:30:00Z"), 3}},
	}
}

func count(t *testing.T, c *stats.Counter, tally *stats.Tally, raw string, isAgent bool) {
	t.Helper()
	if err := c.CountFrom(t.Context(), tally, strings.NewReader(raw), isAgent); err != nil {
		t.Fatal(err)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	c, tally := stats.NewCounter(time.Time{}, time.Time{}), stats.Tally{}
	count(t, c, &tally, session, false)
	count(t, c, &tally, agent, true)
	f := tally.Figures()
	if want := whole(); !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
	if share := stats.CacheShare(f.Tokens()); share < 0.76 || share > 0.77 { // 80 of 104
		t.Errorf("cache share %v", share)
	}
}

// TestFailures: several failures of a command are one Failure, with the last exit code.
func TestFailures(t *testing.T) {
	t.Parallel()
	c, tally, later := stats.NewCounter(time.Time{}, time.Time{}), stats.Tally{}, stats.Tally{}
	count(t, c, &tally, session, false)
	again := strings.NewReplacer(`"t1"`, `"t7"`, `uid":"u`, `uid":"v`, "2026-11-21T10", "2026-11-21T12", "code 1", "code 2", `"m1"`, `"m7"`).Replace(session)
	count(t, c, &later, again, false)
	later.Add(&tally)
	want := []stats.Failure{{"go test", 2, 2, at("2026-11-21T12:01:00Z"), stats.Place{Call: "t7"}}}
	if got := later.Figures().Failures; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestFork: messages that were copied from another transcript don't count.
func TestFork(t *testing.T) {
	t.Parallel()
	c, origin, fork := stats.NewCounter(time.Time{}, time.Time{}), stats.Tally{}, stats.Tally{}
	count(t, c, &origin, session, false)
	own := `{"type":"user","uuid":"f1","parentUuid":"u7","timestamp":"2026-11-21T11:00:00Z","message":{"role":"user","content":"Again"}}
{"type":"assistant","uuid":"f2","parentUuid":"f1","requestId":"r5","timestamp":"2026-11-21T11:01:00Z","message":{"id":"m5","model":"opus","role":"assistant","usage":{"input_tokens":5,"output_tokens":6},"content":[{"type":"text","text":"Yes"}]}}
`
	count(t, c, &fork, session+own, false)
	f := fork.Figures()
	if f.Messages != 2 || f.Prompts != 1 || len(f.Tools) != 0 || len(f.Files) != 0 || f.Active != time.Minute || f.Errors != 0 ||
		f.Tokens() != (transcript.Usage{Input: 5, Output: 6}) {
		t.Errorf("the fork counts %+v", f)
	}
	origin.Add(&fork)
	sum := origin.Figures()
	if sum.Messages != 6 || sum.Tokens().Output != 15 || len(sum.Requests) != 1 {
		t.Errorf("both count %+v", sum)
	}
}

// TestDay: a record at the end of the day belongs to the next day.
func TestDay(t *testing.T) {
	t.Parallel()
	c, tally := stats.NewCounter(at("2026-11-21T10:30:00Z"), at("2026-11-21T10:31:00Z")), stats.Tally{}
	count(t, c, &tally, session, false)
	f := tally.Figures()
	if calls, failed := f.Calls(); calls != 2 || failed != 0 || f.Messages != 1 || f.Prompts != 0 || f.Errors != 0 || len(f.Requests) != 0 ||
		f.Active != 10*time.Second || f.Tokens().Output != 2 {
		t.Errorf("got %+v", f)
	}
	var none stats.Tally
	count(t, stats.NewCounter(at("2026-11-22T00:00:00Z"), at("2026-11-23T00:00:00Z")), &none, session, false)
	if !none.Empty() {
		t.Errorf("the day after counts %+v", none.Figures())
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "one.jsonl")
	compacted := `{"type":"system","subtype":"compact_boundary","uuid":"c1","parentUuid":null,"logicalParentUuid":"u7","timestamp":"2026-11-21T10:31:50Z","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":168200}}` + "\n"
	if err := os.WriteFile(path, []byte(session+compacted), 0o600); err != nil {
		t.Fatal(err)
	}
	var tally stats.Tally
	if err := stats.NewCounter(time.Time{}, time.Time{}).Count(t.Context(), &tally, path, false); err != nil {
		t.Fatal(err)
	}
	f := tally.Figures()
	if got, want := f.Files[0].At, (stats.Place{Transcript: path, Call: "t2"}); got != want {
		t.Errorf("the file was changed at %+v, want %+v", got, want)
	}
	if got, want := f.Failures[0].At, (stats.Place{Transcript: path, Call: "t1"}); got != want {
		t.Errorf("the call failed at %+v, want %+v", got, want)
	}
	if want := []time.Time{at("2026-11-21T10:31:50Z")}; !reflect.DeepEqual(f.Compacted, want) || f.Compactions != 1 {
		t.Errorf("compacted %v, want %v", f.Compacted, want)
	}
}
