package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// memoryHome is a home with projects that have .claude/memory.
type memoryHome struct {
	t    *testing.T
	home string
}

func newMemoryHome(t *testing.T) *memoryHome {
	t.Helper()
	k := &memoryHome{t, t.TempDir()}
	if err := os.MkdirAll(filepath.Join(k.home, ".claude", "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *memoryHome) id(n int) string { return fmt.Sprintf("3f9ac1e%d-5b7d-4e21-9c0a-41d2b6e87f35", n) }

func (k *memoryHome) text(n int, project string, records int) string {
	var b strings.Builder
	for i := range records {
		fmt.Fprintf(&b, `{"type":"user","parentUuid":null,"uuid":"11111111-0000-4000-8000-%012d","cwd":%q,"sessionId":%q,"timestamp":"2026-11-20T13:2%d:00Z","message":{"role":"user","content":"word %d"}}`+"\n",
			i, filepath.Join(k.home, project), k.id(n), i, i)
	}
	return b.String()
}

func (k *memoryHome) write(text string, path ...string) string {
	k.t.Helper()
	name := filepath.Join(append([]string{k.home}, path...)...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return name
}

func (k *memoryHome) session(n int, project string, records int) string {
	k.t.Helper()
	return k.write(k.text(n, project, records), ".claude", "projects", sessions.Slug(filepath.Join(k.home, project)), k.id(n)+".jsonl")
}

// backup writes a backup of session n. A non-empty marker names its pending marker.
func (k *memoryHome) backup(name string, n int, project string, records int, marker string) string {
	k.t.Helper()
	path := k.write(k.text(n, project, records), project, ".claude", "memory", "raw", name+".jsonl")
	if marker != "" {
		k.write(path+"\n", project, ".claude", "memory", marker)
	}
	return path
}

// run runs a command line in a project. typed is the input; with "-", stdin is not a terminal.
func (k *memoryHome) run(project, typed string, args ...string) (code int, stdout, stderr string) {
	k.t.Helper()
	var out, errs strings.Builder
	d := newDeps(Program{
		Args: args, Env: []string{"HOME=" + k.home}, Dir: filepath.Join(k.home, project), Now: now,
		Stdin: strings.NewReader(typed), Stdout: &out, Stderr: &errs,
	})
	if typed != "-" {
		d.Typing, d.Out.Terminal, d.Err.Terminal = true, true, true
	}
	code = execute(k.t.Context(), d.Env, d.Output, args)
	return code, out.String(), errs.String()
}

func (k *memoryHome) there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestBackupAsks(t *testing.T) {
	t.Parallel()
	for answer, code := range map[string]int{"": out.ExitNo, "\n": out.ExitNo, "n\n": out.ExitNo, "yo\n": out.ExitNo, "y": out.ExitNo, "y\n": out.ExitDone, " YES \n": out.ExitDone} {
		k := newMemoryHome(t)
		k.session(1, "tea", 2)
		path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
		got, stdout, stderr := k.run("tea", answer, "backup", "discard")
		if got != code || k.there(path) != (code == out.ExitNo) {
			t.Errorf("%q: exit code %d, there %v\n%s%s", answer, got, k.there(path), stdout, stderr)
		}
		if !strings.Contains(stdout, "Nothing has changed yet.") || !strings.HasPrefix(stderr, "Do this? [y/N] ") {
			t.Errorf("%q:\n%s%s", answer, stdout, stderr)
		}
		if no := "[y/N] Nothing was done."; strings.Contains(stderr, no) != (code == out.ExitNo) {
			t.Errorf("%q: %s", answer, stderr)
		}
	}
}

func TestDiscardPlan(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.session(2, "tea", 3)
	k.session(3, "pantry", 1)
	k.backup("20261121_110213Z_compact", 1, "tea", 2, ".pending-backup-compact")
	k.backup("20261120_184207Z_exit", 2, "tea", 2, ".pending-backup-exit")
	k.backup("20261119_184207Z_exit", 3, "pantry", 2, ".pending-backup")
	k.backup("20261118_184207Z_exit", 4, "pantry", 2, "")
	k.write("{}\n", "pantry", ".claude", "memory", "raw", "20261117_184207Z.jsonl")
	k.write("/etc/passwd\n", "tea", ".claude", "memory", ".pending-backup")
	k.write("gone.jsonl\n", "pantry", ".claude", "memory", ".pending-backup-exit")
	code, stdout, stderr := k.run("tea", "-", "backup", "discard", "--dry-run")
	size := int64(len(k.text(1, "tea", 2)))
	want := `Touched    2 files, ` + words.Size(2*size) + `, go to the trash of their project
           Today 11:02      tea  = same as the live file                                       ` + words.Size(size) + `
           word 0 · raw/20261121_110213Z_compact.jsonl
           Yesterday 18:42  tea  > live file has grown since                                   ` + words.Size(size) + `
           word 0 · raw/20261120_184207Z_exit.jsonl

Removed    2 markers, so that Claude no longer offers these backups at its start
           .pending-backup-exit in tea and .pending-backup-compact in tea

Stays      ✓ the live transcripts contain every byte, compared just now

Undo       continuo backup undo restores everything, byte for byte.
           continuo never empties the trash by itself.
`
	plan, besides, _ := strings.Cut(stdout, "\nBesides    △ ")
	if code != out.ExitDone || stderr != "" || plan != want || !strings.Contains(besides, "/etc/passwd") {
		t.Errorf("exit code %d, %q\n%s\nwant\n%s", code, stderr, stdout, want)
	}
	code, stdout, _ = k.run("pantry", "-", "backup", "discard", "20261118", "20261119", "20261117", "20261121", "--dry-run")
	for _, line := range []string{
		"Touched    4 files, ", " go to the trash of their projects\n", "  ≠ live file was rewritten since  ", "  ◐ gone, the only copy  ", "  … unknown session  ",
		"\nBut        △ 20261118_184207Z_exit of pantry is the only copy: no transcript has it any more\n",
		"           △ 20261119_184207Z_exit of pantry is the only copy of its content: its transcript was\n             rewritten\n",
		"           △ 20261117_184207Z of pantry may be the only copy: nothing was found to compare it with\n",
		"✓ the live transcript contains every byte of the other backup, compared just now\n",
		"· 1 backup was not named and stays pending: 20261120_184207Z_exit of tea\n",
		"Undo       continuo undo ID restores everything, byte for byte. The ID is printed after the discard.\n           continuo backup undo restores one project.\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("exit code %d, no %q in\n%s", code, line, stdout)
		}
	}
	code, stdout, stderr = k.run("pantry", "-", "backup", "discard", "20261118", "20261119", "20261121", "--yes", "--json")
	var report struct {
		Done    bool
		Backups []struct{ Path, Relation string }
		Entries []string
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != out.ExitDone || !report.Done || len(report.Backups) != 3 || len(report.Entries) != 2 {
		t.Fatalf("exit code %d, %v, %q\n%s", code, err, stderr, stdout)
	}
	for _, b := range report.Backups {
		if k.there(b.Path) {
			t.Errorf("%s is still there", b.Path)
		}
	}
	for _, project := range []string{"tea", "pantry"} {
		if code, stdout, stderr := k.run(project, "-", "backup", "undo", "--yes"); code != out.ExitDone {
			t.Errorf("%s: exit code %d\n%s%s", project, code, stdout, stderr)
		}
	}
	for _, b := range report.Backups {
		if !k.there(b.Path) {
			t.Errorf("%s is not back", b.Path)
		}
	}
}

func TestBackupRefusals(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	one := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	k.backup("20261120_110213Z_exit", 2, "tea", 2, "")
	k.write("{\"type\":\"user\"}\n", "tea", ".claude", "memory", "raw", "20261119_110213Z_exit.jsonl")
	k.write("{\"type\":\"user\",\"cwd\":\"/srv/tea\"}\n", "tea", ".claude", "memory", "raw", "20261118_110213Z_exit.jsonl")
	if err := os.MkdirAll(filepath.Join(k.home, "out", ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(k.home, "tea", ".claude", "memory"), filepath.Join(k.home, "out", ".claude", "memory")); err != nil {
		t.Fatal(err)
	}
	k.session(3, "none", 1)
	k.write("", "none", "file")
	k.write("", "tea", "file")
	before := snapshot(t, filepath.Join(k.home, "tea"))
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"backup restore 20261121 --yes":                                 {out.ExitFailed, "The session still exists and contains the whole backup."},
		"backup restore 20261119 --yes":                                 {out.ExitFailed, "This backup doesn't record the folder of its session"},
		"backup restore 20261118 --yes":                                 {out.ExitFailed, "This backup doesn't record its session ID. Restore the backup under a new ID.\n  hint  continuo backup restore 20261118 --new-id"},
		"backup discard --project ../gone --yes":                        {out.ExitNone, "There is no folder ~/gone. Check --project."},
		"backup list --project ../none":                                 {out.ExitFailed, "The project ~/none has no .claude/memory"},
		"backup list --trash --project ../none":                         {out.ExitFailed, "The project ~/none has no .claude/memory"},
		"backup show 20261121 --project ../gone":                        {out.ExitNone, "There is no folder ~/gone."},
		"backup restore 20261121 --project ../gone":                     {out.ExitNone, "There is no folder ~/gone."},
		"backup verify --project ../gone":                               {out.ExitNone, "There is no folder ~/gone."},
		"backup prune --project ../gone":                                {out.ExitNone, "There is no folder ~/gone."},
		"backup undo --project ../gone":                                 {out.ExitNone, "There is no folder ~/gone."},
		"backup create --missed --project ../gone":                      {out.ExitNone, "There is no folder ~/gone."},
		"backup create --missed --project file":                         {out.ExitFailed, "~/tea/file isn't a folder. Check --project."},
		"backup discard --project ../out --yes":                         {out.ExitFailed, "is a link that leads out of the project. Nothing is written there."},
		"backup create " + k.id(3) + " --yes":                           {out.ExitFailed, "has no .claude/memory. Create it."},
		"backup create 20261121 --yes":                                  {out.ExitFailed, "20261121 is a backup or document, not a session."},
		"backup create .claude/memory/raw/20261121_110213Z_exit.jsonl":  {out.ExitFailed, "is a backup or document, not a session"},
		"backup restore 2026112 --yes":                                  {out.ExitFailed, "2 backups begin with 2026112. Type more of the name."},
		"backup discard 20261121 20269999 --yes":                        {out.ExitNone, "No backup has the name, time or session 20269999."},
		"backup discard .claude/memory/raw/no.jsonl --yes":              {out.ExitNone, "No backup has the name"},
		"backup prune --yes --keep 2 --older-than 2026-11-01":           {out.ExitDone, ""},
		"backup discard 20261121 --dry-run --claude-dir nowhere/at/all": {out.ExitFailed, "cannot be read"},
	} {
		code, stdout, stderr := k.run("tea", "-", strings.Fields(line)...)
		if code != want.code || !strings.Contains(stderr, want.text) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", line, code, want.code, stdout, stderr)
		}
	}
	if after := snapshot(t, filepath.Join(k.home, "tea")); after != before {
		t.Errorf("something was changed:\n%s\nbefore\n%s", after, before)
	}
	// A client has the session open.
	k.write(fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":"/","startedAt":1}`, os.Getpid(), k.id(2)), ".claude", "sessions", fmt.Sprint(os.Getpid())+".json")
	if code, _, stderr := k.run("tea", "-", "backup", "restore", "20261120", "--yes"); code != out.ExitFailed || !strings.Contains(stderr, "A session with this ID is live. Close it, or restore the backup under a new ID.") {
		t.Errorf("live: exit code %d, %s", code, stderr)
	}
	// A different file has the path of the backup.
	if code, _, stderr := k.run("tea", "-", "backup", "discard", "--yes"); code != out.ExitDone {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	k.write("another\n", "tea", ".claude", "memory", "raw", filepath.Base(one))
	if code, _, stderr := k.run("tea", "-", "backup", "undo", "--yes"); code != out.ExitFailed || !strings.Contains(stderr, "Another file exists at the path below, so nothing was done. Move that file first.\n    "+one) {
		t.Errorf("taken: exit code %d, %s", code, stderr)
	}
}

// TestBackupReadsOnly: only backup show writes without --yes. It marks the backup as reviewed.
func TestBackupReadsOnly(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	k.backup("20261020_110213Z_exit", 2, "tea", 2, "")
	if code, _, stderr := k.run("tea", "-", "backup", "list"); code != out.ExitDone || !k.there(filepath.Join(k.home, ".cache", "continuo", "projects")) {
		t.Fatalf("the project is not remembered: exit code %d, %s", code, stderr)
	}
	before := snapshot(t, k.home)
	for _, line := range []string{
		"backup", "backup list", "backup list --all --json", "backup list --trash", "backup verify", "backup discard --dry-run", "backup discard",
		"backup discard 20261020 --json", "backup restore 20261020 --dry-run", "backup restore 20261020", "backup prune --keep 1 --dry-run",
		"backup prune --empty-trash --dry-run", "backup undo", "backup create " + k.id(1), "backup create " + k.id(1) + " --dry-run --json",
	} {
		code, stdout, stderr := k.run("tea", "-", strings.Fields(line)...)
		if after := snapshot(t, k.home); after != before {
			t.Fatalf("%s wrote something:\n%s\nbefore\n%s", line, after, before)
		}
		if stdout+stderr == "" && line != "backup list --trash" {
			t.Errorf("%s: exit code %d and no output", line, code)
		}
	}
	if code, _, stderr := k.run("tea", "-", "backup", "show", "20261020"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	if !k.there(filepath.Join(k.home, ".local", "state", "continuo", "seen")) {
		t.Error("the shown backup is not recorded as seen")
	}
}

func TestRestoreNewID(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	live := k.session(1, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	code, stdout, stderr := k.run("tea", "-", "backup", "restore", "20261121", "--new-id", "--yes", "--json")
	var report struct{ Made, Markers []string }
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != out.ExitDone || len(report.Made) != 1 || len(report.Markers) != 1 {
		t.Fatalf("exit code %d, %v, %q\n%s", code, err, stderr, stdout)
	}
	if filepath.Dir(report.Made[0]) != filepath.Dir(live) || report.Made[0] == live || !sessions.IsUUID(strings.TrimSuffix(filepath.Base(report.Made[0]), ".jsonl")) {
		t.Errorf("made %s", report.Made[0])
	}
	if got, err := os.ReadFile(report.Made[0]); err != nil || string(got) != k.text(1, "tea", 2) {
		t.Errorf("%v, %q", err, got)
	}
	if k.there(report.Markers[0]) {
		t.Error("the marker is still there")
	}
	if code, _, stderr := k.run("tea", "y\n", "backup", "undo"); code != out.ExitDone || k.there(report.Made[0]) || !k.there(report.Markers[0]) || !k.there(live) {
		t.Errorf("undo: exit code %d, %s", code, stderr)
	}
}

// TestEmptyTrashOnly: --empty-trash can't be combined with --keep or --older-than.
func TestEmptyTrashOnly(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_exit", 1, "tea", 2, "")
	k.backup("20261120_110213Z_exit", 2, "tea", 2, "")
	if code, _, stderr := k.run("tea", "-", "backup", "discard", "20261121", "20261120", "--yes"); code != out.ExitDone {
		t.Fatal(stderr)
	}
	code, stdout, _ := k.run("tea", "-", "backup", "prune", "--empty-trash", "--dry-run")
	if code != out.ExitDone || !strings.Contains(stdout, "Deletes    2 backups, ") || !strings.Contains(stdout, "But        △ 1 of them is the only copy of its content\n") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	for _, flag := range []string{"--older-than=1d", "--keep=1"} {
		code, stdout, stderr := k.run("tea", "-", "backup", "prune", "--empty-trash", flag, "--yes")
		if code != out.ExitFailed || stdout != "" || !strings.Contains(stderr, "--empty-trash deletes the whole trash. It can't be combined with --keep or --older-than.") {
			t.Errorf("%s: exit code %d\n%s%s", flag, code, stdout, stderr)
		}
	}
	if code, stdout, _ := k.run("tea", "y\n", "backup", "prune", "--empty-trash"); code != out.ExitDone || !strings.Contains(stdout, "\nDeleted from the trash of tea: 2 backups, ") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	if code, stdout, _ := k.run("tea", "-", "backup", "list", "--trash"); code != out.ExitDone || stdout != "" {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestUndoAlone: the project no longer has a session, backup or document.
func TestUndoAlone(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	path := k.backup("20261121_110213Z_exit", 1, "tea", 2, ".pending-backup")
	for _, dir := range []string{".git", "src"} {
		if err := os.MkdirAll(filepath.Join(k.home, "tea", dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sub := filepath.Join("tea", "src")
	if code, stdout, stderr := k.run(sub, "-", "backup", "list"); code != out.ExitDone || !strings.HasPrefix(stdout, "20261121_110213Z_exit\tpending\t") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := k.run(sub, "-", "backup", "discard", "--yes"); code != out.ExitDone || k.there(path) {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := k.run(sub, "-", "backup", "undo", "--yes"); code != out.ExitDone || !k.there(path) {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
}

// TestCreateMissed: --missed backs up only projects whose hooks make backups.
func TestCreateMissed(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.session(2, "none", 2)
	ignore := k.write("*\n", "tea", ".claude", "memory", ".gitignore")
	long := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(ignore, long, long); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := k.run("tea", "-", "backup", "create", "--missed", "--yes"); code != out.ExitDone || strings.Contains(stdout, "Backed up") {
		t.Errorf("without a hook that acts there: exit code %d\n%s", code, stdout)
	}
	k.write(userHooks(k.home), "tea", ".claude", "settings.json")
	code, stdout, stderr := k.run("tea", "-", "backup", "create", "--missed", "--yes")
	if code != out.ExitDone || !strings.Contains(stdout, "Backed up 3f9ac1e1 of tea: 20261121_155200Z_missed.jsonl\n") || strings.Contains(stdout, "none") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, _ := k.run("tea", "-", "backup", "create", "--missed", "--yes"); code != out.ExitDone || stdout != "No session ended without a backup in the projects with .claude/memory.\n" {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestMemoryAbove: MemoryOf stops at the repository, and never returns the home directory.
func TestMemoryAbove(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	for _, dir := range []string{".claude/memory", "repo/.git", "repo/.claude/memory", "repo/sub/deep", "repo/sub/own/.claude/memory", "plain/.claude/memory", "plain/sub"} {
		if err := os.MkdirAll(filepath.Join(k.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	k.write("", "file", ".claude", "memory")
	d := newDeps(Program{Env: []string{"HOME=" + k.home}, Dir: k.home})
	for dir, want := range map[string]string{
		"repo": "repo", "repo/sub/deep": "repo", "repo/sub/own": "repo/sub/own", "plain": "plain", "plain/sub": "", ".": "", "gone": "", "file": "file",
	} {
		if want != "" {
			want = filepath.Join(k.home, want)
		}
		if got := survey.MemoryOf(t.Context(), filepath.Join(k.home, dir), d.Home); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	if got := survey.MemoryOf(t.Context(), "", d.Home); got != "" {
		t.Errorf("nowhere: %q", got)
	}
}

func TestMemoryFailure(t *testing.T) {
	t.Parallel()
	d := newDeps(Program{Env: []string{"HOME=/home/ada"}, Dir: "/"})
	seen := map[string]bool{}
	for _, err := range []error{
		backup.ErrNoMemory, backup.ErrLinkedOut, backup.ErrLocked, backup.ErrChanged, backup.ErrLive, backup.ErrNoEntry, backup.ErrBadEntry, backup.ErrNotBackup,
		backup.ErrNoPlace, &backup.TakenError{Paths: []string{"/a"}}, os.ErrNotExist, os.ErrPermission,
	} {
		f := out.AsFailure(backups.MemoryFailure(d.Env, "/home/ada/tea", fmt.Errorf("in there: %w", err)))
		if seen[f.What] || f.Cause == nil || !strings.HasSuffix(f.What, ".") {
			t.Errorf("%v: %q", err, f.What)
		}
		seen[f.What] = true
	}
}
