package place

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

// seenLimit is the maximum size of the list of reviewed backups in bytes: about 2,000 backups.
const seenLimit = KnownLimit

// SeenPath returns the path of the list of reviewed backups. It is $XDG_STATE_HOME/continuo/seen or
// ~/.local/state/continuo/seen; "" if there is no home. The list may be deleted.
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
	for _, path := range KnownProjects(env.SeenPath()) { // same format as the known projects
		seen[path] = true
	}
	return seen
}

// MarkSeen marks one backup as reviewed; see MarkAllSeen.
func MarkSeen(env *Env, path string) { MarkAllSeen(env, []string{path}) }

// MarkAllSeen marks raw backups as reviewed, and ignores other paths. If the list stays locked for 2 s, nothing is
// marked.
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

// withSeen appends paths without duplicates. A list that is too long loses its oldest paths.
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

// MemoryProject returns the project of a raw backup (spec 000); "" for other paths.
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
