package cli

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestListTerminal(t *testing.T) {
	t.Parallel()
	rows := teahouse()
	for range 3 {
		rows = append(rows, row("00000000-0000-4000-8000-000000000001", "", state(sessions.StateStub)))
	}
	rows = append(rows, row("00000000-0000-4000-8000-000000000003", "", state(sessions.StateEmpty)))
	rows = append(rows, row("00000000-0000-4000-8000-000000000002", "", flags(sessions.FlagSDK)))
	v := find.SelectRows(rows, find.Scope{Project: "/home/ada/code/teahouse"}, find.RowFilter{Hide: true}, 8)
	got := find.Text(v, find.ListLook{Width: 100, Now: now(), Styles: render.NewStyles(render.None)})
	const want = `teahouse and 2 worktrees, 8 of 9 sessions                     branch           age  msgs  id

● Fix refresh token race at midnight                    live  fix/token-race    2m   142  3f9ac1e0
? Move the slot picker to the server           waits for you  slots            11m    64  b81d22f7
· Add a cancellation window to bookings                       main              1h    88  90e4c5aa
· Why is the nightly export slow?                             main              3h    31  5d07be13
· Split the booking handler from the router                   main              1d   207  e2c8810f
◇ Rewrite the waitlist e-mails                 hidden branch  waitlist          1d   119  0b9f4d62
· Seed data for the demo tenant                               demo              5d    47  c7715e08
▲ Opening hours: one model for all tenants      purge in 2 d  hours            28d   241  a6e01b3c

1 more: --limit 0 shows all. 4 stubs and 1 headless run are hidden: --all shows them.
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestListFits: colours must not change the text.
func TestListFits(t *testing.T) {
	t.Parallel()
	rows := append(teahouse(), row("日本語のとても長い名前のファイル", strings.Repeat("長い題名 ", 40), in("/p/茶", "/p/茶")))
	v := find.SelectRows(rows, find.Scope{}, find.RowFilter{}, 0)
	for width := 1; width <= 130; width++ {
		plain := find.Text(v, find.ListLook{Width: width, Now: now(), Styles: render.NewStyles(render.None)})
		body, _, _ := strings.Cut(plain, "\n\n"+"") // heading and rows
		for line := range strings.SplitSeq(plain, "\n") {
			if n := ansi.StringWidth(line); n > max(width, 3) || strings.HasSuffix(line, " ") {
				t.Errorf("width %d: a line of %d cells: %q", width, n, line)
			}
		}
		for _, theme := range []render.Theme{render.Mono, render.Light16, render.Dark16} {
			colour := ansi.Strip(find.Text(v, find.ListLook{Width: width, Now: now(), Styles: render.NewStyles(theme)}))
			if trimLines(colour) != trimLines(plain) {
				t.Errorf("width %d: theme %d has other cells than %q", width, theme, body)
			}
		}
	}
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestListPiped(t *testing.T) {
	t.Parallel()
	rows := teahouse()
	lost := row("lost", "", branch(""), in("", "/w"), state(sessions.StateUnreadable))
	picked := []sessions.Row{lost, rows[0], rows[1], rows[5], rows[7], rows[8], row("odd", "a\tb\x1b[31mc\nd", branch(""), in("", "/x/a  b\n\x1b]0;t\ac"))}
	const want = `lost	broken	-	-	-	/w	-
3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35	live	2026-11-21T15:50:00Z	142	fix/token-race	/home/ada/code/teahouse	Fix refresh token race at midnight
b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab	waits-for-you	2026-11-21T15:41:00Z	64	slots	/home/ada/wt/slots	Move the slot picker to the server
0b9f4d62-e1a8-47c3-b55f-2f6c90d4ae71	hidden-branch	2026-11-20T15:52:00Z	119	waitlist	/home/ada/wt/mails/src	Rewrite the waitlist e-mails
a6e01b3c-77d2-4b09-91fe-c03a58e4d612	purge-soon	2026-10-24T15:52:00Z	241	hours	/home/ada/code/teahouse	Opening hours: one model for all tenants
7c41e9d2-2d90-4a5e-8f37-b16e0c9ad584	only-copy	2026-10-11T15:52:00Z	318	main	/home/ada/code/teahouse	First sketch of the booking flow
odd	ok	-	0	-	/x/a  b�c	a bc d
`
	if got, _ := printedRows(picked, false); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestListPipedHidesNothing(t *testing.T) {
	t.Parallel()
	rows := append(teahouse(),
		row("s", "", state(sessions.StateStub)), row("p", "x", flags(sessions.FlagSDK)),
		row("b", "x", kind(sessions.KindBackup)), row("d", "x", kind(sessions.KindDocument)))
	_, stdout, stderr := testRun{src: fakeSource{rows: rows}, args: []string{"list"}}.do(t)
	if n := strings.Count(stdout, "\n"); n != len(rows) {
		t.Errorf("%d rows of %d", n, len(rows))
	}
	if want := "All projects, 11 sessions, 1 backup and 1 memory file\n"; stderr != want {
		t.Errorf("stderr %q, want %q", stderr, want)
	}
	_, stdout, stderr = testRun{src: fakeSource{rows: rows}, args: []string{"list", "--json"}, terminal: true}.do(t)
	var all []map[string]any
	if err := json.Unmarshal([]byte(stdout), &all); err != nil || len(all) != len(rows) || stderr != "" {
		t.Errorf("%d objects of %d, %v, stderr %q", len(all), len(rows), err, stderr)
	}
	_, stdout, _ = testRun{src: fakeSource{rows: rows}, args: []string{"list"}, terminal: true, width: 120}.do(t)
	if want := "1 stub, 1 headless run, 1 backup and 1 memory file are hidden: --all shows them.\n"; !strings.HasSuffix(stdout, want) {
		t.Errorf("the list has a different end:\n%s", stdout)
	}
	_, stdout, _ = testRun{src: fakeSource{rows: rows}, args: []string{"list", "--all"}, terminal: true, width: 120}.do(t)
	if strings.Contains(stdout, "hidden:") || strings.Count(stdout, "\n") != len(rows)+2 {
		t.Errorf("--all hides something:\n%s", stdout)
	}
}

func printedRows(rows []sessions.Row, json bool) (string, error) {
	var b strings.Builder
	o := out.New(strings.NewReader(""), &b, io.Discard, func(string) string { return "" })
	o.JSON = json
	list := out.Pointers(rows)
	err := find.ListTable(list).Print(o, list, "")
	return b.String(), err
}

func TestListJSON(t *testing.T) {
	t.Parallel()
	full := row("id", "name", messages(3), flags(sessions.FlagLive, sessions.FlagSDK), func(r *sessions.Row) {
		r.Created, r.Modified = now(), now().Add(1500*time.Millisecond)
		r.First, r.Last = now(), now().In(time.FixedZone("", 3600))
		r.Tokens = transcript.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4}
		r.ContextTokens, r.ContextBase = 9, 7
		r.Prompt, r.Bytes, r.Version, r.Reason, r.Pending = "ask", 9, "2.1.0", "none", true
		r.Models, r.Agents = []string{"m"}, []string{"/a.jsonl"}
	})
	got, err := printedRows([]sessions.Row{full}, true)
	if err != nil {
		t.Fatal(err)
	}
	const want = "[\n" + `{"kind":"session","id":"id","path":"/home/ada/.claude/projects/-home-ada-code-teahouse/id.jsonl",` +
		`"project":"/home/ada/code/teahouse","workdir":"/home/ada/code/teahouse","name":"name","firstPrompt":"ask","branch":"main",` +
		`"created":"2026-11-21T15:52:00Z","modified":"2026-11-21T15:52:01.5Z","firstMessage":"2026-11-21T15:52:00Z","lastMessage":"2026-11-21T15:52:00Z",` +
		`"messages":3,"tokens":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4},"context":{"tokens":9,"base":7},"bytes":9,"version":"2.1.0","state":"ok",` +
		`"flags":["live","sdk"],"reason":"none","models":["m"],"agents":["/a.jsonl"],"pending":true,"picker":"headless run"}` + "\n]\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestListJSONShape: unknown times and counts are null, but lists never are.
func TestListJSONShape(t *testing.T) {
	t.Parallel()
	if got, err := printedRows(nil, true); err != nil || got != "[\n]\n" {
		t.Errorf("no rows: %q, %v", got, err)
	}
	var counted, quick, unreadable sessions.Row
	counted.Exact = true
	unreadable.Exact, unreadable.State = true, sessions.StateUnreadable
	for i, bare := range []sessions.Row{counted, quick, unreadable} {
		text, err := printedRows([]sessions.Row{bare}, true)
		if err != nil {
			t.Fatal(err)
		}
		var objects []map[string]any
		if err := json.Unmarshal([]byte(text), &objects); err != nil {
			t.Fatal(err)
		}
		o := objects[0]
		keys := slices.Sorted(maps.Keys(o))
		want := strings.Fields("agents branch bytes context created firstMessage firstPrompt flags id kind lastMessage messages models modified name path pending project reason state tokens version workdir")
		if !slices.Equal(keys, want) {
			t.Errorf("keys %v, want %v", keys, want)
		}
		for _, key := range []string{"flags", "models", "agents"} {
			if _, ok := o[key].([]any); !ok {
				t.Errorf("%s is %v", key, o[key])
			}
		}
		for _, key := range []string{"created", "modified", "firstMessage", "lastMessage"} {
			if o[key] != nil {
				t.Errorf("%s is %v", key, o[key])
			}
		}
		if null := i > 0; (o["messages"] == nil) != null || (o["tokens"] == nil) != null {
			t.Errorf("row %d: messages %v, tokens %v", i, o["messages"], o["tokens"])
		}
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	repo, plain := filepath.Join(root, "repo"), filepath.Join(root, "plain")
	for _, dir := range []string{filepath.Join(repo, ".git"), filepath.Join(repo, "src"), plain} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(root, "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}
	rows := []sessions.Row{
		row("a", "", in(repo, filepath.Join(repo, "src"))),
		row("b", "", in(repo, filepath.Join(root, "worktree"))),
		row("c", "", in(plain, plain)),
		row("d", "", in("/elsewhere", "/elsewhere")),
	}
	tests := []struct {
		name, dir string
		args      []string
		want      string
	}{
		{"in a repository", filepath.Join(repo, "src"), nil, "a b"},
		{"through a link", link, nil, "a b"},
		{"in a folder", plain, nil, "c"},
		{"above all projects", root, nil, "a b c d"},
		{"all", repo, []string{"--all"}, "a b c d"},
		{"another project", repo, []string{"--project", plain}, "c"},
		{"another project, from here", root, []string{"--project", "plain"}, "c"},
		{"inside another project", plain, []string{"--project", filepath.Join(repo, "src")}, "a b"},
		{"every project below", plain, []string{"--project", root}, "a b c"},
		{"a project that is gone", plain, []string{"--project", "/elsewhere"}, "d"},
		{"no project", plain, []string{"--project", "/nowhere"}, ""},
		{"all, nothing hidden, of one project", plain, []string{"--project", repo, "--all"}, "a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, _ := testRun{src: fakeSource{rows: rows}, dir: tt.dir, args: append([]string{"list"}, tt.args...)}.do(t)
			var ids []string
			for line := range strings.Lines(stdout) {
				id, _, _ := strings.Cut(line, "\t")
				ids = append(ids, id)
			}
			if got := strings.Join(ids, " "); got != tt.want || code != out.ExitDone {
				t.Errorf("rows %q, want %q; exit code %d", got, tt.want, code)
			}
		})
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{
		row("ok", "", ago(time.Hour)),
		row("stub", "", state(sessions.StateStub), func(r *sessions.Row) { r.Modified = now().Add(-2 * day) }),
		row("empty", "", state(sessions.StateEmpty), func(r *sessions.Row) { r.Modified = now().Add(-4 * day) }),
		row("damaged", "", state(sessions.StateDamaged), ago(9*day)),
		row("sdk", "", flags(sessions.FlagSDK), ago(20*day)),
		row("backup", "", kind(sessions.KindBackup), ago(30*day)),
		row("document", "", kind(sessions.KindDocument), ago(40*day)),
	}
	tests := []struct {
		args     string
		terminal string // IDs listed on a terminal
		piped    string
	}{
		{"", "ok damaged", "ok stub empty damaged sdk backup document"},
		{"--all", "ok stub empty damaged sdk backup document", "ok stub empty damaged sdk backup document"},
		{"--limit 1", "ok", "ok"},
		{"--limit 0", "ok damaged", "ok stub empty damaged sdk backup document"},
		{"--state stub", "stub", "stub"},
		{"--state empty", "empty", "empty"},
		{"--state stub,damaged", "stub damaged", "stub damaged"},
		{"--state stub --state damaged", "stub damaged", "stub damaged"},
		{"--kind backup", "backup", "backup"},
		{"--kind backup,document", "backup document", "backup document"},
		{"--kind session", "ok damaged", "ok stub empty damaged sdk"},
		{"--since 3d", "ok", "ok stub"},
		{"--since 2w", "ok damaged", "ok stub empty damaged"},
		{"--since 2026-11-21", "ok", "ok"},
		{"--since 2026-11-21T15:00:00Z", "", ""},
		{"--state unreadable", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"list"}, strings.Fields(tt.args)...)
			code, stdout, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: 120, args: args}.do(t)
			var ids []string
			for line := range strings.Lines(stdout) {
				fields := strings.Fields(line)
				last := ""
				if len(fields) > 1 {
					last = fields[len(fields)-1]
				}
				if slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.ID == last }) && !strings.HasPrefix(line, "All") {
					ids = append(ids, last)
				}
			}
			if got := strings.Join(ids, " "); got != tt.terminal || code != out.ExitDone {
				t.Errorf("terminal %q, want %q; exit code %d\n%s", got, tt.terminal, code, stdout)
			}
			_, stdout, _ = testRun{src: fakeSource{rows: rows}, args: args}.do(t)
			ids = nil
			for line := range strings.Lines(stdout) {
				id, _, _ := strings.Cut(line, "\t")
				ids = append(ids, id)
			}
			if got := strings.Join(ids, " "); got != tt.piped {
				t.Errorf("piped %q, want %q", got, tt.piped)
			}
		})
	}
}

func TestTerminalLimit(t *testing.T) {
	t.Parallel()
	var rows []sessions.Row
	for range 25 {
		rows = append(rows, row("00000000-0000-4000-8000-000000000000", "x", ago(time.Hour)))
	}
	_, stdout, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: 120, args: []string{"list"}}.do(t)
	if !strings.HasPrefix(stdout, "All projects, 20 of 25 sessions") || !strings.HasSuffix(stdout, "\n5 more: --limit 0 shows all.\n") {
		t.Errorf("got\n%s", stdout)
	}
	if _, stdout, _ = (testRun{src: fakeSource{rows: rows}, args: []string{"list"}}).do(t); strings.Count(stdout, "\n") != 25 {
		t.Errorf("piped %d rows", strings.Count(stdout, "\n"))
	}
}

func TestEmptyList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const next = "Start claude in a project, and its sessions appear here.\nTo use another config directory: continuo --claude-dir PATH\n" +
		"To browse demo sessions: continuo demo\n"
	nothing := "No sessions yet. continuo looked here:\n  ~/.claude/projects  has no sessions\n  CLAUDE_CONFIG_DIR   is not set\n" +
		"  ~/.claude/memory    no backups, no documents\n" + next
	pad := strings.Repeat(" ", max(len(dir)+len("/projects")-len("CLAUDE_CONFIG_DIR"), 0))
	named := "No sessions yet. continuo looked here:\n  " + dir + "/projects  does not exist\n  ~/projects" + pad + "         does not exist\n" +
		"  CLAUDE_CONFIG_DIR" + pad + "  is ignored with --claude-dir\n  ~/.claude/memory" + pad + "   no backups, no documents\n" + next
	tests := []struct{ args, want string }{
		{"list", nothing},
		{"list --all", nothing},
		{"list --claude-dir " + dir + " --claude-dir .", named},
		{"list --state ok", "Nothing matches. Remove a filter.\n"}, // all projects were searched, so no hint at --all
		{"list --state ok --project /x", "Nothing matches. Remove a filter, or list every project: continuo list --all\n"},
		{"list --project /x", "No sessions here. Look in every project: continuo list --all\n"},
	}
	for _, tt := range tests {
		code, stdout, stderr := testRun{terminal: true, args: strings.Fields(tt.args)}.do(t)
		if code != out.ExitDone || stdout != tt.want || stderr != "" {
			t.Errorf("%s: exit code %d\n%s%s", tt.args, code, stdout, stderr)
		}
		if code, stdout, stderr = (testRun{args: strings.Fields(tt.args)}).do(t); code != out.ExitDone || stdout != "" || stderr != tt.want {
			t.Errorf("%s, piped: exit code %d\n%s%s", tt.args, code, stdout, stderr)
		}
	}
}
