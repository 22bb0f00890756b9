package survey

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// looks counts the calls of a MachineLook.
type looks struct {
	mu                         sync.Mutex
	registries, known, pending map[string]int
	keeps                      map[string]int
	places                     int
}

func (l *looks) note(m *map[string]int, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key]++
}

// TestStatusLook: registries, list and folders are read once each, even if a path occurs twice.
func TestStatusLook(t *testing.T) {
	t.Parallel()
	here := t.TempDir()
	var asked looks
	l := MachineLook{
		Dirs: []string{"/c1", "/c2"}, Here: here,
		Known: func() []string { asked.note(&asked.known, ""); return []string{"/p/a", "/p/b", "/p/old", "/p/broken"} },
		registry: func(_ context.Context, dir string) []sessions.Live {
			asked.note(&asked.registries, dir)
			list := []sessions.Live{{PID: 7, Cwd: "/p/a/sub", Status: "busy"}} // both config directories return it, as if one were a link to the other
			if dir == "/c1" {
				list = append(list, sessions.Live{PID: 8, Cwd: "/p/a", Status: "waiting"}, sessions.Live{PID: 9, Cwd: "relative"}, sessions.Live{PID: 10, Cwd: `\\server\share`})
			}
			return list
		},
		places: func(_ context.Context, dirs []string) map[string]string {
			asked.mu.Lock()
			defer asked.mu.Unlock()
			asked.places++
			projects := map[string]string{}
			for _, dir := range dirs {
				projects[dir] = strings.TrimSuffix(dir, "/sub")
			}
			return projects
		},
		pending: func(_ context.Context, project string) (int, error) {
			asked.note(&asked.pending, project)
			if project == "/p/broken" {
				return 1, errors.New("a marker cannot be read")
			}
			return map[string]int{"/p/a": 1, "/p/b": 2}[project], nil
		},
		slugs: func(_ context.Context, dir string) []string {
			asked.note(&asked.registries, dir+"/projects")
			return []string{"-p-a"}
		},
		keep: func(_ context.Context, folder string) (keep, error) {
			asked.note(&asked.keeps, folder)
			return keep{}, nil // no memory, so transcripts aren't listed
		},
	}
	s := l.Look(t.Context())
	want := map[string]int{"/p/a": 1, "/p/a/sub": 1, "/p/b": 1, "/p/old": 1, "/p/broken": 1, sessions.RealPath(here): 1}
	if delete(want, "/p/broken"); !reflect.DeepEqual(asked.keeps, want) {
		t.Errorf("looked for backups of %v", asked.keeps)
	}
	if want["/p/broken"] = 1; !reflect.DeepEqual(asked.pending, want) || len(asked.registries) != 4 || asked.registries["/c1"] != 1 || asked.known[""] != 1 || asked.places != 1 {
		t.Errorf("asked for %+v", &asked)
	}
	if len(s.Live) != 4 || s.Backups() != 4 || s.Unknown != 1 || s.Folders != 6 || s.Pending[0] != (PendingProject{Path: "/p/b", Count: 2}) {
		t.Errorf("%+v", s)
	}
}

// TestStatusHangs: folders that hang occupy all calls but one. All other parts have results.
func TestStatusHangs(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	dead := func(path string) bool { return strings.HasPrefix(path, "/dead") }
	var known []string
	for i := range sessions.AtOnce - 1 {
		known = append(known, fmt.Sprintf("/dead/%d", i))
	}
	l := MachineLook{
		Dirs: []string{"/dead", "/c"}, Known: func() []string { return append(known, "/p/b") },
		registry: func(_ context.Context, dir string) []sessions.Live {
			if dead(dir) {
				<-forever
			}
			return []sessions.Live{{PID: 7, Cwd: "/p/a"}}
		},
		places: func(context.Context, []string) map[string]string { <-forever; return nil },
		pending: func(_ context.Context, project string) (int, error) {
			if dead(project) {
				<-forever
			}
			return 1, nil
		},
		slugs: func(context.Context, string) []string { return nil },
		keep:  func(context.Context, string) (keep, error) { return keep{}, nil },
	}
	s := l.Look(t.Context())
	if len(s.Live) != 1 || s.Backups() != 2 || s.Unknown != 1+len(known) {
		t.Errorf("%d live, %d pending, %d unknown", len(s.Live), s.Backups(), s.Unknown)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s := l.Look(ctx); len(s.Live) != 0 {
		t.Errorf("ended: %+v", s)
	}
	defer func() {
		if p, ok := recover().(*sessions.PanicError); !ok || p.Value != "a bug" {
			t.Errorf("recovered %v", p)
		}
	}()
	l.Known = func() []string { panic("a bug") }
	l.Look(t.Context())
}

// TestStatusSlow: pending backups are counted even if other reads of a folder are slow. Blind has the uncounted
// folders.
func TestStatusSlow(t *testing.T) {
	t.Parallel()
	l := MachineLook{
		pending: func(ctx context.Context, dir string) (int, error) {
			if dir == "/p/dead" {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return 2, nil
		},
		Unseen: func(ctx context.Context, _ string) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
		keep:   func(context.Context, string) (keep, error) { return keep{}, nil },
	}
	var s Machine
	l.count(t.Context(), time.Now().Add(50*time.Millisecond), &s, map[string]bool{"/p/tea": true, "/p/dead": true})
	if s.Backups() != 2 || s.Unknown != 2 || !slices.Equal(s.Blind, []string{"/p/dead"}) {
		t.Errorf("%d pending, %d unknown, %q", s.Backups(), s.Unknown, s.Blind)
	}
}
