//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// TestStoryTwice: two projects have the session's ID. The panel names the file that the client will open.
func TestStoryTwice(t *testing.T) {
	t.Parallel()
	bell := harbour()
	copied := past{n: 1, name: "A copy of the bell", folder: "pier", turns: 2}
	d := newResumeWorld(t, 120, 30, func(home string) { tell(t, home, bell, copied, past{n: 2, name: "Paint the gates", folder: "quay"}) })
	in := func(folder string) string { return filepath.Join(d.code, folder) }
	elsewhere := func(folder string) {
		t.Helper()
		d.keys("w")
		d.wait(`─ Resume in ─`)
		d.keys("d")
		d.wait(`─ Another folder ─`)
		d.text("~/code/" + folder)
		d.wait(`❯ ~/code/` + folder + ` +│`)
		d.keys("Enter")
	}
	d.browse("Tune", 3)
	twice := []string{"The ID of this session is in 2 projects.", "In ~/code/harbour claude opens this one.", "r Resume", "f Fork", "Nothing has run yet."}
	d.keys("r")
	d.panel(twice...)
	d.offers("rf")
	d.keys("r")
	d.back()
	d.ran(in("harbour"), "--resume", bell.id())
	d.keys("f")
	d.panel("Fork", "The ID of this session is in 2 projects.", "f Fork")
	d.offers("f")
	d.keys("f")
	d.back()
	d.ran(in("harbour"), "--resume", bell.id(), "--fork-session")

	elsewhere("pier")
	d.panel("In this folder claude would open another file with the same ID.", "From ~/code/pier it opens", "b Its own folder", "d Another folder", "t That file")
	d.offers("bdt")
	d.keys("b")
	d.panel(twice...)
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	elsewhere("pier")
	d.panel("In this folder claude would open another file with the same ID.")
	d.none()
	d.keys("t")
	d.until("gone on", func(now string) bool { return !strings.Contains(now, "would open another file") })
	if strings.Contains(d.look(), "is in 2 projects") { // the catalogue may have found the second file
		d.keys("r")
	}
	d.back()
	d.ran(in("pier"), "--resume", bell.id())

	elsewhere("quay")
	d.panel("claude would not find the session from this folder.", "Its ID is in 2 projects, so claude only searches the project of this folder.", "b Its own folder", "d Another folder")
	d.offers("bd")
	d.keys("b")
	d.panel(twice...)
	d.keys("r")
	d.back()
	d.ran(in("harbour"), "--resume", bell.id())
	d.leave()

	d.start("continuo resume --accept " + bell.path(d.home))
	d.started()
	d.ran(in("harbour"), "--resume", bell.id())
	d.keys("Enter")
	d.ended(out.ExitDone)
	d.start("continuo resume --folder " + in("quay") + " --accept </dev/null " + bell.path(d.home))
	d.wait(`^✗ claude would not find the session from this folder\.`)
	d.ended(out.ExitNo)
}

