package transcript_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// decoded returns the blocks of a call and of the next record. That record has the given results and toolUseResult.
func decoded(t *testing.T, results, use string) []transcript.Block {
	t.Helper()
	data := rec("assistant", "a1", "", "m1", call("c1"), "") + "\n" + rec("user", "u1", "a1", "", results, use) + "\n"
	tr, err := transcript.New(t.Context(), strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []transcript.Block
	for i := range tr.Outline().Messages {
		m := tr.Message(i)
		if m.Err != "" {
			t.Fatal(m.Err)
		}
		blocks = append(blocks, m.Blocks...)
	}
	if len(blocks) < 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	return blocks
}

// TestPatch: a patch needs a record with one result.
func TestPatch(t *testing.T) {
	t.Parallel()
	use := func(patch string) string { return `,"toolUseResult":{"filePath":"x","structuredPatch":` + patch + `}` }
	hunk := `{"oldStart":41,"oldLines":2,"newStart":42,"newLines":3,"lines":[" a","-b","+c\u001b[2J","\\ No newline"]}`
	want := transcript.Hunk{OldStart: 41, OldLines: 2, NewStart: 42, NewLines: 3, Lines: []string{" a", "-b", "+c\x1b[2J", `\ No newline`}}
	two := strings.TrimSuffix(result("c1"), "]") + "," + strings.TrimPrefix(result("c1"), "[")
	for _, c := range []struct {
		name, results, use string
		want               []transcript.Hunk
	}{
		{"one hunk", result("c1"), use("[" + hunk + "]"), []transcript.Hunk{want}},
		{"two hunks", result("c1"), use("[" + hunk + "," + hunk + "]"), []transcript.Hunk{want, want}},
		{"none", result("c1"), use("[]"), nil},
		{"an image beside it", strings.TrimSuffix(result("c1"), "]") + `,{"type":"image"}]`, use("[" + hunk + "]"), []transcript.Hunk{want}},
		{"two results", two, use("[" + hunk + "]"), nil},
		{"no toolUseResult", result("c1"), "", nil},
		{"a string", result("c1"), `,"toolUseResult":"Error: structuredPatch"`, nil},
		{"an array", result("c1"), `,"toolUseResult":["structuredPatch"]`, nil},
		{"null", result("c1"), use("null"), nil},
		{"no array", result("c1"), use(`{"oldStart":1}`), nil},
		{"a number for a hunk", result("c1"), use("[" + hunk + ",7]"), nil},
		{"a number for a line", result("c1"), use(`[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["a",1]}]`), nil},
		{"a word for a number", result("c1"), use(`[{"oldStart":"1","oldLines":1,"newStart":1,"newLines":1,"lines":[]}]`), nil},
		{"no lines", result("c1"), use(`[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1}]`), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			blocks := decoded(t, c.results, c.use)
			if got := blocks[1].Patch; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestPatchBounded(t *testing.T) {
	t.Parallel()
	hunk := fmt.Sprintf(`{"oldStart":1,"oldLines":0,"newStart":1,"newLines":3000,"lines":["+x"%s]}`, strings.Repeat(`,"+x"`, 2999))
	blocks := decoded(t, result("c1"), `,"toolUseResult":{"structuredPatch":[`+hunk+","+hunk+","+hunk+`]}`)
	patch := blocks[len(blocks)-1].Patch
	if len(patch) != 2 || len(patch[0].Lines) != 3000 || len(patch[1].Lines) != 2000 || patch[1].NewLines != 3000 {
		t.Errorf("%d hunks", len(patch))
	}
}

func TestPatchElided(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5<<20)
	blocks := decoded(t, result("c1"), `,"toolUseResult":{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-`+long+`","+`+long+`"]}]}`)
	for _, h := range blocks[len(blocks)-1].Patch {
		for _, l := range h.Lines {
			if len(l) > 2<<20 {
				t.Errorf("a line of %d bytes is kept", len(l))
			}
		}
	}
}

func FuzzPatch(f *testing.F) {
	for _, s := range []string{
		`{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":[" a"]}]}`,
		`{"structuredPatch":[{"oldStart":1e9,"oldLines":null,"newStart":-1,"newLines":1,"lines":null},[]]}`,
		`"structuredPatch"`, `[{"structuredPatch":1}]`, `{"structuredPatch":{"structuredPatch":[]}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, use string) {
		if !json.Valid([]byte(use)) || strings.Contains(use, "\n") {
			return
		}
		blocks := decoded(t, result("c1"), `,"toolUseResult":`+use)
		lines := 0
		for _, h := range blocks[1].Patch {
			lines += len(h.Lines)
		}
		if blocks[1].Text != "out" || lines > 5000 {
			t.Errorf("%+v", blocks[1])
		}
	})
}
