package out

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

type file struct {
	name, folder string
	bytes        int64
	at           time.Time
	why          string
}

func filesTable() *Table[file] {
	return &Table[file]{
		Columns: []Column[file]{
			{Key: "name", Head: "name", Fill: true, Least: 6, Value: func(f file) any { return f.name }},
			{Key: "folder", Head: "folder", Least: 4, Max: 12, Leave: 2, Value: func(f file) any { return Path(f.folder) }},
			{
				Key: "bytes", Head: "size", Right: true, Leave: 1, Value: func(f file) any { return f.bytes },
				Text: func(f file) string { return words.Size(f.bytes) },
			},
			{Key: "at", Value: func(f file) any { return Time(f.at) }},
			{Key: "tags", Value: func(file) any { return OrEmpty[string](nil) }},
			{Key: "why", Below: true, Least: 10, Value: func(f file) any { return f.why }, Has: func(f file) bool { return f.why != "" }},
		},
		Piped: "bytes name folder at why",
		Shown: "name folder bytes why",
		Mark:  func(file) render.Span { return render.Span{Text: "·"} },
		Group: func(f file) string { return strings.ToUpper(f.folder[:1]) },
		Title: "Files", Empty: "No files.",
	}
}

func someFiles() []file {
	return []file{
		{"a long name of a file", "/home/ada", 1200, time.Date(2026, 11, 21, 15, 52, 0, 500, time.UTC), ""},
		{"b\tc\x1b[31m", "/x  y", 7, time.Time{}, "it is \"odd\" in more than one way"},
	}
}

// printed returns a table's output on stdout and stderr.
func printed(t *testing.T, rows []file, terminal, json bool, width int) (string, string) {
	t.Helper()
	var out, err strings.Builder
	o := New(strings.NewReader(""), &out, &err, func(string) string { return "" })
	o.Out.Terminal, o.Out.Width, o.JSON = terminal, width, json
	if e := filesTable().Print(o, rows, "2 files in all."); e != nil {
		t.Fatal(e)
	}
	return out.String(), err.String()
}

func TestTable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		terminal, json bool
		out, err       string
	}{
		{"terminal", true, false, `Files

  name                     folder       size
/ 2
· a long name of a file    /home/ada  1.2 kB
· b c                      /x  y         7 B  it is "odd" in more than one way

2 files in all.
`, ""},
		{"pipe", false, false, "1200\ta long name of a file\t/home/ada\t2026-11-21T15:52:00Z\t-\n7\tb c\t/x  y\t-\tit is \"odd\" in more than one way\n", "2 files in all.\n"},
		{"json", true, true, `[
{"name":"a long name of a file","folder":"/home/ada","bytes":1200,"at":"2026-11-21T15:52:00.0000005Z","tags":[]},
{"name":"b\tc\u001b[31m","folder":"/x  y","bytes":7,"at":null,"tags":[],"why":"it is \"odd\" in more than one way"}
]
`, ""},
	} {
		out, err := printed(t, someFiles(), tt.terminal, tt.json, 80)
		if out != tt.out || err != tt.err {
			t.Errorf("%s: got %q\n%s\nwant\n%s", tt.name, err, out, tt.out)
		}
	}
	if out, _ := printed(t, nil, true, false, 80); out != "No files.\n" {
		t.Errorf("no rows: %q", out)
	}
	if out, _ := printed(t, nil, true, true, 80); out != "[\n]\n" {
		t.Errorf("no rows as JSON: %q", out)
	}
}

// TestTableFits: no line is wider than the page or ends with spaces.
func TestTableFits(t *testing.T) {
	t.Parallel()
	for width := range 140 {
		out, _ := printed(t, someFiles(), true, false, width)
		for line := range strings.SplitSeq(out, "\n") {
			if n := ansi.StringWidth(line); n > max(width-ListMargin, 1) || strings.HasSuffix(line, " ") {
				t.Errorf("width %d: a line of %d cells: %q", width, n, line)
			}
		}
	}
	// With less width, the reason moves to its own line, then the size and the folder are dropped.
	for width, want := range map[int]string{
		60: "/home/ada  1.2 kB\n· b c                    /x  y         7 B  it is \"odd\" in\n", 24: "/ho…  1.2 kB\n· b c     /x …     7 B\n  it is \"odd\"",
		20: "/home/a…\n· b c     /x  y\n", 12: "· b c\n",
	} {
		if out, _ := printed(t, someFiles(), true, false, width); !strings.Contains(out, want) {
			t.Errorf("width %d: no %q in\n%s", width, want, out)
		}
	}
}
