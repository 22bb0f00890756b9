package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func mustReal(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// newStatusHome returns a home with two live sessions, one of them waiting. It has two projects with a pending
// backup each; the result here is one of them.
func newStatusHome(t *testing.T) (home, here string) {
	t.Helper()
	home = mustReal(t, t.TempDir())
	here, other := filepath.Join(home, "code", "tea\x1b[31mhouse"), filepath.Join(home, "code", "tides")
	memory(t, here, "20261121_110200_compact")
	memory(t, other, "20261120_090000_exit")
	registry := filepath.Join(home, ".claude", "sessions")
	if err := os.MkdirAll(registry, 0o700); err != nil {
		t.Fatal(err)
	}
	for pid, more := range map[int]string{os.Getpid(): `"status":"busy"`, os.Getppid(): `"status":"waiting","waitingFor":"Edit\u001b[2J #(x)"`} {
		entry := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"updatedAt":%d,%s}`, pid, resumeID, filepath.Join(home, "code", "tides"), now().UnixMilli(), more)
		if err := os.WriteFile(filepath.Join(registry, fmt.Sprint(pid)+".json"), []byte(entry), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, here
}

// memory creates a pending backup in a project.
func memory(t *testing.T, project, name string) {
	t.Helper()
	dir := filepath.Join(project, ".claude", "memory")
	if err := os.MkdirAll(filepath.Join(dir, "raw"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "raw", name+".jsonl")
	for file, text := range map[string]string{path: "{}\n", filepath.Join(dir, ".pending-backup"): path + "\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// runStatus runs continuo status in a home. It repeats the command if a time limit was exceeded.
func runStatus(t *testing.T, home, dir string, terminal bool, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runStatusWith(t, index.Open(""), home, dir, terminal, args...)
}

func runStatusWith(t *testing.T, x *index.Index, home, dir string, terminal bool, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	for range 20 {
		var out, errs bytes.Buffer
		d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: dir, Now: now, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
		d.Index, d.Out.Terminal, d.Out.Width = x, terminal, 100
		code = execute(t.Context(), d.Env, d.Output, append([]string{"status"}, args...))
		stdout, stderr = out.String(), errs.String()
		if all := strings.NewReplacer(`"unknown":0`, "", "unknown\t0", "").Replace(stdout); !strings.Contains(all, "unknown") {
			break
		}
	}
	return stdout, stderr, code
}

func TestStatus(t *testing.T) {
	t.Parallel()
	home, here := newStatusHome(t)
	before := snapshot(t, home)
	line, output, code := runStatus(t, home, here, false, "--line")
	if want := "2 live · 1 waits: tides · 2 pending\n"; line != want || output != "" || code != out.ExitDone {
		t.Errorf("%q %q %d, want %q", line, output, code, want)
	}
	text, output, code := runStatus(t, home, here, true)
	want := `● live        2, 1 busy
? waits       tides: Edit #(x)                                                         since 15:52
! pending     2 backups of teahouse and tides                                 continuo backup list
`
	if text != want || output != "" || code != out.ExitDone {
		t.Errorf("%d %s\n%swant\n%s", code, output, text, want)
	}
	piped, _, _ := runStatus(t, home, here, false)
	want = "live\t2\t2, 1 busy\t-\nwaits\t1\ttides: Edit #(x)\tsince 15:52\n" +
		"delta\t0\t-\t-\npending\t2\t2 backups of teahouse and tides\tcontinuo backup list\n" +
		"unseen\t0\t-\t-\nunsaved\t0\t-\t-\nhooks\t0\t-\t-\nsecret\t0\t-\t-\ncontext\t0\t-\t-\nstaged\t0\t-\t-\ndocuments\t0\t-\t-\nunknown\t0\t-\t-\n"
	if piped != want {
		t.Errorf("\n%swant\n%s", piped, want)
	}
	var got struct {
		Live, Busy, Idle, Waiting, Pending, Unknown int
		Sessions                                    []struct{ ID, Cwd, WaitingFor string }
		Projects                                    []survey.PendingProject
	}
	js, _, _ := runStatus(t, home, here, true, "--json", "--line")
	checkNoEscape(t, "json", js)
	if err := json.Unmarshal([]byte(js), &got); err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	if got.Live != 2 || got.Busy != 1 || got.Idle != 0 || got.Waiting != 1 || got.Pending != 2 || got.Unknown != 0 ||
		len(got.Sessions) != 2 || got.Sessions[0].ID != resumeID || len(got.Projects) != 2 || got.Projects[0].Path != here {
		t.Errorf("%s", js)
	}
	if after := snapshot(t, home); after != before {
		t.Errorf("something was written:\n%s\nwas\n%s", after, before)
	}
}

// TestStatusNothing: --line prints nothing, so tmux shows nothing.
func TestStatusNothing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, dir := range []string{home, ""} {
		if printed, output, code := runStatus(t, home, dir, false, "--line"); printed+output != "" || code != out.ExitDone {
			t.Errorf("%q %q %d", printed, output, code)
		}
	}
	if printed, _, code := runStatus(t, home, home, true); printed != "Nothing is live, nothing waits, no backup is pending or missing.\n" || code != out.ExitDone {
		t.Errorf("%q %d", printed, code)
	}
	if _, output, code := runStatus(t, home, home, false, "--claude-dir", filepath.Join(home, "gone")); code != out.ExitFailed || output == "" {
		t.Errorf("a config dir that is gone: %d %s", code, output)
	}
}

func TestBranchOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main/.git/HEAD": "ref: refs/heads/fix/token-race\n", "main/.git/worktrees/w/HEAD": "ref: refs/heads/slots\n",
		"tree/.git": "gitdir: ../main/.git/worktrees/w\n", "bare/.git/HEAD": "0123456789abcdef0123456789abcdef01234567\n",
		"odd/.git": "gitdir:\n", "none/x": "",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]string{"main": "fix/token-race", "tree": "slots", "bare": "", "odd": "", "none": "", "gone": ""} {
		if got := sessions.Branch(filepath.Join(dir, folder)); got != want {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
}

// TestStatusKnown: status ignores an invalid list of known projects.
func TestStatusKnown(t *testing.T) {
	t.Parallel()
	home, _ := newStatusHome(t)
	third := filepath.Join(home, "code", "third")
	memory(t, third, "20261101_000000")
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	place.RememberProjects(d.Env, []string{third, filepath.Join(home, "gone")})
	if line, _, _ := runStatus(t, home, home, false, "--line"); line != "2 live · 1 waits: tides · 2 pending\n" { // of tides and third
		t.Errorf("%q", line)
	}
	path := d.KnownPath()
	for _, text := range []string{"", "\n\n", "relative\n../up\n" + third + "/../x\n", "\x00\xff\n", third, strings.Repeat("/x", place.KnownLimit)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := place.KnownProjects(path); len(got) != 0 {
			t.Errorf("%.40q: %q", text, got)
		}
	}
}

func TestRememberProjects(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	with := func(env ...string) *deps {
		return newDeps(Program{Env: env, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	}
	d := with("HOME=" + home)
	path := filepath.Join(home, ".cache", "continuo", "projects")
	place.RememberProjects(d.Env, nil)
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing was remembered in %v", err)
	}
	root := filepath.VolumeName(home) + string(filepath.Separator)
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b b")
	place.RememberProjects(d.Env, []string{b, a, b, "relative", "", a + "\n" + b, `\\server\x`})
	if got := place.KnownProjects(path); !slices.Equal(got, []string{a, b}) {
		t.Fatalf("%q", got)
	}
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	place.RememberProjects(d.Env, []string{a, b})
	if is, err := os.Stat(path); err != nil || !os.SameFile(was, is) {
		t.Errorf("the same was written again: %v", err)
	}
	place.RememberProjects(insideDemo(d, home).Env, []string{a})
	place.RememberProjects(with("HOME="+home, "XDG_CACHE_HOME=relative").Env, []string{a, b})
	place.RememberProjects(with().Env, []string{a})
	if got := place.KnownProjects(path); len(got) != 2 {
		t.Errorf("%q", got)
	}
	place.RememberProjects(d.Env, []string{b})
	if got := place.KnownProjects(path); !slices.Equal(got, []string{b}) {
		t.Errorf("%q", got)
	}
	var many []string
	for i := range 40_000 {
		many = append(many, filepath.Join(root, fmt.Sprintf("project-%05d", i)))
	}
	place.RememberProjects(d.Env, many)
	if info, err := os.Stat(path); err != nil || info.Size() > place.KnownLimit || info.Size() < place.KnownLimit-100 {
		t.Errorf("%v, %v", info, err)
	}
	for range 100 { // a directory that couldn't be checked in time stays in the list
		if place.RememberProjects(d.Env, nil); len(place.KnownProjects(path)) == 0 {
			break
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v", info, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	hidden, err2 := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err := errors.Join(err, err2); err != nil || len(left)+len(hidden) != 1 {
		t.Errorf("left: %q %q, %v", left, hidden, err)
	}

	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	place.RememberProjects(with("HOME="+file).Env, []string{a})
	if text := readAll(t, file); text != "x" {
		t.Errorf("%q", text)
	}
}

func readAll(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
