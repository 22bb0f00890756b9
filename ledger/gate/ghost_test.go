package gate_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

func TestGhosts(t *testing.T) {
	t.Parallel()
	const two = `"query1":"sso login","results1":0,"query2":"identity provider","results2":0`
	for name, c := range map[string]struct {
		text   string
		set    func(*ledger.Negative)
		figure string
		status gate.Status
	}{
		"confirmed":            {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":2}`, figure: "0 unverified", status: gate.Pass},
		"highly ambiguous":     {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":3}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"in the code":          {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":1,"query2":"saml","results2":0,"doc_mentions":9}`, figure: "0 unverified", status: gate.Pass},
		"one query":            {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}`, figure: "1 unverified", status: gate.Fail},
		"a query not finished": {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0,"query2":"saml"}`, figure: "1 unverified", status: gate.Fail},
		"the same query":       {text: `{"phase":"zero_results","claim":"no SSO","query1":"sso login","results1":0,"query2":"Login  SSO","results2":0}`, figure: "1 unverified", status: gate.Fail},
		"the same query, allowed": {
			text: `{"phase":"zero_results","claim":"no SSO","query1":"sso","result1":0,"query2":"sso","result2":0}`,
			set:  func(n *ledger.Negative) { n.RequireDiverseQueries = false }, figure: "0 unverified", status: gate.Pass,
		},
		"feature and underlines": {
			text:   `{"phase":"negative_grounding","feature":"SSO","query_1":"sso","results_1":0,"query_2":"saml","results_2":0,"doc_mentions":5,"ambiguity":"HIGH","confirmed_ghost":false,"requires_human_audit":true}`,
			figure: "0 unverified, 1 highly ambiguous", status: gate.Fail,
		},
		"result1":              {text: `{"phase":"ghost_detection","feature":"SSO","query1":"sso","result1":"0","query2":"saml","result2":[],"classification":"CONFIRMED GHOST"}`, figure: "0 unverified", status: gate.Pass},
		"ghost":                {text: `{"phase":"ghost_detection","feature":"SSO",` + two + `,"classification":"GHOST","ambiguity":"high"}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"status alone":         {text: `{"phase":"ghost_detection","feature":"SSO","status":"high_ambiguity"}`, figure: "1 unverified", status: gate.Fail},
		"unverified by status": {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"status":"unverified"}`, figure: "1 unverified", status: gate.Fail},
		"confirmed by status without a query": {
			text: `{"phase":"negative_ground","claim":"no SSO","status":"confirmed_ghost"}`, figure: "1 unverified", status: gate.Fail,
		},
		"a later record": {
			text:   `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}` + "\n" + `{"phase":"negative_grounding","feature":"No  sso",` + two + `}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"a later record that is graver": {
			text:   `{"phase":"negative_ground","claim":"no SSO",` + two + `}` + "\n" + `{"phase":"negative_ground","claim":"no SSO","doc_mentions":4}`,
			figure: "0 unverified, 1 highly ambiguous", status: gate.Fail,
		},
		"the second query alone": {
			text:   `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}` + "\n" + `{"phase":"negative_ground","query2":"identity provider","results2":0}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"audited by a person": {
			text:   `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"status":"high_ambiguity"}` + "\n" + `{"phase":"negative_ground","claim":"no SSO","status":"confirmed_ghost","audited_by":"mei"}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"audited by a yes":               {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"human_audit":true}`, figure: "0 unverified", status: gate.Pass},
		"an audit that is required":      {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"human_audit":"required"}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"an audit that is pending":       {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"audited":"no"}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"an audit of nobody":             {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"audited_by":"Pending"}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"an audit that is false":         {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"audited":"false","human_audit":false}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"an audit does not search":       {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0,"audited_by":"mei"}`, figure: "1 unverified", status: gate.Fail},
		"an audit does not search apart": {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0,"query2":"SSO","results2":0,"audited_by":"mei"}`, figure: "1 unverified", status: gate.Fail},
		"does not block":                 {text: `{"phase":"negative_ground","claim":"no SSO"}`, set: func(n *ledger.Negative) { n.StrictModeBlocks = false }, figure: "1 unverified", status: gate.Warning},
		"off":                            {text: `{"phase":"negative_ground","claim":"no SSO"}`, set: func(n *ledger.Negative) { n.Enabled = false }, figure: "off", status: gate.Off},
		"a list of queries":              {text: `{"phase":"negative_ground","claim":"no SSO","queries":[{"query":"sso","results":0},{"query":"saml","hits":0}]}`, figure: "0 unverified", status: gate.Pass},
		"queries not logged":             {text: `{"phase":"negative_ground","claim":"no SSO","results1":0,"results2":0}`, figure: "1 unverified", status: gate.Fail},
		"three of them asked":            {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `}`, set: func(n *ledger.Negative) { n.QueryCount = 3 }, figure: "1 unverified", status: gate.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(own(t, c.text))
			if c.set != nil {
				c.set(&f.Config.Grounding.Negative)
			}
			r := gate.Run(&f)
			if s := r.Steps[1]; s.Figure != c.figure || s.Status != c.status {
				t.Errorf("%s %q, want %s %q; %+v", s.Status, s.Figure, c.status, c.figure, f.Claims.Ghosts)
			}
			if want := c.status == gate.Fail; want != (r.Verdict == gate.Rejected) {
				t.Errorf("the verdict is %s", r.Verdict)
			}
		})
	}
}

// TestGhostsOfNobody: the original script doesn't read a file without an agent.
func TestGhostsOfNobody(t *testing.T) {
	t.Parallel()
	c := gate.NewCollector(agent, day, agent)
	collect(t, c, agent+"-"+day+".jsonl", cited)
	got := collect(t, c, day+".jsonl", `{"phase":"ghost_detection","feature":"SSO","status":"unverified"}`+"\n"+`{"phase":"cite","agent":"other","claim":"x"}`+"\n"+`{"phase":"cite","claim":"y"}`)
	if len(got.Ghosts) != 1 || got.Tally.Claims != 1 || got.OriginalGhosts != 0 {
		t.Errorf("%+v", got)
	}
	f := facts(got)
	if s := gate.Run(&f).Steps[1]; s.Status != gate.Fail || !slices.Contains(s.Original, "The original script counts 0, because it looks only at the status.") {
		t.Errorf("%+v", s)
	}
	for _, other := range []trajectory.File{{Agent: "other", Day: day}, {Agent: agent, Day: "2026-11-21"}} {
		if c.Wants(&other) {
			t.Errorf("%+v is wanted", other)
		}
	}
}

// TestGhostQueries: only queries that can change the standing of a ghost are kept.
func TestGhostQueries(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	const first = `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}` + "\n"
	of := func(query, hits string) string {
		return `{"phase":"negative_ground","query2":"` + query + `","results2":` + hits + "}\n"
	}
	var apart strings.Builder
	for i := range 5_000 {
		apart.WriteString(of("word"+strconv.Itoa(i), "0"))
	}
	most := 0
	for name, c := range map[string]struct {
		text string
		want gate.Standing
	}{
		"the same":            {first + strings.Repeat(of("sso", "0"), 5_000), gate.Unverified},
		"the same, one apart": {first + strings.Repeat(of("sso", "0"), 5_000) + of("saml", "0"), gate.Confirmed},
		"different ones":      {first + apart.String(), gate.Confirmed},
		"a hit at the end":    {first + apart.String() + of("last", "1"), gate.NoGhost},
		"in a list":           {`{"phase":"negative_ground","claim":"x","queries":[` + strings.Repeat(`{"query":"a","hits":0},`, 5_000) + `{"query":"b","hits":0}]}`, gate.Confirmed},
	} {
		got := own(t, c.text)
		if len(got.Ghosts) != 1 {
			t.Fatalf("%s: %d ghosts", name, len(got.Ghosts))
		}
		n := ledger.DefaultConfig().Grounding.Negative
		if stand, why := got.Ghosts[0].Stand(&n); stand != c.want {
			t.Errorf("%s: %s, %s", name, stand, why)
		}
		most = max(most, len(got.Ghosts[0].Queries))
	}
	if most > 200 {
		t.Errorf("%d queries are kept", most)
	}
}
