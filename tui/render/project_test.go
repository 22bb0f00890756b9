package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func projectNow() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }

func wildProject() *survey.Project {
	wild := "x\x1b[2J\u202e日本 👩‍💻 " + strings.Repeat("a-very-long-word", 8)
	row := func(path string) sessions.Row {
		r := sessions.Row{Kind: sessions.KindSession}
		r.Path, r.Name, r.Last, r.State = path, wild, projectNow().Add(-time.Hour), sessions.StateOK
		r.Flags, r.Purge = []sessions.Flag{sessions.FlagPurgeSoon}, projectNow().Add(50*time.Hour)
		return r
	}
	document := row("/p/.claude/memory/session-" + wild + ".md")
	document.Kind, document.Status = sessions.KindDocument, wild
	return &survey.Project{
		Dir: "/p", Last: &survey.Last{Row: row("/a"), Prompt: wild + "\n" + wild, Answer: wild + wild + wild},
		Next: []string{wild, wild, wild, wild, wild, wild, wild}, NextFrom: "active-context.md", Todos: 1, TodosIn: 1,
		Needs:    []survey.Need{{Kind: survey.NeedQuestion, N: 1, More: wild}, {Kind: survey.NeedPurge, N: 1, By: projectNow().Add(time.Hour)}},
		Context:  &survey.Context{Updated: projectNow().Add(-900 * time.Hour), Bytes: 1 << 40, Memory: 1 << 30, StaleAt: 24 * time.Hour, HeavyAt: 20 << 10},
		Hooks:    survey.Hooks{Trouble: wild, Bad: true, Run: wild, Events: []survey.Hook{{Event: "SessionEnd", State: survey.HookFails, Why: wild}}},
		Sessions: []sessions.Row{row("/a"), row("/b")}, All: 1_000_000, Purged: 3, PurgedBy: projectNow(),
		Document: &document, Documents: 1, Kept: []survey.Kept{{Name: "Backups", Files: 1_000_000, Bytes: 1 << 50}}, Unread: []string{wild},
	}
}

// TestProjectWidth: untrusted text is cleaned, no line is too wide, and each Spot is at its item.
func TestProjectWidth(t *testing.T) {
	t.Parallel()
	p := wildProject()
	for width := -1; width <= 200; width += 1 + width/8 {
		for _, command := range []bool{false, true} {
			page := DrawProject(p, ProjectOptions{Width: width, Styles: NewStyles(None), Now: projectNow(), Blanks: width%2 == 0, Command: command, Chosen: p.Items()[2]})
			for i, line := range page.Lines {
				if w := ansi.StringWidth(line); w > width || strings.ContainsAny(line, "\x1b\u202e\t\r") {
					t.Fatalf("width %d: line %d has %d cells: %q", width, i, w, line)
				}
			}
			if width < 1 {
				continue
			}
			if len(page.Spots) != len(p.Items()) {
				t.Fatalf("width %d: %d items of %d", width, len(page.Spots), len(p.Items()))
			}
			for i, s := range page.Spots {
				if s.Item != p.Items()[i] || s.X < 0 || s.X+s.W > width || s.Y < 0 || s.Y+s.H > len(page.Lines) {
					t.Fatalf("width %d: item %d has the spot %+v", width, i, s)
				}
			}
			chosen := page.Spot(p.Items()[2])
			if bar := strings.HasPrefix(ansi.Cut(page.Lines[chosen.Y], chosen.X, width), "▌"); bar == command {
				t.Fatalf("width %d, command %v: bar %v in %q", width, command, bar, page.Lines[chosen.Y])
			}
		}
	}
}

