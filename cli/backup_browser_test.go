package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// backupWorld returns a home with sessions, and the browser's actions. Some sessions have no backup.
func backupWorld(t *testing.T) (e *endings, a browse.Actions) {
	t.Helper()
	e = newEndings(t)
	d := newDeps(Program{Env: []string{"HOME=" + e.home}, Dir: e.home, Now: now, Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: new(strings.Builder)})
	return e, browse.Actions{Env: d.Env, O: d.Output, Catalog: catalog.New(catalog.Options{Dirs: []string{filepath.Join(e.home, ".claude")}, Now: now})}
}

func TestBrowserBackup(t *testing.T) {
	t.Parallel()
	e, a := backupWorld(t)
	tea := e.project("code/tea")
	tree := filepath.Join(e.home, "elsewhere", "w")
	e.file("code/tea/.git/HEAD", "ref: refs/heads/main\n", noon())
	e.file("code/tea/.git/worktrees/w/gitdir", filepath.Join(tree, ".git")+"\n", noon())
	e.file("code/tea/.git/worktrees/w/commondir", "../..\n", noon())
	e.file("elsewhere/w/.git", "gitdir: "+filepath.Join(tea, ".git", "worktrees", "w")+"\n", noon())
	_, path := e.session(tea, time.Minute, 0)
	e.session(tree, 2*time.Minute, 0)
	text := readAll(t, path)
	rows := e.list()
	memory := filepath.Join(tea, ".claude", "memory")
	before := snapshot(t, e.home)
	o, err := a.Backup(t.Context(), rows, false)
	if err != nil || len(o.Goes) != 2 || o.Said != "" {
		t.Fatalf("%+v, %v", o, err)
	}
	for _, g := range o.Goes {
		if g.Dir != memory || g.Off != "" || g.Row.Bytes == 0 {
			t.Errorf("%+v", g)
		}
	}
	if after := snapshot(t, e.home); after != before {
		t.Errorf("the plan has written:\n%s\nwas\n%s", after, before)
	}
	o, err = a.Backup(t.Context(), rows, true)
	if err != nil || !strings.HasPrefix(o.Said, "Backed up 2 sessions, ") {
		t.Errorf("%+v, %v", o, err)
	}
	found, err := backup.Find(t.Context(), tea, time.UTC)
	if err != nil || len(found.Backups) != 2 || found.Backups[0].Reason != backups.ReasonMissed || !found.Backups[0].Pending || !found.Backups[1].Pending {
		t.Errorf("%+v, %v", found, err)
	}
	for _, r := range e.list() {
		if r.Has(sessions.FlagNoBackup) {
			t.Errorf("%s still is without a backup", r.ID)
		}
	}
	if readAll(t, path) != text {
		t.Error("the transcript was changed")
	}
	before = snapshot(t, e.home)
	if o, err = a.Backup(t.Context(), rows, false); err != nil || !o.Goes[0].Kept || !o.Goes[1].Kept {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err = a.Backup(t.Context(), rows[:1], true); err != nil || o.Said != "An identical backup exists." {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err = a.Backup(t.Context(), rows, true); err != nil || o.Said != "Identical backups exist." {
		t.Errorf("%+v, %v", o, err)
	}
	if after := snapshot(t, e.home); after != before {
		t.Errorf("made again:\n%s\nwas\n%s", after, before)
	}
	e.file(path, strings.Replace(text, "a", "b", 1), noon()) // same length, different content
	if o, err = a.Backup(t.Context(), rows, true); err != nil || !strings.HasPrefix(o.Said, "Backed up as 20261121_155200Z_missed-") {
		t.Errorf("%+v, %v", o, err)
	}
	e.file(path, text+text, noon())
	for i := range rows {
		rows[i].Flags = nil
	}
	if o, err = a.Backup(t.Context(), rows, true); err != nil || !strings.HasPrefix(o.Said, "Backed up as 20261121_155200Z_manual.jsonl, ") {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestBrowserBackupRefused(t *testing.T) {
	t.Parallel()
	e, a := backupWorld(t)
	tea, plain := e.project("code/tea"), filepath.Join(e.home, "code", "plain")
	e.file("code/plain/x", "", noon())
	e.session(tea, time.Minute, 0)
	e.session(plain, 2*time.Minute, 0)
	_, gone := e.session(tea, 3*time.Minute, 0)
	_, empty := e.session(tea, 4*time.Minute, 0)
	rows := e.list()
	e.file(empty, "", noon())
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	o, err := a.Backup(t.Context(), rows, false)
	if err != nil {
		t.Fatal(err)
	}
	off := map[string]int{}
	for _, g := range o.Goes {
		off[g.Off]++
	}
	for _, want := range []string{"", "no .claude/memory; continuo init creates it", "file not found", "the session is empty"} {
		if off[want] != 1 {
			t.Errorf("%q is not among %v", want, off)
		}
	}
	_, err = a.Backup(t.Context(), rows, true)
	if err == nil || !strings.HasPrefix(err.Error(), "Backed up as ") || !strings.Contains(err.Error(), " 3 sessions failed: ") {
		t.Errorf("%v", err)
	}
	one := []sessions.Row{}
	for _, r := range rows {
		if r.Workdir == plain {
			one = append(one, r)
		}
	}
	if _, err = a.Backup(t.Context(), one, true); err == nil || err.Error() != "Nothing was backed up: no .claude/memory; continuo init creates it." {
		t.Errorf("%v", err)
	}

	memory := filepath.Join(tea, ".claude", "memory")
	if err := errors.Join(os.RemoveAll(memory), os.Symlink(t.TempDir(), memory)); err != nil {
		t.Skip("there are no links")
	}
	o, err = a.Backup(t.Context(), rows, false)
	led := 0
	for _, g := range o.Goes {
		if g.Off == ".claude/memory is a link that leads out of the project" {
			led++
		}
	}
	if err != nil || led != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Backup(ctx, rows, true); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
