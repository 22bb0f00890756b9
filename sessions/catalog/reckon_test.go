package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// kept is a config dir and a project with backups since noon.
type kept struct {
	t    *testing.T
	dir  string
	home string // path of the project
}

func newKept(t *testing.T) *kept {
	t.Helper()
	k := &kept{t: t, dir: t.TempDir(), home: t.TempDir()}
	ignore := filepath.Join(k.home, ".claude", "memory", ".gitignore")
	write(t, ignore, "raw/\n")
	if err := os.Chtimes(ignore, noon(), noon()); err != nil {
		t.Fatal(err)
	}
	return k
}

func noon() time.Time { return time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC) }

func (k *kept) options() catalog.Options {
	return catalog.Options{Dirs: []string{k.dir}, Now: now, Zone: time.UTC, Probe: started{}}
}

func id(n int) string { return fmt.Sprintf("aaaaaaaa-0000-4000-8000-%012d", n) }

// prompt returns a prompt record, sent at noon plus after.
func (k *kept) prompt(n int, workdir string, after time.Duration) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":null,"sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"role":"user","content":"hello"}}`+"\n",
		after.Milliseconds(), id(n), workdir, noon().Add(after).Format("2006-01-02T15:04:05.000Z"))
}

// session writes the transcript of a session and returns its path.
func (k *kept) session(n int, workdir string, text string) string {
	path := filepath.Join(k.dir, "projects", sessions.Slug(workdir), id(n)+".jsonl")
	write(k.t, path, text)
	return path
}

// copied writes a backup, made at noon plus after.
func (k *kept) copied(n int, memory string, after time.Duration) string {
	path := filepath.Join(memory, noon().Add(after).Format("20060102_150405Z")+"_other.jsonl")
	write(k.t, path, k.prompt(n, "/", 0))
	return path
}

// live opens or closes the nth session in a client.
func (k *kept) live(n int, on bool) {
	path := filepath.Join(k.dir, "sessions", fmt.Sprint(n)+".json")
	if !on {
		if err := os.Remove(path); err != nil {
			k.t.Fatal(err)
		}
		return
	}
	write(k.t, path, fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"status":"idle","updatedAt":%d}`, n, id(n), k.home, now().UnixMilli()))
}

