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
	Real  string // path without symbolic links, which gives the client the slug
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
	FolderRelative                    // the path isn't absolute: from another system, or edited
)

// probeLimit is the time limit for a stat of a folder on a dead mount.
const probeLimit = time.Second

// ProbeFolder returns the state of a folder, or FolderSilent after probeLimit.
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

// RealPath returns a path without symbolic links or, after an error, the path unchanged.
func RealPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// Within reports whether a path is dir or below dir, without reading the disk. An empty path isn't within any dir.
func Within(path, dir string) bool {
	if path == "" || dir == "" {
		return false
	}
	sep := string(filepath.Separator)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, sep)+sep)
}

// Tilde returns a path for display: one clean line with ~ for the home directory. Spaces stay.
func Tilde(path, home string) string {
	if home != "" && Within(path, home) {
		path = "~" + strings.TrimPrefix(path, home)
	}
	return strings.NewReplacer("\n", "\uFFFD", "\t", "\uFFFD").Replace(transcript.Clean(path))
}

// Exists reports whether a path exists, even as a broken symbolic link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// MayExist reports whether a path may exist. stat is os.Stat or os.Lstat. Without permission for stat, the path may
// exist.
func MayExist(path string, stat func(string) (fs.FileInfo, error)) bool {
	_, err := stat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// SameFile reports whether two paths are equal or lead to the same file.
func SameFile(a, b string) bool {
	if a == b {
		return true
	}
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}

// IsPlainPath reports whether a path is absolute, clean and without line breaks. Two leading backslashes aren't
// plain: on Windows, opening such a path would send the user's name to a server.
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
