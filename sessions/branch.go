package sessions

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// maxHead is the limit in bytes of HEAD and of a worktree's .git file.
const maxHead = 4 << 10

// maxPacked is the limit in bytes of packed-refs. 10,000 branches need about 700 KB.
const maxPacked = 4 << 20

// Branch returns the current branch of a folder, or "" if HEAD is detached or unreadable. It reads .git without git.
func Branch(folder string) string {
	if folder == "" {
		return ""
	}
	branch, on := strings.CutPrefix(GitHead(folder), "ref: refs/heads/")
	if !on { // HEAD contains a commit hash: it is detached
		return ""
	}
	return branch
}

// Commit returns the hash of the current commit of a folder, or "". It reads .git without git.
func Commit(folder string) string {
	head := GitHead(folder)
	ref, on := strings.CutPrefix(head, "ref: ")
	if !on {
		return head
	}
	git := gitDir(folder)
	if common := FirstLine(filepath.Join(git, "commondir")); common != "" { // a worktree
		if !filepath.IsAbs(common) {
			common = filepath.Join(git, common)
		}
		git = common
	}
	if !filepath.IsLocal(ref) {
		return ""
	}
	if hash := FirstLine(filepath.Join(git, ref)); hash != "" {
		return hash
	}
	packed, _ := ReadSmall(filepath.Join(git, "packed-refs"), maxPacked) // it may not exist
	for line := range strings.Lines(string(packed)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return hash
		}
	}
	return ""
}

// GitHead returns the first line of a folder's HEAD file, or "".
func GitHead(folder string) string { return FirstLine(filepath.Join(gitDir(folder), "HEAD")) }

// gitDir returns the path of a folder's git directory, which may not exist.
func gitDir(folder string) string {
	git := filepath.Join(folder, ".git")
	if at, ok := strings.CutPrefix(FirstLine(git), "gitdir: "); ok {
		if git = at; !filepath.IsAbs(git) {
			git = filepath.Join(folder, git)
		}
	}
	return git
}

// FirstLine returns the first line of a regular file, trimmed, or "".
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
