package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

const resumeID = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"

// fakeClaude puts a claude on the PATH that says where and how it was started, and returns its folder.
func fakeClaude(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake client is a shell script")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\nprintf '%s\\n' \"$PWD\" \"$(pwd -P)\" \"${CLAUDE_CONFIG_DIR-unset}\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return bin
}

func resumeDeps(home string, env ...string) *deps {
	return newDeps(Program{
		Env: append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, env...), Dir: home, Now: now,
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
	})
}

// ready makes a row one that can be resumed: its file is there, and somebody said something.
func ready(dir, workdir string) func(*sessions.Row) {
	return func(r *sessions.Row) {
		r.Dir, r.Project, r.Workdir, r.Messages = dir, workdir, workdir, 2
		r.Path = os.Args[0] // a file that is there
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
		{"unknown directory", "", "", "unset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			r := row(resumeID, "x", ready(work, work), func(r *sessions.Row) { r.Dir = tt.dir })
			var env []string
			if tt.env != "" {
				env = append(env, tt.env)
			}
			run, err := resumeDeps(home, env...).resume(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
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

// TestResumeLiveNow: the registry is asked at the key, in both directions, not when the list was made.
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
	idle := row(resumeID, "x", ready(home, home))
	if _, err := resumeDeps(home).resume(t.Context(), idle); err == nil || !strings.HasPrefix(err.Error(), "Open in process ") {
		t.Errorf("a session that went live: %v", err)
	}
	if err := os.Remove(entry); err != nil {
		t.Fatal(err)
	}
	live := row(resumeID, "x", ready(home, home), flags(sessions.FlagLive), func(r *sessions.Row) { r.Live = &sessions.Live{PID: 42} })
	if _, err := resumeDeps(home).resume(t.Context(), live); err != nil {
		t.Errorf("a session that was left: %v", err)
	}
}

// TestResumeExit: that the client failed is said, for the browser covers what it printed.
func TestResumeExit(t *testing.T) {
	bin := fakeClaude(t)
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run, err := resumeDeps(dir).resume(t.Context(), row(resumeID, "x", ready(dir, dir)))
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(); err == nil || err.Error() != "claude ended with exit code 3. To see why: claude --resume "+resumeID {
		t.Errorf("after exit code 3: %v", err)
	}
	if run, err = resumeDeps(dir).resume(t.Context(), row(resumeID, "x", ready(dir, dir))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	if err := run.Run(); err == nil || !strings.HasPrefix(err.Error(), "run claude in ") {
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
		want   string
	}{
		{"folder gone", in(home, filepath.Join(home, "gone")), "The folder ~/gone is gone. Bring it back, then resume."},
		{"folder is a file", in(home, file), "~/file, where this session was, is no folder any more. Bring it back, then resume."},
		{"folder below a file", in(home, filepath.Join(file, "x")), "The folder ~/file/x cannot be opened: not a directory. Open it up, then resume."},
		{"folder unknown", in("", ""), "The transcript does not say which folder the session is of. Start it there: claude --resume " + resumeID},
		{"folder not whole", in("", "code"), "The folder of this session is code, which is no whole path. It can only be read."},
		{"a backup", kind(sessions.KindBackup), "A backup cannot be resumed. Choose a session."},
		{"a document", kind(sessions.KindDocument), "A document cannot be resumed. Choose a session."},
		{"live", func(r *sessions.Row) { r.Live = &sessions.Live{PID: 42, Cwd: home + "/x"} }, "Open in process 42 in ~/x. Leave it there first: two writers hide each other's messages."},
		{"live, process unknown", flags(sessions.FlagLive), "Open elsewhere. Leave it there first: two writers hide each other's messages."},
		{"not resumable", flags(sessions.FlagNotResumable), ", so claude cannot resume it. It can only be read."},
		{"an id like a flag", func(r *sessions.Row) { r.ID = "--dangerously-skip-permissions" }, ", so claude cannot resume it. It can only be read."},
		{"only a copy", flags(sessions.FlagBackupOnly), "Only a copy of this session is left"},
		{"unreadable", state(sessions.StateUnreadable), "cannot be read. Check the file and its mode."},
		{"a stub", state(sessions.StateStub), "This session has no messages"},
		{"empty", state(sessions.StateEmpty), "This session has no messages"},
		{"damaged, without a message", func(r *sessions.Row) { r.State, r.Messages = sessions.StateDamaged, 0 }, "This session has no messages"},
		{"file gone", func(r *sessions.Row) { r.Path = filepath.Join(home, "gone.jsonl") }, "The file of this session is gone: ~/gone.jsonl."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := row(resumeID, "x", ready(home, home))
			tt.change(&r)
			_, err := resumeDeps(home).resume(t.Context(), r)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	t.Run("a demo", func(t *testing.T) {
		_, err := resumeDeps(home).inside(home).resume(t.Context(), row(resumeID, "x", ready(home, home)))
		if err == nil || err.Error() != "This is a demo: there is nothing to resume." {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no client", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := resumeDeps(home).resume(t.Context(), row(resumeID, "x", ready(home, home)))
		if err == nil || err.Error() != "The command claude is not on the PATH. Install it, or add its folder to PATH." {
			t.Errorf("got %v", err)
		}
	})
}
