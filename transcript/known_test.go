package transcript_test

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// TestKnown checks which messages the model knows. Client 2.1.330 sent the expected messages to a mock of the API
// when it resumed such transcripts.
func TestKnown(t *testing.T) {
	t.Parallel()
	boundary := func(uuid, parent, meta string) string {
		if parent != "null" {
			parent = `"` + parent + `"`
		}
		return `{"type":"system","subtype":"compact_boundary","content":"Conversation compacted","parentUuid":` + parent + `,"logicalParentUuid":"a4","uuid":"` + uuid + `","compactMetadata":{"trigger":"manual","preTokens":100` + meta + `}}`
	}
	plain := []string{
		rec("user", "a1", "", "", said("P1"), ""), rec("assistant", "a2", "a1", "m2", said("R1"), ""),
		rec("user", "a3", "a2", "", said("P2"), ""), rec("assistant", "a4", "a3", "m4", said("R2"), ""),
	}
	compacted := func(parent, meta string) []string {
		return append(plain[:4:4], boundary("b", parent, meta), rec("user", "s", "b", "", said("Summary"), `,"isCompactSummary":true`),
			rec("user", "a5", "s", "", said("P3"), ""), rec("assistant", "a6", "a5", "m6", said("R3"), ""))
	}
	later := func(line, seconds string) string { return strings.Replace(line, ":05.000Z", ":"+seconds+"Z", 1) }
	for name, c := range map[string]struct {
		lines []string
		want  string // IDs of the known messages
		turns int
	}{
		"plain":          {plain, "a1 m2 a3 m4", 4},
		"compacted":      {compacted("null", ""), "s a5 m6", 2},
		"with a parent":  {compacted("a4", ""), "s a5 m6", 2},
		"a segment":      {compacted("null", `,"preservedSegment":{"headUuid":"a3","anchorUuid":"s","tailUuid":"a4"}`), "a3 m4 s a5 m6", 4},
		"messages":       {compacted("null", `,"preservedMessages":{"uuids":["a1","a4"],"allUuids":["a1","a4"]}`), "a1 m4 s a5 m6", 4},
		"both":           {compacted("null", `,"preservedSegment":{"headUuid":"a3","tailUuid":"a4"},"preservedMessages":{"uuids":["a4"]}`), "m4 s a5 m6", 3},
		"segment broken": {compacted("null", `,"preservedSegment":{"headUuid":"x","tailUuid":"a3"}`), "s a5 m6", 2},
		"one is missing": {compacted("null", `,"preservedMessages":{"uuids":["x","a4"]}`), "s a5 m6", 2},
		"compacted twice": {
			append(compacted("null", `,"preservedMessages":{"uuids":["a4"]}`), boundary("b2", "null", ""), rec("user", "s2", "b2", "", said("Summary 2"), `,"isCompactSummary":true`), rec("user", "a7", "s2", "", said("P4"), "")),
			"s2 a7", 1,
		},
		"parent missing after it": {append(compacted("null", ""), rec("user", "a7", "x", "", said("P4"), "")), "s a5 m6 a7", 3},
		"parent missing":          {[]string{plain[0], plain[1], rec("user", "a3", "x", "", said("P2"), ""), plain[3]}, "a1 m2 a3 m4", 4},
		"parent missing, 5 s":     {[]string{plain[0], plain[1], later(rec("user", "a3", "x", "", said("P2"), ""), "10.000"), plain[3]}, "a1 m2 a3 m4", 4},
		"parent missing, longer":  {[]string{plain[0], plain[1], later(rec("user", "a3", "x", "", said("P2"), ""), "10.001"), plain[3]}, "a3 m4", 2},
		"another branch":          {append(plain[:4:4], rec("user", "c1", "a2", "", said("Other"), ""), rec("assistant", "c2", "c1", "mc", said("R"), "")), "a1 m2 c1 mc", 4},
		"a second root":           {append(plain[:4:4], rec("user", "n1", "", "", said("New"), ""), rec("assistant", "n2", "n1", "mn", said("R"), "")), "n1 mn", 2},
		"an attachment as root": {append(plain[:4:4], `{"type":"attachment","attachment":{"type":"date"},"parentUuid":null,"uuid":"n0"}`,
			rec("user", "n1", "n0", "", said("New"), ""), rec("assistant", "n2", "n1", "mn", said("R"), "")), "n1 mn", 2},
		"parallel calls": {[]string{
			plain[0], rec("assistant", "t2", "a1", "mt", call("c1"), ""), rec("assistant", "t3", "t2", "mt", call("c2"), ""),
			rec("user", "t4", "t2", "", result("c1"), ""), rec("user", "t5", "t3", "", result("c2"), ""), rec("assistant", "t6", "t5", "me", said("R"), ""),
		}, "a1 mt me", 3},
		"an API error": {[]string{
			plain[0], strings.Replace(rec("assistant", "e2", "a1", "me", said("API Error: 529"), `,"isApiErrorMessage":true`), `"role"`, `"model":"<synthetic>","role"`, 1),
			rec("user", "e3", "e2", "", said("P2"), ""), rec("assistant", "e4", "e3", "m4", said("R2"), ""),
		}, "a1 e3 m4", 3},
		"not an API error": {[]string{plain[0], strings.Replace(rec("assistant", "e2", "a1", "me", said("No response requested."), ""), `"role"`, `"model":"<synthetic>","role"`, 1)}, "a1 me", 2},
		"nothing":          {nil, "", 0},
	} {
		o := outline(t, []byte(strings.Join(c.lines, "\n")+"\n"))
		var got []string
		for i := range o.Messages {
			if o.Messages[i].Known {
				got = append(got, o.Name(o.Messages[i].ID))
			}
		}
		if strings.Join(got, " ") != c.want || o.Known != c.turns {
			t.Errorf("%s: the model knows %q, %d turns, want %q, %d", name, got, o.Known, c.want, c.turns)
		}
	}
}

// TestCleared: the client clears a result by a record, or by a text in its place.
func TestCleared(t *testing.T) {
	t.Parallel()
	replaced := func(id, text string) string {
		return `{"type":"content-replacement","sessionId":"s","replacements":[{"kind":"tool-result","toolUseId":"` + id + `","replacement":"` + text + `"}]}`
	}
	const gone = "[Old tool result content cleared]"
	var lines []string
	for _, id := range []string{"c1", "c2", "c3"} {
		lines = append(lines, rec("assistant", "a"+id, "", "m"+id, call(id), ""), rec("user", "r"+id, "a"+id, "", result(id), ""))
	}
	lines[5] = strings.Replace(lines[5], `"out"`, `"`+gone+`"`, 1)
	lines = append(lines, replaced("c1", gone), replaced("c2", "<persisted-output>"))
	tr, _ := open(t, strings.Join(lines, "\n")+"\n")
	var refs []transcript.MessageRef
	tr.View(func(o *transcript.Outline) { refs = o.Messages })
	var got []string
	var counted []int // messages with cleared results according to the outline
	for i := range refs {
		if refs[i].Cleared > 0 {
			counted = append(counted, i)
		}
		for _, b := range tr.Decode(&refs[i], "main").Blocks {
			if b.Cleared {
				got = append(got, b.CallID)
			}
		}
	}
	if list := strings.Join(got, " "); list != "c1 c3" {
		t.Errorf("the results of %q are cleared, want c1 and c3", list)
	}
	if len(counted) != 1 || counted[0] != 0 {
		t.Errorf("the outline counts cleared results in the messages %v, want the first", counted)
	}
}
