package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/handover"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript/digest"
)

const documentName = "session-2026-11-21-1405Z.md"

func knownSession(t *testing.T) *document.Known {
	t.Helper()
	d := digest.Digest{
		Start: at(t, "2026-11-21T13:00:00Z"), End: at(t, "2026-11-21T14:02:00Z"), Asked: 1, Answered: 9, Ending: digest.EndInterrupted,
		Answer: "Guest tokens are fixed.\nNot done: the *admin* console.",
		Files:  []digest.File{{Path: "/home/ada/teahouse/src/auth/jwt.go", Added: 13, Removed: 2, Changes: 2}},
		Todos:  []digest.Todo{{Text: "Guest tokens", Status: "in_progress", Priority: "high"}},
	}
	d.Prompts.First = []digest.Prompt{{Text: "Tokens issued right before midnight cannot be refreshed. Find out why and fix it."}}
	return &document.Known{
		At: at(t, "2026-11-21T14:05:00Z"), Session: "7c41e9d2-0000-4000-8000-000000000000", Name: "Fix refresh token race at midnight",
		Project: "teahouse", Root: "/home/ada/teahouse", Tags: []string{"auth", "two words"}, Digest: d,
		Git: &document.Git{Branch: "fix/token-race", Changed: []string{"src/auth/jwt.go"}},
	}
}

func (p project) documentRequest(m *Memory) DocumentRequest {
	p.t.Helper()
	k := knownSession(p.t)
	k.Previous = m.NewestDocument(k.At)
	h := &handover.Handover{When: k.At, Session: k.Session, State: k.Digest.Answer, Items: document.TaskItems(k.Digest.Todos)}
	return DocumentRequest{At: k.At, Text: document.ComposeHandover(h, k), Note: document.HandoverNote(h), Previous: k.Previous}
}

func (p project) store() *act.Store {
	return &act.Store{Journal: p.path("journal"), Now: time.Now}
}

func (p project) entries() []journal.Entry {
	p.t.Helper()
	list, problems := journal.Open(p.path("journal")).List(p.t.Context())
	if len(problems) > 0 {
		p.t.Error(problems)
	}
	return list
}

// trySave saves a document as the commands do. After the n-th plan, it calls then(n).
func (p project) trySave(store *act.Store, m *Memory, r DocumentRequest, then func(n int)) (saved SavedDocument, done act.Done, err error) {
	n := 0
	plan := func(context.Context) (c change.Change, err error) {
		c, saved, err = m.PlanDocument(r)
		if n++; then != nil {
			then(n)
		}
		return c, err
	}
	shown, err := plan(p.t.Context())
	if err == nil {
		done, err = store.Do(p.t.Context(), &shown, plan)
	}
	return saved, done, err
}

func (p project) saveDocument(m *Memory, r DocumentRequest) SavedDocument {
	p.t.Helper()
	s, done, err := p.trySave(p.store(), m, r, nil)
	if err != nil || done.Lost != nil {
		p.t.Fatal(err, done.Lost)
	}
	return s
}

// theirContext is an active-context.md with edits of a user.
const theirContext = "# Active Session Context\r\n> Last updated: yesterday\r\n> Last Session Doc: session-2026-11-20-0900Z.md\r\n\r\n## Current Task\r\nFold the crane.\r\n\r\n" +
	"```\r\n> Last Updated: in code\r\n```\r\n\r\n## Notes\r\nno end of line"

