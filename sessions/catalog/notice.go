package catalog

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notices are the system's notifications of changes below the watched directories. It is nil, for example, if the
// system has no watches left: then the walks find the changes later.
type notices struct {
	watcher *fsnotify.Watcher
	done    chan struct{} // the collector has ended
	some    chan struct{} // has one value if changes are waiting

	mu   sync.Mutex
	told told
}

// told is the set of changes since the last take.
type told struct {
	paths map[string]bool // true: made, renamed or removed; false: written
	lost  bool            // some changes were dropped
}

const (
	maxPoints = 32   // watches at once
	maxTold   = 4096 // paths in one notice; with more, some count as lost
)

// newNotices returns nil when the system has no watch left.
func newNotices() *notices {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	n := &notices{watcher: w, done: make(chan struct{}), some: make(chan struct{}, 1)}
	n.told.paths = map[string]bool{}
	go n.collect()
	return n
}

// collect receives the notifications at once, so that the system's queue doesn't overflow while rows are made.
func (n *notices) collect() {
	defer close(n.done)
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod {
				n.tell(e.Name, e.Has(fsnotify.Create|fsnotify.Remove|fsnotify.Rename), false)
			}
		case _, ok := <-n.watcher.Errors: // the queue ran over, most likely
			if !ok {
				return
			}
			n.tell("", false, true)
		}
	}
}

func (n *notices) tell(path string, structure, lost bool) {
	n.mu.Lock()
	if lost || len(n.told.paths) >= maxTold {
		n.told.lost = true
	} else {
		n.told.paths[path] = n.told.paths[path] || structure
	}
	n.mu.Unlock()
	select {
	case n.some <- struct{}{}:
	default:
	}
}

// ready receives when there is something to take.
func (n *notices) ready() <-chan struct{} {
	if n == nil {
		return nil
	}
	return n.some
}

// take returns the changes since the last take.
func (n *notices) take() told {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.told
	n.told = told{paths: map[string]bool{}}
	return t
}

// aim sets the watched points, and returns the new ones. The walks cover points that can't be watched.
func (n *notices) aim(points []string) (added map[string]bool) {
	if n == nil {
		return nil
	}
	added = map[string]bool{}
	want := map[string]bool{}
	for _, p := range points {
		if len(want) < maxPoints {
			want[filepath.Clean(p)] = true
		}
	}
	have := n.watcher.WatchList()
	for _, p := range have {
		if !want[p] {
			_ = n.watcher.Remove(p) // it may have ended with its directory
		}
	}
	for p := range want {
		if !slices.Contains(have, p) && n.watcher.Add(p) == nil { // the walks find changes there
			added[p] = true
		}
	}
	return added
}

func (n *notices) close() {
	if n == nil {
		return
	}
	_ = n.watcher.Close() // nothing was written
	<-n.done
}

// watchPoint returns the path to watch for a transcript: its directory, which also reports new ones. The BSDs and macOS
// would open every file in it, so there it is the transcript.
func watchPoint(path string) string {
	switch runtime.GOOS {
	case "linux", "windows":
		return filepath.Dir(path)
	}
	return path
}
