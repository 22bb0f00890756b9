package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// now is the fixed time of the tests.
func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }

type fakeSource struct {
	rows []sessions.Row
	err  error
	doc  fakeDoc
	open error
}

func (f fakeSource) List(context.Context, bool) ([]sessions.Row, error) { return f.rows, f.err }

func (f fakeSource) Open(context.Context, sessions.Row) (place.SourceDoc, error) {
	return f.doc, f.open
}

// fakeDoc is a document with given messages. Without refs, it has one thread.
type fakeDoc struct {
	refs     []transcript.MessageRef
	threads  []transcript.Thread
	messages []transcript.Message
	counts   transcript.Counts
	markdown string
}

func (f fakeDoc) Outline() []transcript.MessageRef {
	if f.refs != nil {
		return f.refs
	}
	refs := make([]transcript.MessageRef, len(f.messages))
	for i := range refs {
		refs[i].Kind = f.messages[i].Kind
	}
	return refs
}

func (f fakeDoc) Threads() []transcript.Thread {
	if f.threads == nil {
		return []transcript.Thread{{Name: "main"}}
	}
	return f.threads
}

func (f fakeDoc) Messages(_ context.Context, from, to int) ([]transcript.Message, error) {
	return f.messages[from:to], nil
}

func (f fakeDoc) Counts() transcript.Counts { return f.counts }

func (f fakeDoc) Markdown() (string, bool) { return f.markdown, f.markdown != "" }

func (f fakeDoc) Close() error { return nil }

type testRun struct {
	src      fakeSource
	terminal bool
	width    int
	dir      string
	env      []string
	args     []string
	out      io.Writer // nil: do returns the output
}

func (r testRun) do(t *testing.T) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(filepath.Join(home, ".claude", "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	if r.dir == "" {
		r.dir = home
	}
	if r.out == nil {
		r.out = &out
	}
	d := newDeps(Program{
		Args: r.args, Env: append([]string{"HOME=" + home}, r.env...), Dir: r.dir,
		Stdin: strings.NewReader(""), Stdout: r.out, Stderr: &errs, Version: "1.2.3", Now: now,
	})
	d.Open = func(catalog.Options) place.Source { return r.src }
	d.Browse = func(context.Context, tui.World, tui.Options) error { return nil }
	d.Out.Terminal = r.terminal
	if r.width > 0 {
		d.Out.Width = r.width
	}
	code = execute(t.Context(), d.Env, d.Output, r.args)
	return code, out.String(), errs.String()
}

func row(id, name string, change ...func(*sessions.Row)) sessions.Row {
	r := sessions.Row{Kind: sessions.KindSession}
	r.ID, r.Name, r.State, r.Exact = id, name, sessions.StateOK, true
	r.Path = "/home/ada/.claude/projects/-home-ada-code-teahouse/" + id + ".jsonl"
	r.Project, r.Workdir, r.Branch = "/home/ada/code/teahouse", "/home/ada/code/teahouse", "main"
	for _, c := range change {
		c(&r)
	}
	return r
}

func ago(d time.Duration) func(*sessions.Row) {
	return func(r *sessions.Row) { r.Last, r.Created = now().Add(-d), now().Add(-d) } // sessions use Last, and other kinds use Created
}

func messages(n int) func(*sessions.Row) { return func(r *sessions.Row) { r.Messages = n } }

func branch(b string) func(*sessions.Row) { return func(r *sessions.Row) { r.Branch = b } }

func flags(f ...sessions.Flag) func(*sessions.Row) { return func(r *sessions.Row) { r.Flags = f } }

func state(s sessions.State) func(*sessions.Row) { return func(r *sessions.Row) { r.State = s } }

func kind(k sessions.Kind) func(*sessions.Row) { return func(r *sessions.Row) { r.Kind = k } }

func purge(at time.Time) func(*sessions.Row) { return func(r *sessions.Row) { r.Purge = at } }