func TestSaveDocument(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/active-context.md", theirContext)
	if err := os.Chmod(p.memory("active-context.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	m := p.open()
	r := p.documentRequest(m)
	store, asked := p.store(), 0
	store.Step = func(string, string) error {
		if asked++; asked > 1 {
			return nil
		}
		if p.read("active-context.md") != theirContext || m.NewestDocument(r.At) != "" {
			t.Error("a file was written before the journal had its old text")
		}
		if list := p.entries(); len(list) != 1 || len(list[0].Ops) != 3 || string(list[0].Ops[0].Before) != theirContext || list[0].Ops[1].Path() != p.memory(documentName) {
			t.Errorf("in the journal: %+v", list)
		}
		return nil
	}
	s, done, err := p.trySave(store, m, r, nil)
	if err != nil || s.Path != p.memory(documentName) || s.Context != p.memory("active-context.md") || s.Fresh || s.Problem != nil || asked == 0 {
		t.Errorf("%+v, %v, asked %d times", s, err, asked)
	}
	if p.read(documentName) != string(r.Text) {
		t.Error("the document differs from the composed one")
	}
	got := p.read("active-context.md")
	at := strings.Index(got, "## Last Session (by continuo)")
	want := strings.NewReplacer("yesterday", "2026-11-21T14:05:00Z", "session-2026-11-20-0900Z.md", documentName).Replace(theirContext) + "\r\n\r\n"
	if at < 0 || got[:at] != want {
		t.Errorf("active context %q, not %q", got, want)
	}
	if strings.Count(got, "\n") != strings.Count(got, "\r\n") || !strings.Contains(got, "- Document: `"+documentName+"`\r\n") {
		t.Errorf("active context %q", got)
	}
	if ops := p.entries()[0].Ops; change.Sum([]byte(got)) != ops[2].Sum || change.Sum(r.Text) != ops[1].Sum || len(done.Ops) != 3 {
		t.Error("the sums differ")
	}
	fi, err := os.Stat(p.memory("active-context.md"))
	if err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}

	r = p.documentRequest(m)
	if r.Previous != documentName {
		t.Errorf("previous is %q", r.Previous)
	}
	if s = p.saveDocument(m, r); s.Path != p.memory("session-2026-11-21-1405Z-2.md") {
		t.Errorf("the second is %s", s.Path)
	}
	if got := p.read("active-context.md"); strings.Count(got, "by continuo") != 1 || strings.Count(got, "- Document:") != 1 || !strings.HasPrefix(got, strings.Replace(want, documentName, "session-2026-11-21-1405Z-2.md", 1)) {
		t.Errorf("active context %q", got)
	}
	if newest := m.NewestDocument(r.At); newest != "session-2026-11-21-1405Z-2.md" {
		t.Errorf("newest is %q", newest)
	}
	p.hasNoTemps()
}

func TestSaveDocumentFirst(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	s := p.saveDocument(m, p.documentRequest(m))
	if !s.Fresh || !strings.HasPrefix(p.read("active-context.md"), "# Active Session Context\n> Last Updated: 2026-11-21T14:05:00Z\n> Last Session Doc: "+documentName+"\n") {
		t.Errorf("%+v, %q", s, p.read("active-context.md"))
	}
}

func TestSaveDocumentRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(p project, r *DocumentRequest)
		want   error
	}{
		"not kept":         {func(p project, _ *DocumentRequest) { p.write("journal", "a file") }, syscall.ENOTDIR},
		"another document": {func(p project, _ *DocumentRequest) { p.write(".claude/memory/session-2026-12-01-0000Z.md", "x") }, ErrChanged},
		"no directory":     {func(p project, r *DocumentRequest) { r.To = p.path("none/x.md") }, fs.ErrNotExist},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write(".claude/memory/active-context.md", theirContext)
			m := p.open()
			r := p.documentRequest(m)
			tt.change(p, &r)
			if _, _, err := p.trySave(p.store(), m, r, nil); !errors.Is(err, tt.want) {
				t.Errorf("error %v", err)
			}
			if p.read("active-context.md") != theirContext || p.isFile(documentName) {
				t.Error("a file was written")
			}
			p.hasNoTemps()
		})
	}
}

func (p project) isFile(name string) bool {
	fi, err := os.Lstat(p.memory(name))
	return err == nil && fi.Mode().IsRegular()
}

