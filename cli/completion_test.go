package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

func newTree() *cobra.Command {
	return newRootCmd(newDeps(Program{Dir: "/", Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Now: now}).Env, newDeps(Program{Dir: "/", Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Now: now}).Output)
}

func allCommands(root *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, cmd := range root.Commands() {
		all = append(append(all, cmd), allCommands(cmd)...)
	}
	return all
}

func TestHelpNamesEverything(t *testing.T) {
	t.Parallel()
	root := newTree()
	flags := map[string]bool{}
	tree := append(allCommands(root), root)
	for _, cmd := range tree {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	}
	for _, cmd := range tree {
		if cmd.Hidden {
			continue
		}
		name := cmd.CommandPath()
		if cmd.Short == "" || strings.Contains(cmd.Short, "  ") || strings.HasSuffix(cmd.Short, ".") || len(cmd.Short) > 70 {
			t.Errorf("%s: its description is %q", name, cmd.Short)
		}
		if cmd.HasParent() && cmd.GroupID == "" && cmd.Parent() == root {
			t.Errorf("%s is below no heading", name)
		}
		if err := cmd.ParseFlags(nil); err != nil { // adds the persistent flags
			t.Fatal(err)
		}
		usage := cmd.UsageString()
		if !strings.HasPrefix(usage, "Usage:\n  "+name) {
			t.Errorf("%s: its help has no usage line:\n%s", name, usage)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.Contains(f.Usage, "  ") || strings.Contains(f.Usage, " for "+cmd.Name()) {
				t.Errorf("%s --%s: its description is %q", name, f.Name, f.Usage)
			}
			if f.Value.Type() != "bool" && f.NoOptDefVal == "" && !strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s takes a value that its help does not name", name, f.Name)
			}
			if !strings.Contains(usage, "--"+f.Name) {
				t.Errorf("%s: its help does not name --%s", name, f.Name)
			}
		})
		for _, flag := range regexp.MustCompile(`(claude )?--([a-z][a-z-]*)`).FindAllStringSubmatch(cmd.Long, -1) {
			if flag[1] == "" && !flags[flag[2]] {
				t.Errorf("%s: its help names --%s, which does not exist", name, flag[2])
			}
		}
		for line := range strings.Lines(cmd.Long + "\n" + usage) {
			if len([]rune(line)) > 121 {
				t.Errorf("%s: %q is too long", name, line)
			}
		}
	}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	found := 0
	for _, cmd := range append(allCommands(newTree()), newTree()) {
		for line := range strings.Lines(cmd.Example) {
			_, args, ok := strings.Cut(line, "continuo ")
			if !ok {
				continue
			}
			args, _, _ = strings.Cut(args, ")")
			words := strings.Fields(args)
			named, rest, err := newTree().Find(words)
			if err != nil || named.CommandPath() != cmd.CommandPath() && cmd.HasParent() && !cmd.HasSubCommands() {
				t.Errorf("%s: %q is an example of %s, %v", cmd.CommandPath(), line, named.CommandPath(), err)
			}
			for _, word := range rest {
				name, isFlag := strings.CutPrefix(word, "--")
				if isFlag && name == "" {
					break // words after -- belong to claude
				}
				if isFlag && named.Flag(name) == nil {
					t.Errorf("%s: %q has a flag that does not exist", cmd.CommandPath(), line)
				}
			}
			found++
		}
	}
	if found < 40 {
		t.Errorf("only %d examples were found", found)
	}
}

// complete runs __complete. It filters candidates by the last word, like a shell.
func complete(t *testing.T, r testRun, words ...string) (lines []string, directive cobra.ShellCompDirective) {
	t.Helper()
	r.args = append([]string{cobra.ShellCompRequestCmd}, words...)
	code, stdout, stderr := r.do(t)
	if code != out.ExitDone || !strings.HasPrefix(stderr, "Completion ended with directive: ") {
		t.Fatalf("%q: exit code %d, %q", words, code, stderr)
	}
	lines = strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if _, err := fmt.Sscanf(lines[len(lines)-1], ":%d", &directive); err != nil {
		t.Fatalf("%q: the last line is not a directive:\n%s", words, stdout)
	}
	typed := words[len(words)-1]
	if name, value, ok := strings.Cut(typed, "="); ok && strings.HasPrefix(name, "--") {
		typed = value
	}
	return slices.DeleteFunc(lines[:len(lines)-1], func(line string) bool { return !strings.HasPrefix(line, typed) }), directive
}

