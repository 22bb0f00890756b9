package render_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// TestFamilyRow draws a deep family at every width. The golden file has the output of `continuo family`.
func TestFamilyRow(t *testing.T) {
	t.Parallel()
	member := func(title string, parent, depth int, branch bool, l family.Link) family.Member {
		row := rowtest.Row("3f9ac1e0", title, time.Hour, func(r *sessions.Row) { r.Messages = 93 })
		return family.Member{Row: &row, ID: "3f9ac1e0-71c4", Parent: parent, Link: l, Depth: depth, Branch: branch}
	}
	fork := family.Link{Relation: family.Fork, At: 41}
	list := []family.Member{
		{ID: "7c41e9d2-71c4", Parent: -1},
		member("One", 0, 1, true, fork),
		member("Two", 1, 2, true, fork),
		member("Three", 2, 2, false, family.Link{Relation: family.Clear, When: rowtest.Now().Add(-time.Hour)}),
		member("Four", 0, 0, false, family.Link{Relation: family.Plan}),
		member("Five", 4, 1, true, family.Link{Relation: family.Same}),
	}
	const want = `
✗ 7c41e9d2  not here: deleted or in another folder
├─ · One                          fork at 41    1h  3f9ac1e0
│  ╰─ · Two                 fork at 41 of 93    1h  3f9ac1e0
│     │ 14:42  /clear, continues below
│     · Three                                   1h  3f9ac1e0
│ its plan is carried out below
· Four                                          1h  3f9ac1e0
╰─ · Five        this session · same prompts    1h  3f9ac1e0
`
	o := render.RowOptions{Width: 60, Styles: render.NewStyles(render.None), Now: rowtest.Now(), Command: true}
	var got strings.Builder
	for i := range list {
		path := ""
		if i == len(list)-1 {
			path = list[i].Row.Path
		}
		for _, line := range render.FamilyRow(list, i, path, false, o) {
			got.WriteString("\n" + strings.TrimRight(ansi.Strip(line), " "))
		}
	}
	if got.String()+"\n" != want {
		t.Errorf("got %s\nwant %s", got.String(), want)
	}
	for _, about := range []string{
		"Begins with the first 41 messages of a session that is not here", "Begins with the first 41 of 93 messages of “One”",
		"Linked by the time of the /clear", "Carries out a plan of ", "Has the same prompts as “Four”",
	} {
		if !strings.Contains(abouts(list, o), about) {
			t.Errorf("%q isn't in %q", about, abouts(list, o))
		}
	}
	for i := 6; i < 40; i++ { // forks of forks
		list = append(list, member(strings.Repeat("長い", i), i-1, i-4, true, fork))
	}
	for width := range 130 {
		for _, command := range []bool{false, true} {
			o := render.RowOptions{Width: width, Styles: o.Styles, Now: o.Now, Command: command, Chosen: width%2 == 0}
			for i := range list {
				lines := append(render.FamilyRow(list, i, "", command, o), render.FamilyHeader(list, o))
				if len(lines) != render.FamilyHeight(list, i, command)+1 {
					t.Fatalf("member %d has %d lines", i, len(lines)-1)
				}
				for _, line := range lines {
					if w := ansi.StringWidth(line); w > width {
						t.Fatalf("width %d, member %d: a line is %d wide: %q", width, i, w, ansi.Strip(line))
					}
				}
			}
		}
	}
}

func abouts(list []family.Member, o render.RowOptions) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(render.FamilyAbout(list, i, o) + "\n")
	}
	return b.String()
}

