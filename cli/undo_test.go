package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// must runs a command line, and returns its stdout.
func (k *memoryHome) must(project string, line string) (stdout string) {
	k.t.Helper()
	code, stdout, stderr := k.run(project, "-", strings.Fields(line)...)
	if code != out.ExitDone {
		k.t.Fatalf("%s: exit code %d\n%s%s", line, code, stdout, stderr)
	}
	return stdout
}

func TestUndoReasons(t *testing.T) {
	t.Parallel()
	transcript := func(k *memoryHome) string {
		return filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, "tea")), k.id(1)+".jsonl")
	}
	for _, tt := range []struct {
		name, act   string
		then        func(k *memoryHome, path string)
		can, output string
	}{
		{"discarded", "backup discard --yes", nil, "yes", ""},
		{"emptied", "backup discard --yes", func(k *memoryHome, _ string) { k.must("tea", "backup prune --empty-trash --yes") }, "no, trash emptied", "The backups are no longer in the trash of tea."},
		{"its place", "backup discard --yes", func(k *memoryHome, path string) { k.write("mine", strings.TrimPrefix(path, k.home)) }, "no, path is taken", "Another file exists at the path below"},
		{"damaged", "backup discard --yes", func(k *memoryHome, _ string) {
			k.write("{", "tea", ".claude", "memory", "trash", "20261121_155200Z-discard", "deed.json")
		}, "no, trash damaged", "That entry of the trash is damaged"},
		{"project", "backup discard --yes", func(k *memoryHome, _ string) {
			if err := os.RemoveAll(filepath.Join(k.home, "tea", ".claude")); err != nil {
				k.t.Fatal(err)
			}
		}, "no, project gone", "has no .claude/memory"},
		{"one taken", "backup discard --yes", func(k *memoryHome, _ string) { k.must("tea", "backup undo --yes") }, "undone at 15:52", "it was already undone."},
		{"restored", "backup restore 20261121 --yes", nil, "yes", ""},
		{"resumed", "backup restore 20261121 --yes", func(k *memoryHome, _ string) {
			k.write(k.text(1, "tea", 3), strings.TrimPrefix(transcript(k), k.home))
		}, "no, resumed since", "The session was resumed since"},
		{"rewritten", "backup restore 20261121 --yes", func(k *memoryHome, _ string) {
			k.write(k.text(1, "tea", 1), strings.TrimPrefix(transcript(k), k.home))
		}, "no, changed since", "has changed, so the restored file stays."},
		{"live", "backup restore 20261121 --yes", func(k *memoryHome, _ string) {
			k.write(fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":"/","startedAt":1}`, os.Getpid(), k.id(1)), ".claude", "sessions", fmt.Sprint(os.Getpid())+".json")
		}, "no, resumed since", "The session is live, so its file stays. Close the session first."},
		{"gone", "backup restore 20261121 --yes", func(k *memoryHome, _ string) {
			if err := os.Remove(transcript(k)); err != nil {
				k.t.Fatal(err)
			}
		}, "yes", ""},
		{"pruned", "backup prune --keep 1 --older-than 2026-11-22 --yes", nil, "", ""},
		{"backed up", "backup create 3f9ac1e2 --yes", nil, "yes", ""},
		{"backup gone", "backup create 3f9ac1e2 --yes", func(k *memoryHome, _ string) { k.must("tea", "backup discard 20261121_155200Z_manual --yes") }, "no, gone since", "The backups no longer exist."},
		{"backup changed", "backup create 3f9ac1e2 --yes", func(k *memoryHome, _ string) {
			k.write("mine", "tea", ".claude", "memory", "raw", "20261121_155200Z_manual.jsonl")
		}, "no, changed since", "has changed, so it stays."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newMemoryHome(t)
			k.session(2, "tea", 2)
			path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
			code, stdout, stderr := k.run("tea", "-", strings.Fields(tt.act)...)
			if tt.can == "" { // no backup is old enough
				if out := k.must("tea", "undo --list --json"); out != "[\n]\n" {
					t.Errorf("%s%s", stdout, out)
				}
				return
			}
			if code != out.ExitDone {
				t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
			}
			if tt.then != nil {
				tt.then(k, path)
			}
			list := strings.Split(strings.TrimSpace(k.must("tea", "undo --list")), "\n")
			cells := strings.Split(list[len(list)-1], "\t")
			if len(cells) != 6 || cells[5] != tt.can {
				t.Fatalf("%q, want %q", cells, tt.can)
			}
			before := k.files()
			code, stdout, stderr = k.run("tea", "-", "undo", cells[0], "--yes")
			if want := tt.can == "yes"; (code == out.ExitDone) != want || !want && (code != out.ExitFailed || !strings.Contains(stderr, tt.output)) {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
			if tt.can != "yes" {
				k.same("refused", before, nil, nil)
			}
		})
	}
}

