package dialog

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

func frame(w, h int) screen.Frame {
	return screen.Frame{Width: w, Height: h, Styles: render.NewStyles(render.Dark), Now: testNow(), Home: "/home/ada"}
}

// drawn returns the lines of a dialog on an empty terminal.
func drawn(d screen.Dialog, h int) string {
	lines := make([]string, h)
	d.Over(lines)
	return ansi.Strip(strings.Join(lines, "\n"))
}

// TestBoxFits: a long upper edge cuts the subject first, and then the title.
func TestBoxFits(t *testing.T) {
	t.Parallel()
	d := &base{f: frame(120, 36)}
	long := strings.Repeat("A long title 日本 ", 20)
	for inner := 20; inner < 130; inner += 7 {
		for _, name := range []string{"Save a document", long} {
			for _, about := range []string{"", "2 backups", long} {
				if got := ansi.StringWidth(d.box(nil, inner, name, about)[0]); got != inner+2 {
					t.Errorf("%q, %q in %d: %d wide", name, about, inner, got)
				}
			}
		}
	}
	if edge := ansi.Strip(d.box(nil, 60, "Save a document", long)[0]); !strings.Contains(edge, "Save a document ─") || !strings.Contains(edge, "A long title") {
		t.Errorf("the title is cut before the subject: %s", edge)
	}
}

// TestPlanSeen: enter carries out a plan only after all its lines were visible.
func TestPlanSeen(t *testing.T) {
	t.Parallel()
	var lines []change.Line
	for i := range 40 {
		lines = append(lines, change.Line{Text: fmt.Sprintf("line %d of what it does, which may be long", i)})
	}
	for _, size := range [][2]int{{120, 16}, {80, 24}, {60, 18}, {40, 10}, {30, 4}} {
		d := NewPlan(screen.Plan{Title: "Discard", Verb: "discard 2", Parts: []change.Part{{Name: "moves", Lines: lines}}}, render.PlanHead, true)
		d.Fit(frame(size[0], size[1]))
		g := d.shape()
		if len(g.lines) <= g.rows {
			t.Fatalf("%v: the whole plan is visible at once", size)
		}
		seen, did := map[int]bool{}, []screen.Effect(nil)
		for enters := 0; did == nil && enters < 100; enters++ {
			for g, i := d.shape(), 0; i < g.rows; i++ {
				seen[g.top+i] = true
			}
			did = d.Do(screen.Intent{Name: enter})
		}
		if _, ok := did[0].(screen.CarryOut); !ok || len(seen) != len(g.lines) {
			t.Errorf("%v: %d of %d lines were visible, did %v", size, len(seen), len(g.lines), did)
		}
	}
}

func TestCopiesNamed(t *testing.T) {
	t.Parallel()
	c := &Copies{Dirs: []string{"/home/ada/code/p0/memory"}}
	for i := range 40 {
		row := sessions.Row{Kind: sessions.KindSession}
		row.Name, row.ID, row.State = "A session", fmt.Sprint(i), sessions.StateOK
		row.Bytes, row.Flags = 3<<20, []sessions.Flag{sessions.FlagNoBackup}
		c.Rows, c.Bytes = append(c.Rows, screen.BackupTo{Row: row, Dir: c.Dirs[0]}), c.Bytes+row.Bytes
	}
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {80, 12}, {40, 10}, {20, 5}} {
		d := NewMenu(MenuOptions{Title: "Back up", Items: []Offer{{Key: "a", Name: "All 40", Copies: c}}})
		d.Fit(frame(size[0], size[1]))
		rows, more := 0, 0
		for _, l := range d.shape().lines {
			switch text := strings.TrimSpace(ansi.Strip(l.String())); {
			case strings.Contains(text, "A se") || strings.HasPrefix(text, "△ "):
				rows++
			case strings.HasPrefix(text, "… ") && strings.HasSuffix(text, " MB"):
				fmt.Sscanf(text, "… %d more", &more) //nolint:errcheck // more stays 0 on an error
			}
		}
		if rows < copiesLeast-1 || rows >= copiesMost || rows+more != 40 {
			t.Errorf("%v: %d rows and %d more", size, rows, more)
		}
	}
}

// TestMenuOtherKeys: a key without a character chooses no item, even if an item has no letter.
func TestMenuOtherKeys(t *testing.T) {
	t.Parallel()
	d := NewMenu(MenuOptions{Title: "Outline", Items: []Offer{{Name: "One", Do: screen.Pop{}}}})
	d.Fit(frame(80, 24))
	if got := d.Typed(tea.KeyPressMsg{Code: tea.KeyF5}); got != nil {
		t.Errorf("f5 does %v", got)
	}
}

func TestCursors(t *testing.T) {
	t.Parallel()
	var all []Command
	var keys []screen.Binding
	for i := range 12 {
		all = append(all, Command{Name: fmt.Sprintf("Find %d", i)})
		keys = append(keys, screen.Binding{Help: "find", Group: screen.Groups()[i%3], Show: "x"})
	}
	for _, h := range []int{8, 24, 25, 60} {
		for _, w := range []int{60, 80, 121} {
			for _, d := range []screen.Dialog{NewPalette(all), NewHelp("Reader", About{}, keys)} {
				d.Fit(frame(w, h))
				for _, c := range "find" {
					d.(screen.Typed).Typed(tea.KeyPressMsg{Code: c, Text: string(c)})
				}
				x, y, ok := d.Cursor()
				if !ok {
					continue
				}
				lines := make([]string, h)
				d.Over(lines)
				if got := ansi.Cut(ansi.Strip(lines[y]), 0, x); !strings.HasSuffix(got, " find") {
					t.Errorf("%T at %dx%d: %q is before the cursor", d, w, h, got)
				}
			}
		}
	}
}

