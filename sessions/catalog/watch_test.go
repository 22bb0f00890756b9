package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// started is a probe that reports every process as running.
type started struct{}

func (started) Start(context.Context, int) (start string, alive, known bool) { return "", true, true }
func (started) Domain() string                                               { return "" }

// screen collects the rows of all batches.
type screen struct {
	mu      sync.Mutex
	rows    map[string]sessions.Row
	gone    map[string]bool
	batches int
}

func (s *screen) take(b sessions.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches++
	for _, r := range b.Rows {
		s.rows[r.Path] = r
		delete(s.gone, r.Path)
	}
	for _, path := range b.Gone {
		delete(s.rows, path)
		s.gone[path] = true
	}
}

func (s *screen) row(path string) sessions.Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[path]
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.batches
}

// until waits until shown returns true. what is for the failure message.
func (s *screen) until(t *testing.T, what string, shown func(rows map[string]sessions.Row) bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		ok := shown(s.rows)
		s.mu.Unlock()
		if ok {
			return
		}
	}
	t.Fatalf("%s: not seen", what)
}

// watch lists a catalogue, and then watches it until the test ends.
func watch(t *testing.T, c *catalog.Catalog) *screen {
	t.Helper()
	s := &screen{rows: map[string]sessions.Row{}, gone: map[string]bool{}}
	for b := range c.Rows(t.Context()) {
		s.take(b)
	}
	s.batches = 0
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	changes := c.Watch(ctx, func() bool { return true })
	wg.Go(func() {
		for b := range changes {
			s.take(b)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return s
}

// quick returns a catalogue whose Watch has short intervals.
func quick(opts catalog.Options) *catalog.Catalog {
	c := catalog.New(opts)
	c.Quicken()
	return c
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t *testing.T, path, data string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(data)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// line returns one record. The first record has an empty parent.
func line(typ, uuid, parent, text string) string {
	rec := map[string]any{
		"type": typ, "uuid": uuid, "parentUuid": nil, "cwd": "/home/ada/tea", "version": "2.1.0",
		"timestamp": "2026-02-28T10:00:00.000Z", "message": map[string]any{"role": typ, "content": text},
	}
	if parent != "" {
		rec["parentUuid"] = parent
	}
	if typ == "assistant" {
		rec["requestId"] = "r" + uuid
		rec["message"] = map[string]any{
			"id": "m" + uuid, "role": typ, "model": "claude-x", "content": []any{map[string]any{"type": "text", "text": text}},
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 7},
		}
	}
	data, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

// talk writes a transcript of at least the given size. Prompts and answers have 1 kB each.
func talk(w io.Writer, bytes int64) error {
	parent, text := "", strings.Repeat("The harbour opens at nine. ", 40)
	for i := 0; bytes > 0; i++ {
		id := fmt.Sprint("u", i)
		n, err := io.WriteString(w, line([]string{"user", "assistant"}[i%2], id, parent, text))
		if err != nil {
			return err
		}
		parent, bytes = id, bytes-int64(n)
	}
	return nil
}

// big writes a transcript of at least the given size to a new config dir.
func big(t *testing.T, bytes int64) (opts catalog.Options, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "projects", "-home-ada-tea", "aaaaaaaa-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(talk(f, bytes), f.Close()); err != nil {
		t.Fatal(err)
	}
	return catalog.Options{Dirs: []string{dir}, Now: now, Zone: time.UTC, Probe: started{}}, path
}

// slack is the number of bytes that a check may read again; see transcript.Follow.
const slack = 2 * 4096

// TestOneRead: the row and an open Doc share one read of appended lines.
func TestOneRead(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 5<<20)
	c := quick(opts)
	s := watch(t, c)
	appendTo(t, path, line("user", "x0", "", "first"))
	size := func(rows map[string]sessions.Row) bool { return rows[path].Bytes == fileSize(t, path) }
	s.until(t, "first change", size)
	if n := c.BytesRead(); n < 4<<20 || n > 6<<20 {
		t.Errorf("the first change took %d bytes", n)
	}
	doc, err := c.Open(t.Context(), s.row(path))
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	before, refs := c.BytesRead(), doc.Outline()
	if before > 6<<20 {
		t.Errorf("opening what is followed took the bytes read to %d", before)
	}
	more := line("user", "x1", "x0", "second") + line("assistant", "x2", "x1", "third") + line("user", "x3", "x2", "fourth")
	appendTo(t, path, more)
	s.until(t, "three lines", size)
	if n := len(doc.Outline()); n != len(refs) {
		t.Errorf("the outline has grown by itself: %d, %d", n, len(refs))
	}
	if grown, err := doc.Follow(t.Context()); !grown || err != nil {
		t.Errorf("grown %v, %v", grown, err)
	}
	if grown, err := doc.Follow(t.Context()); grown || err != nil {
		t.Errorf("grown again %v, %v", grown, err)
	}
	if n := c.BytesRead() - before; n < int64(len(more)) || n > int64(len(more)+slack) {
		t.Errorf("%d bytes read for %d appended", n, len(more))
	}
	main := doc.Threads()[0].Messages
	last := main[len(main)-1]
	msgs, err := doc.Messages(t.Context(), last-2, last+1)
	if err != nil || len(msgs) != 3 || msgs[2].Blocks[0].Text != "fourth" || len(doc.Outline()) != len(refs)+3 {
		t.Errorf("%+v, %v", msgs, err)
	}
	if r := s.row(path); r.Messages == 0 || !r.Exact || r.State != sessions.StateOK {
		t.Errorf("%+v", r)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestFollowedEqualsRead: after each appended line, the row is the same as in a new catalogue.
func TestFollowedEqualsRead(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*catalog.Catalog){
		"notified": (*catalog.Catalog).WalkNever, "walking": (*catalog.Catalog).Deafen,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts, stats, _ := world(t)
			opts.Probe = started{}
			c := quick(opts)
			prepare(c)
			path := stats.List[len(stats.List)-1].Path
			id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			write(t, filepath.Join(opts.Dirs[0], "sessions", "7.json"), `{"pid":7,"sessionId":"`+id+`","status":"busy"}`)
			s := watch(t, c)
			for i, data := range []string{
				line("user", "n1", "", "a new root"),
				line("assistant", "n2", "n1", "an answer") + line("assistant", "n3", "n2", "another"),
				`{"type":"custom-title","customTitle":"Renamed"}` + "\n",
				line("user", "n4", "n1", "a branch"),
				line("user", "n5", "n4", "torn")[:40],
				line("user", "n5", "n4", "torn")[40:],
				line("user", "n6", "missing", "damaged"),
				"{no record\n" + line("user", "n7", "n6", "on"),
				"\n\n",
			} {
				appendTo(t, path, data)
				s.until(t, fmt.Sprint("change ", i), func(rows map[string]sessions.Row) bool { return rows[path].Bytes == fileSize(t, path) })
				want, err := catalog.New(opts).List(t.Context(), false)
				if err != nil {
					t.Fatal(err)
				}
				k := slices.IndexFunc(want, func(r sessions.Row) bool { return r.Path == path })
				if got := s.row(path); !reflect.DeepEqual(got, want[k]) {
					t.Errorf("change %d: followed %+v\nread %+v", i, got, want[k])
				}
			}
			r := s.row(path)
			if !r.Has(sessions.FlagLive) || !r.Has(sessions.FlagHiddenBranch) || r.State != sessions.StateDamaged || r.Name != "Renamed" {
				t.Errorf("%+v", r)
			}
			if n := c.BytesRead(); n > r.Bytes+9*(slack+400) {
				t.Errorf("%d bytes read of a file of %d", n, r.Bytes)
			}
		})
	}
}

func TestComeAndGo(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*catalog.Catalog){"notified": func(*catalog.Catalog) {}, "walking": (*catalog.Catalog).Deafen} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts, stats, _ := world(t)
			c := quick(opts)
			prepare(c)
			s := watch(t, c)
			path := filepath.Join(opts.Dirs[0], "projects", "-home-ada-new", "cccccccc-0000-4000-8000-000000000003.jsonl")
			messages := func(n int) func(map[string]sessions.Row) bool {
				return func(rows map[string]sessions.Row) bool { r, ok := rows[path]; return ok && r.Messages == n && r.Exact }
			}
			gone := func(path string) func(map[string]sessions.Row) bool {
				return func(rows map[string]sessions.Row) bool { _, ok := rows[path]; return !ok && s.gone[path] }
			}
			write(t, path, line("user", "u1", "", "hello"))
			s.until(t, "new session in a new project", messages(1))
			if r := s.row(path); r.Workdir != "/home/ada/tea" || r.Project == "" || r.Name != "hello" || r.Kind != sessions.KindSession {
				t.Errorf("%+v", r)
			}
			doc, err := c.Open(t.Context(), s.row(path))
			if err != nil {
				t.Fatal(err)
			}
			defer doc.Close()
			appendTo(t, path, line("assistant", "u2", "u1", "there"))
			s.until(t, "growth", messages(2))
			if _, err := doc.Follow(t.Context()); err != nil {
				t.Fatal(err)
			}
			write(t, path+".tmp", line("user", "v1", "", "other")+line("assistant", "v2", "v1", "x")+line("user", "v3", "v2", "y"))
			if err := os.Rename(path+".tmp", path); err != nil {
				t.Fatal(err)
			}
			s.until(t, "replaced", messages(3))
			if grown, err := doc.Follow(t.Context()); grown || !errors.Is(err, transcript.ErrRewritten) {
				t.Errorf("replaced: %v, %v", grown, err)
			}
			if msgs, err := doc.Messages(t.Context(), 0, 9); err != nil || len(msgs) != 2 || msgs[1].Err != "" || msgs[0].Blocks[0].Text != "hello" {
				t.Errorf("the open document can't be read any more: %+v, %v", msgs, err)
			}
			write(t, path, line("user", "w1", "", "cut"))
			s.until(t, "cut", messages(1))
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			s.until(t, "deleted", gone(path))
			write(t, path, line("user", "w1", "", "again")+line("assistant", "w2", "w1", "x"))
			s.until(t, "made again", messages(2))
			if err := os.RemoveAll(filepath.Dir(stats.List[0].Path)); err != nil {
				t.Fatal(err)
			}
			s.until(t, "a whole project", gone(stats.List[0].Path))
		})
	}
}