// TestUndoPart: if an undo fails in one project, nothing is undone.
func TestUndoPart(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	first := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	second := k.backup("20261121_110213Z_exit", 2, "pantry", 2, ".pending-backup")
	discard := "backup discard " + first + " " + second + " --yes"
	printed := k.must("tea", discard)
	if !strings.HasSuffix(printed, "\nTo undo all: continuo undo 20261121_155200Z-discard\n") {
		t.Error(printed)
	}
	k.must("pantry", "backup prune --empty-trash --yes")
	code, _, stderr := k.run("tea", "-", "undo", "2", "--yes")
	if hint := "hint  continuo backup undo 20261121_155200Z-discard --project " + filepath.Join(k.home, "tea") + "\n"; code != out.ExitFailed || k.there(first) || !strings.HasSuffix(stderr, hint) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := k.run("tea", "-", "undo", "--yes"); code != out.ExitNone || !strings.HasPrefix(stderr, "✗ Nothing to undo.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	// One project was undone separately; the second can still be undone.
	k.must("tea", "backup undo --yes")
	k.backup("20261121_110213Z_exit", 2, "pantry", 2, "")
	k.must("tea", discard)
	k.must("tea", "backup undo --yes")
	list := k.must("tea", "undo --list")
	if lines := strings.Split(list, "\n"); !strings.HasSuffix(lines[1], "\tyes") || !strings.Contains(lines[1], "\tDiscarded 2 backups\t") {
		t.Error(list)
	}
	k.must("tea", "undo 2 --yes")
	if !k.there(first) || !k.there(second) {
		t.Error("not back")
	}
	if list := k.must("tea", "undo --list"); strings.Contains(list, "\tyes\n"+"x") || !strings.Contains(list, "undone at 15:52") {
		t.Error(list)
	}
}

// document does a save, and returns the paths of the active context and the document.
func (k *memoryHome) document(c browse.Changes) (active, path string) {
	k.t.Helper()
	memory := filepath.Join(k.home, "tea", ".claude", "memory")
	op := func(verb change.Verb, name, before, text string) change.Op {
		return change.Op{Verb: verb, Dir: memory, Name: name, Before: []byte(before), Text: []byte(text), Mode: 0o600}
	}
	save := change.Change{Kind: "save", What: "Saved a document", Where: []string{filepath.Join(k.home, "tea")}, Ops: []change.Op{
		op(change.Replace, "active-context.md", "before\n", "first\n"), op(change.Make, "session-2026-11-21-1552Z.md", "", "document\n"),
		op(change.Replace, "active-context.md", "first\n", "second\n"),
	}}
	if _, err := writing.Do(k.t.Context(), c.Env, func(context.Context) (change.Change, error) { return save, nil }); err != nil {
		k.t.Fatal(err)
	}
	return filepath.Join(memory, "active-context.md"), filepath.Join(memory, "session-2026-11-21-1552Z.md")
}

// TestUndoSave: files that have changed since the save aren't touched.
func TestUndoSave(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		then func(k *memoryHome, context, path string)
		can  string
	}{
		{"as it was saved", nil, "yes"},
		{"the context changed", func(k *memoryHome, context, _ string) { k.write("second\nmore\n", strings.TrimPrefix(context, k.home)) }, "no, changed since"},
		{"the document changed", func(k *memoryHome, _, path string) { k.write("mine\n", strings.TrimPrefix(path, k.home)) }, "no, changed since"},
		{"the context gone", func(k *memoryHome, context, _ string) { k.remove(context) }, "no, gone since"},
		{"a link", func(k *memoryHome, _, path string) {
			k.write("document\n", "elsewhere.md")
			k.remove(path)
			if err := os.Symlink(filepath.Join(k.home, "elsewhere.md"), path); err != nil {
				k.t.Fatal(err)
			}
		}, "no, cannot be read"},
		{"large", func(k *memoryHome, context, _ string) {
			k.write(strings.Repeat("x", journal.MaxBefore+1), strings.TrimPrefix(context, k.home))
		}, "no, changed since"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newMemoryHome(t)
			k.write("before\n", "tea", ".claude", "memory", "active-context.md")
			if err := os.Chmod(filepath.Join(k.home, "tea", ".claude", "memory", "active-context.md"), 0o640); err != nil {
				t.Fatal(err)
			}
			before := k.files()
			c := k.changes(now())
			context, path := k.document(c)
			if tt.then != nil {
				tt.then(k, context, path)
			}
			saved := k.files()
			past := k.past(c)
			if past[0].Can != tt.can {
				t.Fatalf("%+v", past[0])
			}
			if tt.can != "yes" {
				if code, _, stderr := k.run("tea", "-", "undo", past[0].ID, "--yes"); code != out.ExitFailed {
					t.Errorf("exit code %d, %s", code, stderr)
				}
				k.same("refused", saved, nil, nil)
				return
			}
			k.do(c, tui.ChangeUndo, "")
			k.same("undone", before, nil, nil)
			if fi, err := os.Stat(context); err != nil || fi.Mode().Perm() != 0o640 {
				t.Errorf("%v, %v", fi.Mode(), err)
			}
			if past := k.past(c); past[0].What != "Undid: saved a document" || past[0].Can != "yes" || !past[1].Back {
				t.Errorf("%+v", past)
			}
			k.do(c, tui.ChangeUndo, k.past(c)[0].ID)
			k.same("written again", saved, nil, nil)
			k.do(c, tui.ChangeUndo, "")
			k.same("undone again", before, nil, nil)
		})
	}
}

