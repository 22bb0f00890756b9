package sessions_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestName names sessions of every sort in both passes: whole files, and those of which the quick pass reads only the
// head and the tail.
func TestName(t *testing.T) {
	t.Parallel()
	summary := func(leaf, text string) string {
		return fmt.Sprintf(`{"type":"summary","summary":%q,"leafUuid":%q}`+"\n", text, leaf)
	}
	prompt := turn("u1", "Fix the kettle", "/w")
	said := answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 1)
	custom, ai := `{"type":"custom-title","customTitle":"Mine"}`+"\n", `{"type":"ai-title","aiTitle":"Generated"}`+"\n"
	plan := turn("u1", "Implement the following plan:\n\n# Plan: a **better** kettle #\n\n## Context\nIt leaks.", "/w")
	for name, c := range map[string]struct {
		head, middle, tail string
		quick, exact       string // names; quick "" is that of exact
	}{
		"prompt":                                {head: prompt + said, exact: "Fix the kettle"},
		"summary of another session":            {head: summary("elsewhere", "Foreign") + prompt + said, exact: "Fix the kettle"},
		"summary of another session, behind":    {head: prompt + said, tail: summary("elsewhere", "Foreign"), exact: "Fix the kettle"},
		"summary without a leaf":                {head: summary("", "Foreign") + prompt + said, exact: "Fix the kettle"},
		"a parent is no record of the file":     {head: summary("p0", "Foreign") + strings.Replace(prompt, "null", `"p0"`, 1) + said, exact: "Fix the kettle"},
		"summary behind its leaf":               {head: prompt + said, tail: summary("a1", "Own"), exact: "Own"},
		"summary before its leaf":               {head: summary("a1", "Own") + prompt + said, exact: "Own"},
		"summary in the head, leaf in the tail": {head: summary("a9", "Own") + prompt, tail: strings.ReplaceAll(said, "a1", "a9"), exact: "Own"},
		"the last of its summaries":             {head: summary("u1", "Older") + summary("a1", "Own") + prompt + said + summary("elsewhere", "Foreign"), exact: "Own"},
		"leaf that only a whole scan finds":     {head: summary("a9", "Own") + prompt, middle: strings.ReplaceAll(said, "a1", "a9"), quick: "Fix the kettle", exact: "Own"},
		"many summaries of other sessions":      {head: prompt + said, middle: strings.Repeat(summary("elsewhere", "Foreign"), 900), tail: summary("a1", "Own"), exact: "Own"},
		"titles come first":                     {head: custom + ai + prompt + said + ai, tail: summary("a1", "Own"), exact: "Mine"},
		"a generated title comes second":        {head: prompt + said + ai, tail: summary("a1", "Own"), exact: "Generated"},
		"the heading of a plan":                 {head: plan + said, exact: "Plan: a **better** kettle"},
		"a plan that the client goes on with":   {head: strings.Replace(plan, `"uuid"`, `"origin":{"kind":"auto-continuation"},"uuid"`, 1) + said, exact: "Plan: a **better** kettle"},
		"a plan without a heading":              {head: turn("u1", "Implement the following plan:\n\nBoil.", "/w") + said, exact: "Implement the following plan: Boil."},
		"the first words said":                  {head: turn("u1", "<local-command-stdout>x</local-command-stdout>", "/w") + said, exact: "ok"},
		"the first words, not those of the tail": {
			head: turn("u1", "<local-command-stdout>x</local-command-stdout>", "/w") + said, tail: strings.Replace(answer("a9", "a1", "m9", "2026-02-28T10:00:09.000Z", 1), `"ok"`, `"later"`, 1), exact: "ok",
		},
		"a message that a doubled key takes away": {head: strings.Replace(prompt, `,"uuid"`, `,"message":null,"uuid"`, 1) + said, exact: "ok"},
	} {
		for _, long := range []bool{false, true} {
			t.Run(fmt.Sprint(name, long), func(t *testing.T) {
				t.Parallel()
				pad := ""
				if long { // what a wide look at both ends does not meet
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

// TestCompactionAgent: what a compaction wrote beside a session that is gone is no session.
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
