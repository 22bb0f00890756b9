package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions/document"
)

// ErrNoDocumentPlace is returned for a path that isn't allowed for documents. The wrapping error has the reason.
var ErrNoDocumentPlace = errors.New("not for documents")

// CheckDocumentPath returns the path to write a document to, with all links resolved. If to is a directory,
// CheckDocumentPath appends a file name.
//
// The error is *TakenError if the file exists, or a system error if the directory doesn't exist. ErrNoDocumentPlace
// is returned for:
//
//   - a name that doesn't end in .md or begins with a dot
//   - a name with a meaning in a memory directory, such as active-context.md
//   - a path in raw, trash, .git, .claude (except .claude/memory), or a Claude config directory
func CheckDocumentPath(to string, at time.Time, configs []string) (path string, err error) {
	dir, name := filepath.Split(to)
	if fi, err := os.Stat(to); err == nil && fi.IsDir() {
		dir, name = to, document.Prefix+at.UTC().Format(documentStamp)+"Z"+document.Suffix
	} else if name == "" { // the path ends in a slash
		if err == nil {
			err = errNotDirectory
		}
		return "", fmt.Errorf("directory %s: %w", to, cause(err))
	}
	if !strings.HasSuffix(name, document.Suffix) || name[0] == '.' {
		return "", fmt.Errorf("file %s: %w: the name must end in %s and must not begin with a dot", to, ErrNoDocumentPlace, document.Suffix)
	}
	if strings.EqualFold(name, contextName) || strings.EqualFold(name, "project-memory.md") {
		return "", fmt.Errorf("file %s: %w: %s has another purpose", to, ErrNoDocumentPlace, name)
	}
	dir, err = filepath.EvalSymlinks(dir)
	var fi fs.FileInfo
	if err == nil {
		fi, err = os.Stat(dir)
	}
	if err == nil && !fi.IsDir() {
		err = errNotDirectory
	}
	if err != nil {
		return "", fmt.Errorf("directory %s: %w", filepath.Dir(to), cause(err))
	}
	to = filepath.Join(dir, name)
	if why := noDocuments(dir, configs); why != "" {
		return "", fmt.Errorf("file %s: %w: in %s", to, ErrNoDocumentPlace, why)
	}
	if _, err := os.Lstat(to); err == nil {
		return "", &TakenError{Paths: []string{to}}
	} else if !isAbsent(err) {
		return "", fmt.Errorf("write %s: %w", to, cause(err))
	}
	return to, nil
}

// noDocuments returns the path element that makes a directory unsuitable for documents, such as "raw", or "". It
// ignores case, because some file systems do. The memory of a project in the home directory, ~/.claude/memory, is
// allowed.
func noDocuments(dir string, configs []string) string {
	within := strings.Split(strings.ToLower(filepath.ToSlash(dir)), "/")
	if slices.Contains(within, ".git") {
		return ".git"
	}
	memory := false
	for rest := within; ; {
		i := slices.Index(rest, ".claude")
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; len(rest) == 0 || rest[0] != "memory" {
			return ".claude, outside .claude/memory"
		}
		memory = true
		for _, kept := range []string{"raw", "trash"} {
			if slices.Contains(rest, kept) {
				return ".claude/memory/" + kept
			}
		}
	}
	for _, config := range configs {
		if real, err := filepath.EvalSymlinks(config); err == nil {
			config = real
		}
		if rel, err := filepath.Rel(config, dir); !memory && err == nil && filepath.IsLocal(rel) {
			return "a Claude config directory"
		}
	}
	return ""
}
