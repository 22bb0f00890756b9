package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func clock() time.Time { return time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC) }

// fake has a fixed answer for each query.
type fake struct {
	answers map[string][]search.Batch
	asked   []string
	ended   []string // queries that were cancelled before their answer
	gauge   Gauge
	more    map[string]int // number of further matches, by scope and project
}

func (f *fake) Search(ctx context.Context, q *query.Query, o search.Options, on func(search.Batch)) {
	asked := fmt.Sprintf("%s %d %s", q.Text, o.Scope, o.Project)
	if o.Keep == 0 {
		on(search.Batch{Hits: f.more[asked], Done: true})
		return
	}
	f.asked = append(f.asked, asked)
	for _, b := range f.answers[q.Text] {
		on(b)
	}
	if ctx.Err() != nil {
		f.ended = append(f.ended, q.Text)
	}
}

func (f *fake) Around(context.Context, search.Hit, int) (search.Nearby, error) {
	text := func(kind transcript.MessageKind, s string) transcript.Message {
		return transcript.Message{Kind: kind, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: s}}}
	}
	list := []transcript.Message{text(transcript.Answer, "Before."), text(transcript.Prompt, "Keep the leeway at 30 s."), text(transcript.Answer, "After.")}
	return search.Nearby{Messages: list, At: 1, Number: 2, Of: 3}, nil
}

func (f *fake) Index() Gauge { return f.gauge }

func (f *fake) Open(context.Context, sessions.Row) (opened.Doc, error) { return conversation{}, nil }

type conversation struct{ opened.Doc }

func (conversation) Outline() []transcript.MessageRef {
	return []transcript.MessageRef{{Kind: transcript.Prompt, Turn: true}, {Kind: transcript.Answer}}
}

func (conversation) Threads() []transcript.Thread {
	return []transcript.Thread{{Messages: []int{0, 1}}}
}

func (conversation) Messages(_ context.Context, from, to int) ([]transcript.Message, error) {
	answer := transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "The last answer."}}}
	return []transcript.Message{{Kind: transcript.Prompt}, answer}[from:to], nil
}
func (conversation) Close() error { return nil }

func row(name string) *sessions.Row {
	r := &sessions.Row{Kind: sessions.KindSession}
	r.Path, r.ID, r.Name, r.Project, r.Workdir, r.Branch = "/"+name+".jsonl", name, "About "+name, "/code/tea", "/code/tea", "main"
	r.Last, r.State, r.Exact = clock().Add(-2*time.Hour), sessions.StateOK, true
	return r
}

// result has n matches. At most three are kept.
func result(name string, n int) search.Result {
	r := search.Result{Row: row(name), Path: "/" + name + ".jsonl", Title: "About " + name, Project: "/code/tea", Count: n}
	for i := range min(n, hitsKept) {
		h := search.Hit{Path: r.Path, Offset: int64(100 * i), Role: []string{"you", "Claude", "explorer"}[i], Time: clock().Add(-time.Hour * time.Duration(20*i)), Snippet: "Keep the leeway at 30 s, 60 is too generous"}
		h.Marks = []query.Span{{Start: 9, End: 15}}
		r.Hits = append(r.Hits, h)
	}
	return r
}

func titled(r search.Result) search.Result {
	r.InTitle = []query.Span{{Start: 6, End: len(r.Title)}}
	return r
}

// desk runs a page: it carries out commands until nothing is left to do.
type desk struct {
	t     *testing.T
	page  *Page
	frame screen.Frame
	got   []screen.Effect // effects other than commands
}

func newDesk(t *testing.T, f *fake, width, height int) *desk {
	t.Helper()
	f.gauge.Whole = true
	d := &desk{t: t, page: New(Options{Context: t.Context(), Source: f, Sessions: f, Project: "/code/tea", Home: "/home/ada", Now: clock})}
	d.frame = screen.Frame{Width: width, Height: height, Styles: render.NewStyles(render.None), Now: clock(), Home: "/home/ada", Front: true}
	d.frame.Layout = screen.Layout{Context: screen.Rect{Y: 2, W: width, H: 1}, Body: screen.Rect{Y: 3, W: width, H: height - 5}}
	d.run(d.page.Open())
	return d
}

