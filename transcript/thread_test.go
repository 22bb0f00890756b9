package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// rec returns one record. blocks is the JSON of message.content.
func rec(typ, uuid, parent, id, blocks, more string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	if id != "" {
		id = `"id":"` + id + `",`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"type":%q,"message":{%s"role":%q,"content":%s},"uuid":%q,"timestamp":"2026-01-02T03:04:05.000Z"%s}`,
		p, typ, id, typ, blocks, uuid, more)
}

func apiError(uuid, parent string) string {
	return `{"type":"system","subtype":"api_error","error":{"formatted":"overloaded (529)"},"parentUuid":"` + parent + `","uuid":"` + uuid + `"}`
}

func said(s string) string { return fmt.Sprintf("%q", s) }

func call(id string) string {
	return `[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{}}]`
}

func result(id string) string {
	return `[{"type":"tool_result","tool_use_id":"` + id + `","content":"out"}]`
}

// shape returns the threads of an outline as text. A thread has a name, the message at which it split off, and
// message IDs.
func shape(o *transcript.Outline) string {
	var b strings.Builder
	for _, th := range o.Threads {
		b.WriteString(th.Name)
		if th.From >= 0 {
			b.WriteString("<" + o.Name(o.Messages[th.From].ID))
		}
		b.WriteString(":")
		for _, m := range th.Messages {
			ref := o.Messages[m]
			b.WriteString(" " + o.Name(ref.ID))
			if ref.Gap {
				b.WriteString("!")
			}
			if ref.Unread > 0 {
				fmt.Fprintf(&b, "?%d", ref.Unread)
			}
			if len(ref.Records) > 1 {
				fmt.Fprintf(&b, "x%d", len(ref.Records))
			}
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestThreads(t *testing.T) {
	t.Parallel()
	side := `,"isSidechain":true`
	for _, c := range []struct {
		name, want string
		turns      int
		hidden     bool
		lines      []string
	}{
		{name: "empty", want: "main:"},
		{
			name: "consecutive API errors are one message", want: "main: u1 e1x3 m1 e4", turns: 2,
			lines: []string{
				rec("user", "u1", "", "", said("go"), ""), apiError("e1", "u1"), apiError("e2", "e1"), apiError("e3", "e2"),
				rec("assistant", "a1", "e3", "m1", said("done"), ""), apiError("e4", "a1"),
			},
		},
		{
			name: "parts that are no records count at the next message", want: "main: u1?1 m1?3", turns: 2,
			lines: []string{
				"garbage", rec("user", "u1", "", "", said("go"), ""), "[1]", `{"type":"x"`,
				`{"type":"file-history-snapshot"}`, "more", rec("assistant", "a1", "u1", "m1", said("done"), ""), "after the last message", `{"type":"x"}`,
			},
		},
		{
			name: "blocks of one message are joined, results go to their call", want: "main: u1 m1x4 m2", turns: 3,
			lines: []string{
				rec("user", "u1", "", "", said("go"), ""),
				rec("assistant", "a1", "u1", "m1", call("t1"), ""), rec("assistant", "a2", "a1", "m1", call("t2"), ""),
				rec("user", "r1", "a1", "", result("t1"), ""), rec("user", "r2", "a2", "", result("t2"), ""),
				rec("assistant", "a3", "r2", "m2", said("done"), ""),
			},
		},
		{
			name: "two writers: the older branch is hidden", want: "main: u1 m1 u3 m3; branch 1<m1: u2 m2", turns: 6, hidden: true,
			lines: []string{
				rec("user", "u1", "", "", said("one"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""),
				rec("user", "u2", "a1", "", said("left"), ""), rec("assistant", "a2", "u2", "m2", said("x"), ""),
				rec("user", "u3", "a1", "", said("right"), ""), rec("assistant", "a3", "u3", "m3", said("x"), ""),
			},
		},
		{
			name: "a branch of a branch", want: "main: u1 m1 u4; branch 1<m1: u2 u3; branch 2<u2: u2b", turns: 6, hidden: true,
			lines: []string{
				rec("user", "u1", "", "", said("one"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""),
				rec("user", "u2", "a1", "", said("left"), ""), rec("user", "u2b", "u2", "", said("left left"), ""),
				rec("user", "u3", "u2", "", said("left right"), ""), rec("user", "u4", "a1", "", said("right"), ""),
			},
		},
		{
			name: "compaction goes on across the boundary", want: "main: u1 m1 b1 s1 u2", turns: 3,
			lines: []string{
				rec("user", "u1", "", "", said("one"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""),
				`{"parentUuid":null,"logicalParentUuid":"a1","type":"system","subtype":"compact_boundary","content":"c","uuid":"b1"}`,
				rec("user", "s1", "b1", "", said("This session is being continued"), `,"isCompactSummary":true`),
				rec("user", "u2", "s1", "", said("go on"), ""),
			},
		},
		{
			name: "boundary whose logical parent is elsewhere", want: "main: u1 b1! u2", turns: 2,
			lines: []string{
				rec("user", "u1", "", "", said("one"), ""),
				`{"parentUuid":null,"logicalParentUuid":"elsewhere","type":"system","subtype":"compact_boundary","content":"c","uuid":"b1"}`,
				rec("user", "u2", "b1", "", said("go on"), ""),
			},
		},
		{
			name: "a missing parent is a gap, nothing before it is hidden", want: "main: u1 m1 u2! m2", turns: 4,
			lines: []string{
				rec("user", "u1", "", "", said("one"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""),
				rec("user", "u2", "gone", "", said("two"), ""), rec("assistant", "a2", "u2", "m2", said("x"), ""),
			},
		},
		{
			name: "a cycle", want: "main: u1 u3! u2", turns: 3,
			lines: []string{rec("user", "u1", "", "", said("1"), ""), rec("user", "u2", "u3", "", said("2"), ""), rec("user", "u3", "u2", "", said("3"), "")},
		},
		{name: "its own parent", want: "main: u1! u2", turns: 2, lines: []string{rec("user", "u1", "u1", "", said("1"), ""), rec("user", "u2", "u1", "", said("2"), "")}},
		{name: "child before parent", want: "main: u1 u2", turns: 2, lines: []string{rec("user", "u2", "u1", "", said("2"), ""), rec("user", "u1", "", "", said("1"), "")}},
		{name: "several roots follow each other", want: "main: u1 u2 u3", turns: 3, lines: []string{rec("user", "u1", "", "", said("1"), ""), rec("user", "u2", "", "", said("2"), ""), rec("user", "u3", "", "", said("3"), "")}},
		{
			name: "a record written twice is shown once", want: "main: u1 u2", turns: 2,
			lines: []string{rec("user", "u1", "", "", said("1"), ""), rec("user", "u2", "u1", "", said("2"), ""), rec("user", "u1", "", "", said("1"), "")},
		},
		{
			name: "a uuid used twice for different text shows both", want: "main: u1 u1; branch 1<u1: u2", turns: 3, hidden: true,
			lines: []string{rec("user", "u1", "", "", said("1"), ""), rec("user", "u2", "u1", "", said("2"), ""), rec("user", "u1", "u1", "", said("another"), "")},
		},
		{
			name: "a uuid used twice for texts of one length shows both", want: "main: u1 u1", turns: 2,
			lines: []string{rec("user", "u1", "", "", said("hello"), ""), rec("user", "u1", "", "", said("world"), "")},
		},
		{
			name: "a history written again, longer, is shown once", want: "main: u1 m1 u2", turns: 3,
			lines: []string{
				rec("user", "u1", "", "", said("1"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""), rec("user", "u2", "a1", "", said("2"), ""),
				rec("user", "u1", "", "", said("1"), `,"more":1`), rec("assistant", "a1", "u1", "m1", said("x"), `,"more":1`),
			},
		},
		{
			name: "a branch in the middle of an answer leaves it whole", want: "main: p1 Mx2 p3; branch 1<M: p2", turns: 4, hidden: true,
			lines: []string{
				rec("user", "p1", "", "", said("1"), ""), rec("assistant", "a1", "p1", "M", said("x"), ""), rec("assistant", "a2", "a1", "M", said("y"), ""),
				rec("user", "p2", "a2", "", said("2"), ""), rec("user", "p3", "a1", "", said("3"), ""),
			},
		},
		{
			name: "inline sidechains", want: "main: u1 m1x2; sidechain 1<m1: s1 m2; ag7<m1: s2", turns: 2,
			lines: []string{
				rec("user", "u1", "", "", said("1"), ""), rec("assistant", "a1", "u1", "m1", call("t1"), ""),
				rec("user", "s1", "", "", said("task"), side), rec("assistant", "s1a", "s1", "m2", said("x"), side),
				rec("user", "s2", "", "", said("task"), side+`,"agentId":"ag7"`), rec("user", "r1", "a1", "", result("t1"), ""),
			},
		},
		{
			name: "a sub-agent's own file", want: "main: s1 m2", turns: 2,
			lines: []string{rec("user", "s1", "", "", said("task"), side+`,"agentId":"a"`), rec("assistant", "s1a", "s1", "m2", said("x"), side+`,"agentId":"a"`)},
		},
		{
			name: "local commands, output and meta text are no turns", want: "main: u1x2 u3 u4 u5", turns: 1,
			lines: []string{
				rec("user", "u1", "", "", said("<command-name>/clear</command-name>"), ""), rec("user", "u2", "u1", "", said("<local-command-stdout>x</local-command-stdout>"), ""),
				rec("user", "u3", "u2", "", said("Caveat"), `,"isMeta":true`), rec("user", "u4", "u3", "", `[{"type":"text","text":"[Request interrupted by user]"}]`, ""),
				rec("user", "u5", "u4", "", `[{"type":"text","text":"<ide_opened_file>a</ide_opened_file>"},{"type":"text","text":"real"}]`, ""),
			},
		},
		{
			name: "a newest leaf without a prompt or an answer is not the main thread", want: "main: e1 e2x2 u1 m1 u2", turns: 3,
			lines: []string{
				rec("user", "e1", "", "", said("Caveat"), `,"isMeta":true`), rec("user", "e2", "e1", "", said("<command-name>/export</command-name>"), ""),
				rec("user", "u1", "", "", said("1"), ""), rec("assistant", "a1", "u1", "m1", said("x"), ""), rec("user", "u2", "a1", "", said("2"), ""),
				rec("user", "e3", "e2", "", said("<local-command-stdout>Conversation exported</local-command-stdout>"), ""),
			},
		},
		{
			name: "a local command behind a sub-agent's own conversation", want: "main: s1 m2 e1", turns: 2,
			lines: []string{
				rec("user", "s1", "", "", said("task"), side), rec("assistant", "s1a", "s1", "m2", said("x"), side),
				rec("user", "e1", "", "", said("<command-name>/export</command-name>"), ""),
			},
		},
		{
			name: "only local commands", want: "main: e1x2", turns: 0,
			lines: []string{
				rec("user", "e1", "", "", said("<command-name>/export</command-name>"), ""), rec("user", "e2", "", "", said("<local-command-stdout>x</local-command-stdout>"), ""),
			},
		},
		{
			name: "a prompt typed while busy", want: "main: u1 q1 m1", turns: 3,
			lines: []string{
				rec("user", "u1", "", "", said("1"), ""),
				`{"type":"attachment","attachment":{"type":"queued_command","prompt":"and this","commandMode":"prompt"},"uuid":"q1","parentUuid":"u1"}`,
				rec("assistant", "a1", "q1", "m1", said("x"), ""),
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := outline(t, []byte(strings.Join(c.lines, "\n")))
			if got := shape(o); got != c.want {
				t.Errorf("threads %q, want %q", got, c.want)
			}
			if o.Turns != c.turns || o.Hidden != c.hidden {
				t.Errorf("turns %d hidden %v, want %d %v", o.Turns, o.Hidden, c.turns, c.hidden)
			}
			checkShown(t, c.name, o)
		})
	}
}

// FuzzThread builds records with any parents (missing, cyclic, duplicate).
func FuzzThread(f *testing.F) {
	f.Add([]byte{0, 1, 0, 1, 2, 1, 2, 3, 1})
	f.Add([]byte{0, 2, 2, 0, 2, 1, 3, 3, 3, 4, 5, 250, 7, 1, 9})
	f.Fuzz(func(t *testing.T, program []byte) {
		var b strings.Builder
		for i := 0; i+2 < len(program) && i < 600; i += 3 {
			uuid, parent := fmt.Sprint("u", program[i+1]%64), fmt.Sprint("u", program[i+2]%80)
			side := ""
			if program[i]&64 != 0 {
				side = `,"isSidechain":true`
			}
			if program[i]&128 != 0 {
				parent = ""
			}
			switch program[i] % 7 {
			case 0, 1:
				b.WriteString(rec("user", uuid, parent, "", said("p"), side))
			case 2:
				b.WriteString(rec("assistant", uuid, parent, fmt.Sprint("m", program[i+1]%8), call(uuid), side))
			case 3:
				b.WriteString(rec("user", uuid, parent, "", result(parent), side))
			case 4:
				fmt.Fprintf(&b, `{"type":"system","subtype":"compact_boundary","uuid":%q,"parentUuid":null,"logicalParentUuid":%q}`, uuid, parent)
			case 5:
				fmt.Fprintf(&b, `{"type":"progress","uuid":%q,"parentUuid":%q}`, uuid, parent)
			case 6:
				b.WriteString(rec("assistant", "", parent, "", said("no uuid"), side))
			}
			b.WriteString("\n")
		}
		checkShown(t, "program", outline(t, []byte(b.String())))
	})
}
