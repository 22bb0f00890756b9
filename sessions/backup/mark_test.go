package backup

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMark: a new backup replaces the markers of backups that it contains.
func TestMark(t *testing.T) {
	t.Parallel()
	// a1 and a2 are from session A, and a2 is longer than the new backup. b is from another session, x from an
	// unknown session. The new backup is from session A and has 1000 bytes.
	const a1, a2, b, x = "20260101_000001Z_a1.jsonl", "20260101_000002Z_a2.jsonl", "20260101_000003Z_b.jsonl", "20260101_000004Z_x.jsonl"
	const fresh = "20261121_110213Z_r.jsonl"
	for label, tt := range map[string]struct {
		by      By
		markers map[string]string // end of the name → text; M is the path of raw
		want    map[string]string // new or renamed markers; the others must stay
		gone    []string
	}{
		"none":               {by: ByEnd, want: map[string]string{"": fresh}},
		"stale":              {by: ByCompact, markers: map[string]string{"": "M/gone.jsonl\n"}, want: map[string]string{"": fresh}},
		"empty":              {by: ByEnd, markers: map[string]string{"": " \n"}, want: map[string]string{"": fresh}},
		"taken":              {by: ByEnd, markers: map[string]string{"": "M/" + b}, want: map[string]string{"-exit": fresh}},
		"taken, compaction":  {by: ByCompact, markers: map[string]string{"": "M/" + b}, want: map[string]string{"-compact": fresh}},
		"taken, of a person": {by: ByPerson, markers: map[string]string{"": "M/" + b}, want: map[string]string{"-exit": fresh}},
		"same session, first marker stays": {
			by: ByEnd, markers: map[string]string{"": "M/" + a1}, want: map[string]string{"-exit": fresh},
		},
		"typed one stale": {
			by: ByEnd, markers: map[string]string{"": "M/" + b, "-exit": "M/gone.jsonl"}, want: map[string]string{"-exit": fresh},
		},
		"typed one of the same session, not longer": {
			by: ByEnd, markers: map[string]string{"": "M/" + b, "-exit": "M/" + a1}, want: map[string]string{"-exit": fresh},
		},
		"typed one of the same session, longer": {
			by: ByEnd, markers: map[string]string{"": "M/" + b, "-exit": "M/" + a2},
			want: map[string]string{"-exit": fresh, "-exit-2": "M/" + a2},
		},
		"typed one of another session": {
			by: ByCompact, markers: map[string]string{"": "M/" + a1, "-compact": "M/" + b + "\r\n"},
			want: map[string]string{"-compact": fresh, "-compact-2": "M/" + b + "\r\n"},
		},
		"typed one of an unknown session": {
			by: ByEnd, markers: map[string]string{"": "M/" + a1, "-exit": "M/" + x},
			want: map[string]string{"-exit": fresh, "-exit-2": "M/" + x},
		},
		"the next free number": {
			by: ByEnd,
			markers: map[string]string{
				"": "M/" + a1, "-exit": "M/" + b, "-exit-2": "M/" + a1, "-exit-4": "M/" + a2, "-compact": "M/" + a2,
			},
			want: map[string]string{"-exit": fresh, "-exit-3": "M/" + b},
		},
		"a number whose backup is gone is taken": {
			by: ByEnd, markers: map[string]string{"": "M/" + a1, "-exit": "M/" + b, "-exit-2": "M/gone.jsonl"},
			want: map[string]string{"-exit": fresh, "-exit-3": "M/" + b},
		},
		"outside": {
			by: ByEnd, markers: map[string]string{"": "/etc/passwd"}, want: map[string]string{"-exit": fresh},
		},
		"typed one outside": {
			by: ByEnd, markers: map[string]string{"": "M/../x", "-exit": "/etc/passwd"},
			want: map[string]string{"-exit": fresh, "-exit-2": "/etc/passwd"},
		},
		"typed one binary": {
			by: ByEnd, markers: map[string]string{"": strings.Repeat("x", maxTarget+1), "-exit": "\x00\xff\x00"},
			want: map[string]string{"-exit": fresh, "-exit-2": "\x00\xff\x00"},
		},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write(".claude/memory/raw/"+a1, records(sessionA, 500))
			p.write(".claude/memory/raw/"+a2, records(sessionA, 2000))
			p.write(".claude/memory/raw/"+b, records(sessionB, 100))
			p.write(".claude/memory/raw/"+x, "{}\n")
			p.write("t.jsonl", records(sessionA, 1000))
			want := map[string]string{}
			expand := func(text string) string { return strings.ReplaceAll(text, "M/", p.memory("raw")+"/") }
			for name, text := range tt.markers {
				p.write(".claude/memory/.pending-backup"+name, expand(text))
				want[name] = expand(text)
			}
			s := p.save(p.open(), Request{
				Transcript: p.path("t.jsonl"), By: tt.by, Reason: "r", At: at(t, "2026-11-21T11:02:13Z"),
			})
			for name, text := range tt.want {
				if want[name] = expand(text); text == fresh {
					want[name] = s.Path + "\n"
				}
			}
			got := map[string]string{}
			for _, name := range p.names("") {
				if rest, ok := strings.CutPrefix(name, ".pending-backup"); ok {
					got[rest] = p.read(name)
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if p.read(strings.TrimPrefix(s.Marker, p.memory("")+"/")) != s.Path+"\n" {
				t.Errorf("marker %q", s.Marker)
			}
		})
	}
}