func in(project, workdir string) func(*sessions.Row) {
	return func(r *sessions.Row) { r.Project, r.Workdir = project, workdir }
}

const day = 24 * time.Hour

func teahouse() []sessions.Row {
	waiting := func(r *sessions.Row) {
		r.Live = &sessions.Live{PID: 7, Status: sessions.StatusWaiting}
		r.Flags = []sessions.Flag{sessions.FlagLive}
	}
	const tree = "/home/ada/wt/"
	return []sessions.Row{
		row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "Fix refresh token race at midnight", ago(2*time.Minute), messages(142), branch("fix/token-race"), flags(sessions.FlagLive)),
		row("b81d22f7-0c4e-4f6b-8a13-9e5d7720c1ab", "Move the slot picker to the server", ago(11*time.Minute), messages(64), branch("slots"), waiting, in("/home/ada/code/teahouse", tree+"slots")),
		row("90e4c5aa-0000-4000-8000-000000000000", "Add a cancellation window to bookings", ago(time.Hour), messages(88)),
		row("5d07be13-0000-4000-8000-000000000000", "Why is the nightly export slow?", ago(3*time.Hour), messages(31)),
		row("e2c8810f-0000-4000-8000-000000000000", "Split the booking handler from the router", ago(day), messages(207)),
		row("0b9f4d62-e1a8-47c3-b55f-2f6c90d4ae71", "Rewrite the waitlist e-mails", ago(day), messages(119), branch("waitlist"), flags(sessions.FlagHiddenBranch), in("/home/ada/code/teahouse", tree+"mails/src")),
		row("c7715e08-0000-4000-8000-000000000000", "Seed data for the demo tenant", ago(5*day), messages(47), branch("demo"), state(sessions.StateDamaged)),
		row("a6e01b3c-77d2-4b09-91fe-c03a58e4d612", "Opening hours: one model for all tenants", ago(28*day), messages(241), branch("hours"), flags(sessions.FlagPurgeSoon), purge(now().Add(2*day))),
		row("7c41e9d2-2d90-4a5e-8f37-b16e0c9ad584", "First sketch of the booking flow", ago(41*day), messages(318), flags(sessions.FlagBackupOnly)),
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse()}
	tests := []struct {
		name string
		args string
		code int
		want string // expected in stderr
	}{
		{"unknown command", "lisst", out.ExitFailed, "✗ There is no command lisst. Did you mean list?\n  hint  continuo --help\n"},
		{"unknown command, nothing near", "frobnicate", out.ExitFailed, "✗ There is no command frobnicate.\n  hint  continuo --help\n"},
		{"completion of nothing", "__complete", out.ExitFailed, "at least 1 arg"},
		{"completion of what is not understood", "__complete list --nope --", out.ExitDone, ""},
		{"unknown flag", "list --nope", out.ExitFailed, "✗ There is no flag --nope here. See the help.\n  hint  continuo list --help\n"},
		{"unknown short flag", "list -z", out.ExitFailed, "✗ There is no flag -z here."},
		{"flag without its value", "list --state", out.ExitFailed, "✗ --state takes a value."},
		{"not a number", "list --limit many", out.ExitFailed, "✗ --limit takes a number, not many."},
		{"not a truth", "list --all=perhaps", out.ExitFailed, "✗ --all takes true or false, not perhaps."},
		{"not a flag", "list --=x", out.ExitFailed, "✗ --=x isn't a flag."},
		{"negative limit", "list --limit -1", out.ExitFailed, "✗ --limit takes 0 (no limit) or more."},
		{"unknown state", "list --state live", out.ExitFailed, "✗ --state takes ok, empty, stub, damaged or unreadable, not live.\n"},
		{"unknown state in a list", "list --state ok,fine", out.ExitFailed, "not fine."},
		{"unknown kind", "list --kind memo", out.ExitFailed, "✗ --kind takes session, backup or document, not memo.\n"},
		{"unknown age", "list --since soon", out.ExitFailed, "✗ --since takes an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21), not soon.\n"},
		{"unknown colour", "--color red list", out.ExitFailed, "✗ --color takes auto, always or never, not red.\n"},
		{"list with a word", "list this", out.ExitFailed, "✗ list takes no argument this."},
		{"version with a word", "version 2", out.ExitFailed, "✗ version takes no argument 2."},
		{"no config directory", "list --claude-dir nowhere", out.ExitFailed, "nowhere cannot be read: file not found. Name the one that holds projects/.\n"},
		{"show nothing", "show", out.ExitFailed, "✗ show takes a session: an ID or ID prefix, a title, a path, or --latest.\n"},
		{"show two", "show a b", out.ExitFailed, "✗ show takes one session, not 2 words. Put a title in quotes.\n"},
		{"show latest and one", "show --latest a", out.ExitFailed, "✗ --latest and a both name a session. Use one of them.\n"},
		{"show no width", "show 3f9 --width 0", out.ExitFailed, "✗ --width takes a number of columns, 1 or more.\n"},
		{"no such session", "show ffff", out.ExitNone, "✗ No session has the ID or title ffff. List all sessions.\n  hint  continuo list --all\n"},
		{"no such file", "show gone.jsonl", out.ExitNone, "gone.jsonl cannot be read: file not found. Check the path.\n"},
		{"no topic", "help lisst", out.ExitFailed, "✗ There is no command lisst. Did you mean list?\n"},
		{"list", "list --all", out.ExitDone, ""},
		{"path", "path 3f9", out.ExitDone, ""},
		{"show", "show 3f9", out.ExitDone, ""},
		{"version", "version", out.ExitDone, ""},
		{"nothing matches", "list --all --state empty", out.ExitDone, "Nothing matches."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := testRun{src: src, args: strings.Fields(tt.args)}.do(t)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stderr, tt.want) {
				t.Errorf("stderr\n%swant\n%s", stderr, tt.want)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"version"}, {"--version"}} {
		code, stdout, _ := testRun{args: args}.do(t)
		if code != out.ExitDone || !strings.HasPrefix(stdout, "continuo 1.2.3 (") {
			t.Errorf("%v: exit code %d, %q", args, code, stdout)
		}
	}
	if b := place.NewBuild(""); b.Version == "" || b.Go == "" {
		t.Errorf("a build without a release says %+v", b)
	}
}

