package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func newRoot(t *testing.T) *Root {
	t.Helper()
	r, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func (r *Root) has(t *testing.T, name, want string) {
	t.Helper()
	if text, err := os.ReadFile(r.At(name)); err != nil || string(text) != want {
		t.Errorf("%s has %.40q, %v", name, text, err)
	}
}

func (r *Root) put(t *testing.T, name, text string) {
	t.Helper()
	path := r.At(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestIsTemp(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		tempName(): true, ".continuo-0123456789abcdef.tmp": true, ".continuo-init-0123abcd-0123456789abcdef.tmp": true,
		".continuo-.tmp": false, ".continuo-mine.tmp": false, ".continuo-0123456789abcdeg.tmp": false, ".continuo-0123456789abcdef": false,
		".continuo-0123456789abcdef0.tmp": false, "x.continuo-0123456789abcdef.tmp": false, ".continuo-init-0123456789abcdef.tmp": false,
		".continuo-0123456789ABCDEF.tmp": false, ".continuo-20261121_110213Z-restore": false, "": false,
	} {
		if IsTemp(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestReplaceFails: if a step fails, the file has the old or the new text.
func TestReplaceFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, fails := range []string{"create", "write", "sync", "rename", "sync directory"} {
		r := newRoot(t)
		r.put(t, "a", "old")
		r.Step = func(step, _ string) error {
			if step == fails {
				return broken
			}
			return nil
		}
		if err := r.Replace("a", []byte("new"), 0o600); !errors.Is(err, broken) {
			t.Errorf("%s: %v", fails, err)
		}
		want := "old"
		if fails == "sync directory" {
			want = "new"
		}
		r.has(t, "a", want)
		if names, err := r.Names("."); err != nil || !slices.Equal(names, []string{"a"}) {
			t.Errorf("%s: %q, %v", fails, names, err)
		}
	}
}

// TestPublish: if the name is taken, Publish can be called again with another name.
func TestPublish(t *testing.T) {
	t.Parallel()
	r := newRoot(t)
	r.put(t, "taken", "old")
	for label, give := range map[string]func(temp *Temp, name string) error{"publish": (*Temp).Publish, "link": (*Temp).Link} {
		for _, create := range []func(string, fs.FileMode) (*Temp, error){r.Create, r.CreateHidden} {
			temp, err := create(".", 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := temp.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
			if err := give(temp, "taken"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: taken: %v", label, err)
			}
			if err := give(temp, label); err != nil {
				t.Errorf("%s: %v", label, err)
			}
			temp.Drop()
			r.has(t, label, "new")
			if err := os.Remove(r.At(label)); err != nil {
				t.Error(err)
			}
		}
	}
	r.has(t, "taken", "old")
	if names, err := r.Names("."); err != nil || !slices.Equal(names, []string{"taken"}) {
		t.Errorf("%q, %v", names, err)
	}
}

// TestSweep: a sweep deletes only temporary files without a running writer.
func TestSweep(t *testing.T) {
	t.Parallel()
	r := newRoot(t)
	old := time.Now().Add(-2 * tempAge)
	const dead, empty, hidden = ".continuo-0000000000000001.tmp", ".continuo-0000000000000002.tmp", ".continuo-0000000000000003.tmp"
	const young, theirs, text, nested = ".continuo-0000000000000004.tmp", ".continuo-0000000000000005.tmp", ".continuo-0000000000000006.tmp", ".continuo-0000000000000007.tmp"
	r.put(t, dead, "half")
	r.put(t, hidden+"/.gitignore", "*\n")
	r.put(t, hidden+"/draft", "half a text")
	r.put(t, young+"/.gitignore", "")
	r.put(t, theirs+"/.gitignore", "*\n")
	r.put(t, theirs+"/notes", "mine")
	r.put(t, text+"/.gitignore", "mine\nand long\n")
	r.put(t, nested+"/draft/x", "mine")
	if err := os.Mkdir(r.At(empty), 0o700); err != nil {
		t.Fatal(err)
	}
	names, err := r.Names(".")
	for _, name := range names {
		if err := os.Chtimes(r.At(name), old, old); err != nil { // for systems without locks, age decides
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := r.Create(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Drop()
	// The first Create of this Root in the directory has swept it.
	want := []string{theirs, text, nested, plain.Name()}
	slices.Sort(want)
	if names, err := r.Names("."); err != nil || !slices.Equal(names, want) {
		t.Errorf("left %q, not %q, %v", names, want, err)
	}
	r.put(t, dead, "half")
	temp, err := r.CreateHidden(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := temp.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	defer temp.Drop()
	alive := map[string]int64{plain.Name(): 0, filepath.Dir(temp.Name()): 6, dead: 4}
	for _, l := range r.Temps(".") {
		name := filepath.Base(l.Path)
		bytes, ok := alive[name]
		if !ok || bytes != l.Bytes || l.Alive != (name != dead) && namesOpen {
			t.Errorf("%+v", l)
		}
		delete(alive, name)
	}
	if len(alive) > 0 {
		t.Errorf("not listed: %v", alive)
	}
}

// TestSweptWhileMade: a writer starts over if its file is swept before it is locked.
func TestSweptWhileMade(t *testing.T) {
	t.Parallel()
	r := newRoot(t)
	end := time.Now().Add(300 * time.Millisecond)
	done := make(chan struct{})
	go func() {
		defer close(done)
		other, err := Open(r.path)
		if err != nil {
			t.Error(err)
			return
		}
		defer other.Close()
		for time.Now().Before(end) {
			other.Sweep(".")
		}
	}()
	for n := 0; time.Now().Before(end); n++ {
		temp, err := r.create(".", 0o600, n%2 == 0)
		if err == nil {
			_, err = temp.Write([]byte("text"))
		}
		if err == nil {
			err = temp.Replace("a")
		}
		if err != nil {
			t.Fatal(err)
		}
		temp.Drop()
		r.has(t, "a", "text")
	}
	<-done
	if names, err := r.Names("."); err != nil || !slices.Equal(names, []string{"a"}) {
		t.Errorf("left %q, %v", names, err)
	}
}

// TestLockOfItsOwnFile: waiting processes stay locked out if the locked file is replaced.
func TestLockOfItsOwnFile(t *testing.T) {
	t.Parallel()
	r := newRoot(t)
	const writers, each = 8, 20
	failed := make(chan error, writers)
	for range writers {
		go func() {
			other, err := Open(r.path)
			if err != nil {
				failed <- err
				return
			}
			defer other.Close()
			for range each {
				unlock, err := other.Lock(context.Background(), "list")
				if err != nil {
					failed <- err
					return
				}
				text, err := os.ReadFile(other.At("list"))
				if err == nil || IsAbsent(err) {
					err = other.Replace("list", append(text, "x\n"...), 0o600)
				}
				unlock()
				if err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for range writers {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	r.has(t, "list", strings.Repeat("x\n", writers*each))
}

func TestTake(t *testing.T) {
	t.Parallel()
	r := newRoot(t)
	r.put(t, "a", "text")
	if err := r.Take("a"); err != nil {
		t.Error(err)
	}
	if err := r.Take("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if names, err := r.Names("."); err != nil || len(names) > 0 {
		t.Errorf("left %q, %v", names, err)
	}
}
