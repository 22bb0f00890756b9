package document

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

var updateGolden = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // a flag

// specSections returns the section headings of spec 000, in order.
func specSections() []string {
	return []string{
		"Session Summary", "Accomplishments", "Key Decisions & Patterns", "Clarifications & Decisions", "Failed Approaches",
		"Git Context", "Current State", "Remaining Todos", "Next Steps", "Key Files", "Environment Notes", "Code Context",
		"Context & Notes",
	}
}

// knownSession returns facts with every kind of entry.
func knownSession(t *testing.T) *Known {
	t.Helper()
	d := digest.Digest{
		Start: at(t, "2026-11-21T13:00:00Z"), End: at(t, "2026-11-21T14:02:00Z"), Cwd: "/home/ada/teahouse", Branch: "main",
		Version: "2.1.329", Models: []string{"claude-opus-4-6"}, Tokens: transcript.Usage{Input: 900, Output: 300, CacheRead: 90_000},
		Asked: 3, Answered: 9, Ran: 4, RanBadly: 1, Compactions: 1, Agents: 2, Hidden: true, Ending: digest.EndInterrupted,
		Answer: "Guest tokens are fixed.\nNot done: the *admin* console.",
		Files: []digest.File{
			{Path: "/home/ada/teahouse/src/auth/jwt.go", Added: 13, Removed: 2, Changes: 2},
			{Path: "/home/ada/teahouse/src/auth/jwt_test.go", Added: 40, Changes: 1, Created: true},
			{Path: "/etc/hosts", Added: 1, Removed: 1, Changes: 1},
		},
		Elsewhere: 1,
		Todos: []digest.Todo{
			{Text: "Write the failing test", Status: "completed"},
			{Text: "Guest tokens", Status: "in_progress", Priority: "high"},
			{Text: "The admin console", Status: "pending"},
			{ID: "7", Status: "pending"},
		},
	}
	d.Prompts.First = []digest.Prompt{
		{Text: "Tokens issued right before midnight cannot be refreshed. Find out why and fix it."},
		{Text: "# Not a heading\n---\n<!-- nor a comment", Images: 1},
	}
	d.Prompts.Left = 1
	d.Prompts.Last = []digest.Prompt{{Images: 2}}
	d.Commands.First = []digest.Command{
		{Text: "go test ./...", Times: 3, Failed: true, Exit: "Exit code 1: --- FAIL: TestRefresh"},
		{Text: "echo `date`", Times: 1},
	}
	d.Failures.First = []digest.Failure{
		{Tool: "Bash", About: "go test ./...", Text: "Exit code 1: --- FAIL: TestRefresh"}, {Text: "API Error: 529 overloaded"},
	}
	d.Decisions.First = []digest.Decision{
		{Kind: digest.Answered, About: "How much leeway?", Said: "30 seconds"},
		{Kind: digest.Approved, About: "One clock", Said: "# One clock\n\n- pass it in\n```go\nnow()\n```"},
		{Kind: digest.Refused, About: "Bash rm -rf build", Said: "keep it, I need the log"},
		{Kind: digest.Unanswered, About: "Which host?"},
	}
	d.Commits.First = []digest.Commit{{Hash: "8c1f02e", Subject: "auth: test a refresh across midnight"}}
	d.Summaries.Last = []string{"This session is being continued.\n\n## Heading\n1. Two verifiers"}
	return &Known{
		At: at(t, "2026-11-21T14:05:00Z"), Session: "7c41e9d2-0000-4000-8000-000000000000", Name: "Fix refresh token race at midnight",
		Project: "teahouse", Root: "/home/ada/teahouse", Tags: []string{"auth", "two words"}, Previous: "session-2026-11-20-0900Z.md", Digest: d,
		Git: &Git{
			Branch: "fix/token-race", Commits: []digest.Commit{{Hash: "8c1f02e", Subject: "auth: test a refresh across midnight"}},
			Changed: []string{"src/auth/jwt.go", "a `b`.txt"}, ChangedLeft: 2,
		},
	}
}

// handoverOf makes a handover from the digest of a session.
func handoverOf(k *Known) *handover.Handover {
	d := &k.Digest
	h := &handover.Handover{When: k.At, Session: k.Session, State: d.Answer, Outcome: k.Status}
	for _, i := range TaskItems(d.Todos) {
		if i.Status.IsOpen() {
			h.Items = append(h.Items, i)
		} else {
			h.Done = append(h.Done, i.Title)
		}
	}
	if k.Git != nil {
		h.Git.Branch = k.Git.Branch
	}
	for _, c := range d.Commits.First {
		h.Done = append(h.Done, c.Subject)
	}
	for _, a := range d.Decisions.First {
		if a.Kind == digest.Answered || a.Kind == digest.Unanswered {
			h.Questions = append(h.Questions, handover.Question{Text: a.About, Answer: a.Said})
		}
	}
	return h
}

