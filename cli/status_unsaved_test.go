package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// endings is a home whose sessions ended around noon on the previous day.
type endings struct {
	t    *testing.T
	home string
	n    int
}

func newEndings(t *testing.T) *endings {
	t.Helper()
	e := &endings{t: t, home: mustReal(t, t.TempDir())}
	e.file(".claude/settings.json", userHooks(e.home), noon())
	return e
}

func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func (e *endings) file(path, text string, modified time.Time) string {
	e.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.home, path)
	}
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, modified, modified))
	if err != nil {
		e.t.Fatal(err)
	}
	return path
}

// project creates a project. Its hooks were installed at noon.
func (e *endings) project(name string) string {
	dir := filepath.Join(e.home, name)
	e.file(filepath.Join(dir, ".claude", "memory", ".gitignore"), "raw/\n", noon())
	return dir
}

// session writes the transcript of a session that ended at noon plus after. If later isn't 0, another record
// follows after that duration.
func (e *endings) session(workdir string, after, later time.Duration) (id, path string) {
	e.n++
	id = fmt.Sprintf("aaaaaaaa-0000-4000-8000-%012d", e.n)
	last := noon().Add(after)
	text := fmt.Sprintf(`{"type":"user","uuid":"u","parentUuid":null,"sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"role":"user","content":"hello"}}`+"\n",
		id, workdir, last.Format("2006-01-02T15:04:05.000Z"))
	if later > 0 {
		text += `{"type":"mode","mode":"default"}` + "\n"
	}
	path = e.file(filepath.Join(".claude", "projects", sessions.Slug(workdir), id+".jsonl"), text, last.Add(later))
	return id, path
}

// copied makes a backup at noon plus after. If whole is false, it has only the first record.
func (e *endings) copied(path, raw string, after time.Duration, whole bool) {
	e.t.Helper()
	text := readAll(e.t, path)
	info, err := os.Stat(path)
	if err != nil {
		e.t.Fatal(err)
	}
	modified := info.ModTime()
	if !whole {
		line, _, _ := strings.Cut(text, "\n")
		text, modified = line+"\n", noon().Add(after)
	}
	e.file(filepath.Join(raw, noon().Add(after).Format("20060102_150405Z")+fmt.Sprintf("_x%d.jsonl", e.n)), text, modified)
}

func (e *endings) list() []sessions.Row {
	e.t.Helper()
	opts := catalog.Options{Dirs: []string{filepath.Join(e.home, ".claude")}, Home: e.home, Now: now, Zone: time.UTC}
	rows, err := catalog.New(opts).List(e.t.Context(), true)
	if err != nil {
		e.t.Fatal(err)
	}
	return rows
}

