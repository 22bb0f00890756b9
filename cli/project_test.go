package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

func lookAtProject(t *testing.T, home string, src fakeSource, dir string) (survey.Project, error) {
	t.Helper()
	var out, errs bytes.Buffer
	d := newDeps(Program{Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	l := place.ProjectLook(d.Env, src, []string{filepath.Join(home, ".claude")}, dir)
	l.Rows, l.Problem = src.rows, src.err
	p, err := survey.ProjectOf(t.Context(), l)
	return p, place.ProjectFailure(d.Env, l, err)
}

func projectTree(t *testing.T) (home, dir string) {
	t.Helper()
	home = mustReal(t, t.TempDir())
	dir = filepath.Join(home, "code", "tea")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return home, dir
}

func TestProjectGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home, dir := projectTree(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=ada", "-c", "user.email=ada@example.org"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+home, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "one")
	git("worktree", "add", "-q", "-b", "other", filepath.Join(home, "code", "tea-other"))
	if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lookAtProject(t, home, fakeSource{}, dir)
	if want := (survey.Repo{Branch: "main", Changed: 1, Known: true}); err != nil || p.Git == nil || *p.Git != want || p.Trees != 1 {
		t.Errorf("%+v, %d worktrees, %v", p.Git, p.Trees, err)
	}
	tree, err := lookAtProject(t, home, fakeSource{}, filepath.Join(home, "code", "tea-other"))
	if err != nil || tree.Dir != dir {
		t.Errorf("a worktree is of %q, %v", tree.Dir, err)
	}
}

// TestProjectNeeds: the items are counted, sorted by urgency, and belong to this project.
func TestProjectNeeds(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	at := in(dir, dir)
	waiting := row("a1", "Move the slot picker", at, ago(time.Minute), func(r *sessions.Row) {
		r.Live = &sessions.Live{Status: sessions.StatusWaiting, WaitingFor: "Edit\x1b[31m"}
	})
	purge := func(id string, days int) sessions.Row {
		return row(id, id, at, ago(20*day), flags(sessions.FlagPurgeSoon), func(r *sessions.Row) {
			r.Purge, r.Path = now().Add(time.Duration(days)*day), dir+"/"+id+".jsonl"
		})
	}
	copyOf := func(name, of string, made time.Duration, change func(*sessions.Row)) sessions.Row {
		r := sessions.Row{Kind: sessions.KindBackup, Of: of}
		r.Path, r.Project, r.Workdir, r.Created, r.State, r.Bytes = filepath.Join(dir, ".claude/memory/raw", name), dir, dir, now().Add(-made), sessions.StateOK, 1000
		change(&r)
		return r
	}
	rows := []sessions.Row{
		waiting, purge("late", 9), purge("soon", 2), purge("saved", 1),
		row("m1", "ended", at, ago(3*time.Hour), flags(sessions.FlagNoBackup), func(r *sessions.Row) { r.Path = dir + "/m1.jsonl" }),
		copyOf("1.jsonl", "saved", 5*time.Hour, func(r *sessions.Row) { r.Pending, r.Unseen = true, false }),
		copyOf("2.jsonl", "", 41*day, func(r *sessions.Row) { r.Pending = true }),
		copyOf("3.jsonl", "", 50*day, func(r *sessions.Row) { r.Pending = true }),
		copyOf("4.jsonl", "", 26*time.Hour, func(r *sessions.Row) { r.Unseen = true }),
		row("other", "elsewhere", in("/elsewhere", "/elsewhere"), ago(time.Minute), flags(sessions.FlagNoBackup)),
	}
	p, err := lookAtProject(t, home, fakeSource{rows: rows}, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []survey.Need{
		{Kind: survey.NeedQuestion, N: 1, More: "Edit, in Move the slot picker", Path: waiting.Path},
		{Kind: survey.NeedPending, N: 3, More: "Today 10:52, Oct 11", Path: filepath.Join(dir, ".claude/memory/raw/1.jsonl")},
		{Kind: survey.NeedPurge, N: 2, Path: dir + "/soon.jsonl", By: now().Add(2 * day)},
		{Kind: survey.NeedUnsaved, N: 1, More: "ended today 12:52", Path: dir + "/m1.jsonl"},
		{Kind: survey.NeedUnseen, N: 1, More: "Yesterday 13:52", Path: filepath.Join(dir, ".claude/memory/raw/4.jsonl")},
	}
	if !reflect.DeepEqual(p.Needs, want) {
		t.Errorf("needs\n%+v, want\n%+v", p.Needs, want)
	}
	if p.All != 5 || len(p.Sessions) != 5 || len(p.Kept) != 3 || p.Kept[0].Files != 4 || p.Kept[0].Bytes != 4000 || !p.Kept[0].Newest.Equal(now().Add(-5*time.Hour)) {
		t.Errorf("%d sessions, kept %+v", p.All, p.Kept)
	}
}

// TestProjectSessions: the page lists six sessions, and counts older ones that will be purged soon.
func TestProjectSessions(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	var rows []sessions.Row
	for i := range 9 {
		r := row(string(rune('a'+i)), "s", in(dir, dir), ago(time.Duration(i)*day))
		r.Path = filepath.Join(dir, r.ID+".jsonl")
		if i > 6 {
			r.Flags, r.Purge = []sessions.Flag{sessions.FlagPurgeSoon}, now().Add(time.Duration(i)*day)
		}
		rows = append(rows, r)
	}
	rows = append(rows,
		row("stub", "", in(dir, dir), ago(0), func(r *sessions.Row) { r.State = sessions.StateStub }),
		row("run", "-p", in(dir, dir), ago(0), flags(sessions.FlagSDK)),
		row("gone", "deleted", in(dir, dir), ago(0), func(r *sessions.Row) { r.Deleted = true }),
	)
	p, err := lookAtProject(t, home, fakeSource{rows: rows}, dir)
	if err != nil || p.All != 9 || len(p.Sessions) != 6 || p.Sessions[0].ID != "a" || p.Purged != 2 || !p.PurgedBy.Equal(now().Add(7*day)) {
		t.Errorf("%d sessions, %d listed, %d purged by %s, %v", p.All, len(p.Sessions), p.Purged, p.PurgedBy, err)
	}
}

// talkOf returns a document. "? x" is the prompt x, and "! x" is the answer x. Other texts are answers with only
// thinking.
func talkOf(texts ...string) fakeDoc {
	var doc fakeDoc
	for _, text := range texts {
		m := transcript.Message{Kind: transcript.Answer, Role: transcript.RoleAssistant, Blocks: []transcript.Block{{Kind: transcript.BlockThinking, Text: "hm"}}}
		switch {
		case strings.HasPrefix(text, "? "):
			m = transcript.Message{Kind: transcript.Prompt, Role: transcript.RoleUser}
			fallthrough
		case strings.HasPrefix(text, "! "):
			m.Blocks = []transcript.Block{{Kind: transcript.BlockText, Text: text[2:]}}
		}
		doc.messages = append(doc.messages, m)
	}
	return doc
}

func TestProjectUnread(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	src := fakeSource{
		rows: []sessions.Row{row("a", "a", in(dir, dir), ago(time.Hour))},
		err:  errors.Join(errors.New("directory "+dir+"/.claude/memory/raw: permission denied"), errors.New("directory /elsewhere/.claude: permission denied")),
		open: errors.New("open: broken"),
	}
	p, err := lookAtProject(t, home, src, dir)
	want := []string{"Directory ~/code/tea/.claude/memory/raw: permission denied.", "The newest session cannot be read: open: broken."}
	if err != nil || !slices.Equal(p.Unread, want) || p.All != 1 || p.Last == nil {
		t.Errorf("%q, %d sessions, %v", p.Unread, p.All, err)
	}
}

func TestProjectJSON(t *testing.T) {
	t.Parallel()
	full := survey.Project{
		Dir: "/p", Git: &survey.Repo{}, Last: &survey.Last{}, Needs: []survey.Need{{}}, Context: &survey.Context{},
		Hooks: survey.Hooks{Events: []survey.Hook{{}}}, Sessions: []sessions.Row{{}}, Document: &sessions.Row{}, Kept: []survey.Kept{{}},
	}
	fields := func(p *survey.Project) map[string]any {
		line, err := out.EncodeJSON(projectRecord(p))
		var v map[string]any
		if err := errors.Join(err, json.Unmarshal([]byte(line), &v)); err != nil {
			t.Fatal(err)
		}
		return v
	}
	page, err := os.ReadFile("../docs/output.md")
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := strings.Cut(string(page), "`continuo project --json`")
	_, help, _ = strings.Cut(help, "```\n")
	help, _, _ = strings.Cut(help, "```\n")
	named := 0
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				check(e)
			}
		case map[string]any:
			for name, value := range v {
				if named++; !strings.Contains(help, `"`+name+`"`) {
					t.Errorf("docs/output.md does not name %q", name)
				}
				if name != "newest" {
					check(value)
				}
			}
		}
	}
	check(fields(&full))
	if want := strings.Count(help, `"`) / 2; named < want-1 || named > want+3 { // newest occurs three times
		t.Errorf("%d fields, docs/output.md names %d", named, want)
	}
	for name, value := range fields(&survey.Project{Dir: "/p"}) {
		if list, ok := value.([]any); value == nil && slices.Contains([]string{"needs", "notKnown", "kept", "unread"}, name) || ok && list == nil {
			t.Errorf("%s is %v, not an empty list", name, value)
		}
	}
}