// TestStoryState resumes damaged, empty and unreadable sessions.
func TestStoryState(t *testing.T) {
	t.Parallel()
	damaged, stub := past{n: 1, name: "Tune the harbour bell", folder: "harbour"}, past{n: 2, name: "Stub", folder: "pier"}
	noID, unread := past{n: 3, name: "No id", folder: "quay"}, past{n: 4, name: "Unreadable", folder: "quay"}
	going := past{n: 5, name: "Going", folder: "quay"}
	var named string
	d := newResumeWorld(t, 120, 30, func(home string) {
		tell(t, home, damaged, stub, noID, unread, going)
		text := readFile(t, damaged.path(home))
		putFile(t, damaged.path(home), strings.Replace(text, "\n", "\nno record\n", 1))
		putFile(t, stub.path(home), fmt.Sprintf(`{"type":"mode","mode":"normal","sessionId":%q,"cwd":%q,"timestamp":"2026-11-21T14:00:00.000Z"}`+"\n", stub.id(), stub.workdir(home)))
		named = filepath.Join(filepath.Dir(noID.path(home)), "notes.jsonl")
		if err := os.Rename(noID.path(home), named); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(unread.path(home)); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(unread.path(home), 0o700); err != nil {
			t.Fatal(err)
		}
	})
	folder := filepath.Join(d.code, "harbour")
	putFile(t, d.in("notes", going.id()+".jsonl"), readFile(t, going.path(d.home)))
	putFile(t, d.in("notes", "session.md"), "# Bell\n")
	d.start("continuo")
	d.wait(` 1 of 4(?:$|  )`)
	d.pick("Tune")
	says := []string{"This session is damaged.", "claude resumes from the messages it can link", "r Resume", "f Fork", "Nothing has run yet."}
	d.keys("r")
	d.panel(says...)
	d.offers("rf")
	d.keys("r")
	d.back()
	d.ran(folder, "--resume", damaged.id())
	d.keys("r")
	d.panel(says...)
	d.keys("f")
	d.back()
	d.ran(folder, "--resume", damaged.id(), "--fork-session")
	d.keys("f") // a fork doesn't change the damaged file
	d.back()
	d.ran(folder, "--resume", damaged.id(), "--fork-session")

	d.pick("No id")
	d.keys("r")
	d.wait(`^ r resume: the file name is not a session ID`)
	d.pick(unread.id()[:23]) // the row shows only this part of the ID
	d.keys("r")
	d.wait(`^ r resume: unreadable`)
	d.pick("Going")
	if err := os.Remove(going.path(d.home)); err != nil {
		t.Fatal(err)
	}
	d.keys("r")
	d.wait(`^ ✗ The transcript of this session is gone\.|^ r resume: deleted`)
	d.none()
	d.keys("C-c")
	d.ended(out.ExitDone, going.path(d.home))

	d.start("continuo resume " + stub.id())
	d.wait(`^△ This session is empty\.`)
	d.wait(`^ +n +New session +start claude in ~/code/pier`)
	d.keys("n", "Enter")
	d.started()
	d.ran(filepath.Join(d.code, "pier"))
	d.keys("Enter")
	d.ended(out.ExitDone, going.path(d.home))
	for _, tt := range []struct {
		arg, says string
		code      int
	}{
		{named, `^✗ The file name isn't a session ID\.`, out.ExitFailed},
		{d.in("notes", "session.md"), `^✗ The project of this document is unknown\.`, out.ExitNo},
		{unread.id(), `^✗ This session cannot be read\.`, out.ExitFailed},
		{going.id(), `^✗ No session`, out.ExitNone},
		{d.in("notes", going.id()+".jsonl"), `^✗ This file isn't in a Claude config directory\.`, out.ExitFailed},
		{damaged.id(), `^✗ This session is damaged\.`, out.ExitNo},
	} {
		d.start("continuo resume '" + tt.arg + "' </dev/null")
		d.wait(tt.says)
		d.ended(tt.code, going.path(d.home))
	}
	d.start("continuo resume --accept " + damaged.id())
	d.started()
	d.ran(folder, "--resume", damaged.id())
	d.keys("Enter")
	d.ended(out.ExitDone, going.path(d.home))
}

// TestStoryOlder: the client is older than the session, or too old to find it from another folder.
func TestStoryOlder(t *testing.T) {
	t.Parallel()
	gone := past{n: 2, name: "Count the lamps", folder: "harbour/lamps", gone: true}
	d := newResumeWorld(t, 120, 30, func(home string) {
		tell(t, home, harbour(), gone, past{n: 3, name: "Paint the gates", folder: "quay"})
		repository(t, filepath.Join(home, "code", "harbour"))
	})
	folder := filepath.Join(d.code, "harbour")
	d.say("version", "2.1.300 (Claude Code)\n")
	d.browse("Tune", 3)
	d.keys("r")
	d.panel("This session was written by a newer claude.", "Its last record is from claude 2.1.329; yours is 2.1.300 and may not read it.", "Update with: claude update.", "r Resume", "f Fork")
	d.offers("rf")
	d.keys("r")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	d.say("version", "2.1.222 (Claude Code)\n")
	d.keys("w")
	d.wait(`─ Resume in ─`)
	d.keys("d")
	d.wait(`─ Another folder ─`)
	d.text("~/code/quay")
	d.wait(`❯ ~/code/quay +│`)
	d.keys("Enter")
	d.panel("claude would not find the session from this folder.", "claude 2.1.222 only searches the project of the folder; 2.1.223 and later search all projects.", "b Its own folder", "d Another folder")
	d.offers("bd")
	d.keys("b")
	d.panel("This session was written by a newer claude.")
	d.keys("f")
	d.back()
	d.ran(folder, "--resume", harbour().id(), "--fork-session")
	d.pick("Count")
	d.keys("r")
	d.panel("The folder ~/code/harbour/lamps is gone.", "m Main folder", "claude 2.1.222 would not find it there", "d Another folder", "claude 2.1.222 would not find it there", "c Recreate")
	d.keys("m")
	d.wait(`Main folder: claude 2\.1\.222 would not find it there`)
	d.keys("d")
	d.wait(`Another folder: claude 2\.1\.222 would not find it there`)
	d.none()
	d.keys("c")
	d.panel("This session was written by a newer claude.")
	d.none()
	d.keys("r")
	d.back()
	d.ran(gone.workdir(d.home), "--resume", gone.id())
	d.say("version", "no version\n") // an unknown version gives no warning
	d.pick("Tune")
	d.keys("r")
	d.back()
	d.ran(folder, "--resume", harbour().id())
	d.leave(gone.workdir(d.home))
}