func TestSaveDocumentTo(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mkdir("notes")
	p.write("taken.md", "mine")
	m := p.open()
	when := at(t, "2026-11-21T14:05:00Z")
	r := p.documentRequest(m)
	var err error
	if r.To, err = CheckDocumentPath(p.path("notes"), when, nil); err != nil || r.To != p.path("notes/"+documentName) {
		t.Fatalf("%q, %v", r.To, err)
	}
	if s := p.saveDocument(m, r); s.Path != r.To || !strings.Contains(p.read("active-context.md"), "\n> Last Session Doc: "+r.To+"\n") {
		t.Errorf("%+v, %q", s, p.read("active-context.md"))
	}
	if text, err := os.ReadFile(r.To); err != nil || string(text) != string(r.Text) {
		t.Errorf("%v", err)
	}
	if _, _, err := p.trySave(p.store(), m, r, nil); !isTaken(err) {
		t.Errorf("over another one: %v", err)
	}
	for path, taken := range map[string]bool{"taken.md": true, "notes": true, "none/x.md": false, "taken.md/x": false} {
		_, err := CheckDocumentPath(p.path(path), when, nil)
		if err == nil || isTaken(err) != taken {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestCheckDocumentPath: paths with another purpose are refused, even through a link.
func TestCheckDocumentPath(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	real, err := filepath.EvalSymlinks(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	p.dir = real
	for _, dir := range []string{".git/info", ".claude/commands", ".claude/memory/raw/x", ".claude/memory/trash", ".claude/memory/sessions", "config/projects", "notes/.github"} {
		p.mkdir(dir)
	}
	for path, ok := range map[string]bool{
		"x.md": true, "notes/x.md": true, "notes/": true, "notes/.github/x.md": true, ".claude/memory/x.md": true, ".claude/memory/sessions/x.md": true,
		"x": false, "x.txt": false, ".x.md": false, ".md": false, "Active-Context.md": false, ".claude/memory/project-memory.md": false, "none/": false, "x.md/": false,
		".git/x.md": false, ".git/info/": false, ".claude/x.md": false, ".claude/commands/x.md": false, ".claude/memory/raw/x.md": false,
		".claude/memory/raw/x/": false, ".claude/memory/trash/x.md": false, "config/x.md": false, "config/projects/x.md": false,
	} {
		to := filepath.FromSlash(p.dir + "/" + path)
		got, err := CheckDocumentPath(to, at(t, "2026-11-21T14:05:00Z"), []string{p.path("config")})
		if (err == nil) != ok || isTaken(err) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		if ok && got != to && got != to+documentName {
			t.Errorf("%s is %q", path, got)
		}
	}
}

func isTaken(err error) bool {
	_, ok := errors.AsType[*TakenError](err)
	return ok
}

// TestSaveDocumentContextStays: active-context.md can't be written. The document is saved.
func TestSaveDocumentContextStays(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	for name, text := range map[string]string{"binary": "a\x00b", "too long": strings.Repeat("a\n", maxContext), "nearly": strings.Repeat("a\n", maxContext/2-10)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write(".claude/memory/active-context.md", text)
			m := p.open()
			s := p.saveDocument(m, p.documentRequest(m))
			if s.Context != "" || s.Problem == nil || len(p.entries()[0].Ops) != 1 || p.read("active-context.md") != text || !p.isFile(documentName) {
				t.Errorf("%+v, %+v", s, p.entries())
			}
		})
	}
}

// TestSaveDocumentMeanwhile: during the save, another program writes active-context.md or takes the document's name.
func TestSaveDocumentMeanwhile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/active-context.md", theirContext)
	m := p.open()
	r, asked := p.documentRequest(m), 0
	s, _, err := p.trySave(p.store(), m, r, func(n int) {
		switch asked = n; n {
		case 1: // before the save has the lock
			p.write(".claude/memory/active-context.md", "# Yours\n")
		case 2:
			p.write(".claude/memory/active-context.md", "# Mine\n")
		}
	})
	if err != nil || asked != 3 || s.Path != p.memory(documentName) || string(p.entries()[0].Ops[0].Before) != "# Mine\n" {
		t.Errorf("%v, asked %d times, %+v", err, asked, s)
	}
	mine := p.read("active-context.md")
	if !strings.HasPrefix(mine, "# Mine\n\n## Last Session (by continuo)\n") || !strings.HasSuffix(mine, "- Document: `"+documentName+"`\n") {
		t.Errorf("active context %q", mine)
	}

	const second = "session-2026-11-21-1405Z-2.md"
	_, _, err = p.trySave(p.store(), m, p.documentRequest(m), func(n int) {
		if n == 2 {
			p.write(".claude/memory/"+second, "mine, too")
		}
	})
	if _, taken := errors.AsType[*change.TakenError](err); !taken || p.read(second) != "mine, too" || p.read("active-context.md") != mine || len(p.entries()) != 1 {
		t.Errorf("%v, %q, active context %q", err, p.read(second), p.read("active-context.md"))
	}
	if s := p.saveDocument(m, p.documentRequest(m)); s.Path != p.memory("session-2026-11-21-1405Z-3.md") {
		t.Errorf("%+v", s)
	}
	p.hasNoTemps()
}

// TestSaveDocumentBesideHooks: hooks, saves and Claude Code write to the same memory.
func TestSaveDocumentBesideHooks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("a.jsonl", records(sessionA, 2000))
	p.write(".claude/memory/active-context.md", "# Now\n\n- Next: the crane\n")
	m := p.open()
	const each = 12
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range each {
			if s, err := m.Save(t.Context(), Request{Transcript: p.path("a.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z").Add(time.Duration(i) * time.Second)}); err != nil || len(s.Problems) > 0 {
				t.Errorf("hook: %v, %q", err, s.Problems)
			}
		}
	})
	saved, changed := 0, 0
	for range each {
		switch s, done, err := p.trySave(p.store(), m, p.documentRequest(m), nil); {
		case errors.Is(err, ErrChanged) || errors.Is(err, change.ErrChanged):
			changed++
		case err != nil || s.Problem != nil || done.Lost != nil:
			t.Errorf("document: %v, %v, %v", err, s.Problem, done.Lost)
		default:
			saved++
		}
	}
	wg.Wait()
	found := p.find()
	got := p.read("active-context.md")
	if len(found.Backups) != each || saved+changed != each || changed > 0 || found.Problems != nil {
		t.Errorf("%d backups, %d documents, problems %q", len(found.Backups), saved, found.Problems)
	}
	if !strings.HasPrefix(got, "# Now\n\n- Next: the crane\n") || strings.Count(got, "## Session Exit") != 1 || strings.Count(got, "by continuo") != 1 ||
		!strings.Contains(got, "session-2026-11-21-1405Z-12.md") || strings.Count(got, "- Written:") != 1 {
		t.Errorf("active context %q", got)
	}
	p.hasNoTemps()
}

