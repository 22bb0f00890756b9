package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

func day(n int) time.Time { return time.Date(2026, 11, n, 10, 0, 0, 0, time.UTC) }

// world is a corpus that a test fills.
type world struct {
	t   *testing.T
	dir string
	c   Corpus
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.c.Index = index.Open("")
	t.Cleanup(w.c.Index.Close)
	return w
}

func (w *world) file(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func user(d int, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":%q}}`+"\n", d, day(d).Format(time.RFC3339), text)
}

// session adds a session with a prompt per text and day, starting on the day from.
func (w *world) session(name, title string, from int, texts ...string) *sessions.Row {
	w.t.Helper()
	var b strings.Builder
	for i, text := range texts {
		b.WriteString(user(from+i, text))
	}
	r := sessions.Row{Kind: sessions.KindSession}
	r.Path, r.ID, r.Name, r.Project = w.file(name+".jsonl", b.String()), name, title, "/code/"+name
	r.Last, r.Branch, r.Models = day(from+len(texts)-1), "main", []string{"opus"}
	w.c.Rows = append(w.c.Rows, r)
	return &w.c.Rows[len(w.c.Rows)-1]
}

func (w *world) run(text string, o Options) Batch {
	w.t.Helper()
	q, err := query.Parse(text, day(26))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.c.Index.Update(w.t.Context(), w.c.Files(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
	var last Batch
	Run(w.t.Context(), &w.c, q, o, func(b Batch) { last = b })
	if !last.Done || last.Err != nil {
		w.t.Errorf("search for %q: done %v, %v", text, last.Done, last.Err)
	}
	return last
}

// shown formats results as "title count: snippet | snippet".
func shown(b Batch) string {
	var lines []string
	for _, r := range b.Results {
		line := fmt.Sprintf("%s %d:", r.Title, r.Count)
		for _, h := range r.Hits {
			line += " " + h.Role + " " + h.Snippet + " |"
		}
		lines = append(lines, strings.TrimSuffix(line, " |"))
	}
	return strings.Join(lines, "\n")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("far", "Far apart", 20, "leeway "+strings.Repeat("filler ", 100)+"bucket")
	w.session("near", "Near", 1, "a leeway bucket", "a bucket", "leeway and bucket")
	w.session("newer", "Newer", 5, "bucket leeway")
	w.session("title", "Leeway of the bucket", 2, "nothing")
	w.session("1a2b3c4d", "Known by its ID", 30, "nothing")
	want := "Leeway of the bucket 0:\nNewer 1: you bucket leeway\nNear 2: you a leeway bucket | you leeway and bucket\n"
	got := shown(w.run("leeway bucket", Options{Keep: 3}))
	if !strings.HasPrefix(got, want+"Far apart 1: you ") {
		t.Errorf("got\n%s\nwant\n%s…", got, want)
	}
	if got, want := shown(w.run("leeway bucket", Options{Keep: 1})), "Near 2: you leeway and bucket"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %q in it", got, want)
	}
	for _, c := range []struct{ query, want string }{
		{"bucket project:newer", "Newer"},
		{"leeway after:2026-11-19", "Far apart"},
		{"bucket branch:dev", ""},
		{"bucket model:opus before:2026-11-02", "Near"},
		{"bucket role:claude", ""},
		{"bucket is:live", ""},
		{"1a2b3c", "Known by its ID"},
		{"role:you project:newer", "Newer"},
		{"role:claude project:newer", ""},
		{"1a2b", ""},
	} {
		b := w.run(c.query, Options{Keep: 1})
		var titles []string
		for _, r := range b.Results {
			titles = append(titles, r.Title)
		}
		if got := strings.Join(titles, ","); got != c.want {
			t.Errorf("%q finds %q, want %q", c.query, got, c.want)
		}
	}
	if got := shown(w.run("bucket", Options{Keep: 1, Project: "/code/far"})); !strings.HasPrefix(got, "Far apart 1") || strings.Contains(got, "\n") {
		t.Errorf("in one project: %q", got)
	}
}

// TestDocuments: documents whose titles match come after sessions whose titles match.
func TestDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("talk", "Talk", 5, "leeway")
	w.session("title", "Leeway", 1, "nothing")
	text := "Leeway first.\n\n## Key Decisions ##\n\nA leeway of 30 s\n\n#### 2026-11-03T10:00:00Z Add the leeway\n"
	for _, name := range []string{"Leeway is agreed", "Leeway is a file name"} {
		doc := sessions.Row{Kind: sessions.KindDocument}
		doc.Path, doc.Name, doc.Modified = w.file(name+".md", text), name, day(3)
		w.c.Rows, text = append(w.c.Rows, doc), "nothing"
	}
	b := w.run("leeway", Options{Keep: 3})
	var got []string
	for _, r := range b.Results {
		got = append(got, fmt.Sprint(r.Title, " ", r.Titled()))
		for _, h := range r.Hits {
			got = append(got, h.Section)
		}
	}
	want := []string{"Leeway true", "Leeway is a file name true", "Talk false", "", "Leeway is agreed false", "", "Key Decisions", "Add the leeway"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestKinds: a backup is found only if its session is gone. A compaction isn't searched, because its session has the
// summary.
func TestKinds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	talk := w.session("talk", "Talk", 3, "leeway")
	talk.Live = &sessions.Live{}
	side := func(text string) string {
		return strings.Replace(user(3, text), `"type":"user"`, `"type":"user","isSidechain":true`, 1)
	}
	talk.Agents = []string{w.file("talk/agent-1.jsonl", side("leeway found")), w.file("talk/agent-2.jsonl", side("leeway too"))}
	w.file("talk/agent-1.meta.json", `{"agentType":"Explore"}`)
	talk.Agents = append(talk.Agents, w.file("talk/agent-acompact-3.jsonl", side("leeway summed up"))) // must not be searched
	for name, original := range map[string]string{"gone": "", "there": talk.Path} {
		w.session(name, "Copy "+name, 1, "leeway copied")
		r := &w.c.Rows[len(w.c.Rows)-1]
		r.Kind, r.Original, r.Created = sessions.KindBackup, original, day(1)
	}
	for _, c := range []struct{ query, want string }{
		{"leeway", "Talk 3: you leeway | Explore leeway found | agent leeway too\nCopy gone 1: you leeway copied"},
		{"leeway is:subagent", "Talk 2: Explore leeway found | agent leeway too"},
		{"leeway role:explore", "Talk 1: Explore leeway found"},
		{"leeway -is:subagent is:live", "Talk 1: you leeway"},
		{"leeway is:backup", "Copy gone 1: you leeway copied"},
		{"leeway is:backup is:live role:you", "Talk 1: you leeway\nCopy gone 1: you leeway copied"},
		{"copy", "Copy gone 0:"},
		{"copy is:live", ""},
	} {
		if got := shown(w.run(c.query, Options{Keep: 3})); got != c.want {
			t.Errorf("%q finds\n%s\nwant\n%s", c.query, got, c.want)
		}
	}
}

// TestStreamOfCalls: matches of the index come before the transcripts are read. Then each transcript's matches come
// at once.
func TestStreamOfCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("talk", "Talk", 1, "leeway")
	const call = `{"type":"assistant","uuid":"a","timestamp":"2026-11-02T10:00:00Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"leeway"}]}}` + "\n"
	w.file("talk.jsonl", user(1, "leeway")+call)
	if err := w.c.Index.Update(t.Context(), w.c.Files(t.Context())); err != nil {
		t.Fatal(err)
	}
	q, err := query.Parse("leeway", day(26))
	if err != nil {
		t.Fatal(err)
	}
	var hits []int
	Run(t.Context(), &w.c, q, Options{Scope: All, Keep: 3}, func(b Batch) { hits = append(hits, b.Hits) })
	if !slices.Equal(hits, []int{1, 2}) {
		t.Errorf("batches have %v matches, want those of the index first", hits)
	}

	hits = nil
	g := newGroups(&w.c, q, Options{Keep: 3}, func(b Batch) { hits = append(hits, b.Hits) })
	o := g.corpus.byPath[w.c.Rows[0].Path]
	g.add(&o, Hit{Path: "a"}, []byte("leeway"), nil)
	g.tick()
	if len(hits) > 0 {
		t.Errorf("one match is sent before the index was searched")
	}
	g.sendNews()
	g.add(&o, Hit{Path: "b"}, []byte("leeway"), nil)
	g.sent = g.sent.Add(-pause)
	g.tick()
	g.sent = g.sent.Add(-pause)
	g.tick() // sends nothing, because there is nothing new
	if !slices.Equal(hits, []int{1, 2}) {
		t.Errorf("batches have %v matches, want 1 and 2", hits)
	}
}

// TestPanicOfAReader: the goroutine that reads a transcript panics, so Run panics.
func TestPanicOfAReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("talk", "Talk", 1, "leeway")
	const thought = `{"type":"assistant","uuid":"a","message":{"role":"assistant","content":[{"type":"thinking","thinking":"leeway"}]}}` + "\n"
	w.file("talk.jsonl", strings.Repeat(thought, firstHits))
	q, err := query.Parse("leeway", day(26))
	if err != nil {
		t.Fatal(err)
	}
	bug := sessions.Catch(func() { Run(t.Context(), &w.c, q, Options{Scope: All}, func(Batch) { panic("in a batch") }) })
	if bug == nil || bug.Value != "in a batch" || !strings.Contains(string(bug.Stack), "callReader") {
		t.Errorf("caught %v", bug)
	}
}

