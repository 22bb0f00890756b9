package tui

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

var update = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // a flag

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

func testRow(path, name string, age time.Duration, more func(*sessions.Row)) sessions.Row {
	r := sessions.Row{Kind: sessions.KindSession}
	r.Path, r.ID, r.Name = "/home/ada/.claude/projects/-x/"+path+".jsonl", path+"-71c4-4e0d", name
	r.Project, r.Workdir, r.Branch = "/home/ada/code/teahouse", "/home/ada/code/teahouse", "main"
	r.Last = testNow().Add(-age)
	r.State, r.Exact = sessions.StateOK, true
	if more != nil {
		more(&r)
	}
	return r
}

// testRows are the sessions of the mock screens.
func testRows() []sessions.Row {
	const h, d = time.Hour, 24 * time.Hour
	messages := func(n int) func(*sessions.Row) { return func(r *sessions.Row) { r.Messages = n } }
	flag := func(n int, branch string, f sessions.Flag) func(*sessions.Row) {
		return func(r *sessions.Row) { r.Messages, r.Branch, r.Flags = n, branch, []sessions.Flag{f} }
	}
	rows := []sessions.Row{
		testRow("3f9ac1e0", "Fix refresh token race at midnight", 2*time.Minute, func(r *sessions.Row) {
			r.Messages, r.Branch, r.Flags = 142, "fix/token-race", []sessions.Flag{sessions.FlagLive}
			r.Prompt = "Tokens issued right before midnight cannot be refreshed. Find out why and fix it."
			r.Tokens = transcript.Usage{Input: 40_000, Output: 8_200}
			r.Live = &sessions.Live{Status: sessions.StatusBusy, Started: testNow().Add(-142 * time.Minute)}
		}),
		testRow("b81d22f7", "Move the slot picker to the server", 11*time.Minute, func(r *sessions.Row) {
			r.Messages, r.Branch = 64, "slots"
			r.Live = &sessions.Live{Status: sessions.StatusWaiting, WaitingFor: "permission to run make"}
		}),
		testRow("90e4c5aa", "Add a cancellation window to bookings", h, messages(88)),
		testRow("5d07be13", "Why is the nightly export slow?", 3*h, messages(31)),
		testRow("e2c8810f", "Split the booking handler from the router", 25*h, messages(207)),
		testRow("0b9f4d62", "Rewrite the waitlist e-mails", 26*h, flag(119, "waitlist", sessions.FlagHiddenBranch)),
		testRow("a1b1b1b1", "Review open migrations", 27*h, messages(22)),
		testRow("a2b2b2b2", "Rate limit for the public calendar", 3*d, messages(176)),
		testRow("a3b3b3b3", "Flaky TestWaitlistPromotion", 4*d, func(r *sessions.Row) { r.Exact = false }),
		testRow("c7715e08", "Seed data for the demo tenant", 5*d, func(r *sessions.Row) {
			r.Messages, r.Branch, r.State, r.Reason = 47, "demo", sessions.StateDamaged, "line 12 is no JSON"
		}),
		testRow("a4b4b4b4", "Bump the toolchain, fix what vet finds", 6*d, messages(54)),
		testRow("a5b5b5b5", "", 12*d, func(r *sessions.Row) { r.State = sessions.StateStub }),
		testRow("a6b6b6b6", "Import the old guest book from CSV files", 17*d, messages(135)),
		testRow("18d3fa90", "Postgres or SQLite for the archive", 21*d, flag(77, "main", sessions.FlagPurgeSoon)),
		testRow("7c41e9d2", "First sketch of the booking flow", 41*d, flag(318, "main", sessions.FlagBackupOnly)),
		testRow("a7b7b7b7", "Tenant settings page, second try", 98*d, messages(12_098)),
		testRow("a8b8b8b8", "say hello", 2*d, flag(2, "main", sessions.FlagSDK)),
		testRow("d1d1d1d1", "Teapot firmware", 5*h, func(r *sessions.Row) {
			r.Project, r.Workdir, r.Messages = "/home/ada/code/pantry", "/home/ada/code/pantry", 9
		}),
	}
	return rows
}

// fakeSource answers from memory and counts what it is asked for.
type fakeSource struct {
	batches []sessions.Batch
	changes []sessions.Batch
	doc     *fakeDoc
	err     error

	mu     sync.Mutex
	opened int
}

