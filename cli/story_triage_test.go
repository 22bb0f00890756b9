//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// stowed describes a backup to write, and the changes of the transcript since the backup.
type stowed struct {
	of      past
	ago     time.Duration
	reason  string
	pending bool
	cut     int // last lines of the transcript that the backup lacks
	turned  bool
}

func (k stowed) name() string {
	return now().Add(-k.ago).Format("20060102_150405") + "Z_" + k.reason
}

func (k stowed) path(home string) string {
	return filepath.Join(k.of.workdir(home), ".claude", "memory", "raw", k.name()+".jsonl")
}

// shelve writes backups and markers of sessions that tell has written.
func shelve(t *testing.T, home string, all ...stowed) {
	t.Helper()
	for _, k := range all {
		lines := strings.SplitAfter(readFile(t, k.of.path(home)), "\n")
		text := strings.Join(lines[:len(lines)-1-k.cut], "")
		if k.turned {
			text = strings.Replace(text, "Answer 1", "Reply 1", 1)
		}
		path := k.path(home)
		putFile(t, path, text)
		at := now().Add(-k.ago)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		memory := filepath.Dir(filepath.Dir(path))
		m, err := backup.OpenMemory(k.of.workdir(home))
		if err == nil {
			err = errors.Join(m.Guard(), m.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		if k.pending {
			putFile(t, filepath.Join(memory, ".pending-backup"), path+"\n")
		}
		putFile(t, filepath.Join(k.of.workdir(home), ".claude", "commands", "resume-latest.md"), "Deal with the backup.\n")
	}
}

// triage returns nine sessions in six projects, and twelve backups. Four are pending and five are unreviewed.
func triage() (sessions []past, backups []stowed) {
	of := func(n int, name, folder string, turns int) past {
		return past{n: n, name: name, folder: folder, turns: turns}
	}
	booking, menu := of(1, "Sketch the booking flow", "teahouse", 2), of(2, "Print the menu", "teahouse", 1)
	stock, jam := of(3, "Count the jars", "pantry", 4), of(4, "Label the jam", "pantry", 1)
	oil, bell := of(5, "Trim the lamps", "lamplight", 2), of(6, "Tune the bell", "harbour", 2)
	graft, stone := of(7, "Graft the pear", "orchard", 2), of(8, "Split the stone", "quarry", 3)
	wedge := of(9, "Sharpen the wedges", "quarry", 1)
	sessions = []past{booking, menu, stock, jam, oil, bell, graft, stone, wedge}
	backups = []stowed{
		{of: booking, ago: 2 * time.Hour, reason: "compact", pending: true},
		{of: menu, ago: 80 * time.Hour, reason: "exit"},
		{of: stock, ago: 3 * time.Hour, reason: "exit", pending: true, cut: 4},
		{of: jam, ago: 90 * time.Hour, reason: "clear"},
		{of: oil, ago: 4 * time.Hour, reason: "exit", pending: true},
		{of: bell, ago: 50 * time.Hour, reason: "compact", turned: true},
		{of: bell, ago: 52 * time.Hour, reason: "exit"},
		{of: graft, ago: 5 * time.Hour, reason: "exit", pending: true},
		{of: graft, ago: 100 * time.Hour, reason: "clear", cut: 2},
		{of: stone, ago: 26 * time.Hour, reason: "exit"},
		{of: stone, ago: 28 * time.Hour, reason: "compact", cut: 4},
		{of: wedge, ago: 110 * time.Hour, reason: "logout"},
	}
	return sessions, backups
}

// TestStoryTriage reviews twelve backups with the keyboard. The files must be as the screen has announced.
func TestStoryTriage(t *testing.T) {
	t.Parallel()
	all, backups := triage()
	booking, stock, oil, graft, stone := backups[0], backups[2], backups[4], backups[7], backups[9]
	d := newResumeWorld(t, 120, 36, func(home string) {
		tell(t, home, all...)
		shelve(t, home, backups...)
		for _, project := range []string{"teahouse", "pantry", "orchard", "quarry"} { // backups that are older than a document count as reviewed
			putFile(t, filepath.Join(home, "code", project, ".claude", "memory", "session-2026-11-18-0900.md"),
				"---\ndate: 2026-11-18T09:00:00Z\nstatus: completed\ntags: []\nprevious_session: null\n---\n\n## Session Summary\n- Dealt with.\n")
		}
	})
	d.start("continuo list --quick")
	d.wait(`^code 0$`)
	if err := os.Remove(oil.of.path(d.home)); err != nil { // Claude Code's retention does this
		t.Fatal(err)
	}
	d.text("clear")
	d.keys("Enter")
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}
	d.start("continuo")
	d.wait(`Backups 12 4!`)
	d.keys("Tab")
	d.wait(`^ +Pending 4`)
	d.wait(`^ +Not reviewed 4`)
	d.wait(`◐ gone`)
	d.wait(`≠ rewritten`)
	x.is("the list is drawn")

	d.under(stone)
	d.keys("Enter")
	d.wait(`Answer 3 of the talk`)
	d.keys("Escape")
	d.wait(`^ +Not reviewed 3`)
	x.is("one is read")

	d.under(booking)
	d.keys("Space")
	d.wait(`^ ✓ 1 marked`)
	d.under(stock)
	d.keys("Space")
	d.wait(`^ ✓ 2 marked · .* · nothing is lost`)
	d.keys("d")
	d.panel("Discard", "2 backups in 2 projects", "Touched", booking.name(), stock.name(), "Removed", "2 markers", "Undo", "Nothing has changed yet.", "enter discard 2")
	x.is("the plan is shown")
	d.keys("Enter")
	d.wait(`^ +Pending 2`)
	first := []string{x.discarded(booking), x.discarded(stock)}
	x.is("two are discarded", first...)
	d.under(stone)
	d.keys("d")
	d.panel("Discard", stone.name(), "Nothing has changed yet.")
	d.keys("Enter")
	d.wait(`Backups 9 2!`)
	third := x.discarded(stone)
	x.is("the third is discarded", third)

	d.keys("u")
	d.panel("Undo", "Discarded 1 backup", stone.name())
	x.is("what comes back is shown")
	d.keys("Enter")
	d.wait(`Backups 10 2!`)
	x.back(stone, third)
	x.is("one is back")

	d.under(oil)
	d.wait(`This is the only copy`)
	d.keys("R")
	d.panel("Restore", oil.of.id(), "Nothing has changed yet.")
	x.is("the restore is shown")
	d.keys("Enter")
	d.wait(`Backups 10 1!`)
	x.restored(oil)
	x.is("one is restored")

	d.under(graft)
	d.keys("r")
	d.panel("Resume", `claude "/resume-latest"`)
	d.keys("Enter")
	d.ran(graft.of.workdir(d.home), "/resume-latest")
	d.back()
	d.wait(`^ +Pending 1`)
	x.is("one is resumed")

	d.keys("g")
	for range 10 {
		d.keys("Space")
	}
	d.wait(`^ ✓ 10 marked`)
	d.keys("V")
	d.panel("Verify", "10 backups")
	d.keys("Escape")
	d.gone(`╭─ Verify`)
	d.keys("Escape")
	d.gone(`10 marked`)
	x.is("all are verified")
	d.before = contents(t, d.home) // homeFiles has checked all changes
	d.keys("q")
	d.ended(out.ExitDone)
}

func (d *resumeWorld) under(k stowed) {
	d.t.Helper()
	d.keys("g")
	seen := d.wait(`^ +Pending \d+.*\n▌`)
	at := regexp.MustCompile(`(?m)^▌ . ` + words.Moment(now(), now().Add(-k.ago)) + ` `)
	for range 12 {
		if at.MatchString(seen) {
			return
		}
		at := barAt(seen)
		d.keys("j")
		seen = d.until("moved the bar", func(now string) bool { return barAt(now) > at })
	}
	d.wait(at.String())
}

// barAt returns the screen line of the selected row.
func barAt(screen string) int {
	above, _, _ := strings.Cut(screen, "\n▌")
	return strings.Count(above, "\n")
}

// homeFiles compares the files in a home with the expected ones, except continuo's own.
type homeFiles struct {
	t     *testing.T
	home  string
	files map[string]string
}

// is waits for the expected files and for the trash directories in made.
func (x *homeFiles) is(when string, made ...string) {
	x.t.Helper()
	var wrong []string
	for range 100 {
		wrong = nil
		after := contents(x.t, x.home)
		for path, is := range after {
			if want, ok := x.files[path]; !x.own(path) && (!ok || want != is) {
				wrong = append(wrong, fmt.Sprintf("%s is %s, not %q", path, is, want))
			}
		}
		for path := range x.files {
			if _, ok := after[path]; !ok && !x.own(path) {
				wrong = append(wrong, path+" is gone")
			}
		}
		if len(wrong) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if slices.Sort(wrong); len(wrong) > 0 {
		x.t.Errorf("%s:\n%s", when, strings.Join(wrong, "\n"))
	}
	for _, dir := range made {
		if _, err := os.Stat(dir); err != nil {
			x.t.Error(err)
		}
	}
}

// own reports whether a path is state, cache, a lock, or metadata in a trash.
func (x *homeFiles) own(path string) bool {
	rel, _ := filepath.Rel(x.home, path)
	return rel == "state" || rel == "cache" || strings.HasPrefix(rel, "state/") || strings.HasPrefix(rel, "cache/") ||
		filepath.Base(rel) == ".lock" || strings.Contains(rel, "/memory/trash") && !strings.HasSuffix(rel, ".jsonl")
}

// discarded waits until a backup is in the trash of its project, and returns its directory.
func (x *homeFiles) discarded(k stowed) string {
	x.t.Helper()
	memory := filepath.Dir(filepath.Dir(k.path(x.home)))
	var found []string
	eventually(x.t, "discarded "+k.name(), func() bool {
		found, _ = filepath.Glob(filepath.Join(memory, "trash", "*", "raw", k.name()+".jsonl"))
		return len(found) == 1
	})
	x.files[found[0]] = x.files[k.path(x.home)]
	delete(x.files, k.path(x.home))
	if k.pending {
		delete(x.files, filepath.Join(memory, ".pending-backup"))
	}
	return filepath.Dir(filepath.Dir(found[0]))
}

// back expects that a backup is at its original path again.
func (x *homeFiles) back(k stowed, trash string) {
	from := filepath.Join(trash, "raw", k.name()+".jsonl")
	x.files[k.path(x.home)] = x.files[from]
	delete(x.files, from)
}

// restored expects a transcript identical to the backup, and no marker.
func (x *homeFiles) restored(k stowed) {
	x.files[k.of.path(x.home)] = x.files[k.path(x.home)]
	delete(x.files, filepath.Join(filepath.Dir(filepath.Dir(k.path(x.home))), ".pending-backup"))
}
