package talk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript/dropped"
)

func TestDrawDropped(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 14, 31, 0, 0, time.UTC)
	list := dropped.List{
		{Kind: dropped.Decision, Text: "How long is the leeway?", Said: "30 s", Time: at},
		{Kind: dropped.File, Text: "/home/ada/teahouse/src/auth/clock.go", Edits: 1, Reads: 3, Time: at},
	}
	for i := range 32 {
		list = append(list, dropped.Item{Kind: dropped.Command, Text: fmt.Sprint("make ", i), Runs: 1 + i%2, Failed: i < 2, Time: at})
	}
	o := Options{Width: 100, Left: 2, Dir: "/home/ada/teahouse"}
	want := `    ▾ Not in the summary  34 of 60: 1 decision, 1 file, 32 commands
      decisions   30 s                                 you     How long is the leeway?         14:31
      files       src/auth/clock.go                    Claude  edited once, read 3 times       14:31
      commands    make 0                               Claude  run once, failed                14:31
                  make 1                               Claude  run 2 times, last failed        14:31
                  make 2                               Claude  run once                        14:31
                  make 3                               Claude  run 2 times                     14:31`
	d := DrawDropped(&list, 60, Open, Folded, o)
	if got := strings.Join(d.Lines[1:8], "\n"); got != want || d.Lines[0] != "" {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.TrimSpace(d.Lines[len(d.Lines)-1]); got != "… 12 more" || len(d.Parts) != 1+2+20 || !d.Parts[0].More {
		t.Errorf("%d parts, the last line is %q", len(d.Parts), got)
	}
	for i, p := range d.Parts[1:] {
		if p.Item != i+1 || p.To != p.From+1 {
			t.Errorf("part %d is %+v", i+1, p)
		}
	}
	if whole := DrawDropped(&list, 0, Whole, Folded, o); len(whole.Parts) != 1+len(list) || whole.Parts[0].More {
		t.Errorf("%d parts of the whole list", len(whole.Parts))
	}
	short := list[1:2]
	for _, tt := range []struct {
		list *dropped.List
		fold Fold
		want string
	}{
		{nil, Shut, "    ▸ Not in the summary"},
		{nil, Open, "    ▾ Not in the summary  …"},
		{&list, Shut, "    ▾ Not in the summary  1 decision, 1 file, 32 commands\n" +
			"      decisions   30 s                                 you     How long is the leeway?         14:31\n" +
			"      files       src/auth/clock.go                    Claude  edited once, read 3 times       14:31\n" +
			"      commands    make 0                               Claude  run once, failed                14:31\n" +
			"                  make 1                               Claude  run 2 times, last failed        14:31\n" +
			"                  make 2                               Claude  run once                        14:31\n" +
			"                  make 3                               Claude  run 2 times                     14:31\n" +
			"                  … 28 more"},
		{&short, Shut, "      Not in the summary  1 file\n" +
			"      files       src/auth/clock.go                    Claude  edited once, read 3 times       14:31"},
		{&list, Fixed, "      Not in the summary: 1 decision, 1 file, 32 commands"},
		{&dropped.List{}, Open, "      Not in the summary: nothing"},
	} {
		d := DrawDropped(tt.list, 0, tt.fold, Start, o)
		if got := strings.Join(d.Lines, "\n"); got != tt.want {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
		if end := EndDropped(tt.list, tt.fold); end != d.End {
			t.Errorf("%q: ending %d, want %d", tt.want, end, d.End)
		}
	}
	list[0].Text, list[0].Said, list[1].Text = strings.Repeat("long ", 60), strings.Repeat("答", 60), "/"+strings.Repeat("deep/", 60)
	for width := range 120 {
		o.Width = width
		for _, line := range DrawDropped(&list, 0, Open, Start, o).Lines {
			if w := ansi.StringWidth(line); w > width {
				t.Fatalf("%d cells of %d: %q", w, width, line)
			}
		}
	}
}
