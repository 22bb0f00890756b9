package beads

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// answers is a Program with fixed answers.
type answers struct {
	lines string
	err   error
	known []string // beads that were looked up in issues.jsonl
	asked int
	found []string // the lines found
}

func (a *answers) Lines(_ context.Context, known func([]byte) []byte) ([]byte, error) {
	a.asked++
	for _, bead := range a.known {
		a.found = append(a.found, string(known([]byte(bead))))
	}
	if a.lines == "" {
		return nil, a.err
	}
	return []byte(a.lines), a.err
}

const (
	kettle = `{"id":"tea-1","title":"Keep the kettle warm","status":"in_progress","priority":1,"issue_type":"task","updated_at":"2026-11-20T10:00:00Z"}` + "\n"
	decide = `{"id":"tea-1","title":"Keep the kettle warm","status":"in_progress","priority":1,"issue_type":"task","updated_at":"2026-11-20T10:00:00Z",` +
		`"comments":[{"id":1,"issue_id":"tea-1","author":"ada","text":"DECISION: Use a thermos","created_at":"2026-11-20T11:00:00Z"}]}` + "\n"
	washed = `{"id":"tea-2","title":"Wash the cups","status":"closed","priority":2,"issue_type":"task","updated_at":"2026-11-19T10:00:00Z"}` + "\n"
)

// beadsDir returns a directory with files. A number before a file name is the file's age in minutes.
func beadsDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		age, name, _ := strings.Cut(name, " ")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		minutes, err := time.ParseDuration(age + "m")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, now().Add(-minutes)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDatabase: the program is called if issues.jsonl may be older than the database.
func TestDatabase(t *testing.T) {
	t.Parallel()
	const sqlite, dolt = `{"database":"beads.db","jsonl_export":"issues.jsonl"}`, `{"database":"dolt","backend":"dolt","dolt_mode":"embedded"}`
	for name, c := range map[string]struct {
		files map[string]string
		asked int
	}{
		"only a file":                {map[string]string{"5 issues.jsonl": kettle}, 0},
		"file newer than database":   {map[string]string{"5 issues.jsonl": kettle, "9 beads.db": "x", "9 metadata.json": sqlite}, 0},
		"database newer than file":   {map[string]string{"5 issues.jsonl": kettle, "1 beads.db": "x", "9 metadata.json": sqlite}, 1},
		"log of the database newer":  {map[string]string{"5 issues.jsonl": kettle, "9 beads.db": "x", "1 beads.db-wal": "x"}, 1},
		"empty log":                  {map[string]string{"5 issues.jsonl": kettle, "9 beads.db": "x", "1 beads.db-wal": ""}, 0},
		"another name":               {map[string]string{"5 issues.jsonl": kettle, "1 tea.db": "x", "9 metadata.json": `{"database":"tea.db"}`}, 1},
		"a database outside":         {map[string]string{"5 issues.jsonl": kettle, "9 metadata.json": `{"database":"../../beads.db"}`}, 0},
		"database without a file":    {map[string]string{"1 beads.db": "x"}, 1},
		"Dolt with an old database":  {map[string]string{"1 issues.jsonl": kettle, "9 metadata.json": dolt, "9 embeddeddolt/x": ""}, 1},
		"Dolt without metadata.json": {map[string]string{"1 issues.jsonl": kettle, "9 embeddeddolt/x": ""}, 1},
		"Dolt in a fresh clone":      {map[string]string{"1 issues.jsonl": kettle, "1 metadata.json": dolt}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := beadsDir(t, c.files)
			if got := IsDolt(dir); got != strings.HasPrefix(name, "Dolt") {
				t.Errorf("IsDolt is %v", got)
			}
			program := &answers{lines: decide}
			g, err := Read(t.Context(), dir, program)
			if err != nil || program.asked != c.asked || g.Database != (c.asked > 0) || g.Note != "" {
				t.Fatalf("asked %d times, %+v, %v", program.asked, g, err)
			}
			b, ok := g.Find("tea-1")
			if !ok || len(b.Decisions) != c.asked || b.Line != 1-c.asked {
				t.Errorf("bead is %+v", b)
			}
		})
	}
}

