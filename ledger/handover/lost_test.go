package handover_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

func full() *handover.Handover {
	ref := func(s string) ledger.Ref {
		r, _ := ledger.ParseRef(s)
		return r
	}
	return &handover.Handover{
		When: time.Date(2026, 11, 28, 1, 2, 3, 0, time.UTC), Session: "sess-003", Agent: "implementing-tasks",
		Git: handover.Git{Branch: "main", Commit: "abc1234"}, State: "Leeway is in.\nThe retry is next.", Done: []string{"Leeway"},
		Items: []handover.Item{
			{ID: "x-1", Title: "Retry", Status: handover.InProgress, Written: "in_progress", Priority: "1"},
			{ID: "x-2", Title: "Logout", Status: handover.Blocked, Written: "deferred", Priority: "2"},
		},
		Decisions: []handover.Decision{{
			When: time.Date(2026, 11, 27, 1, 2, 3, 0, time.UTC), Title: "Leeway is 30 s", Text: "Tokens get a leeway of 30 s.", Why: "Clocks differ.",
			Evidence: []handover.Evidence{{Ref: ref("${PROJECT_ROOT}/src/a.go:45-67"), Quote: "leeway := 30"}}, Alternatives: []string{"None"},
		}},
		Questions: []handover.Question{{Text: "Per client?", Answer: "Later."}},
		Refs:      []handover.Reference{{Ref: ref("${PROJECT_ROOT}/src/b.go:1"), Purpose: "Validation"}},
		Tests:     []handover.Test{{Name: "Expires", Type: "edge_case", Expected: "Grace"}},
		Ran:       handover.Ran{Passing: 12, Failing: 1, Pending: 2},
		Gate:      handover.Gate{Name: "G4", Verdict: "passed", Ratio: 0.97, Counted: true},
		Step:      "3", Outcome: "partial", Resume: "Go on with the retry.",
	}
}

// leaves calls visit for each field with a value, at any depth.
func leaves(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time](), v.Type() == reflect.TypeFor[ledger.Ref]():
		visit(path, v)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case v.Kind() == reflect.Slice:
		visit(path, v)
		for i := range v.Len() {
			leaves(v.Index(i), path+"[]", visit)
		}
	default:
		visit(path, v)
	}
}

// TestLostEveryField fails for a new field that Lost doesn't compare.
func TestLostEveryField(t *testing.T) {
	t.Parallel()
	if lost := handover.Lost(full(), full()); lost != nil {
		t.Fatalf("%q is lost of nothing", lost)
	}
	var paths []string
	leaves(reflect.ValueOf(full()).Elem(), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	for i, path := range paths {
		for _, cleared := range []bool{true, false} {
			back, k := full(), 0
			leaves(reflect.ValueOf(back).Elem(), "", func(_ string, v reflect.Value) {
				if k++; k-1 == i {
					spoil(v, cleared)
				}
			})
			lost := handover.Lost(full(), back)
			ignored := path == ".Items[].Marks" || path == ".Items[].At" || path == ".Items[].Written" // TestLostWords tests .Written
			if changed := !reflect.DeepEqual(full(), back); changed == (lost == nil) && !ignored {
				t.Errorf("%s (cleared: %v): %q is lost", path, cleared, lost)
			}
		}
	}
}

func spoil(v reflect.Value, cleared bool) {
	switch {
	case cleared, v.Kind() == reflect.Slice:
		v.SetZero()
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)))
	case v.Type() == reflect.TypeFor[ledger.Ref]():
		v.Set(reflect.ValueOf(ledger.Ref{Path: "z.go", Form: ledger.FormRooted}))
	case v.Kind() == reflect.String:
		v.SetString("zzz")
	case v.Kind() == reflect.Int:
		v.SetInt(99)
	case v.Kind() == reflect.Float64:
		v.SetFloat(0.5)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

func TestLostWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(h *handover.Handover)
		want  string
	}{
		"branch":      {func(h *handover.Handover) { h.Git.Branch = "" }, "branch main"},
		"session":     {func(h *handover.Handover) { h.Session = "" }, "session sess-003"},
		"state":       {func(h *handover.Handover) { h.State = "" }, "the state"},
		"breaks":      {func(h *handover.Handover) { h.State = strings.ReplaceAll(h.State, "\n", " ") }, "the line breaks of the state"},
		"text":        {func(h *handover.Handover) { h.State = "other" }, "the exact text of the state"},
		"reason":      {func(h *handover.Handover) { h.Decisions[0].Why = "" }, "the reason of “Leeway is 30 s”"},
		"title":       {func(h *handover.Handover) { h.Decisions[0].Title = "" }, "the title of “Leeway is 30 s”"},
		"decisions":   {func(h *handover.Handover) { h.Decisions = nil }, "1 decision"},
		"questions":   {func(h *handover.Handover) { h.Questions = nil }, "1 question"},
		"tasks":       {func(h *handover.Handover) { h.Items = nil }, "2 tasks"},
		"priorities":  {func(h *handover.Handover) { h.Items[0].Priority, h.Items[1].Priority = "", "" }, "the priorities of 2 tasks"},
		"status":      {func(h *handover.Handover) { h.Items[0].Status = "" }, "the status of “Retry”"},
		"same status": {func(h *handover.Handover) { h.Items[0].Written = "in-progress" }, ""},
		"deferred":    {func(h *handover.Handover) { h.Items[1].Written = "" }, "the word “deferred” of “Logout”"},
		"ratio":       {func(h *handover.Handover) { h.Gate.Counted = false }, "grounding ratio 0.97"},
		"ran":         {func(h *handover.Handover) { h.Ran.Failing = 0 }, "the result of the test run"},
		"marks":       {func(h *handover.Handover) { h.Items[0].Title = "**Retry**." }, ""},
		"second":      {func(h *handover.Handover) { h.When = h.When.Add(time.Millisecond) }, ""},
		"more": {func(h *handover.Handover) {
			h.Items = append([]handover.Item{{Title: "Older"}}, h.Items...)
			h.Decisions = append(h.Decisions, handover.Decision{Text: "Older"})
		}, ""},
	} {
		back := full()
		c.spoil(back)
		if got := strings.Join(handover.Lost(full(), back), "; "); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}