func (k *memoryHome) remove(path string) {
	k.t.Helper()
	if err := os.Remove(path); err != nil {
		k.t.Fatal(err)
	}
}

// TestUndoSaveChangedMeanwhile: a document has changed since the plan, so nothing is undone.
func TestUndoSaveChangedMeanwhile(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.write("before\n", "tea", ".claude", "memory", "active-context.md")
	c := k.changes(now())
	_, path := k.document(c)
	plan := k.plan(c, tui.ChangeUndo, "")
	k.write("mine\n", strings.TrimPrefix(path, k.home))
	saved := k.files()
	if done, err := c.Do(t.Context(), plan); err == nil || !strings.HasSuffix(err.Error(), "was changed since, so it is left alone.") {
		t.Errorf("%+v, %v", done, err)
	}
	k.same("refused", saved, nil, nil)
	if past := k.past(c); len(past) != 1 || past[0].Can != "no, changed since" {
		t.Errorf("%+v", past)
	}
	// If the journal can't store the current content, nothing is done.
	k.write("document\n", strings.TrimPrefix(path, k.home))
	plan = k.plan(c, tui.ChangeUndo, k.past(c)[0].ID)
	if err := os.RemoveAll(place.JournalDir(c.Env)); err != nil {
		t.Fatal(err)
	}
	k.write("", strings.TrimPrefix(place.JournalDir(c.Env), k.home))
	if _, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "The undo data of an undo could not be saved: ") || !k.there(path) {
		t.Error(err)
	}
}

