package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// tree is a directory of transcripts, with the texts that they contain.
type tree struct {
	t    *testing.T
	dir  string
	said map[string][]string // path of a transcript → texts of its records
	n    int
}

func newTree(t *testing.T) *tree {
	t.Helper()
	return &tree{t: t, dir: t.TempDir(), said: map[string][]string{}}
}

func record(role, text string, n int) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-11-%02dT10:00:00.000Z","message":{"role":%q,"content":%q}}`+"\n",
		role, n, 1+n%25, role, text)
}

// write appends records to a transcript, or replaces it if again is true.
func (tr *tree) write(name string, again bool, texts ...string) {
	tr.t.Helper()
	path := filepath.Join(tr.dir, name+".jsonl")
	flag := os.O_APPEND
	if again {
		tr.said[path] = nil
		flag = os.O_TRUNC
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		tr.t.Fatal(err)
	}
	for _, text := range texts {
		tr.n++
		if _, err := f.WriteString(record([]string{"user", "assistant"}[tr.n%2], text, tr.n)); err != nil {
			tr.t.Fatal(err)
		}
		tr.said[path] = append(tr.said[path], text)
	}
	if err := f.Close(); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) remove(name string) {
	path := filepath.Join(tr.dir, name+".jsonl")
	_ = os.Remove(path) // it may not exist
	delete(tr.said, path)
}

func (tr *tree) files() []File {
	tr.t.Helper()
	var list []File
	for path := range tr.said {
		info, err := os.Stat(path)
		if err != nil {
			tr.t.Fatal(err)
		}
		list = append(list, File{Path: path, Info: info})
	}
	return list
}

// found returns the matches of a search as "path: text", sorted.
func found(t *testing.T, x *Index, text string) []string {
	t.Helper()
	q, err := query.Parse(text, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	var mu sync.Mutex
	err = x.Search(t.Context(), q, func(*File) bool { return true }, func(m *Message) bool {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, m.File.Path+": "+string(m.Text))
		return true
	})
	if err != nil {
		t.Errorf("search for %q: %v", text, err)
	}
	slices.Sort(list)
	return list
}

// naive scans all texts for the results of found.
func (tr *tree) naive(text string) []string {
	q, err := query.Parse(text, time.Now())
	if err != nil {
		tr.t.Fatal(err)
	}
	var list []string
	for path, texts := range tr.said {
		for _, s := range texts {
			if _, ok := q.Match([]byte(s)); ok {
				list = append(list, path+": "+s)
			}
		}
	}
	slices.Sort(list)
	return list
}

// check compares searches with a scan of all texts.
func (tr *tree) check(x *Index, searches []string) {
	tr.t.Helper()
	if err := x.Update(tr.t.Context(), tr.files()); err != nil {
		tr.t.Fatal(err)
	}
	for _, s := range searches {
		if got, want := found(tr.t, x, s), tr.naive(s); !slices.Equal(got, want) {
			tr.t.Fatalf("search for %q finds %d texts, want %d; first difference: %s", s, len(got), len(want), difference(got, want))
		}
	}
}

func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%q, want %q", got[i], want[i])
		}
	}
	return fmt.Sprintf("one list is longer: %q", append(got, want...)[min(len(got), len(want))])
}

func vocabulary() []string {
	return []string{"leeway", "Leeway", "bucket", "error", "the", "a", "数据库", "数据", "сервер", "Straße", "naïve", "🚀", "path/to/file.go", "x", "\u212aelvin", "30 s"}
}

func sentence(r *rand.Rand) string {
	words := vocabulary()
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString([]string{" ", "\n", ", ", "", "\t"}[r.IntN(5)])
	}
	return b.String()
}

func searches() []string {
	return []string{"leeway", "leeway bucket", `"30 s"`, "数据", "СЕРВЕР", "kelvin", "th", "e", "error -the", "/lee[a-z]+/", "to/file", "nothinglikeit", "🚀 x"}
}

// FuzzIndex appends, rewrites and deletes at random. An old and a new index find the same as a scan.
func FuzzIndex(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // not for secrets
		tr, cache := newTree(t), t.TempDir()
		one, two := Open(cache), Open(cache)
		defer one.Close()
		defer two.Close()
		for range 6 {
			for range 1 + r.IntN(4) {
				name := string(rune('a' + r.IntN(5)))
				switch r.IntN(8) {
				case 0:
					tr.remove(name)
				case 1:
					tr.write(name, true, sentence(r))
				default:
					var texts []string
					for range 1 + r.IntN(6) {
						texts = append(texts, sentence(r))
					}
					tr.write(name, false, texts...)
				}
			}
			tr.check([]*Index{one, two}[r.IntN(2)], searches())
			if r.IntN(4) == 0 {
				one.Close()
				one = Open(cache)
			}
		}
	})
}