func TestComplete(t *testing.T) {
	t.Parallel()
	const (
		none = cobra.ShellCompDirectiveNoFileComp
		keep = cobra.ShellCompDirectiveKeepOrder
		dirs = cobra.ShellCompDirectiveFilterDirs
		// files is cobra's directive for a wrong command line.
		files = cobra.ShellCompDirectiveDefault
	)
	rows := append(teahouse(), row("3f9$(reboot)", "A trap"), row("-3f9", "A flag"), row("3f9 b", "Two words"), row("3f9b`x`", "A call"),
		row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "The same id"), row("3f9000", "A \x1b[31mcopy", kind(sessions.KindBackup)),
		row("3f9111", "", state(sessions.StateStub)), row("3f9c", "Title\tand \x1b[31mred\nlines"))
	const first = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35\tFix refresh token race at midnight"
	tests := []struct {
		words []string
		want  []string
		do    cobra.ShellCompDirective
	}{
		{[]string{"lis"}, []string{"list\tList the sessions of this project, newest first"}, none},
		{[]string{"--json", "lis"}, []string{"list\tList the sessions of this project, newest first"}, none},
		{[]string{"--claude-dir", ".", "vers"}, []string{"version\tPrint the version of continuo and of Go"}, none},
		{[]string{"__"}, nil, none},
		{[]string{"list", ""}, nil, none},
		{[]string{"nothing", ""}, nil, none},
		{[]string{"list", "--st"}, []string{"--state\tlist this `STATE`: ok, empty, stub, damaged or unreadable; separate several by commas"}, none},
		{[]string{"list", "--json", "--js"}, nil, none},
		{[]string{"list", "--nope", "--st"}, nil, files},
		{[]string{"list", "--limit", "many", "--st"}, nil, files},
		{[]string{"list", "--claude-dir", "a", "--claude"}, []string{"--claude-dir\tlook in `PATH` instead of ~/.claude; repeat for several"}, none},
		{[]string{"list", "--state", ""}, []string{"ok", "empty", "stub", "damaged", "unreadable"}, none | keep},
		{[]string{"list", "--state", "d"}, []string{"damaged"}, none | keep},
		{[]string{"list", "--state=st"}, []string{"stub"}, none | keep},
		{[]string{"list", "--state", "ok,st"}, []string{"ok,stub"}, none | keep},
		{[]string{"list", "--state", "ok,o"}, nil, none | keep},
		{[]string{"list", "--state", "\x1b[31m,o"}, nil, none | keep},
		{[]string{"list", "--kind", "b"}, []string{"backup"}, none | keep},
		{[]string{"--color", ""}, []string{"auto", "always", "never"}, none | keep},
		{[]string{"--color", "a,n"}, nil, none | keep},
		{[]string{"resume", "--in", "w"}, []string{"window"}, none | keep},
		{[]string{"copy", "3f9ac", "an"}, []string{"answer\tthe last answer, as markdown"}, none | keep},
		{[]string{"copy", "--latest", "an"}, []string{"answer\tthe last answer, as markdown"}, none | keep},
		{[]string{"resume", "--latest", "--", ""}, nil, none},
		{[]string{"list", "--project", ""}, nil, dirs},
		{[]string{"list", "--project=x"}, nil, dirs},
		{[]string{"list", "--since", ""}, nil, none},
		{[]string{"list", "--=x"}, nil, none},
		{[]string{"list", "--none=x"}, nil, files},
		{[]string{"help", "pa"}, []string{"path\tPrint the path of a session's file"}, none},
		{[]string{"completion", "f"}, []string{"fish"}, none},
		{[]string{"completion", "fish", ""}, nil, none},
		{[]string{"show", "3f9"}, []string{first, "3f9c\tTitle and red lines"}, keep},
		{[]string{"path", "3f9ac"}, []string{first}, keep},
		{[]string{"show", "--", "3f9a"}, []string{first}, keep},
		{[]string{"show", "--", "--"}, nil, keep},
		{[]string{"show", "ffff"}, nil, keep},
		{[]string{"show", "./"}, nil, cobra.ShellCompDirectiveDefault},
		{[]string{"show", "3f9ac", ""}, nil, none},
		{[]string{"show", "--latest", ""}, nil, none},
		{[]string{"--claude-dir", "nowhere", "show", ""}, nil, cobra.ShellCompDirectiveDefault},
		{[]string{"__complete", "show", ""}, nil, none},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.words, " "), func(t *testing.T) {
			t.Parallel()
			got, do := complete(t, testRun{src: fakeSource{rows: rows, err: errors.New("a directory is locked")}}, tt.words...)
			if !slices.Equal(got, tt.want) || do != tt.do {
				t.Errorf("%q, directive %d\nwant %q, directive %d", got, do, tt.want, tt.do)
			}
		})
	}
}

