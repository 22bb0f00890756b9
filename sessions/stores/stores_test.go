package stores_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/stores"
)

// project is a project with all stores.
type project struct {
	dir   string
	place stores.Place
	store act.Store
}

func at() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.Local) }

// newProject returns a project with all stores.
func newProject(t *testing.T, home string) *project {
	t.Helper()
	p := openProject(t, home)
	for name, text := range map[string]string{
		".git/HEAD":                        "ref: refs/heads/main\n",
		"src/a.go":                         "package a\n",
		".claude/memory/active-context.md": document.NewContext,
		"tasks/keys/json/sessions/session-2026-11-21-000001.json": `{"session_id":"session-2026-11-21-000001","agent_id":"a","task_slug":"keys","state":"active","started_at":"2026-11-21T09:00:00Z",` +
			`"last_activity":"2026-11-21T09:00:00Z","current_gate":"G4","checkpoint_count":0,"parent_session":null,"child_sessions":[],"claude_session_id":"sess-1"}`,
		"NOTES.md":                         "# NOTES\n\n## Session Continuity\n- **Last Checkpoint**: never\n- **Reasoning State**: Old\n\n## Active Sub-Goals\n- [ ] Fix src/a.go:1\n",
		"trajectory/impl-2026-11-21.jsonl": `{"ts":"2026-11-21T10:00:00Z","phase":"cite"}` + "\n",
		"session-protocol.json":            `{"metadata":{"version":"2.0"},"tasks":[{"id":"TASK_003","title":"Leeway","status":"pending"}]}`,
		".loa.config.yaml":                 "paths:\n  state:\n    notes: NOTES.md\n    trajectory: trajectory\n",
	} {
		path := filepath.Join(p.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return openProject(t, home)
}

// openProject returns the project in an existing directory.
func openProject(t *testing.T, home string) *project {
	t.Helper()
	p := &project{dir: filepath.Join(home, "tea")}
	found, err := ledger.Find(p.dir, ledger.Env{})
	if err != nil {
		t.Fatal(err)
	}
	found.Notes, found.Trajectory = filepath.Join(p.dir, "NOTES.md"), filepath.Join(p.dir, "trajectory")
	p.place = stores.Place{Project: found, Memory: p.dir, At: at(), Known: document.Known{Project: "tea"}}
	p.store = act.Store{Journal: filepath.Join(home, "journal"), Now: at}
	return p
}

// value is a handover that isn't in any store yet.
func value() *handover.Handover {
	return &handover.Handover{
		When: at(), Session: "sess-1", Git: handover.Git{Branch: "main"}, State: "The leeway is in, see src/a.go:1.", Done: []string{"Leeway"}, Outcome: "in-progress",
		Items: []handover.Item{
			{Title: "Retry", Status: handover.Open, Marks: []handover.Mark{handover.MarkClient}},
			{Title: "Fix src/a.go:1", Status: handover.Open, Marks: []handover.Mark{handover.MarkNotes}},
			{ID: "tea-4", Title: "A bead", Status: handover.Open, Marks: []handover.Mark{handover.MarkBead}},
		},
		Questions: []handover.Question{{Text: "Per client?"}},
	}
}

func (p *project) plan(v *handover.Handover, which ...stores.Name) act.Planner {
	return func(ctx context.Context) (change.Change, error) { return stores.Plan(ctx, &p.place, v, which) }
}

func (p *project) do(t *testing.T, v *handover.Handover, which ...stores.Name) act.Done {
	t.Helper()
	plan := p.plan(v, which...)
	shown, err := plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done, err := p.store.Do(t.Context(), &shown, plan)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// undo undoes the only journal entry. It returns false without one.
func (p *project) undo(t *testing.T) bool {
	t.Helper()
	list, problems := journal.Open(p.store.Journal).List(t.Context())
	if len(list) > 1 || len(problems) > 0 || len(list) == 1 && list[0].Stuck {
		t.Fatalf("%d entries, problems %v", len(list), problems)
	}
	if len(list) == 0 {
		return false
	}
	w, err := p.store.Undo(t.Context(), &list[0])
	if err == nil {
		_, err = p.store.Do(t.Context(), &w.Change, p.store.UndoPlan(&list[0]))
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// tree returns the texts of the project's files, without locks and temporary files.
func (p *project) tree(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && disk.IsTemp(d.Name()):
			return fs.SkipDir
		case err != nil || d.IsDir() || d.Name() == ".lock" || disk.IsTemp(d.Name()):
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(p.dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPlan(t *testing.T) {
	t.Parallel()
	p := newProject(t, t.TempDir())
	before := p.tree(t)
	done := p.do(t, value(), stores.Names()...)
	var order []string
	for _, o := range done.Ops {
		order = append(order, filepath.Base(o.Path()))
	}
	name := "session-" + at().UTC().Format("2006-01-02-1504") + "Z.md"
	checkpoint := "ckpt-" + at().UTC().Format(time.DateOnly) + "-001"
	if want := []string{"active-context.md", "NOTES.md", name, "active-context.md", checkpoint + ".json", "checkpoint-index.json", "session-2026-11-21-000001.json", "task-status.json", "session.log", "session-protocol.json", "impl-2026-11-21.jsonl"}; !slices.Equal(order, want) {
		t.Errorf("written in the order %q", order)
	}
	if done.What != "Handed over to active-context.md, NOTES.md, document, task, snapshot and trajectory" || len(done.Where) != 2 {
		t.Errorf("the journal has %q in %q", done.What, done.Where)
	}
	after := p.tree(t)
	for file, texts := range map[string][]string{
		".claude/memory/active-context.md": {"> Last Session Doc: " + name, "- Stands: The leeway is in, see src/a.go:1.", "- Open todos: Retry; Fix src/a.go:1; A bead (tea-4)\n", "## Current Task\nNothing yet."},
		".claude/memory/" + name:           {"- [ ] Retry\n- [ ] Fix src/a.go:1\n- [ ] A bead (tea-4)\n", "- **Asked, not answered:** “Per client?”", "project: tea", "branch: main"},
		"NOTES.md":                         {"- **Reasoning State**: The leeway is in, see ${PROJECT_ROOT}/src/a.go:1.\n", "- **Last Checkpoint**: " + at().UTC().Format(time.RFC3339), "- [ ] Fix src/a.go:1\n- [ ] Retry\n", "Per client?"},
		"tasks/keys/json/checkpoints/" + checkpoint + ".json": {
			`"session_id": "session-2026-11-21-000001"`, `"gate": "G4"`, `"type": "session_end"`, `"summary": "The leeway is in, see src/a.go:1."`, `"A bead (tea-4)"`, `"git_branch": "main"`,
		},
		"session-protocol.json":            {`"id":"TASK_003","title":"Leeway","status":"completed"`, `"id":"TASK_004","title":"Retry"`, `"title":"A bead (tea-4)"`, `"git_branch":"main"`, `"title":"Question: Per client?"`},
		"trajectory/impl-2026-11-21.jsonl": {before["trajectory/impl-2026-11-21.jsonl"], `"agent":"impl","phase":"session_handoff","session_id":"sess-1"`},
	} {
		for _, text := range texts {
			if !strings.Contains(after[file], text) {
				t.Errorf("%s lacks %q:\n%s", file, text, after[file])
			}
		}
	}
	if strings.Contains(after["NOTES.md"], "A bead") || strings.Count(after["NOTES.md"], "Fix ") != 1 {
		t.Errorf("NOTES.md repeats an item:\n%s", after["NOTES.md"])
	}
	p.undo(t)
	if now := p.tree(t); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Errorf("after the undo:\n%v", now)
	}
}

// TestLost: some stores can't keep every text.
func TestLost(t *testing.T) {
	t.Parallel()
	p := newProject(t, t.TempDir())
	c, err := stores.Plan(t.Context(), &p.place, value(), stores.Names())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range c.Report.(stores.Report).Writes {
		got = append(got, string(w.Store)+": "+strings.Join(w.Lost, ", "))
	}
	want := []string{
		"active-context: branch main, 1 finished task, 1 question, outcome in-progress",
		"notes: session sess-1, branch main, 1 finished task, outcome in-progress", "document: ",
		"task: 1 finished task, 1 question, outcome in-progress",
		"snapshot: session sess-1, 1 finished task, outcome in-progress",
		"trajectory: branch main, the state, 1 finished task, 1 question, outcome in-progress",
	}
	if !slices.Equal(got, want) {
		t.Errorf("lost:\n%s", strings.Join(got, "\n"))
	}
}

// TestSome: a second handover adds no entry twice.
func TestSome(t *testing.T) {
	t.Parallel()
	for _, name := range stores.Names() {
		p := newProject(t, t.TempDir())
		before := p.tree(t)
		p.do(t, value(), name)
		after := p.tree(t)
		var changed []string
		for file, text := range after {
			if before[file] != text {
				changed = append(changed, filepath.Base(file))
			}
		}
		if want := map[bool]int{false: 1, true: 5}[name == stores.Task]; len(changed) != want { // a task also changes its index, session, status and log
			t.Errorf("%s: changed %q", name, changed)
		}
		if again := p.plan(value(), name); name == stores.Notes || name == stores.Context {
			c, err := again(t.Context())
			if err != nil || len(c.Ops) > 0 || !c.Report.(stores.Report).Writes[0].Same {
				t.Errorf("%s: written twice: %v, %v", name, c.Ops, err)
			}
		}
	}
}

func TestOff(t *testing.T) {
	t.Parallel()
	p := newProject(t, t.TempDir())
	if all := stores.Used(stores.Of(t.Context(), &p.place)); !slices.Equal(all, stores.Names()) {
		t.Errorf("used: %q", all)
	}
	for _, dir := range []string{".claude", "NOTES.md", "trajectory", "session-protocol.json"} {
		if err := os.RemoveAll(filepath.Join(p.dir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	session := filepath.Join(p.dir, "tasks", "keys", "json", "sessions", "session-2026-11-21-000001.json")
	text, err := os.ReadFile(session)
	if err == nil {
		err = os.WriteFile(session, bytes.Replace(text, []byte(`"active"`), []byte(`"suspended"`), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.place.Memory = ""
	var offs []string
	for _, s := range stores.Of(t.Context(), &p.place) {
		offs = append(offs, s.Off)
	}
	want := []string{
		"the project has no .claude/memory", "the project has no NOTES.md", "the project has no .claude/memory", "no task has an active session",
		"the agent log has no entry today",
	}
	if !slices.Equal(offs, want) {
		t.Errorf("%q", offs)
	}
	if err := os.RemoveAll(filepath.Join(p.dir, "tasks")); err != nil {
		t.Fatal(err)
	}
	if all := stores.Of(t.Context(), &p.place); len(all) != len(stores.Names())-2 {
		t.Errorf("without tasks and a snapshot: %+v", all)
	}
}

// TestTornLog: the last line of the log is incomplete, so the record starts a new line.
func TestTornLog(t *testing.T) {
	t.Parallel()
	p := newProject(t, t.TempDir())
	path := filepath.Join(p.dir, "trajectory", "impl-2026-11-21.jsonl")
	if err := os.WriteFile(path, []byte(`{"phase":`), 0o600); err != nil {
		t.Fatal(err)
	}
	p.do(t, value(), stores.Trajectory)
	if text, err := os.ReadFile(path); err != nil || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("%v\n%s", err, text)
	}
}