func (d *desk) run(effects []screen.Effect) {
	d.t.Helper()
	effects = append(effects, d.page.Fit(d.frame)...)
	for n := 0; len(effects) > 0; n++ {
		if n > 100 {
			d.t.Fatal("commands don't end")
		}
		e := effects[0]
		effects = effects[1:]
		cmd, ok := e.(screen.Cmd)
		if !ok {
			d.got = append(d.got, e)
			continue
		}
		if msg := cmd(); msg != nil {
			effects = append(append(effects, d.page.Took(msg)...), d.page.Fit(d.frame)...)
		}
	}
}

func (d *desk) types(text string) {
	d.t.Helper()
	for _, r := range text {
		d.run(d.page.Typed(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
}

func (d *desk) key(key string) {
	d.t.Helper()
	for _, b := range d.page.Keys() {
		if slices.Contains(b.Keys, key) && !b.Gone {
			d.run(d.page.Do(b.Do))
			return
		}
	}
	d.t.Fatalf("no key %s", key)
}

func (d *desk) screen() string {
	v := d.page.View()
	return ansi.Strip(strings.Join(append(append([]string{v.Context}, v.Body...), v.Status), "\n"))
}

// ended returns a closed channel.
func ended() <-chan part {
	c := make(chan part)
	close(c)
	return c
}

func done(results ...search.Result) search.Batch {
	b := search.Batch{Results: results, Done: true}
	for i := range results {
		b.Hits += results[i].Count
	}
	return b
}

func TestResults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(titled(result("leeway", 0)), result("clock", 11), result("limit", 1))}}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		got := d.screen()
		for _, want := range []string{
			"  / leeway", "    1 title · 12 matches in 2 sessions", "In titles 1", "In the text 12", "· tea  About clock", " 11    2h",
			"Claude    Nov 20", "explorer  Nov 19", "you       15:00", "… 8 more",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%q isn't in\n%s", want, got)
			}
		}
		for _, line := range strings.Split(got, "\n") {
			if ansi.StringWidth(line) > 120 {
				t.Errorf("a line has %d cells: %q", ansi.StringWidth(line), line)
			}
		}
		d.key("down")
		got = d.screen()
		for _, want := range []string{"│▌ ❯ Keep the leeway at 30 s.", "│    Before.", "│    After.", "About clock", "11 matches", "/code/tea on main", "you, message 2 of 3"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q isn't beside the match in\n%s", want, got)
			}
		}
	})
}

// TestCounts: headings count the titles and the matches. Matches that look the same have one line.
func TestCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		same := result("clock", 11)
		for i := range same.Hits {
			same.Hits[i].Role, same.Hits[i].Snippet = "general-purpose", []string{"Keep the leeway!", "keep the leeway", "Drop the leeway"}[i]
		}
		doc := result("notes", 2)
		doc.Kind, doc.Row, doc.Title, doc.Time = index.Ledger, nil, "NOTES.md", clock().Add(-3*time.Hour)
		for i := range doc.Hits {
			doc.Hits[i].Role, doc.Hits[i].Snippet = "ledger", []string{"HIGH: Keep the leeway", "Keep the leeway"}[i]
			doc.Hits[i].Marks, doc.Hits[i].Section = nil, []string{"Key Decisions & Patterns", "Keep"}[i]
		}
		f := &fake{answers: map[string][]search.Batch{
			"leeway": {done(titled(result("leeway", 3)), same)}, "clock": {done(same, doc)},
		}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		got := d.screen()
		for want, n := range map[string]int{
			"    1 title · 11 matches in 1 session": 1, "In titles 1": 1, "In the text 11": 1, "· tea  About leeway": 1, "eep the leeway": 1, "Drop the leeway": 1, "… 9 more": 1, "    general   ": 2,
		} {
			if strings.Count(got, want) != n {
				t.Errorf("%q is %d times in\n%s", want, strings.Count(got, want), got)
			}
		}
		for range "leeway" {
			d.run(d.page.Typed(tea.KeyPressMsg{Code: tea.KeyBackspace}))
		}
		d.types("clock")
		got = d.screen()
		for _, want := range []string{"    13 matches in 1 session, 1 document", "§ tea  NOTES.md", " 2    3h", "    ledger    15:00   HIGH: Keep", "… 1 more"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q isn't beside a ledger in\n%s", want, got)
			}
		}
	})
}

