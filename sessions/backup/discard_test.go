package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestPlanDiscard(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := s.backup("raw/20260101_000000Z_exit.jsonl", idOne, "a")
	b := s.backup("raw/20260102_000000Z_compact.jsonl", idTwo, "bb")
	c := s.backup("sessions/raw/20260103_000000Z_exit.jsonl", idTwo, "c")
	s.backup("raw/deep/20260104_000000Z_exit.jsonl", idTwo, "d")
	s.write(".claude/memory/raw/notes.txt", "n")
	s.mark(".pending-backup", a+"\n")
	s.mark(".pending-backup-exit", " .claude/memory/raw/20260101_000000Z_exit.jsonl ")
	s.mark(".pending-backup-exit-2", b+"\n")
	s.mark(".pending-backup-exit-3", s.memory("raw/20260104_000000Z_gone.jsonl"))
	s.mark(".pending-backup-compact", "\n")
	s.mark(".pending-backup-compact-2", "/etc/passwd\n")
	s.mark(".pending-backup-compact-3", s.memory("raw/deep/20260104_000000Z_exit.jsonl"))
	before := s.tree()

	names := func(p DiscardPlan) (moves, markers, cleaned []string) {
		for _, v := range p.Moves {
			moves = append(moves, v.Name)
		}
		for _, k := range p.Markers {
			markers = append(markers, k.Name)
		}
		for _, k := range p.Cleaned {
			cleaned = append(cleaned, k.Name)
		}
		return moves, markers, cleaned
	}
	for _, test := range []struct {
		name                    string
		paths                   []string
		moves, markers, cleaned []string
	}{
		{
			"pending", nil,
			[]string{"raw/20260101_000000Z_exit.jsonl", "raw/20260102_000000Z_compact.jsonl"},
			[]string{".pending-backup-exit", ".pending-backup-exit-2", ".pending-backup"},
			[]string{".pending-backup-exit-3", ".pending-backup-compact"},
		},
		{
			"one",
			[]string{b, ".claude/memory/raw/20260102_000000Z_compact.jsonl"},
			[]string{"raw/20260102_000000Z_compact.jsonl"},
			[]string{".pending-backup-exit-2"},
			nil,
		},
		{"other directory", []string{c}, []string{"sessions/raw/20260103_000000Z_exit.jsonl"}, nil, nil},
		{"none", []string{}, nil, nil, nil},
	} {
		p := s.plan(test.paths...)
		if test.paths == nil {
			if text := fmt.Sprint(p.Problems); len(p.Problems) != 2 || !strings.Contains(text, "/etc/passwd") || !strings.Contains(text, "raw/deep") {
				t.Errorf("problems %q", p.Problems)
			}
		}
		moves, markers, cleaned := names(p)
		if !slices.Equal(moves, test.moves) || !slices.Equal(markers, test.markers) || !slices.Equal(cleaned, test.cleaned) {
			t.Errorf("%s: moves %q markers %q cleaned %q", test.name, moves, markers, cleaned)
		}
		if p.Kind != TrashDiscard || p.Project != s.dir || p.Empty() != (test.name == "none") {
			t.Errorf("%s: %+v", test.name, p)
		}
	}
	p := s.plan(a)
	if v := p.Moves[0]; v.Path != a || v.Bytes != int64(len(before["raw/20260101_000000Z_exit.jsonl"])-len("2026-03-01T00:00:00Z")) ||
		!v.Modified.Equal(at(t, "2026-03-01T00:00:00Z")) || total(p.Moves) != v.Bytes {
		t.Errorf("move %+v", v)
	}
	if k := p.Markers[0]; k.Text != " .claude/memory/raw/20260101_000000Z_exit.jsonl " || k.Target != a || k.Kind != MarkerExit || k.State != MarkerValid {
		t.Errorf("marker %+v", k)
	}
	same(t, "after planning", s.tree(), before)
}

