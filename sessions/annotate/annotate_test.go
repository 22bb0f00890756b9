package annotate_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

func ptr[T any](v T) *T { return &v }

func TestKeyOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]annotate.Key{
		"/home/ada/.claude/projects/-tea/3f9a.jsonl":             {Dir: "/home/ada/.claude", Project: "-tea", ID: "3f9a"},
		"/home/ada//.claude/projects/-tea/agent-1.jsonl":         {Dir: "/home/ada/.claude", Project: "-tea", ID: "agent-1"},
		"/projects/-tea/a b.jsonl":                               {Dir: "/", Project: "-tea", ID: "a b"},
		"/home/ada/.claude/projects/-tea/3f9a.md":                {},
		"/home/ada/.claude/projects/-tea/.jsonl":                 {},
		"/home/ada/.claude/projects/3f9a.jsonl":                  {},
		"/home/ada/.claude/projects/-tea/x/subagents/3f9a.jsonl": {},
		"/home/ada/code/.claude/memory/raw/20260228_clear.jsonl": {},
		".claude/projects/-tea/3f9a.jsonl":                       {},
		"":                                                       {},
	} {
		key, ok := annotate.KeyOf(filepath.FromSlash(path))
		want.Dir = filepath.FromSlash(want.Dir)
		if ok != (want.ID != "") || ok && key != want {
			t.Errorf("KeyOf(%q) is %+v, %v", path, key, ok)
		}
	}
}

func TestTag(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"auth": "auth", " Auth ": "auth", "#auth": "auth", "größe": "größe", "ÄRGER": "ärger", "a-b_c.d/e": "a-b_c.d/e", "\x1b[31mred": "red",
		"": "", "#": "", "two words": "", "a,b": "", "a\u00a0b": "", "a\nb": "",
	} {
		got, ok := annotate.Tag(typed)
		if ok != (want != "") || ok && got != want {
			t.Errorf("Tag(%q) is %q, %v", typed, got, ok)
		}
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	full := annotate.Note{Name: "Tea", Starred: true, Archived: true, Tags: []string{"a", "b"}, Text: "one\ntwo"}
	for name, c := range map[string]struct {
		note annotate.Note
		edit annotate.Edit
		want annotate.Note
	}{
		"nothing":     {full, annotate.Edit{}, full},
		"name":        {annotate.Note{}, annotate.Edit{Name: ptr(" A\nname\x1b[1m ")}, annotate.Note{Name: "A name"}},
		"text":        {annotate.Note{}, annotate.Edit{Text: ptr("\n a\x1b[2J\nb\n")}, annotate.Note{Text: "a\nb"}},
		"star":        {annotate.Note{}, annotate.Edit{Starred: ptr(true)}, annotate.Note{Starred: true}},
		"archive":     {annotate.Note{}, annotate.Edit{Archived: ptr(true)}, annotate.Note{Archived: true}},
		"tags":        {annotate.Note{Tags: []string{"b"}}, annotate.Edit{Tag: []string{"C", "a", "b", "no tag"}}, annotate.Note{Tags: []string{"a", "b", "c"}}},
		"other tags":  {full, annotate.Edit{Tag: []string{"c"}, Untag: []string{"#A", "none"}}, annotate.Note{Name: "Tea", Starred: true, Archived: true, Tags: []string{"b", "c"}, Text: "one\ntwo"}},
		"all removed": {full, annotate.Edit{Name: ptr(""), Text: ptr(" "), Starred: ptr(false), Archived: ptr(false), Untag: []string{"a", "b"}}, annotate.Note{}},
	} {
		got := c.edit.Apply(c.note)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if got.Empty() != (name == "all removed") {
			t.Errorf("%s: empty is %v", name, got.Empty())
		}
		if c.edit.Empty() != (name == "nothing") {
			t.Errorf("%s: the edit is empty: %v", name, c.edit.Empty())
		}
	}
	if len(full.Tags) != 2 || full.Tags[0] != "a" {
		t.Errorf("an edit changed the tags of its note: %v", full.Tags)
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	row := sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Name: "generated"}}
	plain := row
	note := annotate.Note{Name: "own", Starred: true, Tags: []string{"a"}, Text: "t"}
	for i, want := range []bool{true, false} {
		if note.SetFields(&row) != want || row.Name != "own" || row.Recorded != "generated" || !row.Renamed || !row.Starred || row.Note != "t" {
			t.Errorf("mark %d: %+v", i, row)
		}
	}
	note.Name = ""
	if !note.SetFields(&row) || row.Name != "generated" || row.Renamed || !row.Starred {
		t.Errorf("without the name: %+v", row)
	}
	note.Name = "own"
	if !note.SetFields(&row) || !(annotate.Note{}).SetFields(&row) || !reflect.DeepEqual(row, plain) {
		t.Errorf("cleared: %+v", row)
	}
	same := annotate.Note{Name: "generated"}
	if !same.SetFields(&row) || !row.Renamed { // the note is needed because the generated name may change later
		t.Errorf("named as before: %+v", row)
	}
}
