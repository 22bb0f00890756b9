package backup

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	t.Parallel()
	const exit, compact = "raw/20260115_143000_exit.jsonl", "raw/20260115_120000_compact.jsonl"
	type marker struct {
		name, text string // M is the memory directory
		kind       MarkerKind
		target     string // relative to the project; "" if none
		state      MarkerState
	}
	const memory = ".claude/memory/"
	for label, tt := range map[string]struct {
		markers []marker
		pending map[string]string // backup → marker
		problem string
	}{
		"valid, of the spec": {
			markers: []marker{{".pending-backup", "M/" + exit + "\n", MarkerLegacy, memory + exit, MarkerValid}},
			pending: map[string]string{exit: ".pending-backup"},
		},
		"both split markers": {
			markers: []marker{
				{".pending-backup-exit", "M/" + exit + "\n", MarkerExit, memory + exit, MarkerValid},
				{".pending-backup-compact", "M/" + compact + "\n", MarkerCompact, memory + compact, MarkerValid},
			},
			pending: map[string]string{exit: ".pending-backup-exit", compact: ".pending-backup-compact"},
		},
		"two markers of one backup": {
			markers: []marker{
				{".pending-backup-exit", "M/" + exit, MarkerExit, memory + exit, MarkerValid},
				{".pending-backup", "M/" + exit, MarkerLegacy, memory + exit, MarkerValid},
			},
			pending: map[string]string{exit: ".pending-backup-exit"},
		},
		"white space around it": {
			markers: []marker{{".pending-backup", "\n  M/" + exit + "\t\r\n\n", MarkerLegacy, memory + exit, MarkerValid}},
			pending: map[string]string{exit: ".pending-backup"},
		},
		"relative to the project": {
			markers: []marker{{".pending-backup", memory + exit, MarkerLegacy, memory + exit, MarkerValid}},
			pending: map[string]string{exit: ".pending-backup"},
		},
		"with detours": {
			markers: []marker{{".pending-backup", "M/../memory//./" + exit, MarkerLegacy, memory + exit, MarkerValid}},
			pending: map[string]string{exit: ".pending-backup"},
		},
		"in the directory of flow B": {
			markers: []marker{
				{".pending-backup", "M/sessions/raw/20260101_000000.jsonl", MarkerLegacy, memory + "sessions/raw/20260101_000000.jsonl", MarkerValid},
			},
			pending: map[string]string{"sessions/raw/20260101_000000.jsonl": ".pending-backup"},
		},
		"stale": {
			markers: []marker{{".pending-backup", "M/raw/gone.jsonl\n", MarkerLegacy, memory + "raw/gone.jsonl", MarkerStale}},
		},
		"outside: a directory": {
			markers: []marker{{".pending-backup", "M/raw/dir.jsonl\n", MarkerLegacy, memory + "raw/dir.jsonl", MarkerOutside}},
		},
		"outside: below a file": {
			markers: []marker{{".pending-backup", "M/" + exit + "/x", MarkerLegacy, memory + exit + "/x", MarkerOutside}},
		},
		"outside: below a directory": {
			markers: []marker{{".pending-backup", "M/raw/sub/y.jsonl", MarkerLegacy, memory + "raw/sub/y.jsonl", MarkerOutside}},
		},
		"outside: what is no backup": {
			markers: []marker{
				{".pending-backup-exit", "M/raw/.gitignore", MarkerExit, memory + "raw/.gitignore", MarkerOutside},
				{".pending-backup-compact", "M/raw/.sums", MarkerCompact, memory + "raw/.sums", MarkerOutside},
				{".pending-backup", "M/raw/.hidden.jsonl", MarkerLegacy, memory + "raw/.hidden.jsonl", MarkerOutside},
			},
		},
		"two paths": {
			markers: []marker{{".pending-backup", "M/raw/gone.jsonl\nM/raw/gone-2.jsonl\n", MarkerLegacy, "", MarkerUnreadable}},
			problem: "read M/.pending-backup: more than one line",
		},
		"a path and a word": {
			markers: []marker{{".pending-backup-exit", "M/" + exit + "\r\nsaved\r\n", MarkerExit, "", MarkerUnreadable}},
			problem: "read M/.pending-backup-exit: more than one line",
		},
		"empty":       {markers: []marker{{".pending-backup-exit", "", MarkerExit, "", MarkerEmpty}}},
		"only spaces": {markers: []marker{{".pending-backup-exit", " \r\n", MarkerExit, "", MarkerEmpty}}},
		"outside": {
			markers: []marker{{".pending-backup", "M/../../precious.jsonl", MarkerLegacy, "precious.jsonl", MarkerOutside}},
		},
		"outside: up from raw": {
			markers: []marker{{".pending-backup", "M/raw/../active-context.md", MarkerLegacy, memory + "active-context.md", MarkerOutside}},
		},
		"outside: a name that goes on": {
			markers: []marker{{".pending-backup", "M/raw2/x.jsonl", MarkerLegacy, memory + "raw2/x.jsonl", MarkerOutside}},
		},
		"outside: raw itself": {
			markers: []marker{{".pending-backup", "M/raw", MarkerLegacy, memory + "raw", MarkerOutside}},
		},
		"outside: the name of a backup": {
			markers: []marker{{".pending-backup", "elsewhere/" + exit, MarkerLegacy, "elsewhere/" + exit, MarkerOutside}},
		},
		"no path at all": {
			markers: []marker{{".pending-backup", strings.Repeat("x", maxTarget+1), MarkerLegacy, "", MarkerUnreadable}},
			problem: "read M/.pending-backup: 8193 bytes, too long for a path",
		},
		"binary": {
			markers: []marker{{".pending-backup", "M/" + exit + "\x00", MarkerLegacy, "", MarkerUnreadable}},
			problem: "read M/.pending-backup: binary file",
		},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.mkdir(".claude/memory/raw/dir.jsonl")
			for _, name := range []string{"sub/y.jsonl", ".gitignore", ".sums", ".hidden.jsonl"} {
				p.write(memory+"raw/"+name, "*\n")
			}
			p.write("precious.jsonl", "")
			p.write("elsewhere/"+exit, "")
			var all []string
			for _, b := range []string{exit, compact, "sessions/raw/20260101_000000.jsonl"} {
				p.write(memory+b, "{}\n")
				all = append(all, b)
			}
			for _, m := range tt.markers {
				p.write(memory+m.name, strings.ReplaceAll(m.text, "M", p.memory("")))
			}
			var problems []string
			problems = append(problems, "read M/raw/dir.jsonl: not a regular file")
			if tt.problem != "" {
				problems = append(problems, tt.problem)
			}
			found := p.want(all, nil, problems)
			if len(found.Markers) != len(tt.markers) {
				t.Fatalf("markers %+v", found.Markers)
			}
			for i, m := range tt.markers {
				want := Marker{Path: p.memory(m.name), Kind: m.kind, State: m.state}
				if m.target != "" {
					want.Target = p.path(m.target)
				}
				if found.Markers[i] != want {
					t.Errorf("got  %+v\nwant %+v", found.Markers[i], want)
				}
			}
			for i, b := range found.Backups {
				want := tt.pending[all[i]]
				if want != "" {
					want = p.memory(want)
				}
				if b.Pending != (want != "") || b.Marker != want {
					t.Errorf("%s: pending %v by %q, want %q", filepath.Base(b.Path), b.Pending, b.Marker, want)
				}
			}
		})
	}
}

func TestMarkerOfSeveralLines(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	text := s.memory("raw/gone.jsonl") + "\n" + s.memory("raw/gone-2.jsonl") + "\n"
	s.mark(".pending-backup", text)
	s.mark(".pending-backup-exit", text)
	if gone, err := s.m.CleanMarkers(t.Context()); err != nil || len(gone) > 0 {
		t.Errorf("%+v, %v", gone, err)
	}
	if plan := s.plan(); !plan.Empty() || len(plan.Problems) != 2 || !errors.Is(plan.Problems[0], errSeveral) {
		t.Errorf("%+v", plan)
	}
	s.write("t.jsonl", records(sessionA, 1))
	s.save(s.m, Request{Transcript: s.path("t.jsonl"), By: ByEnd, Reason: "r", At: at(t, "2026-11-21T11:02:13Z")})
	if s.read(".pending-backup") != text || s.read(".pending-backup-exit-2") != text {
		t.Errorf("markers %q", s.markers())
	}
}
