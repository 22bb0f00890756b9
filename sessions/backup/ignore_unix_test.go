//go:build unix

package backup

import (
	"os"
	"strings"
	"testing"
)

// TestGuardedFromHostileGit: the repository has other files or links in place of our .gitignore files.
func TestGuardedFromHostileGit(t *testing.T) {
	t.Parallel()
	put := func(text string) func(p project, name string) {
		return func(p project, name string) { p.write(name, text) }
	}
	link := func(target string) func(p project, name string) {
		return func(p project, name string) { p.mkdir(name[:strings.LastIndex(name, "/")]); p.link(target, name) }
	}
	for label, make := range map[string]func(p project, name string){
		"all of it":       put("!*\n"),
		"undone":          put("*\n!*\n!*.jsonl\n"),
		"empty":           put(""),
		"our title alone": put(ignoreTitle + "\n"),
		"title and undo":  put(ignoreTitle + "\n!*\n"),
		"our block":       put(ignoreBlock + "!*\n"),
		"dangling":        link("gone"),
		"out":             link("/dev/null"),
		"to a star":       func(p project, name string) { link(strings.Repeat("../", strings.Count(name, "/")-2)+"star")(p, name) },
		"to itself":       link(ignoreName),
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write(".claude/memory/star", "*\n")
			for _, dir := range []string{"", "raw/", "trash/"} {
				make(p, ".claude/memory/"+dir+ignoreName)
			}
			p.git("init", "-q")
			p.git("add", "-A", "-f")
			p.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "theirs")
			s := store{p, p.open()}
			saved, err := s.m.Save(t.Context(), s.request())
			if err != nil || len(saved.Problems) > 0 {
				t.Fatalf("%+v, %v", saved, err)
			}
			s.discard(s.plan())
			s.save(s.m, s.request())
			p.git("add", "-A")
			for _, name := range strings.Fields(p.git("ls-files")) {
				if rest, ok := strings.CutPrefix(name, ".claude/memory/"); ok && (strings.HasPrefix(rest, "raw/") || strings.HasPrefix(rest, "trash/")) && !strings.HasSuffix(rest, "/"+ignoreName) {
					t.Errorf("git has %s", name)
				}
			}
			if got, err := os.ReadFile(p.memory("star")); err != nil || string(got) != "*\n" {
				t.Errorf("%q, %v", got, err)
			}
			for _, name := range []string{"raw/.gitignore", "trash/.gitignore"} {
				if fi, err := os.Lstat(p.memory(name)); err != nil || !fi.Mode().IsRegular() || p.read(name) != "*\n" {
					t.Errorf("%s: %v, %v", name, fi, err)
				}
			}
		})
	}
}

// TestSaveUnguarded: nothing is copied if a .gitignore can't be replaced.
func TestSaveUnguarded(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/raw/.gitignore/x", "")
	if s, err := p.open().Save(t.Context(), p.request()); err == nil || s.Path != "" {
		t.Errorf("%+v", s)
	}
	if got := p.names("raw"); len(got) != 1 {
		t.Errorf("raw %q", got)
	}
}