func compose(k *Known) []byte { return ComposeHandover(handoverOf(k), k) }

func TestComposeGolden(t *testing.T) {
	t.Parallel()
	k := knownSession(t)
	note := HandoverNote(handoverOf(k))
	got := string(compose(k)) + "\n======== active-context.md ========\n" + string(note.Write([]byte(NewContext), "session-2026-11-21-1405Z.md"))
	path := filepath.Join("testdata", "composed.golden")
	if *updateGolden {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the document differs from the golden file; if that is right, use -update:\n%s", got)
	}
}

// wantDocument checks that each section occurs once and in order, and that texts of the session add no headings,
// fences or comments.
func wantDocument(t *testing.T, k *Known, text []byte) {
	t.Helper()
	front, body, err := SplitFrontMatter(text)
	if err != nil || front == nil {
		t.Fatalf("front matter: %v", err)
	}
	m, err := readFrontMatter(front)
	if err != nil {
		t.Fatalf("front matter: %v\n%s", err, front)
	}
	previous := k.Previous
	if got := m.one("previous_session"); got != previous && !sessions.IsNone(previous) {
		t.Errorf("previous is %q", got)
	}
	if got := m.one("date"); got != k.At.UTC().Format(time.RFC3339) {
		t.Errorf("date is %q", got)
	}
	if got, want := m.one("project"), transcript.CleanLine(k.Project); got != want && len(want) <= maxYAML {
		t.Errorf("project is %q, not %q", got, want)
	}
	if len(m["tags"]) != len(k.Tags) {
		t.Errorf("tags are %q, not %q", m["tags"], k.Tags)
	}
	var sections []string
	for i, line := range strings.Split(string(body), "\n") {
		bare := strings.TrimLeft(line, " >")
		for {
			_, rest, ok := sessions.CutBullet(bare)
			if !ok {
				break
			}
			bare = strings.TrimLeft(rest, " >")
		}
		if name, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, name)
			continue
		}
		if strings.HasPrefix(bare, "#") {
			t.Errorf("line %d is a heading: %q", i, line)
		}
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			t.Errorf("line %d is a fence: %q", i, line)
		}
		if strings.Contains(withoutCode(line), "<") && line != writtenFrom {
			t.Errorf("line %d has a tag: %q", i, line)
		}
		if quote := strings.TrimLeft(line, " >"); quote != "" && strings.Trim(quote, "-") == "" || strings.HasPrefix(quote, "=") {
			t.Errorf("line %d is a rule: %q", i, line)
		}
		if transcript.Clean(line) != line {
			t.Errorf("line %d is not clean: %q", i, line)
		}
	}
	want := specSections()
	if k.Git == nil {
		want = slices.DeleteFunc(want, func(s string) bool { return s == "Git Context" })
	}
	if !slices.Equal(sections, want) {
		t.Errorf("sections %q", sections)
	}
	if !strings.Contains(string(body), unknown) {
		t.Error("no section is left open")
	}
}

