package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

func discard(ctx context.Context, m *backup.Memory, p *backup.DiscardPlan) error {
	plan := func(ctx context.Context) (change.Change, error) {
		ops, err := m.DiscardOps(ctx, p, now())
		return change.Change{Kind: string(p.Kind), What: "Discarded it", Ops: ops, Unkept: true}, err
	}
	shown, err := plan(ctx)
	if err == nil {
		_, err = (&act.Store{Now: now}).Do(ctx, &shown, plan)
	}
	return err
}

// TestAtOnce: goroutines save, discard and write documents while a memory is listed and watched. Incomplete files
// aren't reported as damaged.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path := s.session(1, "tea", "one")
	s.document("active-context", "tea", "> Last Updated: 2026-03-01 10:00:00\n\n## Next Steps\n1. next\n")
	m, err := backup.OpenMemory(s.project("tea"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	c := quick(s.opts())
	// whole fails the test if a row describes an incomplete file.
	whole := func(how string, rows []sessions.Row) {
		for i := range rows {
			r := &rows[i]
			if r.State != sessions.StateOK || r.Fault != "" || r.Reason != "" || r.Malformed || r.Relation == sessions.RelationRewritten || r.Relation == sessions.RelationGone {
				t.Errorf("%s: %s is %s %q, %s, %s", how, r.ID, r.State, r.Reason, r.Fault, r.Relation)
			}
			if r.Kind == sessions.KindDocument && strings.HasPrefix(r.ID, "session-") && r.Bytes > 0 && (r.Status != "completed" || len(r.Todos) > 1) {
				t.Errorf("%s: %s is %q with %d todos", how, r.ID, r.Status, len(r.Todos))
			}
		}
	}
	var made []sessions.Row
	for b := range c.Rows(t.Context()) {
		made = append(made, b.Rows...)
	}
	whole("rows", made)
	watching, stop := context.WithCancel(t.Context())
	var watches, writers sync.WaitGroup
	scr := &screen{rows: map[string]sessions.Row{}, gone: map[string]bool{}}
	changes := c.Watch(watching, func() bool { return true })
	watches.Go(func() {
		for b := range changes {
			whole("watch", b.Rows)
			if b.Err != nil {
				t.Error(b.Err)
			}
			scr.take(b)
		}
	})
	const rounds = 15
	errs := make(chan error, 4*rounds)
	var saved, kept []string
	writers.Go(func() {
		for n := range rounds {
			appendTo(t, path, s.record(1, "tea", fmt.Sprint(n)))
			b, err := m.Save(t.Context(), backup.Request{Transcript: path, By: backup.ByEnd, Reason: "clear", At: now()})
			errs <- errors.Join(append(b.Problems, err)...)
			if saved = append(saved, b.Path); n%3 != 0 {
				kept = append(kept, b.Path)
				continue
			}
			plan, err := m.PlanDiscard(t.Context(), []string{b.Path})
			if err == nil {
				err = discard(t.Context(), m, &plan)
			}
			errs <- err
		}
	})
	writers.Go(func() {
		text := "---\ndate: 2026-02-28 10:00\nstatus: completed\ntags: [a]\n---\n" + strings.Repeat("text\n", 3000) + "## Remaining Todos\n- [ ] HIGH: one\n"
		for n := range rounds {
			errs <- os.WriteFile(filepath.Join(m.Project(), ".claude", "memory", "session-2026-02-28-1000.md"), []byte(text), 0o600) // same file
			f, err := os.Create(filepath.Join(m.Project(), ".claude", "memory", fmt.Sprintf("session-2026-02-28-11%02d.md", n)))
			if err == nil {
				_, err = f.WriteString(text[:20])
				time.Sleep(2 * time.Millisecond)
				_, more := f.WriteString(text[20:])
				err = errors.Join(err, more, f.Close())
			}
			errs <- err
		}
	})
	done := make(chan struct{})
	var list []sessions.Row
	go func() { writers.Wait(); close(done) }()
	for ending := false; !ending; {
		select {
		case <-done:
			ending = true
		default:
		}
		if list, err = catalog.New(s.opts()).List(t.Context(), false); err != nil {
			t.Error(err)
		}
		whole("list", list)
		c.LookAgain()
	}
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	count := map[sessions.Kind]int{}
	for i := range list {
		count[list[i].Kind]++
	}
	if count[sessions.KindBackup] != len(kept) || count[sessions.KindDocument] != rounds+2 || len(saved) != rounds {
		t.Errorf("listed %v, %d saved", count, len(saved))
	}
	c.LookAgain()
	scr.until(t, "all of it", func(rows map[string]sessions.Row) bool {
		right := 0
		for _, path := range kept {
			if r := rows[path]; r.Exact && r.Relation.Held() {
				right++
			}
		}
		return right == len(kept) && len(rows) == len(kept)+rounds+3 // 3 more: the session, the newest document and active-context.md
	})
	stop()
	watches.Wait()
}