func TestDatabaseFails(t *testing.T) {
	t.Parallel()
	missing := errors.New("bd isn't installed")
	dir := beadsDir(t, map[string]string{"5 issues.jsonl": kettle, "1 beads.db": "x"})
	g, err := Read(t.Context(), dir, &answers{err: missing})
	const older = "The beads are read from issues.jsonl, which may be older than the database: bd isn't installed."
	if err != nil || len(g.Beads) != 1 || g.Note != older || g.Database {
		t.Errorf("%+v, %v", g, err)
	}
	g, err = Read(t.Context(), beadsDir(t, map[string]string{"1 embeddeddolt/x": ""}), &answers{err: missing})
	if err != nil || len(g.Beads) != 0 || g.Note != "The beads are only in a database that could not be read: bd isn't installed." {
		t.Errorf("%+v, %v", g, err)
	}
	g, err = Read(t.Context(), dir, &answers{}) // the same beads
	if err != nil || len(g.Beads) != 1 || g.Note != "" || g.Database || g.Beads[0].Line != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, dir, &answers{err: ctx.Err()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	dir := beadsDir(t, map[string]string{"5 issues.jsonl": kettle + washed, "1 beads.db": "x"})
	program := &answers{lines: kettle, known: []string{
		`{"id": "tea-2", "status": "closed", "updated_at": "2026-11-19T10:00:00Z", "dependency_count": 0}`,
		`{"id": "tea-2", "status": "closed", "updated_at": "2026-11-20T10:00:00Z"}`,
		`{"id": "tea-2", "status": "open", "updated_at": "2026-11-19T10:00:00Z"}`, kettle, `{"id":"tea-3","status":"closed"}`, `[`,
	}}
	if _, err := Read(t.Context(), dir, program); err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(washed) + strings.Repeat("|", 5); strings.Join(program.found, "|") != want {
		t.Errorf("found %q, want %q", program.found, want)
	}
}

// TestMemories: the lines of bd remember aren't Problems.
func TestMemories(t *testing.T) {
	t.Parallel()
	g := graph(t, strings.TrimSpace(kettle), `{"_type":"memory","key":"lids","value":"Lids are in the \"left\" drawer"}`,
		`{"_type":"memory","key":"blank","value":" "}`, `{"_type":"issue","id":"tea-4","title":"A memory","description":"memory","status":"open","labels":["memory"]}`)
	if len(g.Memories) != 1 || g.Memories[0].Key != "lids" || g.Memories[0].Text != `Lids are in the "left" drawer` || g.Memories[0].Line != 2 {
		t.Errorf("memories are %+v", g.Memories)
	}
	if p := problems(g); len(g.Beads) != 2 || p != "" {
		t.Errorf("%d beads, problems %s", len(g.Beads), p)
	}
}

func TestUnwritten(t *testing.T) {
	t.Parallel()
	const other = `{"id":"tea-3","title":"Buy lids","status":"open","priority":2}` + "\n"
	for name, c := range map[string]struct {
		file, database string
		n              int
	}{
		"the same":             {kettle + washed, washed + strings.ReplaceAll(kettle, `,"`, `, "`), 0},
		"a new comment":        {kettle + washed, decide + washed, 1},
		"a new bead":           {kettle, kettle + other, 1},
		"a deleted bead":       {kettle + other, kettle, 1},
		"a tombstone":          {kettle + strings.Replace(other, "open", "tombstone", 1), kettle, 0},
		"a closed bead":        {kettle + other, kettle + strings.Replace(other, "open", "closed", 1), 1},
		"a renamed closed one": {washed, strings.Replace(washed, "cups", "pots", 1), 1},
	} {
		dir := beadsDir(t, map[string]string{"1 issues.jsonl": c.file})
		if n, err := Unwritten(t.Context(), dir, &answers{lines: c.database}); err != nil || n != c.n {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	dir := beadsDir(t, map[string]string{"1 beads.db": "x"})
	if n, err := Unwritten(t.Context(), dir, &answers{lines: decide}); n != 0 || err != nil {
		t.Errorf("without a file: %d, %v", n, err)
	}
	if _, err := Unwritten(t.Context(), dir, &answers{err: errors.New("locked")}); err == nil {
		t.Error("the error of the program is lost")
	}
}
