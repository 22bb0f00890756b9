//go:build unix

package backup

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

// drillRounds is the number of kills per drill. Use -args -drill=1000 for a full drill.
var drillRounds = flag.Int("drill", drilltest.Rounds(25), "how often each drill kills a writer") //nolint:gochecknoglobals // a flag

const (
	drillProject = "CONTINUO_TEST_DRILL" // project of a process that is killed
	drillSteps   = "CONTINUO_TEST_DRILL_STEPS"
	drillGroup   = 25 // number of rounds in one project
	drillContext = "# Now\n\n- Next: the crane\n"
)

// drillStep is an action that a writer repeats until it is killed. Add new steps to saveSteps and to a drill.
type drillStep struct {
	name string
	do   func(ctx context.Context, m *Memory, p project) error
}

func saveSteps() []drillStep {
	save := func(by By, file, reason string) func(context.Context, *Memory, project) error {
		return func(ctx context.Context, m *Memory, p project) error {
			s, err := m.Save(ctx, Request{Transcript: p.path(file), By: by, Reason: reason, At: time.Now()})
			if err == nil && len(s.Problems) > 0 {
				err = s.Problems[0]
			}
			return err
		}
	}
	return []drillStep{
		{"exit", save(ByEnd, "a.jsonl", "prompt_input_exit")},
		{"compact", save(ByCompact, "b.jsonl", "auto")},
		{"other", save(ByEnd, "b.jsonl", "clear")},
		{"clean", func(ctx context.Context, m *Memory, _ project) error {
			_, err := m.CleanMarkers(ctx)
			return err
		}},
	}
}

// TestDrillWriter runs in the killed process.
func TestDrillWriter(t *testing.T) {
	dir := os.Getenv(drillProject)
	if dir == "" {
		t.Skip("a part of the drills")
	}
	p := project{t, dir}
	m := p.open()
	wanted := strings.Fields(os.Getenv(drillSteps))
	steps := slices.DeleteFunc(saveSteps(), func(s drillStep) bool { return !slices.Contains(wanted, s.name) })
	fmt.Println(drilltest.Ready)
	for i := 0; ; i++ {
		s := steps[i%len(steps)]
		if err := s.do(t.Context(), m, p); err != nil {
			fmt.Printf("%s: %v\n", s.name, err)
			t.FailNow()
		}
	}
}

func (p project) killWriter(after time.Duration, steps ...string) {
	p.t.Helper()
	w := drilltest.Start(p.t, "TestDrillWriter", drillProject+"="+p.dir, drillSteps+"="+strings.Join(steps, " "))
	w.Kill(p.t, after)
}

// TestSaveDrill: hooks are killed at random times. No bytes may be lost.
func TestSaveDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	temps := 0
	for done := 0; done < *drillRounds && !t.Failed(); done += drillGroup {
		d := newSaveDrill(t)
		for round := range min(drillGroup, *drillRounds-done) {
			steps := []string{"exit", "compact", "other", "clean"}
			rnd.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
			d.killWriter(time.Duration(rnd.Int64N(int64(20*time.Millisecond))), steps...)
			temps += d.temps()
			if d.check(round + 1); t.Failed() {
				t.Fatalf("round %d", done+round)
			}
		}
		d.goOn()
		if err := os.RemoveAll(d.dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills left a temporary file", temps)
}

// saveDrill is a project in which hooks are killed.
type saveDrill struct {
	project
	texts map[string]string // transcripts by name
	whole map[string]bool   // backups and temporary files that were already checked
}

func newSaveDrill(t *testing.T) saveDrill {
	d := saveDrill{newProject(t), map[string]string{"a.jsonl": records(sessionA, 1_500_000), "b.jsonl": records(sessionB, 20_000)}, map[string]bool{}}
	for name, text := range d.texts {
		d.write(name, text)
	}
	d.write(".claude/memory/active-context.md", drillContext)
	return d
}

// temps returns the number of temporary files of the last kill: 0 or 1.
func (d saveDrill) temps() int {
	d.t.Helper()
	left := 0
	for _, dir := range []string{"", "raw", "trash"} {
		for _, name := range d.names(dir) {
			if disk.IsTemp(name) && !d.whole[name] {
				d.whole[name], left = true, 1
			}
		}
	}
	return left
}

// check fails for files that can't exist after this number of kills.
func (d saveDrill) check(kills int) {
	d.t.Helper()
	for name, text := range d.texts {
		if got, err := os.ReadFile(d.path(name)); err != nil || string(got) != text {
			d.t.Errorf("the transcript %s was changed, %v", name, err)
		}
	}
	found := d.find()
	if found.Problems != nil {
		d.t.Errorf("problems %q", found.Problems)
	}
	sums, err := d.open().Sums()
	if err != nil || strings.Count(d.read("raw/.sums"), "\n") != len(sums) {
		d.t.Errorf("%d sums in %q, %v", len(sums), d.read("raw/.sums"), err)
	}
	unmarked, pending := 0, map[string]bool{}
	for _, b := range found.Backups {
		pending[b.SessionID] = pending[b.SessionID] || b.Pending
	}
	for _, b := range found.Backups {
		name := filepath.Base(b.Path)
		text := d.texts["a.jsonl"]
		if b.SessionID == sessionB {
			text = d.texts["b.jsonl"]
		}
		if !d.whole[name] && d.read("raw/"+name) != text {
			d.t.Errorf("%s is not a complete copy", name)
		}
		d.whole[name] = true
		if sum, ok := sums[name]; ok && sum != sumText(text) {
			d.t.Errorf("%s has the sum %s", name, sum)
		}
		delete(sums, name)
		if !pending[b.SessionID] {
			unmarked++
		}
	}
	if len(sums) > 0 || unmarked > kills {
		d.t.Errorf("sums without a backup: %v; %d unmarked after %d kills", slices.Collect(maps.Keys(sums)), unmarked, kills)
	}
	for _, m := range found.Markers {
		if m.State != MarkerValid {
			d.t.Errorf("%+v", m)
		}
	}
	d.checkTexts()
}

// checkTexts checks that text files have only complete lines.
func (d saveDrill) checkTexts() {
	d.t.Helper()
	const stamp = `2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
	path := regexp.QuoteMeta(d.memory("raw")) + `/2\d{7}_\d{6}Z_[a-z_]+(-\d+)?\.jsonl\n`
	log := regexp.MustCompile(`^(\[` + stamp + `\] (SessionEnd|PreCompact) \([a-z_]+\): Saved backup to ` + path + `)*$`)
	if text := d.read(".backup-log"); !log.MatchString(text) {
		d.t.Errorf("log %q", text)
	}
	context := regexp.MustCompile(`^` + regexp.QuoteMeta(drillContext) +
		`(\n## (Session Exit\n\n- Last exit: ` + stamp + ` \(reason|Compaction\n\n- Last compaction: ` + stamp + ` \(trigger): [a-z_]+\)\n` +
		`- Transcript backup: ` + path + `){0,2}$`)
	if text := d.read("active-context.md"); !context.MatchString(text) || strings.Count(text, "## Session Exit") > 1 || strings.Count(text, "## Compaction") > 1 {
		d.t.Errorf("context %q", text)
	}
}

// goOn makes a backup with each hook. This must delete temporary files of killed hooks.
func (d saveDrill) goOn() {
	d.t.Helper()
	for name := range d.texts {
		d.save(d.open(), Request{Transcript: d.path(name), By: ByEnd, Reason: "logout", At: time.Now()})
	}
	d.hasNoTemps()
	clear(d.whole)
	d.check(drillGroup)
}
