package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
)

func shown(s *Snapshot) string {
	var all []string
	for i := range s.Tasks {
		t := &s.Tasks[i]
		text := t.ID[len("TASK_"):] + " " + t.Title + " " + t.Status
		if t.Consolidated {
			text += fmt.Sprintf(" of %d", t.Count)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestSaveContext checks the merge of spec 004, WF1.
func TestSaveContext(t *testing.T) {
	t.Parallel()
	item := func(title string, s handover.Status, marks ...handover.Mark) handover.Item {
		return handover.Item{Title: title, Status: s, Marks: marks}
	}
	steps := []struct {
		items []handover.Item
		from  string
		want  string
	}{
		{[]handover.Item{item("A", ""), item("B", handover.InProgress), item("C", handover.Blocked), item("D", handover.Dropped)}, "", "001 A pending; 002 B in_progress; 003 C pending"},
		{[]handover.Item{item("a.", handover.Done), item("**B**", handover.InProgress)}, "", "001 a. completed; 002 **B** in_progress; 003 C pending"},
		{[]handover.Item{item("A", ""), item("B", handover.Done)}, "", "001 A pending; 002 B completed; 003 C pending"},
		// A completed item updates the task with its title. It adds no task.
		{[]handover.Item{item("Old bead", handover.Done, handover.MarkBead), item("C", handover.Done, handover.MarkBead)}, "", "001 A pending; 002 B completed; 003 C completed"},
		{[]handover.Item{item("New", handover.Done, handover.MarkBead, handover.MarkClient)}, "", "001 A pending; 002 B completed; 003 C completed; 004 New completed"},
		// The new ID is also set in the blocks of the task.
		{
			nil, `{"tasks":[{"title":"E","id":"TASK_009","x":1},{"id":"TASK_001","title":"A2","status":"completed"}],"context_blocks":[{"title":"W","related_tasks":["TASK_009"]}]}`,
			"001 A2 completed; 002 B completed; 003 C completed; 004 New completed; 005 E pending",
		},
	}
	dir := t.TempDir()
	for i, step := range steps {
		r := Request{Handover: &handover.Handover{Items: step.items}, At: noon.Add(time.Duration(i) * time.Hour)}
		if step.from != "" {
			part, err := ParsePart([]byte(step.from))
			if err != nil {
				t.Fatal(err)
			}
			r.Parts = []*Snapshot{part}
		}
		saving(t, dir, &r)
		once := readFile(t, dir, Name)
		if got := shown(parse(t, once)); got != step.want {
			t.Fatalf("step %d: %s\nnot %s", i, got, step.want)
		}
		r.At = r.At.Add(time.Minute)
		saving(t, dir, &r)
		stamp := func(text string, at time.Time) string {
			return strings.Replace(text, `"updated":"`+at.Format(time.RFC3339)+`"`, `"updated":"now"`, 1)
		}
		if twice := readFile(t, dir, Name); stamp(once, r.At.Add(-time.Minute)) != stamp(twice, r.At) {
			t.Errorf("step %d: the second save changed\n%s\nto\n%s", i, once, twice)
		}
	}
	s := parse(t, readFile(t, dir, Name))
	if len(s.Blocks) != 1 || !slices.Equal(s.Blocks[0].Related, []string{"TASK_005"}) || len(s.Tasks[4].other) != 1 {
		t.Errorf("%+v", s)
	}
	if !s.Created.Equal(noon) || s.Tasks[0].Completed.IsZero() {
		t.Errorf("created %s, completed %s", s.Created, s.Tasks[0].Completed)
	}
}

func TestParsePart(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{}`: "", `{"tasks":[{"title":"x"}]}`: "", `{"metadata":{"version":"9","git_commit":"x","team":1},"tasks":[]}`: "",
		`[]`:                                "Cannot load: invalid JSON",
		`{"tasks":{}}`:                      "Cannot load: tasks has the wrong type",
		`{"tasks":[{"id":"TASK_001"}]}`:     "Cannot load: task 1 has no title",
		`{"context_blocks":[{"title":""}]}`: "Cannot load: context block 1 has no title",
	} {
		got := ""
		s, err := ParsePart([]byte(in))
		if err != nil {
			got = err.Error()
		} else if s.metadata.find("version") >= 0 || s.metadata.find("git_commit") >= 0 {
			t.Errorf("%s: kept %v", in, s.metadata)
		}
		if got != want {
			t.Errorf("%s: %q, not %q", in, got, want)
		}
	}
}

// TestRelatedTasks: a block relates to tasks that it names or shares a file with.
func TestRelatedTasks(t *testing.T) {
	t.Parallel()
	s := &Snapshot{
		Tasks:  []Task{{ID: "TASK_001", Files: []string{"src/a.go:45"}}, {ID: "TASK_002"}, {ID: "TASK_0021"}, {ID: "TASK_004", Files: []string{"src/b.go"}}},
		Blocks: []Block{{Title: "x", Content: "See TASK_0021"}, {Title: "y", Content: "In ${PROJECT_ROOT}/src/a.go:7-9 and src/b.go"}, {Title: "z"}},
	}
	s.relate()
	if got := fmt.Sprint(s.Blocks[0].Related, s.Blocks[1].Related, s.Blocks[2].Related); got != "[TASK_0021] [TASK_001 TASK_004] []" {
		t.Error(got)
	}
}

// done returns n completed tasks of one area.
func done(area string, n int, age time.Duration) []Task {
	var all []Task
	for i := range n {
		title := fmt.Sprintf("step %d", i)
		if area != "" {
			title = area + ": " + title
		}
		all = append(all, Task{ID: fmt.Sprintf("TASK_%d%02d", len(area), i), Title: title, Status: Completed, Completed: noon.Add(-age)})
	}
	return all
}

// TestConsolidationMatrix: a group must meet three of four criteria. Every group here meets two.
func TestConsolidationMatrix(t *testing.T) {
	t.Parallel()
	newest := done("New", 5, 0) // they always stay
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		tasks []Task
		want  string // the consolidated tasks
	}{
		"same area":        {done("Auth", 2, 4*day), "Auth of 2"},
		"one task":         {done("Auth", 1, 4*day), ""},
		"many":             {done("", 6, 4*day), "Completed work of 6"},
		"few of no area":   {done("", 5, 4*day), ""},
		"72 hours are old": {done("Auth", 2, 3*day), "Auth of 2"},
		"less is recent":   {done("Auth", 9, 3*day-time.Second), ""},
		"two areas":        {slices.Concat(done("Auth", 2, 4*day), done("Docs", 3, 4*day)), "Auth of 2; Docs of 3"},
		"with a group":     {slices.Concat(done("Auth", 1, 4*day), []Task{{ID: "TASK_900", Title: "auth", Status: Completed, Consolidated: true, Count: 12, Completed: noon.Add(-9 * day)}}), "Auth of 13"},
		"an unknown time":  {[]Task{{ID: "TASK_800", Title: "a: x", Status: Completed}, {ID: "TASK_801", Title: "a: y", Status: Completed}}, ""},
		"not completed":    {[]Task{{ID: "TASK_800", Title: "a: x", Status: Pending}, {ID: "TASK_801", Title: "a: y", Status: InProgress}}, ""},
	} {
		s := &Snapshot{Tasks: slices.Concat(c.tasks, newest), highest: 999}
		s.consolidate(noon)
		var got []string
		count := 0
		for i := range s.Tasks {
			task := &s.Tasks[i]
			if count += task.count(); task.Consolidated {
				got = append(got, fmt.Sprintf("%s of %d", task.Title, task.Count))
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
		if name != "with a group" && count != len(c.tasks)+5 {
			t.Errorf("%s: %d tasks of %d", name, count, len(c.tasks)+5)
		}
	}
}

// TestConsolidatedTask checks the fields of spec 004, Consolidation format.
func TestConsolidatedTask(t *testing.T) {
	t.Parallel()
	tasks := done("Auth", 3, 96*time.Hour)
	tasks[0].Files, tasks[1].Files, tasks[1].Context = []string{"a.go:1"}, []string{"a.go:1", "b.go"}, "Uses PEM."
	tasks[2].Completed, tasks[2].Priority = noon.Add(-80*time.Hour), "P2"
	s := &Snapshot{Tasks: append(tasks, done("New", 5, 0)...), Blocks: []Block{{Related: []string{tasks[0].ID, tasks[2].ID}}}, highest: 41}
	s.consolidate(noon)
	want := `{"id":"TASK_042","title":"Auth","status":"completed","priority":"P2","completed":"2025-11-23T06:00:00Z","consolidated":true,"consolidated_count":3,` +
		`"context":"Summary: Auth: step 0; Auth: step 1; Auth: step 2\nUses PEM.","files":["a.go:1","b.go"]}`
	if got, err := s.Tasks[0].text(); err != nil || string(got) != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if !slices.Equal(s.Blocks[0].Related, []string{"TASK_042"}) {
		t.Errorf("%v", s.Blocks)
	}
	// A todo list may still have a task that was consolidated. A save doesn't add it again.
	s.merge(FromHandover(&handover.Handover{Items: []handover.Item{{Title: "Auth: step 1", Status: handover.Done}}}), noon)
	if len(s.Tasks) != 6 {
		t.Error(shown(s))
	}
}

func TestKeepIndividual(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *Snapshot, t *Task){
		"critical bug":         func(_ *Snapshot, t *Task) { t.Category, t.Priority = "BUGFIX", "P1" },
		"critical":             func(_ *Snapshot, t *Task) { t.Context = "Critical: tokens leaked" },
		"pitfall":              func(_ *Snapshot, t *Task) { t.Context = "Pitfall: Safari" },
		"lesson":               func(_ *Snapshot, t *Task) { t.Title += " (lesson learned)" },
		"recent":               func(_ *Snapshot, t *Task) { t.Completed = noon.Add(-71 * time.Hour) },
		"named by pending":     func(s *Snapshot, t *Task) { s.Tasks[0].Context = "After " + t.ID + "." },
		"file of pending":      func(s *Snapshot, t *Task) { t.Files, s.Tasks[0].Files = []string{"a.go:1"}, []string{"a.go:9"} },
		"block of pending":     func(s *Snapshot, t *Task) { s.Blocks = []Block{{Related: []string{s.Tasks[0].ID, t.ID}}} },
		"nothing":              nil,
		"named by a longer ID": func(s *Snapshot, t *Task) { s.Tasks[0].Context = "After " + t.ID + "7." },
	} {
		kept := name != "nothing" && name != "named by a longer ID"
		s := &Snapshot{Tasks: append(append([]Task{{ID: "TASK_700", Title: "Next", Status: Pending}}, done("Auth", 7, 96*time.Hour)...), done("New", 5, 0)...), highest: 999}
		id := s.Tasks[3].ID
		if change != nil {
			change(s, &s.Tasks[3])
		}
		s.consolidate(noon)
		if is := slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.ID == id }); is != kept {
			t.Errorf("%s: kept %v", name, is)
		}
	}
}