func TestUndoBackup(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.session(2, "tea", 3)
	k.write("", "tea", ".claude", "memory", "raw", ".keep")
	k.must("tea", "backup create 3f9ac1e1 3f9ac1e2 --yes")
	made := k.files()
	list := k.must("tea", "undo --list")
	if !strings.Contains(list, "\tBacked up 2 sessions\t") {
		t.Error(list)
	}
	out := k.must("tea", "undo --yes")
	if !strings.Contains(out, "Touched    2 files, ") || !strings.HasSuffix(out, "\n2 backups are in the trash.\n") || strings.Contains(out, "But") {
		t.Error(out)
	}
	id, _, _ := strings.Cut(k.must("tea", "undo --list"), "\t")
	if out := k.must("tea", "undo "+id+" --yes"); !strings.HasSuffix(out, "\nUndone: 2 backups and 2 markers restored.\n") {
		t.Error(out)
	}
	k.same("made again", made, nil, nil)
	if out := k.must("tea", "undo --yes"); !strings.HasSuffix(out, "\n2 backups are in the trash.\n") {
		t.Error(out)
	}
	k.must("tea", "backup undo --yes")
	k.must("tea", "undo --list")
}

func TestUndoRotation(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	for range 11 {
		k.must("tea", "backup discard "+path+" --yes")
		k.must("tea", "undo --yes")
	}
	var list []struct {
		ID, Kind, What string
		Number         int
		Can            bool
		Undone, Of     string
	}
	if err := json.Unmarshal([]byte(k.must("tea", "undo --list --json")), &list); err != nil || len(list) != journal.Most {
		t.Fatalf("%d, %v", len(list), err)
	}
	if first, last := list[0], list[19]; first.Kind != "undo" || first.Of != list[1].ID || list[1].Undone != first.ID || !first.Can || list[1].Can || last.Kind != "discard" || last.Number != 20 {
		t.Errorf("%+v\n%+v", first, last)
	}
}

