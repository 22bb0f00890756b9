package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// timeFormat is a format of times in the data. The times of the data are in UTC.
type timeFormat struct {
	pattern string
	layout  string // layout of the longest time; a shorter time has the beginning of this layout
	local   bool   // write the times in the time zone of Now instead of UTC
}

// stamps returns the time format of records. Times of other formats belong to the conversation and stay.
func stamps() timeFormat {
	return timeFormat{pattern: `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`, layout: "2006-01-02T15:04:05.000Z"}
}

// names returns the format of the time in the file name of a document.
func names() timeFormat {
	return timeFormat{pattern: `\d{4}-\d\d-\d\d-\d{4}\.md`, layout: "2006-01-02-1504.md", local: true}
}

// formatsOf returns the formats of the times to shift in a file.
func formatsOf(rel string) []timeFormat {
	if strings.HasPrefix(rel, ".claude/") {
		return []timeFormat{stamps()}
	}
	return []timeFormat{
		{pattern: `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`, layout: "2006-01-02T15:04:05Z"},
		{pattern: `\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?`, layout: time.DateTime, local: true},
	}
}

// shift shifts all times of one format in a text. newest is the newest shifted time.
func (w *writer) shift(text []byte, f timeFormat) (moved []byte, newest time.Time) {
	zone := time.UTC
	if f.local {
		zone = w.Now.Location()
	}
	moved = regexp.MustCompile(f.pattern).ReplaceAllFunc(text, func(m []byte) []byte {
		layout := f.layout[:len(m)]
		t, err := time.Parse(layout, string(m))
		if err != nil {
			return m
		}
		if t = w.moved(t); t.After(newest) {
			newest = t
		}
		return []byte(t.In(zone).Format(layout))
	})
	return moved, newest
}

// moved shifts one time. The newest record gets the time Now.
func (w *writer) moved(t time.Time) time.Time { return t.Add(w.Now.Sub(dataTime())) }

// written returns the modification time for a file without times, before the shift.
func written(rel string) time.Time {
	switch path.Base(rel) {
	case "f7682524-937b-4dac-b4e0-820689c3b9e9.jsonl": // empty
		return time.Date(2026, time.November, 10, 7, 48, 11, 697_000_000, time.UTC)
	case "agent-a331e9f136800cfe4.meta.json":
		return time.Date(2026, time.November, 20, 17, 26, 25, 594_000_000, time.UTC)
	case "project-memory.md":
		return dataTime().AddDate(0, 0, -12)
	case ".loa.config.yaml":
		return dataTime().AddDate(0, 0, -9)
	}
	return dataTime().Add(-2 * time.Hour)
}

// shifted returns the contents of a data file, with shifted times and replaced paths. modified is the newest shifted
// time in the file, or that of written if there are no times.
func (w *writer) shifted(name, rel string) (text []byte, modified time.Time, err error) {
	if text, err = files.ReadFile(name); err != nil {
		return nil, time.Time{}, fmt.Errorf("demo data: %w", err)
	}
	for _, f := range formatsOf(rel) {
		var newest time.Time
		if text, newest = w.shift(text, f); newest.After(modified) {
			modified = newest
		}
	}
	if modified.IsZero() {
		modified = w.moved(written(rel))
	}
	if strings.HasPrefix(rel, "code/") {
		text, _ = w.shift(text, names())
	}
	root := []byte(w.Root)
	if ext := path.Ext(rel); ext == ".jsonl" || ext == ".json" {
		root = quoted(w.Root)
		root = root[1 : len(root)-1]
	}
	return bytes.ReplaceAll(text, []byte(adaCode), root), modified, nil
}

// quoted returns a text as a JSON string. It doesn't escape <, > and &.
func quoted(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // never fails for a string
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// target returns the path for a data file. A date in the file name is shifted, too.
func (w *writer) target(rel string, modified time.Time) string {
	name, _ := w.shift([]byte(strings.TrimSuffix(rel, ".txt")), names())
	rel = string(name)
	rel = regexp.MustCompile(`\d{4}-\d\d-\d\d\.jsonl$`).ReplaceAllString(rel, modified.In(w.Now.Location()).Format(time.DateOnly)+".jsonl")
	project := projectOf(rel)
	if rest, ok := strings.CutPrefix(rel, "code/"+project+"/"); ok {
		return filepath.Join(w.workdir(project), filepath.FromSlash(rest))
	}
	rest := strings.TrimPrefix(rel, ".claude/projects/"+adaDirs+project+"/")
	return filepath.Join(w.dir, "projects", w.slug(project), filepath.FromSlash(rest))
}

// stampsOf returns the times of all records of a transcript, in file order.
func stampsOf(text []byte) []time.Time {
	var list []time.Time
	for _, m := range regexp.MustCompile(stamps().pattern).FindAll(text, -1) {
		if t, err := time.Parse(stamps().layout, string(m)); err == nil {
			list = append(list, t)
		}
	}
	return list
}