func (s *fakeSource) Rows(ctx context.Context) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		for _, b := range s.batches {
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Watch has all changes at once, and no more.
func (s *fakeSource) Watch(context.Context, func() bool) <-chan sessions.Batch {
	out := make(chan sessions.Batch, len(s.changes))
	for _, b := range s.changes {
		out <- b
	}
	close(out)
	return out
}

func (s *fakeSource) Open(context.Context, sessions.Row) (Doc, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	s.opened++
	return s.doc, nil
}

// fakeDoc is a conversation made of messages.
type fakeDoc struct {
	msgs    []transcript.Message
	threads []transcript.Thread
	of      []int // thread of each message, nil: all in the first
	shown   int   // messages that Follow has not brought yet are behind it; 0 all, less than 0 none

	mu       sync.Mutex
	decoded  int
	closed   int
	followed int
	lost     error // of Follow
}

func (d *fakeDoc) Outline() []transcript.MessageRef {
	n := len(d.msgs)
	if d.shown != 0 {
		n = max(d.shown, 0)
	}
	refs := make([]transcript.MessageRef, n)
	for i := range refs {
		refs[i] = transcript.MessageRef{Kind: d.msgs[i].Kind, ID: transcript.ID(i + 1), Records: []int32{int32(i)}}
		if t := d.msgs[i].Time; !t.IsZero() {
			refs[i].Time = t.UnixMilli()
		}
		if d.of != nil {
			refs[i].Thread = d.of[i]
		}
	}
	return refs
}

func (d *fakeDoc) Threads() []transcript.Thread {
	if d.threads == nil {
		return []transcript.Thread{{Kind: transcript.Main, Name: "main"}}
	}
	return d.threads
}

func (d *fakeDoc) Messages(_ context.Context, from, to int) ([]transcript.Message, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if from < 0 || to > len(d.msgs) || from >= to {
		return nil, errors.New("range out of the outline")
	}
	d.decoded += to - from
	return d.msgs[from:to], nil
}

// Follow brings what is behind shown.
func (d *fakeDoc) Follow(context.Context) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	grown := d.shown != 0
	d.shown = 0
	d.followed++
	return grown, d.lost
}

func (d *fakeDoc) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed++
	return nil
}

func prompt(text string) transcript.Message {
	return transcript.Message{
		Kind: transcript.Prompt, Role: transcript.RoleUser, Time: testNow().Add(-100 * time.Minute), Thread: "main",
		Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
	}
}

func answer(blocks ...transcript.Block) transcript.Message {
	return transcript.Message{
		Kind: transcript.Answer, Role: transcript.RoleAssistant, Time: testNow().Add(-99 * time.Minute), Thread: "main", Blocks: blocks,
	}
}

func said(text string) transcript.Block {
	return transcript.Block{Kind: transcript.BlockText, Text: text}
}

func call(id, name string, input map[string]string) transcript.Block {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return transcript.Block{Kind: transcript.BlockToolUse, ID: id, Name: name, Input: raw}
}

func result(id, text string, failed bool) transcript.Block {
	return transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: text, Failed: failed}
}

