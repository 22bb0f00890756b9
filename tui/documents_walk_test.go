package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestDocumentsProgram follows a chain in the list and the reader, opens todos, and filters.
func TestDocumentsProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		actions := &fakeActions{run: &fakeRun{}}
		m := newModel(ctx, World{Searcher: fakeSearcher{}, Source: chainedSource(chainedDocs()), Actions: actions}, testOptions())
		p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard),
			tea.WithWindowSize(120, 36), tea.WithoutSignals())
		done := make(chan error, 1)
		go func() {
			_, err := p.Run()
			done <- err
		}()
		send := func(keys ...string) string {
			for _, k := range keys {
				p.Send(keyPress(k))
			}
			time.Sleep(time.Second)
			synctest.Wait()
			return plain(t, m)
		}
		is := func(want string) {
			t.Helper()
			if got := selectedTitle(m); got != want {
				t.Errorf("the bar is on %q, want %q", got, want)
			}
		}
		says := func(screen, want string) {
			t.Helper()
			if !strings.Contains(screen, want) {
				t.Errorf("no %q:\n%s", want, screen)
			}
		}
		send()
		send("shift+tab")
		says(send("]"), "No later linked session.")
		send("[", "[")
		is("Two verifiers, one of them wrong")
		says(send("["), "No earlier linked session.")
		is("Two verifiers, one of them wrong")
		send("]")
		is("Leeway is agreed, skew is tested")

		send("enter")
		says(send("]"), "linked  §━━━§━━━§  Nov 14, 12, 7")
		if !m.isReading() || m.subject().Name != "Guest tokens join the shared clock" {
			t.Errorf("] opens %+v", m.subject())
		}
		says(send("]"), "No later linked session.")
		send("q")
		is("Guest tokens join the shared clock")

		says(send("G"), "▌   … 4 more")
		if !strings.Contains(send("enter"), "▌   … fewer") || peekIn(m.lists, "pane", "docs", "opened").Len() != 9 {
			t.Error("enter doesn't list all open todos")
		}
		says(send("enter"), "▌   … 4 more")
		says(send("k", "k"), "▌   medium  Delete the sameDay helper")
		send("e")
		if !slices.Equal(actions.edited, []string{memoryDir + "session-2026-11-14-1810.md:" + lineNumber("- [ ] MEDIUM: Delete")}) {
			t.Errorf("edited %q", actions.edited)
		}
		says(send("enter"), "▌   medium  Delete the sameDay helper")
		send("q")
		says(send(), "▌   medium  Delete the sameDay helper")
		says(send("["), "┃")
		is("Leeway is agreed, skew is tested")

		says(send("/", "s", "t", "a", "t", "u", "s", ":", "c", "o", "m", "p", "enter"), "4 of 7")
		says(send("["), "linked  §───§───§")
		is("Two verifiers, one of them wrong")
		send("]")
		says(send("]"), "The filter hides the next linked session.")
		says(send("esc"), "fix/token-race 3 linked sessions")
		send("q")
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
	})
}

// TestOutlineGoes: the outline opens at the section of the reader. Enter goes to a section.
func TestOutlineGoes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()), 80, 24)
		press(t, m, "enter", "}", "}", "o")
		if got := plain(t, m); !strings.Contains(got, "▌     Accomplishments") {
			t.Errorf("%s", got)
		}
		press(t, m, "j", "j", "j", "j", "j", "j", "enter")
		if got := barLine(t, m); m.hasDialog() || !strings.HasPrefix(got, "Remaining Todos") {
			t.Errorf("at %q", got)
		}
		press(t, m, "z")
		if got := plain(t, m); !strings.Contains(got, "▌ ▸ Remaining Todos") || !strings.Contains(got, "3 of 4 open") {
			t.Errorf("the section doesn't fold:\n%s", got)
		}
		press(t, m, "q", "enter")
		if got := plain(t, m); !strings.Contains(got, "▌ ▸ Remaining Todos") {
			t.Errorf("a folded section is open again:\n%s", got)
		}
		press(t, m, "z")
		if got := plain(t, m); !strings.Contains(got, "▌   high    The admin console") {
			t.Errorf("the section doesn't open:\n%s", got)
		}
		press(t, m, "e")
		if a, ok := m.Actions.(*fakeActions); !ok || !slices.Equal(a.edited, []string{memoryDir + "session-2026-11-14-1810.md:" + lineNumber("## Remaining Todos")}) {
			t.Errorf("%+v", m.Actions)
		}
	})
}

