package cli

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// changes returns the changes of a browser whose clock stands still.
func (k *memoryHome) changes(at time.Time) browse.Changes {
	k.t.Helper()
	d := newDeps(Program{
		Env: []string{"HOME=" + k.home}, Dir: k.home, Now: func() time.Time { return at }, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
	})
	return browse.Changes{Env: d.Env, O: d.Output, Dirs: []string{filepath.Join(k.home, ".claude")}, Again: func() {}}
}

func (k *memoryHome) rowOf(path string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindBackup}
	r.Path, r.ID, r.Workdir = path, strings.TrimSuffix(filepath.Base(path), ".jsonl"), place.MemoryProject(path)
	r.Project = r.Workdir
	return r
}

func (k *memoryHome) rows(paths ...string) []sessions.Row {
	var rows []sessions.Row
	for _, path := range paths {
		rows = append(rows, k.rowOf(path))
	}
	return rows
}

func (k *memoryHome) plan(c browse.Changes, kind tui.ChangeKind, past string, paths ...string) tui.Plan {
	k.t.Helper()
	plan, err := c.Plan(k.t.Context(), tui.Change{Kind: kind, Rows: k.rows(paths...), Past: past})
	if err != nil {
		k.t.Fatalf("%s: %v", kind, err)
	}
	return plan
}

func (k *memoryHome) do(c browse.Changes, kind tui.ChangeKind, past string, paths ...string) tui.Done {
	k.t.Helper()
	plan := k.plan(c, kind, past, paths...)
	if plan.Verb == "" {
		k.t.Fatalf("%s: there is nothing to do\n%s", kind, planText(plan.Parts))
	}
	done, err := c.Do(k.t.Context(), plan)
	if err != nil {
		k.t.Fatalf("%s: %v", kind, err)
	}
	return done
}

func planText(parts []change.Part) string {
	return render.PlanText(parts, render.NewStyles(render.None), 90, true)
}

func (k *memoryHome) past(c browse.Changes) []tui.PastAction {
	k.t.Helper()
	past, err := c.Past(k.t.Context())
	if err != nil {
		k.t.Fatal(err)
	}
	return past
}

