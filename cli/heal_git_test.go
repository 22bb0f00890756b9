//go:build unix

package cli

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
)

// healObject writes a git object that git itself would refuse.
func healObject(t *testing.T, root, kind string, text []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "-C", root, "hash-object", "-t", kind, "--literally", "-w", "--stdin")
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func healTree(t *testing.T, root, mode, name, object string) string {
	t.Helper()
	id, err := hex.DecodeString(object)
	if err != nil {
		t.Fatal(err)
	}
	return healObject(t, root, "tree", append([]byte(mode+" "+name+"\x00"), id...))
}

func lose(t *testing.T, root, name string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", root, "rev-parse", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	if err := os.Remove(filepath.Join(root, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
}

// TestHealLeavesToGit: git has a NOTES.md that continuo can't restore.
func TestHealLeavesToGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const head = " checkout HEAD -- "
	for name, c := range map[string]struct {
		text   string
		after  func(t *testing.T, root string) // runs after the commit
		output string
		by     string // git command, without the directory
	}{
		"utf-16":           {"\xff\xfe#\x00 \x00N\x00", nil, "isn't text; restore it with git.", head + notesFile},
		"latin-1":          {"# Notes caf\xe9\n", nil, "isn't text; restore it with git.", head + notesFile},
		"too long":         {strings.Repeat("a line\n", ledger.MaxNotes/7+1), nil, "exceeds the size limit; restore it with git.", head + notesFile},
		"its blob is gone": {"# N\n", func(t *testing.T, root string) { lose(t, root, "HEAD:"+notesFile) }, "could not be read from git: ", head + notesFile},
		"its tree is gone": {"# N\n", func(t *testing.T, root string) {
			lose(t, root, "HEAD:grimoires")
			healGit(t, root, "read-tree", "--empty")
		}, "git could not list its files: ", head + notesFile},
		"its commit is gone": {"# N\n", func(t *testing.T, root string) {
			lose(t, root, "HEAD")
			healGit(t, root, "read-tree", "--empty")
		}, "git could not list its files: ", head + notesFile},
		"git is not let in": {"# N\n", func(t *testing.T, root string) {
			put(t, root, ".git/config", "[core\n")
		}, "git was not asked: ", head + notesFile},
		"a link": {"# N\n", func(t *testing.T, root string) {
			if err := os.Remove(filepath.Join(root, notesFile)); err != nil {
				t.Fatal(err)
			}
			link(t, root, "other.md", notesFile)
			healGit(t, root, "commit", "-qam", "two")
		}, "is a link; restore it with git.", head + notesFile},
		"staged": {"caf\xe9\n", func(t *testing.T, root string) {
			healGit(t, root, "update-ref", "-d", "HEAD")
		}, "isn't text; restore it with git.", " checkout -- " + notesFile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newNoteWorld(t)
			if err := os.RemoveAll(w.path(".git")); err != nil {
				t.Fatal(err)
			}
			put(t, w.project, ".beads/issues.jsonl", "")
			put(t, w.project, "grimoires/loa/a2a/trajectory/a.jsonl", "")
			put(t, w.project, notesFile, c.text)
			healGit(t, w.project, "init", "-q")
			healGit(t, w.project, "add", notesFile)
			healGit(t, w.project, "commit", "-qm", "one")
			if c.after != nil {
				c.after(t, w.project)
			}
			if err := os.Remove(w.path(notesFile)); err != nil {
				t.Fatal(err)
			}
			for _, line := range [][]string{{"heal", "--check-only"}, {"heal", "--yes"}} {
				out := w.run(out.ExitNo, line...)
				if !strings.Contains(out, c.output) || !strings.Contains(out, "git -C "+w.project+c.by+"\n") || !strings.Contains(out, "NOTES.md is missing: ") || w.notes() != "-" {
					t.Errorf("%v: %s\n%s", line, out, w.notes())
				}
			}
			// A run that heals nothing is also logged.
			log, err := os.ReadFile(w.path("grimoires/loa/a2a/trajectory/system-" + now().Format("2006-01-02") + ".jsonl"))
			if err != nil || strings.Count(string(log), "\n") != 1 || !strings.Contains(string(log), `"status":"partial","message":"No part of the ledger could be restored. 1 part is not healed."`) {
				t.Errorf("%s, %v", log, err)
			}
		})
	}
}