func TestBrowserNeedsTerminal(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse()}
	_, plain, _ := testRun{src: src}.do(t)
	_, list, _ := testRun{src: src, args: []string{"list"}}.do(t)
	if plain == "" || plain != list {
		t.Errorf("continuo printed\n%s, list\n%s", plain, list)
	}
	_, plain, _ = testRun{src: src, terminal: true, args: []string{"--json"}}.do(t)
	_, list, _ = testRun{src: src, terminal: true, args: []string{"list", "--json"}}.do(t)
	if plain == "" || plain != list {
		t.Errorf("continuo --json printed\n%s, list --json\n%s", plain, list)
	}
}

// brokenWriter fails every write with err.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse()}
	for _, args := range []string{"list --all", "list --all --json", "show 3f9", "show 3f9 --json", "path 3f9", "help", "version"} {
		r := testRun{src: src, args: strings.Fields(args), out: brokenWriter{syscall.EPIPE}}
		if code, _, stderr := r.do(t); code != out.ExitDone || strings.Contains(stderr, "✗") {
			t.Errorf("%s into a closed pipe: exit code %d, %q", args, code, stderr)
		}
		r.out = brokenWriter{&os.PathError{Op: "write", Path: "stdout", Err: syscall.ENOSPC}}
		code, _, stderr := r.do(t)
		if want := "✗ The output could not be written: no space left on the device."; code != out.ExitFailed || !strings.Contains(stderr, want) {
			t.Errorf("%s onto a full disk: exit code %d, %q", args, code, stderr)
		}
	}
}

