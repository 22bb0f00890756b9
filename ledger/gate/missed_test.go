package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// scanned collects a text as the file that the original script reads.
func scanned(t *testing.T, text string, s trajectory.Stats) gate.Claims {
	t.Helper()
	c := gate.NewCollector(agent, day, agent)
	f := trajectory.File{Path: "/p/" + agent + "-" + day + ".jsonl", Agent: agent, Day: day}
	got := collect(t, c, agent+"-"+day+".jsonl", text)
	if s == (trajectory.Stats{}) {
		return got
	}
	c.Shut(&f, s)
	return c.Claims()
}

// TestMissedClaims: a text that can't be parsed may be a claim. If that could change step 1, its result is unknown.
func TestMissedClaims(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		stats  trajectory.Stats
		status gate.Status
		ghosts gate.Status
		more   string
	}{
		"one of one":            {cited, trajectory.Stats{Bad: 1, FirstAt: 7}, gate.Unknown, gate.Pass, "1 record of the trajectory could not be parsed; the first is at " + agent + "-" + day + ".jsonl:7."},
		"no claims":             {"", trajectory.Stats{Bad: 1, FirstAt: 1}, gate.Unknown, gate.Pass, "1 record of the trajectory could not be parsed"},
		"one of twenty":         {lines(20, cited), trajectory.Stats{Bad: 1, FirstAt: 7}, gate.Pass, gate.Pass, "could not be parsed; the first is at"},
		"two of twenty":         {lines(20, cited), trajectory.Stats{Bad: 2, FirstAt: 7}, gate.Unknown, gate.Pass, "2 records"},
		"being written":         {cited, trajectory.Stats{Bad: 1, FirstAt: 2, Torn: true}, gate.Pass, gate.Pass, "could not be parsed; the first is at"},
		"one and being written": {cited, trajectory.Stats{Bad: 2, FirstAt: 2, Torn: true}, gate.Unknown, gate.Pass, "2 records"},
		"too long":              {lines(200, cited), trajectory.Stats{Bad: 1, Long: 1, FirstAt: 2}, gate.Unknown, gate.Unknown, "1 record of"},
		"too much":              {lines(200, cited), trajectory.Stats{Cut: true}, gate.Unknown, gate.Unknown, "is too large to read"},
		"it fails anyway":       {lines(2, assumed), trajectory.Stats{Bad: 1, Long: 1, FirstAt: 2}, gate.Fail, gate.Unknown, "could not be parsed; the first is at"},
	} {
		f := facts(scanned(t, c.text, c.stats))
		r := gate.Run(&f)
		if s := r.Steps[0]; s.Status != c.status || !strings.Contains(strings.Join(s.More, " "), c.more) {
			t.Errorf("%s: %s, more %q; want %s, %q", name, s.Status, s.More, c.status, c.more)
		}
		if s := r.Steps[1]; s.Status != c.ghosts || s.Status == gate.Unknown && s.Note != "" {
			t.Errorf("%s: step 2 is %s, want %s", name, s.Status, c.ghosts)
		}
		if why := strings.Join(r.Reasons(), "\n"); c.status == gate.Unknown && (r.Verdict != gate.Unsure || !strings.Contains(why, c.more)) {
			t.Errorf("%s: %s, for\n%s", name, r.Verdict, why)
		}
	}
}

