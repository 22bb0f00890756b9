package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

const resumeID = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"

// fakeClaude puts a claude on the PATH, and returns its directory. This claude prints its directory,
// CLAUDE_CONFIG_DIR and arguments.
func fakeClaude(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake client is a shell script")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] && { echo '2.1.329 (Claude Code)'; exit; }\nprintf '%s\\n' \"$PWD\" \"$(pwd -P)\" \"${CLAUDE_CONFIG_DIR-unset}\" \"$@\"\n"
	putProgram(t, filepath.Join(bin, "claude"), script)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return bin
}

func resumeDeps(home string, env ...string) *deps {
	return newDeps(Program{
		Env: append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, env...), Dir: home, Now: now,
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
	})
}

// ready makes a row resumable.
func ready(dir, workdir string) func(*sessions.Row) {
	return func(r *sessions.Row) {
		r.Dir, r.Project, r.Workdir, r.Messages = dir, workdir, workdir, 2
		r.Path = os.Args[0] // any file that exists
	}
}

func TestResume(t *testing.T) {
	fakeClaude(t)
	home := t.TempDir()
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work = filepath.Join(work, "a folder; $(touch x)")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	own, other := filepath.Join(home, ".claude"), filepath.Join(home, "other")
	tests := []struct {
		name, dir, env, want string
	}{
		{"default directory", own, "", "unset"},
		{"its own directory in the environment", own, "CLAUDE_CONFIG_DIR=" + own, own},
		{"another directory", other, "", other},
		{"another than in the environment", other, "CLAUDE_CONFIG_DIR=" + own, other},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			r := row(resumeID, "x", ready(work, work), func(r *sessions.Row) { r.Dir = tt.dir })
			var env []string
			if tt.env != "" {
				env = append(env, tt.env)
			}
			d := resumeDeps(home, env...)
			got, err := launch.ResumeSession(t.Context(), d.Env, d.Output, r, resume.Ask{In: resume.WhereHere})
			if err != nil || got.Run == nil {
				t.Fatal(got, err)
			}
			run := got.Run
			run.SetStdin(strings.NewReader(""))
			run.SetStdout(&out)
			run.SetStderr(&out)
			if err := run.Run(); err != nil {
				t.Fatal(err)
			}
			want := strings.Join([]string{work, work, tt.want, "--resume", resumeID}, "\n") + "\n"
			if out.String() != want {
				t.Errorf("got\n%swant\n%s", out.String(), want)
			}
		})
	}
}

