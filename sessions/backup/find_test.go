package backup

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// project is a test project with an empty memory directory.
type project struct {
	t   *testing.T
	dir string
}

func newProject(t *testing.T) project {
	t.Helper()
	p := project{t, filepath.Join(t.TempDir(), "a project")}
	p.mkdir(".claude/memory/raw")
	return p
}

func (p project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p project) memory(name string) string { return p.path(".claude/memory/" + name) }

func (p project) mkdir(name string) {
	p.t.Helper()
	if err := os.MkdirAll(p.path(name), 0o700); err != nil {
		p.t.Fatal(err)
	}
}

// write writes a file of the project, modified on 2026-03-01.
func (p project) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.ToSlash(filepath.Dir(name)))
	if err := os.WriteFile(p.path(name), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	when := at(p.t, "2026-03-01T00:00:00Z")
	if err := os.Chtimes(p.path(name), when, when); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) find() Found {
	p.t.Helper()
	found, err := Find(p.t.Context(), p.dir, east())
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

// want checks the result of Find. Paths are relative to the memory directory.
func (p project) want(backups, documents, problems []string) Found {
	p.t.Helper()
	found := p.find()
	rel := func(path string) string {
		r, err := filepath.Rel(p.memory(""), path)
		if err != nil {
			p.t.Fatal(err)
		}
		return filepath.ToSlash(r)
	}
	var gotBackups, gotDocuments []string
	for _, b := range found.Backups {
		gotBackups = append(gotBackups, rel(b.Path))
	}
	for _, d := range found.Documents {
		gotDocuments = append(gotDocuments, rel(d.Path))
	}
	if !reflect.DeepEqual(gotBackups, backups) {
		p.t.Errorf("backups   %q\nwant      %q", gotBackups, backups)
	}
	if !reflect.DeepEqual(gotDocuments, documents) {
		p.t.Errorf("documents %q\nwant      %q", gotDocuments, documents)
	}
	if len(found.Problems) != len(problems) {
		p.t.Fatalf("problems %q, want %q", found.Problems, problems)
	}
	for i, err := range found.Problems {
		if got := strings.ReplaceAll(err.Error(), p.memory(""), "M"); got != filepath.FromSlash(problems[i]) {
			p.t.Errorf("problem %q, want %q", got, problems[i])
		}
	}
	return found
}

func TestFindOrder(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const record = `{"type":"user","sessionId":"5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90"}` + "\n"
	p.write(".claude/memory/raw/20260115_143000_exit.jsonl", record)
	p.write(".claude/memory/raw/20260115_090000Z_clear.jsonl", record) // this is the same moment
	p.write(".claude/memory/raw/20260116_000000.jsonl", "")
	p.write(".claude/memory/raw/copy of it.jsonl", record) // Made is the modification time
	p.write(".claude/memory/sessions/raw/20260114_120000_.jsonl", record)
	p.write(".claude/memory/raw/.20260116_000000.jsonl", "a file in the making")
	p.write(".claude/memory/raw/notes.txt", "")
	p.write(".claude/memory/.backup-log", "")

	p.write(".claude/memory/session-2026-01-16-0515.md", "---\ndate: 2026-01-16 05:15\nproject: harbour\n---\n\n# Cranes\n")
	p.write(".claude/memory/sessions/session-2026-01-17-0515Z.md", "")
	p.write("planning/sessions/session-2026-01-10-0515.md", "")
	p.write(".claude/memory/active-context.md", "> Last Updated: 2026-01-18 00:00:00\n")
	p.write(".claude/memory/project-memory.md", "")
	p.write(".claude/memory/notes.md", "")
	p.write(".claude/memory/session-2026-01-16-0515.txt", "")

	found := p.want([]string{
		"raw/copy of it.jsonl", "raw/20260116_000000.jsonl", "raw/20260115_090000Z_clear.jsonl",
		"raw/20260115_143000_exit.jsonl", "sessions/raw/20260114_120000_.jsonl",
	}, []string{
		"project-memory.md", "active-context.md", "sessions/session-2026-01-17-0515Z.md", "session-2026-01-16-0515.md",
		"../../planning/sessions/session-2026-01-10-0515.md",
	}, nil)
	want := Backup{
		Path: p.memory("raw/20260115_143000_exit.jsonl"), Project: p.dir, Reason: "exit",
		Made: time.Date(2026, 1, 15, 14, 30, 0, 0, east()), SessionID: "5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90",
		Bytes: int64(len(record)), Modified: found.Backups[3].Modified,
	}
	if got := found.Backups[3]; !got.Made.Equal(want.Made) || !got.Modified.Equal(at(t, "2026-03-01T00:00:00Z")) {
		t.Errorf("made %v, modified %v", got.Made, got.Modified)
	}
	want.Made = found.Backups[3].Made
	if found.Backups[3] != want {
		t.Errorf("got  %+v\nwant %+v", found.Backups[3], want)
	}
	if len(found.Markers) != 0 {
		t.Errorf("markers %+v", found.Markers)
	}
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, project := range []string{dir, filepath.Join(dir, "gone"), filepath.Join(dir, "file")} {
		found, err := Find(t.Context(), project, nil)
		if err != nil || !reflect.DeepEqual(found, Found{}) {
			t.Errorf("%s: %+v, %v", project, found, err)
		}
	}
	if _, err := Find(t.Context(), "relative", nil); err == nil || !strings.Contains(err.Error(), "not an absolute path") {
		t.Errorf("relative project: %v", err)
	}
}

func TestFindOddFiles(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mkdir(".claude/memory/raw/20260101_000000_dir.jsonl")
	p.mkdir(".claude/memory/session-dir.md")
	p.mkdir(".claude/memory/.pending-backup")
	p.write(".claude/memory/sessions", "a file where a directory belongs")
	p.write(".claude/memory/raw/20260102_000000.jsonl", "")
	found := p.want([]string{"raw/20260102_000000.jsonl"}, nil, []string{
		"read M/raw/20260101_000000_dir.jsonl: not a regular file",
		"read M/.pending-backup: not a regular file",
		"read M/session-dir.md: not a regular file",
		"directory M/sessions: not a directory",
	})
	want := []Marker{{Path: p.memory(".pending-backup"), Kind: MarkerLegacy, State: MarkerUnreadable}}
	if !reflect.DeepEqual(found.Markers, want) {
		t.Errorf("markers %+v", found.Markers)
	}
}

func TestFindEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/raw/20260102_000000.jsonl", "")
	p.write(".claude/memory/raw/20260103_000000.jsonl", "")
	p.write(".claude/memory/session-1.md", "")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	found, err := Find(ctx, p.dir, nil)
	if !errors.Is(err, context.Canceled) || len(found.Backups)+len(found.Documents) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}

	// When the context ends, Find returns the files found so far.
	found, err = Find(&endsAfter{Context: t.Context(), asks: 1}, p.dir, nil)
	if !errors.Is(err, context.Canceled) || len(found.Backups) != 1 || len(found.Documents) != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}