func TestNewestDocument(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m, when := p.open(), at(t, "2026-11-21T14:05:00Z")
	for _, step := range []struct{ name, want string }{
		{"session-template.md", "session-template.md"},
		{"session-2026-01-15-0515.md", "session-2026-01-15-0515.md"},
		{"session-2026-01-15-1430.md", "session-2026-01-15-1430.md"},
		{"sessions/session-2026-01-16-0000Z.md", "session-2026-01-16-0000Z.md"},
		{"session-2026-01-16-0000Z-2.md", "session-2026-01-16-0000Z-2.md"},
		{"session-2026-01-16-0000Z-10.md", "session-2026-01-16-0000Z-10.md"},
		{"session-2026-01-16-0000Z-9.md", "session-2026-01-16-0000Z-10.md"},
		{"sessions.md", "session-2026-01-16-0000Z-10.md"},
		{"session-zen.md", "session-2026-01-16-0000Z-10.md"},
		{"session-9999-12-31-2359Z.md", "session-2026-01-16-0000Z-10.md"},
		{"session-2026-13-45-9999Z.md", "session-2026-01-16-0000Z-10.md"},
		{"session-2026-11-22-0100.md", "session-2026-11-22-0100.md"}, // this day has already begun in the east
	} {
		p.write(".claude/memory/"+step.name, "x")
		if got := m.NewestDocument(when); got != step.want {
			t.Errorf("after %s: %s", step.name, got)
		}
	}
	p.mkdir(".claude/memory/session-2027.md")
	if got := m.NewestDocument(when); filepath.Ext(got) != ".md" || got == "session-2027.md" {
		t.Errorf("a directory: %s", got)
	}
}

// TestSaveDocumentNotSynced: a document that can't be synced isn't saved.
func TestSaveDocumentNotSynced(t *testing.T) {
	t.Parallel()
	for nth := range 4 {
		p := newProject(t)
		p.write(".claude/memory/active-context.md", theirContext)
		store, m := p.store(), p.open()
		lost, syncs := errors.New("lost"), 0
		store.Step = func(step, _ string) error {
			if step == "sync directory" {
				syncs++
			}
			if step == "sync directory" && syncs == nth+1 {
				return lost
			}
			return nil
		}
		_, _, err := p.trySave(store, m, p.documentRequest(m), nil)
		if saved := err == nil && syncs == nth; saved { // there are no more syncs
			break
		}
		if !errors.Is(err, lost) || p.isFile(documentName) || p.read("active-context.md") != theirContext || len(p.entries()) > 0 {
			t.Errorf("%d: %v, %q, %+v", nth, err, p.read("active-context.md"), p.entries())
		}
		p.hasNoTemps()
	}
}
