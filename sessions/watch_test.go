package sessions_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/demo"
	"github.com/continuo-tui/continuo/transcript"
)

// started is a probe that reports every process as running.
type started struct{}

func (started) Start(context.Context, int) (start string, alive, known bool) { return "", true, true }
func (started) Domain() string                                               { return "" }

func walk(t *testing.T, o sessions.Options) *sessions.Set {
	t.Helper()
	set, err := sessions.Walk(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestWalk: Walk lists the files of Find without reading them. Take makes the same sessions from the outlines.
func TestWalk(t *testing.T) {
	t.Parallel()
	p := "projects/-home-ada-tea/"
	dir := tree(t, map[string]string{
		p + idA + ".jsonl": turn("u1", "Fix the kettle", "/home/ada/tea") +
			answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 2),
		p + idA + "/subagents/agent-1.jsonl": turn("s1", "task", "/home/ada/tea"),
		p + idB + ".jsonl":                   turn("u1", "Damaged", "/home/ada/tea") + "{broken\n" + turn("u2", "on", "/home/ada/tea") + `{"torn`,
		p + "agent-old.jsonl":                strings.Replace(turn("s2", "task", "/x"), `"type"`, `"sessionId":"`+idA+`","isSidechain":true,"type"`, 1),
		p + "note.jsonl":                     "",
	})
	known := new(sessions.Known)
	opts := sessions.Options{Dirs: []string{dir, dir}, Now: now(), Known: known}
	set, err := sessions.Find(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Exact(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	again := walk(t, opts)
	if n := again.Work().Files.Load(); n != 0 {
		t.Errorf("a walk opened %d files", n)
	}
	if n := len(slices.Collect(again.Paths())); n != len(set.Sessions) || len(again.Sessions) != 0 {
		t.Errorf("%d paths, %d sessions, want %d", n, len(again.Sessions), len(set.Sessions))
	}
	for _, want := range set.Sessions {
		tr, err := transcript.Open(t.Context(), want.Path)
		if err != nil {
			t.Fatal(err)
		}
		got := again.Take(want.Path, tr.Outline())
		again.Settle(t.Context(), &got)
		if got.Workdir == "" { // only Find takes the workdir from another session
			got.Workdir, got.Project = want.Workdir, want.Project
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("taken %+v\nexact %+v", got, want)
		}
		if inside, around := again.Renew(&got); inside || around {
			t.Errorf("%s: inside %v, around %v although nothing changed", want.Path, inside, around)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRenew(t *testing.T) {
	t.Parallel()
	path := "projects/-home-ada-tea/" + idA + ".jsonl"
	dir := tree(t, map[string]string{path: turn("u1", "Hello", "/home/ada/tea") + `{"torn`})
	path = filepath.Join(dir, path)
	opts := sessions.Options{Dirs: []string{dir}, Now: now(), Probe: started{}}
	ses := exact(t, dir)[0]
	set := walk(t, opts)
	renew := func(what string, inside, around bool) {
		t.Helper()
		if i, a := set.Renew(&ses); i != inside || a != around {
			t.Errorf("%s: inside %v, around %v", what, i, a)
		}
	}
	registry := func(status string, updated string) {
		t.Helper()
		data := `{"pid":7,"sessionId":"` + idA + `","status":"` + status + `","updatedAt":` + updated + `}`
		name := filepath.Join(dir, "sessions", "7.json")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
		set.Registry(t.Context())
	}
	renew("nothing", false, false)
	registry("busy", "1772366400000")
	renew("started", false, true)
	if ses.Live == nil || ses.Live.Status != sessions.StatusBusy || !ses.Has(sessions.FlagLive) || !ses.Has(sessions.FlagTornTail) {
		t.Errorf("%+v", ses)
	}
	registry("busy", "1772366500000")
	renew("a heartbeat", false, false)
	registry("waiting", "1772366600000")
	renew("waits", false, true)
	if err := os.RemoveAll(filepath.Join(dir, "sessions")); err != nil {
		t.Fatal(err)
	}
	set.Registry(t.Context())
	renew("ended", false, true)
	if ses.Live != nil || ses.Has(sessions.FlagLive) || !ses.Has(sessions.FlagTornTail) {
		t.Errorf("%+v", ses)
	}
	opts.Now = now().AddDate(0, 0, 20)
	set = walk(t, opts)
	renew("time", false, true)
	if want := now().AddDate(0, 0, 28); !ses.Has(sessions.FlagPurgeSoon) || !ses.Purge.Equal(want) {
		t.Errorf("purge %v, want %v", ses.Purge, want)
	}
	if err := os.MkdirAll(filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents"), 0o700); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-1.jsonl")
	if err := os.WriteFile(agent, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	set = walk(t, opts)
	renew("a sub-agent", false, true)
	if !slices.Equal(ses.Agents, []string{agent}) {
		t.Errorf("agents %v", ses.Agents)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !set.Stat(path) {
		t.Error("the file is there")
	}
	if inside, _ := set.Renew(&ses); !inside {
		t.Error("the file has changed")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if set.Stat(path) || set.Stat(path+"x") {
		t.Error("the file is not there")
	}
	if ses, gone := set.Refuse(path, fs.ErrNotExist); !gone || ses.State != sessions.StateUnreadable {
		t.Errorf("%+v", ses)
	}
}

func TestPurge(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"projects/-home-ada-tea/" + idA + ".jsonl": turn("u1", "Hello", "/home/ada/tea"),
		"settings.json": `{"cleanupPeriodDays":11}`,
	})
	ses := find(t, dir).Sessions[0] // two days old
	if want := now().AddDate(0, 0, 9); !ses.Has(sessions.FlagPurgeSoon) || !ses.Purge.Equal(want) {
		t.Errorf("purge %v, want %v", ses.Purge, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(`{"cleanupPeriodDays":99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if ses := find(t, dir).Sessions[0]; ses.Has(sessions.FlagPurgeSoon) || !ses.Purge.Equal(time.Time{}) {
		t.Errorf("purge %v", ses.Purge)
	}
}

// grown is a file that is still being written. It has n bytes so far.
type grown struct {
	data []byte
	n    int
}

func (g *grown) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(g.data[:g.n]).ReadAt(p, at)
}

// TestGrownEqualsWhole: pieces end at random bytes. After each piece, the session equals one that is read at once.
func TestGrownEqualsWhole(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dir := t.TempDir()
	if _, err := demo.Write(t.Context(), dir, demo.Options{Now: now()}); err != nil {
		t.Fatal(err)
	}
	set := walk(t, sessions.Options{})
	for _, dir := range append(filepath.SplitList(os.Getenv("CONTINUO_CORPUS")), dir) {
		files, err := filepath.Glob(filepath.Join(dir, "projects", "*", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > 256<<10 {
				continue // not a regular file, or too long for this test
			}
			data, err := os.ReadFile(path)
			if err != nil {
				continue // unreadable on purpose
			}
			rng := rand.New(rand.NewPCG(7, uint64(len(data))))
			g := &grown{data: data}
			tr, err := transcript.New(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			for g.n < len(data) {
				g.n = min(len(data), g.n+1+rng.IntN(len(data)/4+2))
				if _, err := tr.Follow(t.Context()); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				fresh := transcript.NewOutline()
				if _, err := fresh.Extend(t.Context(), transcript.NewReader(bytes.NewReader(data[:g.n]), 0)); err != nil {
					t.Fatal(err)
				}
				got, want := set.Take(path, tr.Outline()), set.Take(path, fresh)
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(tr.Outline().Messages, fresh.Messages) ||
					!reflect.DeepEqual(tr.Outline().Threads, fresh.Threads) {
					t.Errorf("%s at byte %d: followed %+v\nread %+v", path, g.n, got, want)
				}
			}
		}
	}
}
