package catalog_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/demo"
)

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// world returns a generated config dir and a project with a memory.
func world(t *testing.T) (catalog.Options, demo.Stats, string) {
	t.Helper()
	dir, root := t.TempDir(), t.TempDir()
	stats, err := demo.Write(t.Context(), dir, demo.Options{Now: now(), Root: root})
	if err != nil {
		t.Fatal(err)
	}
	project := stats.List[0].Workdir
	for name, data := range map[string]string{
		".claude/memory/raw/20260228_101500_clear.jsonl":    `{"type":"user","sessionId":"s1","uuid":"u","parentUuid":null,"message":{"role":"user","content":"kept"},"timestamp":"2026-02-28T10:00:00.000Z"}` + "\n",
		".claude/memory/raw/20260227_101500Z_compact.jsonl": "{broken\n{\"type\":\"mode\"}\n",
		".claude/memory/.pending-backup":                    filepath.Join(project, ".claude/memory/raw/20260228_101500_clear.jsonl") + "\n",
		".claude/memory/session-2026-02-27-0900.md":         "---\ndate: 2026-02-27 09:00\nstatus: completed\ntags: [tides, moon]\n---\n# Tides\n\n## Session Summary\nHigh water.\n",
	} {
		path := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return catalog.Options{Dirs: []string{dir}, Now: now, Zone: time.UTC}, stats, project
}

func find(rows []sessions.Row, id string) sessions.Row {
	i := slices.IndexFunc(rows, func(r sessions.Row) bool { return r.ID == id })
	if i < 0 {
		return sessions.Row{}
	}
	return rows[i]
}

func TestList(t *testing.T) {
	t.Parallel()
	opts, stats, project := world(t)
	rows, err := catalog.New(opts).List(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != stats.Sessions+3 {
		t.Errorf("%d rows, want %d sessions and 3 files of memory", len(rows), stats.Sessions)
	}
	if !slices.IsSortedFunc(rows, func(a, b sessions.Row) int { return a.Compare(&b) }) {
		t.Error("not newest first")
	}
	b := find(rows, "20260228_101500_clear")
	if b.Kind != sessions.KindBackup || !b.Pending || b.Of != "s1" || b.Messages != 1 || b.Workdir != project || !b.Has(sessions.FlagBackupOnly) || b.Badge() != sessions.BadgePending {
		t.Errorf("backup %+v", b)
	}
	if !b.When().Equal(time.Date(2026, 2, 28, 10, 15, 0, 0, time.UTC)) {
		t.Errorf("backup is ordered by %v", b.When())
	}
	if d := find(rows, "20260227_101500Z_compact"); d.State != sessions.StateDamaged || d.Reason == "" || d.Pending {
		t.Errorf("damaged backup %+v", d)
	}
	if d := find(rows, "session-2026-02-27-0900"); d.Kind != sessions.KindDocument || d.Name == "" || d.Prompt != "High water." ||
		d.Status != "completed" || !slices.Equal(d.Tags, []string{"tides", "moon"}) {
		t.Errorf("document %+v", d)
	}
	for _, r := range rows {
		if !r.Exact {
			t.Errorf("%s has only quick figures", r.Path)
		}
	}
}

// TestRows: the first batch has all sessions. Later batches replace rows.
func TestRows(t *testing.T) {
	t.Parallel()
	opts, stats, _ := world(t)
	c := catalog.New(opts)
	byPath := map[string]sessions.Row{}
	n, done := 0, false
	for b := range c.Rows(t.Context()) {
		if n == 0 && len(b.Rows) != stats.Sessions {
			t.Errorf("first batch has %d rows of %d", len(b.Rows), stats.Sessions)
		}
		if done {
			t.Error("a batch after the last")
		}
		for _, r := range b.Rows {
			byPath[r.Path] = r
		}
		n, done = n+1, b.Done
	}
	if !done {
		t.Error("no last batch")
	}
	want, err := c.List(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(byPath) != len(want) {
		t.Errorf("%d rows streamed, %d listed", len(byPath), len(want))
	}
	for _, r := range want {
		if got := byPath[r.Path]; got.Messages != r.Messages || got.State != r.State || got.Project != r.Project || got.Name != r.Name {
			t.Errorf("streamed %+v\nlisted %+v", got, r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range c.Rows(ctx) { // the stream must end
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	opts, stats, _ := world(t)
	c := catalog.New(opts)
	rows, err := c.List(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := c.Open(t.Context(), find(rows, "session-2026-02-27-0900"))
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := doc.Markdown(); !ok || !strings.Contains(text, "# Tides") || len(doc.Outline()) != 3 {
		t.Errorf("document: %v %q, %d sections", ok, text, len(doc.Outline()))
	}
	doc, err = c.Open(t.Context(), find(rows, stats.List[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	msgs, err := doc.Messages(t.Context(), -1, 1<<30)
	if err != nil || len(msgs) != len(doc.Outline()) || len(msgs) == 0 {
		t.Errorf("%d messages of %d, %v", len(msgs), len(doc.Outline()), err)
	}
	if _, ok := doc.Markdown(); ok {
		t.Error("a transcript has no markdown")
	}
	if err := doc.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Open(t.Context(), sessions.Row{Session: sessions.Session{Path: opts.Dirs[0]}}); err == nil {
		t.Error("a directory opens")
	}
	if _, err := c.Open(t.Context(), sessions.Row{Kind: sessions.KindDocument, Session: sessions.Session{Path: "/nowhere.md"}}); err == nil {
		t.Error("a missing document opens")
	}
}

// TestOpenIsLazy: a transcript of 50 MB has a small outline. Only visible messages are decoded.
func TestOpenIsLazy(t *testing.T) { //nolint:paralleltest // this test measures the heap
	drilltest.SkipUnderRace(t)
	var b bytes.Buffer
	if err := talk(&b, 50<<20); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "big.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b = bytes.Buffer{}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	doc, err := catalog.New(catalog.Options{}).Open(t.Context(), sessions.Row{Session: sessions.Session{Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	n := len(doc.Outline())
	if n < 1000 || doc.Decoded() != 0 {
		t.Errorf("%d messages, %d decoded before any was shown", n, doc.Decoded())
	}
	if _, err := doc.Messages(t.Context(), n-20, n); err != nil {
		t.Fatal(err)
	}
	if doc.Decoded() > 200 {
		t.Errorf("%d records decoded for 20 messages", doc.Decoded())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if mb := int64(after.HeapAlloc-before.HeapAlloc) >> 20; mb > 60 {
		t.Errorf("%d MB of heap for a transcript of 50 MB", mb)
	}
	t.Log(fmt.Sprint(n, " messages, ", doc.Decoded(), " records decoded, ", int64(after.HeapAlloc-before.HeapAlloc)>>10, " KB"))
	if err := doc.Close(); err != nil {
		t.Error(err)
	}
}

// TestShapes checks the unusual transcripts of the demo.
func TestShapes(t *testing.T) {
	t.Parallel()
	opts, stats, _ := world(t)
	rows, err := catalog.New(opts).List(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]sessions.Row{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	has := func(shape demo.Shape) map[string]bool {
		m := map[string]bool{}
		for _, id := range stats.Shapes[shape] {
			m[id] = true
		}
		return m
	}
	states := map[sessions.State]map[string]bool{
		sessions.StateStub: has(demo.ShapeStub), sessions.StateEmpty: has(demo.ShapeEmpty), sessions.StateDamaged: has(demo.ShapeCorrupt),
	}
	flags := map[sessions.Flag]map[string]bool{
		sessions.FlagHiddenBranch: has(demo.ShapeHiddenBranch), sessions.FlagTornTail: has(demo.ShapeTornTail), sessions.FlagSDK: has(demo.ShapeSDK),
	}
	for _, s := range stats.List {
		r := byID[s.ID]
		for state, ids := range states {
			if (r.State == state) != ids[s.ID] {
				t.Errorf("%v: state %s (%s)", s.Shapes, r.State, r.Reason)
			}
		}
		for flag, ids := range flags {
			if r.Has(flag) != ids[s.ID] {
				t.Errorf("%v: flag %s is %v", s.Shapes, flag, r.Has(flag))
			}
		}
		if len(r.Agents) != len(s.Agents) || r.Workdir != s.Workdir || s.Name != "" && r.Name != s.Name {
			t.Errorf("%v: agents %v, workdir %q, name %q; want %v %q %q", s.Shapes, r.Agents, r.Workdir, r.Name, s.Agents, s.Workdir, s.Name)
		}
		// The last record is Claude Code's note on the duration of the turn, a moment after the last message.
		if d := s.Last.Sub(r.Last); (d < 0 || d > time.Second) && len(states[r.State]) == 0 {
			t.Errorf("%v: last message %v, want %v", s.Shapes, r.Last, s.Last)
		}
	}
}
