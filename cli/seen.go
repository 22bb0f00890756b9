package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

// seenLimit bounds the list of backups that were opened here, in bytes: some 2,000 of them.
const seenLimit = knownLimit

// seenPath is the list of backups that were opened here: $XDG_STATE_HOME/continuo/seen, else
// ~/.local/state/continuo/seen; "" without a home. Losing it loses nothing: they count as never looked at again.
func (e *Env) seenPath() string {
	dir := e.stateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "seen")
}

// seenBackups are the paths of the backups that were opened here.
func seenBackups(env *Env) map[string]bool {
	seen := map[string]bool{}
	for _, path := range knownProjects(env.seenPath()) { // a list of the same form
		seen[path] = true
	}
	return seen
}

// markSeen remembers that a file was opened here, see markAllSeen.
func markSeen(env *Env, path string) { markAllSeen(env, []string{path}) }

// markAllSeen remembers that files were opened or dealt with here, those of them that are raw backups of a project.
// Where that cannot be kept, they count as never looked at: nobody waits for it longer than two seconds.
func markAllSeen(env *Env, paths []string) {
	if env.madeUp || env.seenPath() == "" {
		return
	}
	seen := seenBackups(env)
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return memoryProject(path) == "" || seen[path] })
	if len(paths) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), disk.LockLimit)
	defer cancel()
	_ = editFile(ctx, env.seenPath(), func(old []byte) ([]byte, error) { return withSeen(old, paths...), nil })
}

// withSeen is the list with some paths at its end, each once. The oldest ones leave a list that is too long.
func withSeen(old []byte, paths ...string) []byte {
	lines := slices.DeleteFunc(strings.SplitAfter(string(old), "\n"), func(line string) bool {
		have, whole := strings.CutSuffix(line, "\n")
		return !whole || slices.Contains(paths, have) || !sessions.IsPlainPath(have)
	})
	for _, path := range paths {
		if sessions.IsPlainPath(path) {
			lines = append(lines, path+"\n")
		}
	}
	size := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if size += len(lines[i]); size > seenLimit {
			lines = lines[i+1:]
			break
		}
	}
	return []byte(strings.Join(lines, ""))
}

// memoryProject is the project in whose memory a path is the place of a raw backup (spec 000); "" for any other path.
func memoryProject(path string) string {
	dir := filepath.Dir(path)
	memory := filepath.Dir(dir)
	if filepath.Base(memory) == "sessions" {
		memory = filepath.Dir(memory)
	}
	claude := filepath.Dir(memory)
	if !filepath.IsAbs(path) || filepath.Ext(path) != ".jsonl" || filepath.Base(dir) != "raw" || filepath.Base(memory) != "memory" || filepath.Base(claude) != ".claude" {
		return ""
	}
	return filepath.Dir(claude)
}
