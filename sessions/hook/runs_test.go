package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func testRun(event, project, failed string) Run {
	r := Run{Time: noon(), Event: event, Project: project, Result: ResultSaved, Error: failed}
	if failed != "" {
		r.Result = ResultFailed
	}
	return r
}

func readRuns(t *testing.T, r *Runs) (runs []Run, damaged int) {
	t.Helper()
	runs, damaged, err := r.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return runs, damaged
}

func TestRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "continuo", "hooks.jsonl")
	r := OpenRuns(path)
	if runs, damaged := readRuns(t, r); len(runs) != 0 || damaged != 0 {
		t.Errorf("without a file: %v, %d damaged", runs, damaged)
	}
	first := Run{
		Time: noon(), Event: EventEnd, Project: "/my  code", Session: "s-1", Reason: "clear", Result: ResultSaved,
		Backup: "20261121_120000Z_clear.jsonl", Bytes: 12, MS: 3, Error: "log: full",
	}
	second := testRun(EventStart, "/other", "")
	for _, run := range []Run{first, second} {
		if err := r.Append(run); err != nil {
			t.Fatal(err)
		}
	}
	runs, damaged := readRuns(t, r)
	if len(runs) != 2 || damaged != 0 || runs[0] != second || runs[1] != first {
		t.Errorf("read %+v, %d damaged", runs, damaged)
	}
	for path, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRunsForeign: texts of Claude Code are cleaned and truncated.
func TestRunsForeign(t *testing.T) {
	t.Parallel()
	r := OpenRuns(filepath.Join(t.TempDir(), "hooks.jsonl"))
	run := testRun(EventEnd, "/p", "")
	run.Session, run.Reason, run.Error = strings.Repeat("é", 1<<20), "a\nb\x1b[31mc\x00", "\xff\n\n"+strings.Repeat("x", 1<<20)
	if err := r.Append(run); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.path)
	if err != nil || strings.Count(string(text), "\n") != 1 || len(text) > 4*maxField {
		t.Errorf("%d bytes, %d lines, %v", len(text), strings.Count(string(text), "\n"), err)
	}
	runs, _ := readRuns(t, r)
	if len(runs) != 1 || runs[0].Reason != "a bc" || len(runs[0].Error) > maxField {
		t.Errorf("read %.200v", runs)
	}
}

