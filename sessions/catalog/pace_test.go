package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// These tests use synctest, so waiting takes no real time. The bubble has no notifications, so walks find the
// changes.

// paced is a catalogue that is watched in a synctest bubble.
type paced struct {
	*catalog.Catalog
	seen   *screen
	asleep atomic.Bool
}

func watchPaced(t *testing.T, opts catalog.Options, list bool) *paced {
	t.Helper()
	p := &paced{Catalog: catalog.New(opts), seen: &screen{rows: map[string]sessions.Row{}, gone: map[string]bool{}}}
	p.Deafen()
	if list {
		for b := range p.Rows(t.Context()) {
			p.seen.take(b)
		}
	}
	go func() {
		for b := range p.Watch(t.Context(), func() bool { return !p.asleep.Load() }) {
			p.seen.take(b)
		}
	}()
	synctest.Wait()
	return p
}

// after waits for d. It returns the row of a path, and whether the path is gone.
func (p *paced) after(d time.Duration, path string) (row sessions.Row, gone bool) {
	time.Sleep(d)
	synctest.Wait()
	p.seen.mu.Lock()
	defer p.seen.mu.Unlock()
	return p.seen.rows[path], p.seen.gone[path]
}

func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, path := big(t, 200<<10)
		p := watchPaced(t, opts, true)
		first := p.seen.row(path)
		time.Sleep(100 * time.Millisecond) // between two walks
		appendTo(t, path, line("user", "x1", "", "awake"))
		if r, _ := p.after(4500*time.Millisecond, path); r.Bytes != first.Bytes {
			t.Error("it was seen before the walk")
		}
		if r, _ := p.after(time.Second, path); r.Bytes != fileSize(t, path) {
			t.Error("awake: not seen after 5 s")
		}
		p.asleep.Store(true)
		appendTo(t, path, line("user", "x2", "", "asleep"))
		if r, _ := p.after(20*time.Second, path); r.Bytes == fileSize(t, path) {
			t.Error("asleep: seen within 20 s")
		}
		if r, _ := p.after(15*time.Second, path); r.Bytes != fileSize(t, path) {
			t.Error("asleep: not seen after 35 s")
		}
		p.asleep.Store(false)
		appendTo(t, path, line("user", "x3", "", "awake again"))
		if r, _ := p.after(6*time.Second, path); r.Bytes != fileSize(t, path) {
			t.Error("awake again: not seen after 5 s")
		}
		if n := p.seen.batches; p.BytesRead() > fileSize(t, path)+3*slack+1000 || n == 0 {
			t.Errorf("%d bytes read, %d batches", p.BytesRead(), n)
		}
	})
}

// TestMemoryIsWatched: a Watch searches for backups and documents every 30 s.
func TestMemoryIsWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, stats, project := world(t)
		p := watchPaced(t, opts, true)
		memory := filepath.Join(project, ".claude", "memory")
		doc := filepath.Join(memory, "session-2026-02-28-0900.md")
		copied := filepath.Join(memory, "raw", "20260228_120000Z_exit.jsonl")
		kept := filepath.Join(memory, "raw", "20260228_101500_clear.jsonl")
		write(t, doc, "---\nstatus: in progress\ntags: tea, water\n---\n# New\n")
		write(t, copied, `{"type":"user","sessionId":"`+stats.List[0].ID+`","uuid":"u","parentUuid":null,"message":{"role":"user","content":"kept"}}`+"\n")
		if err := os.Remove(filepath.Join(memory, ".pending-backup")); err != nil {
			t.Fatal(err)
		}
		batches := p.seen.count()
		if p.after(20*time.Second, doc); p.seen.count() != batches {
			t.Error("the look came too early")
		}
		if r, _ := p.after(15*time.Second, doc); r.Kind != sessions.KindDocument || r.Status != "in progress" || len(r.Tags) != 2 {
			t.Errorf("new document: %+v", r)
		}
		if r := p.seen.row(copied); r.Kind != sessions.KindBackup || !r.Exact || r.Messages != 1 || r.Has(sessions.FlagBackupOnly) {
			t.Errorf("new backup: %+v", r)
		}
		if r := p.seen.row(kept); r.Pending || !r.Exact || r.Messages != 1 {
			t.Errorf("a backup that is not pending any more: %+v", r)
		}
		write(t, doc, "# Newer\n")
		if err := os.Remove(kept); err != nil {
			t.Fatal(err)
		}
		if r, _ := p.after(35*time.Second, doc); r.Name != "Newer" {
			t.Errorf("changed document: %+v", r)
		}
		if _, gone := p.after(0, kept); !gone {
			t.Error("a backup that was deleted is still there")
		}
		if err := os.Remove(stats.List[0].Path); err != nil {
			t.Fatal(err)
		}
		if r, _ := p.after(6*time.Second, copied); !r.Has(sessions.FlagBackupOnly) {
			t.Error("the backup is the only copy, but has no flag")
		}
		batches = p.seen.count()
		if p.after(2*time.Minute, doc); p.seen.count() != batches {
			t.Errorf("%d batches without a change", p.seen.count()-batches)
		}
	})
}