func TestPlanDiscardRefuses(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/a.jsonl", idOne, "a")
	s.write(".claude/memory/raw/notes.txt", "n")
	s.write(".claude/memory/session-1.md", "# One\n")
	s.write(".claude/memory/raw/.sums", "")
	s.mkdir(".claude/memory/raw/dir.jsonl")
	s.write("a.jsonl", "mine")
	for path, want := range map[string]error{
		s.path("a.jsonl"):                     ErrNotBackup,
		"a.jsonl":                             ErrNotBackup,
		s.memory("session-1.md"):              ErrNotBackup,
		s.memory("raw/notes.txt"):             ErrNotBackup,
		s.memory("raw/.sums"):                 ErrNotBackup,
		s.memory("raw"):                       ErrNotBackup,
		"":                                    ErrNotBackup,
		s.memory("raw/../session-1.md"):       ErrNotBackup,
		s.memory("raw") + "/../../../a.jsonl": ErrNotBackup,
		filepath.Join(t.TempDir(), "raw", "a.jsonl"): ErrNotBackup,
		s.memory("raw/gone.jsonl"):                   fs.ErrNotExist,
		s.memory("raw/dir.jsonl"):                    nil,
	} {
		p, err := s.m.PlanDiscard(t.Context(), []string{s.memory("raw/a.jsonl"), path})
		if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), path) || !p.Empty() {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestDiscard(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := s.backup("raw/a.jsonl", idOne, "a")
	b := s.backup("sessions/raw/a.jsonl", idTwo, "b")
	s.backup("raw/c.jsonl", idTwo, "c")
	s.mark(".pending-backup", a+"\n")
	s.mark(".pending-backup-exit", " "+b)
	s.mark(".pending-backup-exit-2", "\n\n")
	s.mark(".pending-backup-compact", "/elsewhere/x.jsonl")
	before := s.tree()
	if d := s.discard(s.plan([]string{}...)); d.ID != "" {
		t.Errorf("discarding nothing made %q", d.ID)
	}
	d := s.discard(s.plan())
	if d.ID != "20261121_110213Z-discard" || len(d.Moves) != 2 || len(d.Markers) != 3 || d.Unfinished {
		t.Errorf("entry %+v", d)
	}
	after := s.tree()
	want := map[string]string{"trash/" + d.ID + "/deed.json": after["trash/"+d.ID+"/deed.json"]}
	for name, text := range before {
		switch name {
		case "raw/a.jsonl", "sessions/raw/a.jsonl":
			want["trash/"+d.ID+"/"+name] = text
		case ".pending-backup", ".pending-backup-exit", ".pending-backup-exit-2":
		default:
			want[name] = text
		}
	}
	same(t, "after discarding", after, want)
	if fi, err := os.Stat(d.Path); err != nil || fi.Mode().Perm() != 0o700 && os.PathSeparator == '/' {
		t.Errorf("%s: %v, %v", d.Path, fi, err)
	}
	if got := s.ids(); !slices.Equal(got, []string{d.ID}) {
		t.Errorf("entries %q", got)
	}
	u := s.undo("")
	if u.Entry.ID != d.ID || len(u.Moves) != 2 || len(u.Markers) != 3 || len(u.Gone) != 0 {
		t.Errorf("undone %+v", u)
	}
	same(t, "after undoing it", s.tree(), before)
	if got := s.ids(); len(got) != 0 {
		t.Errorf("entries %q", got)
	}
	if left, err := os.ReadDir(s.memory("trash")); err != nil || len(left) != 1 { // .gitignore
		t.Errorf("left %v, %v", left, err)
	}
	for _, id := range []string{"", d.ID, "../raw", "no such"} {
		if _, err := s.m.Undo(t.Context(), id); !errors.Is(err, ErrNoEntry) {
			t.Errorf("undo of %q: %v", id, err)
		}
	}
}

func TestDiscardGuards(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m, err := OpenMemory(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s := store{p, m}
	s.discard(s.plan(s.backup("raw/a.jsonl", idOne, "a")))
	for _, name := range []string{"trash/.gitignore", "raw/.gitignore"} {
		if got := s.tree()[name]; got != "*\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDiscardChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(s store, a, b string)
		says   string
	}{
		{"grown", func(s store, a, _ string) { s.backup("raw/a.jsonl", idOne, "more than that") }, "raw/a.jsonl: changed since it was read"},
		{"rewritten", func(s store, _, b string) {
			if err := os.Chtimes(b, at(s.t, trashNow), at(s.t, trashNow)); err != nil {
				s.t.Fatal(err)
			}
		}, "raw/b.jsonl: changed since it was read"},
		{"gone", func(s store, a, _ string) {
			if err := os.Remove(a); err != nil {
				s.t.Fatal(err)
			}
		}, "raw/a.jsonl: changed since it was read: no longer there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idOne, "b")
			s.mark(".pending-backup", a)
			plan := s.plan(a, b)
			c.change(s, a, b)
			before := s.tree()
			d, err := s.m.Discard(t.Context(), plan, at(t, trashNow))
			if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), filepath.FromSlash(c.says)) || d.ID != "" {
				t.Errorf("entry %+v, error %v", d, err)
			}
			same(t, "afterwards", s.tree(), before)
		})
	}
}

