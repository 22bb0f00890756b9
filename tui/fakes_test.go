package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
)

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

// Watch sends all changes at once and then closes the channel.
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

type fakeDoc struct {
	msgs    []transcript.Message
	threads []transcript.Thread
	of      []int // thread of each message; nil: all messages are in the first thread
	shown   int   // number of messages before Follow; 0 means all, a negative number means none

	mu       sync.Mutex
	decoded  int
	closed   int
	followed int
	lost     error // error that Follow returns
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
		spoken := refs[i].Kind == transcript.Prompt || refs[i].Kind == transcript.Answer
		refs[i].Turn = spoken && d.Threads()[refs[i].Thread].Kind != transcript.Sidechain
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

func (d *fakeDoc) MessagesNamed(id string) []int {
	if i := slices.IndexFunc(d.msgs, func(m transcript.Message) bool { return m.ID == id }); i >= 0 {
		return []int{i}
	}
	return nil
}

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

func textBlock(text string) transcript.Block {
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

// testDoc returns the conversation of the mock screens, with a compaction boundary and a second thread.
func testDoc() *fakeDoc {
	d := &fakeDoc{
		msgs: []transcript.Message{
			prompt("Tokens issued right before midnight cannot be refreshed. Find out why and fix it."),
			answer(
				transcript.Block{Kind: transcript.BlockThinking, Text: "The check compares days.\nWhich clock?"},
				call("1", "Grep", map[string]string{"pattern": "claims.Exp", "path": "/home/ada/code/teahouse"}), result("1", "a\nb\nc", false),
			),
			answer(call("2", "Read", map[string]string{"file_path": "/home/ada/code/teahouse/src/auth/jwt.go"}), result("2", strings.Repeat("x\n", 80), false)),
			answer(textBlock("The check compares **whole days**, and the two sides disagree about which day it is:\n\n" +
				"1. `Exp` is UTC, but `Check` truncates local time, so late tokens look a day old;\n" +
				"2. there is no leeway, so one second of skew between two hosts is enough. This test fails:\n\n" +
				"```go\nfunc TestRefreshAcrossMidnight(t *testing.T) {\n\tclock := at(\"2026-03-08T23:59:59Z\")\n}\n```\n")),
			answer(call("3", "Bash", map[string]string{"command": "go test ./src/auth -run Midnight"}), result("3", "Exit code 1\n--- FAIL: TestMidnight", true)),
			{Kind: transcript.Boundary, Role: transcript.RoleSystem, Time: testNow().Add(-time.Hour), Thread: "main", Blocks: []transcript.Block{textBlock("Conversation compacted")}},
			{Kind: transcript.Summary, Role: transcript.RoleUser, Thread: "main", Blocks: []transcript.Block{textBlock("This session is being continued from a previous one.")}},
			{Kind: transcript.Notice, Role: transcript.RoleUser, Thread: "main", Blocks: []transcript.Block{textBlock("<local-command-stdout>Set model to opus</local-command-stdout>")}},
			prompt("Now the same for the guest tokens, please."),
			answer(textBlock("The guest verifier had its own copy of the check. Both now share `Claims.Expired`:\n\n" +
				"- one clock, in UTC, passed in by the caller;\n- one leeway of 30 s, so a skewed host is fine;\n- the old `sameDay` helper is gone.\n")),
			answer(call("4", "Bash", map[string]string{"command": "go test ./..."})),
			prompt("An older question that was asked again."),
			answer(textBlock("An answer that resume would not show.")),
		},
		threads: []transcript.Thread{
			{Kind: transcript.Main, Name: "main", From: -1, Messages: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
			{Kind: transcript.Branch, Name: "branch 1", From: 3, Messages: []int{11, 12}},
		},
		of: []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
	}
	d.msgs[9].Gap = true
	d.msgs[5].ID, d.msgs[11].ID, d.msgs[12].ID = "c1", "b1", "b2"
	return d
}

// fakeActions records requests. Only the next Resume returns the plan.
type fakeActions struct {
	backups [][]string        // session IDs of each request; a request to make the backups has "!" in front
	refuse  map[string]string // session ID → reason why it can't be backed up; the reason kept: it is already backed up
	run     *fakeRun
	err     error
	plan    *resume.Plan
	message string
	before  string // message about what was done before run
	leave   bool   // the browser must quit
	drives  string // ID of the session that continuo drives
	row     sessions.Row
	ctx     context.Context // context of the last Resume
	asks    []resume.Ask
	typed   []string // texts for which folders were requested
	none    bool     // there are no folders
	folders []string // result of Folders, for any text
	quotes  []Quote
	edited  []string
	counted int // number of calls of Figures
	viewed  []string
	notes   map[string]annotate.Note // written notes, by session ID
}

func (a *fakeActions) Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (Outcome, error) {
	a.row, a.asks, a.ctx = row, append(a.asks, ask), ctx
	plan := a.plan
	a.plan = nil
	switch {
	case a.err != nil:
		return Outcome{}, a.err
	case plan != nil:
		return Outcome{Plan: plan}, nil
	case a.message != "":
		return Outcome{Said: a.message}, nil
	}
	if a.leave || a.drives != "" {
		return Outcome{Leave: a.leave, Drives: a.drives}, nil
	}
	return Outcome{Run: a.run, Said: a.before}, nil
}

func (a *fakeActions) Folders(_ context.Context, typed string, known []string) []string {
	a.typed = append(a.typed, typed)
	switch {
	case a.none:
		return nil
	case a.folders != nil:
		return a.folders
	case typed == "":
		return known
	}
	return []string{typed + "one", typed + "two"}
}

func (a *fakeActions) Copy(_ context.Context, row sessions.Row, what Quote) (Copied, error) {
	a.row, a.quotes = row, append(a.quotes, what)
	return Copied{Said: "Copied " + string(what.Kind) + "."}, a.err
}

func (a *fakeActions) Figures(_ context.Context, row sessions.Row) (stats.Figures, error) {
	a.row, a.counted = row, a.counted+1
	last := testNow().Add(-2 * time.Minute)
	return stats.Figures{
		First: last.Add(-110 * time.Minute), Last: last, Active: 47 * time.Minute, Messages: 142, Prompts: 11, Compactions: 1, Errors: 2, Agents: 3,
		Tools: []stats.Tool{{Name: "Read", Calls: 24}, {Name: "Bash", Calls: 17, Failed: 7}, {Name: "Edit", Calls: 14}, {Name: "Grep", Calls: 5}, {Name: "Agent", Calls: 3}},
		Models: []stats.Model{
			{Name: "opus", Messages: 98, Tokens: transcript.Usage{Input: 29_000, Output: 64_700, CacheRead: 3_900_000, CacheWrite: 230_000}},
			{Name: "haiku", Agent: true, Messages: 51, Tokens: transcript.Usage{Input: 2_400, Output: 11_400, CacheRead: 60_000, CacheWrite: 13_000}},
		},
		Files: []stats.File{
			{Path: "/home/ada/code/teahouse/src/auth/jwt.go", Changes: 3, Added: 34, Removed: 22, At: stats.Place{Transcript: row.Path, Call: "2"}},
			{Path: "/home/ada/code/teahouse/src/admin/session.go", Changes: 2, Added: 28, Removed: 21},
			{Path: "/home/ada/code/teahouse/src/export/job_test.go", Changes: 1, Added: 20, Removed: 5},
			{Path: "/home/ada/code/teahouse/src/auth/guest.go", Changes: 1, Added: 15, Removed: 10},
			{Path: "/home/ada/notes/clock.md", Changes: 1, Added: 9, Removed: 2},
			{Path: "/home/ada/code/teahouse/go.sum", Changes: 1, Added: 5, Removed: 0},
			{Path: "/home/ada/code/teahouse/go.mod", Changes: 1, Added: 1, Removed: 1},
		},
		Commands: 17, CommandsFailed: 7,
		Failures: []stats.Failure{
			{What: "go test -run Skew ./src/auth", Exit: 1, N: 2, Last: last.Add(-76 * time.Minute), At: stats.Place{Transcript: row.Path, Call: "3"}},
			{What: "src/admin/session.go", N: 1, Last: last.Add(-8 * time.Minute)},
		},
		Compacted: []time.Time{last.Add(-11 * time.Minute)},
		Context: []stats.Context{
			{Time: last.Add(-110 * time.Minute), Tokens: 21_000},
			{Time: last.Add(-80 * time.Minute), Tokens: 90_000},
			{Time: last.Add(-20 * time.Minute), Tokens: 168_200},
			{Time: last.Add(-10 * time.Minute), Tokens: 24_000},
			{Time: last, Tokens: 48_200},
		},
		Requests: []stats.PullRequest{{Number: 214, Repository: "tea/house", URL: "https://example.com/pull/214", Linked: last.Add(-19 * time.Minute)}},
	}, a.err
}

// FiguresOf returns the figures of the mock screen, with one prompt per row.
func (a *fakeActions) FiguresOf(ctx context.Context, rows []sessions.Row, _, _ time.Time) (stats.Figures, int, error) {
	f, err := a.Figures(ctx, sessions.Row{})
	f.Prompts = len(rows)
	return f, len(rows), err
}

func (a *fakeActions) Backup(ctx context.Context, rows []sessions.Row, write bool) (Outcome, error) {
	a.ctx = ctx
	var ids []string
	var o Outcome
	for _, r := range rows {
		if write {
			ids = append(ids, "!"+r.ID[:8])
			continue
		}
		ids = append(ids, r.ID[:8])
		to := BackupTo{Row: r, Dir: r.Workdir + "/.claude/memory", Off: a.refuse[r.ID[:8]]}
		if to.Off == kept {
			to.Off, to.Kept = "", true
		}
		o.Goes = append(o.Goes, to)
	}
	if write {
		o.Said = fmt.Sprintf("Backed up %d.", len(rows))
	}
	a.backups = append(a.backups, ids)
	return o, a.err
}

func (a *fakeActions) Annotate(_ context.Context, rows []sessions.Row, e annotate.Edit) error {
	if a.notes == nil {
		a.notes = map[string]annotate.Note{}
	}
	for i := range rows {
		a.notes[rows[i].ID] = e.Apply(a.notes[rows[i].ID])
	}
	return a.err
}

func (a *fakeActions) Edit(_ context.Context, row sessions.Row, file string, line int) (Takeover, error) {
	a.row, a.edited = row, append(a.edited, fmt.Sprintf("%s:%d", file, line))
	return a.run, a.err
}

func (a *fakeActions) View(_ context.Context, image []byte) (string, error) {
	a.viewed = append(a.viewed, string(image))
	return "Opened the image.", a.err
}

type fakeRun struct {
	ran int
	err error
}

func (r *fakeRun) Run() error          { r.ran++; return r.err }
func (r *fakeRun) SetStdin(io.Reader)  {}
func (r *fakeRun) SetStdout(io.Writer) {}
func (r *fakeRun) SetStderr(io.Writer) {}

type fakeSearcher struct{}

func (fakeSearcher) Search(_ context.Context, _ *query.Query, _ search.Options, on func(search.Batch)) {
	on(search.Batch{Done: true})
}

func (fakeSearcher) Around(context.Context, search.Hit, int) (search.Nearby, error) {
	return search.Nearby{}, nil
}

func (fakeSearcher) Index() Gauge { return Gauge{Whole: true} }