// TestRegistry: a row follows its client. The transcript isn't read for this.
func TestRegistry(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 1<<20)
	c := quick(opts)
	s := watch(t, c)
	entry := filepath.Join(opts.Dirs[0], "sessions", "7.json")
	id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	write(t, entry, `{"pid":7,"sessionId":"`+id+`","status":"busy"}`)
	s.until(t, "started", func(rows map[string]sessions.Row) bool { return badge(rows[path]) == sessions.BadgeLive })
	write(t, entry, `{"pid":7,"sessionId":"`+id+`","status":"waiting","waitingFor":"permission"}`)
	s.until(t, "waits", func(rows map[string]sessions.Row) bool { return badge(rows[path]) == sessions.BadgeWaiting })
	if err := os.Remove(entry); err != nil {
		t.Fatal(err)
	}
	s.until(t, "ended", func(rows map[string]sessions.Row) bool {
		return rows[path].Live == nil && badge(rows[path]) == sessions.BadgeOK
	})
	if n := c.BytesRead(); n != 0 {
		t.Errorf("%d bytes were read", n)
	}
}

func badge(r sessions.Row) sessions.Badge { return r.Badge() }

func TestBurst(t *testing.T) {
	t.Parallel()
	opts, path := big(t, 1<<20)
	write(t, filepath.Join(opts.Dirs[0], "sessions", "7.json"), `{"pid":7,"sessionId":"`+strings.TrimSuffix(filepath.Base(path), ".jsonl")+`"}`)
	c := catalog.New(opts) // with the real intervals
	s := watch(t, c)
	appendTo(t, path, line("user", "y", "", "x"))
	s.until(t, "first change", func(rows map[string]sessions.Row) bool { return rows[path].Bytes == fileSize(t, path) })
	before, read, start := s.count(), c.BytesRead(), time.Now()
	written := 0
	for i := range 300 {
		data := line("user", fmt.Sprint("z", i), "", "x")
		written += len(data)
		appendTo(t, path, data)
	}
	s.until(t, "the last line", func(rows map[string]sessions.Row) bool { return rows[path].Bytes == fileSize(t, path) })
	n, most := s.count()-before, int(time.Since(start)/(100*time.Millisecond))+2
	if n > most {
		t.Errorf("%d batches of 300 lines, want at most %d", n, most)
	}
	if read = c.BytesRead() - read; read > int64(written+most*slack) {
		t.Errorf("%d bytes read for %d appended", read, written)
	}
}

// TestWatchEnds: no goroutine and no open file are left.
func TestWatchEnds(t *testing.T) { //nolint:paralleltest // this test counts goroutines
	opts, path := big(t, 1<<20)
	c := quick(opts)
	before := runtime.NumGoroutine()
	for range c.Rows(t.Context()) { // read to the end
	}
	ctx, cancel := context.WithCancel(t.Context())
	batches := c.Watch(ctx, func() bool { return true })
	appendTo(t, path, line("user", "x", "", "x"))
	if b := <-batches; len(b.Rows) != 1 || c.Followed() != 1 {
		t.Errorf("%+v, %d followed", b, c.Followed())
	}
	appendTo(t, path, line("user", "x2", "", "nobody takes this one"))
	cancel()
	for range batches { // the channel must close
	}
	if n := c.Followed(); n != 0 {
		t.Errorf("%d files are still open", n)
	}
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}
