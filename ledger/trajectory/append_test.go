package trajectory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

func records(t *testing.T, dir, path string) ([]*Record, Stats) {
	t.Helper()
	var all []*Record
	stats, err := Scan(t.Context(), dir, path, Options{}, func(r *Record) bool { all = append(all, r); return true })
	if err != nil {
		t.Error(err)
	}
	return all, stats
}

func TestAppend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "grimoires", "loa", "a2a", "trajectory", Name("implementing-tasks", "2026-02-06"))
	const at = "2026-02-06T02:41:59Z"
	for _, r := range []any{
		Handoff{
			TS: at, Agent: "implementing-tasks", Phase: PhaseHandoff, SessionID: "s", Bead: "bd-1", NotesRefs: []string{"${PROJECT_ROOT}/NOTES.md:1-2"},
			Ratio: .97, Decisions: 5, Scenarios: 3, EDD: true, Ready: true, Hints: []string{"a < b\nc"},
		},
		&DeltaSync{TS: at, Agent: "implementing-tasks", Phase: PhaseDelta, Tokens: 5000, Decisions: 3, Bead: true, Notes: true},
		Fork{TS: at, Agent: "implementing-tasks", Phase: PhaseFork, Bead: "bd-1", Context: "a", Ledger: "b", Resolution: "bead_wins"},
		GroundingCheck{TS: at, Agent: "implementing-tasks", Phase: PhaseGrounding, Claims: 20, Grounded: 19, Assumptions: 1, Ratio: .95, Threshold: .95, Status: "pass"},
		SelfHeal{Timestamp: at, Phase: PhaseSelfHeal, Status: "complete", Message: "healthy"},
		map[string]int{"phase": 4},
	} {
		if err := Append(t.Context(), dir, path, r); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ts":"2026-02-06T02:41:59Z","agent":"implementing-tasks","phase":"session_handoff","session_id":"s","root_span_id":"","bead_id":"bd-1","notes_refs":["${PROJECT_ROOT}/NOTES.md:1-2"],"grounding_ratio":0.97,"decisions_count":5,"test_scenarios":3,"edd_verified":true,"next_session_ready":true,"next_session_hints":["a < b\nc"]}
{"ts":"2026-02-06T02:41:59Z","agent":"implementing-tasks","phase":"delta_sync","tokens":5000,"decisions_persisted":3,"bead_updated":true,"notes_updated":true}
{"ts":"2026-02-06T02:41:59Z","agent":"implementing-tasks","phase":"fork_detected","bead_id":"bd-1","context_decision":"a","bead_decision":"b","resolution":"bead_wins"}
{"ts":"2026-02-06T02:41:59Z","agent":"implementing-tasks","phase":"grounding_check","total_claims":20,"grounded_claims":19,"assumptions":1,"grounding_ratio":0.95,"threshold":0.95,"status":"pass"}
{"timestamp":"2026-02-06T02:41:59Z","phase":"self_heal","status":"complete","message":"healthy"}
{"phase":4}
`
	if string(text) != want {
		t.Errorf("it has\n%s", text)
	}
	all, stats := records(t, dir, path)
	if len(all) != 6 || stats.Bad != 0 || all[4].Agent != "implementing-tasks" || all[4].At.IsZero() || all[5].Phase != "4" {
		t.Errorf("%d records, %+v", len(all), stats)
	}
	for _, bad := range []any{nil, 4, "x", []int{1}, func() {}, Handoff{Bead: strings.Repeat("x", maxRecord)}} {
		if err := Append(t.Context(), dir, path, bad); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%T: %v", bad, err)
		}
	}
	if err := Append(t.Context(), dir, path, Handoff{Bead: strings.Repeat("x", maxRecord)}); !errors.Is(err, ledger.ErrTooLong) {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != want {
		t.Errorf("it has %d bytes, %v", len(after), err)
	}
}

// TestAppendTorn cuts an append off at each byte. The other records must stay readable.
func TestAppendTorn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a-2026-02-06.jsonl")
	fork := func(n string) Fork {
		return Fork{TS: "2026-02-06T02:41:59Z", Phase: PhaseFork, Bead: n, Context: `{"a":[{` + "\n\"ü"}
	}
	for _, n := range []string{"1", "2"} {
		if err := Append(t.Context(), dir, path, fork(n)); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Append(t.Context(), dir, path, fork("3")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(before); cut <= len(whole); cut++ {
		write(t, dir, "a-2026-02-06.jsonl", whole[:cut])
		want, bad := "12", 0
		switch {
		case cut >= len(whole)-1: // only the line break is missing
			want = "123"
		case cut > len(before):
			bad = 1
		}
		beads := func() (got string, bad int, torn bool) {
			all, stats := records(t, dir, path)
			for _, r := range all {
				got += r.Text("bead_id")
			}
			return got, stats.Bad, stats.Torn
		}
		if got, n, torn := beads(); got != want || n != bad || torn != (bad > 0) {
			t.Errorf("cut at %d: %s, %d bad, torn %v", cut, got, n, torn)
		}
		if err := Append(t.Context(), dir, path, fork("4")); err != nil {
			t.Fatal(err)
		}
		if got, n, torn := beads(); got != want+"4" || n != bad || torn {
			t.Errorf("cut at %d, and the next: %s, %d bad, torn %v", cut, got, n, torn)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"a-b-2026-02-06.jsonl", "riding-20260101.jsonl", "2026-02-07.jsonl", "a-b-2026-01-05.jsonl.gz", "x-2026-13-41.jsonl", "notes.md", "y.jsonl.bak", ".jsonl",
		"evil\x1b[2J\n-2026-02-05.jsonl", "sub-2026-02-06.jsonl/z-2026-02-06.jsonl", "20260203.jsonl", "x2026-02-06.jsonl",
	} {
		write(t, dir, name, []byte("{}\n"))
	}
	if err := os.Symlink("2026-02-07.jsonl", filepath.Join(dir, "latest-2026-02-08.jsonl")); err != nil {
		t.Skip(err)
	}
	files, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got, undated []string
	for _, f := range files {
		line := f.Agent + " " + f.Day
		if f.Zip {
			line += " packed"
		}
		if f.Size != 3 || f.Mod.IsZero() || filepath.Dir(f.Path) != dir {
			t.Errorf("%+v", f)
		}
		if f.Day == "" {
			undated = append(undated, line)
		} else {
			got = append(got, line)
		}
	}
	const want = " 2026-02-07|a-b 2026-02-06|evil\x1b[2J\n 2026-02-05| 2026-02-03|a-b 2026-01-05 packed|riding 2026-01-01"
	if strings.Join(got, "|") != want || len(undated) != 3 {
		t.Errorf("%q, %q", got, undated)
	}
	if files, err := Files(filepath.Join(dir, "none")); files != nil || err != nil {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := Files(filepath.Join(dir, "notes.md")); err == nil {
		t.Error("Files listed a file")
	}
	if got := strings.Join(fileNames("a", "2026-02-06"), " "); got != "a-2026-02-06.jsonl a-20260206.jsonl 2026-02-06.jsonl 20260206.jsonl a-2026-02-06.jsonl.gz a-20260206.jsonl.gz 2026-02-06.jsonl.gz 20260206.jsonl.gz" {
		t.Error(got)
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, dir, "a.jsonl", []byte(`{"time":1770345719,"type":"cite","grounding":{"type":"citation"},"n":"1.5","m":3,"b":true,"blank":" ","null":null,"citations":[{"code":"x","path":"p","line":4},7],"one":{"path":"q"}}
{"ts":1770345719123,"agent":7,"phase":"","type":"x","grounding":"assumption"}
{"ts":"2026-02-06 02:41:59","timestamp":"2025-02-06T02:41:59Z"}
{"ts":"yesterday","timestamp":"2026-02-06T03:41:59+01:00"}
{"ts":"2026-02-06T02:41:59.5"}
{"ts":1e300}
`))
	all, _ := records(t, dir, path)
	if len(all) != 6 {
		t.Fatalf("%d records", len(all))
	}
	for i, want := range []string{"2026-02-06T02:41:59Z", "2026-02-06T02:41:59.123Z", "2026-02-06T02:41:59Z", "2026-02-06T02:41:59Z", "2026-02-06T02:41:59.5Z", "0001-01-01T00:00:00Z"} {
		if got := all[i].At.Format("2006-01-02T15:04:05.999Z07:00"); got != want {
			t.Errorf("%d is of %s", i, got)
		}
	}
	r := all[0]
	if r.Phase != "cite" || r.Agent != "a" || r.kind("grounding") != "citation" || all[1].kind("grounding") != "assumption" || r.Text("none", "blank", "null", "one", "m") != "3" || r.Text("b") != "true" {
		t.Errorf("%+v", r)
	}
	if n, ok := r.Number("b", "n"); n != 1.5 || !ok {
		t.Error(n, ok)
	}
	if _, ok := r.Number("one", "blank", "x"); ok {
		t.Error("Number returned a value without a number")
	}
	items := r.Items("citations")
	if len(items) != 2 || items[0].Text("path") != "p" || items[1].Fields != nil || string(items[1].Raw) != "7" || len(r.Items("one")) != 1 || r.Items("n") != nil || r.Items("none") != nil {
		t.Errorf("%+v", items)
	}
	if all[1].Agent != "7" || all[1].Phase != "x" {
		t.Errorf("%+v", all[1])
	}
}
