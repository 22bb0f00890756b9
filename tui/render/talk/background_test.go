package talk

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestBackground(t *testing.T) {
	t.Parallel()
	tr, err := transcript.Open(t.Context(), filepath.Join("testdata", "background.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	for _, width := range []int{75, 115} {
		var b strings.Builder
		last := Start
		for i := range tr.Outline().Messages {
			m := tr.Message(i)
			o := Options{Width: width, Left: 2, Styles: render.NewStyles(render.None)}
			d := Draw(&m, last, o)
			checkDrawing(t, fmt.Sprintf("message %d at %d", i, width), d, &m, o)
			last = d.End
			for _, l := range d.Lines {
				b.WriteString(strings.TrimRight(l, " ") + "\n")
			}
		}
		golden(t, fmt.Sprint("background-", width), b.String())
	}
}