// TestHeadingAtEdge: a heading or a result is hidden if nothing of its group fits below it.
func TestHeadingAtEdge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(titled(result("leeway", 0)), result("clock", 1))}}}
		for rows, want := range map[int]bool{3: false, 4: false, 5: true} { // 5 rows: heading, title, heading, result, match
			d := newDesk(t, f, 80, rows+7)
			d.types("leeway")
			got := d.screen()
			if !strings.Contains(got, "About leeway") || strings.Contains(got, "In the text") != want || strings.Contains(got, "About clock") != want {
				t.Errorf("%d rows: want the second group: %v\n%s", rows, want, got)
			}
		}
	})
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(titled(result("leeway", 3)), result("clock", 11))}}}
		for _, size := range [][2]int{{80, 24}, {60, 18}, {20, 8}, {1, 1}} {
			d := newDesk(t, f, size[0], size[1])
			d.types("leeway")
			v := d.page.View()
			for _, line := range append(v.Body, v.Context) {
				if ansi.StringWidth(line) > max(size[0], 1) && size[0] > 20 {
					t.Errorf("%v: a line has %d cells: %q", size, ansi.StringWidth(line), line)
				}
			}
		}
	})
}

// TestIdentity: the bar stays on its match while results are inserted above it.
func TestIdentity(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, then := search.Batch{Results: []search.Result{result("clock", 2)}, Hits: 2}, done(titled(result("leeway", 1)), result("clock", 5))
		f := &fake{answers: map[string][]search.Batch{"leeway": {first}}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		d.page.list.Choose(d.page.list.At)
		was := d.page.hit()
		if was == nil || was.Role != "you" {
			t.Fatalf("selected %+v", was)
		}
		d.run(d.page.Took(batchMsg{gen: d.page.ask.gen, query: d.page.query, part: part{batch: then}, from: ended()}))
		if now := d.page.hit(); now == nil || now.Path != was.Path || now.Offset != was.Offset {
			t.Errorf("the bar moved from %+v to %+v", was, now)
		}
	})
}

// TestStale: an answer to an older query changes nothing.
func TestStale(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"ab": {done(result("ab", 1))}}}
		d := newDesk(t, f, 120, 36)
		effects := d.page.Typed(tea.KeyPressMsg{Code: 'a', Text: "a"})
		old := d.page.ask.gen
		d.types("b")
		d.run(d.page.Took(batchMsg{gen: old, query: d.page.query, part: part{batch: done(result("old", 1))}}))
		d.run(effects)
		if got := d.screen(); !strings.Contains(got, "About ab") || strings.Contains(got, "About old") {
			t.Errorf("the screen shows\n%s", got)
		}
		if !slices.Contains(f.ended, "a") {
			t.Errorf("the search for a wasn't cancelled; ended %q", f.ended)
		}
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		agent := result("clock", 3)
		agent.Hits[2].Path = "/clock/subagents/agent-1.jsonl"
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(agent)}}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		d.key("down")
		d.key("enter")
		d.key("down")
		d.key("enter")
		if len(d.got) != 2 {
			t.Fatalf("effects %+v", d.got)
		}
		one, two := d.got[0].(screen.Read), d.got[1].(screen.Read)
		if one.Row.Path != "/clock.jsonl" || one.At == nil || one.At.Offset != 100 || !slices.Equal(one.At.Words, []string{"leeway"}) {
			t.Errorf("opened %+v at %+v", one.Row.Path, one.At)
		}
		if two.Row.Path != "/clock/subagents/agent-1.jsonl" || two.Row.Name != "explorer of About clock" || two.At.Offset != 200 {
			t.Errorf("opened %+v %q at %+v", two.Row.Path, two.Row.Name, two.At)
		}
		d.key("esc")
		if _, ok := d.got[2].(screen.Pop); !ok {
			t.Errorf("esc gives %+v", d.got[2])
		}
	})
}

// TestStops: the bar skips the line of a result with matches. A click there selects the first match.
func TestStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(result("clock", 2), result("limit", 1))}}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		var got []string
		for range 3 {
			h := d.page.hit()
			got = append(got, fmt.Sprint(h.Path, " ", h.Offset))
			d.key("down")
		}
		if want := []string{"/clock.jsonl 0", "/clock.jsonl 100", "/limit.jsonl 0"}; !slices.Equal(got, want) {
			t.Errorf("the bar stops at %q, want %q", got, want)
		}
		lines := strings.Split(d.screen(), "\n")
		y := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "tea  About clock  ") })
		d.run(d.page.Click(10, d.frame.Layout.Body.Y+y-1))
		if h := d.page.hit(); h.Path != "/clock.jsonl" || h.Offset != 0 {
			t.Errorf("a click on the result selects %+v", h)
		}
	})
}

