package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each test in this file checks a table or an example of spec 003, and has the name of its section. The commands of
// sections 2.1 and 6.2 are tested in cli/testdata/script.

func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSection11States: the diagram omits the move from suspended to active.
func TestSection11States(t *testing.T) {
	t.Parallel()
	allowed := map[State]string{
		Init: "active suspended", Active: "suspended complete terminated", Suspended: "active terminated", Complete: "suspended", Terminated: "",
	}
	for from, to := range allowed {
		for other := range allowed {
			want := slices.Contains(strings.Fields(to), string(other))
			b := newBench(t)
			b.must(t, b.start(""))
			s := b.read(t).Newest()
			b.write(t, s.Path(), strings.Replace(string(s.text), `"active"`, `"`+string(from)+`"`, 1))
			_, err := b.do(t, b.move(other), -1)
			if _, refused := errors.AsType[*MoveError](err); refused == want || (err == nil) != want {
				t.Errorf("%s → %s: %v", from, other, err)
			}
			if want && b.read(t).Newest().State != other {
				t.Errorf("%s → %s: the state is %s", from, other, b.read(t).Newest().State)
			}
			if err != nil && !strings.Contains(err.Error(), string(from)+" → "+string(other)) {
				t.Errorf("%s → %s isn't named: %v", from, other, err)
			}
		}
	}
}

func TestSection12Metadata(t *testing.T) {
	t.Parallel()
	text := example(t, "section-1.2.json")
	s := parseSession("session-2025-12-04-abc123", text)
	if s.Problems != nil || string(s.file()) != string(text) {
		t.Errorf("%v\n%s", s.Problems, s.file())
	}
	at := func(h, m int) time.Time { return time.Date(2025, 12, 4, h, m, 0, 0, time.UTC) }
	if s.ID != s.Name || s.Agent != "agent-builder-001" || s.Slug != slug || s.State != Active || !s.Started.Equal(at(10, 0)) || !s.Active.Equal(at(10, 30)) || s.Gate != "G4" || s.Count != 3 || s.Parent != "" || len(s.Children) > 0 {
		t.Errorf("%+v", s)
	}
	for _, key := range s.object.keys {
		o := s.object.clone()
		o.drop(key)
		if p := parseSession(s.Name, o.file()).Problems; len(p) != 1 || p[0] != (Problem{key, "missing"}) {
			t.Errorf("without %s: %v", key, p)
		}
	}
}

// TestSection31Mandatory: an empty checkpoint has none of the required content.
func TestSection31Mandatory(t *testing.T) {
	t.Parallel()
	for event, c := range map[Event]struct{ content, want string }{
		GateTransition: {`{"state":{"decisions":[{"decision":"a"}]}}`, "full state, decisions"},
		Decided:        {`{"state":{"decisions":[{"decision":"a","rationale":"b","alternatives_considered":["c"]}]}}`, "rationale, alternatives"},
		FileChange:     {`{"summary":"a","state":{"files_changed":[{"path":"b","action":"created"}]}}`, "file list, summary"},
		ErrorRecovery:  {`{"state":{"error":"a","resolution":"b"}}`, "error, resolution"},
		SessionEnd:     {`{"summary":"a"}`, "full summary"},
	} {
		for _, content := range []string{"{}", c.content} {
			checkpoint, err := ParseContent([]byte(content))
			if err != nil {
				t.Fatal(err)
			}
			checkpoint.Type = event
			var names []string
			for _, w := range checkpoint.Wanted() {
				if names = append(names, w.Name); w.Has != (content != "{}") {
					t.Errorf("%s %s: %s is %v", event, content, w.Field, w.Has)
				}
			}
			if strings.Join(names, ", ") != c.want {
				t.Errorf("%s: %q", event, names)
			}
		}
	}
}

