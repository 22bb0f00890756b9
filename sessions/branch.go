package sessions

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// maxHead is the limit in bytes of HEAD and of the .git file of a worktree. Real files are much smaller.
const maxHead = 4 << 10

// Branch returns the branch that is checked out in a folder, or "" if HEAD is detached or can't be read. It reads .git
// and doesn't run git.
func Branch(folder string) string {
	if folder == "" {
		return ""
	}
	branch, on := strings.CutPrefix(GitHead(folder), "ref: refs/heads/")
	if !on { // HEAD contains a commit: it is detached
		return ""
	}
	return branch
}

// GitHead returns the first line of the HEAD file of a folder, or "" if there is no HEAD.
func GitHead(folder string) string {
	git := filepath.Join(folder, ".git")
	if at, ok := strings.CutPrefix(FirstLine(git), "gitdir: "); ok {
		if git = at; !filepath.IsAbs(git) {
			git = filepath.Join(folder, git)
		}
	}
	return FirstLine(filepath.Join(git, "HEAD"))
}

// FirstLine returns the first line of a regular file, without spaces around it, or "" if the file cannot be read.
func FirstLine(path string) string {
	src, _, err := transcript.OpenFile(path)
	if err != nil {
		return ""
	}
	defer src.Close()
	head := make([]byte, maxHead)
	n, _ := src.ReadAt(head, 0)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	return strings.TrimSpace(line)
}
