package backup

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	saverProject = "CONTINUO_TEST_SAVER" // project of a process that saves
	savers       = 8                     // number of processes
	savesEach    = 10                    // number of concurrent saves in each process
	savesHere    = 120
)

// saveAtOnce saves both sessions n times, concurrently and with the same time.
func saveAtOnce(t *testing.T, p project, n int) {
	m := p.open()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r := Request{Transcript: p.path("a.jsonl"), By: ByEnd, Reason: "exit", At: time.Date(2026, 11, 21, 11, 2, 13, 0, time.UTC)}
			if i%2 == 1 {
				r.Transcript, r.By, r.Reason = p.path("b.jsonl"), ByCompact, "auto"
			}
			s, err := m.Save(t.Context(), r)
			if err != nil || len(s.Problems) > 0 {
				t.Errorf("save: %v, problems %q", err, s.Problems)
			}
		})
	}
	wg.Wait()
}

// TestSaver runs in a process of TestSaveAtOnce.
func TestSaver(t *testing.T) {
	dir := os.Getenv(saverProject)
	if dir == "" {
		t.Skip("a part of TestSaveAtOnce")
	}
	saveAtOnce(t, project{t, dir}, savesEach)
}

// TestSaveAtOnce: 200 hooks run at once in 9 processes.
func TestSaveAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text := map[string]string{"exit": records(sessionA, 20_000), "compact": records(sessionB, 5000)}
	p.write("a.jsonl", text["exit"])
	p.write("b.jsonl", text["compact"])
	p.write(".claude/memory/active-context.md", "# Now\n")
	var processes [savers]*exec.Cmd
	var output [savers]strings.Builder
	for i := range processes {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSaver$")
		cmd.Env = append(os.Environ(), saverProject+"="+p.dir, "GORACE=atexit_sleep_ms=0") // don't wait at the end
		cmd.Stdout, cmd.Stderr = &output[i], &output[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		processes[i] = cmd
	}
	saveAtOnce(t, p, savesHere)
	for i, cmd := range processes {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process: %v\n%s", err, &output[i])
		}
	}

	const n = savers*savesEach + savesHere
	found := p.find()
	sums, err := p.open().Sums()
	if err != nil || len(found.Backups) != n || len(sums) != n || found.Problems != nil {
		t.Fatalf("%d backups, %d sums, %v, problems %q", len(found.Backups), len(sums), err, found.Problems)
	}
	for _, b := range found.Backups {
		name := strings.TrimPrefix(b.Path, p.memory("raw")+string(os.PathSeparator))
		if p.read("raw/"+name) != text[b.Reason] || sums[name] != sumText(text[b.Reason]) {
			t.Errorf("%s differs from its transcript", name)
		}
	}
	// The marker of the spec names the first backup. Each hook's own marker names its last backup.
	markers := p.markers()
	if len(markers) != 3 || len(found.Markers) != 3 {
		t.Errorf("markers %q", markers)
	}
	for _, m := range found.Markers {
		if m.State != MarkerValid {
			t.Errorf("%+v", m)
		}
	}
	log := strings.Split(strings.TrimSuffix(p.read(".backup-log"), "\n"), "\n")
	line := regexp.MustCompile(`^\[2026-11-21T11:02:13Z\] (SessionEnd \(exit\)|PreCompact \(auto\)): Saved backup to ` + regexp.QuoteMeta(p.memory("raw")) + `.2026\S+\.jsonl$`)
	for _, l := range log {
		if !line.MatchString(l) {
			t.Errorf("log: %q", l)
		}
	}
	context := p.read("active-context.md")
	if len(log) != n || strings.Count(context, "\n## Session Exit\n") != 1 || strings.Count(context, "\n") != 11 {
		t.Errorf("%d lines of log, context %q", len(log), context)
	}
	if last := p.read(".pending-backup-exit"); !strings.Contains(context, "- Transcript backup: "+last) {
		t.Errorf("context %q, marker %q", context, last)
	}
	if names := p.names("raw"); len(names) != n+2 {
		t.Errorf("raw has %s files", strconv.Itoa(len(names)))
	}
	p.hasNoTemps()
}