// TestFamilyWay: the rails to the session are heavy. Its rail ends at its last row.
func TestFamilyWay(t *testing.T) {
	t.Parallel()
	row := func(id, title string) *sessions.Row {
		r := rowtest.Row(id, title, time.Hour, func(r *sessions.Row) { r.Messages, r.Agents = 93, []string{"a"} })
		return &r
	}
	one, two := row("3f9ac1e0", "Reproduce the logout"), row("7c41e9d2", "Fix the race")
	list := []family.Member{{Row: one, Parent: -1}, {Row: two, Parent: 0, Link: family.Link{Relation: family.Fork, At: 77}}}
	agent := family.Step{Kind: family.StepAgent, Path: "a", Type: "explorer", Title: "Who calls Check", When: rowtest.Now().Add(-time.Minute), Messages: 23}
	branch := family.Step{Kind: family.StepBranch, Title: "No, use one clock", When: rowtest.Now(), From: 94, Messages: 14}
	compaction := family.Step{Kind: family.StepCompaction, When: rowtest.Now(), Compaction: &transcript.Compaction{Auto: true, Before: 168_200, After: 21_300}}
	list = family.With(list, func(m *family.Member) []family.Step {
		if m.Row == one {
			return []family.Step{agent}
		}
		return []family.Step{branch, compaction, agent}
	})
	draw := func(airy bool) string {
		o := render.RowOptions{Width: 72, Styles: render.NewStyles(render.None), Now: rowtest.Now()}
		lines := []string{render.FamilyHeader(list, o)}
		for i := range list {
			lines = append(lines, render.FamilyRow(list, i, two.Path, airy, o)...)
		}
		for i := range lines {
			lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
		}
		return "\n" + strings.Join(lines, "\n") + "\n"
	}
	const airy = `
    Family  2 sessions, 2 agents, 1 hidden branch             age  msgs
  · Reproduce the logout                                       1h    93
  ┠─ ▸ explorer  Who calls Check                      agent    1m    23
  ┃
  ┃ forked at message 77 of 93
  ┃
  · Fix the race                               this session    1h    93
  ├─ ◇ No, use one clock                      hidden branch    0s    14
  │    splits off at message 94; resume follows the other branch
  │
  ≡ Compacted automatically                   168k to 21.3k    0s
  │
  ╰─ ▸ explorer  Who calls Check                      agent    1m    23
`
	if got := draw(true); got != airy {
		t.Errorf("got %s\nwant %s", got, airy)
	}
	tight := strings.NewReplacer("  ┃\n", "", "  │\n", "").Replace(airy)
	if got := draw(false); got != tight {
		t.Errorf("got %s\nwant %s", got, tight)
	}
	for i, want := range map[int][]string{
		3: {"  No, use one clock", "  in Fix the race", "  ◇ 14 messages are on a hidden branch.", "    It splits off at message 94 of 93.", "  enter opens the conversation here."},
		4: {"  Compacted automatically", "    before  ━━━━━━━━━━━━━━━━━━━━    168k", "    after   ━━──────────────────   21.3k"},
	} {
		o := render.RowOptions{Width: 41, Styles: render.NewStyles(render.None), Now: rowtest.Now()}
		var lines []string
		for _, line := range render.StepPreview(&list[i], o) {
			lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
		}
		for _, line := range want {
			if !slices.Contains(lines, line) {
				t.Errorf("no %q in\n%s", line, strings.Join(lines, "\n"))
			}
		}
		for o.Width = range 60 {
			for _, line := range render.StepPreview(&list[i], o) {
				if w := ansi.StringWidth(line); w > o.Width {
					t.Fatalf("in %d cells a line is %d wide: %q", o.Width, w, line)
				}
			}
		}
	}
	for i, want := range map[int]string{1: "A sub-agent", 3: "Splits off at message 94. ", 4: "Compacted automatically. "} {
		if got := render.FamilyAbout(list, i, render.RowOptions{}); !strings.HasPrefix(got, want) {
			t.Errorf("row %d is about %q, want %q", i, got, want)
		}
	}
}

// TestKinResume: the preview says which messages a resume shows, and which session was used last.
func TestKinResume(t *testing.T) {
	t.Parallel()
	row := func(id, title string, age time.Duration) *sessions.Row {
		r := rowtest.Row(id, title, age, func(r *sessions.Row) { r.Exact, r.Messages, r.Known = true, 93, 40 })
		return &r
	}
	list := []family.Member{
		{Row: row("3f9ac1e0", "Reproduce the logout", 3*time.Hour), Parent: -1},
		{Row: row("7c41e9d2", "Fix the race", time.Hour), Parent: 0, Link: family.Link{Relation: family.Clear}},
	}
	list = family.With(list, func(m *family.Member) []family.Step {
		return []family.Step{{Kind: family.StepCompaction, When: rowtest.Now()}}
	})
	o := render.RowOptions{Width: 60, Styles: render.NewStyles(render.None), Now: rowtest.Now()}
	for i, want := range map[int]string{
		0: "40 of 93 messages, from the last compaction on Used last · Fix the race 1 h ago",
		2: "40 of 93 messages", // without the message that copies the compaction
	} {
		text := strings.Join(strings.Fields(strings.Join(render.Kin(list, i, o), " ")), " ")
		if _, got, _ := strings.Cut(text, "What a resume shows "); got != want {
			t.Errorf("member %d: %q, want %q", i, got, want)
		}
	}
}
