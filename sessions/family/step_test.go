package family_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
)

// talked has sub-agents at u2 and u6, a rewound prompt and a compaction. b1 is an edited prompt after u3, c1 the
// compaction.
const talked = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-20T10:00:00Z","message":{"role":"user","content":"Brew"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-20T10:01:00Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Agent","input":{"description":"Find every caller","subagent_type":"explorer","prompt":"Look"}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","timestamp":"2026-11-20T10:05:00Z","toolUseResult":{"agentId":"a1"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Three"}]}}
{"type":"user","uuid":"b1","parentUuid":"u3","timestamp":"2026-11-20T10:06:00Z","message":{"role":"user","content":"No, use one clock\nfor all"}}
{"type":"assistant","uuid":"b2","parentUuid":"b1","timestamp":"2026-11-20T10:07:00Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"One clock"}]}}
{"type":"user","uuid":"u4","parentUuid":"u3","timestamp":"2026-11-20T10:08:00Z","message":{"role":"user","content":"Use two"}}
{"type":"assistant","uuid":"u5","parentUuid":"u4","timestamp":"2026-11-20T10:09:00Z","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"Two clocks"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"c1","parentUuid":null,"logicalParentUuid":"u5","timestamp":"2026-11-20T10:20:00Z","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":168200,"postTokens":21300}}
{"type":"assistant","uuid":"u6","parentUuid":"c1","timestamp":"2026-11-20T10:30:00Z","message":{"id":"m4","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Agent","input":{"description":"Skew of 4 s","subagent_type":"tester","prompt":"Test"}}]}}
{"type":"user","uuid":"u7","parentUuid":"u6","timestamp":"2026-11-20T10:35:00Z","toolUseResult":{"agentId":"a2"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"Green"}]}}
`

// stepsOf returns the steps of a transcript with the sub-agents a1, a2 and late. The agent late has no call.
func stepsOf(t *testing.T, raw string) (*sessions.Row, []family.Step) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "one.jsonl")
	if err := os.WriteFile(path, []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	of := &sessions.Row{Kind: sessions.KindSession}
	of.ID, of.Path = "one", path
	talk := family.Talk{
		Messages: text.Outline().Messages, Threads: text.Outline().Threads, Decoded: map[int]transcript.Message{},
		Line: func(m *transcript.Message) string {
			line, _, _ := strings.Cut(m.Blocks[0].Text, "\n")
			return line
		},
	}
	for i := range talk.Messages {
		if slices.Contains(talk.Wanted(), i) || talk.Messages[i].Calls > 0 {
			talk.Decoded[i] = text.Message(i)
		}
	}
	for i, id := range []string{"a2", "a1", "late"} {
		of.Agents = append(of.Agents, filepath.Join(dir, "one", "subagents", "agent-"+id+".jsonl"))
		talk.Agents = append(talk.Agents, family.AgentTalk{Path: of.Agents[i], Task: "Its task", Began: hour(10 + 5*(i/2)), Messages: i + 1})
	}
	return of, talk.Steps(of)
}

func TestSteps(t *testing.T) {
	t.Parallel()
	_, steps := stepsOf(t, talked)
	var got []string
	for _, s := range steps {
		text := fmt.Sprintf("%s %s: %s %q %d", s.Kind, s.ID, s.Type, s.Title, s.Messages)
		if s.Kind == family.StepBranch {
			text += fmt.Sprintf(" from %d to %s", s.From, s.End)
		}
		if c := s.Compaction; c != nil {
			text += fmt.Sprintf(" %d to %d", c.Before, c.After)
		}
		got = append(got, text)
	}
	want := []string{
		`agent m1: explorer "Find every caller" 2`, `branch b1:  "No, use one clock" 2 from 2 to m2`, `compaction c1:  "" 0 168200 to 21300`,
		`agent m4: tester "Skew of 4 s" 1`, `agent :  "Its task" 3`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestInlineAgents: the session's own transcript has its sub-agents.
func TestInlineAgents(t *testing.T) {
	t.Parallel()
	const side = `{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"timestamp":"2026-11-20T10:02:00Z","message":{"role":"user","content":"Count\nthe bells"}}
{"type":"assistant","uuid":"s2","parentUuid":"s1","isSidechain":true,"timestamp":"2026-11-20T10:03:00Z","message":{"id":"s2","role":"assistant","content":[{"type":"text","text":"Three"}]}}
`
	lines := strings.SplitAfter(talked, "\n")
	_, steps := stepsOf(t, lines[0]+lines[1]+side+strings.Join(lines[2:], ""))
	at := slices.IndexFunc(steps, func(s family.Step) bool { return s.Kind == family.StepAgent && s.Path == "" })
	if at < 0 || at > 1 || steps[at].ID != "s1" || steps[at].Title != "Count" || steps[at].Messages != 2 {
		t.Errorf("step %d of %+v", at, steps)
	}
}

// TestWith: steps follow their session. A fork doesn't repeat the steps of its parent.
func TestWith(t *testing.T) {
	t.Parallel()
	of, steps := stepsOf(t, talked)
	fork := row("two", nil)
	list := []family.Member{
		{Row: of, ID: "one", Parent: -1},
		{Row: fork, ID: "two", Parent: 0, Depth: 1, Branch: true, Link: family.Link{Relation: family.Fork, At: 3}},
	}
	own := steps[2]
	own.When = own.When.Add(time.Minute)
	out := family.With(list, func(m *family.Member) []family.Step {
		if m.Row == of {
			return steps
		}
		return []family.Step{steps[1], steps[2], own}
	})
	var got []string
	for i := range out {
		m := &out[i]
		text := fmt.Sprintf("%d %s of %d", m.Depth, m.ID, m.Parent)
		if m.Step != nil {
			text += " " + string(m.Step.Kind)
		}
		got = append(got, text)
	}
	want := "0 one of -1; 1 one of 0 agent; 1 one of 0 branch; 0 one of 0 compaction; 1 one of 0 agent; 1 one of 0 agent; 1 two of 0; 1 two of 6 compaction"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
