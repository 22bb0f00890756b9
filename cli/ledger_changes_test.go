package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// says writes a session whose only answer is text.
func (w *noteWorld) says(id, text string) {
	w.t.Helper()
	at := now().Add(-time.Minute).UTC().Format(time.RFC3339)
	head := func(n int, kind, parent string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"00000000-0000-4000-8000-%012d","parentUuid":%s,"sessionId":%q,"cwd":%q,"timestamp":%q,"message":`, kind, n, parent, id, w.project, at)
	}
	putFile(w.t, filepath.Join(w.home, ".claude", "projects", sessions.Slug(w.project), id+".jsonl"),
		head(1, "user", "null")+`{"role":"user","content":"Decide"}}`+"\n"+
			head(2, "assistant", `"00000000-0000-4000-8000-000000000001"`)+fmt.Sprintf(`{"id":"m1","role":"assistant","content":[{"type":"text","text":%q}]}}`, text)+"\n")
}

func (w *noteWorld) ledgerPlan(kind tui.ChangeKind, rows ...sessions.Row) (tui.Plan, string) {
	w.t.Helper()
	plan, _, err := w.change(tui.Change{Kind: kind, Dir: w.project, Rows: rows})
	if err != nil {
		w.t.Fatalf("%s: %v", kind, err)
	}
	return plan, render.PlanText(plan.Parts, render.NewStyles(render.None), 200, false)
}

func (w *noteWorld) carryOut(plan tui.Plan) string {
	w.t.Helper()
	d := w.deps()
	done, err := browse.Changes{Env: d.Env, O: d.Output, Again: func() {}}.Do(w.t.Context(), plan)
	if err != nil || done.But != "" {
		w.t.Fatalf("%s: %q, %v", plan.Title, done.But, err)
	}
	return done.Said
}

func (w *noteWorld) expect(plan *tui.Plan, text, verb, command string, wants ...string) {
	w.t.Helper()
	if plan.Verb != verb || !strings.HasPrefix(plan.Command, command) || !strings.HasSuffix(plan.Command, " --project "+w.project) || (plan.Held == nil) != (verb == "") {
		w.t.Errorf("%s: %q, %q", plan.Title, plan.Verb, plan.Command)
	}
	for _, want := range wants {
		if !strings.Contains(text, want) {
			w.t.Errorf("%s: no %q in\n%s", plan.Title, want, text)
		}
	}
}

func TestBrowserHeal(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	if err := os.RemoveAll(w.path(".git")); err != nil {
		t.Fatal(err)
	}
	d := w.deps()
	b := browse.Ledgers{Env: d.Env, O: d.Output, Logs: &browse.Timelines{}}
	missing := func(want string) {
		t.Helper()
		if l, err := b.Ledger(t.Context(), w.project); err != nil || strings.Join(l.Missing, " ") != want {
			t.Errorf("missing: %q, %v; want %q", l.Missing, err, want)
		}
	}
	missing("")
	plan, text := w.ledgerPlan(tui.ChangeHeal)
	w.expect(&plan, text, "", "continuo heal", "NOTES.md is not used", "This project has no ledger.")
	w.write("grimoires/loa/prd.md", "# P\n")
	missing("NOTES.md is missing: it belongs in the grimoire.")
	recall, err := b.Recall(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := recall.Recover(t.Context(), recovery.Ask{Level: recovery.Where}); err != nil || !slices.Contains(r.Notes, "NOTES.md is missing: it belongs in the grimoire. continuo heal restores it.") {
		t.Errorf("%q, %v", r.Notes, err)
	}
	plan, text = w.ledgerPlan(tui.ChangeHeal)
	w.expect(&plan, text, "heal", "continuo heal", "✗ NOTES.md is missing: it belongs in the grimoire", "u removes the files")
	if said := w.carryOut(plan); said != "Healed: 1 part of the ledger. u undoes this." {
		t.Error(said)
	}
	missing("")
	plan, _, err = w.change(tui.Change{Kind: tui.ChangeUndo, Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	w.carryOut(plan)
	missing("NOTES.md is missing: it belongs in the grimoire.")
}

// TestBrowserLint: some path identifiers can't be corrected.
func TestBrowserLint(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n### Lightweight Identifiers\n\n| Identifier | Purpose |\n|---|---|\n| src/clock.go:3 | leeway |\n")
	plan, text := w.ledgerPlan(tui.ChangeLint)
	w.expect(&plan, text, "correct 1", "continuo notes lint --fix", "${PROJECT_ROOT}/src/clock.go:3")
	if said := w.carryOut(plan); said != "Corrected 1 path identifier. u undoes this." || !strings.Contains(w.notes(), "| ${PROJECT_ROOT}/src/clock.go:3 |") {
		t.Errorf("%s\n%s", said, w.notes())
	}
	plan, text = w.ledgerPlan(tui.ChangeLint)
	w.expect(&plan, text, "", "continuo notes lint", "every path identifier is as spec 002 requires")
}

func TestBrowserDelta(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n")
	const older, newer = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
	w.says(older, "DECISION: Fold the tide tables")
	w.says(newer, "DECISION: Pour green tea")
	of := row(older, "Decide", func(r *sessions.Row) { r.Kind = sessions.KindSession })
	plan, text := w.ledgerPlan(tui.ChangeDelta, of)
	w.expect(&plan, text, "write", "continuo delta --session "+older, "1 finding", "Fold the tide tables")
	if said := w.carryOut(plan); !strings.HasPrefix(said, "1 finding is in NOTES.md from line ") || !strings.HasSuffix(said, " u removes it from NOTES.md.") {
		t.Error(said)
	}
	if text := w.notes(); !strings.Contains(text, "Fold the tide tables") || strings.Contains(text, "green tea") {
		t.Error(text)
	}
	if log, err := filepath.Glob(w.path("grimoires/loa/a2a/trajectory/*.jsonl")); err != nil || len(log) != 1 || !strings.Contains(readFile(t, log[0]), `"delta_sync","session_id":"`+older) {
		t.Errorf("%v, %v", log, err)
	}
}

func TestBrowserForks(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n## Session Continuity\n\n- **Current Bead**: tea-1 (pour)\n")
	w.write(".beads/issues.jsonl", `{"id":"tea-1","title":"Pour","status":"in_progress","comments":[{"id":1,"author":"a","text":"DECISION: Leeway is 30 s","created_at":"2026-11-20T10:00:00Z"}]}`+"\n")
	w.says("11111111-0000-4000-8000-000000000000", "DECISION: Leeway is 60 s")
	plan, text := w.ledgerPlan(tui.ChangeForks)
	w.expect(&plan, text, "record 1", "continuo fork-check --copy", "✗ the session decided “Leeway is 60 s”", "the ledger has “Leeway is 30 s”, and wins", "Discard: Leeway is 60 s")
	if said := w.carryOut(plan); !strings.HasPrefix(said, "Recorded 1 fork in ") {
		t.Error(said)
	}
	plan, text = w.ledgerPlan(tui.ChangeForks)
	w.expect(&plan, text, "", "continuo fork-check --copy", "✗ the session decided “Leeway is 60 s”")
	if err := os.RemoveAll(w.path(".beads")); err != nil {
		t.Fatal(err)
	}
	plan, text = w.ledgerPlan(tui.ChangeForks)
	w.expect(&plan, text, "", "continuo fork-check", "✓ No fork: the decision of the session does not contradict the ledger.")
}
