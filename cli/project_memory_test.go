package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// blindSource is a fakeSource with a fixed result of Memory.
type blindSource struct {
	fakeSource
	now catalog.Memory
}

func (s blindSource) Memory(context.Context, string, []string) catalog.Memory { return s.now }

// TestProjectNotKnown: an unreadable .claude/memory isn't an empty one.
func TestProjectNotKnown(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)})
	old := row("20261121_100000Z_exit", "a", in(dir, dir), ago(time.Hour))
	old.Kind, old.Path = sessions.KindBackup, filepath.Join(dir, ".claude", "memory", "raw", "20261121_100000Z_exit.jsonl")
	late := errors.New("memory of " + dir + ": took longer than 1 s")
	stale := errors.Join(errors.New("memory of "+dir+": an older problem"), errors.New("something else in "+dir+"/x"))
	listed := now().Add(-time.Minute)
	look := func(m catalog.Memory, rows ...sessions.Row) survey.Project {
		t.Helper()
		l := place.ProjectLook(d.Env, blindSource{now: m}, nil, dir)
		l.Rows, l.Problem, l.Listed = rows, stale, listed
		p, err := survey.ProjectOf(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := look(catalog.Memory{Blind: []string{dir}, Problems: []error{late}}, old)
	text := projectText(d.Env, d.Output, &p)
	if strings.Contains(text, "Nothing.") || !strings.Contains(text, "Could not be checked: pending backups.") || !p.Checked.Equal(listed) || len(p.Kept) == 0 {
		t.Errorf("checked %s, kept %+v\n%s", p.Checked, p.Kept, text)
	}
	if want := []string{"Something else in ~/code/tea/x.", "Memory of ~/code/tea: took longer than 1 s."}; !slices.Equal(p.Unread, want) {
		t.Errorf("unread %q", p.Unread)
	}
	if piped := projectRecord(&p).Tabs(); !strings.Contains(piped, "needs\tnot known\t-\tpending backups\t-\n") || strings.Contains(piped, "needs\tnothing") {
		t.Errorf("piped:\n%s", piped)
	}
	pending := old
	pending.Pending = true
	p = look(catalog.Memory{Rows: []sessions.Row{pending}}, old)
	if len(p.Needs) != 1 || p.Needs[0].Kind != survey.NeedPending || !p.Checked.Equal(now()) || p.Kept[0].Files != 1 {
		t.Errorf("needs %+v, checked %s, kept %+v", p.Needs, p.Checked, p.Kept)
	}
	if p = look(catalog.Memory{}, pending); len(p.Needs)+len(p.Kept) != 0 {
		t.Errorf("a removed backup stays: %+v", p)
	}
}

// TestProjectNow: a document is newer than the list.
func TestProjectNow(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	d := newDeps(Program{Env: []string{"HOME=" + home, "PATH="}, Dir: dir, Now: now, Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)})
	opts := catalog.Options{Dirs: []string{filepath.Join(home, ".claude")}, Cwd: dir, Home: home, Now: now}
	shown := &browse.ShownRows{}
	shown.Take(&sessions.Batch{Done: true}, shown.Begin(), now())
	b := browse.Projects{Env: d.Env, Opts: opts, All: catalog.New(opts), Shown: shown}
	if err := os.MkdirAll(filepath.Join(dir, ".claude", "memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude", "memory", "session-2026-11-21-0900Z.md"), []byte("## Session Summary\nFresh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := b.Project(t.Context(), dir); err != nil || p.Documents != 1 || p.Document == nil {
		t.Errorf("%d documents, %v", p.Documents, err)
	}
}

// TestBrowserEnded: a change ends after the browser was closed.
func TestBrowserEnded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		done   tui.Done
		err    error
		output string
		want   string
	}{
		"done":      {done: tui.Done{Said: "Discarded 2 \x1b[1mbackups."}, output: "Discarded 2 backups.\n"},
		"partly":    {done: tui.Done{Said: "Discarded 1 backup.", But: "The other stays."}, output: "Discarded 1 backup.\n", want: "The other stays."},
		"failed":    {err: &out.Failure{What: "No space."}, want: "No space."},
		"not begun": {err: tui.ErrNotBegun, want: "Nothing was done: the browser was closed first."},
		"not ended": {err: tui.ErrUnfinished, want: "The browser was closed during a change. Check the actions."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			home := t.TempDir()
			d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: &stderr})
			d.Browse = func(_ context.Context, _ tui.World, opts tui.Options) error { opts.Ended(tt.done, tt.err); return nil }
			got := ""
			if err := browse.Run(t.Context(), d.Env, d.Output); err != nil {
				got = out.AsFailure(err).What
			}
			if got != tt.want || stderr.String() != tt.output {
				t.Errorf("%q, stderr %q", got, stderr.String())
			}
		})
	}
}
