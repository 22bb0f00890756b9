package document

import (
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// east returns UTC+5:30, probably not the zone of the machine.
func east() *time.Location { return time.FixedZone("east", 5*3600+1800) }

func at(t *testing.T, rfc3339 string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// written returns the Document for a text, without file info.
func written(t *testing.T, kind Kind, name, text string) Document {
	t.Helper()
	fsys := fstest.MapFS{"f": {Data: []byte(text), ModTime: at(t, "2026-03-01T00:00:00Z")}}
	info, err := fs.Stat(fsys, "f")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(strings.NewReader(text), kind)
	if err != nil {
		t.Fatal(err)
	}
	p.Info = info
	return New(kind, "/p", "/p/"+name, p, east())
}

const whole = `---
date: 2026-01-16 05:15
project: harbour
status: in-progress
tags: [tides, "cargo list", 7]
previous_session: session-2026-01-15-1430.md
branch: feature/cranes
---

# Cranes

## Session Summary

- Moved the **second** crane
- and the third

## Accomplishments
- None
`

func TestNew(t *testing.T) {
	t.Parallel()
	const name = "session-2026-01-16-0600.md"
	const fromName = "2026-01-16T06:00:00+05:30"
	for label, tt := range map[string]struct {
		kind       Kind
		name, text string
		want       Document
		date       string
	}{
		"whole": {
			KindSession, name, whole,
			Document{
				Title: "Cranes", ProjectName: "harbour", Status: "in-progress", Tags: []string{"tides", "cargo list", "7"},
				Previous: "session-2026-01-15-1430.md", Branch: "feature/cranes", Summary: "Moved the **second** crane",
			},
			"2026-01-16T05:15:00+05:30",
		},
		"CR LF, byte order mark, UTC": {
			KindSession, name, "\uFEFF---\r\ndate: 2026-01-26T05:15:30Z\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n## session summary (part 2)\r\nOne.\r\n",
			Document{Title: "One", Tags: []string{"a", "b"}, Summary: "One."},
			"2026-01-26T05:15:30Z",
		},
		"previous_session null": {
			KindSession, name, "---\nprevious_session: null\nstatus: ~\nbranch:\nproject: ''\ntags: []\n---\n",
			Document{Title: "session-2026-01-16-0600"},
			fromName,
		},
		"no front matter": {
			KindSession, name, "# Loose notes\n\ntext\n\n## Session Summary\n\n### Morning\n<!-- one\nline --> \n* Found it\n",
			Document{Title: "Loose notes", Summary: "Found it"},
			fromName,
		},
		"empty file":            {KindSession, name, "", Document{Title: "session-2026-01-16-0600", Problem: nothingIn}, fromName},
		"empty front matter":    {KindSession, name, "---\n---\n# T\n", Document{Title: "T"}, fromName},
		"closed by dots":        {KindSession, name, "---\nstatus: done\n...\n# T\n", Document{Title: "T", Status: "done"}, fromName},
		"a comment for a value": {KindSession, name, "---\n# nothing\n---\n# T\n", Document{Title: "T"}, fromName},
		"title and odd scalars": {
			KindSession, name,
			"---\nTitle: A day\nstatus: 1.10\nproject: 007\nbranch: &b !!str main\nprevious_session: *b\ntags: a, b\n? x\n: y\n---\n# T\n",
			Document{Title: "A day", Status: "1.10", ProjectName: "007", Branch: "main", Tags: []string{"a", "b"}},
			fromName,
		},
		"nested where a text belongs": {
			KindSession, name, "---\nstatus: {a: b}\nbranch: [main, other]\ntags: [[x], y]\n---\n",
			Document{Title: "session-2026-01-16-0600", Branch: "main", Tags: []string{"y"}},
			fromName,
		},
		"twice the same key": {
			KindSession, name, "---\nstatus: a\nstatus: b\n---\n",
			Document{Title: "session-2026-01-16-0600", Status: "b"},
			fromName,
		},
		"date that is none": {
			KindSession, name, "---\ndate: yesterday\ntags:\n- x\n---\n",
			Document{Title: "session-2026-01-16-0600", Tags: []string{"x"}, Problem: "front matter: invalid date: yesterday"},
			fromName,
		},
		"malformed: reserved sign": {
			KindSession, name, "---\ndate: 2026-01-16 05:15\nproject: @quay/harbour\ntags: [a, b]\nprevious_session: null\n---\n# T\n",
			Document{
				Title: "T", ProjectName: "@quay/harbour", Tags: []string{"a", "b"},
				Malformed: true, Problem: "front matter: line 3: invalid YAML",
			},
			"2026-01-16T05:15:00+05:30",
		},
		"malformed: second colon, CR LF": {
			KindSession, name, "---\r\nstatus: \"blocked\"\r\nbranch: fix: cranes\r\nstatus: other\r\n---\r\n# T\r\n",
			Document{
				Title: "T", Status: "blocked", Branch: "fix: cranes",
				Malformed: true, Problem: "front matter: line 3: invalid YAML",
			},
			fromName,
		},
		"malformed: open list": {
			KindSession, name, "---\ntags: [a, b\nstatus: done\n---\n## Session Summary\nS\n",
			Document{
				Title: "S", Status: "done", Tags: []string{"a", "b"}, Summary: "S",
				Malformed: true, Problem: "front matter: line 3: the list is not closed",
			},
			fromName,
		},
		"a text, no keys": {
			KindSession, name, "---\njust text\n---\n# T\n",
			Document{Title: "T", Malformed: true, Problem: "front matter: not a list of keys and values"},
			fromName,
		},
		"never closed": {
			KindSession, name, "---\nstatus: done\n\n# T\n\nbranch: no\n## Session Summary\nS\n",
			Document{
				Title: "T", Status: "done", Summary: "S", Malformed: true, Problem: "the closing --- is missing",
			},
			fromName,
		},
		"too long": {
			KindSession, name, "---\n" + strings.Repeat("#\n", maxFrontMatter) + "---\n# T\n",
			Document{Title: "T", Malformed: true, Problem: "the closing --- is missing"},
			fromName,
		},
		"escape sequences": {
			KindSession, name,
			"---\nstatus: \"a\\e[31mb\"\ntags: [\"\\e]0;x\\a\"]\n---\n# T\x1b[2J\xff\n## Session Summary\n- \x1b]8;;http://x\x07S\x1b]8;;\x07 \u202e\n",
			Document{Title: "T\uFFFD", Status: "ab", Summary: "S"},
			fromName,
		},
		"long line": {
			KindSession, name, "# " + strings.Repeat("ä", 1000) + "\n",
			Document{Title: strings.Repeat("ä", 500)},
			fromName,
		},
		"headings in code": {
			KindSession, name, "```\n# no\n## Session Summary\nno\n```\n#no\n# Yes\n## Session Summary\n```\ncode\n```\nAfter\n",
			Document{Title: "Yes", Summary: "After"},
			fromName,
		},
		"summary without a line": {
			KindSession, name, "## Session Summary\n\n## Next Steps\n1. x\n",
			Document{Title: "session-2026-01-16-0600", Next: []string{"x"}},
			fromName,
		},
		"name without a time": {KindSession, "session-cranes.md", "", Document{Title: "session-cranes", Problem: nothingIn}, "2026-03-01T00:00:00Z"},
		"active context": {
			KindActiveContext, "active-context.md",
			"# Active Session Context\n> Last Updated: 2026-01-16 05:15:00\n> Last Session Doc: x.md\n\n## Current Task\nPaint the crane.\n",
			Document{Title: "Active Session Context", Summary: "Paint the crane."},
			"2026-01-16T05:15:00+05:30",
		},
		"active context, UTC": {
			KindActiveContext, "active-context.md", "# A\n> last updated: 2026-01-26T05:15:00Z\n",
			Document{Title: "A"},
			"2026-01-26T05:15:00Z",
		},
		"project memory": {
			KindProjectMemory, "project-memory.md", "# Project Memory\n\n## Key Patterns\n- x\n",
			Document{Title: "Project Memory"},
			"2026-03-01T00:00:00Z",
		},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			got := written(t, tt.kind, tt.name, tt.text)
			if !got.Date.Equal(at(t, tt.date)) {
				t.Errorf("date %v, want %s", got.Date, tt.date)
			}
			if got.Path != "/p/"+tt.name || got.Project != "/p" || got.Kind != tt.kind || got.Bytes != int64(len(tt.text)) {
				t.Errorf("file: %+v", got)
			}
			got.Path, got.Project, got.Kind, got.Bytes = "", "", "", 0
			got.Date, got.Modified = time.Time{}, time.Time{}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"session-2026-01-16-0515.md":        "2026-01-16T05:15:00+05:30",
		"session-2026-01-16-0515Z.md":       "2026-01-16T05:15:00Z",
		"session-2026-01-16-051530.md":      "2026-01-16T05:15:30+05:30",
		"session-2026-01-16-051530Z.md":     "2026-01-16T05:15:30Z",
		"session-2026-01-16-0515-cranes.md": "2026-01-16T05:15:00+05:30",
		"session-2026-01-16.md":             "2026-01-16T00:00:00+05:30",
		"session-2026-01-16-cranes.md":      "2026-01-16T00:00:00+05:30",
		"session-2026-13-16-0515.md":        "",
		"session-cranes.md":                 "",
		"session-.md":                       "",
		"active-context.md":                 "",
	} {
		got := parseName(name, east())
		if want == "" && !got.IsZero() || want != "" && !got.Equal(at(t, want)) {
			t.Errorf("%s: %v, want %q", name, got, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-16 05:15":          "2026-01-16T05:15:00+05:30",
		"2026-01-16 05:15:09":       "2026-01-16T05:15:09+05:30",
		"2026-01-16T05:15":          "2026-01-16T05:15:00+05:30",
		"2026-01-16T05:15:09Z":      "2026-01-16T05:15:09Z",
		"2026-01-16T05:15:09.25Z":   "2026-01-16T05:15:09.25Z",
		"2026-01-16 05:15Z":         "2026-01-16T05:15:00Z",
		"2026-01-16 05:15 UTC":      "2026-01-16T05:15:00Z",
		"2026-01-16T05:15:09-08:00": "2026-01-16T05:15:09-08:00",
		" 2026-01-16 ":              "2026-01-16T00:00:00+05:30",
		"2026-02-30":                "",
		"16.1.2026":                 "",
		"T":                         "",
		"":                          "",
	} {
		got, ok := parseDate(text, east())
		if ok != (want != "") || ok && !got.Equal(at(t, want)) {
			t.Errorf("%q: %v %v, want %q", text, got, ok, want)
		}
	}
}