func TestSection32Schema(t *testing.T) {
	t.Parallel()
	text := example(t, "section-3.2.json")
	c := parseCheckpoint("ckpt-2025-12-04-001", text)
	want := &Checkpoint{
		ID: c.Name, Session: "session-abc123", At: time.Date(2025, 12, 4, 10, 30, 0, 0, time.UTC), Gate: "G4", Step: 3, Type: GateTransition,
		Summary: "Completed unit test implementation", Files: []File{{"src/auth.ts", "modified"}, {"tests/auth.test.ts", "created"}}, Tests: Tests{12, 0, 2}, Tested: true,
		Decisions: []Decision{{"Use JWT for session tokens", "Stateless, industry standard", []string{"Session cookies", "OAuth opaque tokens"}}},
		Next:      []string{"Implement refresh token logic", "Add rate limiting"}, CanResume: true, Resume: "Continue from G4 step 4, implement refresh tokens",
		Name: c.Name, Sum: c.Sum, object: c.object, state: c.state,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v", c)
	}
	if compact(t, c.file()) != compact(t, text) {
		t.Errorf("%s", c.file())
	}
	for _, key := range c.object.keys {
		o := c.object.clone()
		o.drop(key)
		if p := parseCheckpoint(c.Name, o.file()).Problems; len(p) != 1 || p[0] != (Problem{key, "missing"}) {
			t.Errorf("without %s: %v", key, p)
		}
	}
	for wrong, field := range map[string]string{
		`{"summary":7}`: "summary: a text is needed", `{"step":-1}`: "step: negative", `{"step":"3"}`: "step: a whole number is needed", `{"gate":"G11"}`: "gate: ",
		`{"state":{"tests":{"passing":"all"}}}`: "state.tests.passing: ", `{"state":{"files_changed":[{"action":"created"}]}}`: "state.files_changed[0].path: missing",
		`{"state":{"decisions":[7]}}`: "state.decisions[0]: an object is needed", `{"next_steps":[1]}`: "next_steps[0]: a text is needed", `{"next_steps":{}}`: "next_steps: a list is needed",
		`{"can_resume":"yes"}`: "can_resume: ", `{"state":[]}`: "state: an object is needed", `{"checkpoint_id":"ckpt-1"}`: "checkpoint_id: continuo sets", `[]`: "not a JSON object",
		`{"summary":"a"} x`: "", `{"timestamp":"2025-12-04T10:30:00Z","session_id":"s"}`: "session_id: ",
	} {
		_, err := ParseContent([]byte(wrong))
		if _, ok := errors.AsType[*ContentError](err); !ok || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestSection33Storage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(t, b.start("G4"), b.save(GateTransition, "", `{"summary":"Scaffold","step":2,"vendor":{"b":1,"a":[2]},"state":{"coverage":0.9}}`), b.save(FileChange, "", ""))
	want := []string{
		"json/checkpoint-index.json", "json/checkpoints/ckpt-2025-12-04-001.json", "json/checkpoints/ckpt-2025-12-04-002.json",
		"json/sessions/" + b.read(t).Newest().ID + ".json", "json/task-status.json", "logs/session.log",
	}
	files := b.files(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if c := compact(t, []byte(files[want[1]])); !strings.HasSuffix(c, `"resume_instructions":"Continue from G4 step 2","vendor":{"b":1,"a":[2]}}`) || !strings.Contains(c, `"state":{"coverage":0.9}`) {
		t.Error(c)
	}
	var index struct {
		Version     int
		TaskSlug    string    `json:"task_slug"`
		UpdatedAt   time.Time `json:"updated_at"`
		Checkpoints []struct {
			ID                                           string `json:"checkpoint_id"`
			Session                                      string `json:"session_id"`
			Timestamp, Gate, Type, Summary, Path, SHA256 string
			Step                                         int
			Prev                                         *string
		}
	}
	if err := json.Unmarshal([]byte(files[want[0]]), &index); err != nil {
		t.Fatal(err)
	}
	second := index.Checkpoints[1]
	if index.Version != 1 || index.TaskSlug != slug || !index.UpdatedAt.Equal(time.Date(2025, 12, 4, 10, 2, 0, 0, time.UTC)) ||
		second.ID != "ckpt-2025-12-04-002" || second.Type != "file_change" || second.Gate != "G4" || second.Step != 2 || second.Path != want[2] ||
		second.SHA256 != b.read(t).Checkpoints[1].Sum || *second.Prev != "ckpt-2025-12-04-001" || index.Checkpoints[0].Prev != nil {
		t.Errorf("%+v", index)
	}
}

func TestSection42Interrupted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(t, b.start(""), b.save(GateTransition, "G4", `{"summary":"Scaffold","step":3,"next_steps":["Refresh tokens"],"state":{"tests":{"passing":9,"failing":2}}}`))
	b.now = b.now.Add(Idle - 2*time.Minute)
	for _, plan := range []planner{b.reap(false), b.reap(true)} { // too early, and live
		c, err := plan(t.Context(), b.read(t))
		if err != nil || len(c.Ops) > 0 {
			t.Errorf("%d ops, %v", len(c.Ops), err)
		}
		b.now = b.now.Add(time.Hour)
	}
	seen := func(string) Seen { return Seen{Last: b.now.Add(-Idle + time.Second)} } // the transcript is newer
	if c, err := b.read(t).PlanReap(t.Context(), b.now, seen); err != nil || len(c.Ops) > 0 {
		t.Errorf("%d ops, %v", len(c.Ops), err)
	}
	b.must(t, b.reap(false))
	b.verified(t)
	task := b.read(t)
	s, c := task.Newest(), task.Last()
	if s.State != Suspended || c.Type != Interrupted || !c.CanResume || c.Gate != "G4" || c.Step != 3 || c.Tests.Failing != 2 || c.Resume != "Continue from G4 step 3: Refresh tokens" || !slices.Equal(c.Next, []string{"Refresh tokens"}) {
		t.Errorf("%+v\n%+v", s, c)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(b.files(t)["json/incidents.jsonl"]), &line); err != nil || line["session_id"] != s.ID || line["checkpoint_id"] != c.ID || line["last_activity"] != "2025-12-04T10:01:00Z" {
		t.Errorf("%v %v", line, err)
	}
}

// TestSection51Chaining: each session continues from the last checkpoint of the previous one.
func TestSection51Chaining(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, gates := range []string{"G0 G1 G2", "G3 G4 G5", "G6 G7 G8 G9 G10"} {
		b.must(t, b.start(""))
		for gate := range strings.FieldsSeq(gates) {
			b.must(t, b.save(GateTransition, Gate(gate), ""))
		}
		b.must(t, b.move(Complete))
	}
	b.verified(t)
	task := b.read(t)
	var chain []string
	for _, s := range task.Sessions {
		from := "none"
		if c := task.Checkpoint(s.ResumedFrom); c != nil {
			from = string(c.Gate) + " " + string(c.Type)
		}
		chain = append(chain, from+" → "+string(s.Gate))
	}
	if got := strings.Join(chain, ", "); got != "none → G2, G2 session_end → G5, G5 session_end → G10" {
		t.Error(got)
	}
	if task.Status.Status != Completed || task.State() != Completed || task.Status.Gate != "G10" {
		t.Errorf("%+v", task.Status)
	}
}

// TestSection71Gates checks the content that the table requires of each gate.
func TestSection71Gates(t *testing.T) {
	t.Parallel()
	for gate, want := range map[Gate]string{
		"G0": "Task Init: task definition, acceptance criteria", "G1": "Research: research findings, approach decision", "G2": "Planning: TDD plan, implementation checklist",
		"G3": "Scaffold: file structure, interface definitions", "G4": "Implementation: code changes, test status", "G5": "Verification: quality gate results, coverage",
		"G6": "Review: review feedback, resolutions", "G7": "Documentation: docs updated, changelog entry", "G8": "Deploy: deployment evidence", "G9": "Deploy: deployment evidence",
		"G10": "Archive: final summary, lessons learned",
	} {
		var names []string
		for _, w := range gate.Wanted() {
			names = append(names, w.Name)
			if w.Has {
				t.Errorf("%s has %s without a checkpoint", gate, w.Name)
			}
			o := object{}
			o.set(strings.ReplaceAll(strings.ToLower(w.Name), " ", "_"), "yes")
			content := object{}
			content.set("state", o)
			c, err := newContent(content)
			if err != nil {
				t.Fatal(err)
			}
			for _, again := range gate.Wanted(c) {
				if again.Has != (again.Name == w.Name) {
					t.Errorf("%s with %s: %s is %v", gate, w.Name, again.Name, again.Has)
				}
			}
		}
		if got := gate.Name() + ": " + strings.Join(names, ", "); got != want {
			t.Errorf("%s: %q", gate, got)
		}
	}
	for _, g := range []Gate{"", "G11", "G-1", "g4", "G04", "G4 ", "4"} {
		if _, ok := g.Number(); ok || g.Name() != "" || g.Wanted() != nil {
			t.Errorf("%q is a gate", g)
		}
	}
}

// TestSection72CrossGate: a session continues from the newest checkpoint at or below its gate.
func TestSection72CrossGate(t *testing.T) {
	t.Parallel()
	for gate, want := range map[Gate]string{"G1": "", "G2": "ckpt-2025-12-04-001", "G4": "ckpt-2025-12-04-002", "G5": "ckpt-2025-12-04-002", "G6": "ckpt-2025-12-04-004", "G9": "ckpt-2025-12-04-004"} {
		b := newBench(t)
		b.must(t, b.start(""), b.save(GateTransition, "G2", ""), b.save(Decided, "G4", ""), b.save(GateTransition, "G6", ""), b.move(Complete), b.start(gate), b.save(FileChange, "", ""))
		b.verified(t)
		s := b.read(t).Newest()
		if s.ResumedFrom != want || s.Gate != gate || (s.Parent == "") != (want == "") {
			t.Errorf("%s: %+v", gate, s)
		}
	}
}

// TestEmergency: the emergency checkpoint has another form, and the type interrupted.
func TestEmergency(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.chain(t)
	b.write(t, emergencyFile, strings.Replace(string(example(t, "emergency-checkpoint.json")), "10:30", "12:30", 1))
	c := b.read(t).Last()
	if c.Type != Interrupted || c.Gate != "G4" || c.Step != 3 || !c.CanResume || c.Resume != "G4-step-3" || !slices.Equal(c.Files, []File{{"src/auth.ts", "modified"}}) || c.Summary != "resource_exhaustion" {
		t.Errorf("%+v", c)
	}
	b.verified(t)
	timeline := b.read(t).Timeline()
	if last := timeline[len(timeline)-1]; last.Checkpoint == nil || last.Checkpoint.Name != "emergency-checkpoint" {
		t.Errorf("%+v", last)
	}
}
