package preview

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// countingSource counts the messages that are decoded.
type countingSource struct {
	*catalog.Catalog
	decoded *int
}

type countingDoc struct {
	opened.Doc
	decoded *int
}

func (s countingSource) Open(ctx context.Context, row sessions.Row) (opened.Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	return countingDoc{doc, s.decoded}, err
}

func (d countingDoc) Messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	*d.decoded += to - from
	return d.Doc.Messages(ctx, from, to)
}

// TestReadChanges: only messages with changes are decoded.
func TestReadChanges(t *testing.T) {
	t.Parallel()
	const calls = 90
	var b strings.Builder
	at := func(n int, typ, content string) {
		fmt.Fprintf(&b, `{"type":%q,"uuid":"r%d","parentUuid":"r%d","message":{"id":"m%d","role":%q,"content":[%s]}}`+"\n", typ, n, n-1, n, typ, content)
	}
	b.WriteString(`{"type":"user","uuid":"r0","parentUuid":null,"message":{"role":"user","content":"Brew."}}` + "\n")
	for n := 1; n < 2*calls; n += 2 {
		name, input, result := "Bash", `"command":"ls"`, strings.Repeat("leaf ", 20_000)
		switch n {
		case 31:
			name, input, result = "Edit", `"file_path":"/tea/a.go","old_string":"a\n","new_string":"b\nc\n"`, "ok"
		case 61:
			name, input, result = "Write", `"file_path":"/tea/b.go","content":"x\n"`, "ok"
		}
		at(n, "assistant", fmt.Sprintf(`{"input":{%s},"name":%q,"id":"c%d","type":"tool_use"}`, input, name, n))
		at(n+1, "user", fmt.Sprintf(`{"type":"tool_result","tool_use_id":"c%d","content":%q}`, n, result))
	}
	path := filepath.Join(t.TempDir(), "large.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if b.Len() < 8<<20 {
		t.Fatalf("the transcript has only %d bytes", b.Len())
	}
	decoded := 0
	source := countingSource{catalog.New(catalog.Options{Now: testNow}), &decoded}
	got, err := ReadChanges(t.Context(), source, sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Path: path}})
	if want := (Changes{Files: 2, Added: 3, Removed: 1}); err != nil || got != want || decoded != 2 {
		t.Errorf("%+v, %v, %d messages decoded; want %+v and 2", got, err, decoded, want)
	}
}

// TestReadKnown: a read counts the same messages as the exact pass.
func TestReadKnown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for n, text := range []string{"One.", "Yes.", "Two.", "Done.", "Summary.", "Three.", "Fine."} {
		typ, more := []string{"user", "assistant"}[n%2], ""
		switch {
		case n == 4:
			typ, more = "user", `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,`
			fmt.Fprintf(&b, `{"type":"system","subtype":"compact_boundary","uuid":"c","parentUuid":null,"logicalParentUuid":"r3","timestamp":"2026-11-21T10:10:00Z"}`+"\n")
		case n > 4:
			typ = []string{"user", "assistant"}[(n+1)%2]
		}
		parent := map[int]string{0: "null", 4: `"c"`}[n]
		if parent == "" {
			parent = fmt.Sprintf(`"r%d"`, n-1)
		}
		fmt.Fprintf(&b, `{"type":%q,%s"uuid":"r%d","parentUuid":%s,"timestamp":"2026-11-21T10:1%d:00Z","message":{"id":"m%d","role":%[1]q,"content":%[7]q}}`+"\n", typ, more, n, parent, n, n, text)
	}
	path := filepath.Join(t.TempDir(), "compacted.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	decoded := 0
	source := countingSource{catalog.New(catalog.Options{Now: testNow}), &decoded}
	got := Read(t.Context(), source, sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Path: path}}, talk.Options{Width: 60, Styles: render.NewStyles(render.None), Zone: time.UTC}, 0, render.Needle{})
	file, err := transcript.Open(t.Context(), path)
	if err != nil || got.Err != nil {
		t.Fatal(err, got.Err)
	}
	t.Cleanup(func() { _ = file.Close() })
	o := file.Outline()
	if got.Messages != o.Turns || got.Known != o.Known || got.Known == 0 || got.Known >= got.Messages {
		t.Errorf("%d of %d messages, want %d of %d", got.Known, got.Messages, o.Known, o.Turns)
	}
}
