package trajectory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	ending = ".jsonl"
	packed = ".jsonl.gz"

	dayForm = "2006-01-02"
)

// Name is the name of the file that an agent logs to on a day (2026-02-06); without an agent it is that of the day alone.
func Name(agent, day string) string {
	if agent == "" {
		return day + ending
	}
	return agent + "-" + day + ending
}

// Files are the files of a trajectory, the newest day first, then the one last written to. What has no day in its name
// counts as of the day it was written. Links, directories and whatever else is no plain file are left out: a link to
// the newest file would count its records twice. A directory that is not there has none.
func Files(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var files []File
	for _, e := range entries { // those that could be listed
		f, ok := named(filepath.Join(dir, e.Name()))
		if !ok || !e.Type().IsRegular() {
			continue
		}
		fi, gone := e.Info()
		if gone != nil || !fi.Mode().IsRegular() {
			continue
		}
		f.Size, f.Mod = fi.Size(), fi.ModTime()
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.day(), a.day()), b.Mod.Compare(a.Mod), cmp.Compare(a.Path, b.Path))
	})
	if err != nil {
		return files, fmt.Errorf("list %s: %w", dir, err)
	}
	return files, nil
}

// day is that of the name, else that of the last write.
func (f *File) day() string {
	if f.Day != "" {
		return f.Day
	}
	return f.Mod.Format(dayForm)
}

// named is what the name of a file says; false: it is none of a trajectory.
func named(path string) (File, bool) {
	f := File{Path: path}
	stem, ok := strings.CutSuffix(filepath.Base(path), packed)
	if f.Zip = ok; !ok {
		stem, ok = strings.CutSuffix(filepath.Base(path), ending)
	}
	if !ok {
		return f, false
	}
	f.Agent = stem
	for _, form := range []string{dayForm, "20060102"} {
		at := len(stem) - len(form)
		if at < 0 || at > 0 && stem[at-1] != '-' {
			continue
		}
		if day, err := time.Parse(form, stem[at:]); err == nil {
			f.Agent, f.Day = stem[:max(at-1, 0)], day.Format(dayForm)
			break
		}
	}
	return f, true
}
