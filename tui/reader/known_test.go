package reader

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestKnown: M draws messages faint that the model doesn't know. A second M shows everything as before.
func TestKnown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{msgs: []transcript.Message{
			prompt("Forgotten."), answer(said("Kept.")),
			{Kind: transcript.Boundary, Role: transcript.RoleSystem, Compaction: &transcript.Compaction{Before: 20_000, After: 3_000}},
			prompt("Known."), answer(said("API Error: 529")), answer(said("Known, too.")),
		}, known: []int{1, 3, 5}}
		for i := range d.msgs {
			d.msgs[i].Time = testNow().Add(time.Duration(i-len(d.msgs)) * 10 * time.Minute)
		}
		s := open(t, Options{Source: d, Row: sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Last: testNow(), ContextTokens: 3_100}}}, 100, 30)
		s.settle()
		before := s.text()
		s.press("M")
		const about = "    Claude still knows 3 of 5 messages, 3.1k tokens · last used just now: prompt cache probably sti"
		if got := ansi.Strip(s.page.View().Context); !strings.HasPrefix(got, about[:90]) {
			t.Errorf("the line above is %q", got)
		}
		got := s.text()
		if !strings.Contains(got, "≡ Claude knows everything below but 1 API error, and 1 message above. ━━") || strings.Contains(got, "Compacted") {
			t.Errorf("the compaction isn't marked:\n%s", got)
		}
		if first := s.page.Keys()[0]; first.Show != "M" || first.Label != "normal view" {
			t.Errorf("the first key is %q", first.Show+" "+first.Label)
		}
		faint := s.frame.Styles.Paint(render.Faint, "x")
		faint = faint[:strings.IndexByte(faint, 'x')]
		for text, want := range map[string]bool{"Forgotten.": true, "Kept.": false, "Known.": false, "API Error: 529": true, "Known, too.": false} {
			line := s.page.body()[slices.IndexFunc(s.page.body(), func(l string) bool { return strings.Contains(ansi.Strip(l), text) })]
			i := strings.Index(line, faint)
			if is := i >= 0 && i < strings.LastIndex(line, text) && strings.Contains(ansi.Strip(line[i:strings.LastIndex(line, text)+len(text)]), text); is != want {
				t.Errorf("%s is faint: %v in %q", text, is, line)
			}
		}
		rule, times := ansi.Strip(s.page.body()[0]), ansi.Strip(s.page.body()[1])
		if strings.Count(rule, "─") < 20 || strings.Count(rule, "━") < 20 {
			t.Errorf("the rule is %q", rule)
		}
		if want := "14:42 15:02 15:32"; squeezed(times) != want || strings.Index(times, "14:42") != 4 || strings.Index(times, "15:32") != 90 {
			t.Errorf("the times are %q, want %q", times, want)
		}
		s.size(130, 30)
		s.settle()
		if got := s.text(); !strings.Contains(got, "≡ ━━━━ Compacted with /compact. Claude knows everything below but 1 API error, and 1 message above. ━━") {
			t.Errorf("the compaction isn't marked in a wide terminal:\n%s", got)
		} else if strings.Contains(got, "before  ") {
			t.Errorf("the sizes repeat the sentence:\n%s", got)
		}
		s.size(100, 30)
		s.press("g")
		if left := s.page.View().Left; left != "message 1 of 5 · prompt 1 of 2 · Claude doesn't know it" {
			t.Errorf("the status is %q", left)
		}
		s.press("esc")
		if got := s.page.View().Left; s.page.pane.view.known || got != "message 1 of 5 · prompt 1 of 2" {
			t.Errorf("after esc the status is %q", got)
		}
		s.press("M", "M", "G")
		if got := s.text(); got != before {
			t.Errorf("a second M shows\n%s", got)
		}
	})
}

// TestKnownCleared: M names the results that the client has cleared, and draws their calls faint.
func TestKnownCleared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := turnsDoc(3, 2)
		d.msgs = append(d.msgs, transcript.Message{Kind: transcript.Boundary, Role: transcript.RoleSystem})
		at := len(d.msgs)
		d.msgs = append(d.msgs, turnsDoc(1, 4).msgs...)
		for i := at; i < len(d.msgs); i++ {
			d.known = append(d.known, i)
			for k := range d.msgs[i].Blocks {
				if b := &d.msgs[i].Blocks[k]; b.Kind == transcript.BlockToolResult && i == at+1 {
					b.Cleared = true
				}
			}
		}
		s := open(t, Options{Source: d, Row: sessions.Row{Kind: sessions.KindSession}}, 110, 36)
		s.settle()
		s.press("[")
		if got := s.text(); strings.Contains(got, "cleared") {
			t.Errorf("a result is marked without M:\n%s", got)
		}
		s.press("M")
		got := s.text()
		if !strings.Contains(got, "everything below but 1 cleared result. ━") || strings.Count(got, "result cleared · ") != 1 {
			t.Errorf("the cleared result isn't named:\n%s", got)
		}
		lines := strings.Split(got, "\n")
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "everything below") }); i < 8 {
			t.Errorf("only %d rows are above the compaction:\n%s", i, got)
		}
	})
}

// TestKnownGap: there is at most one blank row between the times and the text.
func TestKnownGap(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, droppedDoc(40), 100, 36)
		s.press("M", "g")
		for n := range 60 {
			s.press("j")
			if body := s.page.body(); body[2] == "" && strings.Trim(ansi.Strip(body[3]), " ❯│┃") == "" || len(body) != s.frame.Layout.Body.H {
				t.Fatalf("after %d rows, there is a gap below the times, or %d rows:\n%s", n, len(body), s.text())
			}
		}
	})
}