func TestRunsDamaged(t *testing.T) {
	t.Parallel()
	r := OpenRuns(filepath.Join(t.TempDir(), "hooks.jsonl"))
	damage := "\x00\xff{\n[1]\n\n{}\n{\"event\":7}\n{\"event\":\"session-end\",\"project\":\"/torn"
	if err := os.WriteFile(r.path, []byte(damage), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Append(testRun(EventEnd, "/p", "")); err != nil {
		t.Fatal(err)
	}
	if runs, damaged := readRuns(t, r); len(runs) != 1 || runs[0].Project != "/p" || damaged != 5 {
		t.Errorf("read %+v, %d damaged", runs, damaged)
	}
}

// TestRunsRing: the older half of a file over 1 MB is deleted, in whole lines.
func TestRunsRing(t *testing.T) {
	t.Parallel()
	r := OpenRuns(filepath.Join(t.TempDir(), "hooks.jsonl"))
	var old strings.Builder
	n := 0
	for ; old.Len() < maxRuns-200; n++ {
		old.WriteString(`{"time":"2026-11-20T12:00:00Z","event":"session-end","project":"/p","result":"saved","ms":` + strconv.Itoa(n) + "}\n")
	}
	if err := os.WriteFile(r.path, []byte(old.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		run := testRun(EventEnd, "/p", "")
		run.MS = int64(n + i)
		if err := r.Append(run); err != nil {
			t.Fatal(err)
		}
	}
	runs, damaged := readRuns(t, r)
	if damaged != 0 || len(runs) < n/2-20 || len(runs) > n/2+6 {
		t.Fatalf("%d of %d runs left, %d damaged", len(runs), n+5, damaged)
	}
	for i := range runs {
		if want := int64(n + 4 - i); runs[i].MS != want {
			t.Fatalf("run %d is number %d, not %d", i, runs[i].MS, want)
		}
	}
	if info, err := os.Stat(r.path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if files, err := filepath.Glob(filepath.Join(filepath.Dir(r.path), "*")); err != nil || len(files) != 1 {
		t.Errorf("left over: %v, %v", files, err)
	}
}

// TestRunsTogether: many processes append while the older half is deleted. Every line stays complete.
func TestRunsTogether(t *testing.T) {
	t.Parallel()
	r := OpenRuns(filepath.Join(t.TempDir(), "hooks.jsonl"))
	filler := strings.Repeat(strings.Repeat("x", 99)+"\n", maxRuns/100-20)
	if err := os.WriteFile(r.path, []byte(filler), 0o600); err != nil {
		t.Fatal(err)
	}
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				run := testRun(EventEnd, "/p"+strconv.Itoa(w), "")
				run.MS = int64(i)
				if err := OpenRuns(r.path).Append(run); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	runs, damaged := readRuns(t, r)
	if len(runs) != writers*each || damaged >= maxRuns/100-20 {
		t.Errorf("%d runs of %d, %d damaged", len(runs), writers*each, damaged)
	}
}

func TestRunsUnwritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"below a file": filepath.Join(file, "hooks.jsonl"), "a directory": dir} {
		r := OpenRuns(path)
		if err := r.Append(testRun(EventEnd, "/p", "")); err == nil {
			t.Errorf("%s: appended", name)
		}
		if runs, _, _ := r.Read(t.Context()); len(runs) != 0 {
			t.Errorf("%s: read %v", name, runs)
		}
	}
}

// TestRunsLocked: another program has the lock. The wait is limited.
func TestRunsLocked(t *testing.T) {
	t.Parallel()
	r := OpenRuns(filepath.Join(t.TempDir(), "hooks.jsonl"))
	root, err := disk.Open(filepath.Dir(r.path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	unlock, err := root.Lock(t.Context(), filepath.Base(r.path))
	if err != nil {
		t.Fatal(err)
	}
	err = r.Append(testRun(EventEnd, "/p", ""))
	if !errors.Is(err, errRunsLocked) {
		t.Errorf("error %v", err)
	}
	unlock()
	for range 200 { // wait until Append is blocked
		if runs, damaged := readRuns(t, r); len(runs) == 1 && damaged == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the waiting run was not recorded")
}

func TestSummarize(t *testing.T) {
	t.Parallel()
	runs := []Run{ // newest first
		testRun(EventEnd, "/a", ""),
		testRun(EventEnd, "/a", "new"),
		testRun(EventEnd, "/b", ""),
		testRun(EventEnd, "/a/", "old"),
		testRun(EventStart, "/b", ""),
	}
	for i := range runs {
		runs[i].MS = int64(i)
	}
	for _, tt := range []struct {
		project string
		want    map[string]Fired
	}{
		{"/a", map[string]Fired{EventEnd: {Last: runs[0], Failed: runs[1], Runs: 3, Failures: 2}}},
		{"/b", map[string]Fired{EventEnd: {Last: runs[2], Runs: 1}, EventStart: {Last: runs[4], Runs: 1}}},
		{"", map[string]Fired{EventEnd: {Last: runs[0], Failed: runs[1], Runs: 4, Failures: 2}, EventStart: {Last: runs[4], Runs: 1}}},
		{"/c", map[string]Fired{}},
	} {
		got := Summarize(runs, tt.project)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v", tt.project, got)
		}
		for event, want := range tt.want {
			if got[event] != want {
				t.Errorf("%s: %s: %+v, want %+v", tt.project, event, got[event], want)
			}
		}
	}
}