// TestWatchAlone: without a list, only changed files are sent, with exact figures.
func TestWatchAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, stats, project := world(t)
		p := watchPaced(t, opts, false)
		path := stats.List[0].Path
		if p.after(2*time.Minute, path); p.seen.count() != 0 || p.BytesRead() != 0 {
			t.Errorf("%d batches, %d bytes read of unchanged files", p.seen.count(), p.BytesRead())
		}
		appendTo(t, path, line("user", "x1", "", "more"))
		doc := filepath.Join(project, ".claude", "memory", "project-memory.md")
		write(t, doc, "# Memory\n")
		if r, _ := p.after(35*time.Second, path); !r.Exact || r.Workdir != stats.List[0].Workdir || r.Project == "" {
			t.Errorf("%+v", r)
		}
		if r := p.seen.row(doc); r.Name != "Memory" { // found because the changed session is in this project
			t.Errorf("%+v of %d rows", r, len(p.seen.rows))
		}
	})
}

// TestRefresh: a new list is made during a Watch. Rows that the list lacks are sent again.
func TestRefresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, stats, _ := world(t)
		p := watchPaced(t, opts, true)
		for i := range 3 {
			appendTo(t, stats.List[i].Path, line("user", fmt.Sprint("x", i), "", "more"))
			seen := &screen{rows: map[string]sessions.Row{}, gone: map[string]bool{}}
			for b := range p.Rows(t.Context()) {
				seen.take(b)
			}
			if r := seen.row(stats.List[i].Path); r.Bytes != fileSize(t, r.Path) {
				t.Errorf("refreshed: %+v", r)
			}
			read := p.BytesRead()
			p.after(6*time.Second, "")
			if p.BytesRead() != read {
				t.Errorf("%d bytes read of files that the list has just sent", p.BytesRead()-read)
			}
		}
	})
}

// TestBounds: more files change than can stay open.
func TestBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, stats, _ := world(t)
		opts.Probe = started{}
		p := watchPaced(t, opts, true)
		list := stats.List[:catalog.MaxTails+4]
		change := func(n int) (read int64) {
			read = p.BytesRead()
			for i := range list {
				appendTo(t, list[i].Path, line("user", fmt.Sprint("x", n, i), "", "more"))
			}
			p.after(5*time.Second, "")
			return p.BytesRead() - read
		}
		current := func() (n int) {
			for i := range list {
				if p.seen.row(list[i].Path).Bytes == fileSize(t, list[i].Path) {
					n++
				}
			}
			return n
		}
		whole := change(0)
		if p.Followed() != catalog.MaxTails || current() != len(list) {
			t.Errorf("%d followed, %d rows current", p.Followed(), current())
		}
		if again := change(1); again >= whole || current() >= len(list) {
			t.Errorf("%d bytes read, then %d; %d rows current", whole, again, current())
		}
		p.after(20*time.Second, "")
		if current() != len(list) || p.Followed() != catalog.MaxTails {
			t.Errorf("%d rows current after a rest, %d followed", current(), p.Followed())
		}
	})
}

func TestRoots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts, stats, _ := world(t)
		opts.Roots = []string{stats.List[0].Workdir}
		elsewhere := stats.List[1]
		for _, s := range stats.List {
			if s.Workdir != stats.List[0].Workdir {
				elsewhere = s
			}
		}
		p := watchPaced(t, opts, true)
		appendTo(t, elsewhere.Path, line("user", "x", "", "elsewhere"))
		p.after(6*time.Second, "")
		before := p.BytesRead() // the whole file is read for the workdir, but only once
		appendTo(t, elsewhere.Path, line("user", "x", "", "elsewhere"))
		appendTo(t, stats.List[0].Path, line("user", "x", "", "here"))
		if r, _ := p.after(6*time.Second, stats.List[0].Path); r.Bytes != fileSize(t, r.Path) {
			t.Errorf("%+v", r)
		}
		if read := p.BytesRead() - before; read != fileSize(t, stats.List[0].Path) {
			t.Errorf("%d bytes read, want those of one file", read)
		}
		for path, r := range p.seen.rows {
			if r.Kind == sessions.KindSession && r.Workdir != stats.List[0].Workdir {
				t.Errorf("workdir of %s: %q", path, r.Workdir)
			}
		}
	})
}