// files returns the contents of files by path, without files that every change writes.
func (k *memoryHome) files() map[string]string {
	k.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(k.home, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(k.home, path)
		if err != nil || e.IsDir() || strings.HasPrefix(rel, ".local") || e.Name() == ".gitignore" || e.Name() == ".lock" || e.Name() == "deed.json" {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return files
}

// same checks that only the files in gone and made have changed.
func (k *memoryHome) same(label string, before map[string]string, gone []string, made map[string]string) {
	k.t.Helper()
	want := maps.Clone(before)
	for _, path := range gone {
		if _, ok := want[path]; !ok {
			k.t.Fatalf("%s: %s was not there", label, path)
		}
		delete(want, path)
	}
	maps.Copy(want, made)
	if got := k.files(); !maps.Equal(got, want) {
		k.t.Errorf("%s:\n%q\nwant\n%q", label, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestTriage(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	projects := []string{"tea", "pantry", "lamp", "oven", "roof", "yard"}
	one := map[string]string{}
	for i, project := range projects {
		if i < 3 {
			k.session(i, project, 2+i)
		}
		one[project] = k.backup("20261121_110213Z_exit", i, project, 2, ".pending-backup")
		k.backup("20261120_110213Z_compact", i, project, 1, "")
	}
	c := k.changes(now())
	before := k.files()

	plan := k.plan(c, tui.ChangeDiscard, "", one["tea"], one["pantry"], one["oven"])
	if plan.Title != "Discard" || plan.About != "3 backups in 3 projects" || plan.Verb != "discard 3" || !strings.HasPrefix(plan.Command, "continuo backup discard "+k.home) {
		t.Errorf("%+v", plan)
	}
	text := planText(plan.Parts)
	for _, want := range []string{
		"Touched    3 files, ", "go to the trash of their projects\n", "  = same as the live file", "  > live file has grown since", "  ◐ gone, the only copy",
		"Removed    3 markers, so that Claude no longer offers these backups at its start\n",
		"But        △ 20261121_110213Z_exit of oven is the only copy: no transcript has it any more\n",
		"Stays      ✓ the live transcripts contain every byte of the others, compared just now\n",
		"Undo       u restores all 3 files and all 3 markers, byte for byte.\n",
		"continuo can undo your last 20 actions. continuo never empties the trash by\n           itself.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	k.same("planned", before, nil, nil)
	done, err := c.Do(t.Context(), plan)
	if err != nil || done.Said != "Discarded 3 backups. u restores them." || done.But != "" {
		t.Errorf("%+v, %v", done, err)
	}
	var gone []string
	trashed := map[string]string{}
	for _, project := range []string{"tea", "pantry", "oven"} {
		raw := project + "/.claude/memory/raw/20261121_110213Z_exit.jsonl"
		gone = append(gone, raw, project+"/.claude/memory/.pending-backup")
		trashed[project+"/.claude/memory/trash/20261121_155200Z-discard/raw/20261121_110213Z_exit.jsonl"] = before[raw]
	}
	k.same("discarded", before, gone, trashed)

	if done := k.do(c, tui.ChangeUndo, ""); done.Said != "Undone: 3 backups and 3 markers restored." {
		t.Errorf("%+v", done)
	}
	k.same("undone", before, nil, nil)
	past := k.past(c)
	if len(past) != 2 || past[0].What != "Undid: discarded 3 backups" || past[0].Can != "yes" || past[1].Can != "undone at 15:52" || past[1].Where != "oven, pantry, tea" {
		t.Fatalf("%+v", past)
	}
	if done := k.do(c, tui.ChangeUndo, past[0].ID); done.Said != "3 backups are in the trash." {
		t.Errorf("%+v", done)
	}
	again := map[string]string{}
	for path, text := range trashed {
		again[path] = text
	}
	k.same("again", before, gone, again)
	if past := k.past(c); past[0].What != "Discarded 3 backups again" || past[0].Can != "yes" || past[1].Can != "undone at 15:52" {
		t.Errorf("%+v", past)
	}
	k.do(c, tui.ChangeUndo, "")
	k.same("undone again", before, nil, nil)
	if _, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeUndo}); err == nil || err.Error() != "Nothing to undo." {
		t.Error(err)
	}

	// The second backup can't be restored: its ID is taken.
	plan = k.plan(c, tui.ChangeRestore, "", one["roof"], one["lamp"])
	text = planText(plan.Parts)
	if plan.Verb != "restore 1" || !strings.Contains(text, "But        △ 20261121_110213Z_exit of lamp: its session still exists and contains every\n             byte\n") ||
		!strings.Contains(text, "Undo       u undoes this until the session is resumed.\n") {
		t.Errorf("%s\n%s", plan.Verb, text)
	}
	if done, err := c.Do(t.Context(), plan); err != nil || done.Said != "Session restored. u undoes this." {
		t.Errorf("%+v, %v", done, err)
	}
	made := ".claude/projects/" + sessions.Slug(filepath.Join(k.home, "roof")) + "/" + k.id(4) + ".jsonl"
	k.same("restored", before, []string{"roof/.claude/memory/.pending-backup"}, map[string]string{made: k.text(4, "roof", 2)})

	k.write(k.text(0, "tea", 1), "tea", ".claude", "memory", "raw", "20261121_110213Z_exit.jsonl")
	plan = k.plan(c, tui.ChangeVerify, "", slices.Collect(maps.Values(one))...)
	text = planText(plan.Parts)
	if plan.Verb != "" || plan.Held != nil || plan.About != "6 backups" || !strings.Contains(text, "Found      6 backups: 4 ok, 2 with nothing to compare.\n") {
		t.Errorf("%+v\n%s", plan, text)
	}
}

// TestChangeRestoreNewID: the ID of the single backup is taken.
func TestChangeRestoreNewID(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 3)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	other := k.backup("20261120_110213Z_exit", 1, "tea", 1, "")
	c := k.changes(now())
	plan := k.plan(c, tui.ChangeRestore, "", path)
	text := planText(plan.Parts)
	if plan.Verb != "restore 1" || !strings.HasSuffix(plan.Command, " --new-id") || !strings.Contains(text, "New ID: ") {
		t.Errorf("%+v\n%s", plan, text)
	}
	before := k.files()
	done, err := c.Do(t.Context(), plan)
	if err != nil || done.Said != "Session restored under a new ID. u undoes this." {
		t.Errorf("%+v, %v", done, err)
	}
	if n := len(k.files()) - len(before); n != 0 { // one more session, one less marker
		t.Errorf("%d files more", n)
	}
	k.do(c, tui.ChangeUndo, "")
	k.same("undone", before, nil, nil)
	// The IDs of all chosen backups are taken.
	plan = k.plan(c, tui.ChangeRestore, "", path, other)
	if text := planText(plan.Parts); plan.Verb != "" || plan.Held != nil || !strings.Contains(text, "Stays      all files; nothing to do\n") || strings.Count(text, "△") != 2 {
		t.Errorf("%+v\n%s", plan, text)
	}
	if _, err := c.Do(t.Context(), plan); err == nil {
		t.Error("an empty plan was carried out")
	}
	// Both backups are of the same session.
	if err := os.Remove(filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, "tea")), k.id(1)+".jsonl")); err != nil {
		t.Fatal(err)
	}
	plan = k.plan(c, tui.ChangeRestore, "", path, other)
	if text := planText(plan.Parts); plan.Verb != "restore 1" || !strings.Contains(text, "isn't restored, because 20261121_110213Z_exit") {
		t.Errorf("%+v\n%s", plan, text)
	}
}

