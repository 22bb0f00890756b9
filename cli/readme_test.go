package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestReadme runs the `$ continuo …` lines of the README and the docs in a demo project.
func TestReadme(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	stats, err := demo.Write(t.Context(), filepath.Join(home, ".claude"), demo.Options{Now: now(), Root: home})
	if err != nil {
		t.Fatal(err)
	}
	client, conf := filepath.Join(home, "claude"), filepath.Join(home, ".config", "continuo", "config.toml")
	for path, text := range map[string]string{
		client: "#!/bin/sh\necho '2.1.329 (Claude Code)'\n", conf: "[claude]\ncommand = '" + client + "'\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		putProgram(t, path, text)
	}
	project := stats.List[0].Workdir
	for path, text := range map[string]string{
		"grimoires/loa/NOTES.md": "# Notes\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - Leeway is 30 s\n",
		"grimoires/loa/a2a/trajectory/implementing-tasks-2026-11-20.jsonl": `{"ts":"2026-11-20T10:00:00Z","phase":"cite","claim":"Leeway is 30 s","grounding":"assumption"}` + "\n",
		".beads/issues.jsonl": `{"id":"tea-1","title":"Brew","status":"open","priority":1,"issue_type":"task"}` + "\n",
	} {
		path = filepath.Join(project, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md", "../docs/bench/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ continuo")
			if !ok {
				continue
			}
			var stdout, stderr bytes.Buffer
			d := newDeps(Program{
				Env: []string{"HOME=" + home}, Dir: project, Now: now, Version: "1.2.3",
				Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			})
			code := execute(t.Context(), d.Env, d.Output, strings.Fields(command))
			if code == out.ExitNo && strings.TrimSpace(command) == "doctor" { // doctor has findings in every demo
				code = out.ExitDone
			}
			quiet := strings.TrimSpace(command) == "notes lint" // in a pipe, notes lint prints nothing if it has no findings
			if code != out.ExitDone || stdout.Len() == 0 && !quiet {
				t.Errorf("%s: continuo%s: exit code %d, %q %q", page, command, code, stdout.String(), stderr.String())
			}
			ran++
		}
	}
	if ran < 5 {
		t.Errorf("only %d lines were found", ran)
	}
}

func TestReadmeLinks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`\]\(([^)#]+)\)|(?:src|srcset)="([^"]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(found) < 5 {
		t.Errorf("only %d links were found", len(found))
	}
	for _, link := range found {
		path := link[1] + link[2]
		if strings.Contains(path, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join("..", path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestInlineCommands checks the commands that TestReadme doesn't run: they and their flags must exist.
func TestInlineCommands(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	inline := regexp.MustCompile("`[^`\n]*?continuo ([a-z][^`|<>)\\\\\n]*)[^`\n]*`")
	block := regexp.MustCompile("(?m)^ *continuo ([a-z][^`|<>)\\\\\n]*)(?:[|<>].*)?$")
	found := 0
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := inline.FindAllStringSubmatch(string(text), -1)
		for _, m := range block.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[0], "continuo") && !strings.Contains(m[0], ". ") { // not a sentence
				lines = append(lines, m)
			}
		}
		for _, m := range lines {
			words := strings.Fields(m[1])
			var stdout, stderr bytes.Buffer
			d := newDeps(Program{
				Env: []string{"HOME=" + t.TempDir()}, Dir: t.TempDir(), Now: now, Version: "1.2.3",
				Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			})
			args := append([]string{words[0], "--help"}, words[1:]...)
			if code := execute(t.Context(), d.Env, d.Output, args); code != out.ExitDone || !strings.Contains(stdout.String(), "Usage:\n  continuo "+words[0]) {
				t.Errorf("%s: continuo %s: exit code %d, %q", page, m[1], code, stderr.String())
			}
			found++
		}
	}
	if found < 8 {
		t.Errorf("only %d commands were found", found)
	}
}
