package place

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

// seenLimit is the maximum size, in bytes, of the list of reviewed backups: about 2,000 backups.
const seenLimit = KnownLimit

// SeenPath returns the path of the list of reviewed backups: $XDG_STATE_HOME/continuo/seen or
// ~/.local/state/continuo/seen; "" if there is no home. If the list is deleted, no backup counts as reviewed.
func (e *Env) SeenPath() string {
	dir := e.StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "seen")
}

// SeenBackups returns the paths of the reviewed backups.
func SeenBackups(env *Env) map[string]bool {
	seen := map[string]bool{}
	for _, path := range KnownProjects(env.SeenPath()) { // the list has the same format as the list of known projects
		seen[path] = true
	}
	return seen
}

// MarkSeen marks one backup as reviewed; see MarkAllSeen.
func MarkSeen(env *Env, path string) { MarkAllSeen(env, []string{path}) }

// MarkAllSeen marks raw backups as reviewed, and ignores other paths. If the list is still locked after two seconds,
// the backups stay unreviewed.
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

// withSeen appends paths to the list. It removes duplicates and, if the list is too long, the oldest paths.
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

// MemoryProject returns the project whose .claude/memory has the raw backup at a path (spec 000); "" for any other
// path.
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
