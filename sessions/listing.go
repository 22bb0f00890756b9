package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Listed describes a transcript by the listing of its directory.
type Listed struct {
	Path, ID string
	Bytes    int64
	Modified time.Time
}

// ListTranscripts returns the non-empty transcripts in a directory, or nil if it is unreadable.
func ListTranscripts(dir string) []Listed {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // Find reports the error
	}
	var list []Listed
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !IsUUID(id) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			info, err = os.Stat(path)
		}
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			list = append(list, Listed{Path: path, ID: id, Bytes: info.Size(), Modified: info.ModTime()})
		}
	}
	return list
}

// Slugs returns the directory names in <dir>/projects, or nil after an error. dir is a Claude config dir.
func Slugs(dir string) []string {
	entries, err := os.ReadDir(filepath.Join(dir, "projects"))
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
