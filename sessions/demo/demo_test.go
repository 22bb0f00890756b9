package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
)

// record has the fields of a record that tests need.
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

func write(t *testing.T, o Options) (string, Stats) {
	t.Helper()
	dir := t.TempDir()
	stats, err := Write(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, stats
}

// readLines returns the records of a transcript, and the number of broken lines.
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

// tree lists files and directories with mode. Files also have time and contents.
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
	drilltest.SkipUnderRace(t)
	t.Parallel()
	o := Options{Root: "/srv/made up"}
	a, _ := write(t, o)
	b, _ := write(t, o)
	if x, y := tree(t, a), tree(t, b); !slices.Equal(x, y) {
		t.Errorf("two runs differ:\n%s\n\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
	o.Now = dataTime().Add(time.Hour)
	c, _ := write(t, o)
	if slices.Equal(tree(t, a), tree(t, c)) {
		t.Error("another time gives the same files")
	}
}

// TestWriteMoves: the demo gets another root and time. No path or time of the data is left.
func TestWriteMoves(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	base := t.TempDir()
	o := Options{Memory: true, Root: filepath.Join(base, "co&de"), Now: dataTime().AddDate(1, 2, 3)}
	if _, err := Write(t.Context(), filepath.Join(base, ".claude"), o); err != nil {
		t.Fatal(err)
	}
	old := regexp.MustCompile(`"(ts|timestamp)": ?"2026|date: 2026|session-2026|Last Updated: 2026|home[/-]ada`)
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if age := o.Now.Sub(info.ModTime()); age < 0 || age > 42*24*time.Hour {
			t.Errorf("%s is %v old", path, age)
		}
		content, err := os.ReadFile(path)
		if m := old.Find([]byte(path + "\n" + string(content))); m != nil {
			t.Errorf("%s has %s", path, m)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWriteCountsWhatItWrites(t *testing.T) {
	t.Parallel()
	dir, stats := write(t, Options{})
	files, agents, broken := 0, 0, 0
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
		if filepath.Ext(path) != ".jsonl" {
			return nil
		}
		_, bad := readLines(t, path)
		broken += bad
		if filepath.Dir(filepath.Dir(path)) == filepath.Join(dir, "projects") {
			files++
		} else {
			agents++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != 25 || files != stats.Sessions || files != len(stats.List) || agents != 2 || broken != 2 {
		t.Errorf("stats are %d sessions, %d in the list; found %d, %d agents, %d broken lines", stats.Sessions, len(stats.List), files, agents, broken)
	}
}

func TestWriteDescribesEverySession(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, time.March, 3, 9, 30, 0, 123_456_789, time.UTC)
	dir, stats := write(t, Options{Now: now})
	for i, s := range stats.List {
		checkSession(t, dir, s)
		if age := now.Sub(s.Last); age < 0 || age > 29*24*time.Hour {
			t.Errorf("%s is %v old", s.Name, age)
		}
		if i > 0 && s.Last.After(stats.List[i-1].Last) {
			t.Errorf("%s is newer than the one before it", s.Name)
		}
	}
	if newest, want := stats.List[0].Last, now.Truncate(time.Millisecond); !newest.Equal(want) {
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
	if !info.ModTime().Equal(s.Last) {
		t.Errorf("%s: %v, want %v", s.Path, info.ModTime(), s.Last)
	}
	records, _ := readLines(t, s.Path)
	var version, last, custom, title, summary string
	for _, r := range records {
		last, version = or(r.Timestamp, last), or(version, r.Version)
		if r.SessionID != s.ID && r.SessionID != "" || r.Version != version && r.Version != "" || r.Cwd != s.Workdir && r.Cwd != "" {
			t.Errorf("%s: a record of session %s, version %s, in %s", s.Path, r.SessionID, r.Version, r.Cwd)
		}
		custom, title, summary = or(r.CustomTitle, custom), or(r.AITitle, title), or(r.Summary, summary)
	}
	if last != "" && last != s.Last.Format(stamps().layout) {
		t.Errorf("%s: to %s, want %v", s.Name, last, s.Last)
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

// TestChain: each parent exists, an answer's records have the same IDs, and each result has a call.
func TestChain(t *testing.T) {
	t.Parallel()
	_, stats := write(t, Options{})
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
				t.Errorf("%s: %s %s has parent %s, which is missing", name, r.Type, r.UUID, p)
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

func TestWriteReplacesNothing(t *testing.T) {
	t.Parallel()
	dir, stats := write(t, Options{})
	before := tree(t, dir)
	if _, err := Write(t.Context(), dir, Options{}); !errors.Is(err, fs.ErrExist) {
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
