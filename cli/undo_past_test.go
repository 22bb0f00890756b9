package cli

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// TestPastIsThePlan: the list and the undo show the same plan.
func TestPastIsThePlan(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	first := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	second := k.backup("20261120_110213Z_exit", 2, "pantry", 2, "")
	c := k.changes(now())
	k.do(c, tui.ChangeRestore, "", second)
	k.do(c, tui.ChangeDiscard, "", first, second)
	row := sessions.Row{Kind: sessions.KindSession}
	row.Path, row.ID, row.Workdir, row.Project = k.session(3, "tea", 2), k.id(3), filepath.Join(k.home, "tea"), filepath.Join(k.home, "tea")
	if out, err := browse.BackUp(t.Context(), c.Env, browse.BackupsTo(t.Context(), c.Env, []sessions.Row{row})); err != nil {
		t.Fatal(out, err)
	}
	past := k.past(c)
	if len(past) != 3 || !strings.HasPrefix(past[0].What, "Backed up ") {
		t.Fatalf("%+v", past)
	}
	for i, a := range past {
		if i == 2 { // this action's backup is in the trash
			continue
		}
		plan := k.plan(c, tui.ChangeUndo, a.ID)
		if a.Off || a.Back || a.Can != "yes" || plan.About != a.What || plan.Verb != "undo" || !reflect.DeepEqual(plan.Parts, a.Parts) {
			t.Errorf("%+v\n%+v", a, plan)
		}
	}
}

// TestPastReads: the list compares a large file by size, and the plan by content.
func TestPastReads(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(3, "tea", 2)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	c := k.changes(now())
	k.do(c, tui.ChangeRestore, "", path)
	k.must("tea", "backup create 3f9ac1e3 --yes")
	can := func() string {
		l, err := undoing.ReadJournal(t.Context(), c.Env, c.O, c.Dirs)
		if err != nil {
			t.Fatal(err)
		}
		l.Spare = 0
		list, err := l.All(t.Context())
		if err != nil || len(list) != 2 || l.Spare != 0 {
			t.Fatalf("%+v, %v", list, err)
		}
		return list[0].Can(l) + ", " + list[1].Can(l)
	}
	if got := can(); got != "yes, yes" {
		t.Error(got)
	}
	made := k.session(1, "tea", 2)
	k.write(strings.Replace(k.text(1, "tea", 2), "word", "WORD", 1), strings.TrimPrefix(made, k.home))
	k.write(strings.Replace(k.text(3, "tea", 2), "word", "WORD", 1), "tea", ".claude", "memory", "raw", "20261121_155200Z_manual.jsonl")
	if got := can(); got != "yes, yes" {
		t.Error(got)
	}
	for _, a := range k.past(c) {
		if plan := k.plan(c, tui.ChangeUndo, a.ID); a.Can != "no, changed since" || plan.Verb != "" {
			t.Errorf("%+v\n%+v", a, plan)
		}
	}
	k.session(1, "tea", 3)
	if got := can(); got != "yes, no, resumed since" {
		t.Error(got)
	}
}

// TestInterrupted: the next action first undoes an interrupted one.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	k.backup("20261120_110213Z_exit", 2, "tea", 2, "")
	before := k.files()
	k.must("tea", "backup discard --yes")
	c := k.changes(now())
	entries, _ := place.OpenJournal(c.Env).List(t.Context())
	e := entries[0]
	e.Done = false
	if err := place.OpenJournal(c.Env).Finish(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	k.write(before["tea/.claude/memory/.pending-backup"], "tea", ".claude", "memory", ".pending-backup") // as before the action removed the marker
	k.must("tea", "backup discard 20261120 --yes")
	if past := k.past(c); len(past) != 1 || past[0].Can != "yes" || !strings.Contains(planText(past[0].Parts), "20261120_110213Z_exit.jsonl") {
		t.Errorf("%+v", past)
	}
	k.must("tea", "undo --yes")
	k.same("undone", before, nil, nil)
}
