package survey

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
)

func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }

// trajectoryWorld is a project with a trajectory, and the Place to read it.
type trajectoryWorld struct {
	t   *testing.T
	dir string
}

func newTrajectoryWorld(t *testing.T) *trajectoryWorld {
	t.Helper()
	root := sessions.RealPath(t.TempDir())
	w := &trajectoryWorld{t, root}
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *trajectoryWorld) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, "grimoires/loa/a2a/trajectory", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *trajectoryWorld) look(ask TimelineAsk) Timeline {
	w.t.Helper()
	l, err := TimelineOf(w.t.Context(), Place{Dir: w.dir, Home: "/home/ada", Now: now()}, ask)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// TestTrajectoryNewest: the newest entries may be in any file.
func TestTrajectoryNewest(t *testing.T) {
	t.Parallel()
	w := newTrajectoryWorld(t)
	for f := range 4 {
		var text strings.Builder
		for n := range 50 {
			at := now().Add(-time.Duration(f*50+n*37%50) * time.Hour)
			fmt.Fprintf(&text, `{"ts":%q,"agent":"a%d","phase":"p%d","n":%d}`+"\n", at.Format(time.RFC3339), f%2, n%3, n)
		}
		w.write(fmt.Sprintf("x-2026-11-%02d.jsonl", 20-f), text.String())
	}
	all := w.look(TimelineAsk{})
	if len(all.Entries) != 200 || all.Left != 0 || all.Records != 200 || all.Today+all.Earlier != 200 || all.Today == 0 || all.Files != 4 {
		t.Fatalf("%d entries of %+v", len(all.Entries), all)
	}
	for i := range all.Entries[1:] {
		if all.Entries[i+1].At.After(all.Entries[i].At) {
			t.Errorf("%d is newer than the one before", i+1)
		}
	}
	for _, limit := range []int{1, 7, 199, 200, 500} {
		l := w.look(TimelineAsk{Limit: limit})
		n := min(limit, 200)
		if !slices.Equal(l.Entries, all.Entries[:n]) || l.Left != 200-n || l.Records != 200 {
			t.Errorf("of %d there are %d, %d left", limit, len(l.Entries), l.Left)
		}
	}
	l := w.look(TimelineAsk{Agent: "A1", Phase: "p2", Limit: 5})
	if len(l.Entries) != 5 || l.Left != 27 || l.Entries[0].Agent != "a1" || l.Entries[4].Phase != "p2" || l.Records != 200 {
		t.Errorf("%d, %d left", len(l.Entries), l.Left)
	}
	if l := w.look(TimelineAsk{Since: now().Add(-3 * time.Hour)}); len(l.Entries) != 4 {
		t.Errorf("%d since", len(l.Entries))
	}
	if l := w.look(TimelineAsk{Day: now()}); len(l.Entries) != all.Today {
		t.Errorf("%d today", len(l.Entries))
	}
	if fmt.Sprint(all.Agents, all.Phases) != "[{a0 100} {a1 100}] [{p0 68} {p1 68} {p2 64}]" {
		t.Error(all.Agents, all.Phases)
	}
}

// TestTrajectoryMost: the newest files are read, up to the limit of bytes. The result has the skipped files.
func TestTrajectoryMost(t *testing.T) {
	t.Parallel()
	w := newTrajectoryWorld(t)
	for day, n := range map[string]int{"2026-11-20": 1000, "2026-11-19": 3, "2026-11-18": 3} {
		w.write("x-"+day+".jsonl", strings.Repeat(`{"phase":"cite","x":"0123456789"}`+"\n", n))
	}
	l := w.look(TimelineAsk{Most: 3400, Limit: 10})
	if l.Files != 3 || l.Older != 2 || l.Records != 100 || l.Bad != 0 || l.Bytes > 3401 || l.Left != 90 || len(l.Problems) != 2 || l.Entries[0].Line != 0 {
		t.Errorf("%+v", l)
	}
	if got := strings.Join(l.Problems, " "); !strings.Contains(got, "2 older files are not counted.") || !strings.Contains(got, "Only 3.4 kB of x-2026-11-20.jsonl are read.") {
		t.Error(got)
	}
	if l := w.look(TimelineAsk{Most: 1 << 20}); l.Older != 0 || l.Records != 1006 || len(l.Problems) != 0 || l.Entries[0].Line != 1000 {
		t.Errorf("%+v", l.Problems)
	}
}

func TestTrajectoryHostile(t *testing.T) {
	t.Parallel()
	w := newTrajectoryWorld(t)
	evil := `\u001b]0;x\u0007\u202e\r\n`
	w.write("e\x1b[2Jvil-2026-11-20.jsonl", `{"phase":"`+evil+`p","agent":"`+evil+`a","action":"`+evil+strings.Repeat("w", 100_000)+`","status":"`+evil+`"}`+"\n{\""+evil+"\":\""+evil+"\"}\n{")
	var many strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&many, `{"ts":"9999-12-31T23:59:59Z","phase":"%d","agent":%q,"x":%q}`+"\n", n, strings.Repeat("ü", 3000), strings.Repeat("y", 300_000*max(0, n-1998)))
	}
	w.write("m-2026-11-21.jsonl", many.String())
	l := w.look(TimelineAsk{Limit: 3000, Raw: 64 << 20})
	if len(l.Entries) != 2002 || len(l.Phases) > maxNames || l.Bad != 1 {
		t.Fatalf("%d entries, %d phases, %d bad", len(l.Entries), len(l.Phases), l.Bad)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		for _, s := range []string{e.Agent, e.Phase, e.What} {
			if strings.ContainsAny(s, "\x1b\x07\n\r\u202e") || len(s) > 4*trajectory.MaxWhat {
				t.Errorf("%d: %.200q", i, s)
			}
		}
		if len(e.Raw) > maxRaw || e.Raw == "" && i > 0 {
			t.Errorf("entry %d keeps %d bytes", i, len(e.Raw))
		}
	}
	if l.Entries[0].Raw != "" {
		t.Error("a record of 300 kB is kept")
	}
	for _, p := range l.Problems {
		if strings.Contains(p, "\x1b") {
			t.Errorf("%q", p)
		}
	}
}

