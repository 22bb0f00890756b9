package sessions_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestName: the quick pass reads only head and tail of long files.
func TestName(t *testing.T) {
	t.Parallel()
	summary := func(leaf, text string) string {
		return fmt.Sprintf(`{"type":"summary","summary":%q,"leafUuid":%q}`+"\n", text, leaf)
	}
	prompt := turn("u1", "Fix the kettle", "/w")
	resp := answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 1)
	custom, ai := `{"type":"custom-title","customTitle":"Mine"}`+"\n", `{"type":"ai-title","aiTitle":"Generated"}`+"\n"
	plan := turn("u1", "Implement the following plan:\n\n# Plan: a **better** kettle #\n\n## Context\nIt leaks.", "/w")
	for name, c := range map[string]struct {
		head, middle, tail string
		quick, exact       string // expected names; an empty quick means exact
	}{
		"prompt":                                {head: prompt + resp, exact: "Fix the kettle"},
		"summary of another session":            {head: summary("elsewhere", "Foreign") + prompt + resp, exact: "Fix the kettle"},
		"summary of another session, behind":    {head: prompt + resp, tail: summary("elsewhere", "Foreign"), exact: "Fix the kettle"},
		"summary without a leaf":                {head: summary("", "Foreign") + prompt + resp, exact: "Fix the kettle"},
		"a parent is no record of the file":     {head: summary("p0", "Foreign") + strings.Replace(prompt, "null", `"p0"`, 1) + resp, exact: "Fix the kettle"},
		"summary behind its leaf":               {head: prompt + resp, tail: summary("a1", "Own"), exact: "Own"},
		"summary before its leaf":               {head: summary("a1", "Own") + prompt + resp, exact: "Own"},
		"summary in the head, leaf in the tail": {head: summary("a9", "Own") + prompt, tail: strings.ReplaceAll(resp, "a1", "a9"), exact: "Own"},
		"the last of its summaries":             {head: summary("u1", "Older") + summary("a1", "Own") + prompt + resp + summary("elsewhere", "Foreign"), exact: "Own"},
		"leaf that only a whole scan finds":     {head: summary("a9", "Own") + prompt, middle: strings.ReplaceAll(resp, "a1", "a9"), quick: "Fix the kettle", exact: "Own"},
		"many summaries of other sessions":      {head: prompt + resp, middle: strings.Repeat(summary("elsewhere", "Foreign"), 900), tail: summary("a1", "Own"), exact: "Own"},
		"titles come first":                     {head: custom + ai + prompt + resp + ai, tail: summary("a1", "Own"), exact: "Mine"},
		"a generated title comes second":        {head: prompt + resp + ai, tail: summary("a1", "Own"), exact: "Generated"},
		"the heading of a plan":                 {head: plan + resp, exact: "Plan: a **better** kettle"},
		"a plan that the client continues":      {head: strings.Replace(plan, `"uuid"`, `"origin":{"kind":"auto-continuation"},"uuid"`, 1) + resp, exact: "Plan: a **better** kettle"},
		"a plan without a heading":              {head: turn("u1", "Implement the following plan:\n\nBoil.", "/w") + resp, exact: "Implement the following plan: Boil."},
		"the first answer":                      {head: turn("u1", "<local-command-stdout>x</local-command-stdout>", "/w") + resp, exact: "ok"},
		"the first words, not those of the tail": {
			head: turn("u1", "<local-command-stdout>x</local-command-stdout>", "/w") + resp, tail: strings.Replace(answer("a9", "a1", "m9", "2026-02-28T10:00:09.000Z", 1), `"ok"`, `"later"`, 1), exact: "ok",
		},
		"a message overridden by a doubled key": {head: strings.Replace(prompt, `,"uuid"`, `,"message":null,"uuid"`, 1) + resp, exact: "ok"},
	} {
		for _, long := range []bool{false, true} {
			t.Run(fmt.Sprint(name, long), func(t *testing.T) {
				t.Parallel()
				pad := ""
				if long { // longer than twice widePeek
					pad = strings.Repeat(`{"type":"progress","data":"`+strings.Repeat("x", 8<<10)+`"}`+"\n", 40)
				}
				data := c.head + pad + c.middle + pad + c.tail
				set := find(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": data}))
				want := c.quick
				if want == "" || !long {
					want = c.exact
				}
				if got := set.Sessions[0]; got.Name != want || long && got.Exact {
					t.Errorf("quick: %q, want %q", got.Name, want)
				}
				if err := set.Exact(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				if got := set.Sessions[0].Name; got != c.exact {
					t.Errorf("exact: %q, want %q", got, c.exact)
				}
			})
		}
	}
}

// TestCompactionAgent: the file of a compaction isn't a session, even without its session's transcript.
func TestCompactionAgent(t *testing.T) {
	t.Parallel()
	agent := strings.Replace(turn("s1", "Your task is to create a detailed summary", "/w"), `"type"`, `"isSidechain":true,"sessionId":"`+idA+`","type"`, 1)
	list := exact(t, tree(t, map[string]string{
		"projects/p/" + idA + "/subagents/agent-acompact-1.jsonl": agent,
		"projects/p/" + idA + "/subagents/agent-2.jsonl":          agent,
		"projects/p/agent-acompact-3.jsonl":                       agent,
		"projects/p/" + idB + ".jsonl":                            turn("u1", "Fix the kettle", "/w"),
		"projects/p/" + idB + "/subagents/agent-acompact-4.jsonl": agent,
	}))
	got := byID(list)
	if _, ok := got["agent-2"]; !ok || len(got) != 2 || len(got[idB].Agents) != 1 {
		t.Errorf("%d rows: %+v", len(got), list)
	}
}
