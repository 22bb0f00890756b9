//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/tui"
)

// hookWriter runs a client's hooks while a user changes the backups.
type hookWriter struct {
	k       *memoryHome
	project string
	script  string

	mu    sync.Mutex
	saved map[string]string // content of each backup, by name
}

// write appends to the session and runs its hooks, until ctx ends. Each hook advances the clock by a second.
func (w *hookWriter) write(ctx context.Context, from time.Time) {
	script, err := os.OpenFile(w.script, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		w.k.t.Error(err)
		return
	}
	defer script.Close()
	text := readFile(w.k.t, w.script)
	for i := 0; ctx.Err() == nil; i++ {
		line := strings.Replace(w.k.text(0, w.project, 1), "word 0", fmt.Sprintf("and word %d", i), 1)
		text += line
		if _, err := script.WriteString(line); err != nil {
			w.k.t.Error(err)
			return
		}
		payload, _ := json.Marshal(map[string]string{"session_id": w.k.id(0), "transcript_path": w.script, "reason": "clear", "trigger": "auto"})
		event := []string{hook.EventEnd, hook.EventCompact, hook.EventStart}[i%3]
		at := from.Add(time.Duration(i) * time.Second)
		r := hook.Handle(w.k.t.Context(), event, hook.In{
			Payload: strings.NewReader(string(payload)), Env: func(string) string { return "" }, Dir: filepath.Join(w.k.home, w.project),
			Home: w.k.home, Now: func() time.Time { return at },
		})
		if r.Run.Result == hook.ResultFailed || event != hook.EventStart && r.Run.Backup == "" {
			w.k.t.Errorf("%s: %+v", event, r.Run)
		}
		if r.Run.Backup != "" {
			w.mu.Lock()
			w.saved[r.Run.Backup] = text
			w.mu.Unlock()
		}
	}
}

// TestTriageWhileHooksWrite: hooks write during every action. No backup, marker or document may be lost.
func TestTriageWhileHooksWrite(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.backup("20261011_192104Z_exit", 1, "tea", 4, ".pending-backup") // the only copy of a different session
	k.write("# Active Session Context\n\n## Current Task\n\nTune the lamps.\n", "tea", ".claude", "memory", "active-context.md")
	w := &hookWriter{k: k, project: "tea", script: k.session(0, "tea", 2), saved: map[string]string{}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() { w.write(ctx, now()) })

	c := k.changes(now().Add(time.Hour))
	done := map[tui.ChangeKind]int{}
	// An action may fail if something has changed since its plan.
	try := func(kind tui.ChangeKind, rows []sessions.Row) {
		t.Helper()
		plan, err := c.Plan(t.Context(), tui.Change{Kind: kind, Rows: rows})
		if err != nil {
			t.Errorf("plan %s: %v", kind, err)
			return
		}
		if plan.Verb == "" {
			if kind == tui.ChangeVerify {
				done[kind]++
			}
			return
		}
		_, err = c.Do(t.Context(), plan)
		switch {
		case err == nil:
			done[kind]++
		case !errors.Is(err, backup.ErrChanged) && !errors.Is(err, backup.ErrLocked):
			t.Errorf("%s: %v", kind, err)
		}
	}
	for round := range 12 {
		rows, err := catalog.New(catalog.Options{Dirs: c.Dirs, Cwd: filepath.Join(k.home, "tea"), Home: k.home, Now: now, Zone: time.UTC}).List(t.Context(), false)
		if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		var all, half []sessions.Row
		for i := range rows {
			switch r := &rows[i]; {
			case r.State != sessions.StateOK || r.Fault != "" || r.Reason != "":
				t.Errorf("round %d: %s is %s, %s, %s", round, r.ID, r.State, r.Fault, r.Reason)
			case r.Kind != sessions.KindBackup:
			case r.Of == k.id(0) && i%2 == 0:
				half = append(half, *r)
				fallthrough
			default:
				all = append(all, *r)
			}
		}
		try(tui.ChangeVerify, all)
		try(tui.ChangeDiscard, half)
		if round%2 == 0 && done[tui.ChangeDiscard] > 0 {
			try(tui.ChangeUndo, nil)
		}
		if round == 3 {
			try(tui.ChangeRestore, k.rows(filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261011_192104Z_exit.jsonl")))
		}
		if round%4 == 1 {
			try(tui.ChangeSave, []sessions.Row{k.rowOfSession(0, "tea")})
		}
		if code, printed, errs := k.run("tea", "-", "project", "--json"); code != out.ExitDone {
			t.Errorf("round %d: project: %d\n%s%s", round, code, printed, errs)
		}
	}
	cancel()
	wg.Wait()
	for _, kind := range []tui.ChangeKind{tui.ChangeVerify, tui.ChangeDiscard, tui.ChangeUndo, tui.ChangeRestore, tui.ChangeSave} {
		if done[kind] == 0 {
			t.Errorf("%s was never done", kind)
		}
	}
	t.Logf("%d hooks made a backup; done: %v", len(w.saved), done)
	w.check()
}

// check checks that each backup exists once and completely, in raw or in the trash.
func (w *hookWriter) check() {
	w.k.t.Helper()
	memory := filepath.Join(w.k.home, w.project, ".claude", "memory")
	copies := map[string]string{}
	err := filepath.WalkDir(memory, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		if _, twice := copies[e.Name()]; twice {
			w.k.t.Errorf("%s is there twice", e.Name())
		}
		copies[e.Name()] = readFile(w.k.t, path)
		return nil
	})
	if err != nil {
		w.k.t.Fatal(err)
	}
	for name, text := range w.saved {
		if copies[name] != text {
			w.k.t.Errorf("%s has %d bytes, not %d", name, len(copies[name]), len(text))
		}
	}
	if len(copies) != len(w.saved)+1 {
		w.k.t.Errorf("%d copies of %d", len(copies), len(w.saved)+1)
	}
	found, err := backup.Find(w.k.t.Context(), filepath.Join(w.k.home, w.project), time.UTC)
	if err = errors.Join(append(found.Problems, err)...); err != nil {
		w.k.t.Error(err)
	}
	for _, m := range found.Markers {
		if m.State != backup.MarkerValid {
			w.k.t.Errorf("marker %s is %v", m.Path, m.State)
		}
	}
	for _, d := range found.Documents {
		if d.Problem != "" {
			w.k.t.Errorf("%s: %s", d.Path, d.Problem)
		}
	}
	context := readFile(w.k.t, filepath.Join(memory, "active-context.md"))
	for _, once := range []string{"## Current Task\n\nTune the lamps.\n", "## Session Exit", "## Compaction"} {
		if strings.Count(context, once) != 1 {
			w.k.t.Errorf("%q is in the active context %d times:\n%s", once, strings.Count(context, once), context)
		}
	}
}

func (k *memoryHome) rowOfSession(n int, project string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindSession}
	r.Path = filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, project)), k.id(n)+".jsonl")
	r.ID, r.Workdir, r.Project, r.Name = k.id(n), filepath.Join(k.home, project), filepath.Join(k.home, project), fmt.Sprintf("session %d", n)
	return r
}
