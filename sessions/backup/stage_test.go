package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
)

const stagedAt = "2026-11-21T18:50:00Z"

func (p project) stage(text, when string) {
	p.t.Helper()
	s, err := NewStaged(text, at(p.t, when))
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(".claude/memory/.staged-recovery", string(s.Encode()))
}

func TestNewStaged(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxStaged-1)
	for label, tt := range map[string]struct {
		text, want string
		err        error
	}{
		"lines":      {"\n\n# Where\r\n- a\n\n", "# Where\n- a\n", nil},
		"escapes":    {"a\x1b[31mb\x00\u202ec", "abc\n", nil},
		"the most":   {long, long + "\n", nil},
		"one more":   {long + "x", "", ErrStagedLong},
		"two units":  {strings.Repeat("😀", MaxStaged/2), "", ErrStagedLong},
		"three-byte": {strings.Repeat("€", MaxStaged-1), strings.Repeat("€", MaxStaged-1) + "\n", nil},
	} {
		s, err := NewStaged(tt.text, at(t, stagedAt))
		if s.Text != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v", label, s.Text, err)
		}
	}
	if _, err := NewStaged(" \n\x1b[0m\n", at(t, stagedAt)); err == nil {
		t.Error("an empty text was staged")
	}
}

// TestTakeStaged: a valid recovery is printed within a day. After a day, every staged file is deleted.
func TestTakeStaged(t *testing.T) {
	t.Parallel()
	s, _ := NewStaged("one\ntwo", at(t, stagedAt))
	whole := string(s.Encode())
	for label, tt := range map[string]struct {
		file string
		now  string // current time; the file is from March
		text string // printed text
		err  error
		left bool
	}{
		"at once":          {whole, stagedAt, "one\ntwo\n", nil, false},
		"after a day":      {whole, "2026-11-22T18:50:00Z", "one\ntwo\n", nil, false},
		"a second more":    {whole, "2026-11-22T18:50:01Z", "", ErrStagedOld, false},
		"5 minutes before": {whole, "2026-11-21T18:45:00Z", "one\ntwo\n", nil, false},
		"a second earlier": {whole, "2026-11-21T18:44:59Z", "", ErrStagedAhead, true},
		"cut":              {whole[:len(whole)-1], stagedAt, "", ErrStagedDamaged, true},
		"cut, old":         {whole[:len(whole)-1], "2026-11-23T00:00:00Z", "", ErrStagedDamaged, false},
		"changed":          {strings.Replace(whole, "one", "One", 1), stagedAt, "", ErrStagedDamaged, true},
		"one line":         {strings.SplitAfter(whole, "\n")[0], stagedAt, "", ErrStagedDamaged, true},
		"of a time to be":  {strings.Replace(whole, "continuo-staged 1", "continuo-staged 2", 1), "2026-03-01T10:00:00Z", "", ErrStagedDamaged, true},
		"it says no time":  {"# my notes\n", "2026-03-02T00:00:01Z", "", ErrStagedDamaged, false},
		"a younger one":    {"# my notes\n", "2026-03-02T00:00:00Z", "", ErrStagedDamaged, true},
		"empty":            {"", "2026-03-01T10:00:00Z", "", ErrStagedDamaged, true},
		"50 MB":            {strings.Repeat("x", 50<<20), "2026-03-01T10:00:00Z", "", ErrStagedDamaged, true},
	} {
		p := newProject(t)
		p.write(".claude/memory/.staged-recovery", tt.file)
		m, now := p.open(), at(t, tt.now)
		seen, there, err := m.Staged(now)
		if !there || seen.Text != tt.text || !errors.Is(err, tt.err) {
			t.Errorf("%s: seen %q, %v, %v", label, seen.Text, there, err)
		}
		got, ok, err := m.TakeStaged(t.Context(), now)
		if got.Text != tt.text || ok != (tt.text != "") || !errors.Is(err, tt.err) || err != nil && !strings.Contains(err.Error(), p.memory(stagedName)) {
			t.Errorf("%s: %q, %v, %v", label, got.Text, ok, err)
		}
		_, gone := os.Lstat(p.memory(stagedName))
		if (gone == nil) != tt.left || tt.left && p.read(stagedName) != tt.file {
			t.Errorf("%s: left: %v", label, gone)
		}
		if again, ok, _ := m.TakeStaged(t.Context(), now); ok || again.Text != "" {
			t.Errorf("%s: a second time %q", label, again.Text)
		}
		p.hasNoTemps()
	}
}

