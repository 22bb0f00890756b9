package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

// library returns sessions whose IDs, titles and prefixes collide.
func library() []sessions.Row {
	pantry := in("/home/ada/code/pantry", "/home/ada/code/pantry")
	return []sessions.Row{
		row("b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab", "Move the slot picker to the server", ago(11*time.Minute)),
		row("b81907c3-0000-4000-8000-000000000000", "Which label printer, and why", ago(28*day), pantry),
		row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "Daily notes", ago(day)),
		row("5d07be13-0000-4000-8000-000000000000", "Daily notes", ago(2*day), pantry),
		row("aaaaaaaa-0000-4000-8000-000000000001", "b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab", ago(3*day)),
		row("aaaaaaaa-0000-4000-8000-000000000002", "aaaa", ago(4*day)),
		row("cccccccc-0000-4000-8000-000000000000", "In two projects", ago(5*day)),
		row("cccccccc-0000-4000-8000-000000000000", "In two projects", ago(6*day), func(r *sessions.Row) { r.Path = "/home/ada/.claude/projects/-other/c.jsonl" }),
		row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "Daily notes", kind(sessions.KindBackup), func(r *sessions.Row) { r.Path = "/raw/1.jsonl" }),
		row("20261101_120000Z_compact", "", kind(sessions.KindBackup), func(r *sessions.Row) { r.Path = "/raw/2.jsonl" }),
		row("eeeeeeee-0000-4000-8000-000000000001", "Die Stra\u00dfe \U0001F469\u200d\U0001F4BB in \u0130zmir"),
		row("Notes-7", "notes/seven.md", func(r *sessions.Row) { r.Path = "/p/Notes-7.jsonl" }),
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const project = "/home/ada/.claude/projects/-home-ada-code-teahouse/"
	tests := []struct {
		name, word, path string
		code             int
		stderr           string
	}{
		{"whole id", "b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab", project + "b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab.jsonl", 0, ""},
		{"start of an id", "b819", project + "b81907c3-0000-4000-8000-000000000000.jsonl", 0, ""},
		{"one character", "5", project + "5d07be13-0000-4000-8000-000000000000.jsonl", 0, ""},
		{"other case", "B819", project + "b81907c3-0000-4000-8000-000000000000.jsonl", 0, ""},
		{"title", "which label printer, and WHY", project + "b81907c3-0000-4000-8000-000000000000.jsonl", 0, ""},
		{"title as a list shows it", "die STRASSE \U0001F469 in izmir", project + "eeeeeeee-0000-4000-8000-000000000001.jsonl", 0, ""},
		{"title as it is", "Die Stra\u00dfe \U0001F469\u200d\U0001F4BB in \u0130zmir", project + "eeeeeeee-0000-4000-8000-000000000001.jsonl", 0, ""},
		{"title before the start of an id", "aaaa", project + "aaaaaaaa-0000-4000-8000-000000000002.jsonl", 0, ""},
		{"session before its copy", "3f9ac1e0", project + "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35.jsonl", 0, ""},
		{"copy without a session", "20261101", "/raw/2.jsonl", 0, ""},
		{"id that is no uuid", "notes-7", "/p/Notes-7.jsonl", 0, ""},
		{"part of a title", "label printer", "", out.ExitNone, "✗ No session has the ID or title \"label printer\". List all sessions.\n  hint  continuo list --all\n"},
		{"longer than any id", strings.Repeat("b81d22f7", 9), "", out.ExitNone, "✗ No session has"},
		{"escape sequence", "\x1b[31mred", "", out.ExitNone, "✗ No session has the ID or title \"red\". List all sessions.\n"},
		{"several", "b81", "", out.ExitFailed, `✗ 2 sessions begin with b81. Type more of the ID.
    b81d22f7  Move the slot picker to the server    teahouse   11m
    b81907c3  Which label printer, and why          pantry     28d
`},
		{"several of one title", "daily notes", "", out.ExitFailed, `✗ 2 sessions are called "daily notes". Name one by its ID.
    3f9ac1e0  Daily notes    teahouse    1d
    5d07be13  Daily notes    pantry      2d
`},
		{"several that begin alike", "aaaaaaaa", "", out.ExitFailed, `✗ 2 sessions begin with aaaaaaaa. Type more of the ID.
    aaaaaaaa-0000-4000-8000-000000000001  b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab    teahouse    3d
    aaaaaaaa-0000-4000-8000-000000000002  aaaa                                    teahouse    4d
`},
		{"one id in two projects", "cccccccc", "", out.ExitFailed, `✗ 2 files have the ID cccccccc-0000-4000-8000-000000000000. Name one by its path.
    ` + project + `cccccccc-0000-4000-8000-000000000000.jsonl
    /home/ada/.claude/projects/-other/c.jsonl
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := testRun{src: fakeSource{rows: library()}, args: []string{"path", tt.word}}.do(t)
			want := tt.path
			if want != "" {
				want += "\n"
			}
			if code != tt.code || stdout != want || !strings.HasPrefix(stderr, tt.stderr) || (stderr != "") != (tt.code != 0) {
				t.Errorf("exit code %d, want %d\n%q, want %q\n%swant\n%s", code, tt.code, stdout, want, stderr, tt.stderr)
			}
		})
	}
}

func TestManyCandidates(t *testing.T) {
	t.Parallel()
	var rows []sessions.Row
	for i := range 14 {
		rows = append(rows, row("dddddddd-0000-4000-8000-0000000000"+string(rune('a'+i))+"0", "x"+string(rune('a'+i)), ago(day)))
	}
	_, _, stderr := testRun{src: fakeSource{rows: rows}, args: []string{"show", "dd"}}.do(t)
	if strings.Count(stderr, "dddddddd-") != find.CandidatesMax || !strings.HasSuffix(stderr, "\n    … 4 more\n") {
		t.Errorf("got\n%s", stderr)
	}
}

func TestNotFoundUnread(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: library(), err: errors.New("read projects/x: permission denied")}
	code, _, stderr := testRun{src: src, args: []string{"show", "ffff"}}.do(t)
	if want := "✗ No session that could be read has the ID or title ffff.\n    Read projects/x: permission denied.\n"; code != out.ExitNone || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func TestFindFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.md", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop.jsonl", filepath.Join(dir, "loop.jsonl")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		word, path string
		code       int
	}{
		{"a.jsonl", "a.jsonl", 0},
		{"./a.jsonl", "a.jsonl", 0},
		{filepath.Join(dir, "a.jsonl"), "a.jsonl", 0},
		{"b.md", "b.md", 0},
		{"./c.txt", "c.txt", 0},
		{"c.txt", "", out.ExitNone}, // without ./, c.txt is a title
		{"gone.jsonl", "", out.ExitNone},
		{"./gone", "", out.ExitNone},
		{"dir.jsonl", "", out.ExitFailed},
		{"loop.jsonl", "", out.ExitFailed},
	}
	for _, tt := range tests {
		code, stdout, stderr := testRun{src: fakeSource{rows: library()}, dir: dir, args: []string{"path", tt.word}}.do(t)
		want := ""
		if tt.path != "" {
			want = filepath.Join(dir, tt.path) + "\n"
		}
		if code != tt.code || stdout != want {
			t.Errorf("%s: exit code %d, want %d; %q\n%s", tt.word, code, tt.code, stdout, stderr)
		}
	}
}

func TestFileByPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	if err := os.WriteFile(path, []byte(`{"type":"custom-title","customTitle":"Known"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	src := fakeSource{err: errors.New("the catalogue was listed")}
	code, stdout, stderr := testRun{src: src, dir: dir, args: []string{"show", "a.jsonl"}}.do(t)
	if code != out.ExitDone || !strings.HasPrefix(stdout, "Known\n") || strings.Contains(stderr, "listed") {
		t.Errorf("exit code %d, got\n%s%s", code, stdout, stderr)
	}
}

func TestLatest(t *testing.T) {
	t.Parallel()
	dir := place.RealPath(t.TempDir())
	here := in(dir, dir)
	rows := []sessions.Row{
		row("elsewhere", "", ago(time.Second)),
		row("b", "", here, kind(sessions.KindBackup), ago(time.Second)),
		row("s", "", here, state(sessions.StateStub), ago(time.Minute)),
		row("p", "", here, flags(sessions.FlagSDK), ago(time.Minute)),
		row("right", "", here, ago(time.Hour)),
		row("older", "", here, ago(day)),
	}
	code, stdout, _ := testRun{src: fakeSource{rows: rows}, dir: dir, args: []string{"path", "--latest"}}.do(t)
	if code != out.ExitDone || !strings.HasSuffix(stdout, "/right.jsonl\n") {
		t.Errorf("exit code %d, %q", code, stdout)
	}
	code, _, stderr := testRun{args: []string{"show", "--latest"}}.do(t)
	if code != out.ExitNone || !strings.HasPrefix(stderr, "✗ There is no session here yet.") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// TestPathForms: raw bytes in a pipe, cleaned text on a terminal, escapes in JSON.
func TestPathForms(t *testing.T) {
	t.Parallel()
	const nasty = "/p/\x1b[31mred\n.jsonl"
	src := fakeSource{rows: []sessions.Row{row("nasty", "", func(r *sessions.Row) { r.Path = nasty })}}
	if _, stdout, _ := (testRun{src: src, args: []string{"path", "nasty"}}).do(t); stdout != nasty+"\n" {
		t.Errorf("piped %q", stdout)
	}
	if _, stdout, _ := (testRun{src: src, args: []string{"path", "nasty"}, terminal: true}).do(t); stdout != "/p/red\uFFFD.jsonl\n" {
		t.Errorf("terminal %q", stdout)
	}
	if _, stdout, _ := (testRun{src: src, args: []string{"path", "nasty", "--json"}}).do(t); stdout != `{"id":"nasty","path":"/p/\u001b[31mred\n.jsonl"}`+"\n" {
		t.Errorf("json %q", stdout)
	}
}