// TestStream: results come while the search runs, but not after a cancel.
func TestStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("many", "Many", 1, slices.Repeat([]string{"leeway"}, 20)...)
	for i := range 20 {
		w.session(fmt.Sprint("s", i), "Other", 1, slices.Repeat([]string{"leeway"}, 10)...)
	}
	if err := w.c.Index.Update(t.Context(), w.c.Files(t.Context())); err != nil {
		t.Fatal(err)
	}
	q, err := query.Parse("leeway", day(26))
	if err != nil {
		t.Fatal(err)
	}
	var batches []Batch
	Run(t.Context(), &w.c, q, Options{Keep: 3}, func(b Batch) { batches = append(batches, b) })
	if len(batches) < 2 || batches[0].Hits != firstHits || batches[0].Done || batches[len(batches)-1].Hits != 220 {
		t.Errorf("%d batches", len(batches))
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	Run(ctx, &w.c, q, Options{Keep: 3}, func(Batch) { n++; cancel() })
	if n != 1 {
		t.Errorf("%d batches of a search that was cancelled at the first", n)
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("pad ", 100)
	for _, c := range []struct{ query, text, want string }{
		{"leeway", "Keep the\n leeway\tat 30 s ", "Keep the [leeway] at 30 s"},
		{`/the\s/`, "Keep the leeway", "Keep [the] leeway"},
		{`/\s+the/`, "Keep the leeway", "Keep [the] leeway"},
		{`"the leeway"`, "Keep the\n\tleeway", "Keep [the leeway]"},
		{"two three", "two " + long + "one two three", "…" + strings.Repeat("pad ", 18) + "one [two] [three]"},
		{"leeway", "Two clocks differ, e.g. by 4 s. The\nleeway covers it", "The [leeway] covers it"},
		{"leeway", "No. " + long + "the leeway", "…" + strings.Repeat("pad ", 18) + "the [leeway]"},
		{"red", "a \x1b[31mred\x1b[0m rose", "a [red] rose"},
		{"库", strings.Repeat("数", 100) + "库", "…" + strings.Repeat("数", 27) + "[库]"},
	} {
		q, err := query.Parse(c.query, day(26))
		if err != nil {
			t.Fatal(err)
		}
		spans, _ := q.Match([]byte(c.text))
		line, marks := snippet(clip([]byte(c.text), spans, prompt))
		got, at := "", 0
		for _, m := range marks {
			got += line[at:m.Start] + "[" + line[m.Start:m.End] + "]"
			at = m.End
		}
		if got += line[at:]; got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

// FuzzSnippet: a snippet is a clean line, and its marks are around matches.
func FuzzSnippet(f *testing.F) {
	f.Add("Keep the leeway at 30 s, 60 is too generous", "leeway")
	f.Add(strings.Repeat("数据库 ", 100)+"leeway", "数据")
	f.Add("a\n\n\tb  \x1b[31mc", "b")
	f.Add("w \x1d\x1d\x1d\x1d\x1d [", "\x1d")
	f.Fuzz(func(t *testing.T, text, word string) {
		q, err := query.Parse(word, day(26))
		if err != nil || !utf8.ValidString(text) || !utf8.ValidString(word) {
			return
		}
		spans, ok := q.Match([]byte(text))
		if !ok || len(q.Terms) == 0 {
			return
		}
		line, marks := snippet(clip([]byte(text), spans, form(len(text)%3)))
		if transcript.CleanLine(line) != line {
			t.Errorf("snippet %q of %q isn't clean", line, text)
		}
		if len(spans) > 0 && len(marks) == 0 && transcript.CleanLine(word) != "" && transcript.CleanLine(text) == text {
			t.Errorf("snippet %q of %q has no mark", line, text)
		}
		// A regular expression can depend on the text around a match. Cleaning can change a match.
		matches := len(q.Terms) == 1 && !strings.ContainsAny(word, `/"`) && transcript.CleanLine(text) == text
		last := 0
		for _, m := range marks {
			if m.Start < last || m.End <= m.Start || m.End > len(line) || !utf8.ValidString(line[m.Start:m.End]) {
				t.Fatalf("mark %v in %q of %q", m, line, text)
			}
			last = m.End
			if _, ok := q.Match([]byte(line[m.Start:m.End])); matches && !ok && m.End-m.Start < maxMark-utf8.UTFMax {
				t.Errorf("the mark %q in %q doesn't match %q", line[m.Start:m.End], line, word)
			}
		}
		if len(line) > 4*(snippetBefore+snippetAfter+maxMark) {
			t.Errorf("snippet has %d bytes", len(line))
		}
	})
}

// TestSnippetTogether: a snippet starts where the words of the query are close together.
func TestSnippetTogether(t *testing.T) {
	t.Parallel()
	text := "leeway leeway leeway" + strings.Repeat(" and more", 40) + " then the leeway of the clock. " + strings.Repeat("More. ", 40)
	var spans []query.Span
	for at, word := range []string{"leeway", "leeway", "leeway", "leeway", "clock"} {
		from := 0
		if at > 0 {
			from = spans[at-1].End
		}
		start := from + strings.Index(text[from:], word)
		spans = append(spans, query.Span{Start: start, End: start + len(word)})
	}
	line, marks := snippet(clip([]byte(text), spans, prompt))
	if !strings.Contains(line, "then the leeway of the clock") || len(marks) != 2 {
		t.Errorf("snippet is %q with %d marks", line, len(marks))
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session("plain", "Plain", 1, "leeway")
	w.session("starred", "Starred", 2, "leeway", "leeway again").Starred = true
	w.session("archived", "Archived", 4, "leeway").Archived = true
	w.session("tagged", "Tagged", 5, "leeway").Tags = []string{"auth", "ldap"}
	for text, want := range map[string]string{
		"is:starred":                    "Starred",
		"is:archived":                   "Archived",
		"tag:LDAP":                      "Tagged",
		"tag:none":                      "",
		"-is:archived":                  "Tagged Starred Plain",
		"-tag:auth":                     "Archived Starred Plain",
		"leeway is:starred is:archived": "Archived Starred",
		"leeway is:starred tag:auth":    "",
		"leeway tag:auth":               "Tagged",
	} {
		var titles []string
		for _, r := range w.run(text, Options{Keep: 1}).Results {
			titles = append(titles, r.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("%s finds %q, want %q", text, got, want)
		}
	}
}

// TestLost: a session that has only backups is found once, with its notes. After a restore, no backup is found.
func TestLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, name := range []string{"first", "second"} {
		w.session(name, "Copy", 1, "leeway "+name)
		r := &w.c.Rows[len(w.c.Rows)-1]
		saved := *r
		saved.Name, saved.ID, saved.Tags, saved.Starred, saved.Last = "My sketch", "7c41e9d2", []string{"tea"}, true, day(3)
		r.Kind, r.Of, r.Created, r.Flags, r.Saved = sessions.KindBackup, "7c41e9d2", day(10+i), []sessions.Flag{sessions.FlagBackupOnly}, &saved
	}
	for _, c := range []struct{ query, want string }{
		{"leeway", "My sketch 1: you leeway second"},
		{"sketch", "My sketch 0:"},
		{"sketch after:2026-11-09", ""},
		{"is:starred tag:tea", "My sketch 0:"},
		{"7c41e9", "My sketch 0:"},
		{"copy", ""},
	} {
		if got := shown(w.run(c.query, Options{Keep: 3})); got != c.want {
			t.Errorf("%q finds\n%s\nwant\n%s", c.query, got, c.want)
		}
	}
	rows := w.c.Rows
	w.c = Corpus{Index: w.c.Index, Rows: rows}
	w.session("restored", "First sketch", 1, "leeway restored").ID = "7c41e9d2"
	if got, want := shown(w.run("leeway", Options{Keep: 3})), "First sketch 1: you leeway restored"; got != want {
		t.Errorf("restored: %q, want %q", got, want)
	}
}

func TestSnippetMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"## Code\n\n```go\n// leeway is long\n```\n":                                "// leeway is long",
		"- [x] HIGH: Agree on a **leeway**\n- [ ] more":                             "HIGH: Agree on a leeway",
		"| ${PROJECT_ROOT}/a.go | The leeway | 14:25 |\n|---|---|\n| a#b | c |":     "a.go · The leeway · 14:25",
		"| " + strings.Repeat("long ", 30) + "| A leeway | 14:25 |":                 "…A leeway · 14:25",
		"1. Two clocks\n2. One leeway\n3. Done":                                     "One leeway",
		"Two clocks differ. One leeway\nof 30 s covers it.\n\nDone.":                "One leeway of 30 s covers it.",
		"#### 2026-11-27T10:38:21Z - The leeway\n\n**Decision**: 30 s.\n**Why**: x": "The leeway · Decision: 30 s.",
		"Set it:\n```go\nfunc f() {\n\treturn c.Exp - leeway // # 1\n}\n```":        "return c.Exp - leeway // # 1",
		"> - 2026-11-27T10:38:21Z - Leeway, leeway":                                 "Leeway, leeway",
		"<command-name>/plan</command-name><command-args>a leeway</command-args>":   "/plan a leeway",
		"a <b>leeway</b>":     "a <b>leeway</b>",
		"a leeway # of 3 * 2": "a leeway # of 3 * 2",
		"---\ntags: [leeway, clock]\nrepo: tea\n---\nText": "tags: [leeway, clock]",
		"---\n\nOne rule. - A *leeway*\n":                  "- A *leeway*",
	} {
		at := strings.Index(text, "leeway")
		line, marks := snippet(clip([]byte(text), []query.Span{{Start: at, End: at + 6}}, markdown))
		if line != want || len(marks) != 1 || line[marks[0].Start:marks[0].End] != "leeway" {
			t.Errorf("%q: %q %v, want %q", text, line, marks, want)
		}
	}
}

func TestSnippetPrefersProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"```go\nconst leeway = 30\n```\n\nThe leeway is agreed.":                     "The leeway is agreed.",
		"---\ntags: leeway\n---\nThe leeway is agreed.":                              "The leeway is agreed.",
		"<!-- leeway -->\n\nThe leeway is agreed.":                                   "The leeway is agreed.",
		"| leeway | 30 |\n\nThe leeway is agreed.":                                   "The leeway is agreed.",
		"The leeway leeway-leeway is prose.\n```\nleeway\n```\n":                     "The leeway leeway-leeway is prose.",
		"The leeway. " + strings.Repeat("More. ", 60) + "\n```\nleeway, 30 s\n```\n": "leeway, 30 s",
	} {
		q, err := query.Parse("leeway", day(26))
		if strings.Contains(want, ",") {
			q, err = query.Parse("leeway s", day(26))
		}
		if err != nil {
			t.Fatal(err)
		}
		spans, _ := q.Match([]byte(text))
		if got, _ := snippet(clip([]byte(text), spans, markdown)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSnippetOfOutput(t *testing.T) {
	t.Parallel()
	text := "package auth\n\n# leeway of **30** s\nconst x = 1\n"
	at := strings.Index(text, "leeway")
	if got, _ := snippet(clip([]byte(text), []query.Span{{Start: at, End: at + 6}}, printed)); got != "# leeway of **30** s" {
		t.Errorf("snippet is %q", got)
	}
}