// TestDiscardMarkerChanged: after the plan, the marker names another backup.
func TestDiscardMarkerChanged(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b := s.backup("raw/a.jsonl", idOne, "a"), s.backup("raw/b.jsonl", idTwo, "b")
	s.mark(".pending-backup", a)
	s.mark(".pending-backup-exit", a+"\n")
	s.mark(".pending-backup-compact", "")
	s.mark(".pending-backup-compact-2", s.memory("raw/gone.jsonl"))
	plan := s.plan()
	s.mark(".pending-backup", b)
	if err := os.Rename(s.memory(".pending-backup-exit"), s.memory(".pending-backup-exit-2")); err != nil { // free it
		t.Fatal(err)
	}
	s.mark(".pending-backup-exit", b)
	s.mark(".pending-backup-compact", b)
	s.backup("raw/gone.jsonl", idTwo, "it is back")
	before := s.tree()
	d := s.discard(plan)
	if len(d.Markers) != 1 || d.Markers[0].Name != ".pending-backup-exit-2" {
		t.Errorf("markers %+v", d.Markers)
	}
	after := s.tree()
	for _, name := range []string{".pending-backup", ".pending-backup-exit", ".pending-backup-compact", ".pending-backup-compact-2"} {
		if after[name] != before[name] {
			t.Errorf("%s: %q", name, after[name])
		}
	}
	s.undo(d.ID)
	same(t, "undone", s.tree(), before)
}

func TestDiscardForeignPlans(t *testing.T) {
	t.Parallel()
	s, other := newStore(t), newStore(t)
	a := s.backup("raw/a.jsonl", idOne, "a")
	s.write("victim.jsonl", "v")
	plan := s.plan(a)
	if _, err := other.m.Discard(t.Context(), plan, at(t, trashNow)); err == nil {
		t.Error("a plan for another project was carried out")
	}
	before := tree(t, s.dir)
	for _, change := range []func(p *DiscardPlan){
		func(p *DiscardPlan) { p.Moves[0].Name = "../../victim.jsonl" },
		func(p *DiscardPlan) { p.Moves = append(p.Moves, p.Moves[0]) },
		func(p *DiscardPlan) { p.Kind = "restore" },
	} {
		bad := plan
		bad.Moves = slices.Clone(plan.Moves)
		change(&bad)
		if d, err := s.m.Discard(t.Context(), bad, at(t, trashNow)); err == nil || d.ID != "" {
			t.Errorf("plan %+v was carried out", bad)
		}
		same(t, "afterwards", tree(t, s.dir), before)
	}
}

func TestDiscardAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := s.backup("raw/a.jsonl", idOne, "a")
	s.mark(".pending-backup", a)
	before := s.tree()
	const n = 8
	var ms [n]*Memory
	var plans [n]DiscardPlan
	for i := range n {
		m, err := OpenMemory(s.dir)
		if err == nil {
			t.Cleanup(func() { _ = m.Close() })
			ms[i] = m
			plans[i], err = m.PlanDiscard(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	var errs [n]error
	for i := range n {
		wg.Go(func() { _, errs[i] = ms[i].Discard(t.Context(), plans[i], at(t, trashNow)) })
	}
	wg.Wait()
	done := 0
	for _, err := range errs {
		switch {
		case err == nil:
			done++
		case !errors.Is(err, ErrChanged):
			t.Error(err)
		}
	}
	if done != 1 || len(s.ids()) != 1 {
		t.Errorf("%d succeeded, entries %q", done, s.ids())
	}
	s.undo("")
	same(t, "undone", s.tree(), before)
}

func TestDiscardsOfOneSecond(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var want []string
	for i := range 12 {
		path := s.backup(fmt.Sprintf("raw/%02d.jsonl", i), idOne, "a")
		want = append([]string{s.discard(s.plan(path)).ID}, want...)
	}
	if got := s.ids(); !slices.Equal(got, want) || want[0] != "20261121_110213Z-discard-12" {
		t.Errorf("entries %q, want %q", got, want)
	}
	if u := s.undo(""); u.Entry.ID != want[0] {
		t.Errorf("undone %q", u.Entry.ID)
	}
}
