//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
)

// TestStoryTriageKeys decides on ten pending backups from the list, with at most 14 keys.
func TestStoryTriageKeys(t *testing.T) {
	t.Parallel()
	const mostKeys = 14
	keep := []string{"Count the jars", "Tune the bell", "Split the stone"}
	var all []past
	var backups []stowed
	for i, name := range []string{
		"Print the menu", keep[0], "Label the jam", "Trim the lamps", keep[1], "Graft the pear", "Sharpen wedges", keep[2], "Oil the gate", "Weigh the tea",
		"Wash the cups", "Sort the seeds", "Mend the net",
	} {
		all = append(all, past{n: i + 1, name: name, folder: fmt.Sprintf("folder-%02d", i+1), turns: 2})
		backups = append(backups, stowed{of: all[i], ago: time.Duration(i+1) * time.Hour, reason: "exit", pending: i < 10, cut: i % 3})
	}
	d := newResumeWorld(t, 120, 36, func(home string) {
		tell(t, home, all...)
		shelve(t, home, backups...)
	})
	d.start("continuo list --quick")
	d.wait(`^code 0$`)
	d.text("clear")
	d.keys("Enter")
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}
	d.start("continuo")
	d.wait(`Backups 13 10!`)
	pressed := 0
	press := func(key string) {
		pressed++
		d.keys(key)
	}

	press("Tab")
	screen := d.wait(`^  ! .* Weigh the tea .* = same`)
	_, rows, _ := strings.Cut(screen, "Pending 10")
	titled := slices.Collect(strings.Lines(rows))[1:11]
	left := len(keep)
	for _, row := range titled {
		kept := slices.ContainsFunc(keep, func(title string) bool { return strings.Contains(row, " "+title+" ") })
		switch {
		case left == 0:
		case kept:
			left--
			press("Space")
			d.wait(fmt.Sprintf(`^ ✓ %d marked`, len(keep)-left))
		default:
			at := barAt(d.look())
			press("j")
			d.until("moved the bar", func(now string) bool { return barAt(now) > at })
		}
	}
	if left > 0 {
		t.Fatalf("the rows don't have these titles: %q\n%s", keep, screen)
	}
	press("K")
	d.panel("Keep", "3 backups", keep[0], keep[1], keep[2], "Nothing has changed yet.")
	press("Enter")
	d.wait(`^ +Pending 7`)
	press("C-a")
	d.wait(`^ ✓ 7 marked`)
	press("d")
	d.panel("Discard", "7 backups in 7 projects", "Print the menu", "Nothing has changed yet.")
	press("Enter")
	d.wait(`^ +Nothing is pending`)
	if pressed > mostKeys {
		t.Errorf("%d keys, not %d", pressed, mostKeys)
	}

	for _, k := range backups {
		switch {
		case slices.Contains(keep, k.of.name):
			delete(x.files, filepath.Join(filepath.Dir(filepath.Dir(k.path(d.home))), ".pending-backup"))
		case k.pending:
			if _, err := os.Stat(x.discarded(k)); err != nil {
				t.Error(err)
			}
		}
	}
	x.is("all are decided")
	d.before = contents(t, d.home)
	d.keys("q")
	d.ended(out.ExitDone)
}