func TestProjectThemes(t *testing.T) {
	t.Parallel()
	p := wildProject()
	draw := func(theme Theme) string {
		page := DrawProject(p, ProjectOptions{Width: 120, Styles: NewStyles(theme), Now: projectNow(), Blanks: true, Chosen: p.Items()[1]})
		var b strings.Builder
		for _, line := range page.Lines {
			b.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
		}
		return b.String()
	}
	want := draw(None)
	for _, theme := range []Theme{Dark, Light, Dark256, Light256, Dark16, Light16, Mono} {
		if got := draw(theme); got != want {
			t.Errorf("theme %d prints another text:\n%s", theme, got)
		}
	}
}

// TestProjectGauge: a gauge shows its value as text too, and warns from 90 % of its limit on.
func TestProjectGauge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		age   time.Duration
		bytes int64
		want  []string
	}{
		{0, 0, []string{"age   ────────────────            0 s    stale at 24 h", "size  ────────────────            0 B   heavy at 20 kB", "about 0 tokens"}},
		{4*time.Hour + 50*time.Minute, 19_050, []string{"━━━─────────────     4 h 50 min", "━━━━━━━━━━━━━━━─      △ 18.6 kB", "about 4.8k tokens"}},
		{21 * time.Hour, 18_000, []string{"      21 h    stale", "   17.5 kB   heavy"}},
		{22 * time.Hour, 20 << 10, []string{"△ 22 h", "━━━━━━━━━━━━━━━━      △ 20.0 kB"}},
		{25 * time.Hour, 20<<10 + 1, []string{"▲ 1 day", "▲ 20.0 kB"}},
		{-time.Hour, 1, []string{"0 s"}},
	} {
		p := &survey.Project{Context: &survey.Context{Updated: projectNow().Add(-tt.age), Bytes: tt.bytes, StaleAt: 24 * time.Hour, HeavyAt: 20 << 10}}
		page := DrawProject(p, ProjectOptions{Width: 120, Styles: NewStyles(None), Now: projectNow()})
		text := strings.Join(page.Lines, "\n")
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %d bytes: %q is missing in\n%s", tt.age, tt.bytes, want, text)
			}
		}
	}
}

func TestProjectWords(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]survey.Project{
		"":                   {},
		"on a detached HEAD": {Git: &survey.Repo{Known: true}},
		"on main":            {Git: &survey.Repo{Branch: "main", Known: true}},
		"on main, 1 ahead, 2 behind, 1 file changed": {Git: &survey.Repo{Branch: "main", Ahead: 1, Behind: 2, Changed: 1}},
	} {
		if got := GitWords(p.Git); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, tt := range []struct {
		kind survey.NeedKind
		n    int
		want string
	}{
		{survey.NeedQuestion, 2, "2 questions"},
		{survey.NeedPending, 1, "1 backup pending"},
		{survey.NeedPurge, 1, "1 session without a copy"},
		{survey.NeedUnsaved, 3, "3 sessions not backed up"},
		{survey.NeedHooks, 1, "1 hook does not fire"},
		{survey.NeedHooks, 2, "2 hooks do not fire"},
		{survey.NeedUnseen, 4, "4 backups not reviewed"},
	} {
		if got := NeedWords(&survey.Need{Kind: tt.kind, N: tt.n}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, got, tt.want)
		}
	}
}

// TestProjectItems: the bar moves through the needs, the sessions and the document.
func TestProjectItems(t *testing.T) {
	t.Parallel()
	p := wildProject()
	want := "need/question need/purge session//a session//b document/" + p.Document.Path
	for _, width := range []int{80, 120} {
		page := DrawProject(p, ProjectOptions{Width: width, Styles: NewStyles(None), Now: projectNow()})
		var got []string
		for _, s := range page.Spots {
			got = append(got, fmt.Sprintf("%s/%s", s.Item.Kind, s.Item.Key))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("width %d: %s", width, text)
		}
	}
}

func TestOld(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 40 * time.Second: "40 s", 12*time.Minute + time.Second: "12 min", 4*time.Hour + 50*time.Minute: "4 h 50 min",
		4*time.Hour + 59*time.Second: "4 h", 24 * time.Hour: "1 day", 50 * time.Hour: "2 days",
	} {
		if got := Old(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
