package act_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
)

// TestFull: each try has more free disk space. The change is done completely or not at all.
func TestFull(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, full)
}

func full(t *testing.T) {
	twin := newFilled(t)
	names := []string{"", "rubbish"} // "" means all ops of every at once
	for _, o := range twin.every(t) {
		names = append(names, o.Name)
	}
	before := twin.tree(t)
	for _, name := range names {
		twin := newFilled(t)
		if _, err := twin.do(t, twin.fullOps(t, name)...); err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"disk", "state"} {
			if place == "state" && name != "" && name != "rubbish" {
				continue // if the journal has no space, the kind of op makes no difference
			}
			for _, options := range []string{"size=256k,nr_inodes=1000", "size=16m,nr_inodes=60"} { // few blocks, or inodes
				failed, done := 0, 0
				for free := 0; done == 0 && free < 40; free++ {
					if fullOnce(t, name, place, options, free, before, twin.tree(t)) {
						failed++
					} else {
						done++
					}
				}
				if moves := name == "raw/a" || name == "gone" || name == "second" || name == "rubbish"; done == 0 || failed == 0 && (!moves || place == "state") {
					t.Errorf("%q in %s, %s: %d failed, %d succeeded; both must occur", name, place, options, failed, done)
				}
			}
		}
	}
}

func (b *bench) fullOps(t *testing.T, name string) []change.Op {
	t.Helper()
	if name == "" {
		return b.every(t)
	}
	return b.around(t, name)[1:2]
}

// fullOnce makes a change with few free blocks or inodes. It returns true if the space wasn't enough.
func fullOnce(t *testing.T, name, place, options string, free int, before, after string) (failed bool) {
	t.Helper()
	home := t.TempDir()
	b, disk := benchIn(filepath.Join(home, "disk")), filepath.Join(home, place)
	b.store.Journal = filepath.Join(home, "state", "journal")
	if err := errors.Join(os.Mkdir(disk, 0o700), syscall.Mount("tmpfs", disk, "tmpfs", 0, options), os.MkdirAll(b.dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	}()
	b.fill(t)
	b.write(t, "rubbish", "rubbish")
	empty := drilltest.Fill(t, disk, 4096, free)
	done, err := b.do(t, b.fullOps(t, name)...)
	_, half := errors.AsType[*act.HalfError](err)
	_, notKept := errors.AsType[*act.NotKeptError](err)
	switch is := difference(b.tree(t), before); {
	case err == nil:
		before = after
	case !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), disk) || half && (name != "" || is == ""), notKept != (place == "state"), !half && is != "":
		t.Errorf("%q, %s, %d: %v\n%s", name, place, free, err, is)
	}
	lost := done.Lost != nil
	empty()
	b.store.FinishInterrupted(t.Context()) // now there is space to complete or undo the change
	if is := difference(b.tree(t), before); is != "" {
		t.Errorf("%q, %s, %d: %v\n%s", name, place, free, err, is)
	}
	list, want := b.list(t), 1
	if err != nil || done.ID == "" {
		want = 0
	}
	if len(list) != want || want == 1 && !list[0].Done {
		t.Errorf("%q, %s, %d: %v, lost %v, %+v", name, place, free, err, done.Lost, list)
	}
	return err != nil || lost
}
