package backup

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// waits is a context that calls do(n) when a save waits for the lock the n-th time.
type waits struct {
	context.Context
	n  int
	do func(n int)
}

func (w *waits) Done() <-chan struct{} {
	w.n++
	w.do(w.n)
	return w.Context.Done()
}

// TestSaveKilledWaiting: a hook is killed while it waits for the lock. Its sum and log line exist.
func TestSaveKilledWaiting(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "# Now\n")
	r := Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z")}
	unlock, err := p.open().lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := p.open()
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := m.Save(&waits{t.Context(), 0, func(int) { runtime.Goexit() }}, r)
		t.Errorf("the save returned: %v", err)
	})
	wg.Wait()
	const name = "20261121_110213Z_exit"
	sum := sumText(records(sessionA, 1)) + "  "
	line := "[2026-11-21T11:02:13Z] SessionEnd (exit): Saved backup to " + p.memory("raw/"+name)
	wantSums, wantLog := sum+name+".jsonl\n", line+".jsonl\n"
	if p.read("raw/"+name+".jsonl") != records(sessionA, 1) || p.read("raw/.sums") != wantSums || p.read(".backup-log") != wantLog {
		t.Errorf("killed: raw %q, sums %q, log %q", p.names("raw"), p.read("raw/.sums"), p.read(".backup-log"))
	}
	unlock()
	s := p.save(p.open(), r)
	wantSums, wantLog = wantSums+sum+name+"-2.jsonl\n", wantLog+line+"-2.jsonl\n"
	if p.read("raw/.sums") != wantSums || p.read(".backup-log") != wantLog || p.read(".pending-backup") != s.Path+"\n" {
		t.Errorf("next: markers %q, sums %q, log %q", p.markers(), p.read("raw/.sums"), p.read(".backup-log"))
	}
}

// TestNoteBeforeLock: the new active-context.md is on disk before the wait for the lock.
func TestNoteBeforeLock(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "# Now\n")
	drafted := false
	ctx := &waits{t.Context(), 0, func(n int) {
		for _, name := range p.names("") {
			drafted = drafted || n == 2 && disk.IsTemp(name) && strings.Contains(p.read(name), "\n- Last exit: ")
		}
	}}
	s, err := p.open().Save(ctx, Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: time.Now()})
	if err != nil || len(s.Problems) > 0 || !drafted || ctx.n != 2 {
		t.Errorf("%d waits, drafted %v; %+v, %v", ctx.n, drafted, s, err)
	}
	p.hasNoTemps()
}

// TestNoteOvertaken: other hooks are faster several times.
func TestNoteOvertaken(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "0\n")
	want := ""
	ctx := &waits{t.Context(), 0, func(n int) {
		want = fmt.Sprintf("%d\n", n)
		p.write(".claude/memory/active-context.md", want)
	}}
	s, err := p.open().Save(ctx, Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: time.Now()})
	if got := p.read("active-context.md"); err != nil || len(s.Problems) > 0 || ctx.n != 2+contextTries || !strings.HasPrefix(got, want+"\n## Session Exit\n") {
		t.Errorf("%d waits, context %q; %+v, %v", ctx.n, got, s, err)
	}
	p.hasNoTemps()
}

// TestIsLast: only a later hook of the same kind replaces a note.
func TestIsLast(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	m := p.open()
	save := func(by By) {
		p.save(m, Request{Transcript: p.path("t.jsonl"), By: by, At: at(t, "2026-11-21T11:02:13Z")})
	}
	save(ByEnd) // takes the marker name of the spec
	v := &saving{m: m, r: Request{By: ByEnd}}
	for _, tt := range []struct {
		by   By
		last bool
	}{{ByCompact, true}, {ByPerson, true}, {ByEnd, false}} {
		if save(tt.by); v.isLast() != tt.last {
			t.Errorf("after %s: last is %v; markers %q", tt.by, !tt.last, p.markers())
		}
	}
}

func TestLogShortenedMeanwhile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	line := func(i, k int) string {
		return fmt.Sprintf("[2026-11-21T11:02:13Z] SessionEnd (exit): Saved backup %d-%d.", i, k)
	}
	const writers, each = 4, 100
	for range 5 {
		p.write(".claude/memory/.backup-log", strings.Repeat(strings.Repeat("x", 63)+"\n", maxLog/64+1))
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for k := range each {
					if err := m.log(line(i, k)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		if err := m.shortenLog(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		got := p.read(".backup-log")
		for n := range writers * each {
			if l := line(n/each, n%each) + "\n"; !strings.Contains(got, "\n"+l) {
				t.Errorf("%q is lost", l)
			}
		}
		if len(got) > maxLog {
			t.Errorf("%d bytes", len(got))
		}
	}
}
