package hook

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// HeldOnce remembers of which sessions an automatic compaction was held: one empty file each, of a name that tells
// nothing. It is safe for concurrent use, by processes too: a file is made by one of them.
type HeldOnce struct{ dir string }

// OpenHeld names the directory, $XDG_STATE_HOME/continuo/held. It need not be there; "" remembers nothing.
func OpenHeld(dir string) *HeldOnce { return &HeldOnce{dir} }

// maxHeld is how many sessions are remembered; the oldest go.
const maxHeld = 100

var errNoState = errors.New("there is no place to remember that it was held")

func (h *HeldOnce) path(session string) string {
	return filepath.Join(h.dir, sum([]byte(session))[:32])
}

// once reports whether this is the first time for a session, and remembers it. What cannot be remembered is never the
// first time: it would be held again and again. The error says why.
func (h *HeldOnce) once(session string) (bool, error) {
	if h.dir == "" || session == "" {
		return false, errNoState
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return false, fmt.Errorf("remember what was held: %w", err)
	}
	h.prune()
	f, err := os.OpenFile(h.path(session), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return false, fmt.Errorf("remember what was held: %w", err)
	}
	return true, nil
}

// forget reports whether one was held, and forgets it.
func (h *HeldOnce) forget(session string) bool {
	return h.dir != "" && session != "" && os.Remove(h.path(session)) == nil
}

// prune makes room for one more.
func (h *HeldOnce) prune() {
	entries, err := os.ReadDir(h.dir)
	if err != nil || len(entries) < maxHeld {
		return
	}
	made := func(e fs.DirEntry) (ns int64) {
		if info, err := e.Info(); err == nil {
			ns = info.ModTime().UnixNano()
		}
		return ns
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(made(a), made(b)) })
	for _, e := range entries[:len(entries)-maxHeld+1] {
		_ = os.Remove(filepath.Join(h.dir, e.Name())) // of no use but room
	}
}
