//go:build unix

package backup

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/document"
)

func TestSaveDocumentLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("elsewhere.md", "theirs")
	p.link(p.path("elsewhere.md"), ".claude/memory/active-context.md")
	p.link(p.path("nowhere.md"), "dangling.md")
	p.link(p.path("nowhere.md"), ".claude/memory/"+documentName)
	m := p.open()
	s := p.saveDocument(m, p.documentRequest(m))
	if s.Context != "" || s.Problem == nil || s.Path != p.memory("session-2026-11-21-1405Z-2.md") {
		t.Errorf("%+v", s)
	}
	if text, err := os.ReadFile(p.path("elsewhere.md")); string(text) != "theirs" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := CheckDocumentPath(p.path("dangling.md"), time.Now(), nil); !isTaken(err) {
		t.Errorf("a dangling link: %v", err)
	}
	r := p.documentRequest(m)
	r.To = p.path("dangling.md")
	if _, _, err := p.trySave(p.store(), m, r, nil); !isTaken(err) {
		t.Errorf("a dangling link: %v", err)
	}
	if _, err := os.Lstat(p.path("nowhere.md")); err == nil {
		t.Error("a file was written through a link")
	}
}

// TestCheckDocumentPathLinks: an undo doesn't follow links, so the journal needs the real directory.
func TestCheckDocumentPathLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mkdir("notes")
	p.mkdir(".git")
	p.link(p.path("notes"), "linked")
	p.link(p.path(".git"), "repository")
	p.link(p.path(".claude/memory"), "memory")
	real, err := filepath.EvalSymlinks(p.path("notes"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := CheckDocumentPath(p.path("linked/x.md"), time.Now(), nil); got != filepath.Join(real, "x.md") || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := CheckDocumentPath(p.path("repository/x.md"), time.Now(), nil); !errors.Is(err, ErrNoDocumentPlace) {
		t.Errorf("%q, %v", got, err)
	}
	m := p.open()
	r := p.documentRequest(m)
	if r.To, err = CheckDocumentPath(p.path("memory/mine.md"), time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	if p.saveDocument(m, r); !strings.Contains(p.read("active-context.md"), "\n> Last Session Doc: mine.md\n") {
		t.Errorf("%q", p.read("active-context.md"))
	}
}

const documentWriter = "CONTINUO_TEST_DOCUMENT_WRITER" // project of a process that is killed

// TestDocumentWriter runs in the killed process.
func TestDocumentWriter(t *testing.T) {
	dir := os.Getenv(documentWriter)
	if dir == "" {
		t.Skip("a part of TestSaveDocumentDrill")
	}
	p := project{t, dir}
	m, store := p.open(), p.store()
	fmt.Println(drilltest.Ready)
	store.FinishInterrupted(t.Context())
	for {
		r := p.documentRequest(m)
		r.At = time.Now()
		r.Previous = m.NewestDocument(r.At)
		if _, _, err := p.trySave(store, m, r, nil); err != nil {
			fmt.Println(err)
			t.FailNow()
		}
	}
}

// TestSaveDocumentDrill: saves are killed at random times. The document is complete or missing.
func TestSaveDocumentDrill(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", *drillRounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	p := newProject(t)
	p.write(".claude/memory/active-context.md", theirContext)
	between := 0 // kills between the first and the last write to active-context.md
	for round := range *drillRounds {
		p.killDocumentWriter(time.Duration(rnd.Int64N(int64(30 * time.Millisecond))))
		if !strings.Contains(p.read("active-context.md"), "\n- Document:") {
			between++
		}
		if p.checkDocuments(); t.Failed() {
			t.Fatalf("round %d", round)
		}
		if round%25 == 24 { // limits the number of documents
			p.store().FinishInterrupted(t.Context()) // undo an interrupted save before this test writes to the file
			for _, name := range p.names("") {
				if strings.HasPrefix(name, document.Prefix) || disk.IsTemp(name) {
					p.remove(".claude/memory/" + name)
				}
			}
			p.write(".claude/memory/active-context.md", theirContext)
		}
	}
	m := p.open()
	p.saveDocument(m, p.documentRequest(m))
	p.checkDocuments()
	for _, e := range p.entries() {
		if !e.Done {
			t.Errorf("left in the journal: %+v", e)
		}
	}
	t.Logf("%d kills before the document had its name, or was named", between)
}

func (p project) killDocumentWriter(after time.Duration) {
	p.t.Helper()
	drilltest.Start(p.t, "TestDocumentWriter", documentWriter+"="+p.dir).Kill(p.t, after)
}

// checkDocuments fails for files that can't exist after a kill.
func (p project) checkDocuments() {
	p.t.Helper()
	found := p.find()
	if found.Problems != nil {
		p.t.Errorf("problems %q", found.Problems)
	}
	names := map[string]bool{"session-2026-11-20-0900Z.md": true} // the context names this document at the beginning
	for _, d := range found.Documents {
		if d.Kind != document.KindSession {
			continue
		}
		name := baseOf(d.Path)
		names[name] = true
		if text := p.read(name); !strings.HasPrefix(text, "---\ndate: ") || !strings.HasSuffix(text, "or write them here._\n") || d.Problem != "" {
			p.t.Errorf("%s is not a complete document: %q", name, d.Problem)
		}
		if d.Previous != "" && !names[d.Previous] && !p.isFile(d.Previous) {
			p.t.Errorf("%s continues %s, which is missing", name, d.Previous)
		}
	}
	got := p.read("active-context.md")
	_, named, _ := strings.Cut(got, "> Last Session Doc: ")
	named, _, _ = strings.Cut(named, "\r\n")
	if !names[named] {
		p.t.Errorf("the active context names %q", named)
	}
	if _, ours, ok := strings.Cut(got, "\r\n- Document: `"); ok {
		if ours, _, _ = strings.Cut(ours, "`"); ours != named {
			p.t.Errorf("it names %q, and %q above", ours, named)
		}
	}
	_, wanted, _ := strings.Cut(theirContext, "\r\n\r\n")
	if _, theirs, _ := strings.Cut(got, "\r\n\r\n"); !strings.HasPrefix(theirs, wanted) || strings.Count(got, "by continuo") > 1 {
		p.t.Errorf("active context %q", got)
	}
}

func baseOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
