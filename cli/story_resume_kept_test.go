//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// attics creates a project with a pending backup and a document. The backup's session is missing. The document's
// name has special characters of the shell.
func attics(t *testing.T, home string) (backup, marker string) {
	t.Helper()
	tell(t, home, harbour(), past{n: 2, name: "Count the lamps", folder: "harbour"})
	claude := filepath.Join(harbour().workdir(home), ".claude")
	backup = filepath.Join(claude, "memory", "raw", "20261121_133000Z_exit.jsonl")
	marker = filepath.Join(claude, "memory", ".pending-backup-exit")
	putFile(t, backup, readFile(t, harbour().path(home)))
	putFile(t, marker, backup+"\n")
	putFile(t, filepath.Join(claude, "memory", "session-2026-11-20 $(touch x).md"), "---\ndate: 2026-11-20T15:30:00Z\nstatus: completed\n---\n# Bell\n\n## Session Summary\nTuned.\n")
	if err := os.Remove(harbour().path(home)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"resume-latest", "resume-from"} {
		putFile(t, filepath.Join(claude, "commands", name+".md"), "go on")
	}
	return backup, marker
}

// TestStoryResumeBackup resumes a backup on the Backups tab, twice. The second time, the restored session is
// resumed.
func TestStoryResumeBackup(t *testing.T) {
	t.Parallel()
	var backup, marker string
	d := newResumeWorld(t, 120, 36, func(home string) { backup, marker = attics(t, home) })
	folder := filepath.Join(d.code, "harbour")
	d.start("continuo")
	d.wait(`Backups 1 1!`)
	d.keys("Tab")
	d.wait(`◐ gone`)
	d.keys("r")
	d.panel("Resume", "This is the only copy", "This backup is pending", "Continue from it", "Restore and resume", "Nothing has run yet.")
	d.none()
	d.keys("R")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	if readFile(t, harbour().path(d.home)) != readFile(t, backup) {
		t.Error("the session differs from the backup")
	}
	d.gone(`Backups 1 1!`) // the backup isn't pending any more
	d.keys("r")
	d.panel("Resume", "Identical to the live transcript.", "The live session", "a session with this ID exists")
	d.keys("Enter")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	d.keys("q")
	d.ended(out.ExitDone, append(everything(d.home), marker)...)
}

// TestStoryResumeDocument: if the project has a pending backup, the panel asks first.
func TestStoryResumeDocument(t *testing.T) {
	t.Parallel()
	var marker string
	d := newResumeWorld(t, 120, 36, func(home string) { _, marker = attics(t, home) })
	folder, prompt := filepath.Join(d.code, "harbour"), "/resume-from .claude/memory/session-2026-11-20 $(touch x).md"
	d.sit()
	d.start("continuo")
	d.wait(`Documents 1`)
	d.keys("BTab", "BTab")
	d.wait(`· 1 document `)
	d.keys("r")
	d.panel("Resume", "session-2026-11-20 $(touch x)", "1 backup here is still pending.", "The backup", "This document")
	d.none()
	d.keys("l")
	d.back()
	d.ran(folder, "/resume-latest")
	d.keys("r")
	d.panel("1 backup here is still pending.")
	d.keys("d")
	d.back()
	d.ran(folder, prompt)
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}
	d.keys("w")
	d.panel("Resume in", "Window")
	d.keys("w")
	d.back()
	d.ran(folder, prompt)
	d.wait(`Started in tmux window`)
	d.keys("q")
	d.ended(out.ExitDone, append(everything(d.home), marker)...)
}