// TestAppend: only appended bytes are read. An unchanged file isn't opened.
func TestAppend(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	tr.write("a", true, slices.Repeat([]string{"one two three"}, 2000)...)
	old := time.Now().Add(-time.Hour)
	chtimes := func() {
		for path := range tr.said {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	chtimes()
	x := Open(cache)
	defer x.Close()
	tr.check(x, []string{"two"})
	was := x.Status()
	tr.write("a", false, "four")
	chtimes()
	tr.check(x, []string{"two", "four"})
	now := x.Status()
	if grown := now.Stored - was.Stored; grown > 2000 {
		t.Errorf("one record of %d bytes adds %d bytes to the cache", len(record("user", "four", 1)), grown)
	}
	if now.Texts != was.Texts+1 {
		t.Errorf("%d texts after one more than %d", now.Texts, was.Texts)
	}
	// The files can't be opened any more, so an Update that opens unchanged files fails.
	for path := range tr.said {
		files := tr.files()
		if err := os.Rename(path, path+"~"); err != nil {
			t.Fatal(err)
		}
		if err := x.Update(t.Context(), files); err != nil {
			t.Fatal(err)
		}
		if got := len(found(t, x, "four")); got != 1 {
			t.Errorf("%d texts found in a file that can't be opened, want 1", got)
		}
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	tr.write("a", true, "a prompt", "an answer")
	path := tr.files()[0].Path
	picked := `{"type":"user","isSidechain":true,"forkedFrom":{"sessionId":"00000000-0000-4000-8000-000000000008"}}` + "\n" + `{"type":"continued-in","continuedInSessionId":"00000000-0000-4000-8000-000000000009"}` + "\n"
	if f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	} else if _, err := f.WriteString(picked); errors.Join(err, f.Close()) != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	x := Open(cache)
	want := sessions.NewScanner(x, time.Now()).Read(t.Context(), path)
	if want.Picker == "" || want.Continued == "" {
		t.Errorf("%+v has no reason to be hidden", want)
	}
	x.Close()
	x = Open(cache)
	defer x.Close()
	info := tr.files()[0].Info
	got := sessions.Session{Path: want.Path, ID: want.ID, Bytes: want.Bytes, Modified: want.Modified}
	if !x.Figures(path, info, &got) {
		t.Fatal("no figures")
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("figures:\n got %+v\nwant %+v", got, want)
	}
	tr.write("a", false, "more")
	if x.Figures(path, tr.files()[0].Info, &got) {
		t.Error("figures of a changed file")
	}
}

// TestDamaged: each byte of a small cache is changed in turn. Searches stay right.
func TestDamaged(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	tr.write("a", true, "one two", "two three")
	tr.write("b", true, "three four")
	x := Open(cache)
	tr.check(x, []string{"two"})
	x.Close()
	names, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, name := range names {
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			dir := t.TempDir()
			for _, other := range names {
				b, err := os.ReadFile(other)
				if err != nil {
					t.Fatal(err)
				}
				if other == name {
					b[i] ^= 0x41
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(other)), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			changed++
			x := Open(dir)
			if err := x.Update(t.Context(), tr.files()); err != nil {
				t.Fatal(err)
			}
			for _, s := range []string{"two", "three", "four", "five"} {
				got, err := tr.retry(x, s)
				if want := tr.naive(s); err != nil || !slices.Equal(got, want) {
					t.Fatalf("byte %d of %s changed: search for %q finds %q, %v; want %q", i, filepath.Base(name), s, got, err, want)
				}
			}
			x.Close()
		}
	}
	if changed < 500 {
		t.Errorf("only %d bytes were changed", changed)
	}
}

// retry searches, and if the cache is damaged, once more after an update.
func (tr *tree) retry(x *Index, text string) (list []string, err error) {
	q, err := query.Parse(text, time.Now())
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	for range 2 {
		list = nil
		err = x.Search(context.Background(), q, func(*File) bool { return true }, func(m *Message) bool {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, m.File.Path+": "+string(m.Text))
			return true
		})
		if err == nil {
			break
		}
		if err := x.Update(context.Background(), tr.files()); err != nil {
			return nil, err
		}
	}
	slices.Sort(list)
	return list, err
}

// TestTwoWriters: the second process has no lock, but finds all texts.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	tr.write("a", true, "one", "two")
	first, second := Open(cache), Open(cache)
	defer first.Close()
	defer second.Close()
	first.begin("nothing") // takes the lock
	tr.check(second, []string{"one", "two"})
	tr.write("a", false, "three")
	tr.check(second, []string{"one", "three"})
	first.Flush()
	tr.check(first, []string{"one", "three"})
	tr.write("b", true, "four")
	tr.check(second, []string{"one", "three", "four"})
	if s := second.Status(); second.keepsMemory() || s.Texts < 4 {
		t.Errorf("the second one still keeps texts in memory: %+v", s)
	}
}

