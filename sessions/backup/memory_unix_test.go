//go:build unix

package backup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

func (p project) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) request() Request {
	p.write("t.jsonl", records(sessionA, 1))
	return Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(p.t, "2026-11-21T11:02:13Z")}
}

// TestOpenMemoryLinks: a memory may be a link within its project. The project may be a link, too.
func TestOpenMemoryLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mkdir("notes/memory")
	p.mkdir("repo/.claude")
	p.mkdir("other/.claude/memory")
	p.link("../../other/.claude/memory", "repo/.claude/memory")
	p.mkdir("whole")
	p.link("../other/.claude", "whole/.claude")
	p.mkdir("broken/.claude")
	p.link("gone", "broken/.claude/memory")
	p.mkdir("loop/.claude")
	p.link("memory", "loop/.claude/memory")
	p.remove(".claude/memory")
	p.link("../notes/memory", ".claude/memory")
	p.link(".", "alias")
	for dir, want := range map[string]error{
		".": nil, "alias": nil, "other": nil,
		"repo": ErrLinkedOut, "whole": ErrLinkedOut, "broken": ErrNoMemory, "loop": syscall.ELOOP,
	} {
		m, err := OpenMemory(p.path(dir))
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", dir, err, want)
		}
		if m == nil {
			continue
		}
		if _, err := m.Save(t.Context(), p.request()); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	// All backups are pending, whatever path was used.
	if n, err := Pending(t.Context(), p.dir); n != 2 || err != nil {
		t.Errorf("%d pending, %v", n, err)
	}
}

