package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

const loggedDir = "grimoires/loa/a2a/trajectory/"

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLogged: a file is above the byte limit. Older files share what is left.
func TestLogged(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	fill := strings.Repeat(" ", 999) + "\n"
	w.write(loggedDir+"a-2026-11-21.jsonl", `{"phase":"first"}`+"\n"+strings.Repeat(fill, 40)+`{"phase":"last"}`+"\n")
	w.write(loggedDir+"a-2026-11-20.jsonl", `{"phase":"behind"}`+"\n")
	w.write(loggedDir+"a-2026-11-19.jsonl.gz", zipped(t, `{"phase":"packed"}`+"\n"))
	p, err := place.LedgerOf(w.deps().Env, w.project)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most  int64
		want  string
		whole bool
	}{
		{50_000, "first last behind packed", true},
		{20_000, "last behind packed", false},
		{2_000, "last behind packed", false},
		{1, "", false},
		{0, "", false},
	} {
		var phases []string
		whole := trajectory.Since(t.Context(), &p, time.Time{}, c.most, func(r *trajectory.Record) { phases = append(phases, r.Phase) })
		if got := strings.Join(phases, " "); got != c.want || whole != c.whole {
			t.Errorf("of %d bytes: %q, whole %v", c.most, got, whole)
		}
	}
	if trajectory.Since(t.Context(), &p, now().AddDate(100, 0, 0), 0, func(r *trajectory.Record) { t.Errorf("%s", r.Raw) }) != true {
		t.Error("a range without records is not complete")
	}
	w.write(loggedDir+"a-2026-11-18.jsonl.gz", "damaged")
	if trajectory.Since(t.Context(), &p, time.Time{}, 50_000, func(*trajectory.Record) {}) {
		t.Error("a damaged file counts as complete")
	}
}

// TestAttentionsLongLog: the delta is at the end of a long file.
func TestAttentionsLongLog(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	began := now().Add(-time.Hour)
	w.write("grimoires/loa/NOTES.md", "# Notes\n")
	for _, agent := range []string{"x", survey.GateAgent} {
		w.write(loggedDir+agent+"-"+now().Format(time.DateOnly)+".jsonl", strings.Repeat(strings.Repeat(" ", 99_999)+"\n", place.AttentionLog/100_000+1)+
			fmt.Sprintf(`{"ts":%q,"phase":"delta_sync","session_id":%q,"tokens":6000}`+"\n", began.Add(time.Minute).Format(time.RFC3339), agent))
	}
	k := (&place.Attentions{Env: w.deps().Env}).Known(t.Context(), w.project)
	for tries := 0; len(k.Deltas) == 0 && tries < 50; tries++ { // on a busy machine, reading may reach its time limit
		k = (&place.Attentions{Env: w.deps().Env}).Known(t.Context(), w.project)
	}
	if len(k.Deltas) != 2 {
		t.Fatalf("%d deltas", len(k.Deltas))
	}
	s := sessions.Session{ID: survey.GateAgent, ContextTokens: 23_000, ContextBase: 16_000, ContextBegan: began}
	if a := k.Attention(&s); a.Fresh != 1_000 || a.Due {
		t.Errorf("%+v", a)
	}
}

// TestForkKnown: the record of the fork was compressed, or a file can't be read.
func TestForkKnown(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write("grimoires/loa/NOTES.md", "## Decision Log\n\n### 2026-11-01T10:00:00Z - Leeway\n**Decision**: 30 seconds\n**Rationale**: Hosts drift\n")
	fork := []string{"fork-check", "--decision", "90 minutes", "--title", "Leeway"}
	today := loggedDir + survey.GateAgent + "-" + now().Format(time.DateOnly) + ".jsonl"
	w.run(out.ExitNo, fork...)
	record := w.read(today)
	if strings.Count(record, trajectory.PhaseFork) != 1 {
		t.Fatal(record)
	}
	w.write(today, "")
	w.write(loggedDir+survey.GateAgent+"-2026-01-01.jsonl.gz", zipped(t, record))
	if out := w.run(out.ExitNo, fork...); w.read(today) != "" || strings.Contains(out, "ot all of the trajectory") {
		t.Errorf("%q\n%s", w.read(today), out)
	}
	w.write(loggedDir+survey.GateAgent+"-2026-01-01.jsonl.gz", "damaged")
	out := w.run(out.ExitNo, fork...)
	if w.read(today) != record || !strings.Contains(out, "ot all of the trajectory") || !strings.Contains(out, "may be recorded twice") {
		t.Errorf("%q\n%s", w.read(today), out)
	}
}

