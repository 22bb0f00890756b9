package transcript_test

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

	"github.com/continuo-tui/continuo/transcript"
)

// talk returns n prompts in a chain.
func talk(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		parent := ""
		if i > 0 {
			parent = fmt.Sprint("u", i-1)
		}
		b.WriteString(rec("user", fmt.Sprint("u", i), parent, "", said(fmt.Sprint("prompt ", i)), "") + "\n")
	}
	return b.String()
}

func open(t *testing.T, data string) (*transcript.Transcript, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr, path
}

func appendTo(t *testing.T, path, data string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// slack is the number of bytes that Follow may read in addition to the appended ones.
const slack = 2 * 4096

func TestFollowReadsOnce(t *testing.T) {
	t.Parallel()
	tr, path := open(t, talk(0, 2000))
	if n, err := tr.Follow(t.Context()); n != 0 || err != nil {
		t.Errorf("nothing was appended: %d bytes, %v", n, err)
	}
	more := talk(2000, 3)
	appendTo(t, path, more)
	n, err := tr.Follow(t.Context())
	if err != nil || n < int64(len(more)) || n > int64(len(more)+slack) {
		t.Errorf("%d bytes read for %d appended, %v", n, len(more), err)
	}
	if got := len(tr.Outline().Messages); got != 2003 {
		t.Errorf("%d messages", got)
	}
	line := talk(2003, 1)
	for _, part := range []string{line[:20], line[20:60], line[60:]} { // a line that is written in three pieces
		appendTo(t, path, part)
		if _, err := tr.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c := tr.Outline().Counts; c.Bad != 0 || tr.Outline().Damaged() || c.Torn == strings.HasSuffix(part, "\n") {
			t.Errorf("after %q: %+v", part, c)
		}
	}
	if got := len(tr.Outline().Messages); got != 2004 {
		t.Errorf("%d messages", got)
	}
}

// TestByteOrderMark: a byte order mark moves the offsets of all records.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"short": "first prompt", "long": "first prompt " + strings.Repeat("x", 9<<20)} {
		first := rec("user", "u0", "", "", said(text), "")
		tr, path := open(t, "\ufeff")
		for i := range first[:min(len(first), 20)] {
			appendTo(t, path, first[i:i+1])
			if _, err := tr.Follow(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		appendTo(t, path, first[20:]+"\n"+talk(1, 2))
		if _, err := tr.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		o := tr.Outline()
		if len(o.Records) != 3 || o.Counts.Unparsed != 0 || o.Damaged() || o.Records[0].Offset != 3 || o.Records[0].Length != int64(len(first)) {
			t.Fatalf("%s: %d records, counts %+v, first %+v", name, len(o.Records), o.Counts, o.Records[0])
		}
		if m := tr.Message(0); m.Err != "" || len(m.Blocks) != 1 || !strings.HasPrefix(m.Blocks[0].Text, "first prompt") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestFollowRewritten(t *testing.T) {
	t.Parallel()
	whole := talk(0, 300)
	later := time.Now().Add(time.Hour)
	put := func(t *testing.T, path, data string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(t *testing.T, path string){
		"shorter":          func(t *testing.T, path string) { put(t, path, whole[:len(whole)/2]) },
		"empty":            func(t *testing.T, path string) { put(t, path, "") },
		"other end":        func(t *testing.T, path string) { put(t, path, whole[:len(whole)-1000]+strings.Repeat(" ", 1000)) },
		"other and longer": func(t *testing.T, path string) { put(t, path, strings.ReplaceAll(whole, "prompt", "promise")) },
		"another file": func(t *testing.T, path string) {
			put(t, path+".new", whole+talk(300, 1))
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, path := open(t, whole)
			change(t, path)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := tr.Follow(t.Context()); !errors.Is(err, transcript.ErrRewritten) {
					t.Errorf("error %v", err)
				}
			}
			if n := len(tr.Outline().Messages); n != 300 {
				t.Errorf("%d messages after the rewrite", n)
			}
		})
	}
}

func TestFollowDeleted(t *testing.T) {
	t.Parallel()
	tr, path := open(t, talk(0, 10))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(path); err != nil {
		t.Skip("this system can't delete an open file")
	}
	if _, err := f.WriteString(talk(10, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Follow(t.Context()); err != nil {
		t.Error(err)
	}
	if n := len(tr.Outline().Messages); n != 11 {
		t.Errorf("%d messages of a deleted file that is still written", n)
	}
	if m := tr.Message(3); m.Err != "" || m.Blocks[0].Text != "prompt 3" {
		t.Errorf("%+v", m)
	}
}

// TestSnapshot reads an old outline while the transcript grows.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	tr, path := open(t, talk(0, 50))
	var refs []transcript.MessageRef
	var threads []transcript.Thread
	tr.View(func(o *transcript.Outline) { refs, threads = o.Messages, o.Threads })
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer cancel()
		for i := range 40 {
			// The parents are inside the thread, so the previous main thread becomes a branch.
			appendTo(t, path, rec("user", fmt.Sprint("v", i), "u10", "", said("other"), "")+"\n")
			if _, err := tr.Follow(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	for ctx.Err() == nil {
		for i := range refs {
			m := tr.Decode(&refs[i], threads[refs[i].Thread].Name)
			if m.Err != "" || m.Thread != "main" || m.Blocks[0].Text != fmt.Sprint("prompt ", i) {
				t.Fatalf("message %d: %+v", i, m)
			}
		}
	}
	wg.Wait()
	if n := len(tr.Outline().Threads); n < 2 {
		t.Errorf("%d threads", n)
	}
}
