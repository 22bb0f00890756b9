package backup

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTrashEntryIDs(t *testing.T) {
	t.Parallel()
	when := at(t, trashNow)
	for _, c := range []struct {
		id   string
		kind TrashKind
		n    int
		ok   bool
	}{
		{"20261121_110213Z-discard", TrashDiscard, 1, true},
		{"20261121_110213Z-discard-2", TrashDiscard, 2, true},
		{"20261121_110213Z-prune-17", TrashPrune, 17, true},
		{"20261121_110213Z-prune-1", "", 0, false},
		{"20261121_110213Z-prune-02", "", 0, false},
		{"20261121_110213Z-prune-", "", 0, false},
		{"20261121_110213Z-delete", "", 0, false},
		{"20261121_110213Z-restore", "", 0, false},
		{"20261121_110213-discard", "", 0, false},
		{"20261321_110213Z-discard", "", 0, false},
		{"", "", 0, false},
		{".gitignore", "", 0, false},
	} {
		got, kind, n, ok := parseEntryID(c.id)
		if ok != c.ok {
			t.Errorf("%q: %v", c.id, ok)
			continue
		}
		if ok && (!got.Equal(when) || kind != c.kind || n != c.n || entryID(got, kind, n) != c.id) {
			t.Errorf("%q: %v %q %d", c.id, got, kind, n)
		}
	}
}

func TestBackupName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"raw/20260101_000000Z_exit.jsonl":    true,
		"raw/copy of it.jsonl":               true,
		"raw/\xff.jsonl":                     true,
		"sessions/raw/20260101_000000.jsonl": true,
		"raw/deep/20260101_000000.jsonl":     false,
		"raw/../raw/a.jsonl":                 false,
		"raw//a.jsonl":                       false,
		"raw/a.txt":                          false,
		"raw/.sums":                          false,
		"raw/.a.jsonl":                       false,
		"raw/.jsonl":                         false,
		"/raw/a.jsonl":                       false,
		"a.jsonl":                            false,
		"trash/raw/a.jsonl":                  false,
		"raw/a\x00.jsonl":                    false,
		"raw":                                false,
		"":                                   false,
	} {
		if got := backupName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestTrashEntryFile: paths may not be UTF-8.
func TestTrashEntryFile(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	d := TrashEntry{
		Kind: TrashDiscard, Moves: []Move{{s.memory("raw/a\xffb.jsonl"), "raw/a\xffb.jsonl", 12, at(t, "2026-03-01T00:00:00.123456789Z")}},
		Markers: []KeptMarker{
			{".pending-backup-exit-2", " /x/\xfe\u2028<y>\r\n", MarkerExit, MarkerStale, "/x/\xfe\u2028<y>"},
			{".pending-backup", "", MarkerLegacy, MarkerEmpty, ""},
		},
	}
	text, err := s.m.Trash().name(&d, at(t, trashNow))
	if err != nil {
		t.Fatal(err)
	}
	s.write(".claude/memory/trash/"+d.ID+"/deed.json", string(text))
	got, err := s.m.Trash().readEntry(d.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Unfinished {
		t.Error("the trash is empty, and the entry counts as finished")
	}
	if got.ID != "20261121_110213Z-discard" || got.Path != s.memory("trash/"+got.ID) || !got.At.Equal(at(t, trashNow)) ||
		got.Kind != d.Kind || !slices.Equal(got.Moves, d.Moves) || !slices.Equal(got.Markers, d.Markers) || got.Bytes() != 12 {
		t.Errorf("got  %+v\nwant %+v", got, d)
	}
}

// TestHostileTrashEntries: a repository could contain invalid entries. These change no file.
func TestHostileTrashEntries(t *testing.T) {
	t.Parallel()
	const head = `{"version":1,"kind":"discard","at":"2026-11-21T11:02:13Z",`
	move := func(name string) string {
		return head + `"moves":[{"name":` + name + `,"bytes":1,"modified":"2026-03-01T00:00:00Z"}]}`
	}
	for name, text := range map[string]string{
		"empty":              "",
		"no JSON":            "{",
		"two values":         head + `"moves":[]} {}`,
		"another version":    `{"version":2,"kind":"discard","at":"2026-11-21T11:02:13Z"}`,
		"another kind":       `{"version":1,"kind":"prune","at":"2026-11-21T11:02:13Z"}`,
		"another time":       `{"version":1,"kind":"discard","at":"2026-11-21T11:02:14Z"}`,
		"out of raw":         move(`"raw/../../../../victim.jsonl"`),
		"absolute":           move(`"/etc/victim.jsonl"`),
		"a document":         move(`"session-1.md"`),
		"the sums":           move(`"raw/.sums"`),
		"base64":             move(`{"base64":"Li4vLi4vdmljdGltLmpzb25s"}`),
		"twice":              head + `"moves":[{"name":"raw/a.jsonl","bytes":1},{"name":"raw/a.jsonl","bytes":1}]}`,
		"negative":           head + `"moves":[{"name":"raw/a.jsonl","bytes":-1}]}`,
		"no marker":          head + `"markers":[{"name":"active-context.md","text":"x","state":"valid"}]}`,
		"marker elsewhere":   head + `"markers":[{"name":"../.pending-backup","text":"x","state":"valid"}]}`,
		"marker of no state": head + `"markers":[{"name":".pending-backup","text":"x","state":"outside"}]}`,
		"long marker":        head + `"markers":[{"name":".pending-backup","text":"` + strings.Repeat("x", maxTarget+1) + `","state":"valid"}]}`,
		"a restore":          `{"version":1,"kind":"restore","at":"2026-11-21T11:02:13Z"}`,
		"too long":           strings.Repeat(" ", maxEntry+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			id := "20261121_110213Z-discard"
			if name == "a restore" {
				id = "20261121_110213Z-restore"
			}
			s.backup("raw/a.jsonl", idOne, "a")
			s.write(".claude/memory/trash/"+id+"/deed.json", text)
			s.write(".claude/memory/trash/"+id+"/raw/b.jsonl", "b")
			s.write("victim.jsonl", "b")
			before := tree(t, s.dir)
			entries, err := s.m.Trash().Entries(t.Context())
			if len(entries) != 0 || !errors.Is(err, ErrBadEntry) && !errors.Is(err, errTooLong) || !strings.Contains(err.Error(), s.memory("trash/"+id)) {
				t.Errorf("entries %+v, error %v", entries, err)
			}
			if _, err := s.m.Undo(t.Context(), id); err == nil {
				t.Error("it was undone")
			}
			if _, err := s.m.Undo(t.Context(), ""); !errors.Is(err, ErrNoEntry) {
				t.Errorf("the newest: %v", err)
			}
			if e, err := s.emptyTrash(); err == nil || e.Files != 0 || len(e.Entries) != 0 {
				t.Errorf("emptied %+v, error %v", e, err)
			}
			same(t, "after all", tree(t, s.dir), before)
		})
	}
}
