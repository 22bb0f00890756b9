package backup

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	t.Parallel()
	const exit, compact = "raw/20260115_143000_exit.jsonl", "raw/20260115_120000_compact.jsonl"
	type marker struct {
		name, text string // M stands for the memory directory
		kind       MarkerKind
		target     string // below the project; "" none
		state      MarkerState
	}
	const memory = ".claude/memory/"
	for label, tt := range map[string]struct {
		markers []marker
		pending map[string]string // backup: marker
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
		"stale: a directory": {
			markers: []marker{{".pending-backup", "M/raw/dir\n", MarkerLegacy, memory + "raw/dir", MarkerStale}},
		},
		"stale: below a file": {
			markers: []marker{{".pending-backup", "M/" + exit + "/x", MarkerLegacy, memory + exit + "/x", MarkerStale}},
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
			problem: "read M/.pending-backup: 8193 bytes are no path",
		},
		"binary": {
			markers: []marker{{".pending-backup", "M/" + exit + "\x00", MarkerLegacy, "", MarkerUnreadable}},
			problem: "read M/.pending-backup: it is binary",
		},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.mkdir(".claude/memory/raw/dir")
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
			if tt.problem != "" {
				problems = []string{tt.problem}
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
