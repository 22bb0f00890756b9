//go:build unix

package ledger

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// drillRounds is how often a writer is killed: a few times in every run of the tests, all with -args -drill=1000.
var drillRounds = flag.Int("drill", 25, "how often the drill kills a writer") //nolint:gochecknoglobals // a flag

const drillPlace = "CONTINUO_TEST_LEDGER_DRILL" // directory of a process that is killed

// drillText is the nth text of the drill: a letter that says which one, as often as it takes to be seen half-written.
func drillText(n int) []byte {
	text := bytes.Repeat([]byte{'a' + byte(n%26)}, 100_000+n%26*10_000)
	return append(text, '\n')
}

// whole is which text of the drill it is; -1 none whole.
func whole(text []byte) int {
	if len(text) > 0 {
		if n := int(text[0]) - 'a'; n >= 0 && n < 26 && bytes.Equal(text, drillText(n)) {
			return n
		}
	}
	return -1
}

// TestDrillWriter is the process that is killed: it says that it is ready, and writes for ever.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillPlace)
	if dir == "" {
		t.Skip("a part of TestEditDrill")
	}
	p := place{t, dir}
	fmt.Println("ready")
	for {
		if err := Edit(t.Context(), dir, p.path("docs/NOTES.md"), 1<<20, func(was []byte) ([]byte, error) {
			n := whole(was)
			if n < 0 && was != nil {
				return nil, fmt.Errorf("read %d bytes of none", len(was))
			}
			return drillText(n + 1), nil
		}); err != nil {
			fmt.Println(err)
			t.FailNow()
		}
	}
}

// A writer may be killed at any point: the old or the new text is there, and one file in the making at most.
func TestEditDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	p := newPlace(t)
	if out, err := exec.CommandContext(t.Context(), "git", "-C", p.dir, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	temps, wrote, seen := 0, 0, map[string]bool{}
	for round := range *drillRounds {
		before, _ := os.ReadFile(p.path("docs/NOTES.md")) // none in the first round
		p.killWriter(time.Duration(rnd.Int64N(int64(20 * time.Millisecond))))
		text, err := os.ReadFile(p.path("docs/NOTES.md"))
		early := before == nil && os.IsNotExist(err) // killed before the first text
		if (err != nil || whole(text) < 0) && !early {
			t.Fatalf("round %d: %d bytes of none, %v", round, len(text), err)
		}
		if !bytes.Equal(before, text) {
			wrote++
		}
		left := 0
		for _, name := range p.temps("docs") {
			if !seen[name] { // else the next one takes it away, if it lives that long
				seen[name], left = true, left+1
			}
		}
		if left > 1 {
			t.Fatalf("round %d: one kill left %d", round, left)
		}
		temps += left
		out, err := exec.CommandContext(t.Context(), "git", "-C", p.dir, "status", "--porcelain", "-uall").Output()
		if text := string(out); err != nil || strings.Contains(text, ".continuo-") && !strings.Contains(text, "/.gitignore\n") { // see disk.CreateHidden
			t.Errorf("round %d: git sees %s, %v", round, text, err)
		}
	}
	if err := p.edit("docs/NOTES.md", to("good")); err == nil || !strings.Contains(err.Error(), ErrTooLong.Error()) {
		t.Error(err) // 1000 bytes are the most of it
	}
	if err := Edit(t.Context(), p.dir, "docs/NOTES.md", 1<<20, to("good")); err != nil {
		t.Error(err)
	}
	p.has("docs/NOTES.md", "good")
	t.Logf("%d kills left a file in the making, %d after a change", temps, wrote)
}

func (p place) killWriter(after time.Duration) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), os.Args[0], "-test.run=^TestDrillWriter$")
	cmd.Env = append(os.Environ(), drillPlace+"="+p.dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		p.t.Errorf("the writer says %q", lines.Text())
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil {
		p.t.Errorf("the writer ended: %v", err)
	}
	for lines.Scan() {
		p.t.Errorf("the writer says %q", lines.Text())
	}
	_ = cmd.Wait() // it was killed
}
