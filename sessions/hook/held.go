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

// HeldOnce records sessions whose automatic compaction was blocked. Each record is an empty file, named by a hash of
// the session ID. HeldOnce is safe for concurrent use by several processes.
type HeldOnce struct{ dir string }

// OpenHeld returns the records in a directory, which may not exist yet. continuo uses $XDG_STATE_HOME/continuo/held.
// If dir is "", nothing is recorded.
func OpenHeld(dir string) *HeldOnce { return &HeldOnce{dir} }

// maxHeld is the limit of records. The oldest ones are deleted.
const maxHeld = 100

var errNoState = errors.New("no state directory to record the blocked compaction")

// heldName returns the file name of the record for a session.
func heldName(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// once records a session. It returns true if there was no record. After a write error, it returns false, because a
// missing record would block every compaction.
func (h *HeldOnce) once(session string) (bool, error) {
	if h.dir == "" || session == "" {
		return false, errNoState
	}
	root, err := disk.Make(h.dir, 0o700)
	if err != nil {
		return false, fmt.Errorf("record blocked compaction: %w", err)
	}
	defer root.Close()
	prune(root)
	err = root.Touch(heldName(session), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("record blocked compaction: %w", err)
	}
	return true, nil
}

// forget deletes the record of a session. It returns false without one.
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

// prune deletes old records until there is room for one.
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
		_ = root.Remove(name) // if this fails, there is one record too many
	}
}