// TestResumeLiveNow: each resume reads the registry again.
func TestResumeLiveNow(t *testing.T) {
	fakeClaude(t)
	home := t.TempDir()
	registry := filepath.Join(home, "sessions")
	if err := os.Mkdir(registry, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := filepath.Join(registry, fmt.Sprint(os.Getpid())+".json")
	if err := os.WriteFile(entry, fmt.Appendf(nil, `{"pid":%d,"sessionId":%q,"status":"busy"}`, os.Getpid(), resumeID), 0o600); err != nil {
		t.Fatal(err)
	}
	plan, err := launch.PlanResume(t.Context(), resumeDeps(home).Env, row(resumeID, "x", ready(home, home)), resume.Ask{})
	if err != nil || len(plan.Findings) != 1 || plan.Findings[0].Kind != resume.FindingLive || plan.Launch != nil {
		t.Errorf("a session that went live: %+v, %v", plan, err)
	}
	if err := os.Remove(entry); err != nil {
		t.Fatal(err)
	}
	live := row(resumeID, "x", ready(home, home), flags(sessions.FlagLive), func(r *sessions.Row) { r.Live = &sessions.Live{PID: 42} })
	if plan, err = launch.PlanResume(t.Context(), resumeDeps(home).Env, live, resume.Ask{}); err != nil || plan.Launch == nil {
		t.Errorf("a session that was left: %+v, %v", plan, err)
	}
}

// TestResumeExit: the browser hides the client's output, so the exit code becomes an error.
func TestResumeExit(t *testing.T) {
	bin := fakeClaude(t)
	putProgram(t, filepath.Join(bin, "claude"), "#!/bin/sh\nexit 3\n")
	dir, here := t.TempDir(), resume.Ask{In: resume.WhereHere}
	d := resumeDeps(dir)
	out, err := launch.ResumeSession(t.Context(), d.Env, d.Output, row(resumeID, "x", ready(dir, dir)), here)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Run.Run(); err == nil || err.Error() != "claude ended with exit code 3." {
		t.Errorf("after exit code 3: %v", err)
	}
	d = resumeDeps(dir)
	if out, err = launch.ResumeSession(t.Context(), d.Env, d.Output, row(resumeID, "x", ready(dir, dir)), here); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	if err := out.Run.Run(); err == nil || !strings.HasPrefix(err.Error(), "run "+filepath.Join(bin, "claude")+" in ") {
		t.Errorf("a client that is gone: %v", err)
	}
}

func TestResumeRefused(t *testing.T) {
	fakeClaude(t)
	home := t.TempDir()
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		change func(*sessions.Row)
		want   string // start of the finding or of the error
	}{
		{"folder gone", in(home, filepath.Join(home, "gone")), "The folder ~/gone is gone."},
		{"folder is a file", in(home, file), "~/file isn't a folder."},
		{"folder below a file", in(home, filepath.Join(file, "x")), "~/file/x isn't a folder."},
		{"folder unknown", in("", ""), "The transcript doesn't name the folder of the session."},
		{"folder not whole", in("", "code"), "The folder of this session is code."},
		{"a backup that is gone", kept(sessions.KindBackup, filepath.Join(home, "gone.jsonl")), "The file of this backup is gone. ~/gone.jsonl"},
		{"a document that is gone", kept(sessions.KindDocument, filepath.Join(home, "gone.md")), "The file of this document is gone. ~/gone.md"},
		{"live", func(r *sessions.Row) { r.Live = &sessions.Live{PID: 42, Cwd: home + "/x"} }, "This session is live elsewhere."},
		{"live, process unknown", flags(sessions.FlagLive), "This session is live elsewhere."},
		{"not resumable", flags(sessions.FlagNotResumable), "The file name isn't a session ID."},
		{"an id like a flag", func(r *sessions.Row) { r.ID = "--dangerously-skip-permissions" }, "The file name isn't a session ID."},
		{"unreadable", state(sessions.StateUnreadable), "This session cannot be read."},
		{"a stub", state(sessions.StateStub), "This session is empty."},
		{"empty", state(sessions.StateEmpty), "This session is empty."},
		{"damaged, without a message", func(r *sessions.Row) { r.State, r.Messages = sessions.StateDamaged, 0 }, "This session is empty."},
		{"file gone", func(r *sessions.Row) { r.Path = filepath.Join(home, "gone.jsonl") }, "The transcript of this session is gone. ~/gone.jsonl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := row(resumeID, "x", ready(home, home))
			tt.change(&r)
			d := resumeDeps(home)
			out, err := launch.ResumeSession(t.Context(), d.Env, d.Output, r, resume.Ask{In: resume.WhereHere})
			got := fmt.Sprint(err)
			if err == nil && out.Plan != nil {
				got = out.Plan.Findings[0].What
			}
			if !strings.HasPrefix(got, tt.want) || out.Run != nil {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("a demo", func(t *testing.T) {
		d := insideDemo(resumeDeps(home), home)
		done, err := launch.ResumeSession(t.Context(), d.Env, d.Output, row(resumeID, "x", ready(home, home)), resume.Ask{Fork: true})
		if err != nil || done.Run != nil || done.Said != "Demo: would run claude --resume "+resumeID+" --fork-session." {
			t.Errorf("got %+v, %v", done, err)
		}
	})
	t.Run("no client", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		d := resumeDeps(home)
		_, err := launch.ResumeSession(t.Context(), d.Env, d.Output, row(resumeID, "x", ready(home, home)), resume.Ask{})
		if err == nil || !strings.HasPrefix(err.Error(), "The command claude is not on the PATH. Install it, ") {
			t.Errorf("got %v", err)
		}
	})
}

func TestResumeDryRunOfFile(t *testing.T) {
	bin := fakeClaude(t)
	home := t.TempDir()
	file := filepath.Join(home, "copy", "projects", "x", resumeID+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	record := `{"type":"user","uuid":"u1","sessionId":"` + resumeID + `","cwd":"` + home + `","timestamp":"2026-11-21T10:00:00Z","message":{"role":"user","content":"hello"}}` + "\n"
	if err := os.WriteFile(file, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	d := resumeDeps(home)
	if code := execute(t.Context(), d.Env, d.Output, []string{"resume", file, "--dry-run"}); code != out.ExitDone {
		t.Fatalf("exit code %d, %v", code, d.Err.W)
	}
	want := "cd " + home + " && CLAUDE_CONFIG_DIR=" + filepath.Join(home, "copy") + " " + filepath.Join(bin, "claude") + " --resume " + resumeID + "\n"
	if got := fmt.Sprint(d.Out.W); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