func TestLockFiles(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	p.link(p.path("made"), ".claude/memory/.lock")
	if _, err := m.lock(t.Context()); err == nil {
		t.Error("a link out of the memory was locked")
	}
	if _, err := os.Lstat(p.path("made")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was made outside")
	}
	p.remove(".claude/memory/.lock")
	p.write(".claude/memory/active-context.md", "# Now\n")
	p.link("active-context.md", ".claude/memory/.lock")
	if _, err := m.lock(t.Context()); !errors.Is(err, transcript.ErrNotRegular) || p.read("active-context.md") != "# Now\n" {
		t.Errorf("a link inside: %v, %q", err, p.read("active-context.md"))
	}
	p.remove(".claude/memory/.lock")
	p.pipe(".claude/memory/.lock")
	if _, err := m.lock(t.Context()); !errors.Is(err, transcript.ErrNotRegular) {
		t.Errorf("a pipe: %v", err)
	}
	p.remove(".claude/memory/.lock")
	p.mkdir(".claude/memory/.lock")
	if _, err := m.lock(t.Context()); err == nil {
		t.Error("a directory was locked")
	}
	// Without the lock, the copy is still made.
	s, err := m.Save(t.Context(), p.request())
	if err != nil || len(s.Problems) != 1 || p.read("raw/"+s.Name) != records(sessionA, 1) {
		t.Errorf("%+v, %v", s, err)
	}
	p.hasNoTempsIn("", "raw")
	p.remove(".claude/memory/.lock")
	unlock, err := m.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if fi, err := os.Stat(p.memory(".lock")); err != nil || fi.Mode() != fileMode {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

func TestSaveLinkedOut(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mkdir("outside")
	p.remove(".claude/memory/raw")
	p.link("../../outside", ".claude/memory/raw")
	m := p.open()
	if s, err := m.Save(t.Context(), p.request()); !errors.Is(err, ErrLinkedOut) || s.Path != "" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := m.Guard(); !errors.Is(err, ErrLinkedOut) {
		t.Errorf("guard: %v", err)
	}
	p.wantEmpty("outside")

	p.remove(".claude/memory/raw")
	p.link("store", ".claude/memory/raw")
	if _, err := m.Save(t.Context(), p.request()); err == nil {
		t.Error("a broken link was accepted as a directory")
	}
	p.mkdir(".claude/memory/store") // a link that stays in the memory is allowed
	p.save(m, p.request())
	if got := p.names("store"); !slices.Equal(got, []string{".gitignore", ".sums", "20261121_110213Z_exit.jsonl"}) {
		t.Errorf("store %q", got)
	}
}

func (p project) wantEmpty(dir string) {
	p.t.Helper()
	entries, err := os.ReadDir(p.path(dir))
	if err != nil || len(entries) > 0 {
		p.t.Errorf("%s: %v, %v", dir, entries, err)
	}
}

func (p project) hasNoTempsIn(dirs ...string) {
	p.t.Helper()
	for _, dir := range dirs {
		if slices.ContainsFunc(p.names(dir), disk.IsTemp) {
			p.t.Errorf("left over in %q: %q", dir, p.names(dir))
		}
	}
}

// TestSaveOverLinks: continuo's files are links. The copy is made, and each link is a problem.
func TestSaveOverLinks(t *testing.T) {
	t.Parallel()
	for label, link := range map[string]func(p project, name string){
		"out":    func(p project, name string) { p.link(p.path("precious"), ".claude/memory/"+name) },
		"inside": func(p project, name string) { p.link(p.memory("precious"), ".claude/memory/"+name) },
		"pipe":   func(p project, name string) { p.pipe(".claude/memory/" + name) },
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write("precious", "# Precious\n")
			p.write(".claude/memory/precious", "# Precious\n")
			names := []string{".pending-backup", ".pending-backup-exit", "active-context.md", ".backup-log", "raw/.sums"}
			for _, name := range names {
				link(p, name)
			}
			m := p.open()
			s, err := m.Save(t.Context(), p.request())
			if err != nil || len(s.Problems) != 3 || p.read("raw/"+s.Name) != records(sessionA, 1) {
				t.Errorf("%+v, %v", s, err)
			}
			for _, path := range []string{p.path("precious"), p.memory("precious")} {
				if text, err := os.ReadFile(path); err != nil || string(text) != "# Precious\n" {
					t.Errorf("%s: %q, %v", path, text, err)
				}
			}
			// The unreadable marker may name a backup, so it is renamed.
			if s.Marker != p.memory(".pending-backup-exit") || p.read(".pending-backup-exit") != s.Path+"\n" {
				t.Errorf("marker %s", s.Marker)
			}
			names[1] = ".pending-backup-exit-2"
			for _, name := range names {
				if fi, err := os.Lstat(p.memory(name)); err != nil || fi.Mode().IsRegular() {
					t.Errorf("%s: %v, %v", name, fi, err)
				}
			}
			p.hasNoTemps()
			if _, err := m.CleanMarkers(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(p.memory(".pending-backup")); err != nil {
				t.Errorf("cleaned: %v", err)
			}
		})
	}
}

func TestSaveNoFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.pipe("pipe.jsonl")
	p.link("pipe.jsonl", "link.jsonl")
	m := p.open()
	for _, path := range []string{p.path("pipe.jsonl"), p.path("link.jsonl"), "/dev/zero", p.dir} {
		if _, err := m.Save(t.Context(), Request{Transcript: path, By: ByEnd, At: time.Now()}); !errors.Is(err, transcript.ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	p.wantEmpty(".claude/memory/raw")
}

// TestSaveOddPaths: the path has unusual characters, but is one clean line in every text.
func TestSaveOddPaths(t *testing.T) {
	t.Parallel()
	base := newProject(t)
	p := project{t, filepath.Join(base.dir, "two  words\n## Session Exit\n\x1b[2J; $(rm) 'é\xff")}
	p.mkdir(".claude/memory")
	p.write(".claude/memory/active-context.md", "# Now\n")
	m := p.open()
	for range 3 {
		p.save(m, p.request())
	}
	p.save(m, Request{Transcript: p.path("t.jsonl"), By: ByCompact, Reason: "auto", At: time.Now()})
	found := p.find()
	if len(found.Backups) != 4 || len(found.Markers) != 3 || found.Problems != nil {
		t.Errorf("%+v", found)
	}
	for _, marker := range found.Markers {
		if marker.State != MarkerValid {
			t.Errorf("%+v", marker)
		}
	}
	for name, lines := range map[string]int{".backup-log": 4, "active-context.md": 11, "raw/.sums": 4} {
		text := p.read(name)
		if strings.Count(text, "\n") != lines || strings.Contains(text, "\x1b") || strings.Count("\n"+text, "\n## ") > 2 {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestSaveReadOnly is skipped for root, who can write everywhere.
func TestSaveReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write to a directory that nobody may write to; TestFullAndReadOnly covers it")
	}
	p := newProject(t)
	r := p.request()
	p.write(".claude/memory/.pending-backup", "")
	m := p.open()
	for _, dir := range []string{"raw", ""} {
		if err := os.Chmod(p.memory(dir), 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(p.memory(dir), 0o700) })
		if s, err := m.Save(t.Context(), r); !errors.Is(err, os.ErrPermission) || s.Path != "" {
			t.Errorf("%q: %+v, %v", dir, s, err)
		}
	}
	if gone, err := m.CleanMarkers(t.Context()); !errors.Is(err, os.ErrPermission) || len(gone) > 0 {
		t.Errorf("%+v, %v", gone, err)
	}
	if markers, err := m.Pending(t.Context()); err != nil || len(markers) != 1 {
		t.Errorf("%+v, %v", markers, err)
	}
}
