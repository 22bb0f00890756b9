package place

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// KnownLimit is the maximum size of the list of known projects in bytes: about 4,000 projects.
const KnownLimit = 256 << 10

// KnownPath returns the path of the list of known projects, which have a .claude/memory. It is
// $XDG_CACHE_HOME/continuo/projects or ~/.cache/continuo/projects; "" if there is no home.
//
// With another CLAUDE_CONFIG_DIR, the list is projects-HASH. In a common list, backups from another config directory
// would look like only copies.
//
// The list may be deleted. Until the next run writes it, status may count fewer pending backups.
func (e *Env) KnownPath() string {
	dir := e.CacheDir()
	if dir == "" {
		return ""
	}
	name := "projects"
	if own := e.Host.Getenv("CLAUDE_CONFIG_DIR"); own != "" && e.Abs(own) != filepath.Join(e.Home, ".claude") {
		sum := sha256.Sum256([]byte(e.Abs(own)))
		name += "-" + hex.EncodeToString(sum[:6])
	}
	return filepath.Join(dir, name)
}

// knownWait is the time limit for a check of one folder.
const knownWait = 200 * time.Millisecond

// RememberProjects adds directories to the list of known projects, and removes those without .claude/memory. So
// continuo finds backups after the client has deleted the transcripts. In a demo, it writes nothing. Errors are
// ignored.
func RememberProjects(env *Env, roots []string) {
	path := env.KnownPath()
	if path == "" || env.MadeUp {
		return
	}
	left := slices.DeleteFunc(KnownProjects(path), func(dir string) bool { return slices.Contains(roots, dir) })
	gone := sessions.AskAll(context.Background(), time.Now().Add(knownWait), left, func(_ context.Context, dir string) bool {
		_, err := os.Stat(filepath.Join(dir, ".claude", "memory"))
		return errors.Is(err, fs.ErrNotExist)
	})
	left = slices.DeleteFunc(left, func(dir string) bool { return gone[dir] })
	text := knownText(append(left, roots...))
	old, there := readKnown(path)
	if bytes.Equal(text, old) && (there || len(text) == 0) {
		return
	}
	_ = ReplaceFile(path, text, 0o600, 0o700) // the next call tries again
}

// MemoryRoots returns the directories whose .claude/memory has the backups and documents.
func MemoryRoots(rows []sessions.Row) []string {
	var roots []string
	for i := range rows {
		if rows[i].Kind != sessions.KindSession && rows[i].Workdir != "" {
			roots = append(roots, rows[i].Workdir) // a worktree may have its own .claude/memory
		}
	}
	return roots
}

// knownText formats the list: sorted absolute paths, one per line.
func knownText(roots []string) []byte {
	roots = slices.Clone(roots)
	slices.Sort(roots)
	var b bytes.Buffer
	for _, root := range slices.Compact(roots) {
		if sessions.IsPlainPath(root) && b.Len()+len(root)+1 <= KnownLimit {
			b.WriteString(root + "\n")
		}
	}
	return b.Bytes()
}

// KnownProjects returns the absolute paths in the list.
func KnownProjects(path string) []string {
	if path == "" {
		return nil
	}
	text, _ := readKnown(path)
	var roots []string
	for line := range strings.Lines(string(text)) {
		if root, whole := strings.CutSuffix(line, "\n"); whole && sessions.IsPlainPath(root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// readKnown reads at most KnownLimit bytes of a regular file.
func readKnown(path string) (text []byte, there bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, KnownLimit))
	return text, err == nil
}
