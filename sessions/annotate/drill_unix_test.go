//go:build unix

package annotate

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

// drillRounds is the number of kills. Use -args -drill=1000 for a full drill.
var drillRounds = flag.Int("drill", drilltest.Rounds(25), "how often each drill kills a writer") //nolint:gochecknoglobals // a flag

const (
	drillFile  = "CONTINUO_TEST_ANNOTATE"       // file of a process
	drillFrom  = "CONTINUO_TEST_ANNOTATE_FROM"  // number of the first edit of the process, such as 40
	drillEdits = "CONTINUO_TEST_ANNOTATE_EDITS" // how many edits the process makes
	drillStep  = "CONTINUO_TEST_ANNOTATE_STEP"  // step at which the process kills itself; "" for never

	drillSessions = 7 // number of sessions that are edited
)

// drillKey returns the key of the session that edit n changes.
func drillKey(n int) Key {
	return Key{"/home/ada/.claude", "-tea", strconv.Itoa(n % drillSessions)}
}

// TestDrillWriter runs in a process that edits notes. Each edit adds a different tag.
func TestDrillWriter(t *testing.T) {
	path := os.Getenv(drillFile)
	if path == "" {
		t.Skip("a part of the drills")
	}
	from, _ := strconv.Atoi(os.Getenv(drillFrom))
	edits, _ := strconv.Atoi(os.Getenv(drillEdits))
	s := New(path)
	if last, err := strconv.Atoi(os.Getenv(drillStep)); err == nil {
		step := 0
		s.step = func(string, string) error {
			if step++; step > last {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}
	fmt.Println(drilltest.Ready)
	for n := from; n < from+edits; n++ {
		if err := s.Edit(t.Context(), time.Now(), map[Key]Edit{drillKey(n): {Tag: []string{"edit-" + strconv.Itoa(n)}}}); err != nil {
			fmt.Println(err)
			t.FailNow()
		}
	}
}

func drillWriter(t *testing.T, path string, from, edits int, env ...string) drilltest.Process {
	t.Helper()
	return drilltest.Start(t, "TestDrillWriter", append(env, drillFile+"="+path, drillFrom+"="+strconv.Itoa(from), drillEdits+"="+strconv.Itoa(edits))...)
}

// drilled returns the numbers of the edits that a file contains.
func drilled(t *testing.T, path string) map[int]bool {
	t.Helper()
	notes, err := New(path).Load()
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
	for k, note := range notes {
		for _, tag := range note.Tags {
			var n int
			if _, err := fmt.Sscanf(tag, "edit-%d", &n); err != nil || drillKey(n) != k {
				t.Errorf("%+v has the tag %q", k, tag)
			}
			found[n] = true
		}
	}
	return found
}

func TestManyWriters(t *testing.T) {
	t.Parallel()
	const processes, edits = 4, 250
	path := filepath.Join(t.TempDir(), "annotations.json")
	var writers []drilltest.Process
	for i := range processes {
		writers = append(writers, drillWriter(t, path, i*edits, edits))
	}
	for _, w := range writers {
		var output []string
		for w.Lines.Scan() {
			output = append(output, w.Lines.Text())
		}
		if err := w.Wait(); err != nil {
			t.Errorf("%v %q", err, output)
		}
	}
	if found := drilled(t, path); len(found) != processes*edits {
		t.Errorf("%d of %d edits are left", len(found), processes*edits)
	}
}

// TestEachStepKilled: a writer is killed at each step. The file has the whole edit or nothing of it.
func TestEachStepKilled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "annotations.json")
	kills, temps := 0, 0
	for step := 0; ; step++ {
		before := len(drilled(t, path))
		w := drillWriter(t, path, step, 1, drillStep+"="+strconv.Itoa(step))
		for w.Lines.Scan() && w.Lines.Text() != "PASS" {
			t.Errorf("unexpected output %q", w.Lines.Text())
		}
		err := w.Wait()
		after := drilled(t, path)
		if n := len(after); n != before && (n != before+1 || !after[step]) {
			t.Fatalf("step %d: %d edits, then %d", step, before, n)
		}
		temps += left(t, path)
		if err == nil {
			if !after[step] {
				t.Error("the last edit is missing")
			}
			break
		}
		if kills++; kills > 20 {
			t.Fatal(err)
		}
	}
	if kills < 3 || temps == 0 {
		t.Errorf("%d kills left %d temporary files, so the drill tests nothing", kills, temps)
	}
}

// left returns the number of temporary files beside a file.
func left(t *testing.T, path string) (n int) {
	t.Helper()
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names {
		if disk.IsTemp(e.Name()) {
			n++
		}
	}
	return n
}

// TestDrill: writers are killed at random times. All earlier edits stay.
func TestDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "annotations.json")
	for round := range *drillRounds {
		from := round * 1000
		before := drilled(t, path)
		drillWriter(t, path, from, 1000).Kill(t, time.Duration(rnd.Int64N(int64(30*time.Millisecond))))
		after := drilled(t, path)
		for n := range before {
			if !after[n] {
				t.Fatalf("round %d: edit %d was lost", round, n)
			}
		}
		for n := range after {
			if n > from && !after[n-1] {
				t.Fatalf("round %d: edit %d is there without the one before it", round, n)
			}
		}
	}
	s := New(path)
	if err := s.Edit(t.Context(), time.Now(), map[Key]Edit{drillKey(0): {Text: new(string), Tag: []string{"edit--1"}}}); err != nil {
		t.Error(err)
	}
	if n := left(t, path); n > 0 {
		t.Errorf("%d temporary files are left", n)
	}
}
