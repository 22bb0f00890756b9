package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	sessionA = "5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90"
	sessionB = "0b2f6c1e-7d1c-4a54-8f0e-3f1a2b3c4d5e"
)

// records returns a transcript of at least size bytes.
func records(session string, size int) string {
	line := `{"type":"user","sessionId":"` + session + `","message":{"role":"user","content":"the tide is in"}}` + "\n"
	return strings.Repeat(line, size/len(line)+1)
}

func (p project) open() *Memory {
	p.t.Helper()
	m, err := OpenMemory(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := m.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return m
}

// save makes a backup without problems.
func (p project) save(m *Memory, r Request) Saved {
	p.t.Helper()
	s, err := m.Save(p.t.Context(), r)
	if err != nil || len(s.Problems) > 0 {
		p.t.Fatalf("save: %v, problems %q", err, s.Problems)
	}
	return s
}

// read returns the text of a memory file, or "" without the file.
func (p project) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.memory(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return string(text)
}

// names lists a directory of the memory. A missing directory is empty.
func (p project) names(dir string) []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.memory(dir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// markers maps marker names to backup names.
func (p project) markers() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	for _, name := range p.names("") {
		if strings.HasPrefix(name, markerPrefix) {
			found[name] = strings.ReplaceAll(p.read(name), p.memory("raw")+string(filepath.Separator), "")
		}
	}
	return found
}

func (p project) hasNoTemps() {
	p.t.Helper()
	for _, dir := range []string{"", "raw", "trash"} {
		for _, name := range p.names(dir) {
			if disk.IsTemp(name) {
				p.t.Errorf("left over: %s/%s", dir, name)
			}
		}
	}
}

func sumText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestSave(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text := records(sessionA, 10_000_000) // three chunks
	p.write("client/a transcript.jsonl", text)
	p.write(".claude/memory/active-context.md", "# Now\n")
	m := p.open()
	s := p.save(m, Request{
		Transcript: p.path("client/a transcript.jsonl"), By: ByEnd, Reason: "prompt_input_exit", At: at(t, "2026-11-21T12:02:13+01:00"),
	})
	const name = "20261121_110213Z_prompt_input_exit.jsonl"
	want := Saved{
		Path: p.memory("raw/" + name), Name: name, Bytes: int64(len(text)), Sum: sumText(text), Marker: p.memory(".pending-backup"),
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if p.read("raw/"+name) != text {
		t.Error("the copy differs")
	}
	fi, err := os.Stat(s.Path)
	if err != nil || !fi.ModTime().Equal(at(t, "2026-03-01T00:00:00Z")) {
		t.Errorf("the copy is of %v, %v", fi.ModTime(), err)
	}
	for file, want := range map[string]string{
		".pending-backup":   s.Path + "\n",
		"raw/.sums":         s.Sum + "  " + name + "\n",
		".backup-log":       "[2026-11-21T11:02:13Z] SessionEnd (prompt_input_exit): Saved backup to " + s.Path + "\n",
		"active-context.md": "# Now\n\n## Session Exit\n\n- Last exit: 2026-11-21T11:02:13Z (reason: prompt_input_exit)\n- Transcript backup: " + s.Path + "\n",
		"raw/.gitignore":    "*\n",
		"trash/.gitignore":  "*\n",
		".gitignore":        ignoreBlock,
	} {
		if got := p.read(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	p.hasNoTemps()
	found := p.find()
	if len(found.Backups) != 1 || !found.Backups[0].Pending || found.Backups[0].Reason != "prompt_input_exit" || found.Problems != nil {
		t.Errorf("found %+v", found)
	}
}

func TestSaveNames(t *testing.T) {
	t.Parallel()
	when := at(t, "2026-11-21T11:02:13Z")
	for label, tt := range map[string]struct {
		by           By
		reason       string
		name, logged string
	}{
		"compaction":           {ByCompact, "auto", "compact", "PreCompact (auto)"},
		"of a person":          {ByPerson, "by hand", "by_hand", "continuo (by_hand)"},
		"no reason":            {ByEnd, "", "unknown", "SessionEnd (unknown)"},
		"no trigger":           {ByCompact, "", "compact", "PreCompact (unknown)"},
		"an attack":            {ByEnd, "../;$()\n../x\x00\x1b[2J`rm`", "_x_2J_rm_", "SessionEnd (_x_2J_rm_)"},
		"the session is empty": {ByEnd, "../../-;;;", "unknown", "SessionEnd (unknown)"},
		"no ASCII":             {ByEnd, "größer\xff", "gr_er_", "SessionEnd (gr_er_)"},
		"long":                 {ByEnd, strings.Repeat("é!a", 100), "_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a", ""},
		"like a number":        {ByEnd, "http-2", "http_2", "SessionEnd (http_2)"},
		"a dash":               {ByEnd, "http-1", "http-1", "SessionEnd (http-1)"},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write("t.jsonl", records(sessionA, 1))
			m := p.open()
			s := p.save(m, Request{Transcript: p.path("t.jsonl"), By: tt.by, Reason: tt.reason, At: when})
			if want := "20261121_110213Z_" + tt.name + ".jsonl"; s.Name != want {
				t.Errorf("%s, want %s", s.Name, want)
			}
			if log := p.read(".backup-log"); strings.Count(log, "\n") != 1 || !strings.Contains(log, tt.logged+"") {
				t.Errorf("log %q", log)
			}
			if b := p.find().Backups; len(b) != 1 || b[0].Reason != tt.name {
				t.Errorf("found %+v", b)
			}
		})
	}
}

func TestSaveTwiceInOneSecond(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 100))
	m := p.open()
	when := at(t, "2026-11-21T11:02:13Z")
	for _, want := range []string{"20261121_110213Z_exit.jsonl", "20261121_110213Z_exit-2.jsonl", "20261121_110213Z_exit-3.jsonl"} {
		if s := p.save(m, Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: when}); s.Name != want {
			t.Errorf("%s, want %s", s.Name, want)
		}
	}
	for _, b := range p.find().Backups {
		if b.Reason != "exit" || !b.Made.Equal(when) {
			t.Errorf("%+v", b)
		}
	}
	// The hook's marker names the newest backup, which contains the second one.
	want := map[string]string{
		".pending-backup": "20261121_110213Z_exit.jsonl\n", ".pending-backup-exit": "20261121_110213Z_exit-3.jsonl\n",
	}
	if got := p.markers(); !reflect.DeepEqual(got, want) {
		t.Errorf("markers %q", got)
	}
}

func TestSaveNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("empty.jsonl", "")
	m := p.open()
	before := p.names("")
	for path, want := range map[string]error{
		p.path("gone.jsonl"):        ErrNothing,
		p.path("empty.jsonl"):       ErrNothing,
		p.path("empty.jsonl/below"): ErrNothing,
		p.path(".claude"):           transcript.ErrNotRegular,
		"relative.jsonl":            nil,
		"":                          nil,
	} {
		s, err := m.Save(t.Context(), Request{Transcript: path, By: ByEnd, At: time.Now()})
		if err == nil || want != nil && !errors.Is(err, want) || s.Path != "" {
			t.Errorf("%q: %+v, %v, want %v", path, s, err, want)
		}
	}
	if after := p.names(""); !slices.Equal(before, after) || len(p.names("raw")) != 0 {
		t.Errorf("memory %q, before %q; raw %q", after, before, p.names("raw"))
	}
}

// TestTransfer: the transcript changes after it was opened.
func TestTransfer(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text := records(sessionA, 2*disk.CopyChunk)
	p.write("t.jsonl", text)
	for label, tt := range map[string]struct{ size, want int64 }{
		"grown":          {1000, 1000},
		"grown a chunk":  {disk.CopyChunk, disk.CopyChunk},
		"shrunk":         {int64(len(text)) + 10, int64(len(text))},
		"shrunk a chunk": {int64(len(text)) + 2*disk.CopyChunk, int64(len(text))},
		"as it was":      {int64(len(text)), int64(len(text))},
		"emptied":        {0, 0},
		"7 EB":           {7 << 60, int64(len(text))}, // size of a sparse file
	} {
		src, err := os.Open(p.path("t.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		dst, err := p.open().create(".")
		if err != nil {
			t.Fatal(err)
		}
		n, sum, err := dst.CopyFrom(t.Context(), src, tt.size)
		if err != nil || n != tt.want || sum != sumText(text[:tt.want]) {
			t.Errorf("%s: %d bytes, %v, want %d; sum %s", label, n, err, tt.want, sum)
		}
		if got := p.read(dst.Name()); got != text[:tt.want] {
			t.Errorf("%s: the copy differs", label)
		}
		dst.Drop()
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSaveEnded: a save is canceled at any point and leaves no file.
func TestSaveEnded(t *testing.T) {
	t.Parallel()
	for looks, want := range [][]string{nil, {".gitignore"}} {
		p := newProject(t)
		p.write("t.jsonl", records(sessionA, disk.CopyChunk+1))
		m := p.open()
		ctx := &endsAfter{t.Context(), looks}
		if _, err := m.Save(ctx, Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: time.Now()}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d checks: %v", looks, err)
		}
		if raw := p.names("raw"); !slices.Equal(raw, want) {
			t.Errorf("cancelled after %d checks: raw %q", looks, raw)
		}
	}
}

// TestSaveLocked: without the lock, a hook still makes a pending backup.
func TestSaveLocked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "# Now\n")
	unlock, err := p.open().lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := p.open()
	s, err := m.Save(t.Context(), Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z")})
	if err != nil || len(s.Problems) != 1 || !errors.Is(s.Problems[0], ErrLocked) || s.Marker != p.memory(".pending-backup") {
		t.Errorf("%+v, %v", s, err)
	}
	if p.read("raw/"+s.Name) != records(sessionA, 1) || p.read(".pending-backup") != s.Path+"\n" || p.read("raw/.sums") != s.Sum+"  "+s.Name+"\n" ||
		!strings.HasSuffix(p.read(".backup-log"), "Saved backup to "+s.Path+"\n") || p.read("active-context.md") != "# Now\n" {
		t.Errorf("markers %q, sums %q, log %q", p.markers(), p.read("raw/.sums"), p.read(".backup-log"))
	}
	p.hasNoTemps()
	// A hook that gave up doesn't get the lock later.
	unlock()
	if unlock, err = m.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestSaveSweeps: temporary files of running writers stay.
func TestSaveSweeps(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	const theirs = "raw/.continuo-00000000000000aa.tmp"
	p.write(".claude/memory/"+theirs+"/mine", "")
	var fresh []string
	p.mkdir(".claude/memory/trash")
	for _, dir := range []string{"", "raw/", "trash/"} {
		p.write(".claude/memory/"+dir+".continuo-0123456789abcdef.tmp", "old") // modified on 2026-03-01
		fresh = append(fresh, dir+inTheMaking(t, p.memory(dir)))
	}
	p.write(".claude/memory/.continuo-mine", "")
	// The request's time doesn't matter for the age of temporary files.
	p.save(p.open(), Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: at(t, "2046-01-01T00:00:00Z")})
	var temps []string
	for _, dir := range []string{"", "raw/", "trash/"} {
		for _, name := range p.names(dir) {
			if disk.IsTemp(name) {
				temps = append(temps, dir+name)
			}
		}
	}
	fresh = append(fresh, theirs)
	slices.Sort(fresh)
	slices.Sort(temps)
	if !slices.Equal(temps, fresh) || !slices.Contains(p.names(""), ".continuo-mine") {
		t.Errorf("left %q, want %q", temps, fresh)
	}
}

func TestSums(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	if sums, err := m.Sums(); err != nil || len(sums) != 0 || sums == nil {
		t.Errorf("none: %v, %v", sums, err)
	}
	a, b, c := sumText("a"), sumText("b"), sumText("c")
	p.write(".claude/memory/raw/.sums", a+"  one.jsonl\n"+b+"  one.jsonl\n\nno sum  two.jsonl\n"+a+"\n"+a[:40]+"  short\n"+
		strings.ToUpper(b)+" *two words.jsonl\n"+strings.Repeat("x", 100_000)+"\n"+a+"  torn")
	if err := m.addSum("three.jsonl", c); err != nil {
		t.Fatal(err)
	}
	sums, err := m.Sums()
	want := map[string]string{"one.jsonl": b, "two words.jsonl": b, "torn": a, "three.jsonl": c}
	if err != nil || !reflect.DeepEqual(sums, want) {
		t.Errorf("%v, %v", sums, err)
	}
}
