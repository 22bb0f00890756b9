package launch

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
)

// foldersMost is how many directories are offered.
const foldersMost = 200

// FoldersLike are the directories that fit what is typed, written as it is: first those of known that have it in
// them, then those on the disk that begin with it. Those whose name begins with a dot have to be asked for. A disk
// that does not answer has none.
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
		list = append(list, strings.TrimSuffix(parent, "/")) // it is whole already
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

// readFolder lists a directory, as long as ctx has time for it.
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
