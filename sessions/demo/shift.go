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

// form is a format of times in the data. The time zone of the data is UTC.
type form struct {
	pattern string
	layout  string // layout of the longest time; the layout of a shorter time is the beginning of this
	local   bool   // times are written in the time zone of Now, not in UTC
}

// stamps returns the form of the times of transcript records. Other times in a transcript are part of the conversation
// and aren't moved.
func stamps() form {
	return form{pattern: `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`, layout: "2006-01-02T15:04:05.000Z"}
}

// names returns the form of the time in the file name of a document.
func names() form {
	return form{pattern: `\d{4}-\d\d-\d\d-\d{4}\.md`, layout: "2006-01-02-1504.md", local: true}
}

// formsOf returns the formats of the times in a file that must be moved.
func formsOf(rel string) []form {
	if strings.HasPrefix(rel, ".claude/") {
		return []form{stamps()}
	}
	return []form{
		{pattern: `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`, layout: "2006-01-02T15:04:05Z"},
		{pattern: `\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?`, layout: time.DateTime, local: true},
	}
}

// shift moves all times of a form in a text. It also returns the newest of the moved times.
func (w *writer) shift(text []byte, f form) (moved []byte, newest time.Time) {
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

// moved moves a time of the data. All times are moved by the same amount, so that the newest record is at Now.
func (w *writer) moved(t time.Time) time.Time { return t.Add(w.Now.Sub(dataTime())) }

// written returns the modification time of a data file that contains no time.
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

// shifted returns the content of a file of the data with moved times and changed paths. modified is the newest moved
// time in the file. If the file contains no times, it is the moved result of written.
func (w *writer) shifted(name, rel string) (text []byte, modified time.Time, err error) {
	if text, err = files.ReadFile(name); err != nil {
		return nil, time.Time{}, fmt.Errorf("demo data: %w", err)
	}
	for _, f := range formsOf(rel) {
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

// quoted returns a text as JSON, without escapes for < > and &.
func quoted(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string can always be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// target returns the path to which a file of the data is written. If the file name contains a date, it is moved like
// the times in the file.
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

// stampsOf returns the times of the records of a transcript, in their order.
func stampsOf(text []byte) []time.Time {
	var list []time.Time
	for _, m := range regexp.MustCompile(stamps().pattern).FindAll(text, -1) {
		if t, err := time.Parse(stamps().layout, string(m)); err == nil {
			list = append(list, t)
		}
	}
	return list
}