// TestHealNotesFolderInGit: git has a folder at the path of NOTES.md.
func TestHealNotesFolderInGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d, root := startWorld(t, "", nil)
	put(t, root, ".loa.config.yaml", healConfig)
	put(t, root, notesFile+"/a.md", "# a\n")
	healGit(t, root, "init", "-q")
	healGit(t, root, "add", ".")
	healGit(t, root, "commit", "-qm", "one")
	if err := os.RemoveAll(filepath.Join(root, notesFile)); err != nil {
		t.Fatal(err)
	}
	h, err := entries.LookHeal(t.Context(), d.Env, root)
	if err != nil {
		t.Fatal(err)
	}
	if got := healStates(h); got != "there , missing leave, missing make, missing make" {
		t.Error(got)
	}
}

// TestHealHostileNames: git doesn't allow these names in a tree.
func TestHealHostileNames(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, name := range []string{
		"..", ".", ".git", ".GIT", ".git ", ".git.", ".git::$INDEX_ALLOCATION", "git~1", ".g\u200cit", "a/../../x", "../x", "a\\b", "b.", "c ",
		"\x1b[31m", "a\nb", "\u202ea", "\xff", "a//b",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := startWorld(t, "", nil)
			healGit(t, root, "init", "-q")
			blob := healObject(t, root, "blob", []byte("#!/bin/sh\n"))
			tree := healTree(t, root, "40000", "hooks", healTree(t, root, "100755", "post-checkout", blob))
			tree = healTree(t, root, "40000", name, tree)
			tree = healTree(t, root, "40000", "grimoires", healTree(t, root, "40000", "loa", tree))
			out, err := exec.CommandContext(t.Context(), "git", "-C", root, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit-tree", "-m", "one", tree).Output()
			if err != nil {
				t.Skip(err)
			}
			healGit(t, root, "update-ref", "HEAD", strings.TrimSpace(string(out)))
			h, err := entries.LookHeal(t.Context(), d.Env, root)
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(h.Steps[0].Left, " "); !strings.Contains(all, "has a name that git doesn't allow.") || strings.ContainsAny(all, "\x1b\n\u202e") {
				t.Errorf("%q", all)
			}
			if done := doHeal(t, d, h); done.Failed != 0 {
				t.Errorf("%+v", done)
			}
			err = filepath.WalkDir(filepath.Dir(root), func(path string, e fs.DirEntry, err error) error {
				if err == nil && e.Name() == "post-checkout" {
					t.Errorf("%q", path)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHealUnmerged: the index has both sides of an unfinished merge.
func TestHealUnmerged(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	d, root := startWorld(t, "", nil)
	mkdirs(t, root, "grimoires/loa")
	healGit(t, root, "init", "-q")
	blob := healObject(t, root, "blob", []byte("# N\n"))
	cmd := exec.CommandContext(t.Context(), "git", "-C", root, "update-index", "--index-info")
	cmd.Stdin = strings.NewReader("100644 " + blob + " 2\t" + notesFile + "\n100644 " + blob + " 3\t" + notesFile + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h, err := entries.LookHeal(t.Context(), d.Env, root)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(h.Steps, func(s heal.Step) bool { return s.Part == heal.Notes })
	if s := h.Steps[i]; s.Do != heal.Leave || len(s.Left) != 1 || !strings.Contains(s.Left[0], "in an unfinished merge") {
		t.Errorf("%+v", s)
	}
}
