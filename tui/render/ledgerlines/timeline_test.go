package ledgerlines

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

func aTimeline(now time.Time) *survey.Timeline {
	entry := func(ago time.Duration, agent, phase, what string) survey.TimelineEntry {
		return survey.TimelineEntry{At: now.Add(-ago), Stands: now.Add(-ago), Agent: agent, Phase: phase, What: what}
	}
	t := &survey.Timeline{
		Files: 4, Older: 1, Records: 1243, Today: 39, Earlier: 1204, Left: 1239, At: now,
		Phases: []survey.NameCount{{Name: "cite", N: 1000}, {Name: "decision", N: 200}, {Name: "2b", N: 30}, {Name: "0", N: 10}, {Name: "x", N: 3}},
		Entries: []survey.TimelineEntry{
			entry(time.Hour, "implementing-tasks", "session_handoff", "grounding 0.97, 5 decisions"),
			entry(2*time.Hour, "implementing-tasks", "cite", "Tokens live for 30 s longer than they say, on every host "+strings.Repeat("and so on ", 20)),
			entry(25*time.Hour, "an agent whose name is longer than there is room", "a phase that is longer than its column", "x"),
			entry(900*24*time.Hour, "", "2b", ""),
		},
	}
	t.Entries[1].At = time.Time{}
	t.Entries = append(t.Entries, survey.TimelineEntry{Phase: "0", What: "preflight · complete"})
	return t
}

// TestTimelineColumn: the agent has no column if all records have the same agent.
func TestTimelineColumn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 11, 2, 0, 0, time.UTC)
	list := []survey.TimelineEntry{
		{At: now, Agent: "riding-codebase", Phase: "flatline_mode_detected", What: "complete"},
		{At: now, Agent: "riding-codebase", Phase: "cite", What: strings.Repeat("The waitlist promotes ", 9)},
	}
	column, agent := TimelineColumn(pointers(list), 77)
	if agent != "riding-codebase" || column != entryText+len("flatline_mode_detected")+2 {
		t.Errorf("column %d, agent %q", column, agent)
	}
	o := EntryOptions{Width: 77, Styles: render.NewStyles(render.None), Now: now, Column: column, Sole: agent != ""}
	if got := TimelineLines(&list[0], o)[0]; !strings.Contains(got, "flatline_mode_detected  complete") || strings.Contains(got, "riding") {
		t.Errorf("%q", got)
	}
	if got := TimelineLines(&list[1], o)[0]; ansi.StringWidth(got) != 76 {
		t.Errorf("%q does not have the room", got)
	}
	o.Width = 40
	if got := strings.Join(TimelineLines(&list[0], o), " "); strings.Contains(got, "riding") {
		t.Errorf("%q", got)
	}
	list[1].Agent, list[1].What = "reviewing-code", "short"
	if column, agent = TimelineColumn(pointers(list), 77); agent != "" || column != entryText+len("flatline_mode_detected")+2 {
		t.Errorf("of two agents: column %d, agent %q", column, agent)
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 11, 2, 0, 0, time.UTC)
	styles := render.NewStyles(render.None)
	for _, width := range []int{0, 1, 2, 8, 20, 40, 63, 64, 100, 200} {
		lines := DrawTimeline(aTimeline(now), LedgerOptions{Width: width, Styles: styles, Now: now, Where: "~/code/teahouse/grimoires/loa/a2a/trajectory"})
		for _, line := range lines {
			if w := ansi.StringWidth(line); w > width {
				t.Errorf("%d cells at %d: %q", w, width, line)
			}
		}
		for i := range aTimeline(now).Entries {
			for _, line := range TimelineLines(&aTimeline(now).Entries[i], EntryOptions{Width: width, Styles: styles, Now: now, Chosen: true, Column: 28}) {
				if w := ansi.StringWidth(line); w > width {
					t.Errorf("%d cells at %d: %q", w, width, line)
				}
			}
		}
		if width != 100 {
			continue
		}
		got := ""
		for _, line := range lines {
			got += strings.TrimRight(line, " ") + "\n"
		}
		const want = `1,243 records in 3 files, 39 today: cite 1,000, decision 200, 2b 30, 0 10, 1 more phase
~/code/teahouse/grimoires/loa/a2a/trajectory

Today
  10:02   session_handoff   grounding 0.97, 5 decisions                          implementing-tasks
  –       cite              Tokens live for 30 s longer than they say, on ever…  implementing-tasks

Yesterday
  10:02   a phase that is…  x                                              an agent whose name is …

2024 Jun 4
  11:02   2b

No time
  –       0                 preflight · complete

          … 1,239 earlier records
`
		if got != want {
			t.Errorf("got\n%s", got)
		}
	}
	if got := TimelineSum(&survey.Timeline{}); got != "There is no trajectory." {
		t.Error(got)
	}
}
