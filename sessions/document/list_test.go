package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
)

// todoLines formats todos as "x high: text".
func todoLines(list []sessions.Todo) []string {
	var lines []string
	for _, t := range list {
		line := t.Text
		if t.Priority != "" {
			line = t.Priority + ": " + line
		}
		if t.Done {
			line = "x " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func TestDocumentTodos(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"of the spec": {
			"## Remaining Todos\n- [ ] HIGH: one\n- [ ] MEDIUM: two\n- [x] LOW: three\n- [ ] BLOCKED: four\n",
			[]string{"high: one", "medium: two", "x low: three", "blocked: four"},
		},
		"any case, a suffix, other bullets": {
			"## REMAINING todos (2 left)\n\n* [X] high: one\n+ [ ] Low: two\n1. [ ] three\n2) [✓] **Medium**: four\n- [ ] **BLOCKED:** five\n",
			[]string{"x high: one", "low: two", "three", "x medium: four", "blocked: five"},
		},
		"ticks":            {"## Remaining Todos\n- ✓ one\n- ✅ HIGH: two\n- ✔️ three\n- ☐ four\n", []string{"x one", "x high: two", "x three", "four"}},
		"no box":           {"## Remaining Todos\n- one\n- HIGH: two\n", []string{"one", "high: two"}},
		"another box":      {"## Remaining Todos\n- [~] one\n- [-] two\n", []string{"one", "two"}},
		"no priority":      {"## Remaining Todos\n- [ ] Note: one\n- [ ] highest: two\n- [ ] https://x.example\n", []string{"Note: one", "highest: two", "https://x.example"}},
		"none":             {"## Remaining Todos\n- None\n- [ ] none this session (research)\n- N/A\n- _None._\n- None: all done\n- none – later\n", nil},
		"none is a word":   {"## Remaining Todos\n- [ ] None of the tests run on Windows\n- Nonesuch\n", []string{"None of the tests run on Windows", "Nonesuch"}},
		"not filled in":    {"## Remaining Todos\n- [ ] [What is left]\n- [ ] HIGH: [docs](x.md)\n- [ ]\n", []string{"high: [docs](x.md)"}},
		"text alone":       {"## Remaining Todos\nAll is done.\n\n> - no\n", nil},
		"in code":          {"## Remaining Todos\n```md\n- [ ] no\n````\n- [ ] one\n~~~\n- [ ] no\n```\n~~~\n<!-- - [ ] no -->\n<!--\n- [ ] no\n-->\n- [ ] two\n", []string{"one", "two"}},
		"another section":  {"# Remaining Todos\n- [ ] no\n## Remaining Todos\n- [ ] one\n## Next Steps\n- [ ] no\n## remaining todos\n- [ ] two\n", []string{"one", "two"}},
		"parts":            {"## Remaining Todos\n### First\n- [ ] one\ntail\n### Then\nno\n- [ ] two\n", []string{"one tail", "two"}},
		"over lines":       {"## Remaining Todos\n- [ ] HIGH: one\n  and more\nand more\n\n  no\n- two\n---\nno\n", []string{"high: one and more and more", "two"}},
		"nested":           {"## Remaining Todos\n- [ ] one\n  - a detail\n    of it\n  - [x] two\n- three\n\t- no\n", []string{"one", "x two", "three"}},
		"all indented":     {"## Remaining Todos\n  - one\n  - two\n", []string{"one", "two"}},
		"marks":            {"## Remaining Todos\n- [ ] Fix `src/**/*.go` and **that**, a\\_b &amp; c\\* `d\n", []string{"Fix src/**/*.go and that, a_b & c* `d"}},
		"escape sequences": {"## Remaining Todos\n- [ ] HI\x1b[31mGH: a\x1b]0;x\x07b\xff\u202e\n", []string{"high: ab\uFFFD"}},
	} {
		got := written(t, KindSession, "session-x.md", tt.text)
		if lines := todoLines(got.Todos); !slices.Equal(lines, tt.want) {
			t.Errorf("%s: %q, want %q", name, lines, tt.want)
		}
	}
}

func TestDocumentNext(t *testing.T) {
	t.Parallel()
	const want = "one, two"
	for name, text := range map[string]string{
		"numbered":        "## Next Steps\n1. one\n2. two\n",
		"brackets":        "## NEXT STEPS for tomorrow\n\n1) one\n10) two\n",
		"bullets":         "## Next Steps\n- one\n* **two**\n",
		"boxes":           "## Next Steps\n- [ ] one\n- [x] no\n- [ ] two\n",
		"details":         "## Next Steps\n1. one\n   - no\n2. two\n",
		"none":            "## Next Steps\n- None\n1. one\n2. two\n3. [Priority-ordered action items]\n",
		"no marks":        "## Next Steps\n-no\n1.no\n1234567890. no\n1. one\n2. two\n\n1.no\n",
		"two sections":    "## Next Steps\n1. one\n## Else\n1. no\n## Next steps\n1. two\n",
		"without a break": "## Next Steps\n1. one\n2. two",
	} {
		for _, kind := range []Kind{KindSession, KindActiveContext} {
			if got := strings.Join(written(t, kind, "x.md", text).Next, ", "); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

func TestDocumentMost(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, heading := range []string{"Remaining Todos", "Next Steps"} {
		text.WriteString("## " + heading + "\n")
		for i := range 300 {
			fmt.Fprintf(&text, "- %d %s\n  %s\n", i, strings.Repeat("ä", 300), strings.Repeat("ö ", 3_000))
		}
	}
	d := written(t, KindSession, "x.md", text.String())
	if len(d.Todos) != maxTodos || len(d.Next) != maxSteps || !strings.HasPrefix(d.Todos[maxTodos-1].Text, "199 ") {
		t.Fatalf("%d todos, %d steps", len(d.Todos), len(d.Next))
	}
	for i := range d.Next {
		if a, b := utf8.RuneCountInString(d.Todos[i].Text), utf8.RuneCountInString(d.Next[i]); a > maxLine || b > maxLine || a < maxLine-1 {
			t.Fatalf("%d and %d runes", a, b)
		}
	}
}

func TestDocumentPrevious(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"null": "", "~": "", "none": "", "None": "", `""`: "", "'null'": "", "": "", "N/A": "", "none - the first one": "",
		"session-a.md": "session-a.md", `"session-b"`: "session-b", "nonesuch.md": "nonesuch.md", "[session-c.md]": "session-c.md",
	} {
		if got := written(t, KindSession, "x.md", "---\nprevious_session: "+value+"\n---\n").Previous; got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	broken := written(t, KindSession, "x.md", "---\ntags: [a\nprevious_session: session-a.md\n---\n")
	if !broken.Malformed || broken.Previous != "session-a.md" {
		t.Errorf("%+v", broken)
	}
}
