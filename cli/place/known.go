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

// KnownLimit bounds the list of known projects, in bytes: some 4,000 of them.
const KnownLimit = 256 << 10

// KnownPath is the list of projects that have a .claude/memory: $XDG_CACHE_HOME/continuo/projects, else
// ~/.cache/continuo/projects; "" without a home. A CLAUDE_CONFIG_DIR that is not ~/.claude has its own, projects-HASH:
// beside its sessions the backups of others would all look like the only copies. Losing it loses nothing: status then
// counts no pending backups but those of here and of live sessions, until the next list.
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

// knownWait is how long a folder may take to say whether it still has a memory.
const knownWait = 200 * time.Millisecond

// RememberProjects adds those directories to the list of known projects, from which goes what has no memory any more:
// when the client has deleted all transcripts of a project, its backups are the only copies. Nothing is written when
// the list is the same as before, when they are of a demo, and when it cannot be done: nobody waits for it.
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
	_ = ReplaceFile(path, text, 0o600, 0o700) // the next list tries again
}

// MemoryRoots are the directories whose .claude/memory holds the backups and documents among the rows.
func MemoryRoots(rows []sessions.Row) []string {
	var roots []string
	for i := range rows {
		if rows[i].Kind != sessions.KindSession && rows[i].Workdir != "" {
			roots = append(roots, rows[i].Workdir) // a worktree has its own
		}
	}
	return roots
}

// knownText is a list of projects as it is kept: absolute paths in order, one a line.
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

// KnownProjects reads the list. What is no path in it is left out.
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

// readKnown reads the list up to its limit. Only a regular file is opened.
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
