package catalog_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

type brokenDisk struct{}

func (brokenDisk) Stat(string) (fs.FileInfo, error)      { panic("a bug of brokenDisk") }
func (brokenDisk) ReadFile(string) ([]byte, error)       { panic("a bug of brokenDisk") }
func (brokenDisk) ReadDir(string) ([]fs.DirEntry, error) { panic("a bug of brokenDisk") }

type brokenProbe struct{}

func (brokenProbe) Start(context.Context, int) (start string, alive, known bool) {
	panic("a bug of brokenProbe")
}

func (brokenProbe) Domain() string { return "" }

// brokenWorld returns a catalogue with the given disk and probe, and a running client in its registry.
func brokenWorld(t *testing.T, disk sessions.Stater, probe sessions.Probe) *catalog.Catalog {
	t.Helper()
	opts, stats, _ := world(t)
	write(t, filepath.Join(opts.Dirs[0], "sessions", "4711.json"), `{"pid":4711,"sessionId":"`+stats.List[0].ID+`"}`)
	opts.Cwd, opts.Disk, opts.Probe = t.TempDir(), disk, probe
	return quick(opts)
}

// lastOf reads a stream to its end and returns the panic of its last batch.
func lastOf(t *testing.T, from <-chan sessions.Batch) *sessions.PanicError {
	t.Helper()
	var last sessions.Batch
	for b := range from {
		last = b
	}
	bug, _ := errors.AsType[*sessions.PanicError](last.Err)
	return bug
}

// TestPanic: a panic in a goroutine reaches the caller with the stack of the bug.
func TestPanic(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, broken := range map[string]func() *catalog.Catalog{
		"brokenDisk":  func() *catalog.Catalog { return brokenWorld(t, brokenDisk{}, nil) },
		"brokenProbe": func() *catalog.Catalog { return brokenWorld(t, nil, brokenProbe{}) },
	} {
		for _, tt := range []struct {
			name string
			run  func(c *catalog.Catalog) *sessions.PanicError
		}{
			{"Rows", func(c *catalog.Catalog) *sessions.PanicError { return lastOf(t, c.Rows(ctx)) }},
			{"Watch", func(c *catalog.Catalog) *sessions.PanicError {
				return lastOf(t, c.Watch(ctx, func() bool { return true }))
			}},
			{"List", func(c *catalog.Catalog) *sessions.PanicError {
				return sessions.Catch(func() { _, _ = c.List(ctx, true) })
			}},
		} {
			bug := tt.run(broken())
			if bug == nil || bug.Value != "a bug of "+name || !strings.Contains(string(bug.Stack), name) {
				t.Errorf("%s, %s: %+v", name, tt.name, bug)
			}
		}
	}
}

// TestPanicNobodyWaits: nobody receives from the stream, but it ends.
func TestPanicNobodyWaits(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	from := brokenWorld(t, brokenDisk{}, nil).Rows(ctx)
	cancel()
	for range from {
	}
}

// TestPanicLater: the panic is in the goroutine that searches for backups.
func TestPanicLater(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c := quick(catalog.Options{Dirs: []string{t.TempDir()}, Cwd: t.TempDir(), Disk: brokenDisk{}, Now: now})
	if bug := lastOf(t, c.Watch(ctx, func() bool { return true })); bug == nil || !strings.Contains(string(bug.Stack), "brokenDisk") {
		t.Errorf("%+v", bug)
	}
}
