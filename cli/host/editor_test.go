package host

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestEditorOfTheSystem: no variable is set.
func TestEditorOfTheSystem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake editor is a shell script")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "nano")
	putProgram(t, program, "#!/bin/sh\n")
	t.Setenv("PATH", dir)
	argv, err := Host{}.Editor("x", 0)
	if err != nil || !slices.Equal(argv, []string{program, "x"}) {
		t.Errorf("%q, %v", argv, err)
	}
	if err := os.Rename(program, filepath.Join(dir, "vi")); err != nil {
		t.Fatal(err)
	}
	if argv, err = (Host{}).Editor("x", 3); err != nil || len(argv) != 3 || filepath.Base(argv[0]) != "vi" {
		t.Errorf("%q, %v", argv, err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err = (Host{}).Editor("x", 0); !errors.Is(err, errNoEditor) {
		t.Errorf("%v", err)
	}
}

func TestAtLine(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"vi": "+7 /x/y", "/usr/bin/vim.basic": "+7 /x/y", "nvim": "+7 /x/y", "nano": "+7 /x/y", "emacs": "+7 /x/y", "emacsclient": "+7 /x/y",
		"kak": "+7 /x/y", "ne": "+7 /x/y", "joe": "+7 /x/y", "micro": "+7 /x/y", "hx": "/x/y:7", "helix": "/x/y:7", "zed": "/x/y:7", "subl": "/x/y:7",
		"code": "--goto /x/y:7", "Code.CMD": "--goto /x/y:7", "code-insiders": "--goto /x/y:7", "codium": "--goto /x/y:7", "cursor": "--goto /x/y:7",
		"windsurf": "--goto /x/y:7", "idea": "--line 7 /x/y", "idea.sh": "--line 7 /x/y", "idea64.exe": "--line 7 /x/y", "goland": "--line 7 /x/y",
		"notepad": "/x/y", "ed": "/x/y", "": "/x/y",
	} {
		if got := strings.Join(atLine(program, "/x/y", 7), " "); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
		if got := strings.Join(atLine(program, "/x/y", 0), " "); got != "/x/y" {
			t.Errorf("%s without a line: %s", program, got)
		}
	}
	for program, want := range map[string]string{"vim": "+7 /x/y:3", "hx": "/x/y:3", "code": "/x/y:3", "idea": "--line 7 /x/y:3"} {
		if got := strings.Join(atLine(program, "/x/y:3", 7), " "); got != want {
			t.Errorf("%s with a colon in the name: %s, want %s", program, got, want)
		}
	}
}

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"a":                {"a"},
		" a \t b\n":        {"a", "b"},
		`'a b'"c d"e`:      {"a bc de"},
		`'a\b' "a\b\\\"c"`: {`a\b`, `a\b\"c`},
		`a\ b\'`:           {"a b'"},
		`a\`:               {`a\`},
		`''`:               {""},
		`"'" '"'`:          {"'", `"`},
		`"`:                nil,
		`a 'b`:             nil,
		`"a\"`:             nil,
	} {
		got, err := splitWords(s, true)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q gives %q, %v", s, got, err)
		}
	}
	if got, err := splitWords(`"C:\Program Files\x.exe" -a C:\y`, false); err != nil || !slices.Equal(got, []string{`C:\Program Files\x.exe`, "-a", `C:\y`}) {
		t.Errorf("%q, %v", got, err)
	}
}
