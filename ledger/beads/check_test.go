package beads

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestComments(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct{ text, decisions, handoffs string }{
		"plain": {"Decision: is no decision? It is.", "[is no decision? It is. |  | []]", "[]"},
		"other": {"We took a DECISION: later", "[]", "[]"},
		"spec": {
			"DECISION: Use RSA256\nRationale: Industry standard,\nkey rotation\nEvidence: ${PROJECT_ROOT}/src/jwt.ts:23",
			"[Use RSA256 | Industry standard,\nkey rotation | [{${PROJECT_ROOT}/src/jwt.ts 23  0}]]", "[]",
		},
		"evidence": {
			"DECISION:\nUse one model\nEvidence:\n- `func Hours()` [${PROJECT_ROOT}/a b.go:45-67]\n- `x.go:7`\n- src/y.go:L9 `z()`\n- no line\n-\n",
			"[Use one model |  | [{${PROJECT_ROOT}/a b.go 45 func Hours() 67} {x.go 7  0} {src/y.go 9 z() 0} {no line 0  0}]]", "[]",
		},
		"handoff": {
			"HANDOFF:\nSession: sess-003\nNOTES ref: grimoires/loa/NOTES.md:93-120\nTrajectory: trajectory/impl.jsonl:span-ghi\nGrounding ratio: 0.96",
			"[]", "[sess-003 | 10:30 | grimoires/loa/NOTES.md:93-120 | trajectory/impl.jsonl:span-ghi | 0.96 true]",
		},
		"bare handoff":  {"handoff: sess-1\nGrounding ratio: high\nEnded: 2026-01-15T09:00:00Z", "[]", "[sess-1 | 09:00 |  |  | 0 false]"},
		"empty":         {"DECISION:", "[ |  | []]", "[]"},
		"windows lines": {"DECISION: a\r\nRationale: b\r\n", "[a | b | []]", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b Bead
			b.take(&Comment{Text: c.text, At: at})
			decisions, handoffs := []string{}, []string{}
			for _, d := range b.Decisions {
				if !d.At.Equal(at) {
					t.Errorf("decided at %v", d.At)
				}
				decisions = append(decisions, fmt.Sprintf("%s | %s | %v", d.Text, d.Rationale, d.Evidence))
			}
			for _, h := range b.Handoffs {
				handoffs = append(handoffs, fmt.Sprintf("%s | %s | %s | %s | %v %v", h.Session, h.Ended.Format("15:04"), h.Notes, h.Trajectory, h.Ratio, h.HasRatio))
			}
			if got := fmt.Sprint(decisions); got != c.decisions {
				t.Errorf("decisions are %s, want %s", got, c.decisions)
			}
			if got := fmt.Sprint(handoffs); got != c.handoffs {
				t.Errorf("handoffs are %s, want %s", got, c.handoffs)
			}
		})
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	var b Bead
	for _, text := range []string{
		"TEST SCENARIO: A holiday\nType: edge_case\nExpected: The house\nis closed", "NEXT STEP: Write it", "QUESTION: Who?", "QUESTION:", "NEXT: no",
		"DECISION: x\nEvidence: ${PROJECT_ROOT}/a.go:3 `a := ` + \"`\" + `b`\nTest scenario: y",
	} {
		c := Comment{Text: text}
		if b.take(&c); c.Entry() == (text == "NEXT: no") {
			t.Errorf("%q is an entry: %v", text, c.Entry())
		}
	}
	got := fmt.Sprintf("%q %q %q %q", b.Scenarios, b.Next, b.Questions, b.Decisions[0].Evidence[0].Quote)
	if want := "[{\"A holiday\" \"edge_case\" \"The house\\nis closed\"}] [\"Write it\"] [\"Who?\"] \"a := ` + \\\"`\\\" + `b\""; got != want {
		t.Errorf("it has %s, want %s", got, want)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC)
	decision := Decision{At: at, Text: "a", Rationale: "b", Evidence: []Evidence{{Path: "${PROJECT_ROOT}/x.go", Line: 1, Quote: "q"}}}
	handoff := Handoff{"s", at, "n", "t", .95, true}
	three := []Scenario{{"a", "happy_path", "x"}, {"b", "edge_case", "x"}, {"c", "error_handling", "x"}}
	with := func(ratio float64) *Bead {
		h := handoff
		h.Ratio = ratio
		return &Bead{Scenarios: three, Handoffs: []Handoff{h}}
	}
	for name, c := range map[string]struct {
		bead          *Bead
		open, closing string // fields of the findings; "!" marks a finding that blocks
	}{
		"right":           {&Bead{Decisions: []Decision{decision}, Handoffs: []Handoff{handoff}, Scenarios: three}, "", ""},
		"nothing":         {&Bead{Status: "open"}, "test_scenarios", "!test_scenarios"},
		"closed":          {&Bead{Status: "closed", Scenarios: three[:2]}, "!test_scenarios", "!test_scenarios"},
		"empty decision":  {&Bead{Scenarios: three, Decisions: []Decision{decision, {}}}, "!decisions[1].ts !decisions[1].decision !decisions[1].rationale !decisions[1].evidence", "same"},
		"empty evidence":  {&Bead{Scenarios: three, Decisions: []Decision{{at, "a", "b", []Evidence{{}}, false}}}, "!decisions[0].evidence[0].path !decisions[0].evidence[0].line !decisions[0].evidence[0].quote", "same"},
		"of a comment":    {&Bead{Scenarios: three, Decisions: []Decision{{at, "a", "b", []Evidence{{Path: "${PROJECT_ROOT}/x", Line: 1}}, true}}}, "decisions[0].evidence[0].quote", "same"},
		"relative path":   {&Bead{Scenarios: three, Decisions: []Decision{{at, "a", "b", []Evidence{{Path: "x.go", Line: 1, Quote: "q"}}, false}}}, "!decisions[0].evidence[0].path", "same"},
		"empty scenario":  {&Bead{Scenarios: append([]Scenario{{}}, three...)}, "!test_scenarios[0].name !test_scenarios[0].type !test_scenarios[0].expected", "same"},
		"other scenario":  {&Bead{Scenarios: append([]Scenario{{"a", "sad_path", "x"}}, three...)}, "!test_scenarios[0].type", "same"},
		"empty handoff":   {&Bead{Scenarios: three, Handoffs: []Handoff{{}}}, "!handoffs[0].session_id !handoffs[0].ended !handoffs[0].notes_ref !handoffs[0].trajectory_ref !handoffs[0].grounding_ratio", "same"},
		"ratio below":     {with(.9499), "!handoffs[0].grounding_ratio", "same"},
		"ratio no number": {with(math.NaN()), "!handoffs[0].grounding_ratio", "same"},
		"ratio above one": {with(1.5), "handoffs[0].grounding_ratio", "same"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			show := func(list []Finding) string {
				var fields []string
				for _, f := range list {
					mark := ""
					if f.Block {
						mark = "!"
					}
					if f.What == "" || f.Bead != c.bead.ID {
						t.Errorf("finding is %+v", f)
					}
					fields = append(fields, mark+f.Field)
				}
				return strings.Join(fields, " ")
			}
			if c.closing == "same" {
				c.closing = c.open
			}
			c.bead.ID = "br-1"
			if got := show(c.bead.Check(3, .95)); got != c.open {
				t.Errorf("found %q, want %q", got, c.open)
			}
			if got := show(c.bead.CheckToClose(3, .95)); got != c.closing {
				t.Errorf("to close, found %q, want %q", got, c.closing)
			}
			if got := show(c.bead.CheckToClose(0, .95)); strings.Contains(got, "test_scenarios ") || strings.HasSuffix(got, "test_scenarios") {
				t.Errorf("without scenarios, found %q", got)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const a = `{"id":"a","title":"A","dependencies":[{"id":"b","title":"B","status":"open","dependency_type":"blocks"}]}`
	for name, c := range map[string]struct{ out, ids, err string }{
		"array":          {"[" + a + `,{"id":"b"}]`, "a b", ""},
		"object":         {a, "a", ""},
		"envelope":       {`{"schema_version":2,"data":[` + a + `]}`, "a", ""},
		"envelope of it": {`{"schema_version":2,"data":` + a + `}`, "a", ""},
		"object of bd":   {`{"schema_version":1,"id":"a"}`, "a", ""},
		"issues":         {`{"issues":[{"id":"a"}],"total":1}`, "a", ""},
		"none":           {"[]\n", "", ""},
		"null":           {`{"data":null}`, "", ""},
		"nothing":        {" \n", "", "beads: no bead found"},
		"no bead":        {`[{"id":"a"},{"title":"x"}]`, "a", "bead 2: the line isn't a bead: it has no ID"},
		"other object":   {`{"message":"hello"}`, "", "beads: no bead found"},
		"cut off":        {`[{"id":"a"`, "", "beads: unexpected end of JSON input"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := ParseReady([]byte(c.out))
			var got []string
			for i := range list {
				got = append(got, list[i].ID)
			}
			if strings.Join(got, " ") != c.ids || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("it is %q, %v", got, err)
			}
		})
	}
	b, err := ParseShow([]byte("[" + a + "]"))
	if err != nil || len(b.Deps) != 1 || b.Deps[0] != (Dep{"b", "blocks"}) {
		t.Errorf("dependencies are %v, %v", b.Deps, err)
	}
}
