package notes_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func readExample(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, "002", "NOTES."+name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sec is an expected section.
type sec struct {
	line, level int
	kind        notes.Kind
	last, count int
}

type dec struct {
	day         string // "" none
	line, last  int
	title       string
	rationale   string // start of the rationale
	more        string // start of the text
	withoutText bool
}

func sameTitles(t *testing.T, n *notes.Notes) {
	t.Helper()
	titles, all := n.DecisionTitles(), n.Decisions()
	if len(titles) != len(all) {
		t.Fatalf("%d titles of %d decisions", len(titles), len(all))
	}
	for i, d := range all {
		if s := titles[i]; s.Title != d.Title || !s.When.Equal(d.When) || s.Day != d.Day || s.Section != d.Section || s.Line != d.Line || s.Last != d.Last || s.Blank != d.Blank {
			t.Fatalf("the title of %+v is %+v", d, s)
		}
	}
}

// TestExamples parses real files. A person found the expected sections and decisions.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, want := range examples() {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			text := readExample(t, want.name)
			n := notes.Parse(text)
			tile(t, n)
			sameTitles(t, n)
			if len(n.Sections) != want.sections {
				t.Errorf("%d sections, want %d", len(n.Sections), want.sections)
			}
			var got []sec
			for _, s := range n.Sections {
				if s.Kind != notes.KindOther {
					got = append(got, sec{s.Line, s.Level, s.Kind, s.Last, s.Count})
				}
			}
			if !slices.Equal(got, want.known) {
				t.Errorf("known sections:\n%v\nwant\n%v", got, want.known)
			}
			checkDecisions(t, n, want.decisions)
		})
	}
}

func checkDecisions(t *testing.T, n *notes.Notes, want []dec) {
	t.Helper()
	got := n.Decisions()
	if len(got) != len(want) {
		t.Fatalf("%d decisions, want %d", len(got), len(want))
	}
	for i, w := range want {
		d := got[i]
		day := ""
		if !d.When.IsZero() {
			day = d.When.Format(time.DateOnly)
		}
		if day != w.day || d.Line != w.line || d.Last != w.last || d.Title != w.title {
			t.Errorf("decision %d is %s %d-%d %q, want %s %d-%d %q", i, day, d.Line, d.Last, d.Title, w.day, w.line, w.last, w.title)
		}
		if !strings.HasPrefix(d.Rationale, w.rationale) || w.rationale == "" && d.Rationale != "" {
			t.Errorf("rationale of %q is %.60q, want %q", d.Title, d.Rationale, w.rationale)
		}
		if !strings.HasPrefix(d.Decision, w.more) || w.withoutText && d.Decision != "" {
			t.Errorf("text of %q is %.60q, want %q", d.Title, d.Decision, w.more)
		}
	}
}

func tile(t *testing.T, n *notes.Notes) {
	t.Helper()
	at := len(n.Text)
	if len(n.Sections) > 0 {
		at = n.Sections[0].Start
	}
	whole := slices.Clone(n.Text[:at])
	for i, s := range n.Sections {
		if s.Start != len(whole) || s.Start >= s.Body || s.Body > s.Own || s.Own > s.End {
			t.Fatalf("section %d %q has bytes %d %d %d %d, after %d", i, s.Title, s.Start, s.Body, s.Own, s.End, len(whole))
		}
		if s.Parent >= i || s.Parent >= 0 && (n.Sections[s.Parent].Level >= s.Level || n.Sections[s.Parent].End < s.End) {
			t.Fatalf("section %d %q isn't inside section %d", i, s.Title, s.Parent)
		}
		if line := 1 + bytes.Count(n.Text[:s.Start], []byte("\n")); line != s.Line || s.Last < s.Line {
			t.Fatalf("section %d %q is at line %d-%d, want %d", i, s.Title, s.Line, s.Last, line)
		}
		whole = append(whole, n.Text[s.Start:s.Own]...)
	}
	if !bytes.Equal(whole, n.Text) {
		t.Fatal("the sections don't add up to the file")
	}
}