// endsAfter is a context that ends when it was checked asks times.
type endsAfter struct {
	context.Context
	asks int
}

func (c *endsAfter) Err() error {
	if c.asks--; c.asks < 0 {
		return context.Canceled
	}
	return nil
}

// countingReader counts the bytes that callers request.
type countingReader struct {
	r    *bytes.Reader
	read int
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.read += n
	return n, err
}

func TestReadHead(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, headBytes - 1, headBytes, headBytes + 1, 5 << 20} {
		r := &countingReader{r: bytes.NewReader(make([]byte, size))}
		head, err := readHead(r, make([]byte, headBytes))
		if err != nil || len(head) != min(size, headBytes) || r.read != len(head) {
			t.Errorf("%d bytes: %d of them read, %d returned, %v", size, r.read, len(head), err)
		}
	}
}

// TestFindReadsSoMuch: the limits are 64 KB per backup and 8 MB per document.
func TestFindReadsSoMuch(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	long := strings.Repeat("words and words\n", 5<<20/16)
	p.write(".claude/memory/session-2026-01-16-0515.md", "# Long\n"+long+"## Session Summary\nbehind\n## Remaining Todos\n- [ ] last\n")
	p.write(".claude/memory/session-2026-01-15-0515.md", "# Longer\n## Remaining Todos\n- [ ] first\n## X\n"+long+long+"## Session Summary\nbehind\n")
	p.write(".claude/memory/raw/20260102_000000.jsonl", long+`{"sessionId":"behind"}`)
	found := p.want([]string{"raw/20260102_000000.jsonl"}, []string{"session-2026-01-16-0515.md", "session-2026-01-15-0515.md"}, nil)
	if d := found.Documents[0]; d.Title != "Long" || d.Summary != "behind" || len(d.Todos) != 1 || d.Bytes < 5<<20 || d.Problem != "" {
		t.Errorf("document %+v", d)
	}
	if d := found.Documents[1]; d.Title != "Longer" || d.Summary != "" || len(d.Todos) != 1 || d.Problem != "longer than 8 MB: only the first 8 MB were read" {
		t.Errorf("document %+v", d)
	}
	if b := found.Backups[0]; b.SessionID != "" || b.Bytes < 5<<20 {
		t.Errorf("backup %+v", b)
	}
}
