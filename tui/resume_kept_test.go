package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

func keptRow(kind sessions.Kind) sessions.Row {
	rows := memorySource().batches[0].Rows
	return rows[slices.IndexFunc(rows, func(r sessions.Row) bool { return r.Kind == kind })]
}

func keptPlan(row sessions.Row, ask resume.Ask, change func(*resume.KeptFacts)) *resume.Plan {
	const id, folder = "7c41e9d2-71c4-4e0d-9c0a-41d2b6e87f35", "/home/ada/code/teahouse"
	facts := resume.Facts{
		Folder: sessions.Folder{Path: folder, Real: folder, State: sessions.FolderThere},
		Claude: resume.Claude{Path: "/bin/claude", Name: "claude", Version: "2.1.329"}, Home: "/home/ada", Now: testNow(),
	}
	f := resume.KeptFacts{Row: row, Latest: true, From: true, New: "aaaaaaaa-71c4-4e0d-9c0a-41d2b6e87f35", Start: facts, Session: facts, Made: facts}
	f.Row.Of, f.Row.Workdir = id, folder
	for _, r := range []*sessions.Row{&f.Session.Row, &f.Made.Row} {
		r.ID, r.Dir, r.Workdir, r.Path = id, "/home/ada/.claude", folder, "/home/ada/.claude/projects/-home-ada-code-teahouse/"+id+".jsonl"
	}
	change(&f)
	plan := resume.PlanKept(f, ask)
	return &plan
}

// relates changes the relation of a backup to its transcript.
func relates(r sessions.Relation, pending ...string) func(*resume.KeptFacts) {
	return func(f *resume.KeptFacts) {
		f.Row.Relation, f.Taken, f.Pending = r, r != sessions.RelationGone, pending
	}
}

// boxOf returns the dialog on a screen, without the rows behind it.
func boxOf(t *testing.T, screen string) string {
	t.Helper()
	lines := strings.Split(screen, "\n")
	top := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "╭") })
	if top < 0 {
		t.Fatalf("no panel:\n%s", screen)
	}
	first, _, _ := strings.Cut(lines[top], "╭")
	from, to := len([]rune(first)), slices.Index([]rune(lines[top]), '╮')+1
	var b strings.Builder
	for _, l := range lines[top:] {
		b.WriteString(string([]rune(l)[from:to]) + "\n")
		if strings.Contains(l, "╰") {
			break
		}
	}
	return b.String()
}

func TestGoldenKeptPlans(t *testing.T) {
	t.Parallel()
	backup, document := keptRow(sessions.KindBackup), keptRow(sessions.KindDocument)
	name := backup.ID + ".jsonl"
	tests := []struct {
		name string
		row  sessions.Row
		plan *resume.Plan
	}{
		{"pending-gone", backup, keptPlan(backup, resume.Ask{}, relates(sessions.RelationGone, name))},
		{"pending-same", backup, keptPlan(backup, resume.Ask{}, relates(sessions.RelationSame, "20261012_080000Z_compact.jsonl", name))},
		{"gone", backup, keptPlan(backup, resume.Ask{}, relates(sessions.RelationGone))},
		{"grown", backup, keptPlan(backup, resume.Ask{}, relates(sessions.RelationGrown))},
		{"rewritten", backup, keptPlan(backup, resume.Ask{}, relates(sessions.RelationRewritten))},
		{"not-compared", backup, keptPlan(backup, resume.Ask{}, func(f *resume.KeptFacts) { f.Row.Of = "" })},
		{"not-installed", backup, keptPlan(backup, resume.Ask{}, func(f *resume.KeptFacts) {
			relates(sessions.RelationSame, name)(f)
			f.Latest = false
		})},
		{"document-pending", document, keptPlan(document, resume.Ask{}, relates("", "20261120_080000Z_exit.jsonl", name))},
		{"where-backup", backup, nil},
	}
	for _, test := range tests {
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			golden := func(t *testing.T, got string) {
				golden(t, fmt.Sprintf("kept-%s-%dx%d", test.name, size[0], size[1]), got)
			}
			t.Run(fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m, _ := menuModel(t, nil, size[0], size[1])
					if test.plan == nil {
						m.carry(resumeAction, m.currentActions().resume.Where(test.row, false))
					} else {
						m.carry(resumeAction, m.currentActions().resume.Plan(test.row, test.plan))
					}
					golden(t, boxOf(t, plain(t, m)))
				})
			})
		}
	}
}

// TestResumeKept: r and w work on a backup and a document, but f doesn't.
func TestResumeKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		backup := keptRow(sessions.KindBackup)
		at := func(tab string) (*model, *fakeActions) {
			t.Helper()
			o := testOptions()
			o.Tmux = true
			m := testModel(t, memorySource(), o, 120, 36)
			actions, ok := m.Actions.(*fakeActions)
			if !ok {
				t.Fatal("no fake")
			}
			press(t, m, tab)
			return m, actions
		}
		m, actions := at("tab")
		actions.plan = keptPlan(backup, resume.Ask{}, relates(sessions.RelationGone, backup.ID+".jsonl"))
		press(t, m, "f")
		if len(actions.asks) != 0 {
			t.Errorf("a backup is forked: %+v", actions.asks)
		}
		press(t, m, "r", "R")
		if len(actions.asks) != 2 || actions.asks[1].Take != resume.TakeRestore || actions.row.Kind != sessions.KindBackup {
			t.Errorf("asked %+v of %+v", actions.asks, actions.row)
		}
		m, actions = at("shift+tab")
		press(t, m, "w", "w")
		if len(actions.asks) != 1 || actions.asks[0].In != resume.WhereWindow || actions.row.Kind != sessions.KindDocument {
			t.Errorf("asked %+v of %+v", actions.asks, actions.row)
		}
	})
}

func TestWhyNotResumeKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tests := []struct {
			name   string
			kind   sessions.Kind
			change func(*sessions.Row)
			want   string
		}{
			{"a backup that is the only copy", sessions.KindBackup, func(*sessions.Row) {}, ""},
			{"a backup that is damaged", sessions.KindBackup, func(r *sessions.Row) { r.State = sessions.StateDamaged }, ""},
			{"a backup that cannot be read", sessions.KindBackup, func(r *sessions.Row) { r.State = sessions.StateUnreadable }, "unreadable"},
			{"a backup that is deleted", sessions.KindBackup, func(r *sessions.Row) { r.Deleted = true }, "deleted"},
			{"a document", sessions.KindDocument, func(*sessions.Row) {}, ""},
			{"the active context", sessions.KindDocument, func(r *sessions.Row) { r.ID = "active-context" }, "Claude Code loads it automatically"},
			{"the project memory", sessions.KindDocument, func(r *sessions.Row) { r.ID = "project-memory" }, "Claude Code loads it automatically"},
			{"a document that is deleted", sessions.KindDocument, func(r *sessions.Row) { r.Deleted = true }, "deleted"},
		}
		for _, test := range tests {
			row := keptRow(test.kind)
			test.change(&row)
			m := testModel(t, &fakeSource{batches: []sessions.Batch{{Rows: []sessions.Row{row}, Done: true}}, doc: testDoc()}, testOptions(), 80, 24)
			if press(t, m, "tab"); test.kind == sessions.KindDocument {
				press(t, m, "tab")
			}
			if got := bindingOf(m, "r").Off; m.subject() == nil || got != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		}
	})
}
