//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/doctor"
)

// trap adds config and attributes whose programs would create a file in ran.
func (w *saveWorld) trap() (ran string) {
	w.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.t.Skip("git is not installed")
	}
	ran = filepath.Join(w.home, "ran")
	for _, dir := range []string{ran, filepath.Join(w.home, "bin")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	program := func(name string) string { return "touch '" + filepath.Join(ran, name) + "'; cat" }
	w.git("init", "-q", "-b", "main")
	w.git("init", "-q", "-b", "main", "inner")
	w.write(filepath.Join(w.project, "a.txt"), "a")
	w.write(filepath.Join(w.project, "inner", "b.txt"), "b")
	w.git("-C", "inner", "add", "b.txt")
	w.git("-C", "inner", "commit", "-q", "-m", "one")
	w.git("add", "a.txt", "inner")
	w.git("commit", "-q", "-m", "one")
	for _, at := range []string{".", "inner"} {
		w.write(filepath.Join(w.project, at, ".gitattributes"), "*.txt filter=evil diff=evil\n")
		for name, value := range map[string]string{
			"core.fsmonitor": program("monitor"), "filter.evil.clean": program("clean"), "filter.evil.required": "true", "filter.other.process": program("process"),
			"diff.evil.textconv": program("textconv"), "core.pager": program("pager"), "gpg.program": program("gpg"), "log.showSignature": "true",
		} {
			w.git("-C", at, "config", name, value)
		}
		for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman"} {
			path := filepath.Join(w.project, at, ".git", "hooks", hook)
			w.write(path, "#!/bin/sh\ntouch '"+filepath.Join(ran, hook)+"'\n")
			if err := os.Chmod(path, 0o700); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"a.txt", "inner/b.txt"} { // so that git has to read the content
		if err := os.Chtimes(filepath.Join(w.project, name), now(), now().Add(-time.Hour)); err != nil {
			w.t.Fatal(err)
		}
	}
	return ran
}

func has(t *testing.T, ran string) []string {
	t.Helper()
	entries, err := os.ReadDir(ran)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSaveGitRunsNothing(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	k, err := backups.ReadKnownOf(t.Context(), w.d.Env, &w.row, w.project)
	if err != nil || k.Git == nil || k.Git.Unsure || !slices.Contains(k.Git.Changed, ".gitattributes") {
		t.Fatalf("%+v, %v", k.Git, err)
	}
	if n := doctor.TrackedHere(t.Context(), w.d.Env, w.project); n != 0 {
		t.Errorf("%d are tracked", n)
	}
	out, err := w.d.Host.GitStatus(t.Context(), w.project, "--porcelain=v2", "--branch", "-z")
	if err != nil || !strings.Contains(out, "# branch.head main") {
		t.Errorf("%q, %v", out, err)
	}
	if names := has(t, ran); names != nil {
		t.Errorf("%q were run", names)
	}
	if _, err := w.d.Host.Git(t.Context(), w.project, "-c", "core.fsmonitor=", "status"); err != nil || !slices.Contains(has(t, ran), "clean") {
		t.Errorf("the trap does not work: %v, %q", err, has(t, ran))
	}
}

// TestSaveGitUnsure: a filter can't be disabled, so the changed files are unknown.
func TestSaveGitUnsure(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	w.git("config", "filter.a=b.clean", "touch '"+filepath.Join(ran, "equals")+"'")
	w.write(filepath.Join(w.project, ".gitattributes"), "*.txt filter=a=b\n")
	k, err := backups.ReadKnownOf(t.Context(), w.d.Env, &w.row, w.project)
	if err != nil || k.Git == nil || !k.Git.Unsure || len(k.Git.Changed) > 0 || len(has(t, ran)) > 0 {
		t.Errorf("%+v, %v, %q", k.Git, err, has(t, ran))
	}
}

// TestSaveGitEmbedded: the directory only looks like a repository.
func TestSaveGitEmbedded(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	w.write(filepath.Join(w.project, "HEAD"), "ref: refs/heads/main\n")
	for _, dir := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(w.project, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.project, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"touch '"+ran+"/embedded'\"\n")
	if err := os.RemoveAll(filepath.Join(w.project, ".git")); err != nil {
		t.Fatal(err)
	}
	if k, err := backups.ReadKnownOf(t.Context(), w.d.Env, &w.row, w.project); err != nil || k.Git != nil || has(t, ran) != nil {
		t.Errorf("%+v, %v, %q", k.Git, err, has(t, ran))
	}
}
