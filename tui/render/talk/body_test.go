package talk

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestDrawWork: memory is allocated only for the lines that are drawn. The test isn't parallel because it counts
// allocations.
func TestDrawWork(t *testing.T) { //nolint:paralleltest // see above
	many := strings.Repeat("a line of the result, \x1b[31mcoloured\x1b[m\tand long enough\n", 1<<20/54)
	one := strings.Repeat("x\ty ", 1<<18)
	long := make([]string, 5000)
	for i := range long {
		long[i] = []string{"-", "+", " "}[i%3] + strings.Repeat("\tcode", 40)
	}
	patch := []transcript.Hunk{{OldStart: 1, NewStart: 1, Lines: long}}
	input := object{"command": "x", "file_path": "/x"}
	for _, c := range []struct {
		name string
		m    transcript.Message
		fold Fold
		most uint64 // KB
	}{
		{"shut, many lines", called("Bash", input, &transcript.Block{Text: many}), Shut, 32},
		{"shut, one line", called("Bash", input, &transcript.Block{Text: one}), Shut, 32},
		{"shut, failed", called("Bash", input, &transcript.Block{Text: many, Failed: true}), Shut, 32},
		{"shut, a patch", called("Edit", input, &transcript.Block{Text: many, Patch: patch}), Shut, 32},
		{"open, many lines", called("Bash", input, &transcript.Block{Text: many}), Open, 128},
		{"open, one line", called("Bash", input, &transcript.Block{Text: one}), Open, 128},
		{"open, failed, many lines", called("Bash", input, &transcript.Block{Text: many, Failed: true}), Open, 256},
		{"open, failed, one line", called("Bash", input, &transcript.Block{Text: one, Failed: true}), Open, 256},
		{"open, a patch", called("Edit", input, &transcript.Block{Text: many, Patch: patch}), Open, 128},
		{"open, a thought", transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{block(transcript.BlockThinking, many)}}, Open, 128},
		{"open, a stray result", transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{{Kind: transcript.BlockToolResult, Text: many}}}, Open, 128},
		{"whole, many lines", called("Bash", input, &transcript.Block{Text: many}), Whole, 8 << 10},
		{"whole, one line", called("Bash", input, &transcript.Block{Text: one}), Whole, 8 << 10},
		{"whole, a patch", called("Edit", input, &transcript.Block{Text: many, Patch: patch}), Whole, 8 << 10},
	} {
		o := Options{Width: 114, Left: 2, Styles: render.NewStyles(render.None), Folds: foldAll(c.fold)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := Draw(&c.m, Start, o)
		runtime.ReadMemStats(&after)
		if kb := (after.TotalAlloc - before.TotalAlloc) >> 10; kb > c.most {
			t.Errorf("%s: %d KB, want at most %d", c.name, kb, c.most)
		} else {
			t.Logf("%s: %d KB, %d lines", c.name, kb, len(d.Lines))
		}
		if len(d.Lines) > wholeRows+3 {
			t.Errorf("%s: %d lines", c.name, len(d.Lines))
		}
	}
}

// TestWhole: a Whole part cuts a very long text and says how many lines are hidden.
func TestWhole(t *testing.T) {
	t.Parallel()
	patch := []transcript.Hunk{{OldStart: 1, NewStart: 1, Lines: slices.Repeat([]string{"+x"}, 2345)}}
	for _, c := range []struct {
		name string
		m    transcript.Message
		rows int
		last string
	}{
		{"lines", called("Bash", object{"command": "x"}, &transcript.Block{Text: numbered(14_345, "a")}), 2000, "      │ … 12,345 more lines, see the file"},
		{"command and lines", called("Bash", object{"command": "a\nb"}, &transcript.Block{Text: numbered(2_000, "a")}), 2000, "      │ … 3 more lines, see the file"},
		{"bytes", called("Bash", object{"command": "x"}, &transcript.Block{Text: strings.Repeat("\x1b[31m"+strings.Repeat(" ", 500)+"x\n", 1000)}), 0, "      │ … 482 more lines, see the file"},
		{"one line", called("Bash", object{"command": "x"}, &transcript.Block{Text: strings.Repeat("x", 1<<20)}), 2000, "      │ … rest of the line, see the file"},
		{"a patch", called("Edit", object{}, &transcript.Block{Patch: patch}), 2000, "                 … 345 more lines, see the file"},
		{"parameters", called("Odd", object{"a": numbered(3000, "a"), "b": "x\ny", "c": ""}, nil), 2000, "      │ … 1,003 more lines, see the file"},
		{"failed", called("Bash", object{"command": "x"}, &transcript.Block{Text: numbered(3000, "a"), Failed: true}), 2000, "      │ … 1,000 more lines, see the file"},
	} {
		d := Draw(&c.m, Start, Options{Width: 114, Left: 2, Folds: foldAll(Whole)})
		if last := d.Lines[len(d.Lines)-1]; last != c.last {
			t.Errorf("%s ends with %q, want %q", c.name, last, c.last)
		}
		if rows := len(d.Lines) - 2; c.rows > 0 && rows != c.rows {
			t.Errorf("%s: %d rows, want %d", c.name, rows, c.rows)
		}
	}
}

// TestInputRows: a long result leaves fewer rows for the input of its call.
func TestInputRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ result, inputRows int }{{-1, 12}, {0, 12}, {1, 11}, {5, 7}, {8, 4}, {100, 4}} {
		var result *transcript.Block
		if c.result >= 0 {
			result = &transcript.Block{Text: numbered(c.result, "out")}
		}
		m := called("Bash", object{"command": numbered(50, "in")}, result)
		inputRows, more := 0, ""
		for _, l := range Draw(&m, Start, Options{Width: 80, Folds: foldAll(Open)}).Lines[1:] {
			switch {
			case strings.Contains(l, "│ in "):
				inputRows++
			case strings.Contains(l, "more lines") && more == "":
				more = l
			}
		}
		if inputRows != c.inputRows || !strings.HasSuffix(more, fmt.Sprintf("… %d more lines", 50-c.inputRows)) {
			t.Errorf("%d lines of result: %d rows of the command, %q", c.result, inputRows, more)
		}
	}
}

func TestMediaLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[image image/png, 24000 bytes]":          "Image  image/png  24 kB",
		"[document application/pdf, 812 bytes]":   "Document  application/pdf  812 B",
		"[image , 5 bytes]":                       "Image  5 B",
		"[image image/png, many bytes]":           "[image image/png, many bytes]",
		"[video x/y, 5 bytes]":                    "[video x/y, 5 bytes]",
		"[image image/png, 24000 bytes] and more": "[image image/png, 24000 bytes] and more",
		"[": "[", "": "", "x": "x",
	} {
		if got := mediaLine(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestIndented(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for in, want := range map[string]string{
		`{"a":[1]}`: "{\n  \"a\": [\n    1\n  ]\n}",
		`{"a":`:     `{"a":`,
		"":          "",
		deep:        deep,
	} {
		if got := indented(json.RawMessage(in)); got != want {
			t.Errorf("%.20q gives %.60q", in, got)
		}
	}
}
