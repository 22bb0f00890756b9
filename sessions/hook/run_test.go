package hook

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/continuo-tui/continuo/sessions/backup"
)

func TestRunNote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	size := int64(len(w.read(w.transcript)))
	for _, tt := range []struct {
		event, payload string
		want           Run
	}{
		{EventEnd, endClear, Run{Session: "s-1", Reason: "clear", Result: ResultSaved, Backup: backupClear, Bytes: size}},
		{EventCompact, compactAuto, Run{Session: "s-1", Reason: "auto", Result: ResultSaved, Backup: backupCompact, Bytes: size}},
		{EventEnd, `{"stop_reason":"exit","transcript_path":"relative.jsonl"}`, Run{Session: "s-env", Reason: "exit", Result: ResultFailed, Error: "payload has no transcript path"}},
		{EventEnd, `{"reason":"a","stop_reason":"b","transcript_path":"/gone.jsonl"}`, Run{Session: "s-env", Reason: "a", Result: ResultNothing}},
		{EventEnd, `secret`, Run{Session: "s-env", Result: ResultFailed, Error: "payload is not JSON"}},
		{EventStart, `secret`, Run{Session: "s-env", Result: ResultTold}},
	} {
		tt.want.Time, tt.want.Event, tt.want.Project = noon(), tt.event, w.project
		if got := w.handle(tt.event, tt.payload).Run; got != tt.want {
			t.Errorf("%s %s:\n%+v, want\n%+v", tt.event, tt.payload, got, tt.want)
		}
	}
}

// TestWhere: a hook looks in the environment, then in the payload, then in the current directory.
func TestWhere(t *testing.T) {
	t.Parallel()
	const input = `{"transcript_path":"$T","cwd":"%s","reason":"clear"}`
	for _, tt := range []struct{ name, env, cwd, dir, want string }{
		{"the environment", "a", "b", "c", "a"},
		{"the environment is relative", "./a", "b", "c", "b"},
		{"the payload", "", "b", "c", "b"},
		{"the payload is relative", "", "./b", "c", "c"},
		{"the current directory", "", "", "c", "c"},
		{"the environment has no memory", "d", "b", "c", ""},
		{"none", "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			at := func(name string) string {
				if name == "" || strings.HasPrefix(name, ".") {
					return name
				}
				return filepath.Join(w.home, name)
			}
			for _, name := range []string{"a", "b", "c"} {
				makePath(t, filepath.Join(at(name), ".claude", "memory"))
			}
			w.env["CLAUDE_PROJECT_DIR"] = at(tt.env)
			in := w.in(fmt.Sprintf(input, at(tt.cwd)))
			in.Dir = at(tt.dir)
			r := Handle(t.Context(), EventEnd, in)
			if tt.want == "" {
				if r.Run.Result != ResultNoMemory || r.Run.Project != at(tt.env) {
					t.Errorf("%+v", r.Run)
				}
				return
			}
			if r.Run.Result != ResultSaved || r.Run.Project != at(tt.want) {
				t.Errorf("%+v, want %s", r.Run, tt.want)
			}
			if made, err := filepath.Glob(filepath.Join(w.home, "*", ".claude", "memory", "raw", "*.jsonl")); err != nil || len(made) != 1 {
				t.Errorf("made %q, %v", made, err)
			}
		})
	}
}

// TestHome: the manual of Claude Code has transcript paths that begin with "~/".
func TestHome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rel, err := filepath.Rel(w.home, w.transcript)
	if err != nil {
		t.Fatal(err)
	}
	if r := w.handle(EventEnd, `{"transcript_path":"~/`+filepath.ToSlash(rel)+`","reason":"clear"}`); r.Run.Backup != backupClear {
		t.Errorf("%+v", r.Run)
	}
}