type noFolders struct{}

func (noFolders) Folders(context.Context, string, []string) []string { return nil }

func TestFolderStale(t *testing.T) {
	t.Parallel()
	d := NewFolder(FolderOptions{Context: t.Context(), Folders: noFolders{}})
	d.Fit(frame(80, 24))
	d.Open()
	d.Typed(tea.KeyPressMsg{Code: 'z', Text: "z"})
	if again := d.Took(foundMsg{gen: d.gen - 1, folders: []string{"of an older question"}}); len(again) != 1 || strings.Contains(drawn(d, 24), "an older") {
		t.Errorf("a stale answer is shown, or the current text isn't queried: %v\n%s", again, drawn(d, 24))
	}
}

type noRecall struct{}

func (noRecall) Recall(context.Context, string) (Recall, error) { return noLook{}, nil }

type noLook struct{}

func (noLook) Recover(context.Context, recovery.Ask) (recovery.Result, error) {
	return recovery.Result{}, nil
}
func (noLook) Staged() (at time.Time, tokens int) { return time.Time{}, 0 }

func TestRecoverStale(t *testing.T) {
	t.Parallel()
	d := NewRecover(RecoverOptions{Context: t.Context(), Recalls: noRecall{}, Dir: "/home/ada/code/teahouse", Level: recovery.Topic})
	d.Fit(frame(120, 36))
	d.Open()
	d.Took(lookMsg{gen: d.lookGen, look: noLook{}})
	a := d.at(recovery.Topic)
	old := a.gen
	d.Took(levelMsg{gen: old, result: recovery.Result{Level: recovery.Topic, Text: "topic\n"}})
	d.Do(screen.Intent{Name: about})
	d.Typed(tea.KeyPressMsg{Code: 'c', Text: "c"})
	d.Typed(tea.KeyPressMsg{Code: 'a', Text: "a"})
	late := recovery.Result{Level: recovery.Topic, Query: "late", Text: "late\n"}
	d.Took(levelMsg{gen: old, result: late})
	d.Took(levelMsg{gen: a.gen - 1, result: late})
	if a.known.Text != "topic\n" {
		t.Error("a late answer was used")
	}
	if d.Took(lookMsg{gen: d.lookGen}); d.look == nil {
		t.Error("a second ledger was used")
	}
}

// TestRecoverSlow: levels with an answer can be used while others still show “Reading…”.
func TestRecoverSlow(t *testing.T) {
	t.Parallel()
	d := NewRecover(RecoverOptions{Context: t.Context(), Recalls: noRecall{}, Dir: "/home/ada/code/teahouse", Level: recovery.All})
	d.Fit(frame(120, 36))
	d.Open()
	if s := drawn(d, 36); strings.Contains(s, "Reading…") || strings.Count(s, "…\n") > 3 {
		t.Errorf("at once:\n%s", s)
	}
	d.Took(levelSlowMsg{d.at(recovery.All).gen})
	if s := drawn(d, 36); !strings.Contains(s, "Reading…") {
		t.Errorf("later:\n%s", s)
	}
	d.Took(levelMsg{gen: d.at(recovery.Where).gen, result: recovery.Result{Level: recovery.Where, Tokens: 92, Budget: 100, Text: "where\n"}})
	if s := drawn(d, 36); !strings.Contains(s, "92 of 100 tokens") || strings.Contains(s, "7.8k") {
		t.Errorf("with one answer:\n%s", s)
	}
}

// TestNoteEvidence: the dialog checks required fields. The plan finds the other errors.
func TestNoteEvidence(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"src/a.go:12 | x := 1": "src/a.go:12|x := 1", "src/a.go:12": "src/a.go:12|", "src/a.go:12-14 `x | y`": "", "src/a.go:12 x := 1": "src/a.go:12|x := 1",
		"${PROJECT_ROOT}/src/a.go:12 | `x`": "src/a.go:12|x", "a.go": "", "| x": "", "src/a.go:1\n\nsrc/b.go:2 | y": "src/a.go:1| src/b.go:2|y",
	} {
		d := NewNote(NoteOptions{Context: t.Context(), Kind: notes.EntryDecision})
		for i, text := range []string{"x", "y", typed} {
			d.at = i
			d.Typed(tea.PasteMsg{Content: text})
		}
		e, fine := d.entry(testNow())
		var got []string
		for _, v := range e.Evidence {
			got = append(got, fmt.Sprintf("%s:%d|%s", v.Ref.Path, v.Ref.From, v.Quote))
		}
		if fine != (want != "") || fine && strings.Join(got, " ") != want {
			t.Errorf("%q: %q, fine %v: %s", typed, got, fine, d.fields[2].wrong)
		}
	}
	for kind, required := range map[notes.EntryKind]int{notes.EntryDecision: 2, notes.EntryQuestion: 1, notes.EntryNext: 1, notes.EntryHandoff: 3, notes.EntryScenario: 2} {
		d := NewNote(NoteOptions{Context: t.Context(), Kind: kind})
		if _, fine := d.entry(testNow()); fine {
			t.Errorf("an empty %s has no error", kind)
		}
		wrong := 0
		for i := range d.fields {
			if d.fields[i].wrong != "" {
				wrong++
			}
		}
		if wrong != required {
			t.Errorf("%s: %d fields are required, not %d", kind, wrong, required)
		}
	}
}