func TestIncompleteList(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse(), err: errors.Join(errors.New("read projects/a: permission denied"), errors.New("read projects/\x1b[31mb: input/output error"))}
	code, stdout, stderr := testRun{src: src, args: []string{"list", "--all"}}.do(t)
	if code != out.ExitFailed || strings.Count(stdout, "\n") != len(src.rows) {
		t.Errorf("exit code %d, %d rows", code, strings.Count(stdout, "\n"))
	}
	if want := "✗ Some paths could not be read, so their sessions are missing. Make them readable, then run the command again.\n" +
		"    Read projects/a: permission denied.\n    Read projects/b: input/output error.\n"; !strings.HasSuffix(stderr, want) {
		t.Errorf("stderr\n%s", stderr)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	d := newDeps(Program{Env: []string{"HOME=" + t.TempDir()}, Stdout: io.Discard, Stderr: &stderr, Stdin: strings.NewReader(""), Dir: t.TempDir(), Now: now})
	d.Open = func(catalog.Options) place.Source { return fakeSource{err: ctx.Err()} }
	if code := execute(ctx, d.Env, d.Output, []string{"list"}); code != out.ExitFailed || stderr.String() != "✗ Interrupted. Nothing was changed.\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// TestPanic: the report has mode 0600 and no environment variables.
func TestPanic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(env ...string) (int, string) {
		var stderr bytes.Buffer
		code := Run(t.Context(), Program{
			Args: []string{"list", "--since", "1d"}, Env: append(env, "SECRET=hunter2"), Dir: dir,
			Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr,
			Now: func() time.Time { panic("no \x1b[31mclock") },
		})
		return code, stderr.String()
	}
	code, stderr := run("XDG_STATE_HOME="+dir, "HOME=/home/ada")
	if code != out.ExitBug || !strings.HasPrefix(stderr, "✗ continuo has a bug and had to stop. A report is in "+dir) {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	reports, err := filepath.Glob(filepath.Join(dir, "continuo", "continuo-panic-*.txt"))
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports %v, %v", reports, err)
	}
	text, err := os.ReadFile(reports[0])
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(reports[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for _, want := range []string{"panic: no clock\n", "NewListCmd", `"--since"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the report:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("the environment is in the report")
	}
}

func TestBrowserPanic(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var stdout, stderr bytes.Buffer
	d := newDeps(Program{Env: []string{"HOME=" + home}, Stdout: &stdout, Stderr: &stderr, Stdin: strings.NewReader(""), Dir: home, Now: now})
	d.Out.Terminal = true
	d.Browse = func(context.Context, tui.World, tui.Options) error {
		return &tui.PanicError{Value: "a \x1b[31mbug", Stack: []byte("where it was")}
	}
	failed := out.AsFailure(browse.Run(t.Context(), d.Env, d.Output))
	if failed.ExitCode() != out.ExitBug {
		t.Errorf("exit code %d", failed.ExitCode())
	}
	d.Err.Print(failed.Text(d.Err.Styles, 0))
	reports, err := filepath.Glob(filepath.Join(home, ".local", "state", "continuo", "continuo-panic-*.txt"))
	if err != nil || len(reports) != 1 || !strings.Contains(stderr.String(), filepath.Base(reports[0])) || strings.Contains(stderr.String(), "where it was") {
		t.Fatalf("reports %v, %v, stderr %q", reports, err, stderr.String())
	}
	if text, err := os.ReadFile(reports[0]); err != nil || !strings.Contains(string(text), "panic: a bug\n\nwhere it was") {
		t.Errorf("%v %q", err, text)
	}
}

func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

type deps struct {
	*place.Env
	*out.Output
}

func newDeps(p Program) *deps {
	env := newEnv(p)
	return &deps{env, out.New(p.Stdin, p.Stdout, p.Stderr, env.Host.Getenv)}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
