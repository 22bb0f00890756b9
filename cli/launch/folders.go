package launch

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
)

// foldersMost is the maximum number of suggestions.
const foldersMost = 200

// FoldersLike returns directories that match the typed text, with ~ if the text has it. Known directories that contain
// the text come first, then directories on the disk that begin with it. Hidden directories match only a typed dot.
// Directories on a dead mount are left out.
func FoldersLike(ctx context.Context, env *place.Env, typed string, known []string) []string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var list []string
	isPath := strings.ContainsRune(typed, '/') || typed == "~"
	for _, k := range known {
		if !isPath && strings.Contains(strings.ToLower(k), strings.ToLower(typed)) && env.IsFolder(ctx, k) {
			list = append(list, k)
		}
	}
	switch typed {
	case "":
		return list
	case "~":
		typed = "~/"
	}
	at := strings.LastIndexByte(typed, '/') + 1
	parent, name := typed[:at], typed[at:]
	if name == "" && len(parent) > 1 && env.IsFolder(ctx, parent) {
		list = append(list, strings.TrimSuffix(parent, "/")) // the typed text is a directory
	}
	for _, e := range readFolder(ctx, env.TypedPath(parent)) {
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".")
		if hidden || !find.HasPrefixFold(e.Name(), name) || len(list) >= foldersMost {
			continue
		}
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 && env.IsFolder(ctx, parent+e.Name()) {
			list = append(list, parent+e.Name())
		}
	}
	return list
}

// readFolder lists a directory; nil if ctx ends.
func readFolder(ctx context.Context, dir string) []os.DirEntry {
	found := make(chan []os.DirEntry, 1)
	go func() {
		entries, err := os.ReadDir(filepath.Clean(dir))
		if err != nil {
			entries = nil
		}
		found <- entries
	}()
	select {
	case entries := <-found:
		return entries
	case <-ctx.Done():
		return nil
	}
}
