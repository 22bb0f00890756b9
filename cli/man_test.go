package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestManPage(t *testing.T) {
	t.Parallel()
	page := manPage(newTree(), "1.2.3")
	if again := manPage(newTree(), "1.2.3"); again != page {
		t.Error("the page differs the second time")
	}
	at := 0
	for _, want := range []string{
		".TH CONTINUO 1 \"\" \"continuo 1.2.3\" \"User Commands\"\n", ".SH NAME\ncontinuo \\- Find", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n",
		".SH OPTIONS\n", "\\-\\-claude\\-dir PATH", ".SH COMMANDS\n", "\\fBcontinuo list [flags]\\fP\n", "\\fBcontinuo version [flags]\\fP\n", ".SH EXIT STATUS\n",
		"\\fB70\\fP\na bug\n", ".SH FILES\n", ".SH ENVIRONMENT\n", "\\fBNO_COLOR\\fP\n",
	} {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind byte %d of\n%s", want, at, page)
		}
		at += i
	}
	roffWord := strings.NewReplacer("-", `\-`, ".", `\&.`)
	for _, cmd := range allCommands(newTree()) {
		flags := cmd.LocalFlags()
		heading := "\n\\fB" + roffWord.Replace(cmd.UseLine()) + "\\fP\n"
		_, section, found := strings.Cut(page, heading)
		if section, _, _ = strings.Cut(section, "\n\\fBcontinuo "); found == cmd.Hidden || strings.Count(page, heading) > 1 {
			t.Errorf("%s: in the page is %v, hidden %v", cmd.CommandPath(), found, cmd.Hidden)
		}
		flags.VisitAll(func(f *pflag.Flag) {
			if name := "\n\\fB" + roffWord.Replace("--"+f.Name); !strings.Contains(section, name) {
				t.Errorf("%s: its section has no --%s", cmd.CommandPath(), f.Name)
			}
		})
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' }) {
			t.Errorf("line %d is not plain: %q", i+1, line)
		}
		if regexp.MustCompile(`^[.'](TH|nh|ad|SH|PP|TP|RS|RE)?`).FindString(line) == "." || strings.HasPrefix(line, "'") {
			t.Errorf("line %d is not a known request: %q", i+1, line)
		}
	}
}

func TestManRenders(t *testing.T) {
	t.Parallel()
	page := manPage(newTree(), "1.2.3")
	for _, tool := range [][]string{
		{"groff", "-man", "-ww", "-Tutf8"}, {"groff", "-man", "-ww", "-Tascii"}, {"groff", "-man", "-ww", "-Tutf8", "-rLL=58n"}, {"mandoc", "-Tlint", "-Wwarning"},
	} {
		t.Run(strings.Join(tool, " "), func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(tool[0])
			if err != nil {
				t.Skipf("%s is not installed", tool[0])
			}
			cmd := exec.CommandContext(t.Context(), path, tool[1:]...)
			var out, errs bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(page), &out, &errs
			if err := cmd.Run(); err != nil || errs.Len() > 0 {
				t.Fatalf("%v\n%s%s", err, errs.String(), out.String())
			}
			if tool[0] != "groff" {
				return
			}
			text := regexp.MustCompile("\x1b\\[[0-9;]*m|.\b").ReplaceAllString(out.String(), "")
			for _, want := range []string{"continuo list [flags]", "--claude-dir PATH", "~/.claude", "list couldn't be read", `"Title: text"`} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

func TestManEnvironment(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`etenv\("([A-Z_]+)"\)`)
	found := 0
	for _, name := range append(files, below...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllSubmatch(source, -1) {
			found++
			switch variable := string(m[1]); variable {
			case "HOME", "PATH", "USERPROFILE": // every program uses these
			default:
				if !regexp.MustCompile(`(?m)^  ([A-Z_]+, )*` + variable + `[ ,]`).MatchString(manEnvironment) {
					t.Errorf("%s asks for %s, and the manual does not name it", name, variable)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d places were found", found)
	}
}
