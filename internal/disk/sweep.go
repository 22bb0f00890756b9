package disk

import (
	"io/fs"
	"path/filepath"
	"time"
)

// tempAge is after what time a file in the making is taken for one whose writer was killed where no lock tells.
const tempAge = time.Hour

// Left is a file in the making that lies in a directory.
type Left struct {
	Path  string // whole
	Bytes int64
	Alive bool // its writer is still at it
}

// Temps lists the files in the making in one directory. What cannot be looked at is left out.
func (r *Root) Temps(dir string) []Left {
	var left []Left
	r.eachTemp(dir, time.Now(), func(name string, parts []string, alive bool) {
		l := Left{Path: r.At(name), Alive: alive}
		for _, part := range parts {
			if fi, err := r.root.Lstat(part); err == nil && fi.Mode().IsRegular() {
				l.Bytes += fi.Size()
			}
		}
		left = append(left, l)
	})
	return left
}

// Sweep removes the files in the making of one directory whose writers were killed: those whose lock is free and, where
// a lock cannot be tried, those of more than an hour. What cannot be removed is left to the next one.
func (r *Root) Sweep(dir string) { r.sweep(dir, time.Now()) }

// sweepFor sweeps the directory of a file that was just made, once. Its time is that of the clock of the file system.
func (r *Root) sweepFor(t *Temp, dir string) {
	r.mu.Lock()
	swept := r.swept[dir]
	r.swept[dir] = true
	r.mu.Unlock()
	if swept {
		return
	}
	if fi, err := t.Stat(); err == nil {
		r.sweep(dir, fi.ModTime())
	}
}

func (r *Root) sweep(dir string, now time.Time) {
	r.eachTemp(dir, now, func(_ string, parts []string, alive bool) {
		for _, part := range parts {
			if alive || r.root.Remove(part) != nil {
				return
			}
		}
	})
}

// eachTemp visits the files in the making of a directory with what they consist of, in the order in which it is to go:
// the text first, for until then git must not see it. The lock of a dead one is held meanwhile, so that nobody counts it
// for alive, and who made it in this instant finds out.
func (r *Root) eachTemp(dir string, now time.Time, visit func(name string, parts []string, alive bool)) {
	names, _ := r.Names(dir) // those that it has
	for _, name := range names {
		if !IsTemp(name) {
			continue
		}
		name = filepath.Join(dir, name)
		fi, err := r.root.Lstat(name)
		if err != nil || !fi.Mode().IsRegular() && !fi.IsDir() {
			continue
		}
		alive, known, release := r.lives(name)
		if !known {
			alive = now.Sub(fi.ModTime()) <= tempAge
		}
		if parts, ok := r.parts(name, fi); ok {
			visit(name, parts, alive)
		}
		release()
	}
}

// parts are the files and the directory that a file in the making consists of. It is false for a directory that has
// anything else in it.
func (r *Root) parts(name string, fi fs.FileInfo) (parts []string, ok bool) {
	if !fi.IsDir() {
		return []string{name}, true
	}
	inside, err := r.Names(name)
	if err != nil {
		return nil, false
	}
	for i := len(inside) - 1; i >= 0; i-- { // .gitignore is the first, and goes last
		part := filepath.Join(name, inside[i])
		fi, err := r.root.Lstat(part)
		if err != nil || !fi.Mode().IsRegular() || inside[i] != draftName && !(inside[i] == ignoreName && fi.Size() <= int64(len(ignoreText))) {
			return nil, false
		}
		parts = append(parts, part)
	}
	return append(parts, name), true
}