// TestTakeStagedOther: a directory or link in place of the staged file stays, however old.
func TestTakeStagedOther(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	p.mkdir(".claude/memory/.staged-recovery/x")
	if _, ok, err := m.TakeStaged(t.Context(), at(t, "2036-01-01T00:00:00Z")); ok || !errors.Is(err, transcript.ErrNotRegular) {
		t.Errorf("directory: %v, %v", ok, err)
	}
	if err := os.RemoveAll(p.memory(stagedName)); err != nil {
		t.Fatal(err)
	}
	p.write("other", string((&Staged{At: at(t, stagedAt), Text: "x\n"}).Encode()))
	if err := os.Symlink(p.path("other"), p.memory(stagedName)); err != nil {
		t.Skip(err)
	}
	if _, ok, err := m.TakeStaged(t.Context(), at(t, "2036-01-01T00:00:00Z")); ok || err == nil {
		t.Errorf("link: %v, %v", ok, err)
	}
	if _, err := os.Lstat(p.path("other")); err != nil {
		t.Error(err)
	}
}

func TestTakeStagedAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for round := range 20 {
		p.stage("the one", stagedAt)
		var wg sync.WaitGroup
		got := make([]bool, 8)
		for i := range got {
			m := p.open()
			wg.Go(func() {
				s, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt))
				if got[i] = ok; err != nil || ok && s.Text != "the one\n" {
					t.Errorf("%q, %v", s.Text, err)
				}
			})
		}
		wg.Wait()
		n := 0
		for _, ok := range got {
			if ok {
				n++
			}
		}
		if n != 1 {
			t.Errorf("round %d: %d got it", round, n)
		}
	}
}

// TestTakeStagedKilled: TakeStaged is killed at each step. The recovery is never printed twice.
func TestTakeStagedKilled(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.stage("one", stagedAt)
	m := p.open()
	var steps []string
	has := func() string {
		if _, err := os.Lstat(p.memory(stagedName)); err == nil {
			return "staged"
		}
		return "taken"
	}
	m.root.Step = func(step, _ string) error {
		if step == "remove" {
			steps = append(steps, has())
			panic("killed")
		}
		return nil
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _ = m.TakeStaged(t.Context(), at(t, stagedAt))
	}()
	m.root.Step = nil
	if s, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt)); ok || err != nil {
		t.Errorf("printed %q, %v after it was taken", s.Text, err)
	}

	// The text is returned only after the deletion is durable.
	p.stage("two", stagedAt)
	m.root.Step = func(step, _ string) error {
		if step == "sync directory" {
			steps = append(steps, "synced "+has())
		}
		return nil
	}
	if s, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt)); !ok || s.Text != "two\n" || err != nil {
		t.Errorf("%q, %v", s.Text, err)
	}
	if got := strings.Join(steps, ", "); got != "taken, synced taken" {
		t.Errorf("steps %s", got)
	}

	// The disk can't sync. The text is printed once.
	p.stage("three", stagedAt)
	broken := errors.New("i/o error")
	m.root.Step = func(step, _ string) error {
		if step == "sync directory" {
			return broken
		}
		return nil
	}
	if s, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt)); !ok || s.Text != "three\n" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", s.Text, err)
	}
}

func TestTakeStagedLocked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.stage("one", stagedAt)
	unlock, err := p.open().lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := p.open()
	if _, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt)); ok || !errors.Is(err, ErrLocked) {
		t.Errorf("%v, %v", ok, err)
	}
	unlock()
	if _, ok, err := m.TakeStaged(t.Context(), at(t, stagedAt)); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