// TestShownRows: the project page uses the newest rows of the browser.
func TestShownRows(t *testing.T) {
	t.Parallel()
	var s browse.ShownRows
	a, b := row("a", "a"), row("b", "b")
	a.Path, b.Path = "/a", "/b"
	gen := s.Begin()
	s.Take(&sessions.Batch{Rows: []sessions.Row{a, b}, Err: errors.New("one is missing")}, gen, now())
	if _, _, whole, _ := s.All(); whole {
		t.Error("the rows are complete before the load ended")
	}
	s.Take(&sessions.Batch{Done: true}, gen, now())
	rows, at, whole, problem := s.All()
	if len(rows) != 2 || problem == nil || !whole || !at.Equal(now()) {
		t.Errorf("%d rows, %v, %v", len(rows), problem, whole)
	}
	gen = s.Begin()
	a.Name = "renamed"
	s.Take(&sessions.Batch{Rows: []sessions.Row{a}}, gen, now())
	if rows, _, _, _ := s.All(); len(rows) != 2 {
		t.Error("an unfinished load removes rows")
	}
	s.Take(&sessions.Batch{Done: true}, gen, now())
	if rows, _, _, problem := s.All(); len(rows) != 1 || rows[0].Name != "renamed" || problem != nil {
		t.Errorf("%+v, %v", rows, problem)
	}
	s.Take(&sessions.Batch{Gone: []string{"/a"}}, gen, now())
	if rows, _, _, _ := s.All(); len(rows) != 0 {
		t.Error("a removed row stays")
	}
}

func TestProjectTerminal(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	src := fakeSource{
		rows: []sessions.Row{row("a", "Fix the \x1b[31mrace", in(dir, dir), ago(2*time.Minute))},
		doc:  talkOf("? Now the same for the guest tokens.", "! Both share one check."),
	}
	for width, want := range map[int][]string{
		122: {"tea                                                   ", "~/code/tea\n\nWhere was I?  ", "2 min ago  Needs you\n❯ Now the same", "· Nothing.\n", "\n  end of Fix the race"},
		60:  {"tea  ", "~/code/tea\n\nNeeds you\n· Nothing.\n\nWhere was I?", "\n\nSessions 1  ", "\n· Fix the race  "},
		12:  {"tea\n~/code/tea\n\nNeeds you\n"},
	} {
		code, stdout, stderr := testRun{src: src, terminal: true, width: width, args: []string{"project", dir}, env: []string{"HOME=" + home}}.do(t)
		if code != out.ExitDone || stderr != "" || strings.Contains(stdout, "▌") {
			t.Errorf("width %d: exit code %d, %q", width, code, stderr)
		}
		text := ansi.Strip(stdout)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("width %d: no %q in\n%s", width, w, text)
			}
		}
	}
}