// TestBigDocument: drawing a document of 5 MB costs no more than drawing a small one.
func TestBigDocument(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := chainedSource(chainedDocs())
		var b strings.Builder
		for i := range 220 {
			fmt.Fprintf(&b, "## Part %d\n\n%s\n", i, strings.Repeat("A sentence of this part, and another one.\n", 550))
		}
		s.texts["session-2026-11-14-1810.md"] = b.String()
		if b.Len() < 5_000_000 {
			t.Fatal(b.Len())
		}
		m := docModel(t, s, 120, 36)
		rendered := 0
		draw := m.markdown
		m.markdown = func(text string, prose, code int, st *render.Styles) []string {
			rendered++
			return draw(text, prose, code, st)
		}
		if n := len(previewed(m)); n == 0 || n > 3*36 {
			t.Errorf("the preview has %d lines", n)
		}
		press(t, m, "enter", "pgdown", "o")
		if got := plain(t, m); !strings.Contains(got, "Part 0") || peek(m, "Items").Len() != 220 {
			t.Errorf("%d sections:\n%s", peek(m, "Items").Len(), got)
		}
		press(t, m, "esc", "G")
		if got := plain(t, m); !strings.Contains(got, "section 220 of 220") {
			t.Errorf("%s", got)
		}
		if rendered > 40 {
			t.Errorf("%d sections were rendered", rendered)
		}
	})
}

func TestDocumentsUnreadable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := chainedSource(chainedDocs())
		s.err = fmt.Errorf("open document: %w", os.ErrPermission)
		m := docModel(t, s, 120, 36)
		if got := plain(t, m); !strings.Contains(got, "✗ It could not be read.") || !strings.Contains(got, "permission denied") {
			t.Errorf("%s", got)
		}
		press(t, m, "enter")
		if got := plain(t, m); !strings.Contains(got, "This document could not be opened.") {
			t.Errorf("%s", got)
		}
		press(t, m, "[")
		if !m.isReading() || m.subject().Name != "Leeway is agreed, skew is tested" {
			t.Error("] doesn't go past the unreadable document")
		}
	})
}

// catalogSource is the real catalogue as a Source.
type catalogSource struct{ *catalog.Catalog }

func (s catalogSource) Open(ctx context.Context, row sessions.Row) (Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

type unwatched struct{ catalogSource }

func (unwatched) Watch(context.Context, func() bool) <-chan sessions.Batch { return closedChanges() }

// TestDocumentsExamples lists the real documents in $CONTINUO_EXAMPLES.
func TestDocumentsExamples(t *testing.T) {
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	bubble(t, func(t *testing.T) { showExamples(t, dir) })
}

func showExamples(t *testing.T, dir string) {
	t.Helper()
	project := t.TempDir()
	memory := filepath.Join(project, ".claude", "memory")
	if err := os.MkdirAll(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "000", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(memory, filepath.Base(f)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := func() time.Time { return time.Date(2026, 1, 20, 12, 0, 0, 0, time.UTC) }
	c := catalog.New(catalog.Options{Dirs: []string{t.TempDir()}, Cwd: project, Now: now, Zone: time.UTC})
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: unwatched{catalogSource{c}}}, Options{Project: project, Now: now, Home: "/home/ada"})
	m.resize(120, 60)
	settle(t, m, m.load())
	press(t, m, "shift+tab", "a")
	chains := chainsOf(m)
	if want := []string{"16-0515 15-1430", "15-2045 15-2000"}; !slices.Equal(chains, want) {
		t.Errorf("chains %q, want %q", chains, want)
	}
	got := plain(t, m)
	for _, want := range []string{
		"master 2 linked sessions", "feature/session-coalescing branches off master", "Standalone 2", "Still open", "high    ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	todos, open := 0, peekIn(m.lists, "pane", "docs", "opened")
	for i := range open.Len() {
		if open.Index(i).FieldByName("todo").FieldByName("Priority").String() != "next" {
			todos++
		}
	}
	if todos != 16 { // 10 of 1430, 3 of 2000 of which 2045 has two, 4 of 2045, 1 of 0515
		t.Errorf("%d todos are open:\n%s", todos, got)
	}
	for range 4 {
		row := m.lists.Subject().Row
		for _, want := range []string{"▾ Session Summary", "▸ Accomplishments", "▸ Key Decisions & Patterns", "▸ Git Context", "▾ Remaining Todos", "▾ Next Steps", "▸ Key Files"} {
			if !strings.Contains(strings.Join(previewed(m), "\n"), strings.TrimLeft(want, "▸▾ ")) {
				t.Errorf("%s: no %q", row.ID, want)
			}
		}
		press(t, m, "enter", "o")
		if n := peek(m, "Items").Len(); n < 12 {
			t.Errorf("%s has %d sections", row.ID, n)
		}
		press(t, m, "esc", "q", "j")
	}
}

// chainsOf returns the listed chains. Each starts with its newest document.
func chainsOf(m *model) []string {
	var chains []string
	all := peekIn(m.lists, "pane", "docs", "chains")
	for i := range all.Len() {
		c := all.Index(i)
		rows := c.FieldByName("Rows")
		if rows.Len() < 2 && c.FieldByName("Fork").IsNil() {
			continue
		}
		var names []string
		for k := range rows.Len() {
			names = append(names, strings.TrimPrefix(rows.Index(k).Elem().FieldByName("ID").String(), "session-2026-01-"))
		}
		chains = append(chains, strings.Join(names, " "))
	}
	return chains
}
