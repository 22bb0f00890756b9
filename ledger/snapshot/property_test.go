package snapshot

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
	"github.com/continuo-tui/continuo/transcript/export"
)

// randomItems returns random items. Some have the same title.
func randomItems(r *rand.Rand) []handover.Item {
	statuses := []handover.Status{handover.Open, handover.InProgress, handover.Blocked, handover.Done, handover.Done, handover.Done}
	var items []handover.Item
	for range r.IntN(6) {
		title := fmt.Sprintf("%s %d", []string{"Auth: step", "Docs: page", "Work"}[r.IntN(3)], r.IntN(40))
		items = append(items, handover.Item{Title: title, Status: statuses[r.IntN(len(statuses))]})
	}
	return items
}

// TestRandomSaves: IDs are unique, and a task disappears only into a consolidated task.
func TestRandomSaves(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	s, at := &Snapshot{}, noon
	titles, groups := map[string]string{}, 0 // of all IDs so far
	mask := export.NewRedactor("")
	for round := range 1000 {
		at = at.Add(time.Duration(r.IntN(20)) * time.Hour)
		req := Request{At: at, Handover: &handover.Handover{Items: randomItems(r)}, Mask: mask}
		old := &Snapshot{Tasks: slices.Clone(s.Tasks)}
		req.update(s)
		for i := range old.Tasks {
			was := &old.Tasks[i]
			at := slices.IndexFunc(s.Tasks, func(now Task) bool { return now.ID == was.ID })
			if at < 0 && (!was.isDone() || s.never(was, req.At) || !was.Consolidated && s.summarized(was.Title) < 0) {
				t.Fatalf("seed %d, round %d: lost %+v", seed, round, was)
			}
		}
		for i := range s.Tasks {
			task := &s.Tasks[i]
			if title, known := titles[task.ID]; known && title != task.Title {
				t.Fatalf("seed %d, round %d: %s was %s, is %s", seed, round, task.ID, title, task.Title)
			}
			titles[task.ID] = task.Title
			if task.Consolidated {
				groups++
			}
		}
	}
	if groups == 0 {
		t.Error("nothing was consolidated")
	}
}

// unknown returns the keys that begin with "x-", at any depth.
func unknown(t *testing.T, text []byte) []string {
	t.Helper()
	var all []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, in := range v {
				if strings.HasPrefix(k, "x-") {
					all = append(all, fmt.Sprint(k, in))
				}
				walk(in)
			}
		case []any:
			for _, in := range v {
				walk(in)
			}
		}
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	walk(v)
	slices.Sort(all)
	return all
}

func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 0)) //nolint:gosec // a fixed seed makes the test repeatable
	for range 100 {
		n := 0
		keys := func() string {
			text := ""
			for range r.IntN(3) {
				n++
				text += fmt.Sprintf(`"x-%d":%s,`, n, []string{`{"a":[1,"b"]}`, "1e99", `"é<"`, "null"}[r.IntN(4)])
			}
			return text
		}
		var tasks, blocks []string
		for i := range r.IntN(8) {
			tasks = append(tasks, fmt.Sprintf(`{%s"id":"TASK_%03d","title":"t %d","status":"%s"}`, keys(), i+1, i, []string{"pending", "completed"}[i%2]))
			blocks = append(blocks, fmt.Sprintf(`{%s"title":"b %d"}`, keys(), i))
		}
		in := []byte(fmt.Sprintf(`{%s"metadata":{%s"version":"2.0"},"tasks":[%s],"context_blocks":[%s]}`, keys(), keys(), strings.Join(tasks, ","), strings.Join(blocks, ",")))
		s, err := Parse(in)
		if err != nil {
			t.Fatalf("%v: %s", err, in)
		}
		(&Request{At: noon, Handover: &handover.Handover{Items: randomItems(r)}, Mask: export.NewRedactor("")}).update(s)
		out, err := s.Text()
		if err != nil || !slices.Equal(unknown(t, in), unknown(t, out)) {
			t.Fatalf("%v\n%s\n%s", err, in, out)
		}
	}
}

// TestHandover: items without an ID get the ID of their task. Blocked items become pending.
func TestHandover(t *testing.T) {
	t.Parallel()
	for name, texts := range map[string]handovertest.Texts{"plain": handovertest.Plain(), "wild": handovertest.Wild()} {
		r := rand.New(rand.NewPCG(1, 0)) //nolint:gosec // a fixed seed makes the test repeatable
		for range 300 {
			h := handovertest.Random(r, texts)
			h.Done, h.Tests = nil, nil
			h.Items = slices.DeleteFunc(h.Items, func(i handover.Item) bool { return i.Status == handover.Dropped })
			s := &Snapshot{}
			s.merge(FromHandover(h), h.When)
			s.Updated, s.Branch, s.Commit = h.When, h.Git.Branch, h.Git.Commit
			back := parse(t, text(t, s)).Handover()
			if name == "wild" {
				if lost := handovertest.Entries(handover.Lost(h, back)); lost != nil {
					t.Fatalf("lost %q of %+v\nread %+v\n%s", lost, h, back, text(t, s))
				}
				continue
			}
			want := *h
			want.Session, want.Agent, want.Gate, want.Ran, want.Step, want.Outcome = "", "", handover.Gate{}, handover.Ran{}, "", ""
			want.Items = slices.Clone(h.Items)
			for i := range want.Items {
				if want.Items[i].Status == handover.Blocked {
					want.Items[i].Status = handover.Open
				}
				if want.Items[i].ID == "" {
					back.Items[i].ID = ""
				}
				want.Items[i].Priority = priorityOf(want.Items[i].Priority)
			}
			handovertest.Equal(t, back, &want)
		}
	}
}

// FuzzParse: saving the same handover a second time changes nothing.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"metadata":{"version":"2.0","git_branch":null},"tasks":[{"id":"TASK_001","title":"Auth: a (bd-1)","status":"completed","completed":"2020-01-01T00:00:00Z","x":{"y":[1]}}],"context_blocks":[{"title":"t","content":"src/a.go:1 TASK_001"}]}`), "Auth: b")
	f.Add([]byte(`{"metadata":{},"tasks":[{"id":"TASK_001","title":"Completed work","status":"completed","completed":"2020-01-01","consolidated":true,"consolidated_count":3,"context":"Summary: a; b"}]}`), "a")
	f.Fuzz(func(t *testing.T, in []byte, title string) {
		s, err := Parse(in)
		if err != nil {
			return
		}
		once := text(t, s)
		if twice := text(t, parse(t, once)); once != twice {
			t.Fatalf("%s\nbecame\n%s", once, twice)
		}
		s.Handover()
		s.LoadedText(noon, Drift{})
		r := &Request{At: noon, Mask: export.NewRedactor(""), Handover: &handover.Handover{
			Items: []handover.Item{{Title: title}, {Title: title + " 2", Status: handover.Done, At: noon.Add(-99 * time.Hour)}},
		}}
		open := s.Counts().Pending + s.Counts().InProgress
		r.update(s)
		if c := s.Counts(); c.Pending+c.InProgress < open-2 {
			t.Fatalf("%d open tasks of %d", c.Pending+c.InProgress, open)
		}
		first := text(t, s)
		r.update(s)
		if second := text(t, s); len(s.Tasks) > 0 && first != second {
			t.Fatalf("the second save changed\n%s\nto\n%s", first, second)
		}
	})
}