// TestUnsavedAsListed: status counts the same sessions without a backup as the list.
func TestUnsavedAsListed(t *testing.T) {
	t.Parallel()
	const min = time.Minute
	e := newEndings(t)
	tea, pantry := e.project("code/tea"), e.project("code/tea-pantry") // one path is a prefix of the other
	plain, src := filepath.Join(e.home, "code", "plain"), filepath.Join(tea, "src")
	e.file("code/tea/.git/HEAD", "ref: refs/heads/main\n", noon())
	e.file("code/tea/.git/worktrees/w/gitdir", filepath.Join(e.home, "elsewhere", "w", ".git")+"\n", noon())
	e.file("code/tea/.git/worktrees/w/commondir", "../..\n", noon())
	tree := filepath.Join(e.home, "elsewhere", "w")
	e.file("elsewhere/w/.git", "gitdir: "+filepath.Join(tea, ".git", "worktrees", "w")+"\n", noon())
	e.file("code/tea/src/main.go", "", noon())
	e.file("code/plain/.claude/memory/raw/20261101_000000Z_exit.jsonl", "{}\n", noon())
	raw := filepath.Join(tea, ".claude", "memory", "raw")
	trash := filepath.Join(tea, ".claude", "memory", "trash", "20261121_000000Z-discard", "raw")

	var missed []string
	add := func(want bool, workdir string, after, later time.Duration) string {
		id, path := e.session(workdir, after, later)
		if want {
			missed = append(missed, id)
		}
		return path
	}
	add(true, tea, min, 0)
	add(true, src, 2*min, 0)
	add(true, tree, 3*min, 0)
	add(true, pantry, 4*min, time.Hour)
	add(false, plain, 5*min, 0)
	add(false, tea, -min, time.Hour)                                               // ended before there were hooks, and continued later
	e.copied(add(false, tea, 6*min, 0), raw, 8*min, true)                          // left open for a while, then backed up
	e.copied(add(false, tea, 9*min, 2*time.Second), raw, 9*min+time.Second, false) // continued after the backup
	e.copied(add(false, tea, 10*min, time.Hour), raw, 11*min, false)               // continued long after the backup
	e.copied(add(false, tea, 12*min, time.Hour), trash, 12*min, false)
	e.copied(add(true, tea, 14*min, time.Hour), raw, 13*min, false)     // compacted, later killed
	e.copied(add(false, pantry, 15*min, time.Hour), raw, 15*min, false) // backed up by a hook of the other project

	var flagged []string
	rows := e.list()
	for i := range rows {
		if rows[i].Has(sessions.FlagNoBackup) {
			flagged = append(flagged, rows[i].ID)
		}
	}
	slices.Sort(flagged)
	if !slices.Equal(flagged, missed) {
		t.Errorf("listed %q\nwant   %q", flagged, missed)
	}
	d := newDeps(Program{Env: []string{"HOME=" + e.home}, Dir: e.home, Now: now, Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: new(strings.Builder)})
	place.RememberProjects(d.Env, []string{tea, pantry, plain})
	l := doctor.NewStatusLook(d.Env, []string{filepath.Join(e.home, ".claude")}, true)
	var mu sync.Mutex
	var peeked, owners []string
	l.Peek = func(ctx context.Context, path string) sessions.Session {
		mu.Lock()
		defer mu.Unlock()
		peeked = append(peeked, filepath.Base(path))
		return sessions.Peek(ctx, path, now())
	}
	l.Owner = func(b *backup.Backup) string {
		mu.Lock()
		defer mu.Unlock()
		owners = append(owners, b.Path)
		return backup.Owner(b)
	}
	s := l.Look(t.Context())
	for range 50 { // a lookup may exceed its time limit
		if len(s.Unsaved) >= len(missed) && s.Unknown == 0 {
			break
		}
		time.Sleep(200 * time.Millisecond) // lets pending reads end
		mu.Lock()
		peeked, owners = nil, nil
		mu.Unlock()
		s = l.Look(t.Context())
	}
	mu.Lock()
	defer mu.Unlock()
	if len(s.Unsaved) != len(missed) || s.Unknown != 0 {
		t.Errorf("status has %+v, %d unknown; want %d", s.Unsaved, s.Unknown, len(missed))
	}
	if want := []survey.PendingProject{{Path: tea, Unsaved: 4}, {Path: pantry, Unsaved: 1}}; !slices.Equal(s.Pending, want) {
		t.Errorf("projects %+v", s.Pending)
	}
	// status reads the transcripts without a backup, and the four that continued long after their end. It reads
	// no backup twice.
	if len(peeked) != len(missed)+4 || slices.Contains(peeked, "aaaaaaaa-0000-4000-8000-000000000007.jsonl") || slices.Contains(peeked, "aaaaaaaa-0000-4000-8000-000000000008.jsonl") {
		t.Errorf("looked into %q", peeked)
	}
	slices.Sort(owners)
	if len(slices.Compact(slices.Clone(owners))) != len(owners) {
		t.Errorf("read twice: %q", owners)
	}

	const want = "△ unsaved     5 sessions in 2 projects ended without a backup      continuo backup create --missed\n\n" +
		"tea                                                                             ~/code/tea on main\n"
	out := ""
	for n := 0; n < 50 && !strings.Contains(out, want); n++ { // the lookup has the same time limit
		out, _, _ = runStatus(t, e.home, tea, true)
	}
	if !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
	line := ""
	for n := 0; n < 50 && line != "5 unsaved\n"; n++ { // the lookup has the same time limit
		line, _, _ = runStatus(t, e.home, tea, false, "--line")
	}
	if line != "5 unsaved\n" {
		t.Errorf("line %q", line)
	}
	js := ""
	for n := 0; n < 50 && !strings.Contains(js, `"unsaved":5`); n++ { // the lookup has the same time limit
		js, _, _ = runStatus(t, e.home, tea, false, "--json")
	}
	var got struct {
		Unsaved  int
		Projects []survey.PendingProject
		Hooks    []doctor.HookTrouble
		Tracked  *int
		Context  *doctor.StatusContext
	}
	if err := json.Unmarshal([]byte(js), &got); err != nil || got.Unsaved != 5 || len(got.Projects) != 3 || got.Hooks == nil || got.Tracked == nil || got.Context != nil {
		t.Errorf("%v: %s", err, js)
	}
}

func TestStatusContext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		updated string
		bytes   int
		want    string
		json    string
	}{
		{"2026-11-21T11:02:00Z", 100, "· context     active-context.md, 4 h 50 min old, 100 B          stale after 24 h, heavy from 20 kB\n", `"stale":false,"heavy":false}`},
		{"2026-11-19T11:02:00Z", 100, "△ context     active-context.md, 2 days old, 100 B              stale after 24 h, heavy from 20 kB\n", `"stale":true,"heavy":false}`},
		{"2026-11-21T15:02:00Z", 30_000, "△ context     active-context.md, 50 min old, 30 kB              stale after 24 h, heavy from 20 kB\n", `"stale":false,"heavy":true}`},
	} {
		e := newEndings(t)
		tea := e.project("tea")
		text := "# Active\n> Last Updated: " + tt.updated + "\n"
		e.file("tea/.claude/memory/active-context.md", text+strings.Repeat("x", tt.bytes-len(text)), noon())
		if out, _, _ := runStatus(t, e.home, tea, true); !strings.Contains(out, tt.want) {
			t.Errorf("no %q in\n%s", tt.want, out)
		}
		if out, _, _ := runStatus(t, e.home, tea, true, "--json"); !strings.Contains(out, tt.json) {
			t.Errorf("no %s in %s", tt.json, out)
		}
		if out, _, _ := runStatus(t, e.home, tea, true, "--line"); out != "" {
			t.Errorf("line %q", out)
		}
		if out, _, _ := runStatus(t, e.home, e.home, true); strings.Contains(out, "context") {
			t.Errorf("elsewhere:\n%s", out)
		}
	}
}
