package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// record is what the tests read of a line.
type record struct {
	Type         string `json:"type"`
	Subtype      string `json:"subtype"`
	UUID         string `json:"uuid"`
	ParentUUID   string `json:"parentUuid"`
	Logical      string `json:"logicalParentUuid"`
	Timestamp    string `json:"timestamp"`
	SessionID    string `json:"sessionId"`
	Version      string `json:"version"`
	Cwd          string `json:"cwd"`
	RequestID    string `json:"requestId"`
	Entrypoint   string `json:"entrypoint"`
	IsSidechain  bool   `json:"isSidechain"`
	IsMeta       bool   `json:"isMeta"`
	IsSummary    bool   `json:"isCompactSummary"`
	IsAPIError   bool   `json:"isApiErrorMessage"`
	Interrupted  string `json:"interruptedMessageId"`
	PromptSource string `json:"promptSource"`
	CustomTitle  string `json:"customTitle"`
	AITitle      string `json:"aiTitle"`
	Summary      string `json:"summary"`
	Message      struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
		Usage   json.RawMessage `json:"usage"`
	} `json:"message"`
	ToolUseResult json.RawMessage `json:"toolUseResult"`
}

// write makes a demo directory and returns it with its stats.
func write(t *testing.T, o Options) (string, Stats) {
	t.Helper()
	dir := t.TempDir()
	stats, err := Write(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, stats
}

// readLines returns the records of a transcript and how many of its lines are no JSON object.
func readLines(t *testing.T, path string) (records []record, broken int) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(content) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			broken++
			continue
		}
		records = append(records, r)
	}
	return records, broken
}

