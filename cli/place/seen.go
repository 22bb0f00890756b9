package place

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

// seenLimit bounds the list of backups that were opened here, in bytes: some 2,000 of them.
const seenLimit = KnownLimit

// SeenPath is the list of backups that were opened here: $XDG_STATE_HOME/continuo/seen, else
// ~/.local/state/continuo/seen; "" without a home. Losing it loses nothing: they count as never looked at again.
func (e *Env) SeenPath() string {
	dir := e.StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "seen")
}

// SeenBackups are the paths of the backups that were opened here.
func SeenBackups(env *Env) map[string]bool {
	seen := map[string]bool{}
	for _, path := range KnownProjects(env.SeenPath()) { // a list of the same form
		seen[path] = true
	}
	return seen
}

// MarkSeen remembers that a file was opened here, see markAllSeen.
func MarkSeen(env *Env, path string) { MarkAllSeen(env, []string{path}) }

// MarkAllSeen remembers that files were opened or dealt with here, those of them that are raw backups of a project.
// Where that cannot be kept, they count as never looked at: nobody waits for it longer than two seconds.
func MarkAllSeen(env *Env, paths []string) {
	if env.MadeUp || env.SeenPath() == "" {
		return
	}
	seen := SeenBackups(env)
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return MemoryProject(path) == "" || seen[path] })
	if len(paths) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), disk.LockLimit)
	defer cancel()
	_ = editFile(ctx, env.SeenPath(), func(old []byte) ([]byte, error) { return withSeen(old, paths...), nil })
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

// MemoryProject is the project in whose memory a path is the place of a raw backup (spec 000); "" for any other path.
func MemoryProject(path string) string {
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
