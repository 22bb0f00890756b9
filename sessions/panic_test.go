package sessions

import (
	"context"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

type brokenFiles struct{}

func (brokenFiles) Stat(string) (fs.FileInfo, error)      { panic("a bug in Stat") }
func (brokenFiles) ReadFile(string) ([]byte, error)       { panic("a bug in ReadFile") }
func (brokenFiles) ReadDir(string) ([]fs.DirEntry, error) { panic("a bug in ReadDir") }

func TestCatch(t *testing.T) {
	t.Parallel()
	if p := Catch(func() {}); p != nil {
		t.Errorf("caught %v without a panic", p)
	}
	first := Catch(func() { panic("a bug") })
	if first == nil || first.Error() != "panic: a bug" || !strings.Contains(string(first.Stack), "TestCatch") {
		t.Fatalf("caught %+v", first)
	}
	if again := Catch(func() { panic(first) }); again != first {
		t.Errorf("after a second Catch: %+v", again)
	}
}

func TestPanicOfAWorker(t *testing.T) {
	t.Parallel()
	var ran atomic.Int64
	for _, tt := range []struct {
		name, value, in string
		run             func()
	}{
		{"Parallel", "at 3", "TestPanicOfAWorker", func() {
			Parallel(t.Context(), 1_000_000, 2, func(i int) {
				ran.Add(1)
				if i == 3 {
					panic("at 3")
				}
				time.Sleep(time.Microsecond)
			})
		}},
		{"answer", "no answer", "TestPanicOfAWorker", func() {
			answer(t.Context(), time.Minute, func() int { panic("no answer") })
		}},
		{"inParallel", "at a path", "TestPanicOfAWorker", func() {
			inParallel(map[absPath]bool{{path: "/a"}: true, {path: "/b"}: true}, func(absPath) { panic("at a path") })
		}},
		{"inParallel with more than there are workers", "at a path", "TestPanicOfAWorker", func() {
			paths := map[absPath]bool{}
			for i := range 100 {
				paths[absPath{path: "/" + strings.Repeat("a", i+1)}] = true
			}
			inParallel(paths, func(absPath) { panic("at a path") })
		}},
		{"group", "a bug in Stat", "brokenFiles", func() {
			// All workers wait for the worker that reads /home.
			Places{Files: brokenFiles{}}.Group(context.WithoutCancel(t.Context()), []string{"/home/a", "/home/b", "/home/c"})
		}},
	} {
		p := Catch(tt.run)
		if p == nil || p.Value != tt.value || !strings.Contains(string(p.Stack), tt.in) {
			t.Errorf("%s: caught %+v", tt.name, p)
		}
	}
	if n := ran.Load(); n >= 1_000_000 {
		t.Errorf("the other workers continued: %d runs", n)
	}
}
