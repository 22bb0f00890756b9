package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
)

// fakeEditor writes an editor that records its arguments in notes.
func fakeEditor(t *testing.T, name string) (program, notes string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake editor is a shell script")
	}
	dir := t.TempDir()
	program, notes = filepath.Join(dir, name), filepath.Join(dir, "notes")
	script := "#!/bin/sh\nprintf '%s\\0' \"$@\" >\"$(dirname \"$0\")/notes\"\nprintf '%s\\n' \"$MARK\"\n"
	putProgram(t, program, script)
	return program, notes
}

func editorDeps(dir string, env ...string) *deps {
	return newDeps(Program{
		Env: append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, env...), Dir: dir, Now: now,
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
	})
}

func TestEditor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	odd := filepath.Join(home, "-c touch x; $(touch y) 'é\".go")
	for _, f := range []string{odd, filepath.Join(home, "x.go")} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, editor, args string // args: the arguments after the program
		file               string
		line               int
		want               []string
	}{
		{"at a line", "vim", "", odd, 7, []string{"+7", odd}},
		{"no line", "vim", "", odd, 0, []string{odd}},
		{"no editor that is known", "edit", "", odd, 7, []string{odd}},
		{"arguments", "code", ` --wait  'a b' "c\"d" e\ f ''`, odd, 7, []string{"--wait", "a b", `c"d`, "e f", "", "--goto", odd + ":7"}},
		{"nothing is expanded", "nano", ` $HOME ~ *  # x`, odd, 7, []string{"$HOME", "~", "*", "#", "x", "+7", odd}},
		{"a path from here", "hx", "", "x.go", 7, []string{filepath.Join(home, "x.go") + ":7"}},
		{"a path like an option", "hx", "", filepath.Base(odd), 0, []string{odd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			program, notes := fakeEditor(t, c.editor)
			for _, env := range [][]string{
				{"VISUAL=" + program + c.args, "EDITOR=/no/such"},
				{"VISUAL= ", "EDITOR=" + program + c.args},
			} {
				d := editorDeps(home, append(env, "MARK=here")...)
				run, err := launch.OpenEditor(t.Context(), d.Env, d.Output, c.file, c.line)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				run.SetStdin(strings.NewReader(""))
				run.SetStdout(&out)
				run.SetStderr(&out)
				if err := run.Run(); err != nil || out.String() != "here\n" {
					t.Fatalf("%v, %q", err, out.String())
				}
				got, err := os.ReadFile(notes)
				if want := strings.Join(c.want, "\x00") + "\x00"; err != nil || string(got) != want {
					t.Errorf("got %q, want %q, %v", got, want, err)
				}
			}
		})
	}
	t.Run("a program with blanks in its path", func(t *testing.T) {
		t.Parallel()
		program, notes := fakeEditor(t, "my vim")
		d := editorDeps(home, "VISUAL="+program)
		run, err := launch.OpenEditor(t.Context(), d.Env, d.Output, odd, 0)
		if err != nil {
			t.Fatal(err)
		}
		run.SetStdin(strings.NewReader(""))
		run.SetStdout(&bytes.Buffer{})
		run.SetStderr(&bytes.Buffer{})
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(notes); err != nil || string(got) != odd+"\x00" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestEditorRefused(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	program, notes := fakeEditor(t, "vi")
	file := filepath.Join(home, "x")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, env, file, want string }{
		{"gone", "VISUAL=" + program, home + "/gone/y\x1b[31m.go", "The file ~/gone/y.go is gone."},
		{"below a file", "VISUAL=" + program, file + "/y", "The file ~/x/y cannot be opened: not a directory."},
		{"a name that cannot be", "VISUAL=" + program, home + "/a\x00b", "The file ~/ab cannot be opened: invalid argument."},
		{"a folder", "VISUAL=" + program, home, "~ is a folder. Only regular files can be opened."},
		{"a device", "VISUAL=" + program, os.DevNull, "/dev/null isn't a regular file. Only regular files can be opened."},
		{"no file", "VISUAL=" + program, "", "The selection names no file. Select a tool call that names a file."},
		{"not installed", "EDITOR=no-such-editor -x", file, "The editor no-such-editor of EDITOR cannot be found. Install it, or set EDITOR to another."},
		{"no program", "VISUAL='' x", file, `The editor "" of VISUAL cannot be found. Install it, or set VISUAL to another.`},
		{"open quotes", "VISUAL=" + program + " 'x", file, "The value of VISUAL ends inside quotes. Fix it, then open the file again."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := editorDeps(home, c.env)
			_, err := launch.OpenEditor(t.Context(), d.Env, d.Output, c.file, 3)
			if err == nil || err.Error() != c.want || out.AsFailure(err).ExitCode() != out.ExitFailed {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := os.Stat(notes); err == nil {
		t.Error("an editor was started")
	}
}

func TestNoEditor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	home := t.TempDir()
	file := filepath.Join(home, "x")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := editorDeps(home)
	if _, err := launch.OpenEditor(t.Context(), d.Env, d.Output, file, 0); err == nil || err.Error() != "No editor was found. Set VISUAL or EDITOR to an editor." {
		t.Errorf("%v", err)
	}
}
