package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestLint(t *testing.T) {
	t.Parallel()
	const text = "# N\r\n" +
		"See `src/a.go:45`, ./src/a.go:45-50 and ${PROJECT_ROOT}/src/a.go:45; not src/none.go:1 or v1.2:3.\r\n" +
		"Hard: /home/u/tea/src/a.go:7, /srv/x.go:1, ~/tea/src/a.go:9 and ~/x/src/a.go:9.\r\n" +
		"```\nsrc/a.go:45\n```\n<!-- src/a.go:45 -->\n<!--\nsrc/a.go:45\n-->\n" +
		"### Lightweight Identifiers\n" +
		"| Identifier | Purpose |\n|---|---|\n" +
		"| ${PROJECT_ROOT}/[path/to/file.ext:lines] | [Purpose] |\n" +
		"| `src/a.go` | both |\n" +
		"| ${PROJECT_ROOT}/src/a.go | no line |\n" +
		"| src/gone.go:3 | gone |\n"
	n := notes.Parse([]byte(text))
	found := n.Lint("/home/u/tea", func(p string) bool { return p == "src/a.go" })
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%d:%d %s %s %s", f.Line, f.Col, text[f.At:f.End], f.Why, f.Right))
	}
	want := []string{
		"2:6 src/a.go:45 relative ${PROJECT_ROOT}/src/a.go:45",
		"2:20 ./src/a.go:45-50 relative ${PROJECT_ROOT}/src/a.go:45-50",
		"3:7 /home/u/tea/src/a.go:7 hard-coded ${PROJECT_ROOT}/src/a.go:7",
		"3:31 /srv/x.go:1 hard-coded ",
		"3:44 ~/tea/src/a.go:9 hard-coded ${PROJECT_ROOT}/src/a.go:9",
		"3:65 ~/x/src/a.go:9 hard-coded ",
		"15:4 src/a.go relative ${PROJECT_ROOT}/src/a.go",
		"16:3 ${PROJECT_ROOT}/src/a.go without a line ",
		"17:3 src/gone.go:3 relative ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	fixed := string(n.Fix(found))
	mend := strings.NewReplacer("`src/a.go:45`", "`${PROJECT_ROOT}/src/a.go:45`", "./src/a.go:45-50", "${PROJECT_ROOT}/src/a.go:45-50", "/home/u/tea/src", "${PROJECT_ROOT}/src", "~/tea/src", "${PROJECT_ROOT}/src", "`src/a.go`", "`${PROJECT_ROOT}/src/a.go`")
	if fixed != mend.Replace(text) {
		t.Errorf("fixed:\n%s", fixed)
	}
	if string(n.Text) != text {
		t.Error("Fix changed the original text")
	}
}

// TestLintAlone checks texts that look like code references.
func TestLintAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"![img](src/a.go:2 \"t\")":                          "",
		"[ref]: src/a.go:2":                                 "",
		"a <!-- src/a.go:2 --> src/a.go:3":                  "src/a.go:3 ${PROJECT_ROOT}/src/a.go:3",
		"a <!-- src/a.go:2\nsrc/a.go:3 -->":                 "",
		"a `<!--` src/a.go:2":                               "src/a.go:2 ${PROJECT_ROOT}/src/a.go:2",
		"# H\n    src/a.go:2\n    src/a.go:3\n":             "",
		"a\n\n    src/a.go:2\n\n    src/a.go:3\nsrc/a.go:4": "src/a.go:4 ${PROJECT_ROOT}/src/a.go:4",
		"a\n    src/a.go:2":                                 "src/a.go:2 ${PROJECT_ROOT}/src/a.go:2",
		"- a\n\n    src/a.go:2":                             "src/a.go:2 ${PROJECT_ROOT}/src/a.go:2",
		"thrown (`edge/adapters.ts:22,36`)":                 "edge/adapters.ts:22 ",
		"in [x/gone.go:3] and y/gone.go:3":                  "x/gone.go:3 ",
		"- **Evidence**: x/gone.go:3":                       "x/gone.go:3 ",
		"`x` y/gone.go:3 `bin/run:3`":                       "",
	} {
		var got []string
		n := notes.Parse([]byte(text))
		for _, f := range n.Lint("/r", func(p string) bool { return p == "src/a.go" }) {
			got = append(got, text[f.At:f.End]+" "+f.Right)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLintQuotes: the quote of a citation is code, so paths in it don't count.
func TestLintQuotes(t *testing.T) {
	t.Parallel()
	exists := func(path string) bool { return path == "src/a.go" }
	for text, want := range map[string]int{
		"- `open(src/a.go:3)` [${PROJECT_ROOT}/src/b.go:1]":       0,
		"- `open(src/a.go:3)` [src/b.go:1]":                       1,
		"- `open(src/a.go:3)` [see below]":                        1,
		"- `x` [${PROJECT_ROOT}/b.go:1] and `src/a.go:3` as well": 1,
		"- `` `src/a.go:3` `` [${PROJECT_ROOT}/src/b.go:1]":       0,
	} {
		if found := notes.Parse([]byte(text+"\n")).Lint("/p", exists); len(found) != want {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

func TestRooted(t *testing.T) {
	t.Parallel()
	exists := func(path string) bool { return path == "src/a.go" }
	const text = "# N\n\nsrc/a.go:1\n\n## Pending Questions\n\n- [ ] who?\n\nsrc/a.go:2\n"
	n := notes.Parse([]byte(text))
	place, err := n.Insert(notes.Entry{Kind: notes.EntryQuestion, Text: "Why src/a.go:3 and /p/src/b.go:4, but /etc/x.conf:5 and `src/gone.go:6`?"})
	if err != nil {
		t.Fatal(err)
	}
	place, left := n.Rooted(place, "/p", exists)
	want := "- [ ] who?\n- [ ] Why ${PROJECT_ROOT}/src/a.go:3 and ${PROJECT_ROOT}/src/b.go:4, but /etc/x.conf:5 and `src/gone.go:6`?\n\nsrc/a.go:2\n"
	if now := string(place.Apply(n.Text)); now != strings.Replace(text, "- [ ] who?\n\nsrc/a.go:2\n", want, 1) {
		t.Errorf("%s", now)
	}
	if len(left) != 2 || left[0].Ref.Raw != "/etc/x.conf:5" || left[1].Ref.Raw != "src/gone.go:6" {
		t.Errorf("%+v", left)
	}
}
