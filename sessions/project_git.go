package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// gitEntry describes the .git of a directory. The zero value means that there is no .git.
type gitEntry struct {
	dir      absPath
	common   absPath // directory of the repository: objects, refs, worktrees
	worktree bool    // the directory is a linked worktree
}

func (e gitEntry) found() bool { return e.dir.path != "" }

// readGit reads the .git of a directory: a directory, or a file with the path of one (gitrepository-layout(5)). In a
// linked worktree, that path is <repository>/worktrees/<name>, and its file commondir has the path of the repository.
// Without this file, the path gives the repository.
func readGit(files Stater, dir absPath) gitEntry {
	name := dir.join(".git")
	info, err := files.Stat(name.String())
	switch {
	case err != nil:
		return gitEntry{}
	case info.IsDir():
		return gitEntry{dir: dir, common: name}
	case !info.Mode().IsRegular():
		return gitEntry{}
	}
	data, err := files.ReadFile(name.String())
	text, ok := strings.CutPrefix(string(data), "gitdir:")
	text = strings.Trim(text, " \r\n")
	if err != nil || !ok || text == "" {
		return gitEntry{}
	}
	admin := dir.resolve(text)
	if data, err := files.ReadFile(admin.join("commondir").String()); err == nil {
		common := admin.resolve(strings.Trim(string(data), "\r\n"))
		return gitEntry{dir: dir, common: common, worktree: common != admin}
	}
	if there, _ := isDir(files, admin); !there && path.Base(admin.up().path) == "worktrees" {
		return gitEntry{dir: dir, common: admin.up().up(), worktree: true}
	}
	return gitEntry{dir: dir, common: admin}
}

// readWorktrees lists the linked worktrees of a repository, including missing ones, from its files
// worktrees/<name>/gitdir. Since Git 2.48, the path in such a file may be relative to the file.
func readWorktrees(files Stater, common absPath) []absPath {
	dir := common.join("worktrees")
	entries, err := files.ReadDir(dir.String())
	if err != nil {
		return nil
	}
	var trees []absPath
	for _, e := range entries {
		admin := dir.join(e.Name())
		data, err := files.ReadFile(admin.join("gitdir").String())
		if text := strings.Trim(string(data), "\r\n"); err == nil && text != "" {
			trees = append(trees, admin.resolve(text).up())
		}
	}
	return trees
}

// Worktrees returns the linked worktrees of the repository in a directory, including missing ones.
func Worktrees(files Stater, dir string) []string {
	s, ok := parseAbsPath(dir)
	if !ok {
		return nil
	}
	git := readGit(files, s)
	if !git.found() {
		return nil
	}
	var list []string
	for _, t := range readWorktrees(files, git.common) {
		list = append(list, t.String())
	}
	return list
}

// isDir reports whether a directory exists, and whether that is sure. Without read permission, it exists. A mount
// whose server is down returns errors, so after other errors sure is false.
func isDir(files Stater, s absPath) (there, sure bool) {
	info, err := files.Stat(s.String())
	switch {
	case err == nil:
		return info.IsDir(), true
	case errors.Is(err, fs.ErrPermission):
		return true, true
	}
	for _, no := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL} {
		if errors.Is(err, no) {
			return false, true
		}
	}
	return false, false
}

// Disk returns the real file system. Its ReadFile reads regular files of at most 64 KB.
func Disk() Stater { return realDisk{} }

type realDisk struct{}

// Stat implements Stater.
func (realDisk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// ReadDir implements Stater.
func (realDisk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// ReadFile implements Stater.
func (realDisk) ReadFile(name string) ([]byte, error) {
	const limit = 64 << 10
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("git file %s: not a regular file, or larger than 64 KB", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// answer calls f and returns its result. ok is false if f takes longer than limit, or if ctx ends first. A hanging
// call continues in its goroutine. If f panics before the limit, answer panics with a *PanicError.
func answer[T any](ctx context.Context, limit time.Duration, f func() T) (v T, ok bool) {
	if ctx.Err() != nil {
		return v, false
	}
	got, bug := make(chan T, 1), make(chan *PanicError, 1)
	go func() {
		if p := Catch(func() { got <- f() }); p != nil {
			bug <- p
		}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case v = <-got:
		return v, true
	case p := <-bug:
		panic(p)
	case <-timer.C:
	case <-ctx.Done():
	}
	return v, false
}

// inParallel calls do with every item, at most 8 at a time. After a panic, it panics with a *PanicError and doesn't
// wait, because running calls may wait for the panicked one.
func inParallel(items map[absPath]bool, do func(absPath)) {
	workers := min(8, len(items))
	todo, ended := make(chan absPath), make(chan *PanicError, workers)
	for range workers {
		go func() {
			ended <- Catch(func() {
				for s := range todo {
					do(s)
				}
			})
		}()
	}
	for s := range items {
		select {
		case todo <- s:
		case p := <-ended: // while todo is open, a worker returns only if it panics
			close(todo)
			panic(p)
		}
	}
	close(todo)
	for range workers {
		if p := <-ended; p != nil {
			panic(p)
		}
	}
}