// TestProjectOfResult: outside a project, ctrl+t searches the project of the selected result.
func TestProjectOfResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"x": {done(result("clock", 2))}}}
		d := newDesk(t, f, 120, 36)
		d.page.opts.Project, d.page.project = "", ""
		d.types("x")
		if got := d.screen(); !strings.Contains(got, "all projects   tea") {
			t.Errorf("the project isn't named in\n%s", got)
		}
		d.key("ctrl+t")
		d.key("ctrl+t")
		if want := []string{" 0 ", "x 0 ", "x 0 /code/tea", "x 0 "}; !slices.Equal(f.asked, want) {
			t.Errorf("asked %q, want %q", f.asked, want)
		}
	})
}

// TestTitle: a session found by its title has one row. The reader starts at the first match in its text.
func TestTitle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"clock": {done(titled(result("clock", 2)), titled(result("limit", 0)))}}}
		d := newDesk(t, f, 120, 36)
		d.types("clock")
		if got := d.screen(); !strings.Contains(got, "The last answer.") || strings.Contains(got, "Keep the leeway") {
			t.Errorf("a title:\n%s", got)
		}
		if d.page.beside.Find != "clock" {
			t.Errorf("the preview marks %q", d.page.beside.Find)
		}
		d.key("enter")
		d.key("down")
		d.key("enter")
		both, title := d.got[0].(screen.Read), d.got[1].(screen.Read)
		if both.At == nil || both.At.Offset != screen.FromStart || !slices.Equal(both.At.Words, []string{"clock"}) || title.At != nil {
			t.Errorf("a session with matches in its text is read at %+v, another one at %+v", both.At, title.At)
		}
	})
}

func TestScopes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"x": {done()}, "xy": {done()}}, more: map[string]int{"x 1 ": 3}}
		d := newDesk(t, f, 120, 36)
		d.types("xy")
		if got := d.screen(); !strings.Contains(got, "No match. Use fewer words, or check the spelling.") {
			t.Errorf("no advice in\n%s", got)
		}
		d.run(d.page.Typed(tea.KeyPressMsg{Code: tea.KeyBackspace}))
		if got := d.screen(); !strings.Contains(got, "No match. Press tab to search tools and their output, too.") {
			t.Errorf("no advice in\n%s", got)
		}
		f.asked = nil
		d.key("tab")
		d.key("ctrl+t")
		want := []string{"x 1 ", "x 1 /code/tea"}
		if !slices.Equal(f.asked, want) {
			t.Errorf("asked %q, want %q", f.asked, want)
		}
	})
}

func TestComplete(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"": {done(result("clock", 0))}}}
		d := newDesk(t, f, 120, 36)
		for _, c := range []struct{ typed, want string }{
			{"pro", "project:"}, {"t", "project:tea "}, {"-br", "project:tea -branch:"}, {"ma", "project:tea -branch:main "}, {"is:s", "project:tea -branch:main is:subagent "},
		} {
			d.types(c.typed)
			d.key("tab")
			if got := d.page.field.Text(); got != c.want {
				t.Fatalf("tab after %q gives %q, want %q", c.typed, got, c.want)
			}
		}
	})
}

// TestWrong: after an invalid query, the old results stay and the error is shown.
func TestWrong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: map[string][]search.Batch{"leeway": {done(result("clock", 1))}}}
		d := newDesk(t, f, 120, 36)
		d.types("leeway")
		d.types(` "`)
		if got := d.screen(); !strings.Contains(got, `The quote isn't closed: add another ".`) || !strings.Contains(got, "About clock") {
			t.Errorf("the screen shows\n%s", got)
		}
	})
}

func TestGauge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{gauge: Gauge{Bytes: 10 << 20, AllBytes: 100 << 20, Files: 5, AllFiles: 50, Whole: true}, answers: map[string][]search.Batch{"": {done(result("clock", 0))}}}
		p := New(Options{Context: t.Context(), Source: f, Now: clock})
		p.frame = screen.Frame{Width: 120, Height: 36, Styles: render.NewStyles(render.None), Now: clock().Add(2 * time.Second)}
		if p.measured(gaugeMsg{Gauge{}, clock()}); p.gauge.full() {
			t.Error("the index counts as complete before any file is known")
		}
		p.measured(gaugeMsg{f.gauge, clock()})
		f.gauge.Bytes, f.gauge.Files = 20<<20, 9
		if effects := p.measured(gaugeMsg{f.gauge, clock().Add(2 * time.Second)}); len(effects) != 1 {
			t.Errorf("%d effects while the index is incomplete, want the next read of the index", len(effects))
		}
		if got := ansi.Strip(p.status()); !strings.Contains(got, "9 of 50 · 21 of 105 MB · 17 s left") {
			t.Errorf("the gauge is %q", got)
		}
		f.gauge.Files = 50
		if effects := p.measured(gaugeMsg{f.gauge, clock()}); len(effects) != 0 {
			t.Errorf("%d effects when the index is complete", len(effects))
		}
	})
}

