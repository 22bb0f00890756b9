package document

import (
	"strings"
	"testing"
)

// TestNextOfActiveContexts: the forms are from real files.
func TestNextOfActiveContexts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"a label with a list": {
			"## Current focus\n- **Done:**\n  - no\n- **Next:**\n  - one `a`\n    and more\n  - two\n    - no\n\n  - three\n- **Known:** no\n  - no\n",
			"one a and more, two, three",
		},
		"a label with a text":      {"## Apps\n- no\n- **Next:** one;\n  and more\n  - no\n- no\n## Bar\n- **Next:** two\n\nno\n", "one; and more, two"},
		"a label in a paragraph":   {"## Now\n**Next**: one\nand more\n\n- no\n\n**Next steps:**\n\n1. two\n2. **Three:** x\n\nno\n\n- no\n", "one and more, two, Three: x"},
		"a label below a heading":  {"### Now\n**Next:**\n- one\n### Then\n- no\n", "one"},
		"two labels in a list":     {"- **Next:**\n  - one\n- **Next:** two\n", "one, two"},
		"another label":            {"- **Next Phase:** no\n- **Blockers:**\n  - no\n- **Next** no\n", ""},
		"a label of done steps":    {"- **Next:**\n  - [x] no\n  - [ ] one\n  - None\n", "one"},
		"notes for next session":   {"## Notes for Next Session\n- one must stay at **module level**\n- two\n\n## Else\n- no\n", "one must stay at module level, two"},
		"next up":                  {"## Next Up\n- **One** — two\n", "One — two"},
		"immediate next steps":     {"## Immediate Next Steps\n1. one\n", "one"},
		"a section with labels":    {"## Next Steps\n- **Next:** one\n", "Next: one"},
		"a label as current task":  {"## Current Task\n**Next:** one\n", "one"},
		"code and comments":        {"<!-- **Next:** no -->\n```\n**Next:** no\n```\n**Next:**\n```\n- no\n```\n- one\n", "one"},
		"headings of other things": {"## Nextcloud\n- no\n## What is next for them\n- no\n", ""},
	} {
		d := written(t, KindActiveContext, "active-context.md", tt.text)
		if got := strings.Join(d.Next, ", "); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if name == "a label as current task" && d.Summary != "**Next:** one" {
			t.Errorf("summary is %q", d.Summary)
		}
	}
	if d := written(t, KindSession, "session-x.md", "- **Next:** no\n"); len(d.Next) > 0 {
		t.Errorf("a session document has next steps: %q", d.Next)
	}
}