// TestClaimsWithin: a claim inside a record has the line of the outer record.
func TestClaimsWithin(t *testing.T) {
	t.Parallel()
	const bare = `{"phase":"cite","claim":"in a batch","grounding":"none"}`
	deep := strings.Repeat(`{"x":[`, 30) + bare + strings.Repeat(`]}`, 30)
	for name, c := range map[string]struct {
		text             string
		claims, grounded int
		status           gate.Status
	}{
		"records":              {`{"phase":"batch","records":[` + bare + `,` + cited + `]}`, 2, 1, gate.Fail},
		"an object":            {`{"phase":"batch","record":{"at":[[` + bare + `]]}}`, 1, 0, gate.Fail},
		"within a claim":       {`{"phase":"cite","grounding":"citation","more":[` + bare + `]}`, 2, 1, gate.Fail},
		"not its citations":    {`{"phase":"cite","grounding":"citation","citations":[{"phase":"cite","code":"x","path":"a.go","line":3}]}`, 1, 1, gate.Pass},
		"too deep":             {deep, 0, 0, gate.Unknown},
		"a key that is twice":  {`{"phase":"cite","claim":"bad","phase":"x"}`, 0, 0, gate.Unknown},
		"words in a text":      {`{"phase":"act","message":"{\"phase\":\"cite\"}"}`, 0, 0, gate.Pass},
		"many, but for a line": {lines(20, cited) + `{"phase":"cite","claim":"bad","phase":"x"}`, 20, 20, gate.Pass},
	} {
		f := facts(own(t, c.text))
		r := gate.Run(&f)
		if k := f.Claims.Tally; k.Claims != c.claims || k.Grounded() != c.grounded || r.Steps[0].Status != c.status {
			t.Errorf("%s: %d of %d, %s; want %d of %d, %s", name, k.Grounded(), k.Claims, r.Steps[0].Status, c.grounded, c.claims, c.status)
		}
		if b := f.Claims.Bare; len(b) > 0 && (b[0].Line != 1 || b[0].File == "" || b[0].Text != "in a batch") {
			t.Errorf("%s: %+v", name, b)
		}
	}
	nobody := collect(t, gate.NewCollector(agent, day, agent), day+".jsonl", `{"phase":"batch","agent":"`+agent+`","records":[`+bare+`,{"agent":"other","phase":"cite"}]}`)
	if nobody.Tally.Claims != 1 {
		t.Errorf("in a file without an agent: %+v", nobody.Tally)
	}
}

func TestCitationAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`{"phase":"cite","citations":{"code":"x","path":"a.go","line":3}}`: 1,
		`{"phase":"cite","citations":{"path":"a.go"}}`:                     0,
		`{"phase":"cite","citations":"a.go:3"}`:                            0,
	} {
		if k := own(t, text).Tally; k.Claims != 1 || k.Grounded() != want {
			t.Errorf("%s: %d of %d, want %d", text, k.Grounded(), k.Claims, want)
		}
	}
}

// TestGhostsWithoutRoom: ghosts beyond the limit make the result unknown.
func TestGhostsWithoutRoom(t *testing.T) {
	t.Parallel()
	const confirmed = `{"phase":"negative_ground","claim":"no %d","query1":"a","results1":0,"query2":"b","results2":0}` + "\n"
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, confirmed, i)
	}
	c := gate.NewCollector(agent, day, agent)
	name := agent + "-" + day + ".jsonl"
	f := facts(collect(t, c, name, text.String()))
	if s := gate.Run(&f).Steps[1]; s.Status != gate.Pass {
		t.Fatalf("within the limit: %+v", s)
	}
	f.Claims = collect(t, c, name, strings.Repeat(`{"phase":"negative_ground","claim":"no SSO"}`+"\n"+`{"phase":"negative_ground","query2":"q","results2":4}`+"\n", 2))
	r := gate.Run(&f)
	if s := r.Steps[1]; s.Status != gate.Unknown || r.Verdict != gate.Unsure || !strings.Contains(strings.Join(s.More, ""), "2 records of ghosts were not checked") {
		t.Errorf("above the limit: %+v", s)
	}
	if len(f.Claims.Ghosts) != 10_000 || strings.Contains(strings.Join(r.Steps[1].More, ""), "no ghost") {
		t.Errorf("%d are kept; %q", len(f.Claims.Ghosts), r.Steps[1].More)
	}
}

// TestFixIsWritable: the name of the file would break the line of NOTES.md.
func TestFixIsWritable(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"src/a.go": true, "docs/größe.md": true, "x`\n## Blockers\n\x1b[31m /a.go": false, "a`b/a.go": false, "a\u202eb/a.go": false, "a\u2028b/a.go": false,
		"a]b/a.go": false, "a\rb/a.go": false, "a|b/a.go": false, "a b/a.go": false,
	} {
		f := facts(gate.Claims{})
		f.Notes = notes.Parse([]byte("# Notes\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - One\n\n**Evidence**:\n- `x` [${PROJECT_ROOT}/old/a.go:9]\n"))
		f.Evidence = [][]ledger.Check{{{Status: ledger.NoFile, To: path, At: 3, Quoted: true}}}
		x := gate.Run(&f).Steps[2].Findings[0]
		if got := x.Now != ""; got != want || strings.ContainsAny(x.Fix+x.Was, "\n\r\x1b\u202e\u2028") || gate.Writable("${PROJECT_ROOT}/"+path+":3") != want {
			t.Errorf("%q: now %q by %q", path, x.Now, x.Fix)
		}
	}
}