// TestChangesUnlisted: a project directory can't be read.
func TestChangesUnlisted(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	b := k.backup("20261121_110213Z_exit", 2, "tea", 2, "")
	loop := filepath.Join(k.home, ".claude", "projects", "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	c := k.changes(now())
	text := planText(k.plan(c, tui.ChangeDiscard, "", b).Parts)
	if !strings.Contains(text, "… could not be compared") || !strings.Contains(text, "may be the only copy: it could not be compared") || strings.Contains(text, "gone") {
		t.Errorf("discard:\n%s", text)
	}
	plan := k.plan(c, tui.ChangeRestore, "", b)
	text = strings.Join(strings.Fields(planText(plan.Parts)), " ")
	if !strings.Contains(text, "projects/loop can't be read and may contain a session with its ID. New ID: ") || !strings.HasSuffix(plan.Command, " --new-id") {
		t.Errorf("restore: %s\n%s", plan.Command, text)
	}
	if err := os.Remove(loop); err != nil {
		t.Fatal(err)
	}
	if text = planText(k.plan(c, tui.ChangeDiscard, "", b).Parts); !strings.Contains(text, "◐ gone, the only copy") {
		t.Errorf("readable again:\n%s", text)
	}
}

// TestChangesStale: backups have changed or vanished since the plan.
func TestChangesStale(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	first := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	second := k.backup("20261120_110213Z_exit", 2, "pantry", 2, "")
	c := k.changes(now())
	if plan := k.plan(c, tui.ChangeDiscard, "", filepath.Join(filepath.Dir(first), "20261119_110213Z_exit.jsonl")); plan.Verb != "" || !strings.Contains(planText(plan.Parts), "no longer exists") {
		t.Errorf("%+v", plan)
	}
	plan := k.plan(c, tui.ChangeDiscard, "", first, filepath.Join(filepath.Dir(first), "20261119_110213Z_exit.jsonl"))
	if text := planText(plan.Parts); plan.Verb != "discard 1" || !strings.Contains(text, "But        △ 20261121_110213Z_exit") || !strings.Contains(text, "20261119_110213Z_exit of tea no longer exists") {
		t.Errorf("%+v\n%s", plan, text)
	}
	k.write(k.text(1, "tea", 3), "tea", ".claude", "memory", "raw", "20261121_110213Z_exit.jsonl")
	before := k.files()
	if done, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "A file changed since the plan was made, so nothing was done. Try again. Backup ") {
		t.Errorf("%+v, %v", done, err)
	}
	k.same("changed", before, nil, nil)
	if past := k.past(c); len(past) != 0 {
		t.Errorf("%+v", past)
	}
	// A change in one project stops the whole discard.
	plan = k.plan(c, tui.ChangeDiscard, "", first, second)
	k.write(k.text(1, "tea", 4), "tea", ".claude", "memory", "raw", "20261121_110213Z_exit.jsonl")
	if done, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "A file changed since the plan was made") {
		t.Errorf("%+v, %v", done, err)
	}
	if past := k.past(c); len(past) != 0 || !k.there(second) || !k.there(first) {
		t.Errorf("%+v", past)
	}
	// The journal can't be written.
	if err := os.RemoveAll(filepath.Join(k.home, ".local")); err != nil {
		t.Fatal(err)
	}
	k.write("", ".local", "state", "continuo", "journal")
	if done := k.do(c, tui.ChangeDiscard, "", first); !strings.HasPrefix(done.But, "The journal could not be written, so continuo undo can't undo all of this: ") || k.there(first) {
		t.Errorf("%+v", done)
	}
	code, _, stderr := k.run("tea", "-", "backup", "undo", "--yes")
	if code != out.ExitDone || !strings.Contains(stderr, "△ The journal could not be written") || !k.there(first) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestChangesPanic(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	c := k.changes(now())
	plan := k.plan(c, tui.ChangeDiscard, "", path)
	do, again := plan.Held.(browse.Doing), 0
	c.Again = func() { again++ }
	plan.Held = browse.Doing(nil)
	if _, err := c.Do(t.Context(), plan); err == nil || !strings.HasPrefix(err.Error(), "continuo has a bug and had to stop.") || !strings.Contains(err.Error(), "continuo undo --list shows earlier actions.") || again != 1 {
		t.Errorf("%v, %d", err, again)
	}
	if _, err := do(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDiscardOrder: the newest backup comes first, across projects.
func TestDiscardOrder(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	old := k.backup("20261119_110213Z_exit", 1, "pantry", 2, ".pending-backup")
	fresh := k.backup("20261121_110213Z_compact", 2, "tea", 2, ".pending-backup-compact")
	middle := k.backup("20261120_110213Z_clear", 3, "pantry", 2, "")
	browser := planText(k.plan(k.changes(now()), tui.ChangeDiscard, "", old, fresh, middle).Parts)
	for label, text := range map[string]string{"browser": browser, "command": k.must("tea", "backup discard --dry-run "+old+" "+fresh+" "+middle)} {
		at := 0
		for _, want := range []string{
			"raw/20261121_110213Z_compact.jsonl", "raw/20261120_110213Z_clear.jsonl", "raw/20261119_110213Z_exit.jsonl",
			".pending-backup-compact in tea and .pending-backup in pantry\n", "20261121_110213Z_compact of tea, 20261120_110213Z_clear of pantry and 20261119_110213Z_exit of pantry",
		} {
			next := strings.Index(strings.Join(strings.Fields(text), " "), strings.TrimSpace(want))
			if next < at {
				t.Errorf("%s: %q at %d, after %d\n%s", label, want, next, at, text)
			}
			at = next
		}
	}
}

// TestVerifyFits: in 80 columns, each backup takes one line.
func TestVerifyFits(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	const project = "greenhouses" // 11 cells
	k.session(1, project, 3)
	k.session(2, project, 2)
	var paths []string
	for i := range 4 { // missing, grown and rewritten transcripts, and a checksum
		path := k.backup(fmt.Sprintf("20261120_11020%dZ_exit", i), i, project, 2, "")
		switch i {
		case 2:
			k.write(strings.ReplaceAll(k.text(2, project, 2), "word", "WORD"), strings.TrimPrefix(path, k.home))
		case 3:
			k.write(strings.Repeat("0", 64)+"  "+filepath.Base(path)+"\n", project, ".claude", "memory", "raw", ".sums")
		}
		if i == 0 || i == 3 { // large sizes have more digits
			if err := os.Truncate(path, 890_000); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
	}
	k.session(4, project, 2)
	k.must(project, "backup create 3f9ac1e4 --yes")
	paths = append(paths, filepath.Join(filepath.Dir(paths[0]), "20261121_155200Z_manual.jsonl"))
	plan := k.plan(k.changes(now()), tui.ChangeVerify, "", paths...)
	want, words := 0, map[string]bool{}
	for _, part := range plan.Parts {
		if part.Name != "Found" {
			want += len(part.Lines)
			for _, l := range part.Lines {
				if !l.Whole {
					words[l.Text[strings.Index(l.Text, project)+len(project)+2:]] = true
				}
			}
		}
	}
	if len(words) != 5 {
		t.Errorf("%v", words)
	}
	rows := plan.Parts[1:]
	const indent, inner = 3, 76 // the browser's layout in 80 columns
	lines := render.PlanLines(rows, render.NewStyles(render.None), indent, inner-indent, true)
	if got := len(lines) - (len(rows) - 1); got != want {
		t.Errorf("%d lines, want %d", got, want)
		for _, l := range lines {
			t.Log(l.String())
		}
	}
}