// TestMarkSessionOfTheRequest: the first 64 KB of the transcript have no session ID.
func TestMarkSessionOfTheRequest(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	silent := strings.Repeat(`{"type":"file-history-snapshot"}`+"\n", 3000)
	p.write("t.jsonl", records(sessionA, 1000))
	r := Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "r", SessionID: sessionA, At: at(t, "2026-11-21T11:02:13Z")}
	p.save(m, r)
	p.save(m, r)
	p.write("t.jsonl", silent)
	r.At = r.At.Add(1)
	p.save(m, r)
	want := map[string]string{
		".pending-backup": "20261121_110213Z_r.jsonl\n", ".pending-backup-exit": "20261121_110213Z_r-3.jsonl\n",
	}
	if got := p.markers(); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestParseMarkerName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]markerName{
		".pending-backup":                           {kind: MarkerLegacy},
		".pending-backup-exit":                      {kind: MarkerExit},
		".pending-backup-compact":                   {kind: MarkerCompact},
		".pending-backup-exit-2":                    {kind: MarkerExit, n: 2},
		".pending-backup-compact-1234":              {kind: MarkerCompact, n: 1234},
		".pending-backup-exit-1":                    {},
		".pending-backup-exit-02":                   {},
		".pending-backup-exit-+2":                   {},
		".pending-backup-exit--2":                   {},
		".pending-backup-exit-2-2":                  {},
		".pending-backup-exit-99999999999999999999": {},
		".pending-backup-2":                         {},
		".pending-backup-other":                     {},
		".pending-backup.bak":                       {},
		"pending-backup":                            {},
		"":                                          {},
	} {
		got, ok := parseMarkerName(name)
		if ok != (want.kind != "") {
			t.Errorf("%q: %v", name, ok)
		}
		if want.name = name; ok && got != want {
			t.Errorf("%q: %+v", name, got)
		}
	}
}

func TestNumberedMarkers(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	backups := map[string]string{
		"": "1", "-exit": "2", "-exit-2": "3", "-exit-10": "4", "-compact": "5", "-compact-3": "6", "-exit-3": "gone", "-compact-2": "",
	}
	for marker, name := range backups {
		text := "\n"
		if name != "" {
			text = p.memory("raw/2026010" + name + "_000000Z_r.jsonl")
		}
		if name != "" && name != "gone" {
			p.write(".claude/memory/raw/2026010"+name+"_000000Z_r.jsonl", "{}\n")
		}
		p.write(".claude/memory/.pending-backup"+marker, text)
	}
	p.write(".claude/memory/.pending-backup-exit-1", "no marker")
	found := p.find()
	var order []string
	for _, m := range found.Markers {
		order = append(order, strings.TrimPrefix(m.Path, p.memory(".pending-backup")))
		if base, n := cutNumber(m.Path); m.N != n || n > 0 && base != p.memory(".pending-backup-"+string(m.Kind)) {
			t.Errorf("%+v", m)
		}
	}
	want := []string{"-exit", "-exit-2", "-exit-3", "-exit-10", "-compact", "-compact-2", "-compact-3", ""}
	if !reflect.DeepEqual(order, want) {
		t.Errorf("order %q", order)
	}
	for _, b := range found.Backups {
		if !b.Pending {
			t.Errorf("%s has lost its marker", b.Path)
		}
	}
	if n, err := Pending(t.Context(), p.dir); n != 6 || err != nil {
		t.Errorf("%d pending, %v", n, err)
	}
	m := p.open()
	markers, err := m.Pending(t.Context())
	if err != nil || !slices.Equal(markers, found.Markers) {
		t.Errorf("%+v, %v", markers, err)
	}
	gone, err := m.CleanMarkers(t.Context())
	if err != nil || len(gone) != 2 || gone[0].State != MarkerStale || gone[1].State != MarkerEmpty {
		t.Errorf("%+v, %v", gone, err)
	}
	if after := p.find().Markers; len(after) != 6 || p.read(".pending-backup-exit-1") == "" {
		t.Errorf("left %+v", after)
	}
	if gone, err := m.CleanMarkers(t.Context()); err != nil || gone != nil {
		t.Errorf("again: %+v, %v", gone, err)
	}
}

// TestHugeMarker: only 8 KB of a marker are read. An invalid marker stays.
func TestHugeMarker(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/.pending-backup", "")
	if err := os.Truncate(p.memory(".pending-backup"), 1<<30); err != nil { // a sparse file
		t.Fatal(err)
	}
	m := p.open()
	markers, err := m.Pending(t.Context())
	if err == nil || len(markers) != 1 || markers[0].State != MarkerUnreadable {
		t.Errorf("%+v, %v", markers, err)
	}
	if gone, err := m.CleanMarkers(t.Context()); err != nil || len(gone) > 0 {
		t.Errorf("%+v, %v", gone, err)
	}
	if found := p.find(); len(found.Markers) != 1 || found.Markers[0].State != MarkerUnreadable || len(found.Problems) != 1 {
		t.Errorf("%+v", found)
	}
	p.write("t.jsonl", records(sessionA, 1))
	s := p.save(m, Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "r", At: at(t, "2026-11-21T11:02:13Z")})
	if fi, err := os.Stat(p.memory(".pending-backup")); err != nil || fi.Size() != 1<<30 || s.Marker != p.memory(".pending-backup-exit") {
		t.Errorf("%v, %v, marker %s", fi, err, s.Marker)
	}
}
