package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
)

// TestPrunePlan: prune takes a backup only if the transcript contains all its bytes.
func TestPrunePlan(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 3)
	k.session(2, "tea", 1)
	k.backup("20261121_110213Z_exit", 1, "tea", 3, "")
	k.backup("20261005_110213Z_exit", 1, "tea", 3, "")
	k.backup("20261004_110213Z_exit", 1, "tea", 2, "")
	pending := k.backup("20261003_110213Z_exit", 1, "tea", 2, ".pending-backup")
	rewritten := k.backup("20261002_110213Z_exit", 2, "tea", 3, "")
	gone := k.backup("20261001_110213Z_exit", 4, "tea", 1, "")
	code, stdout, stderr := k.run("tea", "-", "backup", "prune", "--keep", "2", "--dry-run")
	for _, want := range []string{
		"Touched    1 file, ", "           word 0 · raw/20261004_110213Z_exit.jsonl\n", "Stays      ✓ the live transcript contains every byte",
		"· 1 old backup stays because of --keep: 20261005_110213Z_exit of tea\n", "· 1 old backup is pending: 20261003_110213Z_exit of tea\n",
		"· 2 old backups are the only copies of their content: 20261002_110213Z_exit of tea and\n             20261001_110213Z_exit of tea\n",
	} {
		if code != out.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, no %q in\n%s%s", code, want, stdout, stderr)
		}
	}
	if strings.Contains(stdout, "But") {
		t.Errorf("nothing is lost with it:\n%s", stdout)
	}
	code, stdout, _ = k.run("tea", "-", "backup", "prune", "--yes", "--json", "--keep", "1")
	var report struct {
		Backups []struct{ Path, Transcript string }
		Kept    []struct{ Path, Reason string }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != out.ExitDone || len(report.Backups) != 2 || len(report.Kept) != 3 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stdout)
	}
	for _, path := range []string{pending, rewritten, gone} {
		if !k.there(path) {
			t.Errorf("%s was pruned", path)
		}
	}
	if b := report.Backups[0]; b.Transcript == "" || filepath.Base(b.Transcript) != k.id(1)+".jsonl" {
		t.Errorf("%+v", b)
	}
	code, stdout, _ = k.run("tea", "-", "backup", "prune", "--keep", "9")
	if code != out.ExitDone || !strings.HasPrefix(stdout, "Stays      · 3 old backups stay because of --keep") || !strings.HasSuffix(stdout, "\n\n3 backups are old enough to prune, but stay.\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	// Two projects have a trash entry with the same name, so the hint has --project.
	k.backup("20261121_110213Z_exit", 1, "pantry", 3, "")
	code, stdout, _ = k.run("tea", "-", "backup", "discard", "20261002", filepath.Join(k.home, "pantry", ".claude", "memory", "raw", "20261121_110213Z_exit.jsonl"), "--yes")
	if code != out.ExitDone || !strings.Contains(stdout, "To undo: continuo backup undo 20261121_155200Z-discard --project "+filepath.Join(k.home, "pantry")+"\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := k.run("tea", "-", "backup", "discard", "20261001", "--yes"); code != out.ExitDone || k.there(rewritten) || k.there(gone) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestUndoNewest: the newest action may be a restore, which has no trash entry.
func TestUndoNewest(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.backup("20261001_110213Z_exit", 4, "tea", 1, "")
	if code, _, stderr := k.run("tea", "-", "backup", "restore", "20261001", "--yes"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	code, stdout, _ := k.run("tea", "-", "backup", "prune", "--empty-trash", "--dry-run")
	if code != out.ExitDone || stdout != "The trash of this project is empty.\n" {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := k.run("tea", "-", "backup", "restore", "20261121", "--new-id", "--yes"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	for range 2 {
		code, stdout, stderr := k.run("tea", "-", "backup", "undo", "--yes")
		if code != out.ExitDone || !strings.Contains(stdout, "Undo       The backup stays, so it can be restored again.\n") {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
	}
	if code, _, stderr := k.run("tea", "-", "backup", "discard", "20261121", "20261001", "--yes"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	code, _, stderr := k.run("pantry", "-", "backup", "undo", "--project", "../tea", "nope")
	if code != out.ExitNone || !strings.Contains(stderr, "No entry of the trash has the name nope.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	// The trash of this project is empty, but another project's trash isn't.
	k.backup("20261121_110213Z_exit", 1, "pantry", 2, "")
	code, _, stderr = k.run("pantry", "-", "backup", "undo")
	if code != out.ExitNone || stderr != "✗ The trash of this project is empty. Nothing to undo.\n  hint  continuo backup list --trash   lists the trash of other projects\n" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	code, stdout, _ = k.run("tea", "-", "backup", "undo", "--yes")
	if again := "Undo       continuo backup discard 20261121_110213Z_exit 20261001_110213Z_exit redoes it.\n"; code != out.ExitDone || !strings.Contains(stdout, again) {
		t.Errorf("exit code %d, no %q in\n%s", code, again, stdout)
	}
}

// TestCreateAgain: some sessions have an identical backup.
func TestCreateAgain(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	live := k.session(1, "tea", 2)
	k.session(2, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	code, stdout, stderr := k.run("tea", "-", "backup", "create", k.id(1), "--yes")
	if code != out.ExitDone || stdout != "Nothing to do: 20261121_110213Z_exit of tea is identical to the session.\n" {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = k.run("tea", "-", "backup", "create", k.id(1), k.id(2), "--yes")
	for _, want := range []string{
		"Touched    1 new file, ", "           · 20261121_110213Z_exit of tea is identical to the session\n",
		"           .pending-backup in tea makes the backup pending: Claude offers it at the next start\n",
		"\nBacked up 3f9ac1e2 of tea: 20261121_155200Z_manual.jsonl\nTo undo: continuo backup discard 20261121_155200Z_manual\n",
	} {
		if code != out.ExitDone || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, no %q in\n%s%s", code, want, stdout, stderr)
		}
	}
	k.write(k.text(1, "tea", 3), ".claude", "projects", filepath.Base(filepath.Dir(live)), k.id(1)+".jsonl")
	code, stdout, stderr = k.run("tea", "-", "backup", "create", k.id(1), "--json", "--dry-run")
	var report struct {
		Backups []struct{ Path, Transcript string }
		Markers []string
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != out.ExitDone || len(report.Backups) != 1 || report.Backups[0].Path != "" || report.Backups[0].Transcript != live {
		t.Errorf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if want := filepath.Join(k.home, "tea", ".claude", "memory", ".pending-backup-exit"); !slices.Equal(report.Markers, []string{want}) {
		t.Errorf("markers %q, want %s", report.Markers, want)
	}
	if code, _, stderr = k.run("tea", "-", "backup", "create", k.id(1), "--json"); code != out.ExitFailed || !strings.HasPrefix(stderr, "✗ Nothing was done: the question needs a terminal. Check the plan, then pass --yes.\n") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestPlanFits: on a terminal, paths are shortened in the middle. Sizes are never shortened.
func TestPlanFits(t *testing.T) {
	t.Parallel()
	path := "/home/ada/" + strings.Repeat("code/", 30) + "end.jsonl"
	p := &writing.Plan{}
	p.Add("Touched",
		change.Line{Text: strings.Repeat("a title of many words ", 8), Right: "516 B", Cut: true},
		change.Line{Text: path, Right: "2.2 MB", Whole: true}, change.Line{Text: strings.Repeat("word ", 40)})
	o := &out.Stream{Styles: newDeps(Program{}).Out.Styles, Terminal: true}
	for _, width := range []int{40, 80, 120} {
		o.Width = width
		text := p.Text(o)
		for line := range strings.Lines(text) {
			if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w > width-out.ListMargin {
				t.Errorf("width %d: %d cells: %q", width, w, line)
			}
		}
		for _, want := range []string{"…", "516 B\n", "end.jsonl  2.2 MB\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("width %d: no %q in\n%s", width, want, text)
			}
		}
	}
	o.Terminal = false
	if text := p.Text(o); !strings.Contains(text, path+"  2.2 MB\n") {
		t.Errorf("a pipe:\n%s", text)
	}
	o.Terminal, o.Width = true, 60
	if got := o.Wrapped("Session restored under another ID. To resume it: continuo resume 3f9ac1e4"); got != "Session restored under another ID. To resume it:\n  continuo resume 3f9ac1e4\n" {
		t.Errorf("%q", got)
	}
}

// TestVerifyColumns: two backups of the same minute differ only in the session.
func TestVerifyColumns(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	long := "a-project-with-quite-a-long-name"
	k.session(1, long, 1)
	k.session(2, long, 2)
	k.backup("20261121_110213Z_exit", 1, long, 2, "")
	k.backup("20261121_110214Z_exit", 2, long, 2, "")
	k.backup("20261121_110215Z_exit", 3, long, 2, "")
	code, stdout, _ := k.run(long, "-", "backup", "verify")
	if want := "differs\t"; code != out.ExitDone || strings.Count(stdout, "\n") != 3 || !strings.Contains(stdout, want) {
		t.Fatalf("exit code %d\n%s", code, stdout)
	}
	for width, want := range map[int][]string{
		120: {"△ Today 11:02  3f9ac1e1  " + long + "  transcript differs\n"},
		80:  {"△ Today 11:02  3f9ac1e1  a-project-with-quite-a…  transcript differs\n"},
		40:  {"△ Today 11:02  3f9ac1e1  a-project-wi…\n  transcript differs\n", "✓ Today 11:02  3f9ac1e2  a-project-wi…\n"},
	} {
		code, stdout := k.wide(width, long, "backup", "verify")
		for _, w := range want {
			if code != out.ExitDone || !strings.Contains(stdout, w) {
				t.Errorf("width %d: exit code %d, no %q in\n%s", width, code, w, stdout)
			}
		}
		for line := range strings.Lines(stdout) {
			if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
				t.Errorf("width %d: %d cells: %q", width, w, line)
			}
		}
		if sum := "3 backups: 1 ok, 1 different from the transcript, 1 with nothing to compare."; !strings.HasSuffix(strings.ReplaceAll(stdout, "\n", " "), sum+" ") {
			t.Errorf("width %d: no %q in\n%s", width, sum, stdout)
		}
	}
}

// TestEmptyStray: the trash has files that continuo didn't put there.
func TestEmptyStray(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.must("tea", "backup discard 20261121_110213Z_exit --yes")
	stray := k.write("mine", "tea", ".claude", "memory", "trash", "20261121_155200Z-discard", "notes.txt")
	code, stdout, stderr := k.run("tea", "-", "backup", "prune", "--empty-trash", "--yes")
	if code != out.ExitDone || !strings.Contains(stdout, "Deleted from the trash of tea: 1 backup, ") || !strings.Contains(stdout, "damaged, or not written by continuo") || !k.there(stray) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if list := k.must("tea", "undo --list"); !strings.Contains(list, "\tempty-trash\tEmptied the trash\t") {
		t.Error(list)
	}
}

func (k *memoryHome) wide(width int, project string, args ...string) (code int, stdout string) {
	k.t.Helper()
	var out strings.Builder
	d := newDeps(Program{
		Args: args, Env: []string{"HOME=" + k.home, fmt.Sprintf("COLUMNS=%d", width)}, Dir: filepath.Join(k.home, project), Now: now,
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: os.Stderr,
	})
	d.Out.Terminal, d.Out.Width = true, width
	code = execute(k.t.Context(), d.Env, d.Output, args)
	return code, out.String()
}
