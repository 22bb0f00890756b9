package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestReadme runs every `$ continuo …` line of the README and of the docs in a project of a made-up config
// directory: what a person is told to type has to work.
func TestReadme(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	stats, err := demo.Write(t.Context(), filepath.Join(home, ".claude"), demo.Options{Sessions: 20, Now: now(), Root: home})
	if err != nil {
		t.Fatal(err)
	}
	project := stats.List[0].Workdir
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
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
			if code := d.execute(t.Context(), strings.Fields(command)); code != ExitDone || stdout.Len() == 0 {
				t.Errorf("%s: continuo%s: exit code %d, %q %q", page, command, code, stdout.String(), stderr.String())
			}
			ran++
		}
	}
	if ran < 5 {
		t.Errorf("only %d lines were found", ran)
	}
}

// TestReadmeLinks: what the README links to is there, the pictures too.
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
