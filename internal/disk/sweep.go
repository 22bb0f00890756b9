package disk

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"time"
)

// tempAge is the age of an abandoned temporary file whose lock can't be tested.
const tempAge = time.Hour

// Left is a temporary file in a directory.
type Left struct {
	Path  string // full path
	Bytes int64
	Alive bool // the writer of the file is running
}

// Temps returns the readable temporary files in one directory.
func (r *Root) Temps(dir string) []Left {
	var left []Left
	r.eachTemp(dir, "", time.Now(), func(name string, parts []string, alive bool) {
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

// Sweep deletes the temporary files of killed writers in one directory. If locks can't be tested, it deletes those
// older than an hour.
func (r *Root) Sweep(dir string) { r.sweep(dir, "", time.Now()) }

// sweepFor sweeps the directory of a new temporary file, once for each Root. The time of the new file is the current
// time of the file system.
func (r *Root) sweepFor(t *Temp, dir string) {
	r.mu.Lock()
	swept := r.swept[dir]
	r.swept[dir] = true
	r.mu.Unlock()
	if swept {
		return
	}
	if fi, err := t.Stat(); err == nil {
		r.sweep(dir, filepath.Base(cmp.Or(t.hidden, t.name)), fi.ModTime())
	}
}

func (r *Root) sweep(dir, own string, now time.Time) {
	r.eachTemp(dir, own, now, func(_ string, parts []string, alive bool) {
		for _, part := range parts {
			if alive || r.root.Remove(part) != nil {
				return
			}
		}
	})
}

// eachTemp calls visit for each temporary file in a directory, except own. parts has its files and directories in the
// order of deletion. An abandoned file is locked during visit.
func (r *Root) eachTemp(dir, own string, now time.Time, visit func(name string, parts []string, alive bool)) {
	names, _ := r.Names(dir) // after an error, use the names that could be read
	for _, name := range names {
		if !IsTemp(name) || name == own {
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

// parts returns the paths of a temporary file: the file, its .gitignore, and their directory. ok is false if the
// directory has other contents.
func (r *Root) parts(name string, fi fs.FileInfo) (parts []string, ok bool) {
	if !fi.IsDir() {
		return []string{name}, true
	}
	inside, err := r.Names(name)
	if err != nil {
		return nil, false
	}
	for i := len(inside) - 1; i >= 0; i-- { // in reverse, so that .gitignore comes last
		part := filepath.Join(name, inside[i])
		fi, err := r.root.Lstat(part)
		if err != nil || !fi.Mode().IsRegular() {
			return nil, false
		}
		if ignore := inside[i] == ignoreName && fi.Size() <= int64(len(ignoreText)); !ignore && inside[i] != draftName {
			return nil, false
		}
		parts = append(parts, part)
	}
	return append(parts, name), true
}