func TestUndoWords(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"undo":                  {out.ExitNone, "Nothing to undo. See the actions and the trash."},
		"undo 1":                {out.ExitNone, "No action of the last 20 has the ID or number 1."},
		"undo a b":              {out.ExitFailed, "undo takes one action, not 2 words."},
		"undo --list 1":         {out.ExitFailed, "--list takes no argument"},
		"undo --list --yes":     {out.ExitFailed, "--list only lists."},
		"undo --list":           {out.ExitDone, ""},
		"undo --list --json":    {out.ExitDone, "[\n]\n"},
		"undo --claude-dir x/y": {out.ExitFailed, "cannot be read"},
	} {
		code, stdout, stderr := k.run("tea", "-", strings.Fields(line)...)
		if code != want.code || !strings.Contains(stdout+stderr, want.text) {
			t.Errorf("%s: exit code %d\n%s%s", line, code, stdout, stderr)
		}
	}
	k.must("tea", "backup discard 20261121 --yes")
	k.must("tea", "backup undo --yes")
	if code, _, stderr := k.run("tea", "-", "undo", "20261121_155200Z"); code != out.ExitFailed || !strings.Contains(stderr, "2 actions begin with 20261121_155200Z.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := k.run("tea", "-", "undo", "2026"); code != out.ExitFailed || !strings.Contains(stderr, "2 actions begin with") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	k.write("{", ".local", "state", "continuo", "journal", "20261121_155100Z-save.json")
	code, stdout, stderr := k.run("tea", "-", "undo", "--list")
	if code != out.ExitFailed || strings.Count(stdout, "\n") != 2 || !strings.Contains(stderr, "✗ A part of the journal could not be read. Check it yourself.\n") || !strings.Contains(stderr, "20261121_155100Z-save.json") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, _ = k.run("tea", "", "undo", "--list")
	want := `      when   what you did                               where    can be undone
1  ·  15:52  Undid: discarded 1 backup                  tea                yes
2  ✓  15:52  Discarded 1 backup                         tea    undone at 15:52

1 undo can be undone, but only by number: continuo undo NUMBER.
`
	if code != out.ExitFailed || stdout != want {
		t.Errorf("exit code %d\n%s\nwant\n%s", code, stdout, want)
	}
}

// TestUndoEntryTaken: another discard has created the trash entry. A redo must not use it.
func TestUndoEntryTaken(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	first, second := k.backup("20261121_110213Z_exit", 1, "tea", 2, ""), k.backup("20261121_120213Z_exit", 2, "tea", 2, "")
	k.must("tea", "backup discard "+first+" --yes")
	k.must("tea", "undo --yes")
	k.must("tea", "backup discard "+second+" --yes") // in the same second
	before := k.files()
	if code, _, stderr := k.run("tea", "-", "undo", "2", "--yes"); code != out.ExitFailed || !k.there(first) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	k.same("refused", before, nil, nil)
	k.must("tea", "undo --yes")
	if !k.there(first) || !k.there(second) {
		t.Error("not back")
	}
}

// TestBackupUndoNewest: ten discards happen in the same second. backup undo undoes the last one.
func TestBackupUndoNewest(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	var last string
	for n := range 10 {
		last = k.backup(fmt.Sprintf("20261121_1102%dZ_exit", 10+n), n, "tea", 2, "")
		k.must("tea", "backup discard "+last+" --yes")
	}
	if k.must("tea", "backup undo --yes"); !k.there(last) {
		t.Error(k.must("tea", "backup list --trash"))
	}
}

// TestUndoUnknown: only backup undo can undo a discard from another machine.
func TestUndoUnknown(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.must("tea", "backup discard 20261121 --yes")
	if err := os.RemoveAll(filepath.Join(k.home, ".local")); err != nil { // the journal is on the other machine
		t.Fatal(err)
	}
	if code, _, _ := k.run("tea", "-", "undo", "--yes"); code != out.ExitNone || k.there(path) {
		t.Errorf("exit code %d", code)
	}
	k.must("tea", "backup undo --yes")
	if list := k.must("tea", "undo --list"); !strings.HasSuffix(list, "\tUndid: discarded 1 backup\t"+filepath.Join(k.home, "tea")+"\tyes\n") || !k.there(path) {
		t.Error(list)
	}
	k.must("tea", "undo 1 --yes")
	if list := k.must("tea", "undo --list"); !strings.Contains(list, "\tdiscard\tDiscarded 1 backup again\t") || k.there(path) {
		t.Error(list)
	}
	k.must("tea", "undo --yes")
	if !k.there(path) {
		t.Error("not back")
	}
}

// TestUndoMarkers: a discarded marker has no backup.
func TestUndoMarkers(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.write("/gone.jsonl\n", "tea", ".claude", "memory", ".pending-backup-exit")
	k.write("", "tea", ".claude", "memory", ".pending-backup")
	marker := filepath.Join(k.home, "tea", ".claude", "memory", ".pending-backup")
	k.must("tea", "backup discard --yes")
	if k.there(marker) {
		t.Fatal("the empty marker is there")
	}
	if out := k.must("tea", "undo --yes"); !strings.HasSuffix(out, "Undone: 1 marker restored.\n") || !k.there(marker) {
		t.Error(out)
	}
	if out := k.must("tea", "undo 20261121_155200Z-undo-2 --yes"); !strings.HasSuffix(out, "Undone: 1 marker removed.\n") || k.there(marker) {
		t.Error(out)
	}
}
