package tui

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// docSource has the texts of documents by file name.
type docSource struct {
	fakeSource
	texts map[string]string
}

func (s *docSource) Open(_ context.Context, row sessions.Row) (Doc, error) {
	if s.err != nil {
		return nil, s.err
	}
	doc := &fakeDoc{}
	whole := cmp.Or(s.texts[filepath.Base(row.Path)], "## Session Summary\n\nNothing but this.\n")
	for i, text := range strings.SplitAfter("\n"+whole, "\n## ") {
		if rest, cut := strings.CutSuffix(text, "## "); cut {
			text = rest
		}
		if i > 0 {
			text = "## " + text
		} else {
			text = text[1:]
		}
		if text != "" {
			doc.msgs = append(doc.msgs, answer(textBlock(text)))
		}
	}
	for i := range doc.msgs {
		doc.msgs[i].Time = time.Time{}
	}
	return doc, nil
}

const memoryDir = rowtest.Memory

func guestTokens() string {
	return "```yaml\ndate: 2026-11-14 18:10\nstatus: in-progress\n```\n" + strings.Join([]string{
		"## Session Summary\n\nMember tokens are fixed. Guest tokens follow the same path, but still have their own issuer.\n",
		"## Accomplishments\n\n- One clock\n- One leeway\n- Tests for it\n  - and more\n- Mails\n- Logs\n",
		"## Key Decisions & Patterns\n\n1. Clock in UTC\n2. Leeway of 30 s\n",
		"## Clarifications & Decisions\n\n| Question | Decision |\n|---|---|\n| Which clock? | UTC |\n",
		"## Failed Approaches\n\n- A sliding window: one more state, and the race stays, only smaller.\n",
		"## Git Context\n\n- Branch: fix/token-race\n- `5c55b66` one\n- `fe66453` two\n- `5d105f0` three\n",
		"## Current State\n\nAll tests pass.\n",
		"## Remaining Todos\n\n- [ ] HIGH: The admin console still compares days\n- [ ] MEDIUM: Delete the `sameDay` helper\n- [ ] MEDIUM: Log the skew of each host once a day\n- [x] Move the clock into its own file\n",
		"## Next Steps\n\n1. Give guest tokens the shared check\n2. Then the admin console, with its own test\n",
		"## Key Files\n\n- src/auth/jwt.go\n",
	}, "\n")
}

func chainedSource(rows []sessions.Row) *docSource {
	s := &docSource{texts: map[string]string{"session-2026-11-14-1810.md": guestTokens()}}
	s.batches = []sessions.Batch{{Rows: append(slices.Clone(rows), testBackup()), Done: true}}
	return s
}

func docModel(t *testing.T, s Source, w, h int) *model {
	t.Helper()
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{run: &fakeRun{}}}, testOptions())
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	settle(t, m, m.load())
	press(t, m, "shift+tab")
	return m
}

func TestDocumentsGolden(t *testing.T) {
	t.Parallel()
	all := chainedDocs()
	tests := []struct {
		name string
		rows []sessions.Row
		keys []string
	}{
		{"docs-chains", all, nil},
		{"docs-middle", all, []string{"j"}},
		{"docs-open", all, []string{"G"}},
		{"docs-all-open", all, []string{"G", "enter"}},
		{"docs-single", all[5:6], nil},
		{"docs-malformed", all[6:], nil},
		{"docs-missing", all[:2], nil},
		{"docs-cycle", cyclic(), nil},
		{"docs-fork", forked(), []string{"j", "j", "j"}},
		{"docs-filter-status", all, typedKeys("/status:bl")},
		{"docs-filter-tag", all, typedKeys("/#auth tag:clock gue")},
		{"docs-everywhere", elsewhere(), []string{"a"}},
		{"docs-reader", all, []string{"enter"}},
		{"docs-reader-folded", all, []string{"enter", "Z"}},
		{"docs-outline", all, []string{"enter", "o"}},
		{"docs-at-todo", all, []string{"j", "j", "j", "j", "j", "j", "j", "enter"}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m := docModel(t, chainedSource(test.rows), size[0], size[1])
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

func typedKeys(text string) []string { return strings.Split(text, "") }

func cyclic() []sessions.Row {
	rows := chainedDocs()[:3]
	rows[2].Previous = filepath.Base(rows[0].Path)
	return rows
}

func forked() []sessions.Row {
	rows := chainedDocs()[:4]
	rows[3].Previous = filepath.Base(rows[1].Path)
	return rows
}

func elsewhere() []sessions.Row {
	rows := chainedDocs()
	for i := 3; i < 6; i++ {
		rows[i].Project, rows[i].Workdir = "/home/ada/code/pantry", "/home/ada/code/pantry"
		rows[i].Path = strings.Replace(rows[i].Path, "teahouse", "pantry", 1)
	}
	return rows
}

func lineNumber(text string) string {
	before, _, _ := strings.Cut(guestTokens(), text)
	return fmt.Sprint(strings.Count(before, "\n") + 1)
}

func TestDocumentsFit(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(forked()), 120, 36)
		fits := func(keys ...string) {
			press(t, m, keys...)
			for w := 1; w < 130; w += 7 {
				for _, h := range []int{1, 2, 4, 7, 12, 24, 36} {
					settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
					plain(t, m)
				}
			}
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		}
		fits()
		fits("j", "j", "j")
		fits("G", "enter")
		fits("g", "/", "#", "a")
		fits("esc", "enter")
		fits("Z", "o")
	})
}

func TestDocumentsThemes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(forked()), 120, 36)
		press(t, m, "j", "j", "j")
		want := plain(t, m)
		for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.Ascii} {
			settle(t, m, func() tea.Msg { return tea.ColorProfileMsg{Profile: profile} })
			if got := plain(t, m); got != want {
				t.Errorf("other cells with profile %v:\n%s", profile, diff(want, got))
			}
		}
		m.opts.ASCII = true
		for _, c := range ansi.Strip(m.View().Content) {
			if c > 0x7e {
				t.Errorf("%q is drawn in ASCII", c)
			}
		}
	})
}