// TestNoBackup: sessions ended without a backup, although the folder has hooks.
func TestNoBackup(t *testing.T) {
	t.Parallel()
	const min = time.Minute
	k := newKept(t)
	raw := filepath.Join(k.home, ".claude", "memory", "raw")
	trash := filepath.Join(k.home, ".claude", "memory", "trash", "20260301_000000Z-discard", "raw")
	sub, other := filepath.Join(k.home, "src"), t.TempDir()
	write(t, filepath.Join(k.home, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(sub, "main.go"), "")
	write(t, filepath.Join(other, ".claude", "memory", "raw", "20260201_000000Z_exit.jsonl"), "{}\n") // no .gitignore
	stub := `{"type":"mode","sessionId":"` + id(8) + `","cwd":"` + k.home + `"}` + "\n"
	long := strings.Repeat(line("user", "x", "", strings.Repeat("y", 99)), 400)
	want := map[string]bool{
		k.session(1, k.home, k.prompt(1, k.home, min)):                              true,
		k.session(2, k.home, k.prompt(2, k.home, -min)):                             false,
		k.session(3, k.home, k.prompt(3, k.home, 3*min)):                            false,
		k.session(4, k.home, k.prompt(4, k.home, 4*min+900*time.Millisecond)):       false,
		k.session(5, k.home, k.prompt(5, k.home, 5*min)+k.prompt(5, k.home, 9*min)): true,
		k.session(6, k.home, k.prompt(6, k.home, 6*min)):                            false,
		k.session(7, k.home, k.prompt(7, k.home, 7*min)):                            false,
		k.session(8, k.home, stub):                                                  false,
		k.session(9, sub, k.prompt(9, sub, min)):                                    true,
		k.session(10, other, k.prompt(10, other, min)):                              false,
		k.session(12, k.home, k.prompt(12, k.home, 12*min)+long):                    true,
		k.session(14, k.home, ""):                                                   false,
	}
	odd := filepath.Join(k.dir, "projects", sessions.Slug(k.home), "notes.jsonl")
	write(t, odd, k.prompt(13, k.home, min))
	want[odd] = false
	k.copied(3, raw, 3*min+time.Second)
	k.copied(4, raw, 4*min)
	k.copied(5, raw, 5*min)
	k.copied(6, trash, 7*min)
	k.live(7, true)
	for n, ended := range map[int]time.Duration{11: 11 * time.Minute, 15: 9 * time.Minute} { // runs of claude -p aren't in the registry
		path := k.session(n, k.home, strings.Replace(k.prompt(n, k.home, min), `"cwd"`, `"entrypoint":"sdk-cli","cwd"`, 1))
		if err := os.Chtimes(path, now().Add(-ended), now().Add(-ended)); err != nil {
			t.Fatal(err)
		}
		want[path] = n == 11
	}
	c := catalog.New(k.options())
	for _, quick := range []bool{true, false} {
		rows, err := c.List(t.Context(), quick)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range rows {
			r := &rows[i]
			if r.Kind != sessions.KindSession {
				continue
			}
			n++
			if missed, ok := want[r.Path]; !ok || r.Has(sessions.FlagNoBackup) != missed || missed && r.Copied {
				t.Errorf("quick %v: %s %s: flags %v, badge %s", quick, r.ID, r.Workdir, r.Flags, r.Badge())
			}
		}
		if n != len(want) {
			t.Errorf("%d sessions, want %d", n, len(want))
		}
	}
	streamed := map[string]sessions.Row{}
	for b := range c.Rows(t.Context()) {
		for _, r := range b.Rows {
			streamed[r.Path] = r
		}
	}
	for path, missed := range want {
		if r := streamed[path]; r.Has(sessions.FlagNoBackup) != missed {
			t.Errorf("streamed %s: %v", r.ID, r.Flags)
		}
	}
}

// TestNoBackupOfAnotherId: the first record of the backup has another session's ID. Size and time identify the
// backup.
func TestNoBackupOfAnotherId(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	text := k.prompt(2, k.home, time.Minute) + k.prompt(1, k.home, 2*time.Minute)
	path := k.session(1, k.home, text)
	copied := filepath.Join(k.home, ".claude", "memory", "raw", "20260228_130000Z_exit.jsonl")
	write(t, copied, text)
	for _, tt := range []struct {
		modified time.Time
		missed   bool
	}{{noon().Add(3 * time.Minute), false}, {noon().Add(4 * time.Minute), true}} {
		if err := os.Chtimes(path, noon(), noon().Add(3*time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(copied, noon(), tt.modified); err != nil {
			t.Fatal(err)
		}
		rows, err := catalog.New(k.options()).List(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		if r := find(rows, id(1)); r.Has(sessions.FlagNoBackup) != tt.missed {
			t.Errorf("modified %v: %v", tt.modified, r.Flags)
		}
	}
}

// TestNoBackupIsWatched: a session ends or is resumed, or a backup is made, during a Watch.
func TestNoBackupIsWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKept(t)
		raw := filepath.Join(k.home, ".claude", "memory", "raw")
		lost := k.session(1, k.home, k.prompt(1, k.home, time.Minute))
		saved := k.session(2, k.home, k.prompt(2, k.home, 2*time.Minute))
		killed := k.session(3, k.home, k.prompt(3, k.home, 3*time.Minute))
		k.live(2, true)
		k.live(3, true)
		p := watchPaced(t, k.options(), true)
		flagged := func(path string) bool { r := p.seen.row(path); return r.Has(sessions.FlagNoBackup) }
		if !flagged(lost) || flagged(saved) || flagged(killed) {
			t.Errorf("at first: %v %v %v", flagged(lost), flagged(saved), flagged(killed))
		}

		// Two clients end. The hook of one is still running; the hook of the other was killed.
		k.live(2, false)
		k.live(3, false)
		p.after(6*time.Second, "")
		if r := p.seen.row(saved); r.Live != nil || flagged(saved) || flagged(killed) {
			t.Errorf("its hook may still run: %+v", r.Flags)
		}
		k.copied(2, raw, 10*time.Minute)
		p.after(10*time.Second, "")
		if flagged(saved) || !flagged(killed) {
			t.Errorf("after their end: %v %v", flagged(saved), flagged(killed))
		}

		k.copied(3, raw, 11*time.Minute)
		p.LookAgain()
		if p.after(time.Millisecond, ""); flagged(killed) {
			t.Error("it has a backup, but also the flag")
		}

		// A resumed session loses the flag, until it ends without a backup again.
		k.live(1, true)
		if p.after(6*time.Second, ""); flagged(lost) {
			t.Error("a live session has not ended")
		}
		appendTo(t, lost, k.prompt(1, k.home, time.Hour))
		p.after(6*time.Second, "")
		k.live(1, false)
		if p.after(16*time.Second, ""); !flagged(lost) {
			t.Error("it ended again")
		}
		if r := p.seen.row(lost); !r.Exact || r.Bytes != fileSize(t, lost) || r.Messages != 2 {
			t.Errorf("the flag came with an old row: %+v", r)
		}

		// A session keeps the flag while claude -p writes to it.
		appendTo(t, lost, k.prompt(1, k.home, 2*time.Hour))
		if p.after(6*time.Second, ""); !flagged(lost) {
			t.Error("a new message without a backup cleared the flag")
		}
		batches := p.seen.count()
		if p.after(2*time.Minute, ""); p.seen.count() != batches {
			t.Errorf("%d batches of nothing", p.seen.count()-batches)
		}
	})
}