func withoutCode(line string) string {
	var b strings.Builder
	code := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '`':
			code = !code
		case code: // code has no escapes
		case c == '\\' && i+1 < len(line):
			b.WriteString(line[i : i+2])
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func TestCompose(t *testing.T) {
	t.Parallel()
	k := knownSession(t)
	wantDocument(t, k, compose(k))
	bare := &Known{At: k.At, Session: "x", Project: "null"}
	wantDocument(t, bare, compose(bare))

	d := written(t, KindSession, "session-2026-11-21-1405Z.md", string(compose(k)))
	if d.Problem != "" || d.Status != "in-progress" || d.Branch != "fix/token-race" || d.Previous != k.Previous || !d.Date.Equal(k.At) {
		t.Errorf("%+v", d)
	}
	if !slices.Equal(d.Tags, k.Tags) || d.Summary != "Guest tokens are fixed." {
		t.Errorf("tags %q, summary %q", d.Tags, d.Summary)
	}
	if len(d.Next) != 2 || len(d.Todos) != 2 || d.Todos[0].Text != "Guest tokens (in progress)" || d.Todos[0].Priority != "high" || d.Todos[1].Priority != "" {
		t.Errorf("next %q, todos %+v", d.Next, d.Todos)
	}
	if k.Status = "completed"; !strings.Contains(string(compose(k)), "\nstatus: completed\n") {
		t.Error("the requested status is missing")
	}
}

// hostile returns facts whose texts are all s.
func hostile(s string) *Known {
	d := digest.Digest{
		Cwd: s, Branch: s, Version: s, Models: []string{s}, Asked: 1, Answered: 1, Ran: 1, Answer: s, Compactions: 1,
		Files: []digest.File{{Path: s}}, Todos: []digest.Todo{{Text: s, Priority: s}, {ID: s}, {Text: s, Status: "completed"}},
	}
	d.Prompts.First = []digest.Prompt{{Text: s}}
	d.Commands.First = []digest.Command{{Text: s, Times: 1, Failed: true, Exit: s}}
	d.Failures.First = []digest.Failure{{Tool: s, About: s, Text: s}}
	d.Commits.First = []digest.Commit{{Hash: s, Subject: s}}
	d.Summaries.Last = []string{s}
	for _, kind := range []digest.DecisionKind{digest.Answered, digest.Unanswered, digest.Approved, digest.Refused} {
		d.Decisions.First = append(d.Decisions.First, digest.Decision{Kind: kind, About: s, Said: s})
	}
	return &Known{
		At: time.Date(2026, 11, 21, 14, 5, 0, 0, time.UTC), Session: s, Name: s, Project: s, Root: "/p", Previous: "session-x.md",
		Digest: d, Git: &Git{Branch: s, Changed: []string{s}, Commits: []digest.Commit{{Hash: s, Subject: s}}},
	}
}

func hostileTexts() []string {
	return []string{
		"# heading", "a\n## Remaining Todos\n- [ ] HIGH: no", "---\nstatus: completed\n---", "```\n# x\n```", "~~~\nx", "<!-- a", "a --> b", "=====", "x\n===",
		"`<!--`", "``` `a` ```", "[a](javascript:alert(1))", "![x](http://example.org)", "<script>", "@~/.ssh/id", "\x1b]0;x\x07", "a\u2028# b", "\r# x",
		"+ a", "> a", "- [ ] a", "1. a", "  # a", "\t# a", "&lt;", "\"quoted\": yes", "- a\n#b", "'", "%", "!tag", "*alias", "\\", "a\\", "\u202eabc", "|a|b|\n|-|-|",
	}
}

func TestComposeHostile(t *testing.T) {
	t.Parallel()
	for _, s := range hostileTexts() {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			k := hostile(s)
			wantDocument(t, k, compose(k))
			note := HandoverNote(handoverOf(k))
			wantNote(t, note)
		})
	}
}

// wantNote checks that each line of the note starts with a label of continuo.
func wantNote(t *testing.T, n ContextNote) {
	t.Helper()
	text := string(n.Write([]byte(NewContext), "session-x.md"))
	for _, line := range strings.Split(strings.TrimPrefix(text, NewContext), "\n") {
		if strings.Contains(withoutCode(line), " @") {
			t.Errorf("%q imports a file", line)
		}
	}
	for _, line := range n.lines {
		if !isSessionLine([]byte(line)) || strings.ContainsAny(withoutCode(line), "\r\n<") {
			t.Errorf("line %q", line)
		}
	}
	if again := string(n.Write([]byte(text), "session-x.md")); again != text {
		t.Errorf("the second time it is %q, not %q", again, text)
	}
}

func FuzzCompose(f *testing.F) {
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4<<10 {
			return
		}
		k := hostile(s)
		wantDocument(t, k, compose(k))
		wantNote(t, HandoverNote(handoverOf(k)))
	})
}

// TestComposeCorpus composes a document from every real transcript.
func TestComposeCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS names no config dirs")
	}
	n, most := 0, 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			tr, err := transcript.Open(t.Context(), path)
			if err != nil {
				return nil // not a transcript
			}
			defer tr.Close()
			d, err := digest.Read(t.Context(), tr)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			k := &Known{At: at(t, "2026-11-21T14:05:00Z"), Session: strings.TrimSuffix(e.Name(), ".jsonl"), Project: "corpus", Root: d.Cwd, Digest: d}
			text := compose(k)
			wantDocument(t, k, text)
			wantNote(t, HandoverNote(handoverOf(k)))
			if t.Failed() {
				t.Fatalf("document of %s", path)
			}
			if !reflect.DeepEqual(text, compose(k)) {
				t.Errorf("%s: the second document differs", path)
			}
			n, most = n+1, max(most, len(text))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if most > 128<<10 {
		t.Errorf("the longest document has %d bytes", most)
	}
	t.Logf("%d transcripts, the longest document has %d bytes", n, most)
}
