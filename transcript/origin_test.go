package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	const id = "33333333-2222-4333-8444-000000000001"
	const path = `If you need details, read the full transcript at: /home/d/.claude/projects/-x/` + id + `.jsonl`
	clearing := rec("user", "c1", "", "", said(`<command-name>/clear</command-name>\n<command-args></command-args>`), "")
	prompt, answer := rec("user", "p1", "", "", said("Hello"), ""), rec("assistant", "p2", "p1", "m2", said("Hi"), "")
	from := func(session, line string) string {
		return strings.Replace(line, "{", `{"forkedFrom":{"sessionId":"`+session+`","messageUuid":"u"},`, 1)
	}
	for name, c := range map[string]struct {
		lines []string
		want  string // kind, session, number of copied messages, whether the time of /clear is known, prompts
	}{
		"nothing":         {[]string{prompt, answer}, "  0 false [1]"},
		"fork":            {[]string{from("a", prompt), from("b", answer), rec("user", "p3", "p2", "", said("On"), "")}, "fork b 2 false [1 3]"},
		"fork, unread":    {[]string{from("a", prompt), from("a", answer)}, "fork a 2 false [1]"},
		"forked from 0":   {[]string{strings.Replace(prompt, "{", `{"forkedFrom":null,`, 1)}, "  0 false [1]"},
		"clear":           {[]string{rec("user", "c0", "", "", said("<local-command-caveat>x</local-command-caveat>"), `,"isMeta":true`), clearing, prompt, answer}, "clear  0 true [1]"},
		"clear later":     {[]string{prompt, answer, strings.Replace(clearing, `"c1"`, `"c9"`, 1)}, "  0 false [1]"},
		"plan":            {[]string{rec("user", "p1", "", "", said(`Implement the following plan:\n\n# Tides\n\n`+path), ""), answer}, "plan " + id + " 0 false [1]"},
		"plan, marked":    {[]string{rec("user", "p1", "", "", said(`Implement the following plan:\n\n`+path), `,"origin":{"kind":"auto-continuation"}`)}, "plan " + id + " 0 false []"},
		"plan of nothing": {[]string{rec("user", "p1", "", "", said(`Implement the following plan:\n\n# Tides`), "")}, "  0 false [1]"},
		"quoted":          {[]string{rec("user", "p1", "", "", said(path), "")}, "  0 false [1]"},
		"short path":      {[]string{rec("user", "p1", "", "", said("Implement the following plan: full transcript at: a.jsonl"), "")}, "  0 false [1]"},
		"summary":         {[]string{rec("user", "p1", "", "", said("This session is being continued. "+path), `,"isCompactSummary":true`), rec("user", "p3", "p1", "", said("On"), "")}, "summary " + id + " 0 false [1]"},
		"summary later":   {[]string{prompt, answer, rec("user", "p3", "p2", "", said(path), `,"isCompactSummary":true`)}, "  0 false [1]"},
		"sub-agent":       {[]string{rec("user", "p1", "", "", said("Implement the following plan: "+path), `,"isSidechain":true`)}, "  0 false []"},
	} {
		text, err := transcript.New(t.Context(), strings.NewReader(strings.Join(c.lines, "\n")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		o := text.Outline().Origin()
		numbers := []int{}
		for _, p := range o.Prompts {
			numbers = append(numbers, p.Number)
		}
		if got := fmt.Sprint(o.Kind, " ", o.Session, " ", o.Copied, " ", !o.Cleared.IsZero(), " ", numbers); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