// TestDeltaPart: a part of the trajectory could not be read.
func TestDeltaPart(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	d := w.deps()
	w.write("grimoires/loa/NOTES.md", "# Notes\n")
	for text, want := range map[string]bool{zipped(t, "{}\n"): false, "damaged": true} {
		w.write(loggedDir+survey.GateAgent+"-2026-01-01.jsonl.gz", text)
		k := &entries.DeltaLook{}
		k.Ledger.Project, _ = place.LedgerOf(d.Env, w.project)
		k.Before(t.Context(), d.Env, &sessions.Row{})
		if output := slices.ContainsFunc(k.But, func(s string) bool { return strings.Contains(s, "An earlier delta may be missing") }); output != want {
			t.Errorf("%q: %v", text, k.But)
		}
	}
}

// TestDeltaApart: the entries belong to different sections.
func TestDeltaApart(t *testing.T) {
	t.Parallel()
	d := newNoteWorld(t).deps()
	k := &entries.DeltaLook{}
	for _, kind := range []notes.EntryKind{notes.EntryDecision, notes.EntryQuestion} {
		k.Noted = append(k.Noted, &entries.Noting{Entry: notes.Entry{Kind: kind, Title: "x", Text: "x", Rationale: "y"}})
	}
	text := []byte("# Notes\n\n## Decision Log\n\n- 2026-01-01: a\n\n## Pending Questions\n\n- [ ] b\n\n## End\n")
	_, _, err := k.All(t.Context(), text)
	f, ok := errors.AsType[*out.Failure](entries.NotesFailure(d.Env, &k.Ledger.Project, err))
	if !ok || !strings.Contains(f.What, "one at a time") || len(f.Hints) != 1 {
		t.Errorf("%v", err)
	}
}

// TestCopyBeside: --json keeps the clipboard sequence out of stdout.
func TestCopyBeside(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	d := w.deps()
	d.Err = &out.Stream{W: &bytes.Buffer{}, Styles: d.Out.Styles}
	if _, err := launch.CopyBeside(t.Context(), d.Env, d.Output, "x", "Take another.", "fork-check"); err == nil || !strings.Contains(err.Error(), "no terminal, so") || !strings.Contains(err.Error(), "Take another.") {
		t.Error(err)
	}
	d.Out.Terminal = true
	d.JSON = true
	if _, err := launch.CopyBeside(t.Context(), d.Env, d.Output, "x", "", "fork-check"); err == nil || w.out.Len() > 0 {
		t.Errorf("%v, %q", err, w.out)
	}
	d.JSON = false
	if _, err := launch.CopyBeside(t.Context(), d.Env, d.Output, "x", "", "fork-check"); err != nil || !strings.Contains(w.out.String(), "\x1b]52;") {
		t.Errorf("%v, %q", err, w.out)
	}
}

func TestForkTitle(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write("grimoires/loa/NOTES.md", "## Decision Log\n\n### 2026-11-01T10:00:00Z - Leeway of clocks\n**Decision**: 30 seconds\n\n### 2026-11-02T10:00:00Z - Tabs\n**Decision**: None\n")
	printed := w.run(out.ExitNone, "fork-check", "--title", "leeways", "--decision", "a b")
	if !strings.Contains(printed, "There is no decision leeways") || !strings.Contains(printed, "    Leeway of clocks\n    Tabs\n") {
		t.Error(printed)
	}
	w.run(out.ExitDone, "fork-check", "--title", "tabs", "--decision", "none")
	printed = w.run(out.ExitNo, "delta", "--finding", "x", "--evidence", "gone.go:7 | x", "--yes")
	if !strings.Contains(printed, "continuo delta --help") || strings.Contains(printed, "continuo note") {
		t.Error(printed)
	}
}