func TestCompleteBounds(t *testing.T) {
	t.Parallel()
	var rows []sessions.Row
	for i := range 3 * find.SessionCandidates {
		rows = append(rows, row(fmt.Sprintf("%08d", i), strings.Repeat("long ", 100), ago(time.Duration(i)*time.Minute)))
	}
	r := testRun{src: fakeSource{rows: rows}}
	got, _ := complete(t, r, "show", "")
	if len(got) != find.SessionCandidates || !strings.HasPrefix(got[0], "00000000\t") || len(got[0]) > 100 {
		t.Errorf("%d sessions, the first %q", len(got), got[0])
	}
	if got, _ := complete(t, r, "show", "00000599"); len(got) != 1 {
		t.Errorf("an old session is not found by its id: %q", got)
	}
	if got, _ := complete(t, r, ""); len(got) < 5 {
		t.Errorf("nothing typed at all: %q", got)
	}
	r.args = []string{cobra.ShellCompNoDescRequestCmd, "show", ""}
	if _, stdout, _ := r.do(t); strings.Contains(stdout, "\t") || !strings.HasPrefix(stdout, "00000000\n") {
		t.Errorf("without descriptions: %.60q", stdout)
	}
}

func TestFlagValues(t *testing.T) {
	t.Parallel()
	for flag, command := range map[string][]string{
		"state": {"list"}, "kind": {"list"}, "color": {"list"}, "in": {"resume", "3f9"}, "take": {"resume", "3f9"}, "status": {"save"},
	} {
		words, _ := complete(t, testRun{}, command[0], "--"+flag, "")
		_, _, stderr := testRun{args: append(command, "--"+flag, "nothing")}.do(t)
		_, takes, found := strings.Cut(stderr, "--"+flag+" takes ")
		takes, _, _ = strings.Cut(takes, ", not nothing.")
		taken := strings.Split(strings.ReplaceAll(takes, " or ", ", "), ", ")
		slices.Sort(words)
		slices.Sort(taken)
		if !found || !slices.Equal(words, taken) {
			t.Errorf("--%s offers %q, and says %q", flag, words, stderr)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range shells() {
		_, stdout, stderr := testRun{args: []string{"completion", shell}}.do(t)
		if !strings.Contains(stdout, "__complete") || !strings.Contains(stdout, "continuo") || stderr != "" {
			t.Errorf("%s: %.200q, %q", shell, stdout, stderr)
		}
		_, asJSON, _ := testRun{args: []string{"completion", shell, "--json"}}.do(t)
		var got script
		if err := json.Unmarshal([]byte(asJSON), &got); err != nil || got.Text != stdout || got.Shell != shell || got.File == "" {
			t.Errorf("%s --json: %v, %.200q", shell, err, asJSON)
		}
	}
	if offered, _ := complete(t, testRun{}, "completion", ""); !slices.Equal(offered, shells()) {
		t.Errorf("completion offers %v", offered)
	}
}

func TestCompletionErrors(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"completion"}, "✗ completion takes a shell: bash, zsh, fish or powershell.\n"},
		{[]string{"completion", "tcsh"}, "✗ completion takes bash, zsh, fish or powershell, not tcsh.\n"},
		{[]string{"completion", "bash", "zsh"}, "✗ completion takes one shell, not 2 words.\n"},
		{[]string{"completion", "--dir", ""}, "✗ --dir takes a directory, but it is empty."},
		{[]string{"completion", "--dir", file}, "cannot be written: not a directory. Name another directory with --dir PATH.\n"},
		{[]string{"man", "--dir", ""}, "✗ --dir takes a directory, but it is empty."},
		{[]string{"man", "--dir", file}, "cannot be written: not a directory. Name another directory with --dir PATH.\n"},
		{[]string{"man", "list"}, "✗ man takes no argument list."},
	} {
		code, stdout, stderr := testRun{args: tt.args}.do(t)
		if code != out.ExitFailed || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: exit code %d, %q, %q", tt.args, code, stdout, stderr)
		}
	}
}

// TestWritePages: a symlink is replaced and not followed.
func TestWritePages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(into, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(into, "_continuo")); err != nil {
		t.Skip("no links here")
	}
	_, stdout, _ := testRun{args: []string{"completion", "--dir", into}}.do(t)
	_, page, _ := testRun{args: []string{"man", "--dir", into, "--json"}}.do(t)
	var got struct{ Files []string }
	if err := json.Unmarshal([]byte(page), &got); err != nil || len(got.Files) != 1 {
		t.Fatalf("%v, %q", err, page)
	}
	want := []string{"_continuo", "continuo.1", "continuo.bash", "continuo.fish", "continuo.ps1"}
	entries, err := os.ReadDir(into)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		path := filepath.Join(into, e.Name())
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o644 || info.Size() < 1000 {
			t.Errorf("%s: %v, %d bytes, %v", e.Name(), info.Mode(), info.Size(), err)
		}
		if !slices.Contains(append(strings.Split(stdout, "\n"), got.Files...), path) {
			t.Errorf("%s was not named", path)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
		t.Errorf("the file behind a link says %.20q now, %v", text, err)
	}
	if _, one, _ := (testRun{args: []string{"completion", "zsh", "--dir", filepath.Join(dir, "c")}}).do(t); strings.Count(one, "\n") != 1 {
		t.Errorf("one shell wrote %q", one)
	}
}
