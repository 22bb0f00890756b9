//go:build unix

package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
)

// fakeBr puts a script on the PATH. It returns an environment and a project root.
func fakeBr(t *testing.T, name, script string) (d *deps, root string) {
	t.Helper()
	bin, root := t.TempDir(), t.TempDir()
	putProgram(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
	return newDeps(Program{
		Dir: root, Env: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir()},
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
	}), root
}

func programOf(d *deps, root string) *place.Beads {
	return place.BeadsOf(d.Host, &ledger.Project{Root: root, Beads: filepath.Join(root, ".beads")})
}

func TestBr(t *testing.T) {
	t.Parallel()
	d, root := fakeBr(t, "br", `case "$1" in
ready) pwd >where; echo '[{"id":"br-1","title":"Move it","status":"open","priority":1},{"id":"br-2","status":"open"}]';;
show) [ "$#" = 3 ] && [ "$3" = --json ] && printf '[{"id":"%s","status":"open"}]' "$2";;
comments) printf '%s\n' "$@" >said;;
esac`)
	list, err := programOf(d, root).Ready(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != "br-1" || list[0].Title != "Move it" {
		t.Errorf("brReady is %v, %v", list, err)
	}
	if where, _ := os.ReadFile(filepath.Join(root, "where")); len(where) == 0 {
		t.Error("br did not run in the project")
	}
	if b, err := programOf(d, root).Show(t.Context(), "br-7"); err != nil || b.ID != "br-7" {
		t.Errorf("brShow is %v, %v", b, err)
	}
	for text, want := range map[string]string{
		"DECISION: $(touch x) `touch x`\nRationale: \"why\"": "comments\nadd\nbr-7\nDECISION: $(touch x) `touch x`\nRationale: \"why\"\n",
		"--help": "comments\nadd\nbr-7\n--\n--help\n",
	} {
		if err := programOf(d, root).Comment(t.Context(), "br-7", text); err != nil {
			t.Fatal(err)
		}
		if comment, _ := os.ReadFile(filepath.Join(root, "said")); string(comment) != want {
			t.Errorf("br got %q, want %q", comment, want)
		}
	}
}

func TestBrRefuses(t *testing.T) {
	t.Parallel()
	d, root := fakeBr(t, "br", "touch ran")
	for _, id := range []string{"", "-x", "--json", "a b", "a\nb"} {
		if _, err := programOf(d, root).Show(t.Context(), id); err == nil {
			t.Errorf("br was asked for %q", id)
		}
	}
	for _, text := range []string{"", " \n", "a\x00b", strings.Repeat("x", place.BrText+1)} {
		if err := programOf(d, root).Comment(t.Context(), "a", text); err == nil {
			t.Errorf("br got the comment %.9q", text)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "ran")); err == nil {
		t.Error("br ran")
	}
}

func TestBrFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script, want string
		code         int
	}{
		"says why":    {`echo 'INFO {' >/dev/null; echo '{"error":{"code":"ISSUE_NOT_FOUND","message":"Issue not found: a","hint":"Did you mean b?","retryable":false}}' >&2; exit 3`, "br could not show a: Issue not found: a. Did you mean b?", out.ExitNone},
		"of bd":       {`echo '{"error":"no database"}' >&2; exit 1`, "br could not show a: no database.", out.ExitFailed},
		"words":       {`printf 'warn\nError: no \033[31mdatabase\n\n' >&2; exit 1`, "br could not show a: no database.", out.ExitFailed},
		"silent":      {`exit 2`, "br could not show a: it ended with exit code 2.", out.ExitFailed},
		"no json":     {`echo hello`, "The output of br could not be parsed: beads: invalid character 'h' looking for beginning of value. Run it yourself.", out.ExitFailed},
		"no bead":     {`echo '[]'`, "The output of br could not be parsed: no bead found. Run it yourself.", out.ExitFailed},
		"too much":    {`head -c 9000000 /dev/zero`, "br could not show a: its output is longer than 8 MB.", out.ExitFailed},
		"bad program": {`}`, "", out.ExitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := fakeBr(t, "br", c.script)
			_, err := programOf(d, root).Show(t.Context(), "a")
			f, ok := errors.AsType[*out.Failure](err)
			if !ok || c.want != "" && f.What != c.want || f.ExitCode() != c.code {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestBrMissing(t *testing.T) {
	t.Parallel()
	d, root := fakeBr(t, "bd", `echo '{"schema_version":2,"data":[{"id":"bd-1"}]}'`)
	if list, err := programOf(d, root).Ready(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("bd: %v, %v", list, err)
	}
	d.Host.Environ = append(d.Host.Environ, "PATH="+t.TempDir())
	_, err := programOf(d, root).Ready(t.Context())
	if f, ok := errors.AsType[*out.Failure](err); !ok || !errors.Is(err, host.ErrNoBr) || f.ExitCode() != out.ExitFailed {
		t.Errorf("error is %v", err)
	}
	if name := programOf(d, root).Name; name != "" {
		t.Errorf("the program is %s", name)
	}
}