// TestDamagedLocked: another process has the lock of the damaged cache. The index reads the files itself.
func TestDamagedLocked(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	tr.write("a", true, "one two", "two three")
	x := Open(cache)
	tr.check(x, []string{"two"})
	x.Close()
	texts, err := filepath.Glob(filepath.Join(cache, textPrefix+"*"))
	if err != nil || len(texts) != 1 {
		t.Fatal(texts, err)
	}
	b, err := os.ReadFile(texts[0])
	if err != nil {
		t.Fatal(err)
	}
	b[headerSize] ^= 0x41
	if err := os.WriteFile(texts[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, reader := Open(cache), Open(cache)
	defer writer.Close()
	defer reader.Close()
	writer.begin("nothing") // takes the lock
	got, err := tr.retry(reader, "two")
	if want := tr.naive("two"); err != nil || !slices.Equal(got, want) {
		t.Errorf("found %q, %v; want %q", got, err, want)
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	tr, file := newTree(t), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tr.write("a", true, "one", "two")
	for _, dir := range []string{"", filepath.Join(file, "below")} {
		x := Open(dir)
		tr.check(x, []string{"one", "two"})
		tr.write("a", false, "three")
		tr.check(x, []string{"one", "three"})
		x.Close()
	}
}

// TestPrune: only the text of the deleted transcript is removed, not that of another tree.
func TestPrune(t *testing.T) {
	t.Parallel()
	tr, other, cache := newTree(t), newTree(t), t.TempDir()
	tr.write("a", true, "secretword")
	tr.write("b", true, "something")
	other.write("c", true, "elsewhere")
	x := Open(cache)
	other.check(x, []string{"elsewhere"})
	tr.check(x, []string{"secretword"})
	tr.remove("a")
	tr.check(x, []string{"secretword", "something"})
	x.Close()
	all := ""
	names, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	if strings.Contains(all, "secretword") {
		t.Error("the text of a deleted file is in the cache")
	}
	if !strings.Contains(all, "something") || !strings.Contains(all, "elsewhere") {
		t.Error("the text of another file is gone")
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	tr, cache := newTree(t), t.TempDir()
	x := Open(cache)
	defer x.Close()
	tr.write("a", true, "one")
	for range spareBlocks + 10 {
		tr.write("a", false, "two")
		if err := x.Update(t.Context(), tr.files()); err != nil {
			t.Fatal(err)
		}
	}
	tr.check(x, []string{"one", "two"})
	if n := len(x.blocks); n > 20 {
		t.Errorf("%d blocks", n)
	}
	x.Close()
	x = Open(cache)
	tr.check(x, []string{"one", "two"})
	if texts, err := filepath.Glob(filepath.Join(cache, textPrefix+"*")); err != nil || len(texts) != 1 {
		t.Errorf("text files %v, %v", texts, err)
	}
}

func TestOriginCodec(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_123).UTC()
	want := transcript.Origin{
		Kind: transcript.OriginFork, Session: "s", Cleared: at, Copied: 3,
		Prompts: []transcript.OriginPrompt{{ID: 1 << 63, Number: 1, Time: at}, {ID: 7, Number: 300}},
	}
	w := codec{}
	w.origin(&want)
	for n := range w.b {
		r, got := newReader(w.b[:n]), transcript.Origin{}
		if r.origin(&got); r.err == nil {
			t.Errorf("no error for %d of %d bytes", n, len(w.b))
		}
	}
	r, got := newReader(w.b), transcript.Origin{}
	if r.origin(&got); r.err != nil || len(r.b) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, r.err, want)
	}
}
