package family_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
)

func hour(n int) time.Time { return time.Date(2026, 11, 20, n, 0, 0, 0, time.UTC) }

// row returns a session. Each prompt is a letter and the hour, such as a1.
func row(id string, change func(*sessions.Row), prompts ...string) *sessions.Row {
	r := &sessions.Row{Kind: sessions.KindSession}
	r.ID, r.Path, r.Workdir, r.Exact = id, "/c/projects/-x/"+id+".jsonl", "/x", true
	for i, p := range prompts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(p))
		n := 0
		_, _ = fmt.Sscanf(p[1:], "%d", &n)
		r.Origin.Prompts = append(r.Origin.Prompts, transcript.OriginPrompt{ID: h.Sum64(), Number: 2*i + 1, Time: hour(n)})
		r.Last = hour(n)
	}
	r.Messages = 2 * len(prompts)
	if change != nil {
		change(r)
	}
	return r
}

func forked(from string, copied int) func(*sessions.Row) {
	return func(r *sessions.Row) {
		r.Origin.Kind, r.Origin.Session, r.Origin.Copied = transcript.OriginFork, from, copied
	}
}

func cleared(at int) func(*sessions.Row) {
	return func(r *sessions.Row) { r.Origin.Kind, r.Origin.Cleared = transcript.OriginClear, hour(at) }
}

func begun(kind transcript.OriginKind, from string) func(*sessions.Row) {
	return func(r *sessions.Row) { r.Origin.Kind, r.Origin.Session = kind, from }
}

