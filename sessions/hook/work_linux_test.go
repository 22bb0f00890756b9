package hook

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"
)

// watch counts the opens of the given paths, and of files in the given directories.
type watch struct {
	t  *testing.T
	fd int
}

func newWatch(t *testing.T, paths ...string) *watch {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	for _, path := range paths {
		if _, err := syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN); err != nil {
			t.Fatal(err)
		}
	}
	return &watch{t, fd}
}

func (w *watch) opened() (n int) {
	w.t.Helper()
	buf := make([]byte, 64<<10)
	for {
		got, err := syscall.Read(w.fd, buf)
		if errors.Is(err, syscall.EAGAIN) {
			return n
		}
		if err != nil {
			w.t.Fatal(err)
		}
		for at := 0; at < got; n++ {
			at += syscall.SizeofInotifyEvent + int((*syscall.InotifyEvent)(unsafe.Pointer(&buf[at])).Len)
		}
	}
}

// tree maps all paths below a directory to their contents.
func (w *world) tree(dir string) map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			all[path] = w.read(path)
		} else {
			all[path] = e.Type().String()
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// TestWork: a hook with nothing to do opens no backup and writes nothing.
func TestWork(t *testing.T) {
	t.Parallel()

	t.Run("no memory", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.remove(w.memory())
		watched := newWatch(t, w.transcript, w.project, filepath.Join(w.project, ".claude"))
		before := w.tree(w.project)
		watched.opened()
		for _, event := range Events() {
			w.handle(event, endClear)
			if n := watched.opened(); n != 0 {
				t.Errorf("%s: %d opened", event, n)
			}
		}
		if !maps.Equal(before, w.tree(w.project)) {
			t.Error("something was written")
		}
	})

	t.Run("nothing pending", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.write(w.memory("raw", backupClear), "x")
		w.write(w.memory("session-2026-11-21-1200.md"), "x")
		before := w.tree(w.project)
		raw := newWatch(t, w.transcript, w.memory("raw"))
		memory := newWatch(t, w.memory())
		if r := w.handle(EventStart, ""); r.Run.Result != ResultNothing {
			t.Errorf("%+v", r.Run)
		}
		if n := raw.opened(); n != 0 {
			t.Errorf("%d opens of backups", n)
		}
		if n := memory.opened(); n > 1 {
			t.Errorf("%d opens in the memory, 1 is the directory itself", n)
		}
		if !maps.Equal(before, w.tree(w.project)) {
			t.Error("something was written")
		}

		// session-start checks that a pending backup exists, without opening it.
		w.mark("", w.memory("raw", backupClear)+"\n")
		raw.opened()
		if r := w.handle(EventStart, ""); r.Run.Result != ResultTold {
			t.Errorf("%+v", r.Run)
		}
		if n := raw.opened(); n > 1 {
			t.Errorf("%d opens of backups to list one, 1 is the directory", n)
		}

		// The watch must notice this open.
		if w.handle(EventEnd, endClear); raw.opened() == 0 {
			t.Error("a backup is made without opening a file")
		}
	})
}