// tree lists everything below dir: path, mode, time and content of files, mode of directories.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			out = append(out, fmt.Sprintf("%s %v", name, info.Mode()))
			return nil
		}
		content, err := os.ReadFile(path)
		out = append(out, fmt.Sprintf("%s %v %d %x", name, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWriteIsDeterministic(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 7, Sessions: 30, Projects: 4, Bytes: 2 << 20, Root: "/srv/made up"}
	a, _ := write(t, o)
	b, _ := write(t, o)
	if x, y := tree(t, a), tree(t, b); !slices.Equal(x, y) {
		t.Errorf("two runs differ:\n%s\n\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
	o.Seed++
	c, _ := write(t, o)
	if slices.Equal(tree(t, a), tree(t, c)) {
		t.Error("another seed gives the same files")
	}
}

func TestWriteCountsWhatItWrites(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {Sessions: 40, Bytes: 3 << 20}, {Sessions: 1}, {Sessions: 60, Projects: 15}} {
		t.Run(fmt.Sprintf("%d sessions", o.Sessions), func(t *testing.T) {
			t.Parallel()
			dir, stats := write(t, o)
			checkCounts(t, dir, stats, o.withDefaults())
		})
	}
}

func checkCounts(t *testing.T, dir string, stats Stats, o Options) {
	t.Helper()
	got := Stats{}
	slugs := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("mode of %s is %v, want %v", path, info.Mode(), want)
		}
		if d.IsDir() {
			return nil
		}
		got.Files++
		got.Bytes += info.Size()
		if filepath.Ext(path) == ".jsonl" {
			records, broken := readLines(t, path)
			got.Lines += len(records) + broken
			got.Broken += broken
		}
		if filepath.Dir(filepath.Dir(path)) == filepath.Join(dir, "projects") {
			got.Sessions++
			slugs[filepath.Base(filepath.Dir(path))] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Sessions != stats.Sessions || got.Files != stats.Files || got.Lines != stats.Lines ||
		got.Broken != stats.Broken || got.Bytes != stats.Bytes || len(stats.List) != o.Sessions {
		t.Errorf("stats are %d sessions, %d files, %d lines (%d broken), %d bytes; found %d, %d, %d (%d), %d",
			stats.Sessions, stats.Files, stats.Lines, stats.Broken, stats.Bytes,
			got.Sessions, got.Files, got.Lines, got.Broken, got.Bytes)
	}
	if o.Sessions > 24+o.Projects && len(slugs) != o.Projects {
		t.Errorf("%d project directories, want %d", len(slugs), o.Projects)
	}
}

func TestWriteDescribesEverySession(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, time.March, 3, 9, 30, 0, 123_456_789, time.UTC)
	dir, stats := write(t, Options{Sessions: 30, Now: now})
	newest := time.Time{}
	for _, s := range stats.List {
		checkSession(t, dir, s)
		if s.Last.After(newest) {
			newest = s.Last
		}
		if age := now.Sub(s.Last); age < 0 || age > 29*24*time.Hour {
			t.Errorf("%s is %v old", s.Name, age)
		}
	}
	if want := now.Truncate(time.Millisecond); !newest.Equal(want) {
		t.Errorf("newest record is of %v, want %v", newest, want)
	}
}

func checkSession(t *testing.T, dir string, s Session) {
	t.Helper()
	if want := filepath.Join(dir, "projects", sessions.Slug(s.Workdir), s.ID+".jsonl"); s.Path != want {
		t.Errorf("path %s, want %s", s.Path, want)
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.ModTime().Equal(s.Last) || info.Size() != s.Bytes {
		t.Errorf("%s: %v, %d bytes; want %v, %d", s.Path, info.ModTime(), info.Size(), s.Last, s.Bytes)
	}
	records, broken := readLines(t, s.Path)
	if len(records)+broken != s.Lines {
		t.Errorf("%s: %d lines, want %d", s.Path, len(records)+broken, s.Lines)
	}
	var first, last, custom, title, summary string
	for _, r := range records {
		if r.Timestamp != "" {
			if first == "" {
				first = r.Timestamp
			}
			last = r.Timestamp
		}
		if r.SessionID != s.ID && r.SessionID != "" || r.Version != s.Version && r.Version != "" || r.Cwd != s.Workdir && r.Cwd != "" {
			t.Errorf("%s: a record of session %s, version %s, in %s", s.Path, r.SessionID, r.Version, r.Cwd)
		}
		custom, title, summary = or(r.CustomTitle, custom), or(r.AITitle, title), or(r.Summary, summary)
	}
	if s.Prompts > 0 && (first != s.First.Format(stampLayout) || last != s.Last.Format(stampLayout)) {
		t.Errorf("%s: from %s to %s, want %v to %v", s.Name, first, last, s.First, s.Last)
	}
	if name := or(custom, or(title, summary)); name != "" && name != s.Name {
		t.Errorf("%s: name %q, want %q", s.Path, name, s.Name)
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// TestChain holds what links records: every parent is there, an answer shares its ids, a result has its call.
func TestChain(t *testing.T) {
	t.Parallel()
	_, stats := write(t, Options{Sessions: 40, Bytes: 2 << 20})
	for _, s := range stats.List {
		for _, path := range append([]string{s.Path}, s.Agents...) {
			records, _ := readLines(t, path)
			checkChain(t, s.Name, records)
		}
	}
}

func checkChain(t *testing.T, name string, records []record) {
	t.Helper()
	seen, requests, calls := map[string]bool{}, map[string]string{}, map[string]bool{}
	for _, r := range records {
		if r.UUID == "" {
			continue
		}
		if seen[r.UUID] {
			t.Errorf("%s: uuid %s twice", name, r.UUID)
		}
		for _, p := range []string{r.ParentUUID, r.Logical} {
			if p != "" && !seen[p] {
				t.Errorf("%s: %s %s has parent %s, which is not there", name, r.Type, r.UUID, p)
			}
		}
		seen[r.UUID] = true
		if id := r.Message.ID; id != "" {
			if was, ok := requests[id]; ok && was != r.RequestID {
				t.Errorf("%s: message %s has requests %s and %s", name, id, was, r.RequestID)
			}
			requests[id] = r.RequestID
		}
		var blocks []struct {
			Type string `json:"type"`
			ID   string `json:"id"`
			Call string `json:"tool_use_id"`
		}
		if json.Unmarshal(r.Message.Content, &blocks) != nil {
			continue // plain text
		}
		if len(blocks) != 1 {
			t.Errorf("%s: record with %d blocks", name, len(blocks))
		}
		for _, b := range blocks {
			if b.Type == "tool_use" {
				calls[b.ID] = true
			} else if b.Type == "tool_result" && !calls[b.Call] {
				t.Errorf("%s: result of unknown call %s", name, b.Call)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, want := range []int64{4 << 20, 6 << 20} {
		_, stats := write(t, Options{Sessions: 50, Bytes: want})
		if off := math.Abs(float64(stats.Bytes-want)) / float64(want); off > 0.02 {
			t.Errorf("%d bytes, want %d: %.1f %% off", stats.Bytes, want, off*100)
		}
	}
}

func TestWriteReplacesNothing(t *testing.T) {
	t.Parallel()
	dir, stats := write(t, Options{Sessions: 3})
	before := tree(t, dir)
	if _, err := Write(t.Context(), dir, Options{Sessions: 3}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second run: %v, want %v", err, fs.ErrExist)
	}
	if !slices.Equal(tree(t, dir), before) {
		t.Errorf("the second run changed files of %v", stats.List)
	}
}

func TestWriteStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a", `"\`, "\n\r\t\x00\x07\x1b\x1f\x7f", "<&> 茶 🫖 \u2028", strings.Repeat("é\n", 50)} {
		var got string
		if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != s {
			t.Errorf("%q comes back as %q, %v", s, got, err)
		}
	}
}