// drawn formats the members of a family: depth, "+" for a branch, ID and link.
func drawn(list []family.Member) string {
	var b strings.Builder
	for i := range list {
		m := &list[i]
		fmt.Fprintf(&b, "%d", m.Depth)
		if m.Branch {
			b.WriteString("+")
		}
		b.WriteString(" " + m.ID)
		if m.Row == nil {
			b.WriteString(" missing")
		}
		if m.Parent >= 0 {
			b.WriteString(" " + string(m.Relation) + " of " + list[m.Parent].ID)
		}
		if m.At > 0 {
			fmt.Fprintf(&b, " at %d", m.At)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestOf(t *testing.T) {
	t.Parallel()
	in := func(folder string) func(*sessions.Row) {
		return func(r *sessions.Row) {
			r.Path, r.Workdir = "/c/projects/"+folder+"/"+r.ID+".jsonl", folder
		}
	}
	both := func(a, b func(*sessions.Row)) func(*sessions.Row) {
		return func(r *sessions.Row) { a(r); b(r) }
	}
	for name, c := range map[string]struct {
		of   string
		rows []*sessions.Row
		want string
	}{
		"alone":   {"a", []*sessions.Row{row("a", nil, "a1"), row("b", nil, "b1")}, "0 a"},
		"unknown": {"x", []*sessions.Row{row("a", nil, "a1")}, ""},
		"fork": {
			"b",
			[]*sessions.Row{row("a", nil, "a1", "a2"), row("b", forked("a", 2), "b1", "b3")},
			"0 a; 0 b fork of a at 2",
		},
		"fork of a fork": {
			"a",
			[]*sessions.Row{row("a", nil, "a1", "a2"), row("b", forked("a", 2), "b1", "b3"), row("c", forked("b", 4), "c1", "c3", "c4"), row("d", forked("a", 4), "d1", "d2")},
			"0 a; 1+ b fork of a at 2; 2+ c fork of b at 4; 1+ d fork of a at 4",
		},
		"/clear": {
			"c",
			[]*sessions.Row{row("a", nil, "a1"), row("b", cleared(2), "b2"), row("c", cleared(5), "c5"), row("other", in("-y"), "o4"), row("late", nil, "l6")},
			"0 a; 0 b clear of a; 0 c clear of b",
		},
		"/clear, then resumed": {"b", []*sessions.Row{row("a", nil, "a1", "a5"), row("b", cleared(2), "b2")}, "0 a; 0 b clear of a"},
		"/clear after a fork": {
			"a",
			[]*sessions.Row{row("a", nil, "a1"), row("b", forked("a", 2), "b1", "b2"), row("c", cleared(3), "c3")},
			"0 a; 1+ b fork of a at 2; 1 c clear of b",
		},
		"/clear without one before": {"b", []*sessions.Row{row("a", nil, "a3"), row("b", cleared(2), "b2")}, "0 b"},
		"/clear two days later":     {"b", []*sessions.Row{row("a", nil, "a1"), row("b", cleared(49), "b49")}, "0 b"},
		"/clear without a time": {
			"b",
			[]*sessions.Row{
				row("a", func(r *sessions.Row) { r.Last, r.Origin.Prompts[0].Time = time.Time{}, time.Time{} }, "a1"),
				row("b", func(r *sessions.Row) { r.Origin.Kind = transcript.OriginClear }, "b2"),
			},
			"0 b",
		},
		"/clear after claude -p": {
			"b",
			[]*sessions.Row{row("a", func(r *sessions.Row) { r.Flags = []sessions.Flag{sessions.FlagSDK} }, "a1"), row("b", cleared(2), "b2")},
			"0 b",
		},
		"plan and summary": {
			"a",
			[]*sessions.Row{row("a", nil, "a1"), row("b", begun(transcript.OriginPlan, "a"), "b2"), row("c", begun(transcript.OriginSummary, "b"), "c3")},
			"0 a; 0 b plan of a; 0 c summary of b",
		},
		"two plans": {
			"a",
			[]*sessions.Row{row("a", nil, "a1"), row("b", begun(transcript.OriginPlan, "a"), "b2"), row("c", begun(transcript.OriginPlan, "a"), "c3")},
			"0 a; 1+ b plan of a; 0 c plan of a",
		},
		"continued": {
			"b",
			[]*sessions.Row{row("a", func(r *sessions.Row) { r.Continued = "b" }, "a1"), row("b", nil, "b2"), row("c", func(r *sessions.Row) { r.Continued = "gone" }, "c1")},
			"0 a; 0 b continued of a",
		},
		"summary of itself": {"a", []*sessions.Row{row("a", begun(transcript.OriginSummary, "a"), "a1")}, "0 a"},
		"missing parent": {
			"b",
			[]*sessions.Row{row("b", forked("a", 2), "b1"), row("c", forked("a", 4), "c1")},
			"0 a missing; 1+ c fork of a at 4; 0 b fork of a at 2",
		},
		"copied": { // --fork-session copies the UUIDs and records no parent
			"b",
			[]*sessions.Row{row("a", nil, "a1", "a2", "a3"), row("b", nil, "a1", "a2", "a3", "b4")},
			"0 a; 0 b fork of a at 6",
		},
		"copied, both went on": {
			"b",
			[]*sessions.Row{row("a", nil, "a1", "a3", "a7"), row("b", nil, "a1", "a3", "b4"), row("c", nil, "a1", "a3", "b4", "c5"), row("d", nil, "a1", "d2")},
			"0 a; 1+ d fork of a at 2; 0 b fork of a at 4; 1+ c fork of b at 6",
		},
		"copied, a fork with a record": { // the fork of b has the UUIDs of a, and was used later than a
			"a",
			[]*sessions.Row{row("a", nil, "a1", "a2"), row("b", forked("a", 2), "a1", "b7"), row("c", nil, "a1", "b7", "c8")},
			"0 a; 1+ b fork of a at 2; 2+ c fork of b at 4",
		},
		"copied after a compaction": {
			"b",
			[]*sessions.Row{row("a", nil, "a1", "a2", "a3"), row("b", nil, "a2", "a3", "b4")},
			"0 a; 0 b fork of a at 6",
		},
		"copied file": {
			"a",
			[]*sessions.Row{row("a", nil, "a1"), row("b", nil, "a1")},
			"0 a; 1+ b same of a",
		},
		"cycle":           {"a", []*sessions.Row{row("a", forked("b", 1), "a1"), row("b", forked("a", 1), "b1")}, "0 a; 1+ b fork of a at 1"},
		"cycle of itself": {"a", []*sessions.Row{row("a", forked("a", 1), "a1")}, "0 a"},
		"same ID twice": {
			"c",
			[]*sessions.Row{row("a", in("-y"), "a2"), row("a", nil, "z1"), row("c", both(forked("a", 1), in("-y")), "c3")},
			"0 a; 0 c fork of a at 1",
		},
	} {
		of := &sessions.Row{}
		for _, r := range c.rows {
			if r.ID == c.of {
				of = r
			}
		}
		for range 3 {
			rand.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
			list := family.Of(slices.Values(c.rows), of)
			if got := drawn(list); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
				break
			}
			for i := range list {
				if m := &list[i]; m.ID == c.of && m.Row != nil && m.Row.Path != of.Path {
					t.Errorf("%s: %s isn't the session", name, m.Row.Path)
				}
			}
		}
	}
}

// TestBackups: the newest backup represents a session without a transcript.
func TestBackups(t *testing.T) {
	t.Parallel()
	saved := row("a", nil, "a1", "a2")
	copied := func(path string, at int) *sessions.Row {
		r := &sessions.Row{Kind: sessions.KindBackup, Of: "a", Saved: saved}
		r.Path, r.ID, r.Created, r.Flags = path, "a", hour(at), []sessions.Flag{sessions.FlagBackupOnly}
		return r
	}
	older, newer := copied("/m/1.jsonl", 3), copied("/m/2.jsonl", 4)
	kept := &sessions.Row{Kind: sessions.KindBackup, Of: "b"}
	kept.Path = "/m/3.jsonl"
	rows := []*sessions.Row{older, newer, kept, row("b", forked("a", 2), "b1")}
	for _, of := range rows {
		list, want := family.Of(slices.Values(rows), of), "0 a; 1+ b fork of a at 2"
		if of.ID == "b" || of.Of == "b" { // the way to it
			want = "0 a; 0 b fork of a at 2"
		}
		if got := drawn(list); got != want || list[0].Row != newer {
			t.Errorf("the family of %s is %q, want %q with the newest backup", of.Path, got, want)
		}
	}
}

// TestOdd: links are random. No session is lost.
func TestOdd(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 300 {
		var rows []*sessions.Row
		for i := range 8 {
			id := func() string { return string(rune('a' + random.IntN(10))) }
			var prompts []string
			for range random.IntN(4) {
				prompts = append(prompts, id()+fmt.Sprint(random.IntN(3)))
			}
			kinds := []transcript.OriginKind{transcript.OriginNone, transcript.OriginFork, transcript.OriginPlan, transcript.OriginClear}
			rows = append(rows, row(string(rune('a'+i)), func(r *sessions.Row) {
				r.Origin.Kind, r.Origin.Cleared = kinds[random.IntN(4)], hour(random.IntN(5))
				r.Continued = id()
				if r.Origin.Kind == transcript.OriginFork || r.Origin.Kind == transcript.OriginPlan {
					r.Origin.Session, r.Origin.Copied = id(), random.IntN(4)
				}
			}, prompts...))
		}
		for _, of := range rows {
			list := family.Of(slices.Values(rows), of)
			seen := map[string]int{}
			for i := range list {
				seen[list[i].ID]++
				if p := list[i].Parent; p >= i || (p < 0) != (i == 0) {
					t.Fatalf("member %d has the parent %d: %s", i, p, drawn(list))
				}
			}
			if seen[of.ID] != 1 {
				t.Fatalf("%s is %d times in its family: %s", of.ID, seen[of.ID], drawn(list))
			}
		}
	}
}