// testDoc is the conversation of the mock screens, with a boundary and another thread.
func testDoc() *fakeDoc {
	d := &fakeDoc{
		msgs: []transcript.Message{
			prompt("Tokens issued right before midnight cannot be refreshed. Find out why and fix it."),
			answer(
				transcript.Block{Kind: transcript.BlockThinking, Text: "The check compares days.\nWhich clock?"},
				call("1", "Grep", map[string]string{"pattern": "claims.Exp", "path": "/home/ada/code/teahouse"}), result("1", "a\nb\nc", false),
			),
			answer(call("2", "Read", map[string]string{"file_path": "/home/ada/code/teahouse/src/auth/jwt.go"}), result("2", strings.Repeat("x\n", 80), false)),
			answer(said("The check compares **whole days**, and the two sides disagree about which day it is:\n\n" +
				"1. `Exp` is UTC, but `Check` truncates local time, so late tokens look a day old;\n" +
				"2. there is no leeway, so one second of skew between two hosts is enough. This test fails:\n\n" +
				"```go\nfunc TestRefreshAcrossMidnight(t *testing.T) {\n\tclock := at(\"2026-03-08T23:59:59Z\")\n}\n```\n")),
			answer(call("3", "Bash", map[string]string{"command": "go test ./src/auth -run Midnight"}), result("3", "FAIL\nexit 1", true)),
			{Kind: transcript.Boundary, Role: transcript.RoleSystem, Time: testNow().Add(-time.Hour), Thread: "main", Blocks: []transcript.Block{said("Conversation compacted")}},
			{Kind: transcript.Summary, Role: transcript.RoleUser, Thread: "main", Blocks: []transcript.Block{said("This session is being continued from a previous one.")}},
			{Kind: transcript.Notice, Role: transcript.RoleUser, Thread: "main", Blocks: []transcript.Block{said("<local-command-stdout>Set model to opus</local-command-stdout>")}},
			prompt("Now the same for the guest tokens, please."),
			answer(said("The guest verifier had its own copy of the check. Both now share `Claims.Expired`:\n\n" +
				"- one clock, in UTC, passed in by the caller;\n- one leeway of 30 s, so a skewed host is fine;\n- the old `sameDay` helper is gone.\n")),
			answer(call("4", "Bash", map[string]string{"command": "go test ./..."})),
			prompt("An older question that was asked again."),
			answer(said("An answer that resume would not show.")),
		},
		threads: []transcript.Thread{
			{Kind: transcript.Main, Name: "main", From: -1, Messages: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
			{Kind: transcript.Branch, Name: "branch 1", From: 3, Messages: []int{11, 12}},
		},
		of: []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
	}
	d.msgs[9].Gap = true
	return d
}

// fakeActions records what is asked for. A plan is given once.
type fakeActions struct {
	run    *fakeRun
	err    error
	plan   *sessions.ResumePlan
	said   string
	row    sessions.Row
	asks   []sessions.ResumeAsk
	quotes []Quote
	edited []string
}

func (a *fakeActions) Resume(_ context.Context, row sessions.Row, ask sessions.ResumeAsk) (Outcome, error) {
	a.row, a.asks = row, append(a.asks, ask)
	plan := a.plan
	a.plan = nil
	switch {
	case a.err != nil:
		return Outcome{}, a.err
	case plan != nil:
		return Outcome{Plan: plan}, nil
	case a.said != "":
		return Outcome{Said: a.said}, nil
	}
	return Outcome{Run: a.run}, nil
}

func (a *fakeActions) Folders(_ context.Context, typed string) []string {
	return []string{typed + "one", typed + "two"}
}

func (a *fakeActions) Copy(_ context.Context, row sessions.Row, what Quote) (Copied, error) {
	a.row, a.quotes = row, append(a.quotes, what)
	return Copied{Said: "Copied " + string(what.Kind) + "."}, a.err
}

func (a *fakeActions) Edit(_ context.Context, row sessions.Row, file string, line int) (Takeover, error) {
	a.row, a.edited = row, append(a.edited, fmt.Sprintf("%s:%d", file, line))
	return a.run, a.err
}

type fakeRun struct {
	ran int
	err error
}

func (r *fakeRun) Run() error          { r.ran++; return r.err }
func (r *fakeRun) SetStdin(io.Reader)  {}
func (r *fakeRun) SetStdout(io.Writer) {}
func (r *fakeRun) SetStderr(io.Writer) {}

func testOptions() Options {
	return Options{
		Home: "/home/ada", Project: "/home/ada/code/teahouse", Dirs: []string{"/home/ada/.claude"}, Now: testNow,
	}
}

func testSource() *fakeSource {
	return &fakeSource{batches: []sessions.Batch{{Rows: testRows(), Done: true}}, doc: testDoc()}
}

// testModel is a model of a size that has settled.
func testModel(t *testing.T, s *fakeSource, o Options, w, h int) *model {
	t.Helper()
	m := newModel(t.Context(), s, &fakeActions{run: &fakeRun{}}, o)
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	return m
}

// settle runs a command and all that follow from it. Waits are over at once; the minute never passes.
func settle(t *testing.T, m *model, cmd tea.Cmd) {
	t.Helper()
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0; n++ {
		if n > 10_000 {
			t.Fatal("the program does not come to rest")
		}
		cmd, queue = queue[0], queue[1:]
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil, lookDueMsg: // the second look would come again and again
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			_, next := m.Update(msg)
			queue = append(queue, next)
		}
	}
}

// press types keys: single characters, or names such as "enter".
func press(t *testing.T, m *model, keys ...string) {
	t.Helper()
	for _, k := range keys {
		settle(t, m, func() tea.Msg { return keyPress(k) })
	}
}

func keyPress(k string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp,
		"tab": tea.KeyTab, "left": tea.KeyLeft, "right": tea.KeyRight, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "f1": tea.KeyF1,
	}
	if code, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if k == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// plain is the screen without colours; it fails when a line is too wide or the number of lines is wrong.
func plain(t *testing.T, m *model) string {
	t.Helper()
	lines := m.screen()
	if len(lines) != m.height {
		t.Errorf("the screen has %d lines, want %d", len(lines), m.height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > m.width {
			t.Errorf("line %d is %d wide, want at most %d: %q", i, w, m.width, ansi.Strip(l))
		}
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// golden compares with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it):\n%s", file, diff(string(want), got))
	}
}

func diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			fmt.Fprintf(&out, "%3d want %q\n    got  %q\n", i, x, y)
		}
	}
	return out.String()
}
