package catalog

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notices collects the system's notifications about changed files. It is nil if the system can't send any, for
// example because all watches are used.
type notices struct {
	watcher *fsnotify.Watcher
	done    chan struct{} // the collector has ended
	some    chan struct{} // has a value if there are changes to take

	mu      sync.Mutex
	changes changeSet
}

// changeSet is a set of changed paths.
type changeSet struct {
	paths map[string]bool // true if created, renamed or removed; false if written
	lost  bool            // some changes were dropped
}

const (
	maxPoints  = 500  // maximum number of watches
	maxChanged = 4096 // maximum number of paths in a changeSet; more set lost
)

// newNotices starts to collect notifications. It returns nil if the system has none.
func newNotices() *notices {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	n := &notices{watcher: w, done: make(chan struct{}), some: make(chan struct{}, 1)}
	n.changes.paths = map[string]bool{}
	go n.collect()
	return n
}

// collect receives notifications at once, so that the queue of the system doesn't overflow.
func (n *notices) collect() {
	defer close(n.done)
	for {
		select {
		case e, ok := <-n.watcher.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod {
				n.add(e.Name, e.Has(fsnotify.Create|fsnotify.Remove|fsnotify.Rename), false)
			}
		case _, ok := <-n.watcher.Errors: // most likely, the queue has overflowed
			if !ok {
				return
			}
			n.add("", false, true)
		}
	}
}

func (n *notices) add(path string, structure, lost bool) {
	n.mu.Lock()
	if lost || len(n.changes.paths) >= maxChanged {
		n.changes.lost = true
	} else {
		n.changes.paths[path] = n.changes.paths[path] || structure
	}
	n.mu.Unlock()
	select {
	case n.some <- struct{}{}:
	default:
	}
}

// ready returns a channel that has a value when there are changes to take.
func (n *notices) ready() <-chan struct{} {
	if n == nil {
		return nil
	}
	return n.some
}

// take returns the changes since the previous take.
func (n *notices) take() changeSet {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.changes
	n.changes = changeSet{paths: map[string]bool{}}
	return t
}

// aim sets the paths to watch, and returns the new ones. Some paths can't be watched.
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
			_ = n.watcher.Remove(p) // fails if the directory was deleted
		}
	}
	for p := range want {
		if !slices.Contains(have, p) && n.watcher.Add(p) == nil { // if Add fails, walks find the changes
			added[p] = true
		}
	}
	return added
}

// watch reports whether the system watches all given paths.
func (n *notices) watch(points []string) bool {
	have := map[string]bool{}
	for _, p := range n.watcher.WatchList() {
		have[p] = true
	}
	return !slices.ContainsFunc(points, func(p string) bool { return !have[filepath.Clean(p)] })
}

func (n *notices) close() {
	if n == nil {
		return
	}
	_ = n.watcher.Close() // nothing is lost
	<-n.done
}

// watchPoint returns the path to watch for a transcript. On Linux and Windows, this is the directory, which also
// reports new files. On the BSDs and macOS, this is the transcript, because a watched directory would open all its
// files.
func watchPoint(path string) string {
	switch runtime.GOOS {
	case "linux", "windows":
		return filepath.Dir(path)
	}
	return path
}
