package recovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// budgets returns the budgets for the property tests. 0 is the default of the level.
func budgets() []int { return []int{0, 1, 10, 100, 500, 5000} }

func sampled(t *testing.T) map[string][]byte {
	t.Helper()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "002", "NOTES.*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples in %s: %v", dir, err)
	}
	texts := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = text
	}
	return texts
}

func TestSamples(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for name, text := range sampled(t) {
		f := factsOf(string(text), nil)
		for _, most := range budgets() {
			for level := Where; level <= All; level++ {
				for _, query := range []string{"", "decision", `"grounding ratio"`, "the ledger and its session continuity protocol in review", "zzzz"} {
					r := Recover(f, Ask{Level: level, Query: query, Max: most})
					for _, wrong := range violations(f, &r) {
						t.Errorf("%s, level %d of %d tokens, %q: %s", name, level, most, query, wrong)
					}
					if level != Topic {
						break
					}
				}
			}
		}
	}
}

// violations returns the properties that a result violates.
func violations(f *Facts, r *Result) (wrong []string) {
	say := func(s string) { wrong = append(wrong, s) }
	if runes := utf8.RuneCountInString(r.Text); r.Budget > 0 && runes > r.Budget*RunesPerToken {
		say("over the budget")
	}
	if r.Tokens != Tokens(r.Text) {
		say("the estimate is not that of the text")
	}
	if r.Level == All && f.Notes != nil {
		if !strings.HasPrefix(string(f.Notes.Text), r.Text) || r.Budget == 0 && len(r.Text) != len(f.Notes.Text) {
			say("level 3 is not the file")
		}
		if r.Text != "" && len(r.Text) < len(f.Notes.Text) && !strings.HasSuffix(r.Text, "\n") {
			say("level 3 ends in a line")
		}
		return wrong
	}
	if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
		say("the last line is incomplete")
	}
	var b strings.Builder
	for _, p := range r.Parts {
		if p.Head {
			b.WriteString(p.heading() + "\n")
		}
		for _, l := range p.Lines {
			b.WriteString(l.String() + "\n")
			for _, m := range l.Match {
				if m[0] < 0 || m[1] <= m[0] || m[1] > len(l.Text) || !utf8.ValidString(l.Text[m[0]:m[1]]) {
					say("a match outside of its line: " + l.Text)
				}
			}
			if f.Notes != nil && !stems(string(f.Notes.Text), l.Text) {
				say("a line that is not in the file: " + l.Text)
			}
		}
	}
	if r.Legend != "" {
		b.WriteString("[" + r.Legend + "]\n")
	}
	if b.String() != r.Text {
		say("the parts are not the text")
	}
	m := gather(f, Topic)
	given := map[string]int{}
	for _, p := range r.Parts {
		for _, l := range p.Lines {
			switch {
			case p.Name == "Decisions" && strings.TrimSpace(l.Lead) != "":
				given[leftDecisions]++
			case p.Name == "Identifiers":
				given[leftIdentifiers]++
			case l.Open && l.Lead != "":
				given[leftQuestions]++
			}
		}
	}
	for _, l := range r.LeftOut {
		if l.N <= 0 || l.What == leftAgain || l.What == leftHits {
			say("left out is " + l.What)
		}
	}
	for _, all := range m.totals {
		switch all.What {
		case leftDecisions, leftIdentifiers, leftQuestions:
			if left := leftOf(r, all.What); left+given[all.What] != all.N {
				say(all.What + " do not add up")
			}
		}
	}
	return wrong
}

func leftOf(r *Result, what string) int {
	for _, l := range r.LeftOut {
		if l.What == what {
			return l.N
		}
	}
	return 0
}

func stems(text, line string) bool {
	in := map[string]bool{"project": true, "root": true, "state": true, "reason": true, "bead": true, "last": true, "checkpoint": true, "sub": true, "goal": true, "day": true, "ago": true, "month": true, "year": true}
	eachWord(text, func(stem []byte, _, _ int) { in[string(stem)] = true })
	ok := true
	eachWord(line, func(stem []byte, _, _ int) {
		if !in[string(stem)] && strings.Trim(string(stem), "0123456789h") != "" {
			ok = false
		}
	})
	return ok
}

func FuzzRecover(f *testing.F) {
	f.Add([]byte("# N\n\n## Session Continuity\n\n- **Reasoning State**: half way\n\n## Decision Log\n\n### 2026-01-02 - Title\n**Rationale**: why\n"), "title", uint16(20), uint8(2))
	f.Add([]byte("## Decisions\n\n| Date | Decision | Rationale |\n|---|---|---|\n| 2026-01-02 | a | b |\n"), `"a b`, uint16(0), uint8(1))
	f.Add([]byte("\xff\x00\r\n```\n"), "長い", uint16(1), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, query string, most uint16, level uint8) {
		if len(text) > 1<<16 {
			t.Skip()
		}
		facts := factsOf(string(text), &beads.Graph{})
		facts.Prompted = query
		r := Recover(facts, Ask{Level: Level(level%3) + 1, Query: query, Max: int(most)})
		if runes := utf8.RuneCountInString(r.Text); r.Budget > 0 && runes > r.Budget*RunesPerToken {
			t.Errorf("%d runes of %d", runes, r.Budget*RunesPerToken)
		}
		if r.Level != All && r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
			t.Error("the last line is incomplete")
		}
		for _, l := range r.LeftOut {
			if l.N <= 0 {
				t.Errorf("left out: %v", r.LeftOut)
			}
		}
	})
}