// TestLinkedOut: the memory is a link out of the project. The hook does nothing.
func TestLinkedOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := filepath.Join(w.home, "outside")
	w.remove(w.memory())
	w.write(filepath.Join(outside, ".pending-backup"), filepath.Join(outside, "raw", "x.jsonl")+"\n")
	w.write(filepath.Join(outside, "raw", "x.jsonl"), "x")
	if err := os.Symlink(outside, w.memory()); err != nil {
		t.Skip(err)
	}
	for _, event := range Events() {
		if r := w.handle(event, endClear); r.Out != "" || r.Run.Result != ResultFailed || r.Run.Error == "" {
			t.Errorf("%s: %+v", event, r)
		}
	}
	var names []string
	err := filepath.WalkDir(outside, func(path string, _ os.DirEntry, err error) error {
		names = append(names, filepath.Base(path))
		return err
	})
	if want := []string{"outside", ".pending-backup", "raw", "x.jsonl"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("files outside: %q, %v", names, err)
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, event := range Events() {
		in := w.in(endClear)
		in.Env = func(string) string { panic("bug\nhere") }
		if r := Handle(t.Context(), event, in); r.Out != "" || r.Run.Result != ResultFailed || r.Run.Error != "panic: bug here" {
			t.Errorf("%s: %+v", event, r)
		}
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, event := range []string{EventEnd, EventCompact} {
		if r := Handle(ctx, event, w.in(endClear)); r.Run.Result != ResultFailed || r.Run.Error != "interrupted" {
			t.Errorf("%s: %+v", event, r)
		}
	}
	if entries, err := os.ReadDir(w.memory()); err != nil || len(entries) != 0 {
		t.Errorf("left over: %v, %v", entries, err)
	}
}

// TestHangs: Handle doesn't wait for a hanging run. The record has the facts so far.
func TestHangs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	hangs := make(chan struct{})
	defer close(hangs)
	in := w.in(endClear)
	in.Env = func(string) string { cancel(); <-hangs; return "" }
	began := time.Now()
	if r := Handle(ctx, EventEnd, in); r.Run.Result != ResultFailed || r.Run.Error != "interrupted" || r.Run.Event != EventEnd {
		t.Errorf("%+v", r)
	}
	if waited := time.Since(began); waited < runGrace {
		t.Errorf("it waited %v only", waited)
	}
}

type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("stdin was read")
	return 0, io.EOF
}

// TestStartReadsNoStdin: reading stdin could block.
func TestStartReadsNoStdin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.in("")
	in.Payload = unread{t}
	if r := Handle(t.Context(), EventStart, in); r.Run.Result != ResultNothing || r.Run.Session != "s-env" {
		t.Errorf("%+v", r.Run)
	}
}

