package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestCorpus runs the commands over the real config directories in $CONTINUO_CORPUS.
func TestCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	corpus := os.Getenv("CONTINUO_CORPUS")
	if corpus == "" {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	for _, dir := range filepath.SplitList(corpus) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			checkCorpus(t, dir)
		})
	}
}

// TestDemo: a demo has every unusual kind of record.
func TestDemo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stats, err := demo.Write(t.Context(), dir, demo.Options{Now: now()})
	if err != nil {
		t.Fatal(err)
	}
	checkCorpus(t, dir)
	if n := len(transcripts(t, dir)); n != stats.Sessions {
		t.Errorf("%d transcripts, %d were made", n, stats.Sessions)
	}
}

func checkCorpus(t *testing.T, dir string) {
	t.Helper()
	home := t.TempDir()
	run := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		d := newDeps(Program{
			Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		})
		code := execute(t.Context(), d.Env, d.Output, append(args, "--claude-dir", dir))
		checkNoEscape(t, strings.Join(args, " ")+" stdout", stdout.String())
		checkNoEscape(t, strings.Join(args, " ")+" stderr", stderr.String())
		return code, stdout.String()
	}
	code, text := run("list", "--all", "--json")
	var rows []struct {
		Kind, Path, State, Reason string
		Messages                  int
	}
	if err := json.Unmarshal([]byte(text), &rows); err != nil || code != out.ExitDone {
		t.Fatalf("exit code %d, %v", code, err)
	}
	var listed []string
	for _, r := range rows {
		if r.Kind != "session" {
			continue
		}
		if !strings.HasPrefix(filepath.Base(r.Path), "agent-") { // the session of a listed sub-agent may be missing
			listed = append(listed, r.Path)
		}
		if r.State == "unreadable" {
			t.Errorf("%s is listed as unreadable: %s", r.Path, r.Reason)
		}
	}
	files := transcripts(t, dir)
	slices.Sort(listed)
	if !slices.Equal(listed, files) {
		t.Errorf("%d transcripts listed of %d:\n%v\n%v", len(listed), len(files), listed, files)
	}
	for _, path := range files {
		if code, _ := run("show", path); code != out.ExitDone {
			t.Errorf("show %s: exit code %d", path, code)
		}
		code, text := run("show", path, "--json")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		var counts show.CountsJSON
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &counts); err != nil || code != out.ExitDone || counts.Records == nil {
			t.Errorf("show %s --json: exit code %d, %v, %s", path, code, err, lines[len(lines)-1])
		}
	}
}

// transcripts returns the transcripts in a directory, except those of sub-agents.
func transcripts(t *testing.T, dir string) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS(dir), "projects/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		if !strings.HasPrefix(filepath.Base(f), "agent-") {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(f)))
		}
	}
	slices.Sort(paths)
	return paths
}
