//go:build unix

package disk

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// drillRounds is how often a writer is killed. With -args -drill=1000, the drill covers nearly all moments of a
// write.
var drillRounds = flag.Int("drill", drilltest.Rounds(25), "how often the drill kills a writer") //nolint:gochecknoglobals // a flag

const (
	drillDir  = "CONTINUO_TEST_DISK"      // directory of the process to kill
	drillOp   = "CONTINUO_TEST_DISK_OP"   // operation of the process; "" means all
	drillStep = "CONTINUO_TEST_DISK_STEP" // step at which it kills itself
)

// op is a way to write a file.
type op struct {
	name string
	do   func(r *Root, n int) error
}

func drillOps() []op {
	hidden := func(publish bool) func(r *Root, n int) error {
		return func(r *Root, n int) error {
			t, err := r.CreateHidden("seen", 0o600)
			if err != nil {
				return err
			}
			defer t.Drop()
			if _, err := t.Write(drillText(n)); err != nil {
				return err
			}
			if publish {
				return t.Publish("seen/publish-" + fmt.Sprint(rand.Uint64()))
			}
			return t.Replace("seen/replace")
		}
	}
	return []op{
		{"replace", func(r *Root, n int) error { return r.Replace("replace", drillText(n), 0o600) }},
		{"publish", func(r *Root, n int) error {
			t, err := r.Draft(".", drillText(n), 0o600)
			if err != nil {
				return err
			}
			defer t.Drop()
			return t.Publish("publish-" + fmt.Sprint(rand.Uint64()))
		}},
		{"hidden replace", hidden(false)},
		{"hidden publish", hidden(true)},
		{"append", func(r *Root, n int) error {
			return r.AppendLine("lines", bytes.TrimSuffix(drillText(n), []byte("\n")), 0o600)
		}},
		{"take", func(r *Root, n int) error {
			name := "take-" + fmt.Sprint(rand.Uint64())
			if err := r.Replace(name, drillText(n), 0o600); err != nil {
				return err
			}
			return r.Take(name)
		}},
		{"locked", func(r *Root, n int) error {
			unlock, err := r.Lock(context.Background(), "locked")
			if err != nil {
				return err
			}
			defer unlock()
			return r.Replace("locked", drillText(n), 0o600)
		}},
	}
}

func drillText(n int) []byte {
	return append(bytes.Repeat([]byte{'a' + byte(n%26)}, 50_000+n%26*10_000), '\n')
}

func isWhole(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	n := int(text[0]) - 'a'
	return n >= 0 && n < 26 && bytes.Equal(text, drillText(n))
}

// TestDrillWriter is the process to kill. It prints Ready, and then writes once or in a loop.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillDir)
	if dir == "" {
		t.Skip("only runs as a process of the drills")
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ops := drillOps()
	only, last := os.Getenv(drillOp), -1
	if only != "" {
		ops = slices.DeleteFunc(ops, func(o op) bool { return o.name != only })
		last, _ = strconv.Atoi(os.Getenv(drillStep))
		step := 0
		r.Step = func(string, string) error {
			if step++; step > last {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}
	fmt.Println(drilltest.Ready)
	for n := 1; ; n++ {
		if err := ops[n%len(ops)].do(r, n); err != nil {
			fmt.Println(err)
			t.FailNow()
		}
		if only != "" {
			return
		}
	}
}

// drill is a directory in a git working tree in which writers are killed.
type drill struct {
	t    *testing.T
	dir  string
	root *Root
}

func newDrill(t *testing.T) drill {
	t.Helper()
	d := drill{t: t, dir: t.TempDir()}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", d.dir, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	if err := os.Mkdir(filepath.Join(d.dir, "seen"), 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if d.root, err = Open(d.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.root.Close() })
	return d
}

func (d drill) write(env ...string) drilltest.Process {
	d.t.Helper()
	return drilltest.Start(d.t, "TestDrillWriter", append(env, drillDir+"="+d.dir)...)
}

// check checks the files after a kill. It returns the number of temporary files.
func (d drill) check() (left int) {
	d.t.Helper()
	for _, dir := range []string{".", "seen"} {
		names, err := d.root.Names(dir)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(d.root.At(filepath.Join(dir, name)))
			switch {
			case IsTemp(name), name == ".git", name == "seen":
			case name == "locked" && len(text) == 0 && err == nil:
			case err != nil || name != "lines" && !isWhole(text):
				d.t.Errorf("%s has an incomplete text of %d bytes, %v", name, len(text), err)
			case name == "lines":
				for line := range bytes.Lines(text) {
					if !isWhole(line) && bytes.HasSuffix(line, []byte("\n")) && len(bytes.Trim(line[:len(line)-1], string(line[:1]))) > 0 {
						d.t.Errorf("two lines were joined to one of %d bytes", len(line))
					}
				}
			}
		}
		for _, l := range d.root.Temps(dir) {
			if left++; l.Alive {
				d.t.Errorf("%s is alive", l.Path)
			}
		}
	}
	out, err := exec.CommandContext(d.t.Context(), "git", "-C", d.dir, "status", "--porcelain", "-uall", "--", "seen").Output()
	if err != nil {
		d.t.Error(err)
	}
	for line := range strings.Lines(string(out)) {
		name := strings.TrimPrefix(strings.TrimSpace(line), "?? ")
		if fi, err := os.Stat(d.root.At(name)); strings.Contains(name, ".continuo-") && (err != nil || fi.Size() > 0) { // see CreateHidden
			d.t.Errorf("git sees %s, %v", name, err)
		}
	}
	return left
}

func (d drill) sweep() {
	d.t.Helper()
	for _, dir := range []string{".", "seen"} {
		d.root.Sweep(dir)
		if left := d.root.Temps(dir); len(left) > 0 {
			d.t.Errorf("left in %s: %v", dir, left)
		}
	}
}

func TestDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	d := newDrill(t)
	temps := 0
	for round := range *drillRounds {
		for _, w := range []drilltest.Process{d.write(), d.write()} {
			w.Kill(t, time.Duration(rnd.Int64N(int64(20*time.Millisecond))))
		}
		temps += d.check()
		if d.sweep(); t.Failed() {
			t.Fatalf("round %d", round)
		}
		names, err := d.root.Names(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if name == ".git" || name == "replace" || name == "locked" {
				continue
			}
			if err := os.RemoveAll(d.root.At(name)); err != nil { // the files would fill the disk
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(d.root.At("seen"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d temporary files were left", temps)
}

func TestEachStepKilled(t *testing.T) {
	t.Parallel()
	for _, o := range drillOps() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			d := newDrill(t)
			kills, temps := 0, 0
			for step := 0; ; step++ {
				w := d.write(drillOp+"="+o.name, drillStep+"="+strconv.Itoa(step))
				var output []string
				for w.Lines.Scan() {
					output = append(output, w.Lines.Text())
				}
				err := w.Wait()
				temps += d.check()
				d.sweep()
				if err == nil {
					break
				}
				if kills++; kills > 20 || len(output) > 0 {
					t.Fatalf("%v %q", err, output)
				}
			}
			t.Logf("%d kills left %d temporary files", kills, temps)
			if makes := o.name != "append"; kills < 1 || makes && (kills < 3 || temps == 0) {
				t.Error("no kill left a temporary file, so the drill tests nothing")
			}
		})
	}
}