// TestAgain: the index grows, so the search is repeated. The old answer stays until the new search has ended.
func TestAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		some, whole := search.Batch{Results: []search.Result{result("part", 1)}, Hits: 1}, done(result("clock", 2), result("limit", 1))
		f := &fake{answers: map[string][]search.Batch{"x": {done(result("clock", 1))}}}
		d := newDesk(t, f, 120, 36)
		d.types("x")
		f.answers["x"] = []search.Batch{some}
		effects := d.page.measured(gaugeMsg{Gauge{Files: 5, AllFiles: 50}, clock()})
		d.run(effects[:1])
		if got := d.screen(); strings.Contains(got, "About part") || !strings.Contains(got, "About clock") {
			t.Errorf("a part of the repeated answer is shown:\n%s", got)
		}
		d.run(d.page.Took(batchMsg{gen: d.page.ask.gen, query: d.page.query, part: part{batch: whole}, from: ended()}))
		if got := d.screen(); !strings.Contains(got, "About limit") {
			t.Errorf("the repeated answer isn't shown:\n%s", got)
		}
	})
}

// TestPanicOfTheSearch: the command panics too, so that the browser ends with a report.
func TestPanicOfTheSearch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from := make(chan part, 1)
		from <- part{batch: search.Batch{Done: true, Err: &sessions.PanicError{Value: "a bug"}}}
		bug := sessions.Catch(func() { next(1, nil, from)() })
		if bug == nil || bug.Value != "a bug" {
			t.Errorf("caught %v", bug)
		}
	})
}

// TestElsewhere: matches in the other scope are counted after nothing was typed for a while.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{
			answers: map[string][]search.Batch{"leeway": {done(result("clock", 3))}, "fn": {done()}},
			more:    map[string]int{"leeway 1 ": 17, "leeway 0 ": 3, "fn 1 ": 0, "fn 1 /code/tea": 5000, "fn 0 ": 2},
		}
		d := newDesk(t, f, 120, 36)
		begun := time.Now()
		d.types("leeway")
		if took := time.Since(begun); took != 6*countAfter {
			t.Errorf("counted after %v for 6 letters", took)
		}
		for _, want := range []string{" 14 more in tool input and output: tab", " 3 matches in the conversation only: tab"} {
			if got := d.screen(); !strings.HasSuffix(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
			d.key("tab")
		}
		d.key("ctrl+u")
		d.types("fn")
		if got := d.screen(); !strings.HasSuffix(got, " no more in tool input and output") {
			t.Errorf("without a match:\n%s", got)
		}
		d.key("ctrl+t")
		if got := d.screen(); !strings.HasSuffix(got, " 1,000+ more in tool input and output: tab") || !strings.Contains(got, "No match. Press ctrl+t to search all projects: 2 matches.") {
			t.Errorf("in one project:\n%s", got)
		}
	})
}

// TestRecent: a session with only a backup left is included.
func TestRecent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		copied := func(name string, flags ...sessions.Flag) search.Result {
			r := result(name, 0)
			saved := *r.Row
			saved.Flags = flags
			r.Kind, r.Row.Kind, r.Row.Flags, r.Row.Saved = index.Backup, sessions.KindBackup, flags, &saved
			r.Row.Created, r.Row.Pending = clock().Add(-time.Hour), true
			return r
		}
		f := &fake{answers: map[string][]search.Batch{"": {done(result("live", 0), copied("lost", sessions.FlagBackupOnly), copied("there"), search.Result{Kind: index.Ledger, Title: "NOTES.md"})}}}
		got := newDesk(t, f, 80, 24).screen()
		if !strings.Contains(got, "· tea  About live") || !strings.Contains(got, "◐ tea  About lost") || !strings.Contains(got, " 2h") || strings.Contains(got, " 1h") {
			t.Errorf("recent sessions:\n%s", got)
		}
		if strings.Contains(got, "About there") || strings.Contains(got, "NOTES.md") {
			t.Errorf("other files:\n%s", got)
		}
	})
}
