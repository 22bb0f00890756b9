//go:build unix

package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// past describes a session to write.
type past struct {
	n       int    // number in the session ID
	name    string // first prompt
	folder  string // below home/code; with a leading / or !, the exact path without the !
	branch  string // default: main
	turns   int    // default: 1
	project string // below projects; "" means the slug of the folder
	config  string // below the home; "" means .claude
	gone    bool   // the folder doesn't exist
}

// harbour returns the session of most tests.
func harbour() past { return past{n: 1, name: "Tune the harbour bell", folder: "harbour"} }

func (k past) id() string { return fmt.Sprintf("5e550000-0000-4000-8000-%012d", k.n) }

func (k past) path(home string) string {
	config := k.config
	if config == "" {
		config = ".claude"
	}
	project := k.project
	if project == "" {
		project = sessions.Slug(k.workdir(home))
	}
	return filepath.Join(home, config, "projects", project, k.id()+".jsonl")
}

func (k past) workdir(home string) string {
	if text, ok := strings.CutPrefix(k.folder, "!"); ok || strings.HasPrefix(k.folder, "/") {
		return text
	}
	return filepath.Join(home, "code", k.folder)
}

// tell writes sessions. The first one is the newest.
func tell(t *testing.T, home string, all ...past) {
	t.Helper()
	for i, k := range all {
		path := k.path(home)
		dirs := []string{filepath.Dir(path)}
		if !k.gone && filepath.IsAbs(k.workdir(home)) {
			dirs = append(dirs, k.workdir(home))
		}
		for _, dir := range dirs {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		c := &client{t: t, path: path, cwd: k.workdir(home), at: now().Add(-time.Duration(i+1) * time.Hour)}
		for turn := range max(k.turns, 1) {
			prompt := k.name
			if turn > 0 {
				prompt = fmt.Sprintf("Prompt %d of the talk.", turn+1)
			}
			c.user(prompt, "")
			c.assistant(fmt.Sprintf("Answer %d of the talk.", turn+1))
		}
		if k.branch != "" {
			putFile(t, path, strings.ReplaceAll(readFile(t, path), `"gitBranch":"main"`, `"gitBranch":"`+k.branch+`"`))
		}
	}
}

// everything returns all paths at and below the given ones. Tests may write these files.
func everything(paths ...string) []string {
	var all []string
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				all = append(all, path)
			}
			return nil
		})
	}
	return all
}
