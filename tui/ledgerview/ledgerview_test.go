package ledgerview

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

const teahouse = "/home/ada/code/teahouse"

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

func shown(l survey.Ledger, w, h int) *Page {
	p := New(Options{
		Context: context.Background(), Now: testNow, Prose: render.MarkdownDocument,
		Newest: func([]string, func(*sessions.Row) bool) *sessions.Row { return nil },
	})
	p.about(l.Dir)
	p.Took(lookedMsg{gen: p.gen, asked: testNow(), at: testNow(), facts: newLedgerFacts(l, nil)})
	f := screen.Frame{Width: w, Height: h, Styles: render.NewStyles(render.Dark), Now: testNow(), Home: "/home/ada", Front: true}
	f.Layout.Body = screen.Rect{Y: 3, W: 32, H: h - 5}
	f.Layout.Preview = screen.Rect{X: 33, Y: 2, W: w - 33, H: h - 4}
	p.Fit(f)
	return p
}

func foundThere(r ledger.Ref) ledger.Check {
	switch r.Path {
	case "src/hours/model.go":
		return ledger.Check{Status: ledger.Moved, Quoted: true, At: 97}
	case "src/hours/calendar.go":
		return ledger.Check{Status: ledger.NoFile}
	case "src/limit/bucket.go":
		return ledger.Check{Status: ledger.NoLine, Lines: 112}
	}
	return ledger.Check{Status: ledger.Holds, Quoted: true}
}

func ledgerOf(text []byte) survey.Ledger {
	l := survey.Ledger{
		Dir: teahouse, Notes: notes.Parse(text), Written: testNow().Add(-2 * time.Hour), At: testNow().Add(-3 * time.Second),
		Project:  ledger.Project{Root: teahouse, Grimoire: teahouse + "/grimoires/loa", Notes: teahouse + "/grimoires/loa/NOTES.md", Beads: teahouse + "/.beads"},
		Evidence: map[survey.Backing]ledger.Check{},
	}
	for _, id := range l.Notes.Identifiers() {
		l.Checked = append(l.Checked, recovery.Checked{Identifier: id, Check: foundThere(id.Ref)})
	}
	decisions := l.Notes.Decisions()
	for i := range decisions {
		for k := range decisions[i].Evidence {
			e := &decisions[i].Evidence[k]
			l.Evidence[survey.BackingOf(e)] = foundThere(e.Ref)
		}
	}
	return l
}

func testNotes(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../testdata/ledger/NOTES.md")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestLedgerPlaces: the status line counts the same code references as the outline.
func TestLedgerPlaces(t *testing.T) {
	t.Parallel()
	l := ledgerOf(testNotes(t))
	f := newLedgerFacts(l, nil)
	if f.listed != (lookups{11, 2, 1}) || f.cited != (lookups{6, 2, 1}) {
		t.Errorf("identifiers %+v, evidence %+v", f.listed, f.cited)
	}
	if _, text, more := f.words(); text != "4 of 17 code references are broken" || more != " · 2 have moved" {
		t.Errorf("%q, %q", text, more)
	}
	l.Checked, l.Evidence = nil, nil // nothing was checked
	if _, text, more := newLedgerFacts(l, nil).words(); text+more != "" {
		t.Errorf("not checked: %q, %q", text, more)
	}
}

// shownAll returns each outline item with its content.
func shownAll(p *Page) string {
	var all strings.Builder
	for i := range p.outline.items {
		if !p.outline.Stops(i) {
			continue
		}
		p.outline.Choose(i)
		p.content.all = true
		p.fit()
		all.WriteString(p.outline.items[i].name + "\n")
		c := &p.content
		for k := range c.blocks {
			if c.open == nil {
				c.open = map[ledgerKey]bool{}
			}
			c.open[c.blocks[k].key] = true
			c.lines[k] = nil
			for _, line := range c.drawn(k) {
				all.WriteString(ansi.Strip(line) + "\n")
			}
		}
	}
	return all.String()
}

// TestLedgerExamples checks the real ledgers in $CONTINUO_EXAMPLES: every word of the file must be shown.
func TestLedgerExamples(t *testing.T) {
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "002", "NOTES*.md"))
	if err != nil || len(files) == 0 {
		t.Skip("no NOTES.md there")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l := ledgerOf(text)
		p := shown(l, 200, 60)
		got := strings.Join(strings.Fields(shownAll(p)), " ")
		for i := range l.Notes.Sections {
			s := &l.Notes.Sections[i]
			title := strings.Join(strings.Fields(ledgerlines.PlainLine(s.Title)), " ")
			if isKnown := s.Kind != notes.KindOther && s.Kind != notes.KindContext; !isKnown && !strings.Contains(got, firstWords(title)) {
				t.Errorf("%s: section %q isn't shown", filepath.Base(file), title)
			}
		}
		missing, letters := 0, strings.Join(strings.FieldsFunc(got, notWord), "") // letters has no blanks, because long names may be wrapped
		seen := map[string]bool{}
		for _, word := range strings.FieldsFunc(got, notWord) {
			seen[word] = true
		}
		for _, word := range strings.FieldsFunc(readable(string(text)), notWord) {
			if !seen[word] && !strings.Contains(letters, word) {
				if missing++; missing < 4 {
					t.Errorf("%s: %q isn't shown", filepath.Base(file), word)
				}
			}
		}
	}
}

func notWord(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

func firstWords(title string) string {
	r := []rune(title)
	return string(r[:min(len(r), 40)])
}

// readable returns a text without comments and tables. A table breaks words at the width of a column.
func readable(text string) string {
	for {
		before, rest, ok := strings.Cut(text, "<!--")
		if !ok {
			var b strings.Builder
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(strings.TrimSpace(line), "|") {
					b.WriteString(line)
				}
			}
			return b.String()
		}
		_, after, _ := strings.Cut(rest, "-->")
		text = before + after
	}
}

// TestSplitText: the pieces add up to the text. Fenced code is split only if necessary.
func TestSplitText(t *testing.T) {
	t.Parallel()
	code := "```\n" + strings.Repeat("x = 1\n\n", 1000) + "```\n"
	for name, text := range map[string]string{
		"short": "one\n\ntwo\n", "paragraphs": strings.Repeat("some words here\n\n", 9000), "one line": strings.Repeat("ä", 60_000),
		"lines": strings.Repeat("a line\n", 12_000), "code": strings.Repeat("words\n\n", 3000) + code + strings.Repeat("words\n\n", 3000),
		"no end": strings.Repeat("x\n", 20_000) + "y", "open code": "```\n" + strings.Repeat("x\n\n", 20_000),
	} {
		parts := splitText(text)
		if strings.Join(parts, "") != text {
			t.Errorf("%s: the pieces differ from the text", name)
		}
		for _, p := range parts {
			if len(p) > partLimit {
				t.Errorf("%s: a piece has %d bytes", name, len(p))
			}
			if name == "code" && strings.Count(p, "```")%2 != 0 {
				t.Errorf("%s: a piece cuts the code", name)
			}
		}
	}
}
