package demo

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
)

// remember writes the demo and calls backup.Find for each project.
func remember(t *testing.T, o Options) (stats Stats, root string, found map[string]backup.Found) {
	t.Helper()
	base := t.TempDir()
	o.Memory, o.Root = true, filepath.Join(base, "code")
	stats, err := Write(t.Context(), filepath.Join(base, ".claude"), o)
	if err != nil {
		t.Fatal(err)
	}
	projects, err := os.ReadDir(o.Root)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string]backup.Found{}
	for _, p := range projects {
		f, err := backup.Find(t.Context(), filepath.Join(o.Root, p.Name()), o.Now.Location())
		if err != nil || len(f.Problems) > 0 {
			t.Fatalf("%s: %v, %v", p.Name(), err, f.Problems)
		}
		found[p.Name()] = f
	}
	return stats, o.Root, found
}

func TestMemoryIsRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, time.March, 3, 9, 30, 0, 0, time.FixedZone("", 3600))
	stats, root, found := remember(t, Options{Now: now})
	backups, documents := 0, 0
	for name, f := range found {
		backups += len(f.Backups)
		documents += len(f.Documents)
		for _, b := range f.Backups {
			if b.Problem != "" || b.Reason == "" || b.SessionID == "" || !b.Made.Equal(b.Modified.Truncate(time.Second)) {
				t.Errorf("%s: %+v", name, b)
			}
		}
		for _, d := range f.Documents {
			if d.Problem != "" || (d.Summary == "") != (d.Kind == document.KindProjectMemory) || d.Kind == document.KindSession && (d.Status == "" || d.Branch == "" || len(d.Tags) < 2) {
				t.Errorf("%s: %+v", name, d)
			}
			if age := now.Sub(d.Date); age < 0 || age > 28*24*time.Hour || !d.Date.Equal(d.Modified.Truncate(time.Minute)) && d.Kind == document.KindSession {
				t.Errorf("%s: %s is of %v, its file of %v", name, d.Path, d.Date, d.Modified)
			}
		}
	}
	if backups != stats.Backups || documents != stats.Documents || backups < 6 || documents < 7 {
		t.Errorf("%d backups, %d documents; stats say %d and %d", backups, documents, stats.Backups, stats.Documents)
	}
	if len(found) != 6 || len(found["teahouse"].Documents) != 5 {
		t.Errorf("%d projects, %d documents of the first", len(found), len(found["teahouse"].Documents))
	}
	marker := found["teahouse"].Markers
	if len(marker) != 1 || marker[0].State != backup.MarkerValid || marker[0].Kind != backup.MarkerLegacy {
		t.Errorf("markers %+v", marker)
	}
	for _, name := range []string{".backup-log", ".gitignore"} {
		if text, err := os.ReadFile(filepath.Join(root, "teahouse", ".claude", "memory", name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestMemoryBackups(t *testing.T) {
	t.Parallel()
	stats, _, found := remember(t, Options{})
	live := map[string]Session{}
	for _, s := range stats.List {
		live[s.ID] = s
	}
	var same, grown, gone, pending int
	for _, f := range found {
		for _, b := range f.Backups {
			if b.Pending {
				pending++
			}
			s, ok := live[b.SessionID]
			if !ok {
				gone++
				continue
			}
			now, err := os.ReadFile(s.Path)
			if err != nil {
				t.Fatal(err)
			}
			then, err := os.ReadFile(b.Path)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case bytes.Equal(now, then):
				same++
			case len(then) > 0 && then[len(then)-1] == '\n' && bytes.HasPrefix(now, then):
				grown++
			default:
				t.Errorf("%s isn't a prefix of %s", b.Path, s.Path)
			}
			if b.Reason == "compact" && slices.Contains(s.Shapes, ShapeCompacted) && bytes.Contains(then, []byte("compact_boundary")) {
				t.Errorf("%s was made after the compaction", b.Path)
			}
			if first := stampsOf(now)[0]; b.Made.After(s.Last.Add(5*time.Second)) || b.Made.Before(first) {
				t.Errorf("%s was made at %v, the session went from %v to %v", b.Path, b.Made, first, s.Last)
			}
		}
	}
	if same != 3 || grown != 2 || gone != 1 || pending != 1 {
		t.Errorf("%d same, %d grown, %d gone, %d pending; want 3, 2, 1, 1", same, grown, gone, pending)
	}
}

// TestMemoryDocuments: sections are in the order of the spec, and previous documents exist.
func TestMemoryDocuments(t *testing.T) {
	t.Parallel()
	_, _, found := remember(t, Options{})
	want := []string{
		"Session Summary", "Accomplishments", "Key Decisions & Patterns", "Clarifications & Decisions",
		"Failed Approaches", "Git Context", "Current State", "Remaining Todos", "Next Steps", "Key Files",
		"Environment Notes", "Code Context", "Context & Notes",
	}
	chained := 0
	for _, f := range found {
		for _, d := range f.Documents {
			text, err := os.ReadFile(d.Path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "~") {
				t.Errorf("%s has a ~ for a backtick", d.Path)
			}
			if d.Kind != document.KindSession {
				continue
			}
			var got []string
			for line := range strings.Lines(string(text)) {
				if h, ok := strings.CutPrefix(line, "## "); ok {
					got = append(got, strings.TrimSpace(h))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s has %q", d.Path, got)
			}
			if d.Previous != "" {
				chained++
				if _, err := os.Stat(filepath.Join(filepath.Dir(d.Path), d.Previous)); err != nil {
					t.Errorf("%s: %v", d.Path, err)
				}
			}
		}
	}
	if chained != 2 {
		t.Errorf("%d documents have a predecessor, want 2", chained)
	}
}

func TestMemoryIsDeterministic(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	base := t.TempDir()
	write := func() []string {
		dir := filepath.Join(base, "x")
		if _, err := Write(t.Context(), dir, Options{Memory: true, Live: 7, Root: filepath.Join(dir, "code")}); err != nil {
			t.Fatal(err)
		}
		files := tree(t, dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return files
	}
	if a, b := write(), write(); !slices.Equal(a, b) {
		t.Errorf("two runs differ:\n%s\n\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

func TestMemoryNeedsARoot(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "x")
	if _, err := Write(t.Context(), dir, Options{Memory: true}); !errors.Is(err, errNoRoot) {
		t.Errorf("without a root: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("something was written")
	}
}

func TestLive(t *testing.T) {
	t.Parallel()
	start, _, _ := sessions.SystemProbe().Start(t.Context(), os.Getpid())
	dir, stats := write(t, Options{Live: os.Getpid(), Start: start})
	list, problems := sessions.ReadRegistry(t.Context(), dir, sessions.SystemProbe())
	if len(problems) > 0 || len(list) != 1 || list[0].SessionID != stats.List[0].ID || list[0].Cwd != stats.List[0].Workdir || list[0].Verified != (start != "") {
		t.Errorf("registry %+v, %v", list, problems)
	}
}
