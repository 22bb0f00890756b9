package talk

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestTools(t *testing.T) {
	t.Parallel()
	tr, err := transcript.Open(t.Context(), filepath.Join("..", "..", "..", "transcript", "testdata", "tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	for _, width := range []int{80, 120} {
		var b strings.Builder
		last := Start
		o := Options{Width: width, Left: 2, Styles: render.NewStyles(render.None), Dir: "/home/ada", Home: "/home/ada"}
		for i := range tr.Outline().Messages {
			m := tr.Message(i)
			d := Draw(&m, last, o)
			checkDrawing(t, fmt.Sprintf("message %d at %d", i, width), d, &m, o)
			checkFolded(t, fmt.Sprintf("message %d at %d", i, width), &m, d)
			last = d.End
			for _, l := range d.Lines {
				b.WriteString(strings.TrimRight(l, " ") + "\n")
			}
		}
		golden(t, fmt.Sprint("tools-", width), b.String())
	}
}

// checkFolded checks that folded lines of calls contain no JSON and no tag of the client. Inputs and outputs may
// contain them.
func checkFolded(t *testing.T, what string, m *transcript.Message, d Drawing) {
	t.Helper()
	for _, p := range d.Parts {
		if p.Block < 0 || p.Fold != Shut || m.Blocks[p.Block].Kind != transcript.BlockToolUse {
			continue
		}
		c := m.Call(p.Block)
		if c.Kind == transcript.ToolOther {
			continue
		}
		lines := strings.Join(d.Lines[p.From:p.To], "\n")
		if q := c.Target(); q != nil && strings.ContainsAny(q.Text(), "{<") { // the model wrote the input this way
			_, lines, _ = strings.Cut(lines, "\n")
		}
		if strings.Contains(lines, `{"`) {
			t.Errorf("%s: JSON in %q", what, lines)
		}
		for _, tag := range []string{"<tool_use_error>", "<status>", "<retrieval_status>", "<task_id>", "<system-reminder>", "<stdout>", "<error>"} {
			if strings.Contains(lines, tag) {
				t.Errorf("%s: a tag in %q", what, lines)
			}
		}
	}
}
