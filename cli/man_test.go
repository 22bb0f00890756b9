package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestManPage(t *testing.T) {
	t.Parallel()
	root := newTree()
	page := manPage(root, "1.2.3")
	if again := manPage(newTree(), "1.2.3"); again != page {
		t.Error("the page is another one the second time")
	}
	at := 0
	for _, want := range []string{
		".TH CONTINUO 1 \"\" \"continuo 1.2.3\" \"User Commands\"\n", ".SH NAME\ncontinuo \\- finds", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n",
		".SH OPTIONS\n", "\\-\\-claude\\-dir", ".SH COMMANDS\n", ".SS \"continuo list\"\n", ".SS \"continuo version\"\n", ".SH \"EXIT STATUS\"\n",
		"\\fB70\\fR\na bug\n", ".SH FILES\n", ".SH ENVIRONMENT\n", "\\fBNO_COLOR\\fR\n",
	} {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind byte %d of\n%s", want, at, page)
		}
		at += i
	}
	for _, cmd := range root.Commands() {
		if n := strings.Count(page, ".SS \"continuo "+cmd.Name()+"\"\n"); n != 1 && !cmd.Hidden || n != 0 && cmd.Hidden {
			t.Errorf("%s has %d sections", cmd.Name(), n)
		}
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' }) {
			t.Errorf("line %d is not plain: %q", i+1, line)
		}
		if regexp.MustCompile(`^[.'](TH|nh|ad|SH|SS|br|PP|TP|RS|RE|\\")?`).FindString(line) == "." {
			t.Errorf("line %d is no request: %q", i+1, line)
		}
	}
}

func TestRoff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`a\b`:               `a\(rsb`,
		"tool-call":         "tool-call",
		"--claude-dir":      `\-\-claude\-dir`,
		"(--a-b)":           `(\-\-a\-b)`,
		"2026-11-21":        `2026\-11\-21`,
		"-p runs":           `\-p runs`,
		"~/.local/my-state": `\(ti/.local/my\-state`,
		"'quoted' \"`^":     `\(aqquoted\(aq \(dq\(ga\(ha`,
		"0 done · 1":        "0 done; 1",
		`{"id":…}`:          `{\(dqid\(dq:...}`,
		"“é”":               `\[u201C]\[u00E9]\[u201D]`,
		"🙂":                 `\[u1F642]`,
		"two  blanks":       "two  blanks",
		"":                  "",
	} {
		if got := roffText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for term, want := range map[string]string{
		"--in here|window": `\fB\-\-in\fR \fBhere|window\fR`,
		"help [COMMAND]":   `\fBhelp\fR [\fICOMMAND\fR]`,
		"[A|B] …":          `[\fIA|B\fR] ...`,
		"-Z":               `\fB\-Z\fR`,
	} {
		if got := roffTerm(term); got != want {
			t.Errorf("%q: %q, want %q", term, got, want)
		}
	}
	var r roff
	r.line(".so /etc/passwd")
	r.line(roffText("'.request"))
	r.macro("SS", `.x "y"`)
	r.paragraph([]string{".first"})
	r.paragraph(nil)
	r.entries([]helpEntry{{".term", ".words"}, {"alone", ""}}, roffText)
	want := "\\&.so /etc/passwd\n\\(aq.request\n.SS \".x \\(dqy\\(dq\"\n\\&.first\n.TP 24\n\\&.term\n\\&.words\n.PP\n.RS 4\nalone\n.RE\n"
	if got := r.b.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestManRenders has groff and mandoc, where they are installed, take the page without a warning.
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
			for _, want := range []string{"continuo list prints", "--claude-dir PATH", "~/.claude", `"-" is unknown`, "empty; 2 when"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

// TestManEnvironment: whatever variable a command asks for is in the manual.
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
			case "HOME", "PATH", "USERPROFILE": // as everywhere
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
