package hook

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/continuo-tui/continuo/internal/disk"
)

// HeldOnce records the sessions whose automatic compaction was blocked: an empty file for each, with a hashed name. It
// is safe for concurrent use, also by processes: only one of them can create a file.
type HeldOnce struct{ dir string }

// OpenHeld names the directory, $XDG_STATE_HOME/continuo/held. It need not be there; "" remembers nothing.
func OpenHeld(dir string) *HeldOnce { return &HeldOnce{dir} }

// maxHeld is how many sessions are recorded; the oldest are deleted.
const maxHeld = 100

var errNoState = errors.New("no state directory to record that the compaction was held")

// heldName is the file of a session.
func heldName(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// once reports whether this is the first time for a session, and records it. It returns false if that fails, because
// the compaction would be held forever. The error has the reason.
func (h *HeldOnce) once(session string) (bool, error) {
	if h.dir == "" || session == "" {
		return false, errNoState
	}
	root, err := disk.Make(h.dir, 0o700)
	if err != nil {
		return false, fmt.Errorf("record held compaction: %w", err)
	}
	defer root.Close()
	prune(root)
	err = root.Touch(heldName(session), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("record held compaction: %w", err)
	}
	return true, nil
}

// forget reports whether one was held, and forgets it.
func (h *HeldOnce) forget(session string) bool {
	if h.dir == "" || session == "" {
		return false
	}
	root, err := disk.Open(h.dir)
	if err != nil {
		return false
	}
	defer root.Close()
	return root.Remove(heldName(session)) == nil
}

// prune makes room for one more.
func prune(root *disk.Root) {
	names, err := root.Names(".")
	if err != nil || len(names) < maxHeld {
		return
	}
	made := map[string]int64{}
	for _, name := range names {
		if info, err := root.Lstat(name); err == nil {
			made[name] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(made[a], made[b]) })
	for _, name := range names[:len(names)-maxHeld+1] {
		_ = root.Remove(name) // of no use but room
	}
}
