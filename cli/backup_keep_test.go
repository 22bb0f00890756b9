package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui"
)

// TestChangeKeep: K removes the markers of the chosen backups, and u restores them.
func TestChangeKeep(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 3)
	tea := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	pantry := k.backup("20261120_110213Z_exit", 2, "pantry", 2, ".pending-backup-exit")
	other := k.backup("20261119_110213Z_exit", 3, "pantry", 2, ".pending-backup-compact")
	calm := k.backup("20261118_110213Z_exit", 4, "pantry", 2, "")
	k.write("  "+tea+" \n\n", "tea", ".claude", "memory", ".pending-backup-exit-2")
	c := k.changes(now())
	before := k.files()

	plan := k.plan(c, "keep", "", tea, pantry, calm)
	text := planText(plan.Parts)
	if plan.Title != "Keep" || plan.About != "2 backups in 2 projects" || plan.Verb != "keep 2" || plan.Command != "continuo backup keep "+tea+" "+pantry {
		t.Errorf("%+v", plan)
	}
	for _, want := range []string{
		"Touched    3 markers are removed, so that Claude no longer offers these backups at its\n           start\n",
		".pending-backup-exit-2 in tea", "Stays      ✓ the backups, where they are\n", "· 1 backup is not pending: 20261118_110213Z_exit of pantry\n",
		"Undo       u restores all 3 markers, byte for byte.\n           continuo can undo your last 20 actions.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	k.same("planned", before, nil, nil)

	// This marker appears after the plan. It is removed too.
	late := filepath.Join("tea", ".claude", "memory", ".pending-backup-compact")
	k.write(tea, late)
	done, err := c.Do(t.Context(), plan)
	if err != nil || done.Said != "Kept 2 backups. u makes them pending again." || done.But != "" {
		t.Errorf("%+v, %v", done, err)
	}
	gone := []string{"tea/.claude/memory/.pending-backup", "tea/.claude/memory/.pending-backup-exit-2", "pantry/.claude/memory/.pending-backup-exit"}
	k.same("kept", before, gone, nil)
	if seen := place.SeenBackups(c.Env); !seen[tea] || !seen[pantry] || seen[other] || seen[calm] {
		t.Errorf("seen: %v", seen)
	}
	past := k.past(c)
	if len(past) != 1 || past[0].What != "Kept 2 backups" || past[0].Can != "yes" || past[0].Where != "pantry, tea" {
		t.Errorf("%+v", past)
	}
	text = planText(k.plan(c, tui.ChangeUndo, "").Parts)
	if !strings.HasPrefix(text, "Touched    4 markers, as before: ") {
		t.Error(text)
	}
	if done := k.do(c, tui.ChangeUndo, ""); done.Said != "Undone: 4 markers restored." {
		t.Errorf("%+v", done)
	}
	k.same("undone", before, nil, map[string]string{filepath.ToSlash(late): tea})
	text = planText(k.plan(c, tui.ChangeUndo, k.past(c)[0].ID).Parts)
	if !strings.HasPrefix(text, "Removed    4 markers: ") {
		t.Error(text)
	}
	if done := k.do(c, tui.ChangeUndo, k.past(c)[0].ID); done.Said != "Undone: 4 markers removed." || k.past(c)[0].What != "Kept 2 backups again" {
		t.Errorf("%+v", done)
	}
	k.same("kept again", before, gone, nil)
}

// TestChangeKeepNothing: no chosen backup is pending, or something has changed since the plan.
func TestChangeKeepNothing(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	calm := k.backup("20261120_110213Z_exit", 2, "tea", 2, "")
	c := k.changes(now())
	plan := k.plan(c, "keep", "", calm)
	if text := planText(plan.Parts); plan.Verb != "" || plan.Held != nil || !strings.HasPrefix(text, "Stays      · 1 backup is not pending: ") || !strings.Contains(text, "all files; nothing to do\n") {
		t.Errorf("%+v\n%s", plan, text)
	}
	plan = k.plan(c, "keep", "", path, calm)
	if err := os.Remove(filepath.Join(k.home, "tea", ".claude", "memory", ".pending-backup")); err != nil {
		t.Fatal(err)
	}
	before := k.files()
	if done, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "The markers were removed") {
		t.Errorf("%+v, %v", done, err)
	}
	k.same("not pending any more", before, nil, nil)
	if past := k.past(c); len(past) != 0 {
		t.Errorf("%+v", past)
	}
	k.write(path, "tea", ".claude", "memory", ".pending-backup")
	plan = k.plan(c, "keep", "", path)
	k.write(k.text(1, "tea", 3), strings.TrimPrefix(path, k.home))
	if done, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "A file changed since the plan was made, so nothing was done.") {
		t.Errorf("%+v, %v", done, err)
	}
}
