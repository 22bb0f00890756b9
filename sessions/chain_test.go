package sessions_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	"github.com/continuo-tui/continuo/sessions"
)

// doc returns a document that was written at the given minute.
func doc(path string, minute int, previous string) *sessions.Row {
	r := &sessions.Row{Kind: sessions.KindDocument, Previous: previous}
	r.Path, r.Created = path, now().Add(time.Duration(minute)*time.Minute)
	r.Workdir, _, _ = strings.Cut(path, "/.claude/")
	r.Project = r.Workdir
	return r
}

// drawn formats chains as "c > b > a | fork: note".
func drawn(chains []sessions.Chain) string {
	var b strings.Builder
	for i := range chains {
		c := &chains[i]
		for j, r := range c.Rows {
			if j > 0 {
				b.WriteString(" > ")
			}
			b.WriteString(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(r.Path), "session-"), ".md"))
		}
		if c.End != sessions.ChainFirst {
			b.WriteString(" | " + string(c.End) + ": " + c.Note)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestChains(t *testing.T) {
	t.Parallel()
	const m = "/p/.claude/memory/session-"
	other := func(r *sessions.Row, change func(*sessions.Row)) *sessions.Row { change(r); return r }
	for name, tt := range map[string]struct {
		rows []*sessions.Row
		want string
	}{
		"none":   {nil, ""},
		"single": {[]*sessions.Row{doc(m+"a.md", 0, "")}, "a\n"},
		"a chain and a single": {
			[]*sessions.Row{doc(m+"a.md", 0, ""), doc(m+"c.md", 3, "session-b.md"), doc(m+"x.md", 2, ""), doc(m+"b.md", 1, "session-a")},
			"c > b > a\nx\n",
		},
		"newest chain first, by its newest": {
			[]*sessions.Row{doc(m+"a.md", 9, ""), doc(m+"b.md", 1, "session-a.md"), doc(m+"c.md", 5, "")},
			"b > a\nc\n",
		},
		"paths": {
			[]*sessions.Row{
				doc(m+"a.md", 0, ""), doc("/p/.claude/memory/sessions/session-b.md", 1, "../session-a.md"),
				doc(m+"c.md", 2, "sessions/session-b.md"), doc(m+"d.md", 3, "/p/.claude/memory/session-c.md"),
				doc(m+"e.md", 4, ".claude/memory/session-d"), doc("/p/.claude/memory/sessions/session-f.md", 5, `.\session-e.md`),
			},
			"f > e > d > c > b > a\n",
		},
		"a name in the same folder first": {
			[]*sessions.Row{
				doc(m+"a.md", 5, ""), doc("/p/.claude/memory/sessions/session-a.md", 1, ""),
				doc("/p/.claude/memory/sessions/session-b.md", 6, "session-a.md"),
			},
			"b > a\na\n",
		},
		"a worktree of the project, but no other project": {
			[]*sessions.Row{
				doc(m+"a.md", 0, ""),
				other(doc("/w/.claude/memory/session-b.md", 1, "session-a.md"), func(r *sessions.Row) { r.Project = "/p" }),
				doc("/q/.claude/memory/session-c.md", 2, "/p/.claude/memory/session-a.md"),
			},
			"c | missing: continues session-a.md, which is missing\nb > a\n",
		},
		"missing": {
			[]*sessions.Row{doc(m+"b.md", 1, "session-a\x1b[2J.md")},
			"b | missing: continues session-a.md, which is missing\n",
		},
		"itself": {[]*sessions.Row{doc(m+"a.md", 1, "session-a.md")}, "a | cycle: links to itself\n"},
		"a cycle ends at its oldest": {
			[]*sessions.Row{doc(m+"a.md", 1, "session-c.md"), doc(m+"b.md", 2, "session-a.md"), doc(m+"c.md", 3, "session-b.md"), doc(m+"d.md", 4, "session-b.md")},
			"d > b > a | cycle: links to itself through session-c.md\n" +
				"c | fork: continues session-b.md, as does the newer session-d.md\n",
		},
		"a fork": {
			[]*sessions.Row{doc(m+"a.md", 1, ""), doc(m+"b.md", 2, "session-a.md"), doc(m+"c.md", 3, "session-b.md"), doc(m+"d.md", 4, "session-a.md")},
			"d > a\nc > b | fork: continues session-a.md, as does the newer session-d.md\n",
		},
		"malformed": {
			[]*sessions.Row{
				other(doc(m+"a.md", 1, ""), func(r *sessions.Row) { r.Malformed, r.Reason = true, "front matter: line 4: no list" }),
				doc(m+"b.md", 2, "session-a.md"),
				other(doc(m+"c.md", 3, "session-b.md"), func(r *sessions.Row) { r.Malformed, r.Reason = true, "front matter: line 9: x" }),
			},
			"c > b > a | malformed: cannot be placed: front matter: line 4: no list\n",
		},
		"other rows": {[]*sessions.Row{nil, {Kind: sessions.KindBackup}, {}, doc(m+"a.md", 0, "")}, "a\n"},
		"twice":      {[]*sessions.Row{doc(m+"a.md", 0, ""), doc(m+"a.md", 0, "")}, "a\na\n"},
	} {
		if got := drawn(sessions.Chains(tt.rows)); got != tt.want {
			t.Errorf("%s:\n%swant\n%s", name, got, tt.want)
		}
	}
}

func TestChainsLinked(t *testing.T) {
	t.Parallel()
	const m = "/p/.claude/memory/session-"
	chains := sessions.Chains([]*sessions.Row{
		doc(m+"f.md", 9, "session-a.md"), doc(m+"e.md", 8, "session-a.md"), doc(m+"c.md", 3, "lost"), doc(m+"b.md", 2, ""), doc(m+"a.md", 1, ""),
	})
	var got []string
	for i := range chains {
		got = append(got, fmt.Sprintf("%d %v %v", len(chains[i].Rows), chains[i].Linked(), chains[i].Placed()))
	}
	if want := []string{"2 true true", "1 true true", "1 false false", "1 false true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if fork := chains[1].Fork; fork == nil || fork.Path != m+"a.md" {
		t.Errorf("fork %v", fork)
	}
}

// TestChainsWhatever shuffles rows. Each document is in one chain, in the order of the links.
func TestChainsWhatever(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var rows []*sessions.Row
		n := r.IntN(12)
		name := func() string { return fmt.Sprintf("session-%d", r.IntN(n+2)) }
		for range n {
			dir := []string{"/p/.claude/memory/", "/p/.claude/memory/sessions/", "/q/.claude/memory/", "/.claude/"}[r.IntN(4)]
			previous := []string{"", name(), name() + ".md", "../" + name(), dir + name() + ".md", "/", "..", `\`, "sessions/"}[r.IntN(9)]
			row := doc(dir+name()+".md", r.IntN(4), previous)
			row.Malformed = r.IntN(5) == 0
			rows = append(rows, row)
		}
		chains := sessions.Chains(rows)
		checkChains(t, rows, chains)
		paths := map[string]bool{}
		for _, row := range rows {
			paths[row.Path] = true
		}
		if len(paths) < n {
			continue // equal rows have no defined order
		}
		want := drawn(chains)
		r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if got := drawn(sessions.Chains(rows)); got != want {
			t.Fatalf("in another order\n%swant\n%s", got, want)
		}
	}
}

// checkChains checks that each row is in one chain, and that chains follow the links.
func checkChains(t *testing.T, rows []*sessions.Row, chains []sessions.Chain) {
	t.Helper()
	in := map[*sessions.Row]int{}
	for i := range chains {
		c := &chains[i]
		if len(c.Rows) == 0 || (c.End == sessions.ChainFork) != (c.Fork != nil) || (c.End == sessions.ChainFirst) != (c.Note == "") {
			t.Fatalf("chain %+v", c)
		}
		for _, r := range c.Rows {
			in[r]++
		}
		for _, r := range c.Rows[:len(c.Rows)-1] {
			if r.Previous == "" {
				t.Fatalf("%s continues nothing", r.Path)
			}
		}
	}
	if len(in) != len(rows) {
		t.Fatalf("%d documents of %d", len(in), len(rows))
	}
	for r, n := range in {
		if n != 1 {
			t.Fatalf("%s is in %d places", r.Path, n)
		}
	}
}

// TestChainsMany links 20,000 documents in the slowest ways.
func TestChainsMany(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	const n = 20_000
	for _, previous := range map[string]func(i int) string{
		"chain": func(i int) string { return fmt.Sprint("session-", i-1) },
		"star":  func(int) string { return "session-0" },
		"cycle": func(i int) string { return fmt.Sprint("session-", (i+n-1)%n) },
		"lost":  func(int) string { return "no" },
		"comb":  func(i int) string { return fmt.Sprint("session-", i/2*2-2) },
	} {
		rows := make([]*sessions.Row, n)
		for i := range rows {
			rows[i] = doc(fmt.Sprintf("/p/.claude/memory/session-%d.md", i), i, previous(i))
		}
		checkChains(t, rows, sessions.Chains(rows))
	}
}
