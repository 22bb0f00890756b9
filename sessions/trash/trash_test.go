package trash_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/trash"
)

const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"

func now() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

// tree writes a session and other files to a new config directory. files has the contents by path.
func tree(t *testing.T) (dir string, row sessions.Row, files map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), ".claude")
	files = filesIn(dir)
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now(), now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, rowIn(dir), files
}

// filesIn returns the paths and contents of the files of tree.
func filesIn(dir string) map[string]string {
	project := filepath.Join(dir, "projects", "-tea")
	return map[string]string{
		filepath.Join(project, id+".jsonl"):                                  "one\n",
		filepath.Join(project, id, "subagents", "agent-1.jsonl"):             "two\n",
		filepath.Join(project, id, "tool-results", "deep", "result.txt"):     "three\n",
		filepath.Join(project, "agent-old.jsonl"):                            "four\n",
		filepath.Join(project, "5d07be13-1111-4222-8333-444455556666.jsonl"): "stays\n",
	}
}

func rowIn(dir string) sessions.Row {
	project := filepath.Join(dir, "projects", "-tea")
	return sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
		Path: filepath.Join(project, id+".jsonl"), ID: id,
		Agents: []string{filepath.Join(project, id, "subagents", "agent-1.jsonl"), filepath.Join(project, "agent-old.jsonl")},
	}}
}

// newStore returns a store without live sessions.
func newStore(journal string) *act.Store {
	return &act.Store{Journal: journal, Now: now, Live: func(context.Context, string) bool { return false }}
}

// planOf returns the plan to remove a session.
func planOf(row *sessions.Row) act.Planner {
	return func(context.Context) (change.Change, error) {
		p, err := trash.Of(row, now())
		return change.Change{Kind: string(journal.Delete), What: "Deleted", Where: []string{"/tea"}, Ops: p.Ops}, err
	}
}

// check compares the files in projects/ and their times.
func check(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "projects"), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		info, _ := e.Info()
		if !info.ModTime().Equal(now().Add(-time.Hour)) {
			t.Errorf("%s was modified at %v", path, info.ModTime())
		}
		got[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s has %q, want %q", path, got[path], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d: %v", len(got), len(want), got)
	}
}

// TestRemove: a second removal in the same second gets its own trash entry. An undo moves everything back.
func TestRemove(t *testing.T) {
	t.Parallel()
	dir, row, files := tree(t)
	store, plan := newStore(filepath.Join(t.TempDir(), "journal")), planOf(&row)
	shown, err := plan(t.Context())
	if err != nil || len(shown.Ops) != 4 {
		t.Fatalf("%d files, %v", len(shown.Ops), err)
	}
	done, err := store.Do(t.Context(), &shown, plan)
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "projects", "-tea")
	stays := filepath.Join(project, "5d07be13-1111-4222-8333-444455556666.jsonl")
	check(t, dir, map[string]string{stays: "stays\n"})
	if _, err := os.Stat(filepath.Join(project, id)); !os.IsNotExist(err) {
		t.Errorf("the folder of the session is left: %v", err)
	}

	if err := os.WriteFile(row.Path, []byte("new\n"), 0o600); err != nil { // Claude Code writes the transcript again.
		t.Fatal(err)
	}
	newer := row
	newer.Agents = nil
	switch p, err := trash.Of(&newer, now()); {
	case err != nil:
		t.Error(err)
	case p.Ops[0].To == done.Ops[0].To:
		t.Errorf("%s is used twice", p.Ops[0].To)
	}
	if err := os.Remove(row.Path); err != nil {
		t.Fatal(err)
	}

	list, problems := journal.Open(store.Journal).List(t.Context())
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.ID == done.ID })
	if len(problems) > 0 || i < 0 {
		t.Fatalf("journal: %v, %v", list, problems)
	}
	undo := func(ctx context.Context) (change.Change, error) {
		way, err := store.Undo(ctx, &list[i])
		if len(way.Refused) > 0 {
			t.Errorf("refused: %v", way.Refused)
		}
		return way.Change, err
	}
	back, err := undo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	undone, err := store.Do(t.Context(), &back, undo)
	if err != nil {
		t.Fatal(err)
	}
	check(t, dir, files)

	// The undo can be undone, unless a client has the session open.
	again := journal.Entry{ID: undone.ID, At: now(), Kind: journal.Undo, What: "Undid", Ops: undone.Ops, Done: true}
	store.Live = func(_ context.Context, session string) bool { return session == id }
	if way, err := store.Undo(t.Context(), &again); err != nil || len(way.Refused) != 4 || !errors.Is(way.Refused[0].Err, change.ErrLive) {
		t.Errorf("live: %+v, %v", way, err)
	}
	store.Live = func(context.Context, string) bool { return false }
	if way, err := store.Undo(t.Context(), &again); err != nil || len(way.Refused) != 0 || len(way.Change.Ops) != 4 {
		t.Errorf("not live: %+v, %v", way, err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.Dir(filepath.Dir(done.Ops[0].To)))); !os.IsNotExist(err) {
		t.Errorf("the entry in the trash is left: %v", err)
	}
}

