package document

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// FuzzFrontMatter: every text of the Document is one clean line.
func FuzzFrontMatter(f *testing.F) {
	for _, text := range []string{
		whole, "", "---", "---\n---", "---\n...\n", "---\r\na: b\r\n---\r\n", "\uFEFF---\n",
		"---\ntags: [a, b\n---\n", "---\n<<: *a\na: &a [*a]\n---\n", "---\n? a\n: - !!binary |\n    x\n---\n",
		"---\nx: \"\\e[31m\\x00\\ud800\"\nx: 'y'\n---\n# \x1b[2J\n", "---\n%YAML 1.2\n---\na: b\n---\nc: d\n",
		"---\ndate: 0000-00-00T\ntags: {a: b}\n- x\n---\n", "---\n\t- x: |+2\n>-\n---\n> Last Updated:\n## Session Summary\n- \n",
		"---\n" + strings.Repeat("[{", 40) + "\n---\n",
		"## Remaining Todos\n- [ ] HIGH: a\n  b\n\t- c\n```\n```\n- \\\x1b **\n## Next Steps\n1. `x` **y** \\* &lt;\n> b\n|c|\n- [✓] d\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := written(t, KindSession, "session-2026-01-16-0515.md", string(text))
		if d.Path != "/p/session-2026-01-16-0515.md" || d.Title == "" || d.Date.IsZero() || d.Bytes != int64(len(text)) {
			t.Errorf("document %+v", d)
		}
		var todos []string
		for _, todo := range d.Todos {
			todos = append(todos, todo.Text, todo.Priority)
		}
		for _, s := range slices.Concat(d.Tags, d.Next, todos, []string{d.Title, d.Status, d.ProjectName, d.Previous, d.Branch, d.Summary, d.Problem}) {
			if s != transcript.CleanLine(s) || utf8.RuneCountInString(s) > maxLine {
				t.Errorf("not a clean line: %q", s)
			}
		}
	})
}
