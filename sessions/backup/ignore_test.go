package backup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	for label, tt := range map[string]struct {
		there map[string]string
		want  string // text of the .gitignore in the memory directory
	}{
		"none":              {nil, ignoreBlock},
		"somebody's":        {map[string]string{".gitignore": "*.bak\n"}, "*.bak\n" + ignoreBlock},
		"without an end":    {map[string]string{".gitignore": "!raw/"}, "!raw/\n" + ignoreBlock},
		"ours":              {map[string]string{".gitignore": "a\n" + ignoreBlock + "b\n"}, "a\n" + ignoreBlock + "b\n"},
		"emptied":           {map[string]string{".gitignore": " \n", "raw/.gitignore": "", "trash/.gitignore": "!x\n"}, " \n" + ignoreBlock},
		"the title alone":   {map[string]string{".gitignore": ignoreTitle + "\n!*\n", "raw/.gitignore": "*\n", "trash/.gitignore": "*\n"}, ignoreTitle + "\n!*\n" + ignoreBlock},
		"taken out":         {map[string]string{".gitignore": "!*\n", "raw/.gitignore": "*\n!*\n", "trash/.gitignore": "*"}, "!*\n"},
		"a line taken out":  {map[string]string{".gitignore": ignoreTitle + "\nraw/\n"}, ignoreTitle + "\nraw/\n"},
		"theirs and a part": {map[string]string{".gitignore": "x\n", "raw/.gitignore": "*\n"}, "x\n" + ignoreBlock},
	} {
		p := newProject(t)
		for name, text := range tt.there {
			p.write(".claude/memory/"+name, text)
		}
		m := p.open()
		for range 2 {
			if err := m.Guard(); err != nil {
				t.Errorf("%s: %v", label, err)
			}
			if got := p.read(".gitignore"); got != tt.want {
				t.Errorf("%s: %q, want %q", label, got, tt.want)
			}
		}
		for _, name := range []string{"raw/.gitignore", "trash/.gitignore"} {
			if got := p.read(name); got != "*\n" {
				t.Errorf("%s: %s: %q", label, name, got)
			}
		}
		p.hasNoTemps()
	}
}

func (p project) git(args ...string) string {
	p.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		p.t.Skip("git is not installed")
	}
	cmd := exec.CommandContext(p.t.Context(), git, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(p.dir), "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestGuardedFromGit: a .gitignore in a parent directory includes the private files.
func TestGuardedFromGit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	p.write(".claude/memory/active-context.md", "# Now\n")
	p.write(".gitignore", "!.claude/memory/raw/\n!*.jsonl\n!.sums\nt.jsonl\n")
	m := p.open()
	for range 3 {
		p.save(m, Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: at(t, "2026-11-21T11:02:13Z")})
	}
	p.write(".claude/memory/.continuo-0123456789abcdef.tmp", "")
	p.write(".claude/memory/trash/20261121T110213Z-discard/x.jsonl", "")
	p.git("init", "-q")
	p.git("add", "-A")
	want := ".claude/memory/.gitignore .claude/memory/active-context.md .gitignore"
	if got := strings.Join(strings.Fields(p.git("ls-files")), " "); got != want {
		t.Errorf("staged %s", got)
	}
}