// TestStagedIsPut: the changes of PlanStage create, replace and delete a staged recovery.
func TestStagedIsPut(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	first, _ := NewStaged("one", at(t, stagedAt))
	second, _ := NewStaged("two", at(t, stagedAt))
	m := p.open()
	put := func(was, text []byte) error {
		plan := func(context.Context) (change.Change, error) { return m.PlanStage(was, text) }
		shown, err := plan(t.Context())
		if err == nil {
			_, err = p.store().Do(t.Context(), &shown, plan)
		}
		return err
	}
	p.write(".claude/memory/.staged-recovery", "of a clone")
	if err := os.Chmod(StagedPath(p.dir), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ was, text []byte }{{[]byte("of a clone"), first.Encode()}, {first.Encode(), nil}, {nil, first.Encode()}, {first.Encode(), second.Encode()}} {
		if err := put(step.was, step.text); err != nil {
			t.Fatal(err)
		}
		if step.text == nil {
			continue
		}
		fi, err := os.Stat(StagedPath(p.dir))
		if err != nil || fi.Mode().Perm() != 0o600 && runtime.GOOS != "windows" || p.read(stagedName) != string(step.text) {
			t.Errorf("%v, %v", fi, err)
		}
	}
	if err := put(first.Encode(), nil); !errors.Is(err, ErrChanged) {
		t.Errorf("a recovery that another process staged was removed: %v", err)
	}
	if err := put(second.Encode(), nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(StagedPath(p.dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestGuardStaged(t *testing.T) {
	t.Parallel()
	for label, tt := range map[string]struct {
		there map[string]string
		want  string
	}{
		"none":             {nil, ignoreBlock},
		"ours":             {map[string]string{".gitignore": "a\n" + ignoreBlock + "b\n"}, "a\n" + ignoreBlock + "b\n"},
		"an earlier one":   {map[string]string{".gitignore": "a\n" + ignoreBefore + "b\n"}, "a\n" + ignoreBlock + "b\n"},
		"somebody's":       {map[string]string{".gitignore": "x", "raw/.gitignore": "*\n", "trash/.gitignore": "*\n"}, "x\n.staged-recovery\n"},
		"a line taken out": {map[string]string{".gitignore": ignoreTitle + "\nraw/\n"}, ignoreTitle + "\nraw/\n.staged-recovery\n"},
	} {
		p := newProject(t)
		for name, text := range tt.there {
			p.write(".claude/memory/"+name, text)
		}
		m := p.open()
		if got := m.NamesStaged(); got != (label == "ours") {
			t.Errorf("%s: it is named before: %v", label, got)
		}
		for range 2 {
			ignored, err := m.GuardStaged()
			if got := p.read(".gitignore"); got != tt.want || !ignored || err != nil {
				t.Errorf("%s: %q, %v, %v, want %q", label, got, ignored, err, tt.want)
			}
		}
		p.write(".claude/memory/.staged-recovery", "")
		p.git("init", "-q")
		p.git("add", "-A")
		if staged := p.git("ls-files"); strings.Contains(staged, stagedName) {
			t.Errorf("%s: git has it", label)
		}
	}
}

// FuzzStaged: the text of any bytes is clean and short enough for NewStaged.
func FuzzStaged(f *testing.F) {
	s := Staged{At: time.Date(2026, 11, 21, 18, 50, 0, 0, time.UTC), Text: "# Where\n- a\n"}
	f.Add(s.Encode())
	f.Add([]byte("continuo-staged 1 2026-11-21T18:50:00Z sha256=\n"))
	s.Text = "\x1b[2Ja\r\n"
	f.Add(s.Encode())
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := decodeStaged(file)
		if err != nil {
			if got.Text != "" || !errors.Is(err, ErrStagedDamaged) {
				t.Fatalf("%q, %v", got.Text, err)
			}
			return
		}
		again, err := decodeStaged(got.Encode())
		if err != nil || again.Text != got.Text || !again.At.Equal(got.At) || transcript.Clean(got.Text) != got.Text || StagedLen(got.Text) > MaxStaged {
			t.Fatalf("%q: %q, %v", file, again.Text, err)
		}
	})
}
