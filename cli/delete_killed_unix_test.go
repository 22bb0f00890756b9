//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// deletion is a home with a session of many side files. Many files leave time to kill a process halfway.
type deletion struct {
	t        *testing.T
	home     string
	id       string // ID of the session
	projects string
	trash    string
	first    string // below projects: moved first by a deletion, last by its undo
	last     string // below projects: moved last by a deletion, first by its undo
}

func newDeletion(t *testing.T) *deletion {
	t.Helper()
	d := &deletion{t: t, home: t.TempDir(), id: "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"}
	d.projects, d.trash = filepath.Join(d.home, ".claude", "projects"), filepath.Join(d.home, ".claude", "continuo-trash")
	d.first = filepath.Join("-tea", d.id+".jsonl")
	d.write(d.first, `{"type":"user","uuid":"u1","parentUuid":null,"cwd":"`+d.home+`","sessionId":"`+d.id+`","timestamp":"2026-11-20T10:00:00Z","message":{"role":"user","content":"Brew the tea"}}`)
	for n := range 200 {
		d.last = filepath.Join("-tea", d.id, "tool-results", fmt.Sprintf("result-%03d.txt", n))
		d.write(d.last, fmt.Sprint("result ", n))
	}
	return d
}

func (d *deletion) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.projects, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *deletion) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(d.t.Context(), "continuo", args...) // testscript has put continuo on the PATH
	cmd.Env = []string{"HOME=" + d.home, "TMPDIR=" + d.home, "PATH=" + os.Getenv("PATH"), "TEST_NOW=" + now().Format(time.RFC3339)}
	cmd.Dir = d.home
	return cmd
}

func (d *deletion) run(codes string, args ...string) {
	d.t.Helper()
	cmd := d.command(args...)
	text, _ := cmd.CombinedOutput()
	if code := fmt.Sprint(cmd.ProcessState.ExitCode()); !strings.Contains(codes, code) {
		d.t.Errorf("continuo %q ended with %s:\n%s", args, code, text)
	}
}

// killed kills continuo as soon as a file exists. It reports whether the session is partly moved.
func (d *deletion) killed(until string, args ...string) (halfway bool) {
	d.t.Helper()
	cmd := d.command(args...)
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended, cancel := context.WithCancel(d.t.Context())
	go func() { _ = cmd.Wait(); cancel() }()
	for ended.Err() == nil {
		if there, _ := filepath.Glob(until); len(there) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Kill() // fails if the process has ended
	<-ended.Done()
	placed, trashed := d.files(d.projects), d.files(d.trash)
	return len(placed) > 0 && len(trashed) > 0
}

// files returns the session's files below dir, named relative to projects.
func (d *deletion) files(dir string) map[string]string {
	d.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		_, name, _ := strings.Cut(path, string(filepath.Separator)+"-tea"+string(filepath.Separator))
		all[name] = string(text)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// TestDeleteKilled: the command after a killed one must first complete or undo it.
func TestDeleteKilled(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, next := range []string{"delete", "undo"} {
		t.Run(next, func(t *testing.T) {
			t.Parallel()
			d := newDeletion(t)
			all := d.files(d.projects)
			check := func(what string, dirs ...string) {
				t.Helper()
				found, n := map[string]string{}, 0
				for _, dir := range dirs {
					files := d.files(dir)
					n += len(files)
					maps.Copy(found, files)
				}
				if !maps.Equal(found, all) || len(dirs) == 1 && n != len(all) {
					t.Fatalf("%s: %d files in %q, want %d", what, n, dirs, len(all))
				}
			}
			nextCommand := func() {
				if next == "undo" {
					d.run("0 3", "undo", "--yes") // 3: nothing is left to undo
					return
				}
				d.run("0 3", "delete", d.id, "--yes") // 3: the session is already in the trash
			}
			halfway := d.killed(filepath.Join(d.trash, "*", d.first), "delete", d.id, "--yes")
			check("killed deletion", d.projects, d.trash)
			nextCommand()
			if next == "undo" {
				check("undo after a killed deletion", d.projects)
				d.run("0", "delete", d.id, "--yes")
			}
			check("deletion after a killed one", d.trash)

			halfway = d.killed(filepath.Join(d.projects, d.last), "undo", "--yes") || halfway
			check("killed undo", d.projects, d.trash)
			nextCommand()
			if next == "delete" {
				check("deletion after a killed undo", d.trash)
				d.run("0", "undo", "--yes")
			}
			check("undo after a killed one", d.projects)
			if !halfway {
				t.Error("no kill came halfway, so the drill tests nothing")
			}
		})
	}
}