// TestTrajectoryRaw: only the newest records keep their text.
func TestTrajectoryRaw(t *testing.T) {
	t.Parallel()
	w := newTrajectoryWorld(t)
	for day := range 4 {
		var text strings.Builder
		for n := range 100 {
			fmt.Fprintf(&text, `{"ts":%q,"phase":"cite","x":%q}`+"\n", now().Add(-time.Duration(day*100+n*37%100)*time.Minute).Format(time.RFC3339), strings.Repeat("y", 1000))
		}
		w.write(fmt.Sprintf("x-2026-11-%02d.jsonl", 18+day), text.String()) // the newest records are read last
	}
	for _, c := range []struct {
		limit, raw, records int // number of records with their text
		problem             bool
	}{
		{0, 0, 0, false},
		{50, 0, 0, false},
		{0, 1 << 20, 400, false},
		{0, 105_000, 98, true},
		{250, 105_000, 98, true},
		{50, 105_000, 50, false},
		{0, 100, 0, true},
	} {
		l := w.look(TimelineAsk{Limit: c.limit, Raw: c.raw})
		held, records := 0, 0
		for i := range l.Entries {
			if n := len(l.Entries[i].Raw); n > 0 {
				held += n
				if records++; records != i+1 {
					t.Errorf("%+v: the text of an older record than %d is kept", c, i)
				}
			}
		}
		if held > c.raw || records < c.records || records > c.records+5 || len(l.Problems) == 1 != c.problem {
			t.Errorf("%+v: %d records, %d bytes, %q", c, records, held, l.Problems)
		}
		if want := c.limit; want > 0 && len(l.Entries) != want || want == 0 && len(l.Entries) != 400 {
			t.Errorf("%+v: %d entries", c, len(l.Entries))
		}
	}
}

func TestTrajectoryOutside(t *testing.T) {
	t.Parallel()
	w, out := newTrajectoryWorld(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "x-2026-11-20.jsonl"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(w.dir, "grimoires/loa/a2a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(w.dir, "grimoires/loa/a2a/trajectory")); err != nil {
		t.Skip(err)
	}
	if l := w.look(TimelineAsk{}); l.Records != 0 || l.Unread != 1 || !strings.Contains(strings.Join(l.Problems, " "), "points outside the project") {
		t.Errorf("%+v", l)
	}
	w = newTrajectoryWorld(t)
	w.write("x-2026-11-20.jsonl", "{}\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TimelineOf(ctx, Place{Dir: w.dir, Now: now()}, TimelineAsk{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
