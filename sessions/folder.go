package sessions

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Folder describes the working directory of a session.
type Folder struct {
	Path  string
	Real  string // path without symbolic links; the client derives the name of its project directory from this path
	State FolderState
}

// FolderState is the state of a folder.
type FolderState uint8

// The states of a folder.
const (
	FolderUnknown  FolderState = iota // the path is empty
	FolderThere                       //
	FolderGone                        // the path doesn't exist
	FolderFile                        // the path isn't a folder
	FolderDenied                      // permission denied
	FolderSilent                      // the disk doesn't respond
	FolderRelative                    // the path isn't absolute: it is from another system or was edited
)

// probeLimit is the time limit for a stat of a folder, which may be on a dead mount.
const probeLimit = time.Second

// ProbeFolder returns the state of a folder. If the disk doesn't respond within probeLimit, the state is FolderSilent.
func ProbeFolder(ctx context.Context, path string) Folder {
	f := Folder{Path: path, Real: path}
	switch {
	case path == "":
		return f
	case !filepath.IsAbs(path):
		f.State = FolderRelative
		return f
	}
	found := make(chan Folder, 1)
	silent := f
	silent.State = FolderSilent
	go func(f Folder) {
		if bug := Catch(func() { found <- lookAtFolder(f) }); bug != nil {
			found <- silent
		}
	}(f)
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	select {
	case f = <-found:
	case <-ctx.Done():
		return silent
	}
	return f
}

func lookAtFolder(f Folder) Folder {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f.State = FolderGone
	case errors.Is(err, os.ErrPermission):
		f.State = FolderDenied
	case errors.Is(err, syscall.ENOTDIR):
		f.State = FolderFile
	case err != nil:
		f.State = FolderSilent
	case !info.IsDir():
		f.State = FolderFile
	default:
		f.State = FolderThere
		if real, err := filepath.EvalSymlinks(f.Path); err == nil {
			f.Real = real
		}
	}
	return f
}

// RealPath returns a path without symbolic links. If that fails, it returns the path unchanged.
func RealPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// Within reports whether a path is dir or below dir. It compares the texts of the paths and doesn't read the disk. An
// empty path is never within dir.
func Within(path, dir string) bool {
	if path == "" || dir == "" {
		return false
	}
	sep := string(filepath.Separator)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, sep)+sep)
}

// Tilde returns a path for display: one clean line, with ~ for the home directory. Spaces are kept.
func Tilde(path, home string) string {
	if home != "" && Within(path, home) {
		path = "~" + strings.TrimPrefix(path, home)
	}
	return strings.NewReplacer("\n", "\uFFFD", "\t", "\uFFFD").Replace(transcript.Clean(path))
}

// Exists reports whether a path exists. A symbolic link exists, even if its target doesn't.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// MayExist reports whether a path exists or may exist. stat is os.Stat or os.Lstat. If stat fails for lack of
// permission, the path may exist.
func MayExist(path string, stat func(string) (fs.FileInfo, error)) bool {
	_, err := stat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// SameFile reports whether two paths are equal or refer to the same file or directory.
func SameFile(a, b string) bool {
	if a == b {
		return true
	}
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}

// IsPlainPath reports whether a path is absolute, clean and without line breaks. A path that starts with two
// backslashes isn't plain: on Windows, opening it would send the user's name to a server, and the path may come from a
// transcript.
func IsPlainPath(path string) bool {
	return filepath.IsAbs(path) && filepath.Clean(path) == path && !strings.HasPrefix(path, `\\`) && !strings.ContainsAny(path, "\n\r\x00")
}

// ShellPath returns a path as one word for a POSIX shell, with ~ for the home directory.
func ShellPath(path, home string) string {
	if home != "" && Within(path, home) && path != home {
		return "~/" + ShellWord(strings.TrimPrefix(strings.TrimPrefix(path, home), "/"))
	}
	return ShellWord(path)
}

// ShellWord returns a path, cleaned, as one word for a POSIX shell.
func ShellWord(path string) string {
	path = Tilde(path, "")
	plain := !strings.ContainsFunc(path, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+,@%:", r)
	})
	if plain && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// errTooLarge is returned for a file over the limit of ReadSmall.
var errTooLarge = errors.New("larger than 64 KB")

// ReadSmall returns the text of a regular file of at most limit bytes. The error is errTooLarge,
// transcript.ErrNotRegular, or a system error.
func ReadSmall(path string, limit int64) ([]byte, error) {
	f, info, err := transcript.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, errTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errTooLarge
	}
	return data, err
}

// ShortID returns the first 8 characters of an ID, cleaned.
func ShortID(id string) string {
	runes := []rune(Tilde(id, ""))
	return string(runes[:min(len(runes), 8)])
}
