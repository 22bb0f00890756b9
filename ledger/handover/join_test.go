package handover_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	n := func(title string) handover.Item {
		return handover.Item{Title: title, Marks: []handover.Mark{handover.MarkNotes}}
	}
	b := func(id, title string, s handover.Status, d int) handover.Item {
		return handover.Item{ID: id, Title: title, Status: s, Written: string(s), Priority: "1", At: day(d), Marks: []handover.Mark{handover.MarkBead}}
	}
	for name, c := range map[string]struct {
		lists [][]handover.Item
		want  []string // marks, ID, title, status
	}{
		"none":        {nil, nil},
		"two stores":  {[][]handover.Item{{n("Rotate tokens")}, {b("x-1", "Rotate tokens", handover.Blocked, 2)}}, []string{"NB x-1 Rotate tokens blocked"}},
		"case":        {[][]handover.Item{{n("rotate TOKENS")}, {b("x-1", "Rotate tokens", "", 0)}}, []string{"NB x-1 rotate TOKENS "}},
		"marks":       {[][]handover.Item{{n("Fix **`a_b`** _now_.")}, {n(`Fix a\_b now`)}}, []string{"N  Fix **`a_b`** _now_. "}},
		"punctuation": {[][]handover.Item{{n("Why?")}, {n("Why…")}}, []string{"N  Why? "}},
		"scripts":     {[][]handover.Item{{n("修复 登录。")}, {n("修复 登录")}, {n("修复")}}, []string{"N  修复 登录。 ", "N  修复 "}},
		"only marks":  {[][]handover.Item{{n("***")}, {n("???")}, {n("***")}}, []string{"N  *** ", "N  ??? "}},
		"inside word": {[][]handover.Item{{n("a_b")}, {n("ab")}}, []string{"N  a_b ", "N  ab "}},
		"two beads":   {[][]handover.Item{{b("x-1", "Tests", "", 1), b("x-2", "Tests", "", 1)}}, []string{"B x-1 Tests ", "B x-2 Tests "}},
		"two IDs":     {[][]handover.Item{{b("x-1", "Tests", "", 1)}, {{ID: "7", Title: "tests", Marks: []handover.Mark{handover.MarkClient}}}}, []string{"BC x-1 Tests "}},
		"own words":   {[][]handover.Item{{{ID: "x-1", Title: "All tests", Marks: []handover.Mark{handover.MarkNotes}}}, {b("x-1", "Tests", "", 1)}}, []string{"NB x-1 All tests "}},
		"numbers":     {[][]handover.Item{{{ID: "7", Title: "a", Marks: []handover.Mark{handover.MarkClient}}}, {{ID: "7", Title: "b", Marks: []handover.Mark{handover.MarkSnapshot}}}}, []string{"C 7 a ", "S 7 b "}},
		"ID alone":    {[][]handover.Item{{{ID: "x-1", Status: handover.InProgress}}, {b("x-1", "Tests", "", 1)}}, []string{"B x-1 Tests "}},
		"newest wins": {[][]handover.Item{{b("x-1", "Tests", handover.Done, 3)}, {b("", "tests", handover.Open, 4)}, {b("", "tests", handover.Blocked, 2)}}, []string{"B x-1 Tests open"}},
		"no time":     {[][]handover.Item{{n("Tests")}, {{Title: "tests", Status: handover.Done}}}, []string{"N  Tests "}},
	} {
		var got []string
		for _, i := range handover.Join(c.lists...) {
			got = append(got, fmt.Sprintf("%s %s %s %s", string(i.Marks), i.ID, i.Title, i.Status))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

func TestJoinKeeps(t *testing.T) {
	t.Parallel()
	a := []handover.Item{{Title: "x", Marks: make([]handover.Mark, 0, 4)}}
	joined := handover.Join(a, []handover.Item{{Title: "X", ID: "x-1", Marks: []handover.Mark{'B'}}})
	if len(joined) != 1 || joined[0].ID != "x-1" || len(a[0].Marks) != 0 || a[0].ID != "" || len(a[0].Marks[:1]) == 1 && a[0].Marks[:1][0] == 'B' {
		t.Errorf("%+v of %+v", joined, a)
	}
}

func TestCutID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"Rotate (beads-x7y8)":     {"Rotate", "beads-x7y8"},
		"Rotate (bd-abcd)":        {"Rotate", "bd-abcd"},
		"Rotate (TASK_001)":       {"Rotate", "TASK_001"},
		"Rotate (a.b-1.2)":        {"Rotate", "a.b-1.2"},
		"Rotate (follow-up)":      {"Rotate (follow-up)", ""},
		"Rotate (optional)":       {"Rotate (optional)", ""},
		"Rotate (see beads-x7y8)": {"Rotate (see beads-x7y8)", ""},
		"(beads-x7y8)":            {"(beads-x7y8)", ""},
		"Rotate (-1)":             {"Rotate (-1)", ""},
		"":                        {"", ""},
	} {
		title, id := handover.CutID(text)
		if title != want[0] || id != want[1] {
			t.Errorf("%q: %q, %q", text, title, id)
		}
		if id != "" && handover.Named(title, id) != text {
			t.Errorf("%q is written as %q", text, handover.Named(title, id))
		}
	}
}
