package backup

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

func TestFullAndReadOnly(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, fullAndReadOnly)
}

func fullAndReadOnly(t *testing.T) {
	t.Run("no blocks", func(t *testing.T) { saveWithoutSpace(t, 4096, "size=256k") })
	t.Run("no files", func(t *testing.T) { saveWithoutSpace(t, 0, "nr_inodes=60") })
	t.Run("log", func(t *testing.T) { cutLogWithoutSpace(t) })
	t.Run("read-only", func(t *testing.T) { saveReadOnly(t) })
}

// mounted returns a project on its own file system.
func mounted(t *testing.T, options string) project {
	t.Helper()
	dir := t.TempDir()
	drilltest.Mount(t, dir, options)
	p := project{t, filepath.Join(dir, "project")}
	p.mkdir(".claude/memory")
	return p
}

func (p project) files() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	for _, dir := range []string{"", "raw/", "trash/"} {
		for _, name := range p.names(dir) {
			if fi, err := os.Lstat(p.memory(dir + name)); err == nil && fi.Mode().IsRegular() {
				found[dir+name] = p.read(dir + name)
			}
		}
	}
	return found
}

// saveWithoutSpace makes backups with less and less free space.
func saveWithoutSpace(t *testing.T, size int, options string) {
	source := project{t, t.TempDir()}
	source.write("old.jsonl", records(sessionB, 100))
	source.write("new.jsonl", records(sessionA, 40_000))
	var none, some, all int
	for n := range 24 {
		p := mounted(t, options)
		p.write(".claude/memory/active-context.md", "# Now\n")
		m := p.open()
		r := Request{Transcript: source.path("old.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z")}
		p.save(m, r)
		r.At = r.At.Add(time.Minute)
		p.save(m, r)
		for _, name := range []string{".backup-log", "raw/.sums"} { // fill the last block, so that the next byte needs another one
			text := p.read(name)
			p.write(".claude/memory/"+name, text+strings.Repeat("#", 4095-len(text))+"\n")
		}
		before := p.files()
		drilltest.Fill(t, filepath.Dir(p.dir), size, n)
		r.Transcript, r.At = source.path("new.jsonl"), r.At.Add(time.Minute)
		s, err := m.Save(t.Context(), r)
		after := p.files()
		if err != nil {
			if none++; !errors.Is(err, syscall.ENOSPC) || !maps.Equal(before, after) {
				t.Errorf("%d free: %v, after it %q", n, err, slices.Sorted(maps.Keys(after)))
			}
			continue
		}
		for _, problem := range s.Problems {
			if !errors.Is(problem, syscall.ENOSPC) {
				t.Errorf("%d free: %v", n, problem)
			}
		}
		want := afterSave(before, s, records(sessionA, 40_000), p.memory("raw"))
		switch {
		case len(s.Problems) > 0:
			some++
			for _, name := range []string{".backup-log", "raw/.sums", "active-context.md"} {
				if after[name] == before[name] {
					want[name] = before[name]
				}
			}
			if s.Marker == "" {
				want[".pending-backup-exit"] = before[".pending-backup-exit"]
				delete(want, ".pending-backup-exit-2")
			}
		default:
			all++
		}
		if !maps.Equal(after, want) {
			t.Errorf("%d free: problems %q\ngot  %q\nwant %q", n, s.Problems, after, want)
		}
	}
	t.Logf("%d failed, %d succeeded in part, %d completely", none, some, all)
	if none == 0 || some == 0 || all == 0 {
		t.Error("not every outcome occurred")
	}
}

// afterSave returns the memory files after a complete backup.
func afterSave(before map[string]string, s Saved, text, raw string) map[string]string {
	want := maps.Clone(before)
	want["raw/"+s.Name] = text
	want["raw/.sums"] += s.Sum + "  " + s.Name + "\n"
	want[".backup-log"] += "[2026-11-21T11:04:13Z] SessionEnd (exit): Saved backup to " + s.Path + "\n"
	want["active-context.md"] = strings.NewReplacer("T11:03:13Z", "T11:04:13Z", raw+"/20261121_110313Z_exit.jsonl", s.Path).Replace(before["active-context.md"])
	want[".pending-backup-exit"], want[".pending-backup-exit-2"] = s.Path+"\n", before[".pending-backup-exit"]
	return want
}

// cutLogWithoutSpace checks that the log stays if there is no space to shorten it.
func cutLogWithoutSpace(t *testing.T) {
	p := mounted(t, "size=1300k")
	m := p.open()
	text := strings.Repeat(strings.Repeat("x", 63)+"\n", maxLog/64)
	p.write(".claude/memory/.backup-log", text)
	if err := errors.Join(m.log("new"), m.shortenLog()); !errors.Is(err, syscall.ENOSPC) || p.read(".backup-log") != text+"new\n" {
		t.Errorf("%v, %d bytes", err, len(p.read(".backup-log")))
	}
	if got := p.names(""); !slices.Equal(got, []string{".backup-log"}) {
		t.Errorf("memory %q", got)
	}
}

// saveReadOnly checks a read-only file system.
func saveReadOnly(t *testing.T) {
	p := mounted(t, "size=1m")
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/.pending-backup-exit", "")
	m := p.open()
	r := Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: time.Now()}
	p.save(m, r)
	before := p.files()
	if err := syscall.Mount("", filepath.Dir(p.dir), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if s, err := m.Save(t.Context(), r); !errors.Is(err, syscall.EROFS) || s.Path != "" {
		t.Errorf("save: %+v, %v", s, err)
	}
	if gone, err := m.CleanMarkers(t.Context()); !errors.Is(err, syscall.EROFS) || len(gone) > 0 {
		t.Errorf("clean: %+v, %v", gone, err)
	}
	if markers, err := m.Pending(t.Context()); err != nil || len(markers) != 2 {
		t.Errorf("pending: %+v, %v", markers, err)
	}
	if err := m.Guard(); err != nil { // the .gitignore files exist, so Guard writes nothing
		t.Errorf("guard: %v", err)
	}
	if after := p.files(); !maps.Equal(after, before) {
		t.Errorf("got  %q\nwant %q", after, before)
	}
}