func TestTogether(t *testing.T) {
	t.Parallel()
	const hooks = 60
	w := newWorld(t)
	w.write(w.memory("active-context.md"), activeContext)
	runs := make([]Run, hooks)
	var wg sync.WaitGroup
	for i := range hooks {
		wg.Go(func() {
			event, input := EventEnd, endClear
			if i%4 == 0 {
				event, input = EventCompact, compactAuto
			}
			runs[i] = Handle(t.Context(), event, w.in(input)).Run
		})
	}
	wg.Wait()
	names := map[string]bool{}
	for _, run := range runs {
		if run.Result != ResultSaved || run.Error != "" {
			t.Errorf("%+v", run)
		}
		names[run.Backup] = true
	}
	if len(names) != hooks || len(w.backups()) != hooks {
		t.Errorf("%d names, %d backups", len(names), len(w.backups()))
	}
	text := w.read(w.transcript)
	for _, name := range w.backups() {
		if !names[name] || w.read(w.memory("raw", name)) != text {
			t.Errorf("%s isn't the reported backup", name)
		}
	}
	for path, line := range map[string]string{w.memory("raw", ".sums"): "  20261121_", w.memory(".backup-log"): ": Saved backup to "} {
		got := w.read(path)
		if n := strings.Count(got, line); n != hooks || strings.Count(got, "\n") != hooks {
			t.Errorf("%s has %d of %d lines", path, n, hooks)
		}
	}
	left, err := filepath.Glob(w.memory("*", ".continuo-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
	for name, target := range w.markers() {
		if !names[target] {
			t.Errorf("%s names %q", name, target)
		}
	}
	if context := w.read(w.memory("active-context.md")); strings.Count(context, "- Transcript backup: ") != 2 || !strings.HasPrefix(context, activeContext) {
		t.Errorf("the context is\n%s", context)
	}
}

// TestLocked: hooks without the lock make backups. The next start lists them.
func TestLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.handle(EventEnd, endClear)
	w.mark("-compact", "")
	f, err := lockedfile.Create(w.memory(".lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	locked := func(r Run) bool { return strings.Contains(r.Error, backup.ErrLocked.Error()) }
	if r := w.handle(EventEnd, endClear); r.Run.Result != ResultSaved || !locked(r.Run) {
		t.Errorf("%+v", r.Run)
	}
	if got := w.backups(); len(got) != 2 {
		t.Errorf("backups %q", got)
	}
	r := w.handle(EventStart, "")
	if r.Run.Result != ResultTold || !locked(r.Run) || strings.Count(r.Out, "SESSION_BACKUP_PENDING (exit): ") != 2 {
		t.Errorf("%+v", r)
	}
	if got := w.markers(); !maps.Equal(got, map[string]string{
		".pending-backup": backupClear, ".pending-backup-compact": "", ".pending-backup-exit-2": "20261121_120000Z_clear-2.jsonl",
	}) {
		t.Errorf("markers %q", got)
	}
	if lines := Discard(t.Context(), w.in("")); len(lines) != 3 || !strings.HasPrefix(lines[0], "Session backup not discarded (exit): ") ||
		!strings.HasPrefix(lines[1], "Marker not removed (compact): ") || !strings.HasPrefix(lines[2], "Session backup not discarded (legacy): ") {
		t.Errorf("lines %q", lines)
	}
}

// TestUnwritable: a read-only project gives an error in the record and no output.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prepare func(w *world)
	}{
		{"raw is a file", func(w *world) { w.write(w.memory("raw"), "x") }},
		{"the memory is a file", func(w *world) { w.remove(w.memory()); w.write(w.memory(), "x") }},
		{"raw leads out", func(w *world) {
			if err := os.Symlink(w.home, w.memory("raw")); err != nil {
				w.t.Skip(err)
			}
		}},
		{"read-only", func(w *world) {
			if os.Geteuid() == 0 {
				w.t.Skip("root writes everywhere")
			}
			w.t.Cleanup(func() { _ = os.Chmod(w.memory(), 0o700) })
			if err := os.Chmod(w.memory(), 0o500); err != nil {
				w.t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.prepare(w)
			for _, event := range []string{EventEnd, EventCompact} {
				if r := w.handle(event, endClear); r.Run.Result != ResultFailed || r.Run.Error == "" {
					t.Errorf("%s: %+v", event, r.Run)
				}
			}
			if r := w.handle(EventStart, ""); r.Out != "" || r.Run.Result == ResultTold {
				t.Errorf("%+v", r)
			}
			if made, err := filepath.Glob(filepath.Join(w.home, "*.jsonl")); err != nil || len(made) > 0 {
				t.Errorf("made %q, %v", made, err)
			}
		})
	}
}

// TestHeadless: the backup of a headless run is pending only if MarkRuns returns true.
func TestHeadless(t *testing.T) {
	t.Parallel()
	const context = "# Active Session Context\n"
	for _, tt := range []struct {
		entrypoint string
		runs       func() bool
		pending    bool
	}{
		{"sdk-cli", nil, false},
		{"sdk-py", func() bool { return false }, false},
		{"sdk-cli", func() bool { return true }, true},
		{"cli", func() bool { panic("asked for an interactive session") }, true},
		{"claude-vscode", nil, true},
		{"", nil, true},
	} {
		w := newWorld(t)
		w.write(w.memory("active-context.md"), context)
		w.env["CLAUDE_CODE_ENTRYPOINT"] = tt.entrypoint
		for event, payload := range map[string]string{EventEnd: endClear, EventCompact: compactAuto} {
			in := w.in(payload)
			in.MarkRuns = tt.runs
			if r := Handle(t.Context(), event, in); r.Run.Result != ResultSaved || r.Run.Error != "" {
				t.Errorf("%+v: %+v", tt, r.Run)
			}
		}
		if names := w.backups(); len(names) != 2 || w.read(w.memory("raw", names[0])) != w.read(w.transcript) {
			t.Errorf("%+v: backups %q", tt, names)
		}
		if n := len(w.markers()); (n > 0) != tt.pending {
			t.Errorf("%+v: %d markers", tt, n)
		}
		if noted := w.read(w.memory("active-context.md")) != context; noted != tt.pending {
			t.Errorf("%+v: note is %v", tt, noted)
		}
		if r := w.handle(EventStart, ""); (r.Out != "") != tt.pending {
			t.Errorf("%+v: the next start prints %q", tt, r.Out)
		}
	}
}