// TestRemovePlace: the session is outside projects/, or a link.
func TestRemovePlace(t *testing.T) {
	t.Parallel()
	dir, row, _ := tree(t)
	link := filepath.Join(dir, "projects", "-tea", id, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if p, err := trash.Of(&row, now()); err != nil || !slices.Equal(p.Left, []string{link}) {
		t.Errorf("left %v, %v", p.Left, err)
	}
	other := row
	other.Path = filepath.Join(dir, "copy", id+".jsonl")
	if _, err := trash.Of(&other, now()); !errors.Is(err, trash.ErrPlace) {
		t.Errorf("outside of projects: %v", err)
	}
	row.Path = filepath.Join(filepath.Dir(row.Path), "gone.jsonl")
	if _, err := trash.Of(&row, now()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestProposals: one of several equal sessions isn't proposed.
func TestProposals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	row := func(project, name, text string, more func(*sessions.Row)) sessions.Row {
		path := filepath.Join(dir, "projects", project, name+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
			Path: path, ID: name, Workdir: "/tea", Bytes: int64(len(text)), State: sessions.StateOK, Modified: now(),
		}}
		if more != nil {
			more(&r)
		}
		return r
	}
	older := func(r *sessions.Row) { r.Modified = now().Add(-time.Hour) }
	running := func(r *sessions.Row) { r.Live = &sessions.Live{} }
	rows := []sessions.Row{
		row("-tea", "empty", " ", func(r *sessions.Row) { r.State = sessions.StateEmpty }),
		row("-tea", "stub", "stub", func(r *sessions.Row) { r.State = sessions.StateStub }),
		row("-tea", "starting", "stub", func(r *sessions.Row) { r.State = sessions.StateStub; running(r) }),
		row("-tea", "mine", "the same", older),
		row("-else", "copy", "the same", nil),
		row("-else", "running copy", "the same", running),
		row("-tea", "old", "equal!", older),
		row("-tea", "new", "equal!", nil),
		row("-tea", "other", "other!", nil),
		row("-tea", "gone", "equal!", nil),
		row("-tea", "link", "", nil),
	}
	_ = os.Remove(rows[10].Path)
	if err := os.Link(rows[8].Path, rows[10].Path); err != nil {
		t.Fatal(err)
	}
	rows[10].Bytes = rows[8].Bytes
	_ = os.Remove(rows[9].Path)
	list, err := trash.Proposals(t.Context(), rows, func(r *sessions.Row) bool { return r.Live != nil })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, p.Row.ID+" "+string(p.Reason)+" "+filepath.Base(p.Of))
	}
	want := []string{"empty empty .", "stub stub .", "copy duplicate mine.jsonl", "old duplicate new.jsonl"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := trash.Proposals(ended, rows, func(*sessions.Row) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancellation: %v", err)
	}
}
