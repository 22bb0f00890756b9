package snapshot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/transcript/export"
)

var noon = time.Date(2025, 11, 26, 14, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // the time of the sample

func parse(t *testing.T, text string) *Snapshot {
	t.Helper()
	s, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return s
}

func text(t *testing.T, s *Snapshot) string {
	t.Helper()
	b, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// saving saves a request into a directory, as sessions/act does.
func saving(t *testing.T, dir string, r *Request) *Saved {
	t.Helper()
	r.Dir = dir
	if r.Mask == nil {
		r.Mask = export.NewRedactor("/srv/people/kim")
	}
	if r.Handover == nil {
		r.Handover = &handover.Handover{}
	}
	if r.At.IsZero() {
		r.At = noon
	}
	c, err := Save(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Ops {
		if err := os.WriteFile(o.Path(), o.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	saved, ok := c.Report.(*Saved)
	if !ok {
		t.Fatalf("%T", c.Report)
	}
	return saved
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSchema: a save may reorder keys of the sample and add missing ones.
func TestSchema(t *testing.T) {
	t.Parallel()
	sample := readFile(t, "testdata/readme-sample.json")
	want := strings.Replace(sample, `"consolidated":true,"consolidated_count":12,"context":"Redesigned`, `"completed":"2025-11-24T18:00:00Z","consolidated":true,"consolidated_count":12,"context":"Redesigned`, 1)
	want = strings.Replace(want, `"files":["docs/homepage-plan.md"],"completed":"2025-11-24T18:00:00Z"}`, `"files":["docs/homepage-plan.md"]}`, 1)
	if got := text(t, parse(t, sample)); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

// TestFormatRules: a file has one line, UTC times with Z, and null for unknown values.
func TestFormatRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	zone := time.FixedZone("", 2*3600)
	saving(t, dir, &Request{At: time.Date(2025, 11, 26, 16, 0, 0, 5, zone), Handover: &handover.Handover{
		Git:       handover.Git{Branch: "main"},
		Items:     []handover.Item{{Title: "Fix src/a.go:3 & <b>", Priority: "high"}, {Title: "Tests", ID: "bd-x1", Status: handover.InProgress}},
		Decisions: []handover.Decision{{Title: "Leeway", Text: "30 s", Why: "clocks"}},
	}})
	want := `{"metadata":{"version":"2.0","created":"2025-11-26T14:00:00Z","updated":"2025-11-26T14:00:00Z","git_branch":"main","git_commit":null},"tasks":[` +
		`{"id":"TASK_001","title":"Fix src/a.go:3 & <b>","status":"pending","priority":"P1","created":"2025-11-26T14:00:00Z","completed":null,"consolidated":false,"consolidated_count":0,"files":["src/a.go:3"]},` +
		`{"id":"TASK_002","title":"Tests (bd-x1)","status":"in_progress","created":"2025-11-26T14:00:00Z","completed":null,"consolidated":false,"consolidated_count":0}],` +
		`"context_blocks":[{"title":"Leeway","content":"30 s\nWhy: clocks","updated":"2025-11-26T14:00:00Z"}]}`
	if got := readFile(t, dir, Name); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

// TestErrorHandling checks the error texts of the spec.
func TestErrorHandling(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                           "Cannot load: invalid JSON",
		"{":                          "Cannot load: invalid JSON",
		"[]":                         "Cannot load: invalid JSON",
		`{"tasks":[]} x`:             "Cannot load: invalid JSON",
		`{"tasks":[]}`:               "Cannot load: missing metadata",
		`{"metadata":1}`:             "Cannot load: missing metadata",
		`{"metadata":{}}`:            "Cannot load: missing tasks",
		`{"metadata":{},"tasks":{}}`: "Cannot load: missing tasks",
		`{"metadata":{},"tasks":[{"id":"TASK_001","status":"pending"}]}`:     "Cannot load: task 1 has no title",
		`{"metadata":{},"tasks":[{"title":"x","status":"pending"}]}`:         "Cannot load: task 1 has no id",
		`{"metadata":{},"tasks":[{"id":"TASK_001","title":"x","status":7}]}`: "Cannot load: task 1 has no status",
		`{"metadata":{},"tasks":[],"context_blocks":"x"}`:                    "Cannot load: context_blocks is not a list of objects",
	} {
		if _, err := Parse([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %q", in, err, want)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		saved := saving(t, dir, &Request{Parts: []*Snapshot{{Tasks: []Task{{Title: "x"}}}}})
		if saved.Corrupt == nil || saved.Corrupt.Error() != want || readFile(t, saved.Backup) != in || saved.Backup != filepath.Join(dir, Name+".bak") {
			t.Errorf("%s: %v is kept as %s", in, saved.Corrupt, saved.Backup)
		}
		if s, err := Read(t.Context(), dir); err != nil || len(s.Tasks) != 1 {
			t.Errorf("%s: saved as %+v, %v", in, s, err)
		}
	}
	if _, err := Save(t.Context(), &Request{Dir: t.TempDir(), At: noon, Handover: &handover.Handover{}, Mask: export.NewRedactor("")}); !errors.Is(err, ErrNoTasks) {
		t.Errorf("no task: %v", err)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	in := `{"metadata":{"version":"2.0","created":"yesterday","updated":"2025-11-26 14:00:00","git_branch":null,"git_commit":"abc","tool":"x"},"tasks":[` +
		`{"id":"T-1","title":"x","status":"on hold","completed":"soon","consolidated":"no","consolidated_count":"3","files":"a.go","owner":{"name": "k", "n":1.50}}],` +
		`"context_blocks":[{"title":"b","content":7,"updated":null,"related_tasks":"all","tag":[ ]}],"x":null}`
	want := `{"metadata":{"version":"2.0","created":"yesterday","updated":"2025-11-26T14:00:00Z","git_branch":null,"git_commit":"abc","tool":"x"},"tasks":[` +
		`{"id":"T-1","title":"x","status":"on hold","completed":"soon","consolidated":"no","consolidated_count":"3","files":"a.go","owner":{"name":"k","n":1.50}}],` +
		`"context_blocks":[{"title":"b","content":7,"updated":null,"related_tasks":"all","tag":[]}],"x":null}`
	if got := text(t, parse(t, in)); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

// TestOutputFormat checks the two reports of the spec word for word.
func TestOutputFormat(t *testing.T) {
	t.Parallel()
	s := &Snapshot{Branch: "feature/auth", Commit: "abc123f5d2e8a1b4c6e9f3a7", Updated: noon.Add(-50 * time.Hour)}
	for i := range 5 {
		s.Tasks = append(s.Tasks, Task{ID: s.newID(), Title: "Fix JWT validation", Status: Pending, Priority: []string{"P1", "P2", "P2", "P1", "P2"}[i]})
	}
	for range 3 {
		s.Tasks = append(s.Tasks, Task{ID: s.newID(), Status: Completed})
	}
	s.Tasks = append(s.Tasks, Task{ID: s.newID(), Status: Completed, Consolidated: true, Count: 12})
	for got, want := range map[string]string{
		s.SavedText(): `Saved → session-protocol.json
- 5 pend (2 P1, 3 P2)
- 15 done (3 individual, 1 consolidated from 12)
- Git: feature/auth @ abc123f
Next: TASK_001 - Fix JWT validation`,
		s.LoadedText(noon, Drift{Ahead: 2}): `Loaded session-protocol.json (2d old)
- 5 pend, 15 done (1 consolidated from 12)
- Git: feature/auth @ abc123f (2 commits ahead)
Next: TASK_001 - Fix JWT validation`,
		s.LoadedText(noon.Add(-49*time.Hour), Drift{Ahead: 2, Behind: 1, Branch: "main"}): `Loaded session-protocol.json (1h old)
- 5 pend, 15 done (1 consolidated from 12)
- Git: feature/auth @ abc123f (diverged: 2 commits ahead, 1 commit behind)
- Branch: feature/auth → main
Next: TASK_001 - Fix JWT validation`,
		(&Snapshot{Updated: noon, Tasks: []Task{{ID: "TASK_001", Title: "x", Status: InProgress}}}).LoadedText(noon, Drift{}): `Loaded session-protocol.json (0m old)
- 0 pend, 1 prog, 0 done
Next: TASK_001 - x`,
	} {
		if got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	}
}

// TestNext checks the order of the spec: in progress, priority, position in the file.
func TestNext(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                "",
		"completed":       "",
		"pending,pending": "0",
		"pending,pending:P3,pending:P2,pending:P1": "3",
		"pending:P1,in_progress,in_progress:P3":    "2",
		"pending:P1,in_progress":                   "1",
		"completed:P1,pending:P2,blocked:P1":       "2",
	} {
		s := &Snapshot{}
		for i, task := range strings.FieldsFunc(in, func(r rune) bool { return r == ',' }) {
			status, priority, _ := strings.Cut(task, ":")
			s.Tasks = append(s.Tasks, Task{ID: string(rune('0' + i)), Status: status, Priority: priority})
		}
		got := ""
		if n := s.Next(); n != nil {
			got = n.ID
		}
		if got != want {
			t.Errorf("%s: %q, not %q", in, got, want)
		}
	}
}

func TestDrift(t *testing.T) {
	t.Parallel()
	const short, long = "abc123f5d2e8a1b4c6e9f3a7", "abc123f5d2e8a1b4c6e9f3a7000000000000000a"
	for name, c := range map[string]struct {
		branch, commit string
		git            Git
		want           Drift
	}{
		"no git":       {"main", short, Git{}, Drift{}},
		"same":         {"main", short, Git{Branch: "main", Commit: long, Ahead: 9}, Drift{}},
		"upper case":   {"main", strings.ToUpper(short), Git{Branch: "main", Commit: long, Ahead: 9}, Drift{}},
		"too short":    {"main", "abc", Git{Branch: "main", Commit: long, Unknown: true}, Drift{Unknown: true}},
		"ahead":        {"main", short, Git{Branch: "main", Commit: "1234567", Ahead: 2}, Drift{Ahead: 2}},
		"behind":       {"main", short, Git{Branch: "main", Commit: "1234567", Behind: 1}, Drift{Behind: 1}},
		"branch":       {"main", short, Git{Branch: "other", Commit: long}, Drift{Branch: "other"}},
		"detached":     {"main", short, Git{Commit: long}, Drift{Branch: "detached"}},
		"saved no git": {"", "", Git{Branch: "main", Commit: long}, Drift{}},
	} {
		if got := (&Snapshot{Branch: c.branch, Commit: c.commit}).Drift(c.git); got != c.want {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
	}
}

// TestPrivacy: texts of other programs are masked too.
func TestPrivacy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := `{"metadata":{"by":"ann@example.org"},"tasks":[{"id":"TASK_001","title":"x","status":"pending","context":"In C:\\Users\\ann\\p and /mnt/c/Users/ann/p","files":["/home/ann/p/a.go:3","/srv/people/kim/b.go"]}]}`
	if err := os.WriteFile(filepath.Join(dir, Name), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	items := []handover.Item{{Title: "Mail bob@example.org"}, {Title: "Use ghp_s3cretS3cret in /Users/bob/p"}}
	for range 2 {
		saving(t, dir, &Request{Handover: &handover.Handover{Items: items}, Parts: []*Snapshot{{Blocks: []Block{{Title: "Key", Content: "password=hunter22"}}}}})
		s := parse(t, readFile(t, dir, Name))
		for _, secret := range []string{"example.org", "ann", "kim", "bob", "s3cret", "hunter22"} {
			if strings.Contains(text(t, s), secret) {
				t.Errorf("%s is in %s", secret, text(t, s))
			}
		}
		if len(s.Tasks) != 3 || s.Tasks[1].Title != "Mail [masked]" || s.Tasks[0].Files[0] != "~/p/a.go:3" {
			t.Errorf("%+v", s.Tasks)
		}
	}
}
